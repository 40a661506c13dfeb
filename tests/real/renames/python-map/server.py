import asyncio
from typing import Any, Callable

from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

server: Server = Server("notes")


def read_note(given: dict[str, Any]) -> str:
    return f"note {given['id']}"


HANDLERS: dict[str, Callable[[dict[str, Any]], str]] = {
    "read_note": read_note,
    "list_notes": lambda given: "1, 2",
}
HANDLERS["count_notes"] = lambda given: "2"
HANDLERS.update({"write_note": lambda given: f"{given['id']}: written"})


@server.list_tools()
async def list_tools() -> list[types.Tool]:
    return [
        types.Tool(name="read_note", description="Reads one.", inputSchema={"type": "object"}),
        types.Tool(name="list_notes", description="Lists all.", inputSchema={"type": "object"}),
        types.Tool(name="count_notes", description="Counts them.", inputSchema={"type": "object"}),
        types.Tool(name="write_note", description="Writes one.", inputSchema={"type": "object"}),
    ]


@server.call_tool()
async def call_tool(name: str, arguments: dict[str, Any]) -> list[types.TextContent]:
    return [types.TextContent(type="text", text=HANDLERS[name](arguments))]


async def main() -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


asyncio.run(main())
