#!/usr/bin/env python3
"""A rename over 500 files, killed at random moments.

    killed.py BINARY [--times N]

After each the next run of `fix` has to leave the tree entirely as it was before, or entirely as it is after the rename,
with no other file in it, and no journal in the state folder.
Ends with `N passed, M failed`.
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FILES = 500
SERVER = """import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "notes", version: "1.0.0" });
server.registerTool("read_note", {}, run);
"""


def workspace(root):
    (root / "docs").mkdir(parents=True)
    (root / "server.ts").write_text(SERVER)
    (root / "package.json").write_text('{ "name": "notes", "version": "1.0.0" }')
    (root / ".mcp.json").write_text('{ "mcpServers": { "notes": { "command": "node", "args": ["server.ts"] } } }')
    (root / ".claude").mkdir()
    (root / ".claude" / "settings.json").write_text('{ "permissions": { "deny": ["mcp__notes__read_note"] } }')
    for number in range(FILES):
        (root / "docs" / f"{number}.md").write_text(f"# {number}\n\nCall `read_note`, or mcp__notes__read_note.\n")


def texts(root):
    files = (path for path in root.rglob("*") if path.is_file())
    return {str(path.relative_to(root)): path.read_bytes() for path in files}


def journals(state):
    try:
        return [name for name in os.listdir(state) if name.endswith(".json")]
    except FileNotFoundError:
        return []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=Path)
    parser.add_argument("--times", type=int, default=50)
    options = parser.parse_args()
    binary = options.binary.resolve()
    command = [binary, "rename", "read_note", "get_note", "--no-alias"]
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        state = Path(folder) / "state" / "toolnames"
        environment = {**os.environ, "XDG_STATE_HOME": str(state.parent)}
        model = Path(folder) / "model"
        workspace(model)
        before = texts(model)
        whole = Path(folder) / "whole"
        shutil.copytree(model, whole)
        started = time.monotonic()
        subprocess.run(command, cwd=whole, check=True, stdout=subprocess.DEVNULL, env=environment)
        lasts = time.monotonic() - started
        after = texts(whole)
        assert sum(before[path] != after[path] for path in before) == FILES + 2, "the rename reaches every file"
        ends = {"old": 0, "new": 0}
        amid = 0
        # The same moments every time, as far as a clock can tell.
        moments = random.Random(1)
        for number in range(options.times):
            root = Path(folder) / str(number)
            shutil.copytree(model, root)
            quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": environment}
            process = subprocess.Popen(command, cwd=root, **quiet)
            if number % 2 == 0:
                time.sleep(lasts * moments.uniform(0.2, 1.1))
            else:
                # Most of it is reading: to be killed among the files, it is waited for.
                # They are put in their places in the last moment, the settings first.
                first = root / ".claude" / "settings.json"
                while process.poll() is None and b"get_note" not in first.read_bytes():
                    pass
                time.sleep(moments.uniform(0, 0.004))
            process.send_signal(signal.SIGKILL)
            process.wait()
            half = sum(before[path] != text for path, text in texts(root).items() if path in before)
            amid += 0 < half < FILES + 2
            subprocess.run([binary, "fix"], cwd=root, **quiet)
            now = texts(root)
            if now in (before, after) and not journals(state):
                ends["old" if now == before else "new"] += 1
                passed += 1
            else:
                failed += 1
                changed = [path for path in now if now[path] != before.get(path)]
                print(f"killed {number}: {len(changed)} of {len(before)} files changed, {len(set(now) - set(before))} new")
            shutil.rmtree(root)
        print(f"{amid} were killed among the files; {ends['old']} were as before, {ends['new']} as after")
        if amid == 0:
            print("no moment fell among the files: nothing is proved")
            failed += 1
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
