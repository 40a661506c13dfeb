"""One file of a megabyte, whatever it holds: `check` takes at most 2 s of a processor and 512 MiB.

    python3 tests/growth/large.py BINARY [--some] [--seed N] [WORD]

Files of every language and of the clients' documents are made by repetition to 1 MB: each token of the language's list, open
brackets that nothing closes among them, pairs of tokens drawn at random, the files of examples/, and entries of which each
has a number of its own. Each is checked in a
workspace of its own. A line for each that takes more than that, or that ends the program; exit 1 if there is one. Time is
that of processors (user and system), so that a machine which does other things says the same.

`--some` draws a few of them for at most half a minute; without it all are checked, which takes about 20 minutes. With WORD
only those whose name contains it. The seed of the draw is printed.
"""

import argparse
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SIZE = 1_000_000
MOST_SECONDS = 2.0
MOST_MEMORY = 512
# Pairs of tokens for each place.
PAIRS = 40
SOME_SECONDS = 25

MANIFESTS = {
    "package.json": '{"dependencies":{"@modelcontextprotocol/sdk":"1"}}',
    "pyproject.toml": '[project]\nname="x"\ndependencies=["mcp"]\n',
    "Cargo.toml": '[package]\nname="x"\n[dependencies]\nrmcp="1"\n',
}
SCRIPT_HEAD = (
    'import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";\n'
    'const server = new McpServer({ name: "s", version: "1" });\n'
)

SCRIPT = """( [ { } ] ) < > , ; : . ? ?. ! = => + - * / % & | ^ ~ ... @ # ` ${ " ' // /* */ \\n a 1 "a" 'a' `a` /a/ a: a= a? a, a. a; a(
a[ a{ a< a=> (a)=> async await new typeof void delete function function* class extends implements interface enum namespace
type keyof infer is as satisfies readonly abstract private static get set if else for while do switch case default: return
throw try catch finally import export from let const var of in yield this super null true <a> </a> <a/> <a {a:
a.b() a(b) a=b; [a] {a} (a) a?b: a&&b a??b if(a) for(;;) `${a}` class_a{} server.tool("a",f);""".split()
PYTHON = """( [ { } ] ) , ; : . = == := -> + - * ** / // % @ & | ^ ~ ! < > # \\ " ' \"\"\" f" f"{a f"{a}" r"a" b"a" \\n a 1 "a" a= a, a. a: a(
a[ (a) [a] {a} {a: not and or is in lambda lambda: if else: elif for while: with try: except: finally: def_f(): class_A:
return yield await async import from_a_import_b from_._import_* global nonlocal del assert raise pass match_a: case_a: print
*a, **a, @a\\n a=b\\n a+=b; a[b] a.b() a(b) if_a: \\n_ \\n__ \\t mcp.add_tool(f,name="a")\\n""".split()
RUST = """( [ { } ] ) < > , ; : :: . .. ..= ? ! = == => -> + - * / % & && | || ^ ~ @ # #[ #![ $ ' " r#" // /* */ \\n a 1 "a" 'a' 'a a: a= a,
a. a; a( a[ a{ a< a! a!( a!{ a::<  a:: (a) [a] {a} fn fn_f() impl struct enum trait type_A= mod use where let match if else for while
loop return break continue move async unsafe dyn ref mut const static pub crate self super as in macro_rules! #[a] #[tool] m!(a);
&a *a -a !a |a| a? a.b() a(b) a=b; a..b if_a{} a=>b, struct_A; use_a; (?: `(*` $a: $(""".split()
JSON = """[ ] { } , : " "a" "a", "a": 1 1, null true {"a": {"a":1}, ["a"], [[ {"a":[ \\ // /* \\n - 1e9""".split()
YAML = """[ ] { } , : - ? & * ! | > " ' # % @ ` --- ... a a: a:_ -_ ?_ :_ -_a\\n a:_b\\n &a_ *a_ !a_ "a" 'a' [a, {a: {a:_[ |\\n >\\n \\n \\t""".split()
TOML = """[ ] { } = . , " ' \"\"\" # a 1 a=1\\n a.a [a]\\n [[a]]\\n a=[ a={ a={b= "a" a=" \\n -""".split()
MARKDOWN = """# ## > - * + 1._ ` ``` ~~~ | |a |-| [ ] ( ) [a](b) ![ <a> <!-- --> & \\ _ __ ** *a* `a` `a`_ ---\\n ===\\n \\n \\n\\n a a_ a\\n [a]: http://a a:_b\\n -_a\\n
name:_a\\n tools:_a,_""".split()

# Where a text is put, what it begins with, the tokens of its language, and the files of examples/ that are like it.
PLACES = {
    "server.ts": (SCRIPT_HEAD, SCRIPT, "*.ts"),
    "server.tsx": (SCRIPT_HEAD, SCRIPT, "*.ts"),
    "server.py": ('from mcp.server.fastmcp import FastMCP\nmcp = FastMCP("s")\n', PYTHON, "*.py"),
    "src/server.rs": ("use rmcp::tool;\nfn f() {\n", RUST, "*.rs"),
    "src/macro.rs": ("use rmcp::tool;\nfn f() { m!(", RUST, "*.rs"),
    ".claude/settings.json": ("", JSON, "*.json"),
    "allowed/.claude/settings.json": ('{"permissions":{"allow":[', JSON, "*.json"),
    ".mcp.json": ('{"mcpServers":', JSON, "*.json"),
    "toolnames.toml": ("", TOML, "*.toml"),
    "toolnames.lock": ("", JSON, "toolnames.lock"),
    "package.json": ("", JSON, "package.json"),
    "pyproject.toml": ("", TOML, "pyproject.toml"),
    ".codex/config.toml": ("", TOML, "*.toml"),
    ".continue/config.yaml": ("", YAML, "*.y*ml"),
    ".continue/mcpServers/a.yaml": ("mcpServers:\n  - name: a\n    command: ", YAML, "*.y*ml"),
    ".claude/agents/a.md": ("---\nname: a\ntools: ", MARKDOWN + YAML, "*.md"),
    ".claude/skills/a/SKILL.md": ("---\nname: a\n---\n", MARKDOWN, "*.md"),
}

OBJECT = "const a={" + "".join(f"k{number}:{number}," for number in range(16_000)) + "};\n"
DICT = "d={" + "".join(f"'k{number}':{number}," for number in range(16_000)) + "}\n"
PYTHON_HEAD = PLACES["server.py"][0]

# What is not the same twice: where it is put, what comes before, the entry with `#` for its number, and what comes after.
NUMBERED = [
    (".claude/settings.json", '{"permissions":{"allow":[', '"mcp__s__a#",', '"x"]}}'),
    (".claude/settings.json", '{"permissions":{"deny":[', '"mcp__s__*a*#*",', '"x"]}}'),
    (".claude/settings.json", '{"hooks":{"PreToolUse":[', '{"matcher":"mcp__.*__#"},', "{}]}}"),
    (".claude/settings.json", '{"hooks":{"PreToolUse":[', '{"matcher":"mcp__.*(?:[^a]|[^b]){20}#"},', "{}]}}"),
    (".mcp.json", '{"mcpServers":{', '"k#":{"command":"node","args":["a#/server.js"]},', '"s":{}}}'),
    (".mcp.json", '{"mcpServers":{', '"k#":{"command":"npx","args":["p#"]},', '"s":{}}}'),
    ("toolnames.toml", "[convention]\nregistry = [", '"#",', "]\n"),
    ("toolnames.toml", "exclude = [", '"#/**",', "]\n"),
    ("toolnames.toml", "", '[[paths]]\nmatch = ["#/**"]\nconvention = { max_length = # }\n', ""),
    ("package.json", '{"dependencies":{', '"p#":"1",', '"@modelcontextprotocol/sdk":"1"}}'),
    ("tsconfig.json", '{"compilerOptions":{"paths":{', '"@a#/*":["./b#/*"],', '"a":[]}}}'),
    ("server.ts", SCRIPT_HEAD, 'server.tool("a#",f);\n', ""),
    ("server.ts", SCRIPT_HEAD, 'import {a#} from "./a#";server.tool(a#,f);\n', ""),
    ("server.ts", SCRIPT_HEAD + OBJECT, "const b#=Object.fromEntries(Object.entries(a));server.tool(b#.k#,f);\n", ""),
    ("server.ts", SCRIPT_HEAD + OBJECT, "const b#=new Set(Object.keys(a));server.tool([...b#][#],f);\n", ""),
    ("server.py", PYTHON_HEAD, 'mcp.add_tool(f,name="a#")\n', ""),
    ("server.py", PYTHON_HEAD, "from m# import *\nmcp.add_tool(f,name=z#)\n", ""),
    ("server.py", PYTHON_HEAD + DICT, "e#=dict(d.items())\nmcp.add_tool(f,name=e#['k#'])\n", ""),
    ("src/server.rs", "use rmcp::tool;\n", "use a#::*;#[tool(name = X#)] fn f#(){}\n", ""),
]


def token(word):
    """A token as it stands in a text: `_` is a space inside longer ones."""
    word = word.replace("\\n", "\n").replace("\\t", "\t")
    return word if len(word) < 2 or set(word) <= {"_"} else word.replace("_", " ")


def texts(draw):
    """The name of each text, its path, and a function that makes it."""
    repeated = lambda head, unit: lambda: head.encode() + unit.encode() * (SIZE // len(unit.encode()) + 1)
    for path, (head, words, pattern) in PLACES.items():
        tokens = [token(word) for word in words]
        units = tokens + [f"{unit} " for unit in tokens if not unit.endswith((" ", "\n"))]
        units += ["".join(draw.choices(tokens, k=draw.choice((2, 2, 3, 4)))) for _ in range(PAIRS)]
        for unit in units:
            yield f"{path}: {unit!r}", path, repeated(head, unit)
        for file in sorted((ROOT / "examples").rglob(pattern)):
            text = file.read_text()
            if text:
                yield f"{path}: {file.relative_to(ROOT)}", path, repeated("", text)
    for path, head, unit, tail in NUMBERED:
        yield f"{path}: {unit!r}, numbered", path, lambda head=head, unit=unit, tail=tail: numbered(head, unit, tail)


def numbered(head, unit, tail):
    """A text of as many entries as it holds."""
    entries, left, number = [], SIZE - len(head) - len(tail), 0
    while left >= len(entry := unit.replace("#", str(number))):
        entries.append(entry)
        left -= len(entry)
        number += 1
    return (head + "".join(entries) + tail).encode()


def measured(binary, path, text):
    """The seconds of processors, the MiB and the exit code of one check."""
    with tempfile.TemporaryDirectory(prefix="large-") as folder:
        folder = pathlib.Path(folder)
        for name, content in (MANIFESTS | {path: text}).items():
            file = folder / "w" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content, newline="")
        limits = lambda: (
            resource.setrlimit(resource.RLIMIT_CPU, (10, 10)),
            resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30)),
        )
        run = subprocess.Popen(
            [binary, "check", folder / "w"], preexec_fn=limits,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={"PATH": os.environ["PATH"], "HOME": str(folder), "NO_COLOR": "1"},
        )
        _, status, usage = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, run.returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("word", nargs="?", default="", help="only texts whose name contains it")
    parser.add_argument("--some", action="store_true", help="a few of them, for half a minute")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_intermixed_args()
    print(f"seed {given.seed}", flush=True)
    draw = random.Random(given.seed)
    every = [it for it in texts(draw) if given.word in it[0]]
    if given.some:
        draw.shuffle(every)
    started, looked, faults, slowest, largest = time.monotonic(), 0, 0, 0.0, 0.0
    for name, path, text in every:
        if given.some and time.monotonic() - started > SOME_SECONDS:
            break
        seconds, memory, code = measured(given.binary.resolve(), path, text()[:SIZE].decode(errors="ignore"))
        looked += 1
        slowest, largest = max(slowest, seconds), max(largest, memory)
        words = ["TOO SLOW"] * (seconds > MOST_SECONDS) + ["TOO LARGE"] * (memory > MOST_MEMORY)
        words += [f"ENDED WITH {code}"] * (code not in (0, 1, 2))
        if words:
            faults += 1
            print(f"{seconds:6.2f} s {memory:6.0f} MiB  {name}  {', '.join(words)}", flush=True)
    print(f"{looked} of {len(every)} texts, {faults} over the limit; at most {slowest:.2f} s and {largest:.0f} MiB")
    return 1 if faults or not looked else 0


if __name__ == "__main__":
    sys.exit(main())
