#!/usr/bin/env python3
"""Holds `toolnames list` against what public servers report when they run.

    compare.py BINARY [--cache DIR] [--verbose] [ID...]

The packages of `servers.toml` are fetched from their registries, as pinned, and listed with `--all`; names that are
exact or derived count, those by shape are reported beside. A name that the running server reported and the source
does not give is missed; one that is neither reported nor declared is invented. Fails where recall or precision over
all servers is below its goal. Ends with `N passed, M failed`, a server being passed when nothing is missed or invented.
"""

import argparse
import json
import subprocess
import sys
import tomllib
from collections import Counter, defaultdict
from pathlib import Path

from fetch import fetch

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
# Over the servers whose names stand in their source, and over all of them.
RECALL, PRECISION = 0.99, 0.995


def listed(binary, folder):
    """What `list` says of a folder, as its JSON."""
    command = [binary, "list", "--all", "--format", "json", str(folder)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)
    if done.returncode != 0:
        raise RuntimeError(f"list ended with {done.returncode}: {done.stderr.strip()}")
    return json.loads(done.stdout)


class Result:
    """What is right and wrong of one server."""

    def __init__(self, server, answer):
        tools = [tool for one in answer["servers"] for tool in one["tools"]]
        sure = {tool["name"] for tool in tools if tool["confidence"] != "heuristic"}
        live, declared = set(server["tools"]), set(server.get("declared", []))
        self.server = server
        self.generated = "generated" in server
        self.live = live
        self.found = live & sure
        self.missed = live - sure
        self.invented = sure - live - declared
        self.by_shape = {tool["name"] for tool in tools} - sure
        self.dynamic = [entry for one in answer["servers"] for entry in one["dynamic"]] + answer["dynamic"]
        if self.generated:
            # Nothing of it stands in source: it must be said, and a name that is given all the same must be right.
            self.silent = not self.dynamic
            self.missed = set()
        else:
            self.silent = False

    @property
    def passed(self):
        return not (self.missed or self.invented or self.silent)


def rate(part, whole):
    return part / whole if whole else 1.0


def report(results, verbose):
    frameworks = defaultdict(Counter)
    reasons = Counter()
    print(f"{'server':22}{'live':>6}{'found':>7}{'missed':>8}{'invented':>10}{'shape':>7}{'dynamic':>9}")
    for one in results:
        counts = [len(one.live), len(one.found), len(one.missed), len(one.invented), len(one.by_shape), len(one.dynamic)]
        mark = "" if one.passed else "  <-"
        widths = [6, 7, 8, 10, 7, 9]
        print(f"{one.server['id']:22}" + "".join(f"{n:>{w}}" for n, w in zip(counts, widths)) + mark)
        if verbose or not one.passed:
            for what in ("missed", "invented"):
                names = sorted(getattr(one, what))
                if names:
                    print(f"    {what}: {', '.join(names[:12])}{' …' if len(names) > 12 else ''}")
            for entry in one.dynamic[:12]:
                print(f"    {entry['file']}:{entry['line']}: {entry['partial'] or ''} {entry['reason']}")
        totals = frameworks[one.server["framework"]]
        totals.update(live=0 if one.generated else len(one.live), found=0 if one.generated else len(one.found))
        totals.update(named=len(one.found) + len(one.invented), invented=len(one.invented))
        reasons.update(entry["reason"] for entry in one.dynamic)
    print("\nby framework")
    for framework, totals in sorted(frameworks.items()):
        print(f"  {framework:52} found {totals['found']:>4} of {totals['live']:>4}, invented {totals['invented']}")
    print("\nwhy dynamic")
    for reason, count in reasons.most_common():
        print(f"  {count:>4} {reason}")
    whole = sum(frameworks.values(), Counter())
    recall = rate(whole["found"], whole["live"])
    precision = rate(whole["named"] - whole["invented"], whole["named"])
    print(f"\nrecall {recall:.4f} (goal {RECALL}), precision {precision:.4f} (goal {PRECISION})")
    return recall >= RECALL and precision >= PRECISION


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=Path)
    parser.add_argument("--cache", type=Path, default=PROJECT / ".cache" / "corpus")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("ids", nargs="*")
    arguments = parser.parse_intermixed_args()
    results, trouble = [], 0
    for server in tomllib.loads((HERE / "servers.toml").read_text())["server"]:
        if arguments.ids and server["id"] not in arguments.ids:
            continue
        try:
            results.append(Result(server, listed(arguments.binary.resolve(), fetch(server, arguments.cache.resolve()))))
        except (RuntimeError, OSError, ValueError, subprocess.SubprocessError) as error:
            trouble += 1
            print(f"{server['id']}: {type(error).__name__}: {error}")
    reached = report(results, arguments.verbose)
    passed = sum(one.passed for one in results)
    print(f"{passed} passed, {len(results) - passed + trouble} failed")
    sys.exit(0 if reached and results and not trouble else 1)


if __name__ == "__main__":
    main()
