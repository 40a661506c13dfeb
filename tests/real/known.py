#!/usr/bin/env python3
"""Installed packages as the source of known tools, on real ones.

    known.py BINARY [--cache DIR]

A workspace's `.mcp.json` starts three published packages that are installed in it, by npm and by pip. Each is asked for
its tools; then, with a PATH on which every program leaves a mark when it is started, `check`, `list --known` and the
language server have to know the same names, and to say of each slip what was meant. Nothing may have been started.
Ends with `N passed, M failed`.
"""

import argparse
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from compare import PROJECT, ask
from install import node_modules, run, virtual_environment

NPM = {"@modelcontextprotocol/server-filesystem": "2026.8.31", "@playwright/mcp": "0.0.83"}
PYPI = ["mcp-server-git==2026.10.19"]

# How a client starts each, and what starts it here. `whole`: every name can be computed from the source. Where it
# cannot (tools that pages bring are added when it runs), what is near a name that can be seen is still said.
SERVERS = {
    "filesystem": {
        "entry": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "."]},
        "start": ["node", "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js", "."],
        "whole": True,
        "slip": ("read_text_flie", "read_text_file"),
    },
    "playwright": {
        "entry": {"command": "npx", "args": ["@playwright/mcp@latest"]},
        "start": ["node", "node_modules/@playwright/mcp/cli.js"],
        "whole": False,
        "slip": ("browser_navigte", "browser_navigate"),
    },
    "git": {
        "entry": {"command": "uvx", "args": ["mcp-server-git", "--repository", "."]},
        "start": [".venv/bin/mcp-server-git", "--repository", "."],
        "whole": True,
        "slip": ("git_statsu", "git_status"),
    },
}

# What somebody might start by mistake.
PROGRAMS = ["npx", "npm", "node", "uvx", "uv", "python", "python3", "sh", "bash", "env", "git", "mcp-server-git"]


def install(folder):
    """The workspace, with everything installed in it."""
    node_modules(folder, {"private": True, "name": "workspace", "dependencies": NPM})
    virtual_environment(folder / ".venv", PYPI)
    if not (folder / ".git").exists():
        run(["git", "init", "--quiet", folder])
    servers = {key: server["entry"] for key, server in SERVERS.items()}
    (folder / ".mcp.json").write_text(json.dumps({"mcpServers": servers}, indent=2))
    slips = [f"mcp__{key}__{server['slip'][0]}" for key, server in SERVERS.items()]
    settings = folder / ".claude" / "settings.json"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text(json.dumps({"permissions": {"allow": ["", *slips]}}, indent=2))
    shutil.rmtree(folder / ".toolnames", ignore_errors=True)


def marked_path(folder):
    """A folder of programs that leave a mark when they are started, and where the marks are left."""
    programs, marks = folder / "programs", folder / "marks"
    programs.mkdir()
    marks.mkdir()
    for name in PROGRAMS:
        program = programs / name
        program.write_text(f"#!/bin/sh\n: > {marks}/{name}\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return programs, marks


class Editor:
    """A language server, and an editor with one file open."""

    def __init__(self, binary, folder, environment):
        self.folder = folder
        self.server = subprocess.Popen(
            [binary, "server"], cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.count = 0
        self.request("initialize", {"processId": None, "rootUri": folder.as_uri(), "capabilities": {}})
        self.send({"method": "initialized", "params": {}})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.server.stdin.flush()

    def request(self, method, params):
        self.count += 1
        self.send({"id": self.count, "method": method, "params": params})
        while True:
            length = 0
            while header := self.server.stdout.readline().strip():
                name, _, value = header.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
            message = json.loads(self.server.stdout.read(length))
            if message.get("id") == self.count and "method" not in message:
                return message.get("result")
            if "id" in message and "method" in message:
                self.send({"id": message["id"], "result": None})

    def offered(self, path, typed):
        """What is offered in the place of the first string of a list, when this has been typed."""
        document = {"uri": (self.folder / path).as_uri()}
        text = (self.folder / path).read_text().replace('""', f'"{typed}"', 1)
        self.send({
            "method": "textDocument/didOpen",
            "params": {"textDocument": {**document, "languageId": "json", "version": 1, "text": text}},
        })
        before = text[: text.index(f'"{typed}"') + 1 + len(typed)]
        line = before.count("\n")
        position = {"line": line, "character": len(before) - before.rfind("\n") - 1}
        # Until the workspace was read nothing is offered, and the client is told to ask again.
        for _ in range(100):
            found = self.request("textDocument/completion", {"textDocument": document, "position": position})
            if (found or {}).get("items") or not (found or {}).get("isIncomplete"):
                break
            time.sleep(0.1)
        self.send({"method": "textDocument/didClose", "params": {"textDocument": document}})
        return {item["label"] for item in (found or {}).get("items", [])}

    def close(self):
        self.request("shutdown", None)
        self.send({"method": "exit"})
        self.server.wait(10)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("binary", type=Path)
    arguments.add_argument("--cache", type=Path, default=PROJECT / ".cache" / "known")
    arguments = arguments.parse_args()
    binary = arguments.binary.resolve()
    folder = arguments.cache.resolve() / "workspace"
    install(folder)
    live = {key: ask(server["start"], folder) for key, server in SERVERS.items()}

    passed, failed = 0, []

    def expect(what, holds):
        nonlocal passed
        passed += holds
        if not holds:
            failed.append(what)

    with tempfile.TemporaryDirectory() as temporary:
        programs, marks = marked_path(Path(temporary))
        environment = {**os.environ, "PATH": str(programs)}
        listed = subprocess.run(
            [binary, "list", "--known", "--format", "json"], cwd=folder, env=environment, capture_output=True, text=True
        )
        keys = {entry["key"]: entry for entry in json.loads(listed.stdout)["keys"]}
        checked = subprocess.run(
            [binary, "check", "--format", "json"], cwd=folder, env=environment, capture_output=True, text=True
        )
        messages = [found["message"] for found in json.loads(checked.stdout)["diagnostics"]]
        editor = Editor(binary, folder, environment)
        for key, server in SERVERS.items():
            names, known = set(live[key]), set(keys[key]["tools"])
            offered = editor.offered(".claude/settings.json", f"mcp__{key}__") - {f"mcp__{key}"}
            composed = {f"mcp__{key}__{name}" for name in names}
            # What only a setting turns on is known, and not offered.
            expect(f"{key}: completion has {sorted(offered ^ composed)} wrong", offered == composed)
            if server["whole"]:
                expect(f"{key}: list --known has {sorted(known ^ names)} wrong", known == names and keys[key]["known"])
            else:
                expect(f"{key}: {sorted(names - known)} cannot be seen", names <= known and not keys[key]["known"])
            expect(f"{key}: from {keys[key]['from']}", keys[key]["from"] == "package")
            meant = f"did you mean `mcp__{key}__{server['slip'][1]}`?"
            expect(f"{key}: no finding says {meant}", any(meant in message for message in messages))
        editor.close()
        started = sorted(mark.name for mark in marks.iterdir())
        expect(f"started: {started}", not started)
    for what in failed:
        print(what, file=sys.stderr)
    print(f"{passed} passed, {len(failed)} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
