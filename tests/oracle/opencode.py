"""opencode: what its project's files decide about a call, asked of the program itself."""

import json
import re

from chat import Model
from harness import ASKS, BLOCKED, RUNS, Case, start
from odd import KEYS, glob, slip, tools_of

ID = "opencode"
ACTIONS = ["allow", "ask", "ask", "ask", "deny", "deny"]


def act(program, case, folder, home):
    """The fate of the call of a case, and the tools' names that the model is offered."""
    return ask(ID, program, case, folder, home)


def ask(client, program, case, folder, home):
    """The same for a client that was made from opencode."""
    name = wire_name(case.key, case.tool)
    quiet = ["MODELS_FETCH", "AUTOUPDATE", "DEFAULT_PLUGINS", "LSP_DOWNLOAD"]
    options = {f"{client.upper()}_DISABLE_{what}": "1" for what in quiet}
    settings = home / ".config" / client / f"{client}.json"
    settings.parent.mkdir(parents=True)
    with Model(name) as model:
        provider = {
            "npm": "@ai-sdk/openai-compatible",
            "options": {"baseURL": model.url, "apiKey": "none"},
            "models": {"model": {}},
        }
        models = {"model": "loopback/model", "small_model": "loopback/model", "enabled_providers": ["loopback"]}
        settings.write_text(json.dumps({"provider": {"loopback": provider}, **models, "share": "disabled"}))
        printed = start([program, "run", "go", *case.arguments], folder, {"HOME": str(home), **options}, seconds=180)
    if model.offered is None:
        raise RuntimeError(f"the client asked nothing of the model: {printed}")
    names = [wire_name(case.key, tool) for tool in case.tools]
    offered = [tool for tool in model.offered if tool in names]
    result = model.result or ""
    if name not in offered or "specified a rule which prevents" in result:
        return BLOCKED, offered
    if f"ran {case.tool}" in result:
        return RUNS, offered
    if "auto-rejecting" in printed:
        return ASKS, offered
    raise RuntimeError(f"not understood: {result or printed}")


def wire_name(key, tool):
    return f"{keep(key)}_{keep(tool)}"


def keep(text):
    return re.sub("[^A-Za-z0-9_-]", "_", text)


def cases(random, client=ID, first="build"):
    """Workspaces of all the places in which a client, whose agent is `first`, reads what a tool may do."""
    while True:
        key = random.choice(KEYS)
        tools = tools_of(random, keep)
        tool = random.choice(tools)
        count = random.choice([0, 1, 1, 1, 2, 3])
        names = [entry(random, key, random.choice([tool, tool, tool, *tools])) for _ in range(count)]
        actions = {name: random.choice(ACTIONS) for name in names}
        switches = {name: random.random() < 0.3 for name in names}
        permission = {"permission": {name: rule(random, action) for name, action in actions.items()}}
        either = random.choice([permission, permission, permission, {"tools": switches}])
        settings, arguments, files = servers(key), [], {}
        match random.choice(["root", "root", "root", "both", "agent", "mode", "folder", "markdown"]):
            case "root":
                settings |= either
            case "both":
                settings |= {"permission": {entry(random, key, tool): random.choice(ACTIONS)}, "tools": switches}
            case "agent" | "mode" as place:
                settings |= {place: {first: either}, **random.choice([{}, permission])}
            case "folder":
                settings |= random.choice([{}, {"permission": {entry(random, key, tool): random.choice(ACTIONS)}}])
                files[f".{client}/{client}.json"] = json.dumps(either)
            case "markdown":
                place = random.choice(["agent", "agents"])
                # JSON is YAML.
                front = "".join(f"{field}: {json.dumps(value)}\n" for field, value in either.items())
                files[f".{client}/{place}/helper.md"] = f"---\nmode: primary\n{front}---\nHelp.\n"
                arguments = ["--agent", "helper"]
        yield Case(key, tools, tool, {f"{client}.json": json.dumps(settings, indent=2), **files}, arguments)


def forms(random, client=ID):
    """A permission of one entry where every call otherwise runs, with that entry and without."""
    while True:
        key = random.choice(KEYS)
        tools = tools_of(random, keep)[:2]
        kind, text = random.choice(["ask", "deny"]), entry(random, key, tools[0])
        both = [servers(key), servers(key) | {"permission": {text: kind}}]
        yield (kind, text), [Case(key, tools, tools[0], {f"{client}.json": json.dumps(it, indent=2)}) for it in both]


def servers(key):
    return {"mcp": {key: {"type": "local", "command": ["python3", "server.py"]}}}


def entry(random, key, tool):
    """A key of `permission` or `tools` that means one tool or more."""
    name = wire_name(key, tool)
    exact = [name, name, f"{wire_name(key, '')}*", glob(random, name)]
    raw = [
        f"{key}_{tool}",
        f"{key}_*",
        f"mcp__{name}",
        f"mcp_{name}",
        f"mcp__{key}__{tool}",
        key,
        f"{key}_",
        tool,
        f"*{tool}",
        "*",
    ]
    return random.choice([*exact, *exact, random.choice(raw), random.choice(raw), slip(random, name)])


def rule(random, action):
    """An action, sometimes told by what the tool is called with."""
    return (
        action
        if random.random() < 0.8
        else random.choice([{"*": action}, {"*.env": action}, {"*": "ask", "x": action}, {}])
    )
