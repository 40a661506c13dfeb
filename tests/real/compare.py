#!/usr/bin/env python3
"""Compares what `toolnames list` says with what real servers report.

    compare.py BINARY [--cache DIR] [ID...]

Every server of `servers.toml` is installed from its registry with the ordinary client, started, shaken hands with and
asked for its tools; then its installed source is listed and checked. A tool missed or invented is a failure, and so
is a finding of `check` in a package that has none to find. Ends with `N passed, M failed`.
"""

import argparse
import json
import os
import queue
import shutil
import subprocess
import sys
import threading
import tomllib
from pathlib import Path

from install import download, node_modules, run, virtual_environment

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
TIMEOUT = 60


def copy(server, home, binary):
    """A project of this repository, copied beside what it needs, and repaired first where that is asked for."""
    # Those that need the same share it.
    home = home.parent / "copies"
    home.mkdir(parents=True, exist_ok=True)
    source = home / server["id"]
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(PROJECT / server["copy"], source)
    words = {"package": str(source)}
    if "beside" in server:
        # Packages are found in folders above: what the copy needs is installed once, beside it.
        dependencies = dict(one.rsplit("@", 1) for one in server["beside"])
        words["modules"] = str(node_modules(home, {"private": True, "dependencies": dependencies}))
    if "requirements" in server:
        words["python"] = str(virtual_environment(home / "environment", server["requirements"]))
    if server.get("repair"):
        run([binary, "fix", "--unsafe", source])
    return source, words


def install(server, cache, binary):
    """Installs a server: the folder of its source, and what its start line's words stand for."""
    home = cache / server["id"]
    if "copy" in server:
        return copy(server, home, binary)
    if "npm" in server:
        package, version = server["npm"].rsplit("@", 1)
        source = node_modules(home, {"dependencies": {package: version}}) / package
        return source, {"package": str(source)}
    if "pypi" in server:
        python = virtual_environment(home, [server["pypi"]])
        where = f"import {server['module']} as m, os; print(os.path.dirname(m.__file__))"
        source = Path(run([python, "-c", where]).strip())
        return source, {"python": str(python)}
    if "crate" in server:
        source = home / "source"
        if not source.exists():
            # A crate comes to disk as a dependency of something; `cargo vendor` lays it open.
            stub = home / "stub"
            (stub / "src").mkdir(parents=True, exist_ok=True)
            (stub / "src" / "lib.rs").write_text("")
            manifest = f'[package]\nname = "stub"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n'
            manifest += f'{server["crate"]} = "={server["version"]}"\n[workspace]\n'
            (stub / "Cargo.toml").write_text(manifest)
            download(["cargo", "vendor", "--quiet", str(home / "vendor")], cwd=stub)
            shutil.copytree(home / "vendor" / server["crate"], source)
        binary = home / "target" / "debug" / server["crate"]
        if not binary.exists():
            environment = os.environ | {"CARGO_TARGET_DIR": str(home / "target")}
            run(["cargo", "build", "--quiet", "--locked"], cwd=source, env=environment)
        return source, {"binary": str(binary)}
    source = PROJECT / server["folder"]
    words = {"package": str(source)}
    for step in ("build", "then"):
        if step in server:
            run(server[step], cwd=source)
    if "requirements" in server:
        words["python"] = str(virtual_environment(home, server["requirements"]))
    if "cargo" in server:
        environment = os.environ | {"CARGO_TARGET_DIR": str(home / "target")}
        run(["cargo", "build", "--quiet"], cwd=source, env=environment)
        words["binary"] = str(home / "target" / "debug" / server["cargo"])
    return source, words


def ask(command, cwd):
    """The names in the answer to `tools/list`, all pages."""
    process = subprocess.Popen(command, cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    lines = queue.Queue()

    def read():
        for line in process.stdout:
            lines.put(line)
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()

    def send(message):
        process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        process.stdin.flush()

    def request(number, method, params):
        send({"id": number, "method": method, "params": params})
        while True:
            line = lines.get(timeout=TIMEOUT)
            if line is None:
                raise RuntimeError(f"{command[0]} ended before it answered {method}")
            try:
                message = json.loads(line)
            except ValueError:
                continue  # some servers log to standard output
            if isinstance(message, dict) and message.get("id") == number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]

    try:
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "compare", "version": "1"}}
        request(1, "initialize", hello)
        send({"method": "notifications/initialized"})
        names, cursor, number = [], None, 2
        while True:
            page = request(number, "tools/list", {"cursor": cursor} if cursor else {})
            names += [tool["name"] for tool in page["tools"]]
            cursor, number = page.get("nextCursor"), number + 1
            if not cursor:
                return names
    finally:
        process.kill()
        process.wait()


def compare(binary, server, cache):
    """What is wrong with what is said of one server; nothing, if it is right."""
    source, words = install(server, cache, binary)
    start = [word.format(**words) for word in server["start"]]
    live = sorted(ask(start, source / server.get("within", ".")) + server.get("only_with", []) + server.get("twice", []))
    listed = json.loads(run([binary, "list", "--format", "json", source]))
    tools = sorted(tool["name"] for one in listed["servers"] for tool in one["tools"])
    wrong = []
    if tools != live:
        wrong.append(f"missed {sorted(set(live) - set(tools))}, invented {sorted(set(tools) - set(live))}")
    if "folder" not in server and "copy" not in server:
        checked = subprocess.run([binary, "check", "--format", "json", source], stdout=subprocess.PIPE, text=True)
        for found in json.loads(checked.stdout)["diagnostics"]:
            wrong.append(f"check says {found['rule']} of {found['file']}: {found['message']}")
    return len(tools), wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=Path)
    parser.add_argument("--cache", type=Path, default=PROJECT / ".cache" / "real")
    parser.add_argument("ids", nargs="*")
    arguments = parser.parse_intermixed_args()
    cache = arguments.cache.resolve()
    cache.mkdir(parents=True, exist_ok=True)
    passed = failed = 0
    for server in tomllib.loads((HERE / "servers.toml").read_text())["server"]:
        if arguments.ids and server["id"] not in arguments.ids:
            continue
        try:
            count, wrong = compare(arguments.binary.resolve(), server, cache)
        except (RuntimeError, OSError, ValueError, queue.Empty) as error:
            count, wrong = 0, [f"{type(error).__name__}: {error}"]
        if wrong:
            failed += 1
            print(f"{server['id']}: FAILED", *wrong, sep="\n  ", flush=True)
        else:
            passed += 1
            print(f"{server['id']}: {count} tools, as it reports them", flush=True)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
