"""Claude Code: what its settings decide about a call, asked of the program itself."""

import json

from harness import ASKS, BLOCKED, RUNS, Case, Loopback, events, start

ID = "claude-code"


def act(program, case, folder, home):
    """The fate of the call of a case, and the tools' names that the model is offered."""
    name = wire_name(case.key, case.tool)
    seen = {"offered": None, "result": None}

    def answer(path, body):
        if "count_tokens" in path or not path.startswith("/v1/messages"):
            return "application/json", json.dumps({"input_tokens": 1})
        # Requests without tools are about other things, unless every tool is denied.
        seen["offered"] = [tool.get("name") for tool in body.get("tools") or []] or seen["offered"] or []
        blocks = [block for message in body["messages"] if isinstance(message["content"], list) for block in message["content"]]
        results = [block for block in blocks if block.get("type") == "tool_result"]
        if results:
            seen["result"] = json.dumps(results[-1]["content"])
        calls = bool(body.get("tools")) and not results
        block = {"type": "tool_use", "id": "toolu_1", "name": name, "input": {}} if calls else {"type": "text", "text": ""}
        delta = {"type": "input_json_delta", "partial_json": "{}"} if calls else {"type": "text_delta", "text": "done"}
        message = {"id": "msg_1", "type": "message", "role": "assistant", "model": body.get("model", "model"), "content": []}
        usage = {"input_tokens": 1, "output_tokens": 1}
        parts = [
            ("message_start", {"message": {**message, "stop_reason": None, "usage": usage}}),
            ("content_block_start", {"index": 0, "content_block": block}),
            ("content_block_delta", {"index": 0, "delta": delta}),
            ("content_block_stop", {"index": 0}),
            ("message_delta", {"delta": {"stop_reason": "tool_use" if calls else "end_turn"}, "usage": usage}),
            ("message_stop", {}),
        ]
        if body.get("stream"):
            return events([(kind, {"type": kind, **data}) for kind, data in parts])
        content = [{**block, **({} if calls else {"text": "done"})}]
        stop = {"stop_reason": "tool_use" if calls else "end_turn", "usage": usage}
        return "application/json", json.dumps({**message, "content": content, **stop})

    # The user trusts the folder and approves the servers of its `.mcp.json`, and nothing else.
    (home / ".claude").mkdir()
    (home / ".claude.json").write_text(json.dumps({"projects": {str(folder): {"hasTrustDialogAccepted": True}}}))
    (home / ".claude" / "settings.json").write_text(json.dumps({"enableAllProjectMcpServers": True}))
    with Loopback(answer) as model:
        environment = {
            "HOME": str(home),
            "ANTHROPIC_API_KEY": "sk-ant-none",
            "ANTHROPIC_BASE_URL": model.url,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "ENABLE_TOOL_SEARCH": "false",
        }
        printed = start([program, "-p", "go", *case.arguments], folder, environment)
    offered = [tool for tool in seen["offered"] or [] if tool.startswith("mcp__")]
    if seen["offered"] is None:
        raise RuntimeError(f"the client asked nothing of the model: {printed}")
    result = seen["result"] or ""
    if name not in offered:
        return BLOCKED, offered
    if f"ran {case.tool}" in result:
        return RUNS, offered
    if "haven't granted" in result:
        return ASKS, offered
    if "denied" in result:
        return BLOCKED, offered
    raise RuntimeError(f"not understood: {result or printed}")


def wire_name(key, tool):
    keep = lambda text: "".join(c if c.isascii() and (c.isalnum() or c in "_-") else "_" for c in text)
    return f"mcp__{keep(key)}__{keep(tool)}"


KEYS = ["notes", "notes", "my-fs", "my.fs", "My Server", "_fs_", "fs_", "a__b", "a_b", "näh", "x/y"]
TOOLS = ["read_file", "write.dot", "list-notes", "readFile", "read__file", "drop_note", "a b", "_hidden", "get", "READ"]


def entry(random, key, tool):
    """A permission string: about the tool, about others, about nothing, or malformed."""
    server, name = wire_name(key, "")[5:-2], wire_name("", tool)[7:]
    half = random.randint(1, len(name))
    exact = f"mcp__{server}__{name}"
    return random.choice(
        [exact] * 6
        + [f"mcp__{server}", f"mcp__{server}__*"] * 2
        + [
            f"mcp__{server}__{name[:half]}*",
            f"mcp__{server}__*{name[half:]}",
            f"mcp__{server}__{name[:1]}*{name[-1:]}",
            f"mcp__{server}__**",
            f"mcp__{server}__{name[:1]}?{name[2:]}",
            f"mcp__{server}*",
            f"mcp__{server[:2]}*__{name}",
            f"mcp__*__{name}",
            f"mcp__*__{name[:half]}*",
            "mcp__*",
            "mcp_*",
            "mcp*",
            "*",
            f"*{name[half:]}",
            f"*__{name}",
            f"{exact}(*)",
            f"{exact}()",
            f"{exact}(path:/tmp)",
            f"mcp__{server}(*)",
            f"mcp__{key}__{tool}",
            f"MCP__{server}__{name}",
            f"Mcp__{server}__{name}",
            f"mcp__{server}__{name.swapcase()}",
            f"mcp__{server.upper()}__{name}",
            f"mcp__{server}__",
            f"mcp__{server}_",
            f" {exact}",
            f"{exact} ",
            f"{exact}:*",
            f"mcp__{server}s__{name}",
            f"mcp__{server}__{name}s",
            f"mcp_{server}_{name}",
            f"mcp__{server}_{name}",
            f"mcp__{server}:{name}",
            f"mcp____{name}",
            f"{server}__{name}",
            name,
            f"{exact},mcp__{server}__other",
        ]
    )


def cases(random):
    """Settings of one and two files, with entries in each list."""
    while True:
        key, tools = random.choice(KEYS), random.sample(TOOLS, 3)
        tool = tools[0]
        files = {}
        for path in [".claude/settings.json", ".claude/settings.local.json"][: random.choice([1, 1, 2])]:
            lists = {}
            for kind, most in [("allow", 3), ("ask", 1), ("deny", 1)]:
                count = random.randint(0, most) if kind == "allow" or random.random() < 0.5 else 0
                lists[kind] = [entry(random, key, random.choice([tool, tool, tools[1]])) for _ in range(count)]
            settings = {"permissions": lists}
            if random.random() < 0.05:
                settings["disabledMcpjsonServers"] = [random.choice([key, "other"])]
            files[path] = json.dumps(settings, indent=2)
        yield Case(key, tools, tool, files | server_file(key))


def forms(random):
    """A list of one entry in settings that would otherwise ask (allow) or run (ask, deny), with that entry and without."""
    while True:
        key, tools = random.choice(KEYS), random.sample(TOOLS, 2)
        kind = random.choice(["allow", "deny", "ask"])
        allow = [] if kind == "allow" else [wire_name(key, tool) for tool in tools]
        text = entry(random, key, tools[0])
        with_it = {"allow": allow, kind: [text]}
        both = [{".claude/settings.json": json.dumps({"permissions": lists})} for lists in ({"allow": allow}, with_it)]
        yield (kind, text), [Case(key, tools, tools[0], files | server_file(key)) for files in both]


def server_file(key):
    servers = {key: {"command": "python3", "args": ["server.py"]}}
    return {".mcp.json": json.dumps({"mcpServers": servers}, ensure_ascii=False)}
