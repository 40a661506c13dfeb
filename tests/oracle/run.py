#!/usr/bin/env python3
"""Real clients as judges: what `toolnames` says about a call against what the client does with it.

    run.py BINARY [--client NAME]... [--count N] [--seed N] [--cache DIR]

Each case is a workspace of one client, drawn from the grammar of its settings: `toolnames can` names the fate of a call,
and the client itself is started, offline, with a model that asks for the tool. Then single entries: one that `toolnames
check` says has no effect must have none, and one that it accepts must have some. Without `--client`, those in `DEFAULT`
are asked. Ends with `N passed, M failed`.
"""

import argparse
import collections
import dataclasses
import importlib
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import harness
from harness import ASKS, BLOCKED, RUNS

CLIENTS = ["claude_code", "codex", "gemini", "opencode", "qwen", "copilot", "kilo"]
# The clients that are asked if none is named. Of the others the rows are known to differ: `qwen` hashes odd names, options
# such as `--allow-all-tools` of `copilot` have no row, and `kilo` takes half a minute for a case.
DEFAULT = CLIENTS[:4]
FATES = {"runs": RUNS, "asks": ASKS, "denied": BLOCKED, "not-offered": BLOCKED}
EFFECTS = {"allow": RUNS, "ask": ASKS, "deny": BLOCKED}
# Findings that say that an entry matches nothing.
INERT = {"permission-malformed", "permission-form", "permission-unknown-tool", "permission-unknown-server", "permission-dead"}


def in_folders(work):
    """The result of `work(workspace, home)` in new folders."""
    with tempfile.TemporaryDirectory() as folder:
        workspace, home = Path(folder) / "workspace", Path(folder) / "home"
        workspace.mkdir()
        home.mkdir()
        return work(workspace, home)


def toolnames(binary, *arguments):
    done = subprocess.run([binary, *arguments, "--format", "json"], capture_output=True, text=True, check=False)
    if not done.stdout:
        raise RuntimeError(f"toolnames {' '.join(map(str, arguments))}: {done.stderr}")
    return json.loads(done.stdout)


class Judge:
    """One client, with the program that is started."""

    def __init__(self, name, cache):
        self.client = importlib.import_module(name)
        self.program = harness.program(self.client.ID, cache)

    def fate(self, case):
        """What the client does with the call of a case."""

        def work(workspace, home):
            case.write(workspace)
            return self.client.act(self.program, case, workspace, home)[0]

        return in_folders(work)

    def said(self, binary, case):
        """What `toolnames can` says about the call, and why."""

        def work(workspace, _):
            case.write(workspace)
            found = toolnames(binary, "can", case.tool, workspace, "--client", self.client.ID, "--no-config")
            return [it for tool in found["tools"] for it in tool["verdicts"] if it["key"] == case.key]

        return in_folders(work)

    def findings(self, binary, case):
        """The rules of the findings that say that an entry has no effect."""

        def work(workspace, _):
            case.write(workspace)
            # No other server is in question.
            (workspace / "toolnames.toml").write_text("[servers]\nclosed = true\n")
            found = toolnames(binary, "check", workspace)
            return [(it["rule"], it["message"]) for it in found["diagnostics"] if it["rule"] in INERT]

        return in_folders(work)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("binary")
    arguments.add_argument("--client", action="append", choices=CLIENTS)
    arguments.add_argument("--count", type=int, default=300)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--cache", type=Path, default=harness.PROJECT / ".cache" / "oracle")
    arguments = arguments.parse_args()
    passed, failures = 0, []
    for name in arguments.client or DEFAULT:
        judge, seen = Judge(name, arguments.cache), collections.Counter()
        draw = random.Random(arguments.seed)
        for _, case in zip(range(arguments.count), judge.client.cases(draw)):
            done = judge.fate(case)
            said = judge.said(arguments.binary, case)
            seen[done] += 1
            # What is decided for one agent is listed beside the verdict, and the client may have started that agent.
            right = lambda it: done in [FATES.get(it["fate"], done), *(EFFECTS.get(own["list"]) for own in it["within"])]
            seen["up to the client"] += any(it["fate"] == "open" for it in said)
            if not said or not all(map(right, said)):
                verdicts = json.dumps([(it["fate"], it["because"]) for it in said])
                failures.append(f"{name}: {case.tool!r} of {case.key!r} {done}, but: {verdicts}\n{shown(case)}")
            else:
                passed += 1
        print(f"{name}: {arguments.count} cases: {', '.join(f'{count} {fate}' for fate, count in sorted(seen.items()))}")
        if not hasattr(judge.client, "forms"):
            continue
        checked = 0
        for _, ((kind, text), (without, with_it)) in zip(range(arguments.count // 4), judge.client.forms(draw)):
            of_tools = lambda case: [judge.fate(dataclasses.replace(case, tool=tool)) for tool in case.tools]
            has_effect = of_tools(without) != of_tools(with_it)
            before = judge.findings(arguments.binary, without)
            found = [it for it in judge.findings(arguments.binary, with_it) if it not in before]
            checked += 1
            if has_effect == bool(found):
                does = "has an effect" if has_effect else "has none"
                failures.append(f"{name}: {kind} {text!r} {does}, but: {found}\n{shown(with_it)}")
            else:
                passed += 1
        print(f"{name}: {checked} single entries")
    for failure in failures:
        print(failure)
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


def shown(case):
    files = (f"    {path}: {' '.join(text.split())}" for path, text in case.files.items())
    return "\n".join([f"    tools: {case.tools}", *files])


if __name__ == "__main__":
    sys.exit(main())
