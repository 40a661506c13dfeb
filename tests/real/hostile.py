#!/usr/bin/env python3
"""Hostile repositories, on which every command is run and judged by its effect.

    hostile.py BINARY [--count N] [--seed S] [--only NUMBER] [--some]

Each repository is an ordinary one in which some of the paths that the program opens are replaced by nasty things: links
out of the tree, pipes, devices, folders, endless or deeply nested texts; and to which nasty things are added: foreign
git folders, planted journals, impossible names, configs that refer to themselves. Which paths the program opens is not
known here: it is traced on the ordinary repository first (needs `strace`), and the rows of the clients name the rest.

A fault is: something outside the repository was created, changed or deleted (except toolnames' own folders in the
user's state and cache); a command that only reads changed the repository, or any command its `.git`; a planted text was
written; a process was started; a run took more than 2 s (10 s: killed) or 512 MiB, ended otherwise than with exit code
0, 1 or 2, panicked, or printed a raw control character. One line for each, with how to reproduce it.
Ends with `N passed, M failed`: runs without and with a fault.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import random
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
from pathlib import Path

SLOW, KILLED = 2.0, 10.0
MOST_MEMORY = 512 * 1024  # KiB
PLANTED = "PLANTED-BY-THE-REPOSITORY"
# ESC and the other C0 and C1 controls, and what reorders text.
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029]")

SERVER = """import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { PREFIX } from "./lib/names.js";
import { NAME } from "@lib/more";
const server = new McpServer({ name: "notes", version: "1.0.0" });
server.registerTool("read_note", { description: "Reads." }, run);
server.registerTool(PREFIX + "write_note", {}, run);
server.registerTool(NAME, {}, run);
server.registerTool("bad name", {}, run);
"""
MODEL = {
    "server.ts": SERVER,
    "lib/names.ts": 'export const PREFIX = "a_";\n',
    "lib/more.ts": 'export const NAME = "more";\n',
    "server.py": 'from mcp.server.fastmcp import FastMCP\nfrom names import NAME\nmcp = FastMCP("py")\n\n\n'
    "@mcp.tool(name=NAME)\ndef five(): ...\n",
    "names.py": 'NAME = "five"\n',
    "rust/Cargo.toml": '[package]\nname = "r"\n[dependencies]\nrmcp = "1"\n',
    "rust/src/main.rs": "use rmcp::{tool, tool_router};\nstruct S;\n#[tool_router]\nimpl S {\n"
    '    #[tool(name = "seven")]\n    async fn seven(&self) {}\n}\n',
    "package.json": '{ "name": "notes", "version": "1.0.0", "imports": { "#x/*": "./lib/*" },\n'
    '  "dependencies": { "@modelcontextprotocol/sdk": "1" } }\n',
    "tsconfig.json": '{ "extends": "./tsconfig.base.json", "compilerOptions": { "paths": { "@lib/*": ["./lib/*"] } } }\n',
    "tsconfig.base.json": "{}\n",
    "pyproject.toml": '[project]\nname = "py"\nversion = "1"\ndependencies = ["mcp"]\n'
    '[project.scripts]\npy-server = "server:mcp.run"\n',
    "toolnames.toml": 'extends = "base.toml"\nprofile = "profile.toml"\n[convention]\nregistry = ["NAMESPACES.md"]\n'
    '[rules]\npermission-unknown-tool = "error"\n',
    "base.toml": 'exclude = ["vendor/**"]\n',
    "profile.toml": 'separator = "_"\ncase = "lower"\n',
    "toolnames.lock": 'version = 1\n\n[[server]]\nname = "notes"\ntools = ["raed_note", "read_note"]\n',
    ".toolnames/snapshots/far.json": '{ "key": "far", "tools": [{ "name": "look" }] }\n',
    ".toolnames/.gitignore": "*\n",
    ".mcp.json": json.dumps({"mcpServers": {
        "notes": {"command": "node", "args": ["server.ts"]}, "py": {"command": "python", "args": ["server.py"]},
        "kept": {"command": "npx", "args": ["kept-mcp"]}, "tool": {"command": "py-tool"}, "far": {"url": "https://far"},
    }}, indent=1),
    ".claude/settings.json": '{ "permissions": {\n  "allow": ["mcp__notes__raed_note", "mcp__notes__*", "mcp_x__y"],\n'
    '  "deny": ["mcp__notes__read_note", "mcp__notes__read_note"] },\n  "hooks": { "PreToolUse": [{ "matcher": '
    '"mcp__notes__read.*", "hooks": [{ "type": "command", "command": "./guard.sh" }] }] } }\n',
    ".claude/settings.local.json": '{ "permissions": { "ask": ["mcp__py__five"] } }\n',
    ".claude/agents/reader.md": "---\nname: reader\ntools: mcp__notes__read_note\n---\nCall `read_note`.\n",
    ".codex/config.toml": '[mcp_servers.notes]\ncommand = "node"\nargs = ["server.ts"]\nenabled_tools = ["read_note"]\n',
    ".config/goose/permission.yaml": "user:\n  always_allow: [notes__read_note]\n",
    ".cursor/mcp.json": '{ "mcpServers": {} }\n',
    ".vscode/settings.json": '{ "chat.tools": {} }\n',
    "NAMESPACES.md": "# Tools\n\n| Tool | Description | Version |\n|---|---|---|\n| `read_note` | Reads. | 1 |\n",
    "README.md": "Call `read_note`, or mcp__notes__read_note. There are 28 tools.\n",
    "guard.sh": "#!/bin/sh\ncase $1 in mcp__notes__read_note) exit 2;; esac\n",
    "node_modules/kept-mcp/package.json": '{ "name": "kept-mcp", "version": "1.0.0", "bin": "index.js",\n'
    '  "dependencies": { "@modelcontextprotocol/sdk": "1" } }\n',
    "node_modules/kept-mcp/index.js": SERVER.replace('import { PREFIX } from "./lib/names.js";\n', "").replace("PREFIX + ", ""),
    ".venv/pyvenv.cfg": "home = /usr\n",
    ".venv/lib/python3.11/site-packages/py_tool-1.dist-info/METADATA": "Name: py-tool\nVersion: 1\nRequires-Dist: mcp\n",
    ".venv/lib/python3.11/site-packages/py_tool-1.dist-info/RECORD": "py_tool/__init__.py,,\n",
    ".venv/lib/python3.11/site-packages/py_tool-1.dist-info/entry_points.txt":
    "[console_scripts]\npy-tool = py_tool:main\n",
    ".venv/lib/python3.11/site-packages/py_tool/__init__.py":
    'from mcp.server.fastmcp import FastMCP\nmcp = FastMCP("t")\n\n\n@mcp.tool()\ndef tell(): ...\n',
    ".gitignore": "vendor/\n",
    ".ignore": "dist/\n",
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/config": "[core]\n\tbare = false\n",
    ".git/info/exclude": "*.log\n",
}

READING = [
    ["check"], ["check", "--format", "json"], ["check", "--all"], ["list"], ["list", "--format", "json"],
    ["list", "--known"], ["why", "read_note"], ["registry"], ["fix", "--dry-run"], ["server"],
]
WRITING = [
    ["fix"], ["fix", "--unsafe"], ["fix", "--alias"], ["rename", "read_note", "get_note"],
    ["rename", "no_such_tool", "other"], ["registry", "--write"], ["init"],
]


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())


def plain(root):
    for path, text in MODEL.items():
        write(root / path, text)


# What a path can be replaced by: each takes the path, the outside and chance.


def link(target):
    def put(path, outside, chance):
        path.symlink_to(target(path, outside))
    return put


def sparse(path, *_):
    with open(path, "wb") as file:
        file.truncate(10 << 30)


def unix_socket(path, *_):
    at = os.getcwd()
    listener = socket.socket(socket.AF_UNIX)
    parent = os.open(path.parent, os.O_PATH)
    try:
        listener.bind(f"/proc/self/fd/{parent}/{path.name}")
    except OSError:
        path.mkdir()
    finally:
        os.close(parent)
        listener.close()
        assert os.getcwd() == at


def device(path, *_):
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 5))
    except OSError:
        os.mkfifo(path)


def content(make):
    return lambda path, outside, chance: write(path, make(path, chance))


def nested(path, chance):
    depth = chance.choice([130, 254, 300, 20_000, 400_000])
    return {
        ".json": '{"a":' * depth, ".toml": "a = " + "[" * depth, ".yaml": "a: " + "[" * depth,
        ".ts": "const a = " + "(" * depth, ".js": "x = " + "a?b:" * depth, ".py": "x = " + "(" * depth,
        ".rs": "fn a() {" * depth, ".md": "> " * depth + "`a`",
    }.get(path.suffix, chance.choice(["[", "{", "- ", "> ", "((", "\"a\": {", "a:\n "]) * depth)


def growing(path, chance):
    """A text that means far more than it says."""
    rows = chance.choice([28, 40, 64])
    if path.suffix == ".py":
        steps = chance.choice(["c{0} + c{0}", "f'{{c{0}}}{{c{0}}}'", "c{0}.replace('a', c{0})", "[*c{0}, *c{0}]", "c{0} * 9"])
        lines = "".join(f"c{at + 1} = {steps.format(at)}\n" for at in range(rows))
        return MODEL["server.py"] + f"c0 = 'ab'\n{lines}mcp.tool(name=c{rows})(five)\n"
    if path.suffix == ".yaml":
        return "a0: &a0 [x]\n" + "".join(f"a{at + 1}: &a{at + 1} [*a{at}, *a{at}]\n" for at in range(rows))
    if path.suffix in (".json", ".toml", ".md"):
        word = chance.choice(["mcp__notes__x*", "mcp__notes__*_*_*_*_*_*_*b", "mcp_notes_x", "mcp__notes__raed_note"])
        if path.suffix == ".json":
            return json.dumps({"permissions": {"allow": [f"{word}{at}" if at % 3 else word for at in range(4000)]}})
        return "\n".join(f"`{word}{at}`" for at in range(4000))
    steps = chance.choice(["c{0} + c{0}", "`${{c{0}}}${{c{0}}}`", "c{0}.replace(/a/g, c{0})", "[...c{0}, ...c{0}]", "c{0}.repeat(99)"])
    lines = "".join(f"const c{at + 1} = {steps.format(at)};\n" for at in range(rows))
    return SERVER + f"const c0 = 'ab';\n{lines}server.registerTool(c{rows}, {{}}, run);\n"


def shown(path, chance):
    """A text whose words would do something to a terminal."""
    sign = chance.choice(["\x1b]0;x\x07", "\x1b[2J", "\x9b31m", "\u202e", "\u2066", "\x07", "\x00", "\r", "\x7f"])
    return MODEL.get(str(path.name), SERVER).replace("read_note", f"read{sign}note").replace("raed", f"ra{sign}ed")


def huge(path, chance):
    whole = MODEL.get(path.name, SERVER)
    unit = chance.choice(["x", " ", "\n", "// read_note\n", "mcp__notes__read_note ", '"a",', "[", "é", whole])
    return (unit * (5_000_000 // len(unit.encode())))[: chance.choice([1_000_000, 4_900_000])]


KINDS = {
    "a link to a file outside": link(lambda path, outside: outside / "file"),
    "a link to a secret": link(lambda path, outside: outside / "secret.json"),
    "a link to a folder outside": link(lambda path, outside: outside / "folder"),
    "a link to nothing outside": link(lambda path, outside: outside / "nothing"),
    "a relative link out": link(lambda path, outside: os.path.relpath(outside / "file", path.parent)),
    "a link to itself": link(lambda path, outside: path.name),
    "a link to its own folder": link(lambda path, outside: "."),
    "a link to /dev/zero": link(lambda path, outside: "/dev/zero"),
    "a link to /dev/stdin": link(lambda path, outside: "/dev/stdin"),
    "a link to /proc": link(lambda path, outside: "/proc/self"),
    "a link to /proc/kmsg": link(lambda path, outside: "/proc/kmsg"),
    "a link to everything above": link(lambda path, outside: outside.parent.parent),
    "a pipe": lambda path, *_: os.mkfifo(path),
    "a socket": unix_socket,
    "a device": device,
    "a folder": lambda path, *_: (path / "inner").mkdir(parents=True),
    "10 GiB of nothing": sparse,
    "an empty file": content(lambda path, chance: ""),
    "not text": content(lambda path, chance: bytes(chance.randrange(256) for _ in range(2000))),
    "UTF-16": content(lambda path, chance: MODEL.get(path.name, SERVER).encode("utf-16")),
    "nested": content(nested),
    "growing": content(growing),
    "controls": content(shown),
    "huge": content(huge),
}


# What can be added to a repository: each takes its root, the outside and chance.


def git_elsewhere(root, outside, chance):
    shutil.rmtree(root / ".git", ignore_errors=True)
    forms = [f"gitdir: {outside}/folder\n", "gitdir: .git\n", "gitdir: /dev/zero\n", "gitdir: " + "x" * 100_000]
    if chance.random() < 0.3:
        (root / ".git").symlink_to(outside / "folder")
    else:
        write(root / ".git", chance.choice(forms))


def ignores(root, outside, chance):
    text = chance.choice(["*\n", "**\n!*/\n", "[\n", "{a,\n", "**/" * 2000 + "\n", "\\\n", "*?" * 500 + "b\n", "!" * 5000, "a\n" * 200_000])
    write(root / chance.choice([".gitignore", ".ignore", "lib/.gitignore", ".git/info/exclude"]), text)


def planted(root, outside, chance):
    """A journal or staged text, as an interrupted write would have left it."""
    def entry(path, text):
        old = (root / path).read_text() if (root / path).is_file() and not (root / path).is_symlink() else ""
        return {"path": path, "old": text, "text": text, "before": text, "after": old, "new": old, "hash": 0, "new_hash": 0}
    paths = [".claude/settings.json", ".git/config", "../outside/file", str(outside / "file"), "lib/names.ts", "new/file"]
    text = json.dumps({"permissions": {"allow": ["Bash(*)"]}, "by": PLANTED})
    folder = root / ".toolnames"
    write(folder / "journal.json", json.dumps({"version": chance.choice([1, 2, 3]), "files": [entry(path, text) for path in paths]}))
    for number in range(3):
        write(folder / "staged" / str(number), text)
    form = chance.random()
    if form < 0.2:
        write(folder / "lock", "")
    elif form < 0.5:
        shutil.rmtree(folder)
        (outside / "folder" / "staged").mkdir(exist_ok=True)
        write(outside / "folder" / "staged" / "kept", "kept")
        folder.symlink_to(outside / "folder")
    elif form < 0.7:
        shutil.rmtree(folder / "staged")
        (folder / "staged").symlink_to(outside / "folder")
    elif form < 0.8:
        (folder / "lock").symlink_to(outside / "nothing")


def names(root, outside, chance):
    strange = [b"new\nline.ts", b"\x1b[31mred.py", "\u202egnp.ts".encode(), b"-rf.ts", b"--config=x.ts", b"\xff\xfe.py",
               b"a" * 252 + b".ts", b" .ts", b"con.ts", b"'\"`$(touch x).ts", b"\xc2\x9b31m.json", b"a\rb.md"]
    for name in chance.sample(strange, 5):
        text = SERVER if name.endswith(b".ts") else MODEL["README.md"]
        with open(os.path.join(os.fsencode(root), name), "w") as file:
            file.write(text)
    folder = os.path.join(os.fsencode(root), chance.choice([b"\x1b]0;t\x07", b"line\nbreak", b"\xff", "\u2066x".encode()]))
    os.makedirs(os.path.join(folder, b".claude"), exist_ok=True)
    with open(os.path.join(folder, b".claude", b"settings.json"), "w") as file:
        file.write(MODEL[".claude/settings.json"])
    for case in [".CLAUDE/settings.json", "ToolNames.toml", ".Mcp.json", ".TOOLNAMES/journal.json"]:
        write(root / case, MODEL[".claude/settings.json"])


def deep(root, outside, chance):
    at = os.open(root, os.O_PATH)
    for number in range(chance.choice([30, 60, 400])):
        os.mkdir("d" * 200, dir_fd=at)
        below = os.open("d" * 200, os.O_PATH, dir_fd=at)
        os.close(at)
        at = below
    with open(os.open("server.ts", os.O_WRONLY | os.O_CREAT, dir_fd=at), "w") as file:
        file.write(SERVER)
    os.close(at)


def many(root, outside, chance):
    text = chance.choice([SERVER, "x", MODEL[".claude/settings.json"]])
    name = chance.choice(["{}.ts", "{}/server.ts", "{}/.claude/settings.json", "{}/toolnames.toml", "{}/package.json", "{}/{}/{}/a.py"])
    for number in range(chance.choice([500, 1500])):
        write(root / "many" / name.replace("{}", str(number)), text)


def configs(root, outside, chance):
    patterns = ['"(a*)*b"', '"(x+x+)+y"', '"' + "(?:" * 500 + ")" * 500 + '"', '"' + "*" * 3000 + '"', '"' + "{a,b}" * 40 + '"', '"' + "**/" * 900 + '"', '"[z-a]"', '"(?<=(a+)+)b"', '"\\\\p{L}{1,1000}{1,1000}"']
    pattern = chance.choice(patterns)
    text = chance.choice([
        f"exclude = [{pattern}]\n", f"[convention]\nregistry = [{pattern}]\n", f"[convention]\npattern = {pattern}\n",
        f"[rules]\nname-case = {{ severity = 'error', allow = [{pattern}] }}\n", f"[[paths]]\nfiles = [{pattern}]\n",
        f"[convention]\nverbs = [{', '.join([pattern] * 2000)}]\n",
    ])
    write(root / "toolnames.toml", text)


def references(root, outside, chance):
    form = chance.randrange(8)
    if form == 0:
        write(root / "toolnames.toml", 'extends = "base.toml"\n')
        write(root / "base.toml", 'extends = "toolnames.toml"\n')
    elif form == 1:
        for step in range(2000):
            write(root / f"steps/{step}.toml", f'extends = "{step + 1}.toml"\n')
        write(root / "toolnames.toml", 'extends = "steps/0.toml"\n')
    elif form == 2:
        target = chance.choice(["/etc/passwd", "../../../dev/zero", "../outside/file", str(outside / "pipe"), "~/.ssh/id", "file:///etc/passwd", ".", "a\\u0000b"])
        write(root / "toolnames.toml", f'{chance.choice(["extends", "profile"])} = "{target}"\n')
    elif form == 3:
        write(root / "tsconfig.json", '{ "extends": "./tsconfig.json", "references": [{ "path": "." }], "compilerOptions": { "paths": { "*": ["*"], "@lib/*": ["/dev/zero", "../../../*"] }, "baseUrl": "../../.." } }')
    elif form == 4:
        write(root / "package.json", '{ "name": "notes", "workspaces": ["**", "."], "imports": { "#x/*": "#x/*" }, "exports": { "./*": "./*", ".": "/dev/zero" }, "main": "../../../dev/zero", "bin": "/proc/self/environ", "dependencies": { "@modelcontextprotocol/sdk": "file:." } }')
    elif form == 5:
        write(root / "pyproject.toml", '[project]\nname = "py"\ndependencies = ["mcp"]\n[project.scripts]\npy = "/dev/zero:main"\n[tool.uv.workspace]\nmembers = ["**", "../../.."]\n[tool.setuptools.package-dir]\n"" = "/"\n')
    elif form == 6:
        write(root / ".mcp.json", json.dumps({"mcpServers": {f"k{n}": {"command": chance.choice(["node", "python", "npx"]), "args": [chance.choice(["/dev/zero", str(outside / "pipe"), "../../../etc", "server.ts", "../" * 500])]} for n in range(300)}}))
    else:
        write(root / "a.ts", 'export * from "./b.js";\nexport * from "./a.js";\n')
        write(root / "b.ts", 'export * from "./a.js";\nimport { x } from "/dev/zero";\nimport y from "../../../../etc/passwd";\nexport const z = x + y + z;\n')
        write(root / "server.ts", SERVER + 'import { z } from "./a.js";\nserver.registerTool(z, {}, run);\n')


ADDED = {
    "git elsewhere": git_elsewhere, "ignores": ignores, "planted": planted, "names": names, "deep": deep, "many": many,
    "configs": configs, "references": references,
}


def clear(path):
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def make(case, number, seed, opened):
    """Makes a repository with what lies around it; what it is, in words."""
    chance = random.Random(f"{seed} {number}")
    root, outside = case / "parent" / "repo", case / "parent" / "outside"
    (outside / "folder" / "inner").mkdir(parents=True)
    for path in ["file", "folder/file", "folder/inner/server.ts", "folder/config"]:
        write(outside / path, SERVER)
    write(outside / "secret.json", '{ "permissions": { "allow": ["mcp__s3cret__k3y"] } }')
    os.mkfifo(outside / "pipe")
    for name in ["home", "tmp"]:
        (case / name).mkdir()
    write(case / "home" / ".claude.json", "{}")
    root.mkdir()
    plain(root)
    said = []
    for name in chance.sample(sorted(ADDED), chance.choice([0, 1, 1, 2])):
        ADDED[name](root, outside, chance)
        said.append(name)
    # What an ordinary repository has comes in turn, each path with each kind; what else is looked for, by chance.
    pairs = [(path, kind) for path in opened if path in MODEL or (root / path).is_dir() for kind in sorted(KINDS)]
    random.Random(seed).shuffle(pairs)
    drawn = [pairs[(3 * number + at) % len(pairs)] for at in range(chance.choice([0, 1, 2, 3, 3]))]
    drawn += [(chance.choice(opened), chance.choice(sorted(KINDS))) for _ in range(chance.choice([0, 1, 3]))]
    for path, kind in drawn:
        at = root / path
        # Below what is no folder any more nothing can be put.
        if any(above.is_symlink() or (above.exists() and not above.is_dir()) for above in at.parents if above != root and root in above.parents):
            continue
        at.parent.mkdir(parents=True, exist_ok=True)
        clear(at)
        KINDS[kind](at, outside, chance)
        said.append(f"{path} is {kind}")
    return root, "; ".join(said)


def state(folder, left_out=()):
    """Everything below a folder as it is now: nobody can set back when a file was last changed, so none is opened."""
    found = {}
    pending = [os.fsencode(folder)]
    while pending:
        for entry in os.scandir(pending.pop()):
            path = entry.path
            if any(path == out or path.startswith(out + b"/") for out in left_out):
                continue
            try:
                now = entry.stat(follow_symlinks=False)
            except OSError:
                continue
            found[path] = (now.st_ino, now.st_mode, now.st_uid)
            if not entry.is_dir(follow_symlinks=False):
                found[path] += (now.st_size, now.st_mtime_ns, now.st_ctime_ns)
            elif len(path) < 3000:
                # What a folder holds is looked at by itself.
                pending.append(path)
    return found


def own_git(root):
    """The state of the repository's git folder; a link is no folder of its own, and where it leads is looked at anyway."""
    folder = root / ".git"
    return state(folder) if folder.is_dir() and not folder.is_symlink() else {}


def difference(before, after):
    changes = [f"{'created' if path not in before else 'deleted' if path not in after else 'changed'} {os.fsdecode(path)!r}"
               for path in before.keys() | after.keys() if before.get(path) != after.get(path)]
    return sorted(changes)[:4]


class Run:
    """One run of the program, traced for processes that it starts."""

    def __init__(self, binary, case, root, arguments, traced=True):
        log = case / "started"
        environment = {"PATH": os.environ["PATH"], "HOME": str(case / "home"), "TMPDIR": str(case / "tmp"), "LANG": "C.UTF-8"}
        for name, path in [("CONFIG", ".config"), ("CACHE", ".cache"), ("STATE", ".local/state"), ("DATA", ".local/share")]:
            environment[f"XDG_{name}_HOME"] = str(case / "home" / path)
        command = ["strace", "-f", "--seccomp-bpf", "-qq", "-e", "trace=execve,execveat", "-e", "signal=none", "-o", str(log), str(binary), *arguments]
        if not traced:
            log.write_text("")
            command = [str(binary), *arguments]
        self.faults = []
        with open(case / "stdout", "wb") as out, open(case / "stderr", "wb") as err:
            stdin = subprocess.PIPE if arguments == ["server"] else subprocess.DEVNULL
            stdout = subprocess.PIPE if arguments == ["server"] else out
            started = time.monotonic()
            process = subprocess.Popen(command, cwd=root, env=environment, stdin=stdin, stdout=stdout, stderr=err, start_new_session=True)
            killer = threading.Timer(KILLED, lambda: os.killpg(process.pid, signal.SIGKILL))
            killer.start()
            if arguments == ["server"]:
                self.slowest = session(process, root)
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            killer.cancel()
            self.took = time.monotonic() - started
            # Other programs make it wait; what it waits for by itself ends with its being killed.
            if self.took < KILLED:
                self.took = min(self.took, used.ru_utime + used.ru_stime)
        if arguments == ["server"]:
            self.took = self.took if self.took >= KILLED else self.slowest
            process.stdin.close()
            process.stdout.close()
        errors = (case / "stderr").read_bytes()
        printed = (case / "stdout").read_bytes() + errors
        code = process.returncode
        if self.took >= KILLED:
            self.faults.append("killed after 10 s")
        elif code not in (0, 1, 2):
            self.faults.append(f"ended with {code}")
        if b"panicked" in errors:
            self.faults.append("panicked: " + errors[errors.index(b"panicked"):][:160].decode(errors="replace").replace("\n", " "))
        if used.ru_maxrss > MOST_MEMORY:
            self.faults.append(f"{used.ru_maxrss // 1024} MiB")
        if arguments == ["fix", "--dry-run"]:
            # To no terminal a diff is exact, so that it can be applied.
            printed = errors
        found = CONTROL.search(printed.decode(errors="replace"))
        if found:
            self.faults.append(f"printed {found.group()!r} in {found.string[max(0, found.start() - 30):found.end() + 10]!r}")
        executed = [line for line in log.read_text(errors="replace").splitlines() if "exec" in line]
        if len(executed) > 1:
            self.faults.append(f"started {executed[1]}")


def session(process, root):
    """A session with the language server; how long its slowest answer took, in seconds."""
    slowest = 0.0

    def send(message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        process.stdin.flush()

    def ask(number, method, params):
        nonlocal slowest
        started = time.monotonic()
        send({"id": number, "method": method, "params": params})
        while True:
            length = 0
            while (line := process.stdout.readline()).strip():
                length = int(line.split(b":")[1])
            if not line:
                raise OSError
            message = json.loads(process.stdout.read(length))
            if "method" in message and "id" in message:
                send({"id": message["id"], "result": None})
            elif message.get("id") == number:
                slowest = max(slowest, time.monotonic() - started)
                return

    try:
        ask(1, "initialize", {"processId": None, "rootUri": root.as_uri(), "capabilities": {"textDocument": {"diagnostic": {}}}})
        send({"method": "initialized", "params": {}})
        number = 1
        for path in ["server.ts", ".claude/settings.json", "toolnames.toml", "README.md"]:
            document = {"uri": (root / path).as_uri()}
            send({"method": "textDocument/didOpen", "params": {"textDocument": {**document, "languageId": "x", "version": 1, "text": MODEL[path]}}})
            for method in ["diagnostic", "hover", "completion", "codeLens", "prepareRename"]:
                number += 1
                ask(number, f"textDocument/{method}", {"textDocument": document, "position": {"line": 1, "character": 14}})
        send({"method": "workspace/didChangeWatchedFiles", "params": {"changes": []}})
        ask(98, "workspace/symbol", {"query": ""})
        ask(99, "shutdown", None)
        send({"method": "exit"})
    except (OSError, ValueError):
        pass
    return slowest


def opened_paths(binary, folder):
    """The paths that the program opens or looks at in an ordinary repository, from its root."""
    found = collections.Counter()
    for number, arguments in enumerate(READING[:-1] + WRITING):
        root = folder / f"traced{number}"
        root.mkdir(parents=True)
        plain(root)
        log = folder / "trace"
        environment = {"PATH": os.environ["PATH"], "HOME": str(folder)}
        subprocess.run(["strace", "-f", "-y", "-qq", "-e", "trace=%file", "-s", "4096", "-o", log, binary, *arguments], cwd=root, env=environment,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, timeout=120, check=False)
        paths = set()
        for line in log.read_text(errors="replace").splitlines():
            for at, path in re.findall(r'(?:<([^>]*)>, )?"((?:[^"\\]|\\.)*)"', line):
                whole = os.path.normpath(os.path.join(at or str(root), path.encode().decode("unicode_escape", "replace")))
                if whole.startswith(f"{root}/"):
                    paths.add(whole[len(str(root)) + 1:])
        found.update(paths)
        shutil.rmtree(root)
    # What one run alone has was drawn by chance.
    kept = {path for path, runs in found.items() if runs > 1}
    assert len(kept) > len(MODEL), f"only {len(kept)} paths were traced"
    return sorted(kept | client_paths())


def client_paths():
    """A path for each pattern of files that a client reads: one that is not there is only found in a list of its folder."""
    rows = sorted((Path(__file__).resolve().parents[2] / "src" / "client" / "rows").glob("*.toml"))
    patterns = []

    def take(value):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            if key == "files":
                patterns.extend(inner)
            elif isinstance(inner, (dict, list)):
                take(inner)

    for row in rows:
        take(tomllib.loads(row.read_text()))
    assert patterns, "no client has files"
    paths = {re.sub(r"\{([^,}]*)[^}]*\}", r"\1", pattern.replace("**/", "").replace("*", "a")) for pattern in patterns}
    return {path for path in paths if not path.startswith("/")}


def attempt(binary, folder, number, seed, opened, some):
    """Runs every command on one repository; the number of runs, and a line for each fault."""
    lines = []
    runs = 0
    chance = random.Random(f"{seed} {number} commands")
    reading = sorted(chance.sample(READING, 3 if some else len(READING)), key=READING.index)
    writing = chance.sample(WRITING, 2 if some else len(WRITING))
    # What only reads shares a copy; what writes gets one of its own.
    for commands in [reading, *([command] for command in writing)]:
        case = folder / f"{number}"
        case.mkdir()
        root, said = make(case, number, seed, opened)
        own = [os.fsencode(case / "home" / path) for path in [".local/state/toolnames", ".cache/toolnames"]]
        mine = [os.fsencode(case / name) for name in ["started", "stdout", "stderr"]]
        around = lambda: {path: what for path, what in state(case, [*own, *mine, os.fsencode(root)]).items()
                          if path not in (os.fsencode(case / "home" / ".local"), os.fsencode(case / "home" / ".local/state"), os.fsencode(case / "home" / ".cache"))}
        for command in commands:
            runs += 1
            before, inside, git = around(), state(root), own_git(root)
            run = Run(binary, case, root, command)
            if SLOW < run.took < KILLED:
                # Each system call of a traced program takes longer: what counts is how long it takes by itself.
                again = folder / f"{number}-again"
                again.mkdir()
                run.took = min(run.took, Run(binary, again, make(again, number, seed, opened)[0], command, traced=False).took)
                subprocess.run(["rm", "-rf", "--one-file-system", again], check=False)
            if SLOW < run.took < KILLED:
                run.faults.append(f"took {run.took:.1f} s")
            # The home, the temporary folder and the parent are touched when something is made in them.
            after = around()
            run.faults += [f"outside: {change}" for change in difference(before, after)]
            now = state(root)
            if commands is reading:
                run.faults += [f"inside: {change}" for change in difference(inside, now)]
            if git:
                run.faults += [f"git: {change}" for change in difference(git, own_git(root))]
            for path in [".claude/settings.json", ".git/config", "lib/names.ts", "new/file"]:
                at = root / path
                # A link may lead to something whose reading never ends.
                is_own = os.path.realpath(at) == str(at) and at.is_file()
                if is_own and at.stat().st_size < 1 << 20 and PLANTED in at.read_text(errors="replace"):
                    run.faults.append(f"a planted text is in {path}")
            for fault in run.faults:
                lines.append(f"{number}: {' '.join(command)}: {fault}  [{said}]  --seed {seed} --only {number}")
            if run.took >= KILLED:
                break
        subprocess.run(["rm", "-rf", "--one-file-system", case], check=False)
        # What waits for one command waits for all.
        if any("killed" in line for line in lines):
            break
    return runs, lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=Path)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--only", type=int, help="the number of one repository")
    parser.add_argument("--some", action="store_true", help="a few commands for each repository, drawn by chance")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    if not shutil.which("strace"):
        sys.exit("hostile.py: strace is missing; install it with `apt-get install strace`")
    binary = options.binary.resolve()
    started = time.monotonic()
    # Repositories that are no longer needed hold links: nothing follows them when they are removed.
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder).resolve()
        opened = opened_paths(binary, folder / "traced")
        numbers = range(options.count) if options.only is None else [options.only]
        runs, failed = 0, set()
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for done, lines in pool.map(lambda number: attempt(binary, folder, number, options.seed, opened, options.some), numbers):
                runs += done
                for line in lines:
                    print(line, flush=True)
                    failed.add(line.split(": ")[0] + line.split(": ")[1])
    print(f"{len(opened)} paths, {len(numbers)} repositories, {time.monotonic() - started:.0f} s")
    print(f"{runs - len(failed)} passed, {len(failed)} failed")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
