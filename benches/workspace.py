#!/usr/bin/env python3
"""Writes a workspace of many files, one in twenty of which registers tools, and sets `toolnames list` beside `rg`.

    workspace.py BINARY [--files 10000] [--folder FOLDER] [--runs 7]

Wants `rg` on the PATH. Prints the medians, and how many times as long `list` takes.
"""

import argparse
import random
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

FILLER = {
    "ts": """export interface Order{n} {{ id: string; total: number; lines: Array<{{ sku: string; count: number }}> }}

export function price{n}(order: Order{n}, rates: Record<string, number>): number {{
  let sum = 0;
  for (const line of order.lines) {{
    const rate = rates[line.sku] ?? 0;
    sum += rate * line.count;
  }}
  return Math.round(sum * 100) / 100;
}}
""",
    "py": """class Order{n}:
    def __init__(self, identifier, lines):
        self.identifier = identifier
        self.lines = lines

    def price(self, rates):
        total = 0
        for line in self.lines:
            total += rates.get(line["sku"], 0) * line["count"]
        return round(total, 2)

""",
    "rs": """pub struct Order{n} {{
    pub id: String,
    pub lines: Vec<(String, u32)>,
}}

impl Order{n} {{
    pub fn price(&self, rates: &std::collections::HashMap<String, f64>) -> f64 {{
        self.lines.iter().map(|(sku, count)| rates.get(sku).copied().unwrap_or(0.0) * f64::from(*count)).sum()
    }}
}}

""",
}
SERVER = {
    "ts": (
        'import {{ McpServer }} from "@modelcontextprotocol/sdk/server/mcp.js";\n'
        'import {{ PREFIX }} from "./names.js";\n'
        'const server = new McpServer({{ name: "server-{n}", version: "1.0.0" }});\n',
        'server.registerTool(`${{PREFIX}}read_{n}_{m}`, {{ description: "Reads" }}, async () => ({{ content: [] }}));\n',
    ),
    "py": (
        'from mcp.server.fastmcp import FastMCP\nmcp = FastMCP("server-{n}")\n',
        '\n@mcp.tool()\ndef read_{n}_{m}(path: str) -> str:\n    """Reads"""\n    return path\n',
    ),
    "rs": (
        "use rmcp::{{tool, tool_router}};\npub struct Server{n};\n#[tool_router]\nimpl Server{n} {{\n",
        '    #[tool(description = "Reads")]\n    async fn read_{n}_{m}(&self) -> String {{ String::new() }}\n',
    ),
}


def write(folder, files):
    """Packages of a hundred files, in the three languages by turns."""
    chance = random.Random(7)
    total = 0
    for package in range(-(-files // 100)):
        language = ("ts", "py", "rs")[package % 3]
        root = folder / f"packages/p{package}"
        source = root / "src"
        source.mkdir(parents=True)
        manifest = {
            "ts": ("package.json", f'{{"name": "p{package}", "dependencies": {{"@modelcontextprotocol/sdk": "1"}}}}'),
            "py": ("pyproject.toml", f'[project]\nname = "p{package}"\n'),
            "rs": ("Cargo.toml", f'[package]\nname = "p{package}"\n[dependencies]\nrmcp = "1"\n'),
        }[language]
        (root / manifest[0]).write_text(manifest[1])
        if language == "ts":
            (source / "names.ts").write_text('export const PREFIX = "shop_";\n')
        for index in range(100):
            n = package * 100 + index
            filler = "".join(FILLER[language].format(n=f"{n}_{k}") for k in range(chance.randint(4, 16)))
            if index % 20 == 0:
                head, tool = SERVER[language]
                text = head.format(n=n) + "".join(tool.format(n=n, m=m) for m in range(8))
                text += "}\n" if language == "rs" else ""
                (source / f"server_{n}.{language}").write_text(text + "\n" + filler)
                total += 8
            else:
                (source / f"file_{n}.{language}").write_text(filler)
    return total


def seconds(command):
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--folder", type=Path, help="measure this folder instead of writing one")
    parser.add_argument("--runs", type=int, default=7)
    arguments = parser.parse_args()
    scratch = None
    folder = arguments.folder
    if folder is None:
        scratch = Path(tempfile.mkdtemp(prefix="toolnames-"))
        folder = scratch / "workspace"
        print(f"{arguments.files} files, {write(folder, arguments.files)} tools")
    own, peer = [], []
    for _ in range(arguments.runs):
        own.append(seconds([str(Path(arguments.binary).resolve()), "list", "--all", str(folder)]))
        peer.append(seconds(["rg", "--hidden", "--count", "registerTool", str(folder)]))
    mine, other = statistics.median(own), statistics.median(peer)
    print(f"toolnames list {mine:.3f} s, rg {other:.3f} s: {mine / other:.1f} times as long")
    if scratch:
        shutil.rmtree(scratch)


if __name__ == "__main__":
    main()
