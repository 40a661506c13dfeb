import asyncio

import mcp.types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

server: Server = Server("notes")


def tool(name: str, description: str) -> types.Tool:
    return types.Tool(name=name, description=description, inputSchema={"type": "object"})


@server.list_tools()
async def list_tools() -> list[types.Tool]:
    return [
        tool("read_note", "Reads one."),
        tool("list_notes", "Lists all."),
        tool("write_note", "Writes one."),
        tool("count_notes", "Counts them."),
    ]


@server.call_tool()
async def call_tool(name: str, arguments: dict) -> list[types.TextContent]:
    match name:
        case "read_note":
            text = f"note {arguments['id']}"
        case "list_notes":
            text = "1, 2"
        case _:
            if name == "write_note":
                text = "written"
            elif name == "count_notes":
                text = "2"
            else:
                raise ValueError(name)
    return [types.TextContent(type="text", text=text)]


async def main() -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


asyncio.run(main())
