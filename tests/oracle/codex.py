"""Codex: what a trusted project's file decides about a call, asked of the program itself."""

import json

from harness import ASKS, BLOCKED, RUNS, Case, Loopback, events, start

ID = "codex"

# The last key is refused without a word: no server is started under it.
KEYS = ["notes", "my-fs", "my_fs", "my__fs", "My.FS", "_fs_", "@scope/fs", "my fs"]
TOOLS = ["read_file", "delete-note", "write.dot", "a__b", "Get_Item", "copy to"]
MODES = ["auto", "prompt", "writes"]
# The client does not start with it.
NO_MODE = "allow"


def act(program, case, folder, home):
    """The fate of the call of a case, and the tools' names that the model is offered."""
    seen = {"offered": None, "result": None}

    def answer(_, body):
        tools = {
            (space["name"], tool["name"]): tool.get("description")
            for space in body.get("tools", [])
            if space.get("type") == "namespace" and space["name"].startswith("mcp__")
            for tool in space["tools"]
        }
        results = [item["output"] for item in body["input"] if item.get("type") == "function_call_output"]
        # The server describes each tool by its wire name, whatever the client makes of the name.
        called = next((name for name, description in tools.items() if description == case.tool), None)
        seen["offered"] = ["__".join(name) for name in tools]
        if results:
            seen["result"] = json.dumps(results[-1])
        if called and not results:
            call = {"call_id": "call_1", "namespace": called[0], "name": called[1], "arguments": "{}"}
            item = {"type": "function_call", "id": "item_1", **call}
        else:
            text = [{"type": "output_text", "text": "done"}]
            item = {"type": "message", "id": "item_1", "role": "assistant", "content": text}
        usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
        parts = [
            ("response.created", {"response": {"id": "resp_1"}}),
            ("response.output_item.done", {"output_index": 0, "item": item}),
            ("response.completed", {"response": {"id": "resp_1", "usage": usage}}),
        ]
        return events([(kind, {"type": kind, **data}) for kind, data in parts])

    with Loopback(answer) as model:
        # The user trusts the folder, and nothing else: the project's file is read only then.
        (home / ".codex").mkdir()
        (home / ".codex" / "config.toml").write_text(
            'model = "gpt-5"\nmodel_provider = "loopback"\n'
            f'[model_providers.loopback]\nname = "loopback"\nbase_url = "{model.url}/v1"\n'
            'wire_api = "responses"\nenv_key = "LOOPBACK_KEY"\n'
            f'[projects."{folder.resolve()}"]\ntrust_level = "trusted"\n'
        )
        command = [program, "exec", "--skip-git-repo-check", *case.arguments, "go"]
        printed = start(command, folder, {"HOME": str(home), "LOOPBACK_KEY": "none"})
    if "Error loading config.toml" in printed:
        return BLOCKED, []
    if seen["offered"] is None:
        raise RuntimeError(f"the client asked nothing of the model: {printed}")
    if seen["result"] is None:
        return BLOCKED, seen["offered"]
    for text, verdict in [(f"ran {case.tool}", RUNS), ("requires approval", ASKS)]:
        if text in seen["result"]:
            return verdict, seen["offered"]
    raise RuntimeError(f"not understood: {seen['result']}\n{printed}")


def cases(random):
    """Workspaces without end: the lists of one server, each there or not, with right names and wrong ones."""
    chance = lambda part: random.random() < part
    while True:
        key, tools = random.choice(KEYS if chance(0.85) else KEYS[:2]), random.sample(TOOLS, 4)
        some = lambda right: [name(random, key, tools, right) for _ in range(random.choice([0, 1, 1, 2, 3]))]
        fields, modes = {}, {}
        if chance(0.35):
            fields["enabled_tools"] = some(0.75)
        if chance(0.35):
            fields["disabled_tools"] = some(0.35)
        if chance(0.6):
            fields["default_tools_approval_mode"] = random.choice(["approve"] * 4 + MODES)
        if chance(0.08):
            fields["enabled"] = chance(0.6)
        for _ in range(random.choice([0, 0, 1, 1, 2])):
            modes[name(random, key, tools, 0.6)] = random.choice(["approve"] * 8 + MODES * 4 + [NO_MODE])
        yield case(key, tools, fields, modes)


def forms(random):
    """A workspace without an entry and with it, where an entry that is right changes what happens."""
    approve = {"default_tools_approval_mode": "approve"}
    while True:
        key, tools = random.choice(KEYS[:-1]), random.sample(TOOLS, 3)
        text = name(random, key, tools, 0.3)
        kind = random.choice(["enabled_tools", "disabled_tools", "approve", "prompt"])
        if kind.endswith("_tools"):
            both = [case(key, tools, {**approve, kind: entries}, {}) for entries in ([], [text])]
        else:
            fields = approve if kind == "prompt" else {}
            both = [case(key, tools, fields, modes) for modes in ({}, {text: kind})]
        yield (kind, text), both


def case(key, tools, fields, modes):
    """A workspace of one server, with more fields of it and its tools' modes, in which the first tool is called."""
    fields = {"command": "python3", "args": ["server.py"], **fields}
    text = f"[mcp_servers.{quoted(key)}]\n" + "".join(f"{field} = {json.dumps(it)}\n" for field, it in fields.items())
    for tool, mode in modes.items():
        text += f"\n[mcp_servers.{quoted(key)}.tools.{quoted(tool)}]\napproval_mode = {json.dumps(mode)}\n"
    return Case(key, tools, tools[0], {".codex/config.toml": text})


def name(random, key, tools, right):
    """A name for a list: the called tool's own with a chance, else another's or one that is off in some way."""
    if random.random() < right:
        return tools[0]
    tool, server = tools[0], f"mcp__{words(key)}"
    off = [words(tool), tool.upper(), tool.swapcase(), tool[:-1], f" {tool}", "*", f"{tool[:4]}*", "", "none"]
    return random.choice([*off, *tools[1:], f"{server}__{words(tool)}", server, f"{tool}()", key, f"{key}/{tool}"])


def words(text):
    return "".join(c if c.isascii() and c.isalnum() else "_" for c in text)


def quoted(key):
    return key if key and words(key) == key.replace("-", "_") else json.dumps(key)
