#!/usr/bin/env python3
"""Answers while somebody types, while requests are taken back, and while a nasty file is open.

    typing.py BINARY... [--files N] [--seconds S] [--edit body|name|config] [--only typing|storm|nasty]

`typing`: one file of N is edited without a pause, and every kind of request is asked meanwhile; how long `shutdown` took in
the middle of an edit, and the largest resident size. `storm`: 1,000 requests, each taken back at once. `nasty`: files of
1 MB that are hard to read, edited twice a second, with requests on them and on another file. Prints for every binary how
many answers said something, and the median, the 99th percentile and the longest delay in milliseconds. `body` edits what no
name depends on, `name` a constant that every name depends on, `config` the file `toolnames.toml`.

Requests that the server asks to be sent again (`ServerCancelled`) are counted as answered without a result.
"""

import argparse
import itertools
import json
import re
import subprocess
import tempfile
import threading
import time
from collections import defaultdict
from pathlib import Path

SERVER = (
    'import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";\n'
    'const server = new McpServer({ name: "s0", version: "1" });\n'
)
SETTINGS = ".claude/settings.json"
PATIENCE = 60  # Seconds; what is not answered then counts as that.


class Client:
    def __init__(self, binary, root):
        self.process = subprocess.Popen(
            [binary, "server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.root, self.next, self.sent, self.answers = root, 0, {}, {}
        self.lock = threading.Lock()
        self.woken = threading.Condition()
        threading.Thread(target=self.read, daemon=True).start()
        progress = {"workDoneProgress": True}
        document = {"diagnostic": {}, "codeAction": {"resolveSupport": {"properties": ["edit"]}}}
        workspace = {"diagnostics": {"refreshSupport": True}}
        capabilities = {"textDocument": document, "workspace": workspace, "window": progress}
        params = {"processId": None, "rootUri": f"file://{root}", "capabilities": capabilities}
        self.answer(self.ask("initialize", params))
        self.notify("initialized", {})

    def read(self):
        out = self.process.stdout
        while header := out.readline():
            length = int(header.split(b":")[1])
            out.readline()
            body = out.read(length)
            at = time.monotonic()
            # Large answers are looked into later: meanwhile others come.
            id = re.search(rb'"id":(\d+)}$', body[-40:])
            if id and b'"method":' not in body[:200]:
                with self.woken:
                    self.answers[int(id[1])] = (at, body)
                    self.woken.notify_all()
                continue
            message = json.loads(body)
            if "method" in message and "id" in message:
                self.send({"jsonrpc": "2.0", "id": message["id"], "result": None})
            elif "id" in message:
                with self.woken:
                    self.answers[message["id"]] = (at, body)
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
        """When a request was answered, and with what; nothing after PATIENCE."""
        with self.woken:
            while id not in self.answers:
                if not self.woken.wait(max(0, self.sent[id] + PATIENCE - time.monotonic())):
                    return self.sent[id] + PATIENCE, {}
        at, body = self.answers[id]
        return at, json.loads(body)

    def settled(self, method, params):
        """The result of a request that is asked again until it has one."""
        while True:
            result = self.answer(self.ask(method, params))[1].get("result")
            if result is not None:
                return result
            time.sleep(0.02)

    def open(self, path, text=None):
        text = (self.root / path).read_text() if text is None else text
        document = {"uri": self.uri(path), "languageId": "x", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})

    def change(self, path, version, change):
        document = {"uri": self.uri(path), "version": version}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})

    def uri(self, path):
        return f"file://{self.root / path}"

    def requests(self, path, line, character):
        """Every kind of request about a place."""
        document, position = {"uri": self.uri(path)}, {"line": line, "character": character}
        at = {"textDocument": document, "position": position}
        span = {"start": position, "end": position}
        return {
            "hover": ("textDocument/hover", at),
            "completion": ("textDocument/completion", at),
            "definition": ("textDocument/definition", at),
            "references": ("textDocument/references", {**at, "context": {"includeDeclaration": True}}),
            "highlight": ("textDocument/documentHighlight", at),
            "symbols": ("textDocument/documentSymbol", {"textDocument": document}),
            "lenses": ("textDocument/codeLens", {"textDocument": document}),
            "hints": ("textDocument/inlayHint", {"textDocument": document, "range": span}),
            "pull": ("textDocument/diagnostic", {"textDocument": document}),
            "actions": ("textDocument/codeAction", {"textDocument": document, "range": span, "context": {"diagnostics": []}}),
            "prepare": ("textDocument/prepareRename", at),
        }

    def end(self):
        """How long it takes to shut down, in seconds."""
        began = time.monotonic()
        self.answer(self.ask("shutdown", None))
        self.notify("exit", None)
        self.process.wait(PATIENCE)
        return time.monotonic() - began


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
            f'server.registerTool("bad name {number}", {{ description: "Reads." }}, run);\n'
        )
        (root / f"s{number}.ts").write_text(text)
    servers = {f"s{n}": {"command": "node", "args": [f"s{n}.ts"]} for n in range(min(count, 50))}
    (root / ".mcp.json").write_text(json.dumps({"mcpServers": servers}))
    allow = [f"mcp__s{n}__a_tool_{n}" for n in range(min(count, 50))]
    (root / SETTINGS).write_text(json.dumps({"permissions": {"allow": allow}}))


class Delays:
    """What was asked, by kind; printed with the delays of the answers."""

    def __init__(self, client):
        self.client, self.asked = client, defaultdict(list)

    def ask(self, kind, method, params):
        self.asked[kind].append(self.client.ask(method, params))

    def print(self):
        for kind, ids in self.asked.items():
            delays, useful = [], 0
            for id in ids:
                at, message = self.client.answer(id)
                delays.append((at - self.client.sent[id]) * 1000)
                useful += message.get("result") is not None
            delays.sort()
            middle, late = delays[len(delays) // 2], delays[int(len(delays) * 0.99)]
            print(f"  {kind:22} {len(delays):5} asked {useful:5} useful  p50 {middle:7.1f}  p99 {late:8.1f}  max {delays[-1]:8.1f}")


def typing(binary, root, options):
    workspace(root, options.files)
    client = Client(binary, root)
    edited = "toolnames.toml" if options.edit == "config" else "lib/names.ts"
    for path in [edited, "s0.ts", SETTINGS]:
        client.open(path)
    started = time.monotonic()
    of_tool = client.requests("s0.ts", 3, 32)
    client.settled(*of_tool["hover"])
    print(f"typing, {options.edit}: first answer after {time.monotonic() - started:.2f} s")
    # A place with a fault whose repair is a rename.
    actions = client.settled(*client.requests("s0.ts", 4, 24)["actions"])
    later = next((action for action in actions if "edit" not in action), actions[0] if actions else None)
    new = {"newName": "renamed", **of_tool["hover"][1]}
    mine, of_entry = client.requests(edited, 0, 3), client.requests(SETTINGS, 0, 31)
    kinds = {kind: of_tool[kind] for kind in ["hover", "symbols", "lenses", "hints", "actions", "references", "prepare"]}
    kinds |= {"completion": of_entry["completion"], "pull": of_entry["pull"], "pull of the edited": mine["pull"]}
    often = itertools.cycle(kinds.items())
    rare = [("rename", "textDocument/rename", new), ("tools", "toolnames/tools", None)]
    rare += [("symbols of all", "workspace/symbol", {"query": "tool_1"})]
    rare += [("pull of all", "workspace/diagnostic", {"previousResultIds": []})]
    rare += [("resolve", "codeAction/resolve", later)] if later else []
    rarely = itertools.cycle(rare)
    delays, version, ends = Delays(client), 1, time.monotonic() + options.seconds
    while time.monotonic() < ends:
        version += 1
        text = {
            "name": f'export const PREFIX = "a{version}_";\n',
            "body": f'export const PREFIX = "a_";\n// typed {version}\n',
            "config": f"[rules]\n# typed {version}\n",
        }[options.edit]
        client.change(edited, version, {"text": text})
        kind, asked = next(often)
        delays.ask(kind, *asked)
        if version % 40 == 0:
            delays.ask(*next(rarely))
        time.sleep(0.03)
    status = Path(f"/proc/{client.process.pid}/status").read_text().splitlines()
    peak = next(line for line in status if "VmHWM" in line)
    delays.print()
    print(f"  shutdown {client.end() * 1000:.0f} ms; {peak.split(':')[1].strip()} at most")


def storm(binary, root, options):
    workspace(root, min(options.files, 200))
    client = Client(binary, root)
    client.open("s0.ts")
    kinds = client.requests("s0.ts", 3, 32)
    client.settled(*kinds["hover"])
    began, delays = time.monotonic(), Delays(client)
    for _, asked in zip(range(1000), itertools.cycle(kinds.values())):
        delays.ask("taken back", *asked)
        client.notify("$/cancelRequest", {"id": client.next})
    delays.ask("hover after them", *kinds["hover"])
    client.answer(client.next)
    print(f"storm: 1,000 sent, and another one answered, after {time.monotonic() - began:.2f} s")
    delays.print()
    client.end()


def nasty():
    """Files of 1 MB, each with its path, its text, and a place in it where there is something to ask about."""
    tools = "".join(f'server.registerTool("tool_{n}", {{}}, run);\n' for n in range(20_000))
    yield "20,000 tools", "nasty.ts", SERVER + tools, (2, 25)
    yield "brackets", "nasty.ts", SERVER + "f" + "(" * 500_000 + ")" * 500_000, (1, 5)
    wide = ", ".join(f'"name_{n}"' for n in range(80_000))
    yield "one line", "nasty.ts", SERVER + f"const all = [{wide}];", (2, 20)
    yield "sums", "nasty.ts", SERVER + "server.registerTool(" + '"a" + ' * 160_000 + '"b", {}, run);', (2, 25)
    yield "indentations", "nasty.py", "".join(" " * depth + "if x:\n" for depth in range(1400)), (0, 0)
    allow = ", ".join(f'"mcp__s0__tool_{n}"' for n in range(50_000))
    yield "entries", SETTINGS, '{ "permissions": { "allow": [' + allow + "] } }", (0, 35)


def files_of_a_stranger(binary, root, options):
    workspace(root, 20)
    for name, path, text, place in nasty():
        client = Client(binary, root)
        client.open("s1.ts")
        other = client.requests("s1.ts", 3, 32)
        client.settled(*other["hover"])
        client.open(path, text)
        began, delays, version = time.monotonic(), Delays(client), 1
        here = client.requests(path, *place)
        both = [(f"{kind} there", asked) for kind, asked in here.items()]
        both += [(f"{kind} elsewhere", asked) for kind, asked in other.items() if kind in ("hover", "completion", "pull")]
        start = {"line": 0, "character": 0}
        edit = {"range": {"start": start, "end": start}, "text": " "}
        edited = began
        for kind, asked in itertools.cycle(both):
            now = time.monotonic()
            if now - began > options.seconds / 6:
                break
            if now - edited > 0.5:
                version, edited = version + 1, now
                client.change(path, version, edit)
            delays.ask(kind, *asked)
            time.sleep(0.02)
        print(f"nasty, {name}: {len(text):,} bytes")
        delays.print()
        client.process.kill()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binaries", nargs="+", metavar="BINARY")
    parser.add_argument("--files", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--edit", choices=["body", "name", "config"], default="name")
    parts = {"typing": typing, "storm": storm, "nasty": files_of_a_stranger}
    parser.add_argument("--only", choices=parts)
    options = parser.parse_args()
    for binary in options.binaries:
        print(binary)
        for name, part in parts.items():
            if options.only in (None, name):
                with tempfile.TemporaryDirectory() as folder:
                    part(binary, Path(folder).resolve(), options)


if __name__ == "__main__":
    main()
