#!/usr/bin/env python3
"""What it takes to add a rule, a client and a framework: one of each is added to a copy of the sources, which is then
built and run. Fails if the copy does not build, if an addition has no effect, or if it takes more places than
CONTRIBUTING.md says.

    tests/added.py [--target DIR]
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

RULE = '''//! `tool-shout`: a description in capital letters.

use crate::diagnostic::{Diagnostic, Severity};
use crate::rules::{Cx, Rule, Scope};
use crate::workspace::Tool;

pub(crate) const RULE: Rule =
    Rule { id: "tool-shout", default: Severity::Warning, scope: Scope::Workspace, docs: include_str!("shout.md") };

/// Checks the description of a tool.
pub(super) fn check(cx: &Cx<'_>, tool: &Tool, diagnostics: &mut Vec<Diagnostic>) {
    let Some(description) = &tool.registration.description else { return };
    if description.text().is_empty() || description.text().contains(char::is_lowercase) {
        return;
    }
    let span = cx.snapshot.files.span(tool.local_place());
    diagnostics.push(cx.diagnostic(&RULE, span, "the description is in capital letters".to_string()));
}
'''

RULE_DOCUMENT = '''# `tool-shout`

A description in capital letters.
'''

CLIENT = '''[[client]]
id = "added"
name = "Added"
names = { tool = "{server}->{tool}", keeps = "all", own = "others" }

[[client.file]]
files = ["**/.added/settings.json"]
servers = "servers"

[[client.file.list]]
at = "allow"
list = "allow"
wildcards = "none"
'''

FRAMEWORK = '''
[[framework]]
id = "added"
language = "python"
packages = ["added_sdk"]
duplicate = "lists-both"

[[framework.form]]
kind = "server"
on = "call"
path = "Hub"
name = ["arg0"]

[[framework.form]]
kind = "tool"
on = "call"
path = "*.offer"
name = ["arg0"]
description = ["kw:about"]
server = ["receiver"]
'''

# What each addition may touch. A path with `:` is a line of a file, the others are new files or rows of data.
PLACES = {
    "rule": {
        "src/rules/tool/shout.rs": RULE,
        "src/rules/tool/shout.md": RULE_DOCUMENT,
        "src/rules/mod.rs: RULES": ("    &tool::title::RULE,\n", "    &tool::shout::RULE,\n"),
        "src/rules/tool/mod.rs: the module": ("pub(super) mod title;\n", "pub(super) mod shout;\n"),
        "src/rules/tool/mod.rs: the call": (
            "        deprecation::check(cx, siblings, tool, diagnostics);\n",
            "        shout::check(cx, tool, diagnostics);\n",
        ),
    },
    "client": {"src/client/rows/added.toml": CLIENT},
    "framework": {"src/framework/python.toml: a row": FRAMEWORK},
}


def copied(target):
    """A copy of what git tracks, or would."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    files = subprocess.run(listed, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.split("\0")
    for stale in [*target.glob("src/**/*"), *target.glob("prelude/**/*")]:
        if stale.is_file() and stale.relative_to(target).as_posix() not in files:
            stale.unlink()
    for name in filter(None, files):
        source, copy = ROOT / name, target / name
        if not source.is_file():
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        # An unchanged file keeps its time, so that it is not built again.
        if not copy.exists() or copy.read_bytes() != source.read_bytes():
            shutil.copyfile(source, copy)


def added(target, place, change):
    path = target / place.split(":")[0]
    if not isinstance(change, tuple):
        path.write_text((path.read_text() if ":" in place else "") + change)
        return
    before, line = change
    text = path.read_text()
    assert text.count(before) == 1, f"{place}: expected once: {before!r}"
    path.write_text(text.replace(before, before + line))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", type=Path, default=ROOT / "target", help="the build folder")
    target = parser.parse_args().target
    copy = target / "added"
    copied(copy)
    for places in PLACES.values():
        for place, change in places.items():
            added(copy, place, change)
    # With another version it is another package: what is built of the real one stays as it is.
    manifest = copy / "Cargo.toml"
    manifest.write_text(re.sub(r'(?m)^version = "(.*)"', r'version = "\1-added"', manifest.read_text(), count=1))
    # The same for the binary, as an example.
    (copy / "examples").mkdir(exist_ok=True)
    shutil.copyfile(copy / "src/main.rs", copy / "examples/added.rs")
    build = ["cargo", "build", "--quiet", "--example", "added", "--target-dir", str(target)]
    subprocess.run(build, cwd=copy, check=True)
    binary = target / "debug/examples/added"

    project = copy / "project"
    shutil.rmtree(project, ignore_errors=True)
    (project / ".added").mkdir(parents=True)
    (project / "server.py").write_text(
        'from added_sdk import Hub\n\nhub = Hub("notes")\nhub.offer("read_note", about="READS A NOTE")\n'
    )
    settings = {"servers": {"notes": {"command": "python", "args": ["server.py"]}}, "allow": ["notes->raed_note"]}
    (project / ".added/settings.json").write_text(json.dumps(settings))

    def run(*arguments):
        return subprocess.run([binary, *arguments], cwd=project, stdout=subprocess.PIPE, text=True).stdout

    names = [tool["name"] for server in json.loads(run("list", "--format", "json"))["servers"] for tool in server["tools"]]
    found = {finding["rule"]: finding["message"] for finding in json.loads(run("check", "--format", "json"))["diagnostics"]}
    seen = {
        "framework: the tool is listed": names == ["read_note"],
        "rule: it reports": "tool-shout" in found,
        "rule: `explain` prints its document": "in capital letters" in run("explain", "tool-shout"),
        "client: its strings are checked": "read_note" in found.get("permission-unknown-tool", ""),
        "client: `why` has its string": "notes->read_note" in run("why", "read_note"),
    }
    for kind, places in PLACES.items():
        print(f"{kind}: {len(places)} place{'s' * (len(places) > 1)}: {', '.join(places)}")
    for what, holds in seen.items():
        print(f"{'ok' if holds else 'FAILED'}  {what}")
    if not all(seen.values()):
        print(json.dumps(found, indent=2))
        sys.exit(1)
    assert [len(places) for places in PLACES.values()] == [5, 1, 1]


if __name__ == "__main__":
    os.chdir(ROOT)
    main()
