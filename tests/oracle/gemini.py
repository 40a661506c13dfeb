"""Gemini CLI: what a trusted workspace's files decide about a call, asked of the program itself."""

import json
import re

from harness import ASKS, BLOCKED, RUNS, Case, Loopback, start

ID = "gemini-cli"

KEYS = ["notes", "notes", "my-fs", "my.fs", "my_fs", "my__fs", "My-FS", "_fs_", "mcp_fs", "my fs", "@scope/fs"]
TOOLS = ["delete_note", "read_file", "list-all", "write.dot", "copy to", "get__item"]
# Each list: its group ("" for the server's own), its field, how often it is there, and how often a name is right.
LISTS = [
    ("", "includeTools", 0.2, 0.75),
    ("", "excludeTools", 0.2, 0.35),
    ("tools", "allowed", 0.45, 0.5),
    ("tools", "exclude", 0.3, 0.25),
    ("tools", "confirmationRequired", 0.2, 0.4),
    ("mcp", "allowed", 0.15, 0.8),
    ("mcp", "excluded", 0.1, 0.4),
]


def act(program, case, folder, home):
    """The fate of the call of a case, and the tools' names that the model is offered.

    Without a terminal, the client leaves out each tool that nothing allows. It asks about the ones that it offers again
    where everything is allowed that nothing forbids.
    """
    # The user trusts the folder, and nothing else.
    (home / ".gemini").mkdir()
    settings = {"security": {"auth": {"selectedType": "gemini-api-key"}}, "privacy": {"usageStatisticsEnabled": False}}
    (home / ".gemini" / "settings.json").write_text(json.dumps(settings))
    (home / ".gemini" / "trustedFolders.json").write_text(json.dumps({str(folder.resolve()): "TRUST_FOLDER"}))
    verdict, offered = ask(program, case, folder, home, [])
    if verdict == BLOCKED:
        verdict, offered = ask(program, case, folder, home, ["--yolo"])
        verdict = BLOCKED if verdict == BLOCKED else ASKS
    return verdict, offered


def ask(program, case, folder, home, mode):
    """The fate of the call in one run of the client."""
    seen = {"offered": None, "result": ""}

    def answer(path, body):
        tools = [tool for group in body.get("tools", []) for tool in group.get("functionDeclarations", [])]
        parts = [part for content in body["contents"] for part in content["parts"]]
        results = [part["functionResponse"]["response"] for part in parts if "functionResponse" in part]
        # The server describes each tool by its wire name, whatever the client makes of the name.
        called = next((tool["name"] for tool in tools if tool.get("description", "").strip() == case.tool), None)
        names = [tool["name"] for tool in tools if tool["name"].startswith("mcp_")]
        seen["offered"] = names or seen["offered"] or []
        seen["result"] = seen["result"] or "".join(json.dumps(result) for result in results)
        part = {"functionCall": {"name": called, "args": {}}} if called and not results else {"text": "done"}
        candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
        text = json.dumps({"candidates": [candidate]})
        return ("text/event-stream", f"data: {text}\r\n\r\n") if "stream" in path else ("application/json", text)

    with Loopback(answer) as model:
        environment = {"HOME": str(home), "GEMINI_CLI_NO_RELAUNCH": "true", "GEMINI_MODEL": "gemini-2.5-flash"}
        environment |= {"GEMINI_API_KEY": "none", "GOOGLE_GEMINI_BASE_URL": model.url}
        printed = start(["node", program, "-p", "go", *mode, *case.arguments], folder, environment)
    if seen["offered"] is None:
        raise RuntimeError(f"the client asked nothing of the model: {printed}")
    if not seen["result"]:
        return BLOCKED, seen["offered"]
    for text, verdict in [(f"ran {case.tool}", RUNS), ("requires user confirmation", ASKS)]:
        if text in seen["result"]:
            return verdict, seen["offered"]
    raise RuntimeError(f"not understood: {seen['result']}\n{printed}")


def cases(random):
    """Workspaces without end: each list of the settings there or not, with right names and wrong ones, and policies."""
    while True:
        key, tools = random.choice(KEYS), random.sample(TOOLS, 4)
        fields = [("", "trust", random.random() < 0.85)] if random.random() < 0.5 else []
        for group, field, part, right in LISTS:
            if random.random() < part:
                count = random.choice([0, 1, 1, 2, 3])
                fields.append((group, field, [entry(random, group, key, tools, right) for _ in range(count)]))
        made = case(key, tools, fields)
        for file in random.choice([[], [], ["notes"], ["10-first", "20-second"]]):
            then = f'decision = "{random.choice(["allow", "deny", "ask_user"])}"\npriority = {random.choice([1, 99])}\n'
            rule = f"[[rule]]\nmcpName = {json.dumps(key)}\ntoolName = {json.dumps(tools[0])}\n{then}"
            made.files[f".gemini/policies/{file}.toml"] = rule
        yield made


def forms(random):
    """A workspace without an entry and with it, where an entry that is right changes what happens."""
    while True:
        key, tools, (group, field, *_) = random.choice(KEYS), random.sample(TOOLS, 3), random.choice(LISTS)
        text, trust = entry(random, group, key, tools, 0.3), [("", "trust", field != "allowed")]
        # An empty list of the servers allowed is none.
        lists = [["nobody"], ["nobody", text]] if (group, field) == ("mcp", "allowed") else [[], [text]]
        yield (f"{group} {field}", text), [case(key, tools, [*trust, (group, field, entries)]) for entries in lists]


def case(key, tools, fields):
    """A workspace of one server, with fields of a group of the settings or of the server; the first tool is called."""
    groups = {"": {"command": "python3", "args": ["server.py"]}}
    for group, field, value in fields:
        groups.setdefault(group, {})[field] = value
    settings = {"mcpServers": {key: groups.pop("")}, **groups}
    return Case(key, tools, tools[0], {".gemini/settings.json": json.dumps(settings, indent=2)})


def entry(random, group, key, tools, right):
    """An entry of a list: the right name with a chance, else another tool's or one that is off in some way."""
    tool, name, server = tools[0], composed(key, tools[0]), composed(key, "")
    if random.random() < right:
        return {"": tool, "tools": name, "mcp": key}[group]
    if group == "":
        return random.choice([words(tool), tool.upper(), tool[:-1], "*", f"{tool[:3]}*", f"{tool}(x)", name, tools[1]])
    if group == "mcp":
        # The key of a server that only the user's settings may start is no mistake.
        return random.choice([words(key), key.upper(), f"mcp_{key}", "*"])
    off = [f"{server}*", "mcp_*", "*", f"mcp_{key}_*", f"mcp_{key}_{tool}", tool, words(tool), f"{name}(x)", key]
    off += [name[:-1], f"{name[:-2]}*", f"mcp_*_{tool}", f"mcp__{key}__{tool}", server, name.upper(), "mcp_none_*"]
    return random.choice([*off, composed(key, tools[1])])


def composed(key, tool):
    return words(f"{key}_{tool}" if key.startswith("mcp_") else f"mcp_{key}_{tool}")


def words(text):
    return re.sub(r"[^a-zA-Z0-9_.:-]", "_", text)
