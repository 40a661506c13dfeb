"""Copilot CLI: what its flags and its server's list of tools decide about a call, asked of the program itself."""

import json
import re
import shlex

from chat import Model
from harness import ASKS, BLOCKED, RUNS, Case, start
from odd import KEYS, slip, tools_of

ID = "copilot-cli"
SERVERS = ".copilot/mcp-config.json"


def act(program, case, folder, home):
    """The fate of the call of a case, and the tools' names that the model is offered."""
    name = wire_name(case.key, case.tool)
    with Model(name) as model:
        environment = {
            "HOME": str(home),
            # Its own folder is the one of the workspace.
            "COPILOT_HOME": str(folder / ".copilot"),
            "COPILOT_OFFLINE": "true",
            "COPILOT_AUTO_UPDATE": "false",
            "COPILOT_PROVIDER_BASE_URL": model.url,
            "COPILOT_MODEL": "model",
        }
        printed = start([program, "-p", "go", "--trust-folder", *case.arguments], folder, environment)
    if "Invalid rule format" in printed:
        # Nothing runs at all.
        return BLOCKED, []
    if model.offered is None:
        raise RuntimeError(f"the client asked nothing of the model: {printed}")
    names = [wire_name(case.key, tool) for tool in case.tools]
    offered = [tool for tool in model.offered if tool in names]
    result = model.result or ""
    if name not in offered or "denied due to the following rules" in result:
        return BLOCKED, offered
    if f"ran {case.tool}" in result:
        return RUNS, offered
    if "no interactive user response" in result:
        return ASKS, offered
    raise RuntimeError(f"not understood: {result or printed}")


def wire_name(key, tool):
    return f"{keep(key)}-{keep(tool)}"


def keep(text):
    return re.sub("[^A-Za-z0-9_-]", "-", text)


def cases(random):
    """Workspaces of a script that starts the client with flags, and of a server's list of tools."""
    while True:
        key, tools = names(random)
        tool = random.choice(tools)
        listed = [tool, tool, slip(random, tool), wire_name(key, tool), tool[:3] + "*", *tools]
        offer = ["*"] if random.random() < 0.75 else random.sample(listed, random.choice([0, 1, 1, 2]))
        both = ["--allow-tool", "--deny-tool"]
        flags = random.choice([both[:1]] * 5 + [both[1:], both, both[::-1]])
        arguments = ["--allow-all-tools"] if "--deny-tool" in flags and random.random() < 0.7 else []
        for flag in flags:
            entries = [
                entry(random, key, random.choice([tool, tool, *tools])) for _ in range(random.choice([1, 1, 1, 2]))
            ]
            arguments += [flag, ",".join(entries)]
        yield workspace(key, tools, tool, arguments, offer)


def forms(random):
    """A flag of one entry where a call is otherwise asked about (allow) or runs (deny), with that entry and without."""
    while True:
        key, tools = names(random)
        kind = random.choice(["allow", "deny"])
        without = [] if kind == "allow" else ["--allow-all-tools"]
        text = entry(random, key, tools[0])
        both = [without, [*without, f"--{kind}-tool", text]]
        yield (kind, text), [workspace(key, tools[:2], tools[0], arguments) for arguments in both]


def names(random):
    """A key and three names of tools. The client takes no entry with a blank in its server's key."""
    key = random.choice([key for key in KEYS if " " not in key])
    return key, tools_of(random, keep)


def workspace(key, tools, tool, arguments, offer=("*",)):
    server = {"type": "local", "command": "python3", "args": ["server.py"], "tools": offer}
    files = {
        SERVERS: json.dumps({"mcpServers": {key: server}}, indent=2),
        "go.sh": f"#!/bin/sh\n{shlex.join(['copilot', '-p', 'go', *arguments])}\n",
    }
    return Case(key, tools, tool, files, arguments)


def entry(random, key, tool):
    """An entry of a flag that means a tool or a server."""
    exact = [f"{key}({keep(tool)})", f"{key}({keep(tool)})", f"{key}({tool})", key]
    odd = [f"{key}(*)", f"{key}({tool[:3]}*)", wire_name(key, tool), f"mcp__{key}__{tool}", f"{key}/{tool}", tool]
    wrong = [f"{slip(random, key)}({tool})", f"{key}({slip(random, tool)})", slip(random, key)]
    return random.choice([*exact, *exact, random.choice(odd), *random.sample(wrong, 2)])
