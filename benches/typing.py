#!/usr/bin/env python3
"""Answers while somebody types: one file of 2,000 is edited without a pause, and hover and completion are asked for elsewhere.

    typing.py BINARY [--files N] [--seconds S] [--edit body|name|config]

Prints the delays of answers in milliseconds, how many of them said something, how long `shutdown` took in the middle of an
edit, and the largest resident size. `body` edits what no name depends on, `name` a constant that every name depends on,
`config` the file `toolnames.toml`.
"""

import argparse
import json
import statistics
import subprocess
import tempfile
import threading
import time
from pathlib import Path


class Client:
    def __init__(self, binary, root):
        self.process = subprocess.Popen(
            [binary, "server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.root, self.next, self.sent, self.answers = root, 0, {}, {}
        self.lock = threading.Lock()
        self.woken = threading.Condition()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        out = self.process.stdout
        while header := out.readline():
            length = int(header.split(b":")[1])
            out.readline()
            message = json.loads(out.read(length))
            if "method" in message and "id" in message:
                self.send({"jsonrpc": "2.0", "id": message["id"], "result": None})
            elif "id" in message:
                with self.woken:
                    self.answers[message["id"]] = (time.monotonic(), message)
                    self.woken.notify_all()

    def send(self, message):
        body = json.dumps(message).encode()
        with self.lock:
            self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            self.process.stdin.flush()

    def notify(self, method, params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method, params):
        self.next += 1
        self.sent[self.next] = time.monotonic()
        self.send({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params})
        return self.next

    def answer(self, id):
        with self.woken:
            while id not in self.answers:
                if not self.woken.wait(60):
                    raise SystemExit(f"no answer to {id}")
        return self.answers[id]

    def uri(self, path):
        return f"file://{self.root / path}"


def workspace(root, count):
    (root / "lib").mkdir()
    (root / "lib/names.ts").write_text('export const PREFIX = "a_";\n// typed here\n')
    (root / "toolnames.toml").write_text("[rules]\n")
    (root / "package.json").write_text('{ "name": "many", "dependencies": { "@modelcontextprotocol/sdk": "1" } }')
    (root / ".claude").mkdir()
    for number in range(count):
        text = (
            'import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";\nimport { PREFIX } from "./lib/names";\n'
            f'const server = new McpServer({{ name: "s{number}", version: "1" }});\n'
            f'server.registerTool(PREFIX + "tool_{number}", {{ description: "Reads." }}, run);\n'
        )
        (root / f"s{number}.ts").write_text(text)
    servers = {f"s{n}": {"command": "node", "args": [f"s{n}.ts"]} for n in range(min(count, 50))}
    (root / ".mcp.json").write_text(json.dumps({"mcpServers": servers}))
    allow = [f"mcp__s{n}__a_tool_{n}" for n in range(min(count, 50))]
    (root / ".claude/settings.json").write_text(json.dumps({"permissions": {"allow": allow}}))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--files", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--edit", choices=["body", "name", "config"], default="name")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        workspace(root, options.files)
        client = Client(options.binary, root)
        capabilities = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
        params = {"processId": None, "rootUri": f"file://{root}", "capabilities": capabilities}
        client.answer(client.ask("initialize", params))
        client.notify("initialized", {})
        edited = "toolnames.toml" if options.edit == "config" else "lib/names.ts"
        for path in [edited, "s0.ts", ".claude/settings.json"]:
            document = {"uri": client.uri(path), "languageId": "x", "version": 1, "text": (root / path).read_text()}
            client.notify("textDocument/didOpen", {"textDocument": document})
        started = time.monotonic()
        hover = {"textDocument": {"uri": client.uri("s0.ts")}, "position": {"line": 3, "character": 32}}
        client.answer(client.ask("textDocument/hover", hover))
        print(f"first answer after {time.monotonic() - started:.2f} s")
        complete = {"textDocument": {"uri": client.uri(".claude/settings.json")}, "position": {"line": 0, "character": 31}}
        version, asked, ends = 1, [], time.monotonic() + options.seconds
        while time.monotonic() < ends:
            version += 1
            text = {
                "name": f'export const PREFIX = "a{version}_";\n',
                "body": f'export const PREFIX = "a_";\n// typed {version}\n',
                "config": f"[rules]\n# typed {version}\n",
            }[options.edit]
            document = {"uri": client.uri(edited), "version": version}
            client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})
            if version % 3 == 0:
                asked.append(("hover", client.ask("textDocument/hover", hover)))
            elif version % 3 == 1:
                asked.append(("completion", client.ask("textDocument/completion", complete)))
            time.sleep(0.03)
        for kind in ["hover", "completion"]:
            delays, useful = [], 0
            for name, id in asked:
                if name == kind:
                    at, message = client.answer(id)
                    delays.append((at - client.sent[id]) * 1000)
                    useful += message.get("result") is not None
            delays.sort()
            p99 = delays[int(len(delays) * 0.99)]
            print(
                f"{kind}: {len(delays)} asked, {useful} with a result; "
                f"median {statistics.median(delays):.1f}, p99 {p99:.1f}, most {delays[-1]:.1f} ms"
            )
        peak = [line for line in Path(f"/proc/{client.process.pid}/status").read_text().splitlines() if "VmHWM" in line]
        began = time.monotonic()
        client.answer(client.ask("shutdown", None))
        client.notify("exit", None)
        client.process.wait(20)
        print(f"shutdown {(time.monotonic() - began) * 1000:.0f} ms; {peak[0].split(':')[1].strip()} at most")


if __name__ == "__main__":
    main()
