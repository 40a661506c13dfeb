#!/usr/bin/env python3
"""Renames tools in real projects, and asks the servers that come of it.

    renames.py BINARY [--cache DIR] [--full] [ID...]

Every row of `renames/rows.toml` is a project with its real SDK. Each of its tools is renamed, alone, in each mode: the
project has to type-check, the server to list what the mode promises and to answer the old and the new name alike,
`check` to find nothing more than before, and the same command to have nothing more to do. Rows that are marked `full` are
tried where they are named, or all are asked for. Ends with `N passed, M failed`.
"""

import argparse
import concurrent.futures
import hashlib
import itertools
import json
import os
import queue
import shutil
import subprocess
import sys
import threading
import tomllib
from pathlib import Path

from compare import PROJECT, TIMEOUT
from install import node_modules, run, virtual_environment

HERE = Path(__file__).resolve().parent / "renames"
# One install at a time: rows that need the same packages wait for them.
INSTALLING = threading.Lock()


class Server:
    """A server that was started, and is ended."""

    def __init__(self, command, cwd, environment, version=None):
        # The newest version of the protocol is said with every request.
        about = {"protocolVersion": version, "clientInfo": {"name": "renames", "version": "1"}, "clientCapabilities": {}}
        self.meta = {f"io.modelcontextprotocol/{key}": value for key, value in about.items()} if version else None
        self.process = subprocess.Popen(
            command, cwd=cwd, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.lines = queue.Queue()
        # From 0, as the clients of the SDKs count: muppet answers with numbers of its own.
        self.count = -1
        threading.Thread(target=self.read, daemon=True).start()
        client = {"name": "renames", "version": "1"}
        self.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        self.send({"method": "notifications/initialized"})

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def send(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def request(self, method, params):
        self.count += 1
        params = {**params, "_meta": self.meta} if self.meta else params
        self.send({"id": self.count, "method": method, "params": params})
        while True:
            line = self.lines.get(timeout=TIMEOUT)
            if line is None:
                raise RuntimeError(f"ended before it answered {method}: {self.process.stderr.read()[-2000:].decode()}")
            try:
                message = json.loads(line)
            except ValueError:
                continue
            if message.get("id") == self.count:
                return message

    def tools(self):
        return {tool["name"]: tool for tool in self.request("tools/list", {})["result"]["tools"]}

    def call(self, name, arguments):
        """What a call gives, or `None` where there is no such tool."""
        answer = self.request("tools/call", {"name": name, "arguments": arguments})
        result = answer.get("result")
        if result is None or result.get("isError"):
            return None
        return {key: result[key] for key in ("content", "structuredContent") if key in result}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def schema(tool):
    """What a tool takes: that nothing is required may be said or not, and what is, in any order."""
    taken = dict(tool.get("inputSchema") or {})
    # What it calls itself may follow from the name of a function.
    taken.pop("title", None)
    taken["required"] = sorted(taken.get("required") or [])
    return taken


def hints(tool):
    """What a tool says of itself that clients decide by."""
    return {key: value for key, value in (tool.get("annotations") or {}).items() if key != "title"}


class Row:
    def __init__(self, row, cache, binary):
        self.row, self.binary = row, binary
        self.home = cache / row["id"]
        self.environment = dict(os.environ)
        self.before = None
        self.home.mkdir(parents=True, exist_ok=True)
        if "npm" in row:
            self.link({"name": "notes", "version": "1.0.0", "type": "module", "dependencies": row["npm"]}, cache)
        if "pypi" in row:
            python = virtual_environment(self.home / ".venv", row["pypi"])
            self.environment["PATH"] = f"{python.parent}{os.pathsep}{os.environ['PATH']}"

    def link(self, manifest, cache):
        """The packages of the row: those that need the same ones share an install, by hard links."""
        wanted = json.dumps(manifest)
        with INSTALLING:
            modules = node_modules(cache / "npm" / hashlib.sha256(wanted.encode()).hexdigest()[:16], manifest)
        (self.home / "package.json").write_text(wanted)
        shutil.rmtree(self.home / "node_modules", ignore_errors=True)
        shutil.copytree(modules, self.home / "node_modules", symlinks=True, copy_function=os.link)

    def fresh(self):
        """The project as it is written."""
        for entry in self.home.iterdir():
            if entry.name not in ("node_modules", ".venv", ".mypy_cache", "package.json", "package-lock.json", "target"):
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        # With the time of now: what builds by times builds again.
        project = HERE / self.row.get("project", self.row["id"])
        shutil.copytree(project, self.home, dirs_exist_ok=True, copy_function=shutil.copy)
        manifest = self.home / "pyproject.toml"
        if "pypi" in self.row and not manifest.exists():
            # How an alias is written may depend on the versions that a project works with.
            manifest.write_text(f'[project]\nname = "notes"\ndependencies = {json.dumps(self.row["pypi"])}\n')
        for path in self.texts() if "replace" in self.row else ():
            text = path.read_text()
            for old, new in self.row["replace"].items():
                text = text.replace(old, new)
            path.write_text(text)

    def run(self, command):
        return run(command, cwd=self.home, env=self.environment)

    def started(self):
        if "build" in self.row:
            self.run(self.row["build"])
        return Server(self.row["start"], self.home, self.environment, self.row.get("protocol"))

    def toolnames(self, *arguments):
        done = subprocess.run([self.binary, *arguments], cwd=self.home, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def found(self):
        _, output = self.toolnames("check", "--format", "json")
        return sorted((one["rule"], one["message"]) for one in json.loads(output)["diagnostics"])

    def as_it_was(self):
        """What is found in the project as it is written, what its server lists, and what it answers for each tool."""
        if self.before is None:
            self.fresh()
            with self.started() as server:
                answers = {tool["old"]: server.call(tool["old"], tool["arguments"]) for tool in self.row["tools"]}
                self.before = (self.found(), server.tools(), answers)
        return self.before

    def rename(self, tool, mode, function):
        """Tries one rename; what is wrong with it, or nothing."""
        old, new, arguments = tool["old"], tool["new"], tool["arguments"]
        before, listed, answers = self.as_it_was()
        answer = answers[old]
        self.fresh()
        options = ["--no-alias" if mode == "none" else f"--alias={mode}", *function]
        status, output = self.toolnames("rename", old, new, *options)
        if status != 0:
            return f"refused: {output.strip()}"
        try:
            if "types" in self.row:
                self.run(self.row["types"])
            with self.started() as server:
                now, renamed, aliased = server.tools(), server.call(new, arguments), server.call(old, arguments)
        except RuntimeError as error:
            return f"types: {error}"
        expected = set(listed) - {old} | {new} | ({old} if mode == "listed" else set())
        if set(now) != expected:
            return f"lists {sorted(now)}, not {sorted(expected)}"
        if renamed != answer or answer is None:
            return f"answers `{new}` with {renamed}, not {answer}"
        if mode == "none" and aliased is not None:
            return f"still answers `{old}`"
        if mode != "none" and aliased != answer:
            return f"answers `{old}` with {aliased}, not {answer}"
        if mode == "listed" and new not in now[old].get("description", ""):
            return f"does not say that `{old}` is deprecated: {now[old].get('description')}"
        if mode == "listed" and schema(now[old]) != schema(now[new]):
            return f"takes other arguments under `{old}`: {now[old].get('inputSchema')}"
        if mode == "listed" and hints(now[old]) != hints(now[new]):
            return f"has other hints under `{old}`: {now[old].get('annotations')}"
        after = self.found()
        if [one for one in after if one not in before]:
            return f"check finds more: {after}"
        if wrong := self.end_alias(tool, mode, function):
            return wrong
        self.toolnames("rename", old, new, *options)
        texts = self.texts()
        code, said = self.toolnames("rename", old, new, *options)
        if self.texts() != texts:
            return "the second run changes something"
        if mode != "none" and code != 0:
            return f"the second run fails: {said}"
        return None

    def end_alias(self, tool, mode, function):
        """Takes an alias out by the repair of one that is past its day: what is left is what a rename without one leaves."""
        if mode == "none":
            return None
        old, new = tool["old"], tool["new"]
        self.fresh()
        self.toolnames("rename", old, new, "--no-alias", *function)
        without = self.texts()
        self.fresh()
        self.toolnames("rename", old, new, f"--alias={mode}", "--until=2001-01-01", *function)
        if not any(rule == "alias-expired" for rule, _ in self.found()):
            return "nothing says that the alias is past its day"
        self.toolnames("fix", "--unsafe")
        left = self.texts()
        self.fresh()
        for path in without:
            if left[path] != without[path]:
                return f"without the alias {path} is not as without one: {left[path].decode()}"
        return None

    def texts(self):
        """What somebody wrote, by its path."""
        written = (path for path in self.home.glob("**/*.*") if path.is_file())
        foreign = {".venv", "node_modules", "target", "dist", ".mypy_cache", "__pycache__"}
        return {path: path.read_bytes() for path in written if not foreign.intersection(path.parts)}


def rows_renames(row, cache, binary):
    """Tries each rename of a row; how many came out right, and how many wrong."""
    project = Row(row, cache, binary)
    passed = failed = 0
    for tool in row["tools"]:
        ways = [[], ["--function"]] if tool.get("function") else [[]]
        for function, mode in itertools.product(ways, tool.get("modes", row["modes"])):
            wrong = project.rename(tool, mode, function)
            passed, failed = (passed + 1, failed) if wrong is None else (passed, failed + 1)
            too = ", including the function" if function else ""
            print(f"{row['id']}: {tool['old']} → {tool['new']}, {mode}{too}: {wrong or 'as it should be'}", flush=True)
    return passed, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=Path)
    parser.add_argument("--cache", type=Path, default=PROJECT / ".cache" / "renames")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("rows", nargs="*", metavar="ID")
    options = parser.parse_intermixed_args()
    rows = tomllib.loads((HERE / "rows.toml").read_text())["row"]
    wanted = [row for row in rows if (row["id"] in options.rows if options.rows else options.full or not row.get("full"))]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        tried = list(pool.map(lambda row: rows_renames(row, options.cache.resolve(), options.binary.resolve()), wanted))
    passed, failed = (sum(count) for count in zip(*tried))
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
