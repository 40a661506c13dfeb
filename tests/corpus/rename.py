#!/usr/bin/env python3
"""Renames every tool of the public servers, one at a time, and looks whether `list` then shows exactly that change.

    rename.py BINARY [--cache DIR] [--aliased] [--verbose] [ID...]

For each name that is exact or derived and that the running server reported: `rename --no-alias` in a copy, to a name
that nobody has; then the file that the name was born in has one edit more or less, and a second `list` has the new
name where the old one was and is the same otherwise. A refusal is counted by its reason; it must leave every byte as
it was. Fails where a rename goes wrong or too many are refused. Ends with `N passed, M failed`.

With `--aliased` the first three tools of each server are renamed and keep their old name, listed or, where the framework has
no other way, answered without being listed: then the list has it as well, or not. The rename is taken back, too: every byte is
as it was. Refusals are counted and say why.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from fetch import fetch

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
# Of the names tried. What is shared by several tools, or made by a framework, cannot be renamed by itself.
RENAMED = 0.9
# How many tools of a server are tried with an alias.
ALIASED = 3


def run(binary, *arguments):
    done = subprocess.run([binary, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


def listed(binary, folder):
    code, out, error = run(binary, "list", "--all", "--format", "json", str(folder))
    if code != 0:
        raise RuntimeError(f"list ended with {code}: {error.strip()}")
    return json.loads(out)


def names(answer):
    """Every tool with its server, counted, and every name that is known in part or not at all."""
    found = Counter()
    for server in answer["servers"]:
        for tool in server["tools"]:
            found[server["name"], server["root"], tool["name"]] += 1
        for entry in server["dynamic"]:
            found[server["name"], server["root"], "dynamic", entry["file"], entry["partial"], entry["reason"]] += 1
    return found


def texts(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def edits(before, after):
    """How many stretches of two texts differ, line by line."""
    import difflib

    matcher = difflib.SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False)
    return sum(1 for tag, *_ in matcher.get_opcodes() if tag != "equal")


def general(reason):
    """A refusal without the names in it."""
    return re.sub(r"`[^`]*`", "`…`", reason.strip().splitlines()[-1] if reason.strip() else "no reason")


def not_taken_back(binary, folder, names, original):
    """How a rename that is taken back differs from none; nothing where every file is as it was, byte for byte."""
    old, new, server = names
    code, _, error = run(binary, "rename", new, old, str(folder), "--all", "--server", server)
    if code != 0:
        return f"it cannot be taken back: {error.strip()}"
    now = texts(folder)
    left = [str(path.relative_to(folder)) for path in now.keys() | original.keys() if now.get(path) != original.get(path)]
    return f"taken back, it leaves a change in {', '.join(sorted(left))}" if left else None


def try_server(binary, server, source, aliased):
    """What became of each name: (name, "renamed" | "refused" | "wrong", detail)."""
    results = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "server"
        shutil.copytree(source, folder)
        before = listed(binary, folder)
        wanted = set(server["tools"])
        original = texts(folder)
        tools = [(one, tool) for one in before["servers"] for tool in one["tools"]]
        seen = set()
        for one, tool in tools:
            old = tool["name"]
            if tool["confidence"] == "heuristic" or old not in wanted or old in seen:
                continue
            seen.add(old)
            if aliased and len(seen) > ALIASED:
                break
            # A new name in the old one's style, whatever that is, and under its prefix if it has one.
            new = old + ("9" if old[-1].isalpha() else "Q")
            mode = [] if aliased else ["--no-alias"]
            arguments = ["rename", old, new, str(folder), *mode, "--all", "--server", one["name"], "--format", "json"]
            code, answer, error = run(binary, *arguments)
            now = texts(folder)
            changed = [path for path in now if now[path] != original.get(path)]
            if code != 0:
                if changed:
                    results.append((old, "wrong", "refused, but files changed"))
                else:
                    results.append((old, "refused", general(error)))
            else:
                # A text that several places register is renamed at all of them, and so is what has an unknown prefix.
                expected = names(before)
                keeps = json.loads(answer)["alias"] == "listed"
                for key in list(expected):
                    own = {old: new, f"*{old}": f"*{new}"}
                    if key[:2] == (one["name"], one["root"]) and any(part in own for part in key[2:]):
                        times = expected[key] if keeps else expected.pop(key)
                        expected[tuple(own.get(part, part) for part in key)] += times
                if names(listed(binary, folder)) != expected:
                    results.append((old, "wrong", "another change of the list than this one name"))
                elif not changed:
                    results.append((old, "wrong", "nothing changed"))
                else:
                    count = sum(edits(original[path], now[path]) for path in changed)
                    wrong = not_taken_back(binary, folder, (old, new, one["name"]), original) if aliased else None
                    results.append((old, "wrong", wrong) if wrong else (old, "renamed", count))
                changed = [path for path, text in texts(folder).items() if text != original.get(path)]
            for path in changed:
                path.write_bytes(original[path])
    return results


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--cache", type=Path, default=PROJECT / ".cache" / "corpus")
    parser.add_argument("--aliased", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("ids", nargs="*")
    arguments = parser.parse_intermixed_args()
    binary = str(Path(arguments.binary).resolve())
    servers = tomllib.loads((HERE / "servers.toml").read_text())["server"]
    servers = [server for server in servers if not arguments.ids or server["id"] in arguments.ids]
    sources = [(server, fetch(server, arguments.cache)) for server in servers]
    refusals, outcomes, edit_counts = Counter(), Counter(), Counter()
    with ThreadPoolExecutor(2) as pool:
        for (server, _), results in zip(sources, pool.map(lambda pair: try_server(binary, *pair, arguments.aliased), sources)):
            counts = Counter(outcome for _, outcome, _ in results)
            outcomes.update(counts)
            print(f"{server['id']:22}" + "".join(f"{what} {counts[what]:4}  " for what in ("renamed", "refused", "wrong")))
            for name, outcome, detail in results:
                if outcome == "renamed":
                    edit_counts[detail] += 1
                elif outcome == "refused":
                    refusals[detail] += 1
                if outcome == "wrong" or arguments.verbose and outcome == "refused":
                    print(f"    {name}: {detail}")
    total = sum(outcomes.values())
    print("\nedits of a rename (dispatch and mentions that belong to the tool among them)")
    for count, times in sorted(edit_counts.items()):
        print(f"  {times:5} × {count}")
    print("\nrefused")
    for reason, times in refusals.most_common():
        print(f"  {times:5} {reason}")
    part = outcomes["renamed"] / total if total else 1.0
    goal = 0 if arguments.aliased else RENAMED
    print(f"\nrenamed {part:.4f} of {total} (goal {goal})")
    print(f"{outcomes['renamed']} passed, {outcomes['wrong']} failed")
    sys.exit(1 if outcomes["wrong"] or part < goal else 0)


if __name__ == "__main__":
    main()
