#!/usr/bin/env python3
"""Draws the README's picture from what `toolnames check examples/demo` prints: docs/check.svg.

    docs/picture.py target/release/toolnames            draws it
    docs/picture.py target/release/toolnames --check    fails if it is out of date
"""

import html
import re
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
# The findings that are shown, by what their first line holds.
SHOWN = ["emtpy_bin", "clock_today", "add comment"]
COLORS = {"31": "#e06c75", "91": "#e06c75", "33": "#e5c07b", "94": "#61afef", "96": "#56b6c2", "36": "#56b6c2", "32": "#98c379"}
LINE, CHARACTER, MARGIN = 19, 8.43, 18


def spans(line):
    """The line as SVG text spans."""
    color, bold = None, False
    for piece in re.split(r"(\x1b\[[0-9;]*m)", line):
        if piece.startswith("\x1b["):
            for code in piece[2:-1].split(";"):
                if code in ("", "0"):
                    color, bold = None, False
                elif code == "1":
                    bold = True
                elif code in COLORS:
                    color = COLORS[code]
        elif piece:
            style = (f' fill="{color}"' if color else "") + (' font-weight="bold"' if bold else "")
            yield f"<tspan{style}>{html.escape(piece)}</tspan>"


def main():
    output = subprocess.run(
        [sys.argv[1], "check", "examples/demo", "--color", "always"], cwd=PROJECT, capture_output=True, text=True
    ).stdout
    findings = output.rstrip("\n").split("\n\n")
    shown = [finding for word in SHOWN for finding in findings if word in finding.split("\n")[0]]
    lines = ["$ toolnames check examples/demo", ""]
    for finding in shown:
        lines += finding.split("\n") + [""]
    lines += findings[-1].split("\n")
    columns = max(len(re.sub(r"\x1b\[[0-9;]*m", "", line)) for line in lines)
    width, height = int(columns * CHARACTER + 2 * MARGIN), LINE * len(lines) + 2 * MARGIN
    rows = "\n".join(
        f'<text x="{MARGIN}" y="{MARGIN + LINE * (index + 0.8):.0f}">{"".join(spans(line))}</text>'
        for index, line in enumerate(lines)
    )
    drawn = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">\n'
        f'<rect width="100%" height="100%" rx="8" fill="#1e2127"/>\n'
        f'<g fill="#d7dae0" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" style="white-space: pre" '
        f'xml:space="preserve">\n{rows}\n</g>\n</svg>\n'
    )
    picture = PROJECT / "docs" / "check.svg"
    if "--check" not in sys.argv:
        picture.write_text(drawn)
    elif picture.read_text() != drawn:
        sys.exit("docs/check.svg is out of date: run docs/picture.py")


main()
