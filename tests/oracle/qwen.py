"""Qwen Code: what its project's settings decide about a call, asked of the program itself."""

import hashlib
import json
import re

from chat import Model
from harness import ASKS, BLOCKED, RUNS, Case, start
from odd import KEYS, glob, slip, tools_of

ID = "qwen-code"
# The most letters of a name that the model sees.
LIMIT = 63


def act(program, case, folder, home):
    """The fate of the call of a case, and the tools' names that the model is offered."""
    name = wire_name(case.key, case.tool)
    # The user approves the server as it stands in the project, and wants every tool shown at once.
    server = json.loads(case.files[".qwen/settings.json"])["mcpServers"][case.key]
    stable = json.dumps(server, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    approval = {"hash": hashlib.sha256(stable.encode()).hexdigest(), "status": "approved"}
    settings = {
        "security": {"auth": {"selectedType": "openai"}},
        "tools": {"toolSearch": {"enabled": False}},
        "privacy": {"usageStatisticsEnabled": False},
        "general": {"enableAutoUpdate": False},
    }
    (home / ".qwen").mkdir()
    (home / ".qwen" / "settings.json").write_text(json.dumps(settings))
    (home / ".qwen" / "mcpApprovals.json").write_text(json.dumps({str(folder.resolve()): {case.key: approval}}))
    with Model(name) as model:
        provider = {"OPENAI_API_KEY": "none", "OPENAI_BASE_URL": model.url, "OPENAI_MODEL": "model"}
        printed = start(["node", program, "-p", "go", *case.arguments], folder, {"HOME": str(home), **provider})
    if model.offered is None:
        raise RuntimeError(f"the client asked nothing of the model: {printed}")
    offered = [tool for tool in model.offered if tool.startswith("mcp__")]
    result = model.result or ""
    if name not in offered or "Matching deny rule" in result:
        return BLOCKED, offered
    if f"ran {case.tool}" in result:
        return RUNS, offered
    if "cannot prompt for confirmation" in result:
        return ASKS, offered
    raise RuntimeError(f"not understood: {result or printed}")


def wire_name(key, tool):
    """The name that the model sees: one that is rewritten or cut ends in a hash of what it was."""
    whole = f"mcp__{key}__{tool}"
    if len(whole) <= LIMIT and re.fullmatch("[A-Za-z0-9_-]+", whole):
        return whole
    value = 2166136261
    for letter in whole:
        value = (value ^ ord(letter)) * 16777619 % 2**32
    digits = ""
    while value:
        value, digit = divmod(value, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    suffix = "_" + digits.rjust(7, "0")
    return keep(whole)[: LIMIT - len(suffix)] + suffix


def keep(text):
    return re.sub("[^A-Za-z0-9_-]", "_", text)


def cases(random):
    """Workspaces of lists of permissions and of the tools that one server offers."""
    while True:
        key = random.choice(KEYS)
        tools = tools_of(random, keep)
        tool = random.choice(tools)
        listed = [tool, tool, keep(tool), slip(random, tool), f"{tool}(*)", wire_name(key, tool), "*"]
        fields = {}
        for field in ["includeTools", "excludeTools"]:
            if random.random() < 0.15:
                fields[field] = random.sample(listed, random.choice([0, 1, 1, 2]))
        if random.random() < 0.1:
            fields["trust"] = True
        mixed = [["allow", "ask"], ["allow", "deny"], ["allow", "ask"], ["allow", "deny"], ["allow", "ask", "deny"]]
        kinds = [["allow"]] * 5 + [["deny"]] * 3 + mixed
        permissions = {
            name: [entry(random, key, random.choice([tool, tool, *tools])) for _ in range(random.choice([0, 1, 1, 2]))]
            for name in random.choice(kinds)
        }
        yield workspace(key, tools, tool, permissions, **fields)


def forms(random):
    """A list of one entry where a call is otherwise asked about (allow) or runs (ask, deny), with it and without."""
    while True:
        key = random.choice(KEYS)
        tools = tools_of(random, keep)[:2]
        kind, text = random.choice(["allow", "ask", "deny"]), entry(random, key, tools[0])
        allow = [] if kind == "allow" else [f"mcp__{key}__{tool}" for tool in tools]
        both = [{"allow": allow}, {"allow": allow, kind: [text]}]
        yield (kind, text), [workspace(key, tools, tools[0], lists) for lists in both]


def workspace(key, tools, tool, lists, **fields):
    server = {"command": "python3", "args": ["server.py"], **fields}
    settings = {"mcpServers": {key: server}, "permissions": lists}
    return Case(key, tools, tool, {".qwen/settings.json": json.dumps(settings, indent=2)})


def entry(random, key, tool):
    """An entry of a list of permissions that means one tool, a server or more."""
    name = wire_name(key, tool)
    server = f"mcp__{keep(key)}"
    exact = [name, name, f"mcp__{key}__{tool}", f"{server}__{keep(tool)}", f"{server}__*", server]
    odd = [
        "*",
        "mcp__*",
        f"mcp__{key}",
        f"mcp__{key}__*",
        f"mcp__{key}__",
        f"mcp__*__{tool}",
        f"mcp_{key}_{tool}",
        tool,
    ]
    cut = name[: random.randrange(6, len(name))] + "*"
    return random.choice([*exact, *exact, cut, cut, glob(random, name), *random.sample(odd, 2), slip(random, name)])
