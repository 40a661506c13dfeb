"""Growing workspaces of which the files of clients, the rules and the repairs get more to do; the code stays small."""

import json

from grow import grows

# The side that stays where two things are compared with each other.
FEW = 100


def code(names, server="notes"):
    """A Python server with a tool of each name."""
    tools = "".join(f'@mcp.tool(name="{name}")\ndef tool_{index}():\n    pass\n\n' for index, name in enumerate(names))
    return f'from mcp.server.fastmcp import FastMCP\n\nmcp = FastMCP("{server}")\n\n\n{tools}mcp.run()\n'


def letters(number):
    """A word for a number, of letters alone: digits tell names apart at a glance."""
    word = ""
    for _ in range(5):
        number, rest = divmod(number, 20)
        word += "bcdfghjklmnpqrstvwxz"[rest]
    return word


def settings(**lists):
    return json.dumps({"permissions": lists}, indent=0) + "\n"


def config(keys=("notes",)):
    return json.dumps({"mcpServers": {key: {"command": "python", "args": ["server.py"]} for key in keys}}, indent=0) + "\n"


def permissions(names=("read_note", "delete_note"), files=None, **lists):
    """A server with tools of some names, and settings of Claude Code with some lists."""
    return {".mcp.json": config(), "server.py": code(names), ".claude/settings.json": settings(**lists), **(files or {})}


@grows(n=80)
def equal_entries(n):
    """Entries of one list that are all the same"""
    return permissions(allow=["mcp__notes__read_note"] * n)


@grows(n=80, short=False)
def equal_entries_of_three_lists(n):
    """Entries that stand in allow, ask and deny"""
    same = ["mcp__notes__read_note"] * n
    return permissions(allow=same, ask=same, deny=same)


@grows(n=80, short=False)
def different_entries(n):
    """Entries of tools that a known server does not have"""
    return permissions(allow=[f"mcp__notes__{letters(i)}" for i in range(n)])


@grows(n=80)
def different_entries_of_three_lists(n):
    """Entries of tools of a server that nobody knows, in allow, ask and deny"""
    names = [f"mcp__other__{letters(i)}" for i in range(n)]
    return permissions(allow=names, ask=names, deny=names)


@grows(n=80)
def malformed_entries(n):
    """Entries that are not of the grammar, all different"""
    return permissions(allow=[f"mcp__notes__{letters(i)}(*)" for i in range(n)])


@grows(n=80, short=False)
def foreign_entries(n):
    """Entries in small letters without a prefix"""
    return permissions(allow=[f"{letters(i)}" for i in range(n)])


@grows(n=80)
def unasked_entries(n):
    """Entries about a tool of the client's own that are never asked"""
    return permissions(allow=[f"Write({letters(i)}/**)" for i in range(n)])


@grows(n=80, short=False)
def own_entries(n):
    """Entries about shell commands"""
    return permissions(allow=[f"Bash({letters(i)} *)" for i in range(n)])


@grows(n=80, short=False)
def wildcards(n):
    """Wildcards of one server, for a hundred tools"""
    names = [f"{letters(i)}_note" for i in range(FEW)]
    return permissions(names, allow=[f"mcp__notes__{letters(i)}_*" for i in range(n)])


@grows(n=60)
def tools_with_wildcards(n):
    """Tools, for a hundred wildcards"""
    names = [f"{letters(i)}_note" for i in range(n)]
    return permissions(names, allow=[f"mcp__notes__{letters(i)}_*" for i in range(FEW)])


@grows(n=80)
def wildcards_beside_entries(n):
    """Wildcards of one server and as many entries in one list"""
    some = [f"mcp__notes__{letters(i)}_*" for i in range(n)]
    return permissions(allow=some + [f"mcp__notes__{letters(i)}_note" for i in range(n)])


@grows(n=80, short=False)
def wildcards_that_end_alike(n):
    """Wildcards that begin and end alike, and entries that some of them cover"""
    some = [f"mcp__notes__*_{letters(i)}" for i in range(n)]
    return permissions(deny=some, allow=[f"mcp__notes__read_{letters(i)}" for i in range(n)])


@grows(n=80)
def wildcards_over_servers(n):
    """Wildcards over whole names, which deny, and entries that they cover"""
    some = [f"mcp__*__{letters(i)}_*" for i in range(n)]
    return permissions(deny=some, allow=[f"mcp__notes__{letters(i)}_note" for i in range(n)])


@grows(n=80)
def wildcards_beside_a_destructive_tool(n):
    """Wildcards that allow, and as many entries that deny"""
    names = [f"delete_{letters(i)}" for i in range(4)]
    tools = code(names).replace('")\ndef', '", annotations={"destructiveHint": True})\ndef')
    return permissions(
        files={"server.py": tools},
        allow=[f"mcp__notes__delete_{'*' * (1 + i % 3)}{letters(i)[: i % 3]}*" for i in range(n)],
        deny=[f"mcp__notes__{letters(i)}" for i in range(n)],
    )


@grows(short=False)
def destructive_tools(n):
    """Destructive tools below an entry that allows their server"""
    tools = code([f"delete_{letters(i)}" for i in range(n)])
    tools = tools.replace('")\ndef', '", annotations={"destructiveHint": True})\ndef')
    return permissions(files={"server.py": tools}, allow=["mcp__notes__*"], deny=["mcp__notes__delete_bbbbb"])


@grows(n=80, short=False)
def misspelt_entries(n):
    """Entries that are a slip away from one of a hundred tools"""
    names = [f"read_{letters(i)}_note" for i in range(FEW)]
    return permissions(names, allow=[f"mcp__notes__raed_{letters(i)}_note" for i in range(n)])


@grows(n=40)
def tools_with_misspelt_entries(n):
    """Tools, for a hundred entries that are a slip away from one"""
    names = [f"read_{letters(i)}_note" for i in range(n)]
    return permissions(names, allow=[f"mcp__notes__raed_{letters(i)}_note" for i in range(FEW)])


# Both sides grow: what is compared is bounded.
@grows(short=False)
def tools_with_a_misspelt_entry_each(n):
    """Tools, and for each an entry that is a slip away"""
    names = [f"read_{letters(i)}_note" for i in range(n)]
    return permissions(names, allow=[f"mcp__notes__raed_{letters(i)}_note" for i in range(n)])


@grows(short=False)
def tools_with_an_entry_each(n):
    """Tools, and for each an entry that allows it"""
    names = [f"read_{letters(i)}" for i in range(n)]
    return permissions(names, allow=[f"mcp__notes__{name}" for name in names])


@grows(n=80, short=False)
def entries_that_deny_beside(n):
    """Entries of a settings file that another one of its folder denies"""
    names = [f"mcp__notes__{letters(i)}" for i in range(n // 2)]
    return permissions(allow=names, files={".claude/settings.local.json": settings(deny=list(reversed(names)))})


@grows(n=80)
def wildcards_that_deny_beside(n):
    """Entries of a settings file, and wildcards of another one that deny"""
    names = [f"mcp__other__{letters(i)}" for i in range(n // 2)]
    return permissions(allow=names, files={".claude/settings.local.json": settings(deny=[f"{it}_*" for it in names])})


@grows(command="fix --dry-run", n=60)
def equal_entries_repaired(n):
    """Entries that are all the same, taken out"""
    return permissions(allow=["mcp__notes__read_note"] * n)


@grows(command="fix --dry-run", n=100, short=False)
def misspelt_entries_repaired(n):
    """Entries that are a slip away from a tool, repaired"""
    names = [f"read_{letters(i)}_note" for i in range(FEW)]
    return permissions(names, deny=[f"mcp__Notes__read-{letters(i)}_note" for i in range(n)])


@grows(n=80)
def server_keys(n):
    """Keys that start one and the same server"""
    return {".mcp.json": config([letters(i) for i in range(n)]), "server.py": code(["read_note"])}


@grows(n=80, short=False)
def server_keys_elsewhere(n):
    """Keys that start what is not here"""
    servers = {f"{letters(i)}.x": {"command": "npx", "args": ["-y", f"@some/{letters(i)}"]} for i in range(n)}
    return {".mcp.json": json.dumps({"mcpServers": servers}, indent=0)}


# Both sides grow: what is compared is bounded.
@grows(n=80, short=False)
def server_keys_with_entries(n):
    """Keys that start what is not here, and for each an entry about a server"""
    servers = {letters(i): {"command": "npx", "args": ["-y", f"@some/{letters(i)}"]} for i in range(n)}
    entries = [f"mcp__{letters(i)}__read" for i in range(n)] + [f"mcp__{letters(i)}x__read" for i in range(n)]
    return {".mcp.json": json.dumps({"mcpServers": servers}, indent=0), ".claude/settings.json": settings(allow=entries)}


@grows(n=80, short=False)
def enabled_keys(n):
    """Keys of servers that settings switch on and that nothing starts"""
    enabled = {"enabledMcpjsonServers": [letters(i) for i in range(n)]}
    return {".mcp.json": config(), "server.py": code(["read_note"]), ".claude/settings.json": json.dumps(enabled, indent=0)}


@grows(n=80)
def hooks(n):
    """Hooks with a matcher each"""
    matchers = [{"matcher": f"mcp__notes__{letters(i)}|mcp__nots__read_note", "hooks": []} for i in range(n)]
    return permissions(files={".claude/settings.json": json.dumps({"hooks": {"PreToolUse": matchers}}, indent=0)})


@grows(command="check --format json", n=80)
def names_in_a_hook(n):
    """Names in one matcher of a hook"""
    matcher = "|".join(f"mcp__notes__{letters(i)}" for i in range(n))
    hooks = {"hooks": {"PreToolUse": [{"matcher": matcher, "hooks": []}]}}
    return permissions(files={".claude/settings.json": json.dumps(hooks, indent=0)})


@grows(n=80, short=False)
def expressions_in_hooks(n):
    """Hooks with a regular expression each"""
    matchers = [{"matcher": f"mcp__Notes__{letters(i)}.*", "hooks": []} for i in range(n)]
    return permissions(files={".claude/settings.json": json.dumps({"hooks": {"PreToolUse": matchers}}, indent=0)})


@grows(command="check --format json", n=80)
def tools_of_an_agent(n):
    """Tools that an agent's front matter lists in one line"""
    names = ", ".join(f"mcp__notes__{letters(i)}" for i in range(n))
    return permissions(files={".claude/agents/writer.md": f"---\nname: writer\ntools: {names}\n---\n\nWrites.\n"})


@grows(n=80, short=False)
def tools_of_an_agent_by_lines(n):
    """Tools that an agent's front matter lists in lines"""
    names = "".join(f"  - mcp__notes__{letters(i)}\n" for i in range(n))
    return permissions(files={".claude/agents/writer.md": f"---\nname: writer\ntools:\n{names}---\n\nWrites.\n"})


@grows(n=100, short=False)
def agents(n):
    """Agents with a list each"""
    text = "---\nname: writer\ntools: mcp__notes__read_note, mcp__notes__raed_note\n---\n\nWrites.\n"
    return permissions(files={f".claude/agents/{letters(i)}.md": text for i in range(n)})


@grows(n=60)
def folders_with_settings(n):
    """Folders with settings and servers of their own"""
    files = {}
    for i in range(n):
        key = letters(i)
        files[f"{key}/.claude/settings.json"] = settings(allow=[f"mcp__{key}__read_note", f"mcp__{key}__raed_note"])
        files[f"{key}/.mcp.json"] = config([key])
        files[f"{letters(i)}/server.py"] = code(["read_note"])
    return files


@grows(command="check --format json", n=80)
def names_in_toml(n):
    """Tools that a server's table of Codex switches on"""
    names = ", ".join(f'"{letters(i)}"' for i in range(n))
    text = f'[mcp_servers.notes]\ncommand = "python"\nargs = ["server.py"]\nenabled_tools = [{names}]\n'
    return {".codex/config.toml": text, "server.py": code(["read_note"])}


@grows(n=60, short=False)
def tables_in_toml(n):
    """Servers of Codex with a table each"""
    table = '[mcp_servers.{0}]\ncommand = "python"\nargs = ["server.py"]\n\n[mcp_servers.{0}.tools.read_note]\napproval_mode = "approve"\n'
    return {".codex/config.toml": "\n".join(table.format(letters(i)) for i in range(n)), "server.py": code(["read_note"])}


@grows(n=80, short=False)
def tools_in_a_table_of_toml(n):
    """Tools of one server with a table each"""
    table = '\n[mcp_servers.notes.tools.{0}]\napproval_mode = "approve"\n'
    head = '[mcp_servers.notes]\ncommand = "python"\nargs = ["server.py"]\n'
    return {".codex/config.toml": head + "".join(table.format(letters(i)) for i in range(n)), "server.py": code(["read_note"])}


@grows(n=80)
def tools_in_json_objects(n):
    """Tools of opencode, which are keys"""
    tools = {f"notes_{letters(i)}": False for i in range(n)}
    mcp = {"notes": {"type": "local", "command": ["python", "server.py"]}}
    return {"opencode.json": json.dumps({"mcp": mcp, "tools": tools}, indent=0), "server.py": code(["read_note"])}


@grows(n=80, short=False)
def tools_that_are_always_allowed(n):
    """Tools beside the command of a server of Cline"""
    server = {"command": "python", "args": ["server.py"], "alwaysAllow": [letters(i) for i in range(n)]}
    return {".roo/mcp.json": json.dumps({"mcpServers": {"notes": server}}, indent=0), "server.py": code(["read_note"])}


@grows(n=60, short=False)
def servers_with_tools_that_are_always_allowed(n):
    """Servers of Roo with a list each"""
    server = {"command": "python", "args": ["server.py"], "alwaysAllow": ["raed_note"]}
    return {".roo/mcp.json": json.dumps({"mcpServers": {letters(i): server for i in range(n)}}, indent=0), "server.py": code(["read_note"])}


@grows(n=60, short=False)
def flags_in_a_script(n):
    """Command lines of a script with a flag each"""
    lines = "".join(f'claude -p "x" --allowedTools "mcp__notes__{letters(i)}"\n' for i in range(n))
    return permissions(files={"run.sh": "#!/bin/sh\n" + lines})


@grows(command="check --format json", n=80, short=False)
def names_in_a_flag(n):
    """Names in one flag of a script"""
    names = ",".join(f"mcp__notes__{letters(i)}" for i in range(n))
    return permissions(files={"run.sh": f'#!/bin/sh\nclaude -p "x" --allowedTools "{names}"\n'})


@grows(command="check --format json", n=80)
def names_in_code(n):
    """Names that code hands to an agent"""
    names = ", ".join(f'"mcp__notes__{letters(i)}"' for i in range(n))
    text = f'from claude_agent_sdk import ClaudeAgentOptions\n\noptions = ClaudeAgentOptions(allowed_tools=[{names}])\n'
    return permissions(files={"agent.py": text})


@grows(n=60)
def calls_in_code(n):
    """Tools that code calls by their names"""
    lines = "".join(f'    await session.call_tool("{letters(i)}_note", {{}})\n' for i in range(n))
    return permissions(files={"agent.py": f"from mcp import ClientSession\n\n\nasync def main(session: ClientSession):\n{lines}"})


@grows(command="list --known", n=80, short=False)
def recorded_tools(n):
    """Tools of one snapshot"""
    tools = [{"name": letters(i), "inputSchema": {"type": "object"}} for i in range(n)]
    return {".toolnames/snapshots/notes.json": json.dumps({"key": "notes", "serverInfo": {"name": "notes"}, "tools": tools}, indent=0)}


@grows(n=60)
def recorded_servers(n):
    """Snapshots with a tool each, and an entry for each"""
    text = json.dumps({"serverInfo": {"name": "notes"}, "tools": [{"name": "read_note"}]})
    files = {f".toolnames/snapshots/{letters(i)}.json": text for i in range(n)}
    return {**files, ".claude/settings.json": settings(allow=[f"mcp__{letters(i)}__raed_note" for i in range(n)])}


@grows(n=60, short=False)
def recorded_tools_with_entries(n):
    """Tools of one snapshot, and an entry for each"""
    tools = [{"name": letters(i)} for i in range(n)]
    text = json.dumps({"key": "notes", "serverInfo": {"name": "notes"}, "tools": tools})
    return {".toolnames/snapshots/notes.json": text, ".claude/settings.json": settings(allow=[f"mcp__notes__{letters(i)}" for i in range(n)])}


def locked(n, names="{0}"):
    tables = (f'[[renamed]]\nserver = "notes"\nold = "old_{letters(i)}"\nnew = "{names.format(letters(i))}"\nmode = "none"\n\n' for i in range(n))
    return "version = 1\n\n" + "".join(tables)


@grows(n=80)
def renamed_tools(n):
    """Renames of a lock, and an entry with each old name"""
    return permissions(
        files={"toolnames.lock": locked(n, "read_note")}, allow=[f"mcp__notes__old_{letters(i)}" for i in range(n)]
    )


# Each entry is followed along its chain, of which 1,000 names are looked at.
@grows(n=100, short=False)
def chain_of_renames(n):
    """Renames of a lock of which each goes on from the one before"""
    tables = (f'[[renamed]]\nserver = "notes"\nold = "{letters(i)}"\nnew = "{letters(i + 1)}"\nmode = "none"\n\n' for i in range(n))
    return permissions(
        files={"toolnames.lock": "version = 1\n\n" + "".join(tables)}, allow=[f"mcp__notes__{letters(i)}" for i in range(n)]
    )


@grows(n=100, short=False)
def renamed_tools_that_are_there(n):
    """Tools, and a rename of a lock for each"""
    return permissions([letters(i) for i in range(n)], files={"toolnames.lock": locked(n)}, allow=["mcp__notes__bbbbb"])


@grows(n=60, short=False)
def locked_tools(n):
    """Tools, each of them locked, below an entry that allows their server"""
    tables = "".join(f'[[tool]]\nserver = "notes"\nname = "{letters(i)}"\n\n' for i in range(n))
    return permissions([letters(i) for i in range(n)], files={"toolnames.lock": "version = 1\n\n" + tables}, allow=["mcp__notes__*"])


@grows(n=60)
def levels_in_a_config(n):
    """Names that a rule of the config allows, and a tool for each"""
    allowed = ", ".join(f'{{ name = "{letters(i)}", why = "old" }}' for i in range(n))
    text = f'[rules]\nname-words = {{ level = "error", allow = [{allowed}] }}\n'
    return permissions([letters(i) for i in range(n)], files={"toolnames.toml": text})


@grows(n=60, short=False)
def unknown_rules_in_a_config(n):
    """Rules of the config that there are not"""
    return permissions(files={"toolnames.toml": "[rules]\n" + "".join(f'{letters(i)} = "off"\n' for i in range(n))})


@grows(n=100, short=False)
def paths_in_a_config(n):
    """Conventions of the config for some paths"""
    return permissions(files={"toolnames.toml": "".join(f'[[paths]]\nmatch = ["{letters(i)}/**"]\nprofile = "mcp"\n\n' for i in range(n))})


@grows(n=60, short=False)
def exclusions_in_a_config(n):
    """Paths that the config excludes"""
    paths = ", ".join(f'"{letters(i)}/**"' for i in range(n))
    return permissions(files={"toolnames.toml": f"exclude = [{paths}]\n"})


@grows(n=100, short=False)
def servers_in_a_config(n):
    """Servers that the config names"""
    return permissions(files={"toolnames.toml": "".join(f'[servers.{letters(i)}]\npackage = "."\n\n' for i in range(n))})


@grows(short=False)
def products(n):
    """Products of a convention, for a hundred tools"""
    names = ", ".join(f'"{letters(i)}"' for i in range(n))
    config = f'profile = "adobe"\n\n[convention]\nproducts = [{names}]\n'
    return permissions([f"{letters(i)}_create_note" for i in range(FEW)], files={"toolnames.toml": config})


@grows(short=False)
def tools_with_products(n):
    """Tools, for a hundred products of a convention"""
    names = ", ".join(f'"{letters(i)}"' for i in range(FEW))
    config = f'profile = "adobe"\n\n[convention]\nproducts = [{names}]\n'
    return permissions([f"{letters(i)}_create_note" for i in range(n)], files={"toolnames.toml": config})


@grows(n=40)
def tools_with_a_product_each(n):
    """Products of a convention, and a tool for each"""
    names = ", ".join(f'"{letters(i)}"' for i in range(n))
    config = f'profile = "adobe"\n\n[convention]\nproducts = [{names}]\n'
    return permissions([f"{letters(i)}_create_note" for i in range(n)], files={"toolnames.toml": config})


@grows(short=False)
def bad_names(n):
    """Tools with bad names"""
    return permissions([f"Get-{letters(i)}" for i in range(n)])


@grows(command="check --format json", n=20)
def bad_names_as_json(n):
    """Tools with bad names, each with its repair"""
    return permissions([f"Get-{letters(i)} now" for i in range(n)])


@grows(command="fix --dry-run --unsafe", n=20)
def bad_names_repaired(n):
    """Tools with bad names, renamed"""
    return permissions([f"Get-{letters(i)} now" for i in range(n)])


@grows(n=40)
def equal_names(n):
    """Tools of one server that have the same name"""
    return permissions(["read_note"] * n)


@grows(short=False)
def colliding_names(n):
    """Tools of two servers that have the same names"""
    names = [f"read_{letters(i)}" for i in range(n)]
    servers = {key: {"command": "python", "args": [f"{key}/server.py"]} for key in ("one", "two")}
    files = {".mcp.json": json.dumps({"mcpServers": servers})}
    for key in servers:
        files |= {f"{key}/server.py": code(names, key), f"{key}/pyproject.toml": f'[project]\nname = "{key}"\n'}
    return files


@grows(n=40)
def servers_with_one_name(n):
    """Servers that have a tool of the same name"""
    servers = {letters(i): {"command": "python", "args": [f"{letters(i)}/server.py"]} for i in range(n)}
    files = {".mcp.json": json.dumps({"mcpServers": servers}, indent=0)}
    for i in range(n):
        files[f"{letters(i)}/server.py"] = code(["read_note"], letters(i))
        files[f"{letters(i)}/pyproject.toml"] = f'[project]\nname = "{letters(i)}"\n'
    return files


@grows(short=False)
def names_that_begin_alike(n):
    """Tools of one server with a prefix each, judged by their words"""
    return permissions([f"{letters(i)}_{letters(i + 1)}" for i in range(n)], files={"toolnames.toml": '[convention]\npattern = "{verb}_{noun}"\n'})


@grows(n=60)
def suppressed_names(n):
    """Comments that allow a bad name each"""
    tools = code([f"Get-{letters(i)}" for i in range(n)]).replace("@mcp.tool", "# toolnames: allow(name-case) old\n@mcp.tool")
    return permissions(files={"server.py": tools})


@grows(n=80, short=False)
def suppressions_of_nothing(n):
    """Comments that allow nothing"""
    return permissions(files={"server.py": code(["read_note"]) + "# toolnames: allow(name-case) old\nx = 1\n" * n})


# A convention that holds for documents and their tables, too.
DOCUMENTS = {"toolnames.toml": '[convention]\ndocuments = ["**/*.md"]\ntables = ["**/*.md"]\n'}


def registry(rows):
    table = "".join(f"| {short} | {full} | Does it | 1.0.0 |\n" for short, full in rows)
    columns = "| Tool Name | Full Name | Description | Version |\n| --- | --- | --- | --- |\n"
    return f"# Registry\n\n**Namespace:** `notes`\n\n## Registered Tools\n\n{columns}{table}"


CHORA = 'profile = "chora"\n\n[convention]\nnamespace = "notes"\n'


@grows(short=False)
def rows_of_a_registry(n):
    """Rows of a registry whose tools are not there"""
    rows = [(letters(i), f"notes:{letters(i)}") for i in range(n)]
    return permissions(["notes:read_note"], files={"toolnames.toml": CHORA, "NAMESPACES.md": registry(rows)})


@grows(short=False)
def tools_that_a_registry_lacks(n):
    """Tools that a registry has no row for"""
    names = [f"notes:read_{letters(i)}" for i in range(n)]
    return permissions(names, files={"toolnames.toml": CHORA, "NAMESPACES.md": registry([("read_note", "notes:read_note")])})


@grows(n=60)
def tools_with_a_row_each(n):
    """Tools, and a row of a registry for each"""
    rows = [(letters(i), f"notes:{letters(i)}") for i in range(n)]
    return permissions([full for _, full in rows], files={"toolnames.toml": CHORA, "NAMESPACES.md": registry(rows)})


@grows(command="registry", n=100, short=False)
def registry_shown(n):
    """Tools, shown as a registry lacks them"""
    names = [f"notes:read_{letters(i)}" for i in range(n)]
    return permissions(names, files={"toolnames.toml": CHORA, "NAMESPACES.md": registry([])})


@grows(short=False)
def rows_of_a_document(n):
    """Rows of a document's table of tools"""
    rows = "".join(f"| `{letters(i)}` | Does it |\n" for i in range(n))
    names = [letters(i) for i in range(FEW)]
    return permissions(names, files={**DOCUMENTS, "README.md": f"# Notes\n\n## Tools\n\n| Tool | What it does |\n| --- | --- |\n{rows}"})


@grows(short=False)
def tools_with_a_row_of_a_document_each(n):
    """Tools, and a row of a document's table for each"""
    rows = "".join(f"| `{letters(i)}` | Does it |\n" for i in range(n))
    return permissions([letters(i) for i in range(n)], files={**DOCUMENTS, "README.md": f"# Notes\n\n## Tools\n\n| Tool | What it does |\n| --- | --- |\n{rows}"})


@grows(n=80, short=False)
def names_in_a_document(n):
    """Names of tools in a document's text"""
    text = "".join(f"Call `mcp__notes__{letters(i)}` or `raed_note`.\n" for i in range(n))
    return permissions(files={**DOCUMENTS, "README.md": f"# Notes\n\n{text}"})


@grows(n=60, short=False)
def tables_of_a_document(n):
    """Tables of a document"""
    table = "## Tools {0}\n\n| Tool | What it does |\n| --- | --- |\n| `{0}` | Does it |\n\n"
    return permissions(files={**DOCUMENTS, "README.md": "# Notes\n\n" + "".join(table.format(letters(i)) for i in range(n))})


@grows(n=60)
def documents(n):
    """Documents that speak of a tool"""
    text = "# Notes\n\nCall `read_note`, `mcp__notes__raed_note`: 28 tools.\n"
    return permissions(files={**DOCUMENTS, **{f"docs/{letters(i)}.md": text for i in range(n)}})


GATEWAY = 'profile = "syntropy"\n'


@grows(n=60)
def states_of_a_gateway(n):
    """Tools that a gateway's state switches on and off"""
    names = [f"mcp__syntropy__notes_{letters(i)}" for i in range(n)]
    state = {"enabled": names, "disabled": names}
    return permissions(files={"toolnames.toml": GATEWAY, ".syntropy/tool-state.json": json.dumps(state, indent=0)})


@grows(n=100, short=False)
def entries_of_a_gateway(n):
    """Entries about the tools of a gateway"""
    names = [f"mcp__syntropy__notes_{letters(i)}" for i in range(n)] + [f"mcp__syntropy_notes_{letters(i)}" for i in range(n)]
    return permissions(allow=names, files={"toolnames.toml": GATEWAY})


@grows(command="rename read_note fetch_note --dry-run", n=100, short=False)
def entries_that_a_rename_follows(n):
    """Entries, of which one is about a tool that is renamed"""
    return permissions(["read_note"], allow=["mcp__notes__read_note"] + [f"mcp__notes__{letters(i)}" for i in range(n)])


@grows(command="rename read_note fetch_note --dry-run", n=100, short=False)
def mentions_that_a_rename_follows(n):
    """Places of a document that name a tool which is renamed"""
    return permissions(["read_note"], files={"README.md": "# Notes\n\n" + "Call `read_note`.\n" * n})


@grows(command="why read_note", n=100, short=False)
def why_of_a_name(n):
    """Keys that start a server whose tool somebody asks about"""
    return {".mcp.json": config([letters(i) for i in range(n)]), "server.py": code(["read_note"])}


@grows(command="init", n=60, short=False)
def names_from_which_a_convention_follows(n):
    """Tools whose names a convention is to be found for"""
    return permissions([f"{letters(i)}_{letters(i + 7)}" for i in range(n)])


@grows(n=60)
def nested_matchers(n):
    """Matchers of hooks that take much more than what they are written with"""
    hooks = [{"matcher": f"((((mcp__notes__.*){{1,100}}){{1,100}}){{1,100}}){{1,50}}{i}"} for i in range(n)]
    return permissions(files={".claude/settings.json": json.dumps({"hooks": {"PreToolUse": hooks}})})


@grows(n=60, short=False)
def path_rules(n):
    """Rows of a config for some paths, and files"""
    rows = "".join(f'[[paths]]\nmatch = ["**/{letters(i)}*"]\nprofile = "adobe"\n' for i in range(n))
    return {"toolnames.toml": rows, **{f"{letters(i)}/server.py": code([f"read_{letters(i)}"]) for i in range(n)}}


@grows(n=60, short=False)
def distributions(n):
    """Distributions of a virtual environment, and dependencies"""
    site = ".venv/lib/python3/site-packages"
    installed = {f"{site}/{letters(i)}-1.dist-info/METADATA": "Name: a\n" for i in range(n)}
    dependencies = json.dumps([letters(i + 7) for i in range(n)])
    return {"pyproject.toml": f'[project]\nname = "a"\ndependencies = {dependencies}\n', **installed}


@grows(n=60)
def modules_that_are_started(n):
    """Servers that are started by the name of a module that nobody has, and a record of as many files"""
    servers = {letters(i): {"command": "python", "args": ["-m", f"other_{letters(i)}"]} for i in range(n)}
    site = ".venv/lib/python3/site-packages/a-1.dist-info"
    record = "".join(f"{letters(i)}/__init__.py,,\n" for i in range(n))
    return {".mcp.json": json.dumps({"mcpServers": servers}), f"{site}/METADATA": "Name: a\n", f"{site}/RECORD": record}


@grows(n=60)
def keys_of_long_names(n):
    """Keys of one server, and tools of it whose names are too long for a client under each"""
    tools = [f"read_{'the_' * 24}{letters(i)}" for i in range(n)]
    servers = {letters(i): {"command": "python", "args": ["server.py"]} for i in range(n)}
    return {"server.py": code(tools), ".mcp.json": json.dumps({"mcpServers": servers})}


@grows(command="fix --dry-run --unsafe", n=20)
def bad_names_of_many_servers(n):
    """Servers that each have a tool of the same bad name, and a wildcard that guards tools"""
    server = 'from mcp.server.fastmcp import FastMCP\nmcp = FastMCP("notes")\n\n@mcp.tool(name="bad name")\ndef f(): pass\n'
    deny = json.dumps({"permissions": {"deny": ["mcp__notes__delete_*"]}})
    return {".claude/settings.json": deny, **{f"{letters(i)}.py": server for i in range(n)}}


@grows(n=40)
def lists_of_servers_in_toml(n):
    """Keys that start one server of a hundred tools, each with a list of its own"""
    table = '[mcp_servers.{0}]\ncommand = "python"\nargs = ["server.py"]\nenabled_tools = ["raed_note"]\n\n'
    names = [f"read_{letters(i)}" for i in range(FEW)]
    return {".codex/config.toml": "".join(table.format(letters(i)) for i in range(n)), "server.py": code(names)}


RENAME = "rename read_note fetch_note --dry-run"


@grows(command=RENAME, n=100)
def conditions_on_a_constant(n):
    """Conditions on a constant that holds the name of the tool that is renamed"""
    server = (
        "from mcp.server.fastmcp import FastMCP\nfrom names import READ\n\nmcp = FastMCP(\"notes\")\n\n\n"
        "@mcp.tool(name=READ)\ndef read(): pass\n"
    )
    guard = "from names import READ\n\n" + "".join(f"if tool_name == READ:\n    ask({i})\n" for i in range(n))
    return permissions(files={"names.py": 'READ = "read_note"\n', "server.py": server, "guard.py": guard})


@grows(command=RENAME, n=100)
def rows_that_a_rename_lays_out(n):
    """Rows of a table in columns, each with the name of the tool that is renamed"""
    rows = "".join(f"| `read_note` | {i:06} |\n" for i in range(n))
    return {"server.py": code(["read_note"]), "README.md": f"| Tool        | Number |\n| ----------- | ------ |\n{rows}"}


@grows(command=RENAME, n=100)
def keys_with_an_entry_that_a_rename_follows(n):
    """Keys of a server whose tool is renamed, and an entry for each"""
    keys = [letters(i) for i in range(n)]
    files = {".mcp.json": config(keys), "server.py": code(["read_note"])}
    return {**files, ".claude/settings.json": settings(allow=[f"mcp__{key}__read_note" for key in keys])}


@grows(command=RENAME, n=100)
def equal_entries_that_a_rename_follows(n):
    """Entries about a tool that is renamed, all the same, and wildcards that deny it"""
    return permissions(["read_note"], allow=["mcp__notes__read_note"] * n, deny=["mcp__notes__r*"] * n)


@grows(command=RENAME, n=100)
def calls_that_a_rename_follows(n):
    """Calls of a tool that is renamed"""
    calls = '    await session.call_tool("read_note", {})\n' * n
    return permissions(files={"agent.py": f"from mcp import ClientSession\n\n\nasync def main(session: ClientSession):\n{calls}"})


@grows(command=RENAME, n=100)
def conditions_that_a_rename_follows(n):
    """Conditions on the name of a tool that is renamed"""
    condition = '    if name == "read_note":\n        return 1\n'
    return permissions(files={"guard.py": "def of(name):\n" + condition * n})


@grows(command=RENAME, n=600)
def mentions_on_one_line_that_a_rename_follows(n):
    """Names of a tool that is renamed, in one line of JSON and in one list of source"""
    files = {"calls.json": json.dumps([{"tool": "read_note"}] * n), "names.py": f"TOOLS = {['read_note', 'delete_note'] * n}\n"}
    return permissions(files=files)


@grows(command=RENAME, n=100, short=False)
def blocks_that_a_rename_follows(n):
    """Blocks of a document's code that name a tool which is renamed"""
    block = '```python\ncall("read_note")\ncall("read_note")\n```\n\n'
    return permissions(files={"README.md": "# Notes\n\n" + block * n})


@grows(command="check --format json", n=40, short=False)
def long_bad_names_as_json(n):
    """Tools with long bad names, each with its repair"""
    return permissions([f"Get-{'x' * 2000}{letters(i)} now" for i in range(n)])


@grows(n=100)
def settings_in_options_of_a_script(n):
    """Command lines of a script that are given settings as an option, and lines that go on"""
    given = json.dumps({"permissions": {"allow": ["mcp__notes__raed_note"]}})
    lines = "".join(f"claude --settings '{given}'\nclaude --allowedTools \\\n" for _ in range(n))
    return permissions(files={"run.sh": f"#!/bin/sh\n{lines}"})


@grows(n=100)
def keys_and_entries_in_code(n):
    """Servers that code gives to an agent, and an entry for each"""
    keys = ", ".join(f'"{letters(i)}": notes' for i in range(n))
    names = ", ".join(f'"mcp__{letters(i)}__read_note"' for i in range(n))
    text = (
        "from claude_agent_sdk import ClaudeAgentOptions, create_sdk_mcp_server\n\n"
        f'notes = create_sdk_mcp_server(name="notes", tools=[])\noptions = ClaudeAgentOptions(mcp_servers={{{keys}}}, allowed_tools=[{names}])\n'
    )
    return permissions(files={"agent.py": text})


@grows(n=100)
def patterns_over_keys(n):
    """Keys of opencode that start one server, and a pattern for each"""
    mcp = {letters(i): {"type": "local", "command": ["python", "server.py"]} for i in range(n)}
    allowed = {f"{letters(i)}_x*": "allow" for i in range(n)}
    return {"opencode.json": json.dumps({"mcp": mcp, "permission": allowed}, indent=0), "server.py": code(["read_note"])}


@grows(n=100, short=False)
def commas_in_an_entry(n):
    """Names with commas between them, in one entry"""
    return permissions(allow=["mcp__notes__read_note, " * n])


@grows(n=100, short=False)
def steps_of_a_path_of_a_framework(n):
    """Steps of the path of a framework's form"""
    form = f'[[frameworks.form]]\nkind = "tool"\non = "call"\npath = "{"*." * n}tool"\nname = ["arg0"]\n'
    head = '[[frameworks]]\nid = "a"\nlanguage = "python"\npackages = ["mcp"]\nduplicate = "throws"\n'
    return permissions(files={"toolnames.toml": head + form})


@grows(command=RENAME, n=400, short=False)
def words_on_one_line_that_a_rename_follows(n):
    """Names of one word on one line of a document"""
    return permissions(["read_note", "read"], files={"README.md": "read " * n})


BACK = "rename read_note fetch_note --dry-run --no-alias"


@grows(command=BACK, n=100)
def equal_entries_of_both_names(n):
    """Entries about a tool that is renamed, and as many of the new name, all in turn"""
    return permissions(["read_note"], allow=["mcp__notes__read_note", "mcp__notes__fetch_note", "mcp__notes__read_note"] * n)


def hooks(commands, files=None):
    """A server with a tool, and a hook for each command that runs before its calls."""
    each = [{"matcher": "mcp__notes__.*", "hooks": [{"type": "command", "command": command}]} for command in commands]
    return {
        ".mcp.json": config(),
        "server.py": code(["read_note"]),
        ".claude/settings.json": json.dumps({"hooks": {"PreToolUse": each}}, indent=0) + "\n",
        **(files or {}),
    }


@grows(command=RENAME, n=40)
def hooks_that_a_rename_follows(n):
    """Hooks before the calls of a tool that is renamed, each with a script of its own"""
    scripts = {f"hooks/{letters(i)}.sh": f'case "$1" in {letters(i)}*) exit 2;; esac\n' for i in range(n)}
    return hooks([f"bash {path}" for path in scripts], scripts)


@grows(command=RENAME, n=100)
def paths_in_a_hook(n):
    """Words like paths, and slashes in one of them, in the command of a hook"""
    return hooks([" ".join(f"a/{letters(i)}.sh" for i in range(n)) + " " + "a/" * n + "b.sh"])


@grows(command=RENAME, n=100)
def lines_of_a_script_of_a_hook(n):
    """Conditions of a script that a hook runs"""
    return hooks(["bash guard.sh"], {"guard.sh": "".join(f'[[ "$1" == *{letters(i)}* ]] && exit 2\n' for i in range(n))})
