#!/usr/bin/env python3
"""`toolnames verify` on a running server: over standard input and output, and at a URL.

    verify.py BINARY [--cache DIR]

A server that reports what its source says is good; one whose source has since changed is not, and each difference is named;
one that knows only the newest version of the protocol is asked in its way; one that never answers is given up and ended.
Ends with `N passed, M failed`.
"""

import argparse
import contextlib
import json
import socket
import subprocess
import sys
import time
from pathlib import Path

from compare import PROJECT
from install import virtual_environment

SERVER = """
import sys

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("notes", port=int(sys.argv[1]) if len(sys.argv) > 1 else 8000)


@mcp.tool(title="Read note")
def read_note(id: int) -> str:
    return f"note {id}"


@mcp.tool()
def list_notes() -> str:
    return "1, 2"


if __name__ == "__main__":
    mcp.run("streamable-http" if len(sys.argv) > 1 else "stdio")
"""


# Speaks one version of the protocol: the newest, which begins with no handshake, or an older one. Refuses the other with
# an error code, or by ending (`end`), or by saying nothing (`nothing`).
ONE_VERSION = """
import asyncio, json, sys

VERSION, (era, refusal) = "2026-07-28", sys.argv[1:]
del sys.argv[1:]

from server import mcp


def answer(request):
    is_newest = request.get("params", {}).get("_meta", {}).get("io.modelcontextprotocol/protocolVersion") == VERSION
    if is_newest != (era == "newest"):
        if refusal == "end":
            sys.exit(1)
        if refusal == "nothing":
            return None
        data = {"supported": [VERSION], "requested": "none"}
        return {"error": {"code": int(refusal), "message": "Unsupported protocol version", "data": data}}
    if request["method"] == "initialize":
        info = {"name": "notes", "version": "1"}
        return {"result": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": info}}
    whole = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
    if request["method"] == "server/discover":
        return {"result": {"supportedVersions": [VERSION], "capabilities": {"tools": {}}, **whole}}
    tools = asyncio.run(mcp.list_tools())
    return {"result": {"tools": [tool.model_dump(exclude_none=True, by_alias=True) for tool in tools], **whole}}


for line in sys.stdin:
    request = json.loads(line)
    if "id" in request and (answered := answer(request)) is not None:
        print(json.dumps({"jsonrpc": "2.0", "id": request["id"], **answered}), flush=True)
"""


# The same over HTTP: the status of a refusal differs, too.
ONE_VERSION_HTTP = """
import http.server, json, sys

VERSION, (port, era, status, code) = "2026-07-28", sys.argv[1:]
WHOLE = {"resultType": "complete", "ttlMs": 60000, "cacheScope": "private"}
TOOLS = [
    {"name": "list_notes", "description": "List all notes.", "inputSchema": {"type": "object"}},
    {"name": "read_note", "title": "Read note", "description": "Read a note.", "inputSchema": {"type": "object"}},
]


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if "id" not in request:
            return self.answer(202, b"")
        is_newest = request.get("params", {}).get("_meta", {}).get("io.modelcontextprotocol/protocolVersion") == VERSION
        if is_newest != (era == "newest"):
            body = {"error": {"code": int(code), "message": "Unsupported protocol version"}}
        elif request["method"] == "initialize":
            info = {"name": "notes", "version": "1"}
            body = {"result": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": info}}
        elif request["method"] == "server/discover":
            body = {"result": {"supportedVersions": [VERSION], "capabilities": {"tools": {}}, **WHOLE}}
        else:
            body = {"result": {"tools": TOOLS, **WHOLE}}
        text = json.dumps({"jsonrpc": "2.0", "id": request["id"], **body})
        self.answer(int(status) if "error" in body else 200, text.encode())

    def answer(self, status, text):
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


http.server.HTTPServer(("127.0.0.1", int(port)), Handler).serve_forever()
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def started(command, port):
    """A program that listens at a port while the block runs."""
    server = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield
    finally:
        server.kill()
        server.wait()


def runs(pid):
    """Whether a process is there that has not ended. Where there is no `/proc`, nothing shows."""
    for _ in range(20):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except OSError:
            return False
        # It has ended, and nobody has asked how.
        if state == "Z":
            return False
        time.sleep(0.1)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=Path)
    parser.add_argument("--cache", type=Path, default=PROJECT / ".cache" / "verify")
    options = parser.parse_args()
    binary, home = options.binary.resolve(), options.cache.resolve()
    home.mkdir(parents=True, exist_ok=True)
    python = virtual_environment(home / ".venv", ["mcp>=1.26,<2"])
    here, elsewhere = home / "here", home / "elsewhere"
    here.mkdir(exist_ok=True)
    elsewhere.mkdir(exist_ok=True)
    (here / "server.py").write_text(SERVER)
    (elsewhere / "old.py").write_text(SERVER.replace("list_notes", "every_note").replace('title="Read note"', 'title="Read"'))
    passed = failed = 0

    def verify(*command, timeout="60"):
        done = subprocess.run(
            [binary, "verify", "--format", "json", "--timeout", timeout, "--", *map(str, command)],
            cwd=here, capture_output=True, text=True, timeout=120,
        )
        return done.returncode, json.loads(done.stdout or "{}"), done.stderr

    def expect(what, holds, seen):
        nonlocal passed, failed
        passed, failed = passed + bool(holds), failed + (not holds)
        print(f"{what}: {'as it should be' if holds else seen}")

    seen = verify(python, "server.py")
    good = {"live": ["list_notes", "read_note"], "source": ["list_notes", "read_note"], "diagnostics": []}
    expect("a server that is its source", seen[0] == 0 and good.items() <= seen[1].items(), seen)

    seen = verify(python, elsewhere / "old.py")
    status, answer, _ = seen
    holds = status == 1 and answer["missing_in_source"] == ["every_note"] and answer["missing_live"] == ["list_notes"]
    expect("a server of before: its names", holds, seen)
    messages = [one["message"] for one in answer.get("diagnostics", [])]
    expect("a server of before: a title", any("`Read note`" in one and "`Read`" in one for one in messages), messages)

    (elsewhere / "one.py").write_text(f"import sys\nsys.path.insert(0, {str(here)!r})\n{ONE_VERSION}")
    for era in ["newest", "older"]:
        for refusal in ["-32022", "-32601", "-32020", "-32600", "end", "nothing"]:
            seen = verify(python, elsewhere / "one.py", era, refusal, timeout="5" if refusal == "nothing" else "60")
            holds = seen[0] == 0 and good.items() <= seen[1].items()
            expect(f"a server of the {era} version alone that refuses the other with {refusal}", holds, seen)

    (elsewhere / "http_one.py").write_text(ONE_VERSION_HTTP)
    for era in ["newest", "older"]:
        for status, code in [("400", "-32020"), ("404", "-32601"), ("200", "-32022")]:
            port = free_port()
            with started([python, elsewhere / "http_one.py", str(port), era, status, code], port):
                seen = verify(f"http://127.0.0.1:{port}/mcp")
            holds = seen[0] in (0, 1) and seen[1].get("live") == ["list_notes", "read_note"]
            expect(f"one over HTTP of the {era} version alone that refuses with {status} and {code}", holds, seen)

    port = free_port()
    with started([python, elsewhere / "http_one.py", str(port), "newest", "400", "-32020"], port):
        done = subprocess.run(
            [binary, "snapshot", "--key", "private", "--", f"http://127.0.0.1:{port}/mcp"],
            cwd=here, capture_output=True, text=True, timeout=120,
        )
    kept = here / ".toolnames" / "snapshots" / "private.json"
    recorded = json.loads(kept.read_text()) if kept.exists() else {}
    holds = done.returncode == 0 and recorded.get("cacheScope") == "private" and recorded.get("ttlMs") == 60000
    expect("a snapshot of a private list", holds, (done, recorded))
    kept.unlink(missing_ok=True)

    port = free_port()
    with started([python, here / "server.py", str(port)], port):
        seen = verify(f"http://127.0.0.1:{port}/mcp")
        expect("a server at a URL", seen[0] == 0 and good.items() <= seen[1].items(), seen)
    seen = verify(f"http://127.0.0.1:{port}/mcp")
    expect("nobody at a URL", seen[0] == 2 and not seen[1], seen)

    sleeper = elsewhere / "sleeper.py"
    sleeper.write_text("import os, time\nopen('pid', 'w').write(str(os.getpid()))\ntime.sleep(600)\n")
    seen = verify(python, sleeper, timeout="2")
    expect("one that never answers", seen[0] == 2 and "2 seconds" in seen[2], seen)
    expect("it is ended", not runs((here / "pid").read_text()), "it still runs")

    wrapper = elsewhere / "wrapper.py"
    wrapper.write_text(f"import subprocess, sys\nsubprocess.run([sys.executable, {str(sleeper)!r}])\n")
    seen = verify(python, wrapper, timeout="2")
    expect("one behind a wrapper that never answers", seen[0] == 2 and "2 seconds" in seen[2], seen)
    expect("it is ended, too", not runs((here / "pid").read_text()), "it still runs")

    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
