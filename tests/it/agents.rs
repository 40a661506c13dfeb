//! Calls of agents' SDKs that name tools: what is right in them and what is wrong, with the findings at their places.

use super::cli::{folder, run, stdout};
use super::fixture::Fixture;

/// A server with three tools, which the calls under test start.
const SERVER: &str = r#"
//- /server.py
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("notes")
@mcp.tool()
def read_note(id: str) -> str:
    """Read a note."""
@mcp.tool()
def write_note(id: str) -> None:
    """Write a note."""
@mcp.tool()
def drop_note(id: str) -> None:
    """Delete a note."""
"#;

#[track_caller]
fn check(files: &str) {
    Fixture::parse(&format!("{SERVER}{files}")).check();
}

#[test]
fn openai_agents_in_python() {
    check(
        r#"
//- /agent.py
import asyncio
import os
from agents import Agent, Runner
from agents.mcp import MCPServerStdio, create_static_tool_filter

ALLOWED = ["raed_note", "drop_note"]
#           ^^^^^^^^^ permission-unknown-tool: `Notes` has no tool `raed_note`; did you mean `read_note`?

async def main():
    here = os.path.dirname(os.path.abspath(__file__))
    async with MCPServerStdio(
        name="Notes",
        params={"command": "python", "args": [os.path.join(here, "server.py")]},
        tool_filter=create_static_tool_filter(allowed_tool_names=ALLOWED, blocked_tool_names=["erase"]),
#                                                                                              ^^^^^ permission-dead: has no tool `erase`, so this entry guards nothing
        require_approval={"always": {"tool_names": ["drp_note"]}, "never": {"tool_names": ["read_note"]}},
#                                                    ^^^^^^^^ permission-dead: did you mean `drop_note`?
    ) as server:
        await Runner.run(Agent(name="writer", mcp_servers=[server]), "hello")

if __name__ == "__main__":
    asyncio.run(main())
"#,
    );
}

#[test]
fn openai_agents_in_typescript() {
    check(
        r#"
//- /agent.ts
import { Agent, MCPServerStdio, createMCPToolStaticFilter, hostedMcpTool } from "@openai/agents";
const allowed = ["read_note", "wirte_note"];
//                             ^^^^^^^^^^ permission-unknown-tool: `notes` has no tool `wirte_note`; did you mean `write_note`?
export const server = new MCPServerStdio({
  name: "notes",
  fullCommand: "python server.py",
  toolFilter: createMCPToolStaticFilter({ allowed, blocked: ["drop_note", "erase"] }),
//                                                                         ^^^^^ permission-dead
});
export const hosted = hostedMcpTool({
  serverLabel: "elsewhere",
  allowedTools: { toolNames: ["anything"] },
});
"#,
    );
}

#[test]
fn names_reach_a_call_through_functions_and_files() {
    check(
        r#"
//- /tools.py
from google.adk.tools.mcp_tool import McpToolset, StdioConnectionParams
from mcp import StdioServerParameters

def toolset(*names):
    params = StdioServerParameters(command="uv", args=["run", "server.py"])
    return McpToolset(connection_params=StdioConnectionParams(server_params=params), tool_filter=list(names))
//- /main.py
from tools import toolset

READING = toolset("read_note", "list_notes")
#                               ^^^^^^^^^^ permission-unknown-tool: `uv run server.py` has no tool `list_notes`
ALL = toolset()
"#,
    );
}

#[test]
fn calls_in_functions_that_nothing_calls_count() {
    check(
        r#"
//- /crew.py
from crewai import Agent
from crewai.mcp import MCPServerStdio
from crewai.mcp.filters import create_static_tool_filter

class Crew:
    def writer(self) -> Agent:
        server = MCPServerStdio(
            command="python",
            args=["server.py"],
            tool_filter=create_static_tool_filter(allowed_tool_names=["write_note", "wrote_note"]),
#                                                                                    ^^^^^^^^^^ permission-unknown-tool: did you mean `write_note`?
        )
        return Agent(role="writer", mcps=[server])
"#,
    );
}

#[test]
fn calls_in_helpers_get_what_functions_that_nothing_calls_pass_to_them() {
    check(
        r#"
//- /helper.py
import functools
import os
import shutil
from pathlib import Path
from agents.mcp import MCPServerStdio, create_static_tool_filter
from mcp import StdioServerParameters

HERE = Path(__file__).resolve().parent

def connected(allowed, script="server.py"):
    return MCPServerStdio(
        params={"command": os.getenv("PYTHON", "python"), "args": [script], "cwd": str(HERE)},
        tool_filter=create_static_tool_filter(allowed_tool_names=allowed),
    )

server_with = functools.partial(MCPServerStdio, params={"command": shutil.which("python") or "python3", "args": ["server.py"]})
//- /agent.py
from helper import connected, server_with
from agents.mcp import create_static_tool_filter

class Notes:
    def __init__(self, names: list[str] | None = None):
        self.names = names or ["read_note", "wirte_note"]
#                                            ^^^^^^^^^^ permission-unknown-tool: did you mean `write_note`?

    def open(self):
        return connected(self.names)

async def main():
    async with connected(["read_note", "drpo_note"]) as server:
#                                       ^^^^^^^^^ permission-unknown-tool: did you mean `drop_note`?
        pass

other = server_with(tool_filter=create_static_tool_filter(allowed_tool_names=["raed_note"]))
#                                                                              ^^^^^^^^^ permission-unknown-tool: did you mean `read_note`?
//- /derived.py
import os
from agents.mcp import MCPServerStdio, create_static_tool_filter

class Notes(MCPServerStdio):
    def __init__(self, **more):
        super().__init__(
            params={"command": "uv", "args": ["--directory", os.path.dirname(__file__), "run", "server.py"]},
            tool_filter=create_static_tool_filter(allowed_tool_names=["drpo_note"]),
#                                                                      ^^^^^^^^^ permission-unknown-tool: did you mean `drop_note`?
            **more,
        )
"#,
    );
}

#[test]
fn a_parameter_with_a_type_of_the_sdk_is_an_object_of_the_sdk() {
    check(
        r#"
//- /.mcp.json
{ "mcpServers": { "notes": { "command": "python", "args": ["server.py"] } } }
//- /agent.py
from openai import OpenAI, AsyncOpenAI

def ask(client: OpenAI, text: str):
    return client.responses.create(
        model="m", input=text,
        tools=[{"type": "mcp", "server_label": "notes", "allowed_tools": ["raed_note"]}],
#                                                                          ^^^^^^^^^ permission-unknown-tool: did you mean `read_note`?
    )

class Asker:
    def __init__(self, client: AsyncOpenAI | None):
        self.client = client

    async def ask(self, text: str):
        return await self.client.responses.create(
            model="m", input=text,
            tools=[{"type": "mcp", "server_label": "notes", "allowed_tools": ["wirte_note"]}],
#                                                                              ^^^^^^^^^^ permission-unknown-tool: did you mean `write_note`?
        )
//- /agent.ts
import OpenAI from "openai";
export class Asker {
  constructor(private readonly client: OpenAI) {}
  ask(input: string) {
    return this.client.responses.create({
      model: "m", input,
      tools: [{ type: "mcp", server_label: "notes", allowed_tools: ["drpo_note"] }],
//                                                                   ^^^^^^^^^ permission-unknown-tool: did you mean `drop_note`?
    });
  }
}
export async function ask(client: OpenAI, input = "x") {
  await client.responses.create({
    model: "m", input,
    tools: [{ type: "mcp", server_label: "notes", allowed_tools: ["raed_note"] }],
//                                                                 ^^^^^^^^^ permission-unknown-tool: did you mean `read_note`?
  });
}
"#,
    );
}

#[test]
fn servers_of_claudes_sdk_are_those_that_the_program_starts() {
    check(
        r#"
//- /agent.py
import os
import sys
from claude_agent_sdk import AgentDefinition, ClaudeAgentOptions

HERE = os.path.dirname(os.path.abspath(__file__))
options = ClaudeAgentOptions(
    mcp_servers={"notes": {"command": sys.executable, "args": [os.path.join(HERE, "server.py")]}},
    allowed_tools=["Read", "mcp__notes__raed_note", "mcp__notes__read_note"],
#                           ^^^^^^^^^^^^^^^^^^^^^ permission-unknown-tool: `notes` has no tool `raed_note`; did you mean `mcp__notes__read_note`?
    agents={"reader": AgentDefinition(description="d", prompt="p", tools=["mcp__notes__wirte_note"])},
#                                                                          ^^^^^^^^^^^^^^^^^^^^^^ permission-unknown-tool: did you mean `mcp__notes__write_note`?
)
elsewhere = ClaudeAgentOptions(
    mcp_servers={"others": {"command": "npx", "args": ["-y", "@acme/others"]}},
    allowed_tools=["mcp__others__anything"],
)
//- /agent.ts
import path from "node:path";
import { query } from "@anthropic-ai/claude-agent-sdk";
query({
  prompt: "x",
  options: {
    mcpServers: { notes: { command: "python", args: [path.join(process.cwd(), "server.py")] } },
    disallowedTools: ["mcp__notes__drpo_note"],
//                     ^^^^^^^^^^^^^^^^^^^^^ permission-dead: did you mean `mcp__notes__drop_note`?
  },
});
"#,
    );
}

#[test]
fn approval_tool_by_tool_and_names_denied_later() {
    check(
        r#"
//- /agent.py
from agents.mcp import MCPServerStdio
server = MCPServerStdio(
    params={"command": "python", "args": ["server.py"]},
    require_approval={"drpo_note": "always", "read_note": "never"},
#                      ^^^^^^^^^ permission-dead: did you mean `drop_note`?
)
other = MCPServerStdio(
    params={"command": "python", "args": ["server.py"]},
    require_approval={"always": {"tool_names": ["drop_note"]}, "never": {"tool_names": ["read_note"]}},
)
whole = MCPServerStdio(params={"command": "python", "args": ["server.py"]}, require_approval="always")
//- /using.py
from mcp_use import MCPAgent, MCPClient
client = MCPClient.from_dict({"mcpServers": {"notes": {"command": "python", "args": ["server.py"]}}})
agent = MCPAgent(llm=None, client=client)
agent.set_disallowed_tools(["drpo_note"])
#                            ^^^^^^^^^ permission-unknown-tool: no server in this workspace has a tool `drpo_note`; did you mean `drop_note`?
"#,
    );
}

#[test]
fn a_label_is_the_key_of_a_config() {
    check(
        r#"
//- /.mcp.json
{ "mcpServers": { "notes": { "command": "python", "args": ["server.py"] } } }
//- /ask.py
from openai import OpenAI
import anthropic

client = OpenAI()
client.responses.create(
    model="some-model",
    input="hello",
    tools=[
        {"type": "web_search"},
        {
            "type": "mcp",
            "server_label": "notes",
            "server_url": "https://example.com/mcp",
            "allowed_tools": {"tool_names": ["read_note", "read-note"]},
#                                                          ^^^^^^^^^ permission-unknown-tool: did you mean `read_note`?
            "require_approval": {"always": {"tool_names": ["drop_note"]}},
        },
        {"type": "mcp", "server_label": "others", "server_url": "https://example.com/mcp", "allowed_tools": ["erase"]},
    ],
)
from agents import Agent, HostedMCPTool
agent = Agent(tools=[HostedMCPTool(tool_config={
    "type": "mcp", "server_label": "notes", "server_url": "https://example.com", "allowed_tools": ["reed_note"],
#                                                                                                   ^^^^^^^^^ permission-unknown-tool: did you mean `read_note`?
})])
anthropic.Anthropic().beta.messages.create(
    mcp_servers=[{"name": "notes", "tool_configuration": {"allowed_tools": ["reed_note"]}}],
#                                                                            ^^^^^^^^^ permission-unknown-tool: did you mean `read_note`?
    tools=[{"type": "mcp_toolset", "mcp_server_name": "notes", "configs": {"drop_notes": {"enabled": False}}}],
#                                                                           ^^^^^^^^^^ permission-unknown-tool: did you mean `drop_note`?
)
"#,
    );
}

#[test]
fn names_that_contain_the_server() {
    check(
        r#"
//- /kernel.py
from semantic_kernel.connectors.ai import FunctionChoiceBehavior
from semantic_kernel.connectors.mcp import MCPStdioPlugin

plugin = MCPStdioPlugin(name="notes", command="python", args=["server.py"])
choice = FunctionChoiceBehavior.Auto(filters={"included_functions": ["notes-read_note", "notes-erase", "weather-get"]})
#                                                                                        ^^^^^^^^^^^ permission-unknown-tool: `notes` has no tool `erase`
"#,
    );
}

#[test]
fn a_list_for_all_servers_of_an_agent_is_checked_for_typos_only() {
    check(
        r#"
//- /deep.py
from deepagents import create_deep_agent
agent = create_deep_agent(tools=[], interrupt_on={"drop_note": True, "drop_noet": True, "send_mail": True})
#                                                                     ^^^^^^^^^ permission-unknown-tool: no server in this workspace has a tool `drop_noet`
//- /use.py
from mcp_use import MCPAgent, MCPClient
one = MCPClient.from_dict({"mcpServers": {"notes": {"command": "python", "args": ["server.py"]}}})
two = MCPClient.from_dict({"mcpServers": {
    "notes": {"command": "python", "args": ["server.py"]},
    "mail": {"command": "npx", "args": ["mail-mcp"]},
}})
MCPAgent(client=one, disallowed_tools=["send_mail"])
#                                       ^^^^^^^^^ permission-dead: `notes` has no tool `send_mail`
MCPAgent(client=two, disallowed_tools=["send_mail"])
"#,
    );
}

#[test]
fn what_is_no_call_of_the_sdk_or_cannot_be_known_is_silent() {
    check(
        r#"
//- /own.py
from .helpers import McpToolset
McpToolset(connection_params={"server_params": {"command": "python", "args": ["server.py"]}}, tool_filter=["erase"])
//- /agno_agent.py
import sys
from agno.tools.mcp import MCPTools
MCPTools(command=sys.argv[1], include_tools=["erase"])
MCPTools(command="python server.py", include_tools=sys.argv[2:])
MCPTools(command="uvx some-other-server", include_tools=["erase"])
MCPTools(url="https://example.com/mcp", include_tools=["raed_note"])
//- /.mcp.json
{ "mcpServers": { "notes": { "command": "python", "args": ["server.py"] } } }
//- /named_agent.py
import sys
from agents.mcp import MCPServerStdio, MCPServerSse
MCPServerStdio(name="notes", params={"command": sys.argv[1]}, tool_filter={"allowed_tool_names": ["erase"]})
MCPServerStdio(name="notes", params={"command": "uvx", "args": ["others"]}, tool_filter={"allowed_tool_names": ["erase"]})
MCPServerSse(name="notes", params={"url": "https://example.com/sse"}, tool_filter={"allowed_tool_names": ["erase"]})
//- /examples/one/server.py
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("one")
@mcp.tool()
def count_notes() -> int:
    return 1
//- /examples/one/agent.py
from agents.mcp import MCPServerStdio
MCPServerStdio(params={"command": "python3", "args": ["server.py", "--key=abc"]}, tool_filter={"allowed_tool_names": ["erase"]})
#                                                                                                                      ^^^^^ permission-unknown-tool: `python3 server.py` has no tool `erase`
//- /shared.py
import sys
from agents.mcp import MCPServerStdio
BOTH = ["read_note", "count_notes"]
for folder in [".", "examples/one"]:
    MCPServerStdio(name=folder, params={"command": "python", "args": [f"{folder}/server.py"]}, tool_filter={"allowed_tool_names": BOTH})
MCPServerStdio(params={"command": "python", "args": ["unknown.py"]}, tool_filter={"allowed_tool_names": ["search"]})
//- /unknown.py
from elsewhere import serve
serve("search")
//- /interpreted.py
import sys
from agents.mcp import MCPServerStdio
MCPServerStdio(params={"command": sys.executable, "args": ["-u", "-m", "server"]}, tool_filter={"allowed_tool_names": ["erase"]})
#                                                                                                                       ^^^^^ permission-unknown-tool: has no tool `erase`
//- /sanitised.py
from crewai_tools import MCPServerAdapter
from mcp import StdioServerParameters
with MCPServerAdapter(StdioServerParameters(command="python", args=["server.py"]), "readNote", "write-note") as tools:
    pass
//- /hosted.py
from agents import HostedMCPTool
HostedMCPTool(tool_config={"type": "mcp", "server_label": "notes", "allowed_tools": {"read_only": True}})
//- /managed.py
import anthropic
anthropic.Anthropic().beta.agents.create(
    tools=[{"type": "mcp_toolset", "mcp_server_name": "notes", "configs": [{"name": "drop_note", "enabled": True}]}],
)
//- /own_tool.py
from deepagents import create_deep_agent
from langchain.tools import tool
@tool
def drop_notes() -> str:
    """Drop all notes."""
agent = create_deep_agent("some-model", tools=[drop_notes], interrupt_on={"drop_notes": True})
//- /prefixed.py
from agent_framework import MCPStdioTool
MCPStdioTool("notes", "python", args=["server.py"], allowed_tools=["n_read_note", "erase"], tool_name_prefix="n")
//- /framework_agent.py
from agent_framework import MCPStdioTool
from mcp.server.fastmcp import FastMCP
MCPStdioTool(name="notes", command="python", args=["prompting.py"], allowed_tools=["summarize", "read_note"])
//- /prompting.py
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("prompting")
@mcp.tool()
def read_note(id: str) -> str:
    return id
@mcp.prompt()
def summarize(id: str) -> str:
    return id
//- /strands_agent.py
import re
from mcp import StdioServerParameters, stdio_client
from strands.tools.mcp import MCPClient
MCPClient(
    lambda: stdio_client(StdioServerParameters(command="python", args=["server.py"])),
    tool_filters={"allowed": [re.compile("read_.*"), lambda tool: True, "write_note"], "rejected": ["erase"]},
#                                                                                                    ^^^^^ permission-dead
)
"#,
    );
}

#[test]
fn the_other_sdks_of_python() {
    check(
        r#"
//- /.mcp.json
{ "mcpServers": { "notes": { "command": "python", "args": ["server.py"] } } }
//- /llama.py
from llama_index.tools.mcp import BasicMCPClient, McpToolSpec
client = BasicMCPClient("python", args=["server.py"])
spec = McpToolSpec(client=client, allowed_tools=["read_note", "reed_note"])
#                                                              ^^^^^^^^^ permission-unknown-tool: did you mean `read_note`?
//- /hay.py
from haystack_integrations.tools.mcp import MCPTool, MCPToolset, StdioServerInfo
server = StdioServerInfo(command="python", args=["server.py"])
tools = MCPToolset(server_info=server, tool_names=["read_note", "drop-note"])
#                                                                ^^^^^^^^^ permission-unknown-tool: did you mean `drop_note`?
tool = MCPTool(name="write_notes", server_info=server)
#                    ^^^^^^^^^^^ permission-unknown-tool: did you mean `write_note`?
//- /framework.py
from agent_framework import MCPStdioTool
tool = MCPStdioTool(
    name="notes",
    command="python",
    args=["server.py"],
    allowed_tools=["read_note", "list_notes"],
#                                ^^^^^^^^^^ permission-unknown-tool: `notes` has no tool `list_notes`
    approval_mode={"always_require_approval": ["drop_notes"], "never_require_approval": ["read_note"]},
#                                               ^^^^^^^^^^ permission-dead: so this entry never asks; did you mean `drop_note`?
)
//- /auto.py
from autogen_ext.tools.mcp import McpWorkbench, StdioServerParams
from autogen_core.tools import ToolOverride
bench = McpWorkbench(
    StdioServerParams(command="python", args=["server.py"]),
    tool_overrides={"read_note": ToolOverride(name="look"), "erase_note": ToolOverride(name="erase")},
#                                                            ^^^^^^^^^^ permission-unknown-tool: has no tool `erase_note`
)
//- /adapter.py
from crewai_tools import MCPServerAdapter
from mcp import StdioServerParameters
with MCPServerAdapter(StdioServerParameters(command="python", args=["server.py"]), "read_note", "wrte_note") as tools:
#                                                                                                ^^^^^^^^^ permission-unknown-tool: did you mean `write_note`?
    pass
//- /pydantic_agent.py
from pydantic_ai import Agent, MCPServerTool
agent = Agent(builtin_tools=[MCPServerTool(id="notes", url="https://example.com", allowed_tools=["raed_note"])])
#                                                                                                 ^^^^^^^^^ permission-unknown-tool: did you mean `read_note`?
//- /copilot_agent.py
from copilot import CopilotClient
async def main():
    client = CopilotClient()
    await client.create_session(
        mcp_servers={"notes": {"type": "local", "command": "python", "args": ["server.py"], "tools": ["read_note", "erase"]}},
#                                                                                                                   ^^^^^ permission-unknown-tool: has no tool `erase`
        available_tools=["notes-read_note", "notes-wirte_note", "bash", "mcp:*", "builtin:grep", "mcp:notes-drop_note"],
#                                            ^^^^^^^^^^^^^^^^ permission-unknown-tool: did you mean `notes-write_note`?
    )
"#,
    );
}

#[test]
fn the_other_sdks_of_typescript() {
    check(
        r#"
//- /.mcp.json
{ "mcpServers": { "notes": { "command": "python", "args": ["server.py"] } } }
//- /adk.ts
import { MCPToolset } from "@google/adk";
export const tools = new MCPToolset(
  { type: "StdioConnectionParams", serverParams: { command: "python", args: ["server.py"] } },
  ["read_note", "readNote"],
//               ^^^^^^^^ permission-unknown-tool: did you mean `read_note`?
);
//- /use.ts
import { MCPAgent, MCPClient } from "mcp-use";
const client = MCPClient.fromDict({ mcpServers: { notes: { command: "python", args: ["server.py"] } } });
export const agent = new MCPAgent({ client, disallowedTools: ["drop_notes"] });
//                                                             ^^^^^^^^^^ permission-dead: did you mean `drop_note`?
//- /ai.ts
import { experimental_createMCPClient as createMCPClient, generateText } from "ai";
import { Experimental_StdioMCPTransport as StdioMCPTransport } from "ai/mcp-stdio";
const client = await createMCPClient({ transport: new StdioMCPTransport({ command: "python", args: ["server.py"] }) });
const tools = await client.tools({ schemas: { read_note: { inputSchema }, erase_note: { inputSchema } } });
//                                                                        ^^^^^^^^^^ permission-unknown-tool: has no tool `erase_note`
await generateText({ tools, activeTools: ["read_note", "write_ntoe", "weather"] });
//                                                      ^^^^^^^^^^ permission-unknown-tool: did you mean `write_note`?
//- /copilot.ts
import { CopilotClient } from "@github/copilot-sdk";
const client = new CopilotClient();
await client.createSession({
  mcpServers: { notes: { type: "local", command: "python", args: ["server.py"], tools: ["*"] } },
  excludedTools: ["notes-drop_notes"],
//                 ^^^^^^^^^^^^^^^^ permission-dead: did you mean `notes-drop_note`?
});
//- /openai.ts
import OpenAI from "openai";
const client = new OpenAI();
await client.responses.create({
  model: "some-model",
  tools: [{ type: "mcp", server_label: "notes", server_url: "https://example.com", allowed_tools: ["drop_noet"] }],
//                                                                                                  ^^^^^^^^^ permission-unknown-tool: did you mean `drop_note`?
});
//- /anthropic.ts
import Anthropic from "@anthropic-ai/sdk";
const client = new Anthropic();
await client.beta.messages.create({
  mcp_servers: [{ type: "url", name: "notes", url: "https://example.com" }],
  tools: [{ type: "mcp_toolset", mcp_server_name: "notes", configs: { read_notes: { enabled: true } } }],
//                                                                    ^^^^^^^^^^ permission-unknown-tool: did you mean `read_note`?
});
//- /deep.ts
import { createDeepAgent } from "deepagents";
export const agent = createDeepAgent({ tools: [], interruptOn: { drop_note: true, drop_noet: true } });
//                                                                                ^^^^^^^^^ permission-unknown-tool: did you mean `drop_note`?
"#,
    );
}

/// The file of an agent after a rename of `drop_note` to `remove_note` with an alias.
fn renamed(path: &str, agent: &str) -> String {
    let server = SERVER.trim_start().lines().skip(1).collect::<Vec<_>>().join("\n") + "\n";
    let folder = folder(&[("server.py", server.as_str()), (path, agent)]);
    let output = run(folder.path(), &["rename", "drop_note", "remove_note"]);
    assert!(output.status.success(), "{}{}", stdout(&output), super::cli::stderr(&output));
    std::fs::read_to_string(folder.path().join(path)).unwrap()
}

#[test]
fn a_rename_keeps_both_names_offered_and_denied() {
    let agent = r#"from mcp import StdioServerParameters, stdio_client
from strands.tools.mcp import MCPClient
DENIED = ['drop_note']
client = MCPClient(
    lambda: stdio_client(StdioServerParameters(command="python", args=["server.py"])),
    tool_filters={"allowed": ["read_note", "drop_note"], "rejected": DENIED},
)
"#;
    let expected = agent
        .replace("['drop_note']", "['drop_note', 'remove_note']")
        .replace("\"read_note\", \"drop_note\"", "\"read_note\", \"drop_note\", \"remove_note\"");
    assert_eq!(renamed("agent.py", agent), expected);
}

#[test]
fn a_rename_is_refused_where_a_name_with_a_prefix_may_guard() {
    let server = SERVER.trim_start().lines().skip(1).collect::<Vec<_>>().join("\n") + "\n";
    let agent = "from langchain.agents.middleware import HumanInTheLoopMiddleware\n\
        middleware = HumanInTheLoopMiddleware(interrupt_on={\"notes_drop_note\": True})\n";
    let folder = folder(&[("server.py", server.as_str()), ("agent.py", agent)]);
    let output = run(folder.path(), &["rename", "drop_note", "remove_note"]);
    let said = super::cli::stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{}{said}", stdout(&output));
    assert!(said.contains("agent.py:2 names the tool in code that may deny it"), "{said}");
}

#[test]
fn a_rename_copies_the_settings_of_a_tool() {
    let agent = r#"import anthropic
anthropic.Anthropic().beta.messages.create(
    mcp_servers=[{"name": "notes", "url": "https://example.com"}],
    tools=[{"type": "mcp_toolset", "mcp_server_name": "notes", "configs": {"drop_note": {"enabled": False}}}],
)
"#;
    let entry = "\"drop_note\": {\"enabled\": False}";
    let expected = agent.replace(entry, &format!("{entry}, {}", entry.replace("drop", "remove")));
    assert_eq!(renamed("agent.py", agent), expected);
}

#[test]
fn a_rename_keeps_what_has_to_be_confirmed_under_a_prefix_and_another_interpreter() {
    let agent = r#"import sys
from agno.tools.mcp import MCPTools
from mcp import StdioServerParameters
tools = MCPTools(
    server_params=StdioServerParameters(command=sys.executable, args=["server.py"]),
    include_tools=["drop_note"],
    requires_confirmation_tools=["drop_note"],
    tool_name_prefix="n",
)
"#;
    let expected = agent.replace("\"drop_note\"]", "\"drop_note\", \"remove_note\"]");
    assert_eq!(renamed("agent.py", agent), expected);
    let agent = r#"from copilot import CopilotClient
async def main():
    client = CopilotClient()
    await client.create_session(
        mcp_servers={"notes": {"type": "local", "command": "python", "args": ["server.py"]}},
        excluded_tools=["mcp:notes-drop_note"],
    )
"#;
    let expected = agent.replace("drop_note\"]", "drop_note\", \"notes-remove_note\"]");
    assert_eq!(renamed("agent.py", agent), expected);
}

#[test]
fn a_rename_keeps_both_names_confirmed() {
    let agent = r#"from deepagents import create_deep_agent
agent = create_deep_agent(interrupt_on={
    "drop_note": {"allowed_decisions": ["approve"]},
    "send_mail": True,
})
"#;
    let line = "    \"drop_note\": {\"allowed_decisions\": [\"approve\"]},\n";
    let expected = agent.replace(line, &format!("{line}{}", line.replace("drop_note", "remove_note")));
    assert_eq!(renamed("agent.py", agent), expected);
}
