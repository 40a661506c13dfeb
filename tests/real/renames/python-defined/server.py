import asyncio
from typing import Any

from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

server: Server = Server("notes")


class Handler:
    name = ""
    description = ""

    def tool(self) -> types.Tool:
        return types.Tool(name=self.name, description=self.description, inputSchema={"type": "object"})

    def run(self, given: dict[str, Any]) -> str:
        raise NotImplementedError


class ReadNote(Handler):
    name = "read_note"
    description = "Reads one."

    def run(self, given: dict[str, Any]) -> str:
        return f"note {given['id']}"


class CountNotes(Handler):
    name = "count_notes"
    description = "Counts them."

    def run(self, given: dict[str, Any]) -> str:
        return "2"


handlers: dict[str, Handler] = {}


def add(handler: Handler) -> None:
    handlers[handler.name] = handler


add(ReadNote())
add(CountNotes())


@server.list_tools()
async def list_tools() -> list[types.Tool]:
    return [handler.tool() for handler in handlers.values()]


@server.call_tool()
async def call_tool(name: str, arguments: dict[str, Any]) -> list[types.TextContent]:
    """Calls the handler that goes by the name."""

    if name not in handlers:
        raise ValueError(f"Unknown tool: {name}")
    return [types.TextContent(type="text", text=handlers[name].run(arguments))]


async def main() -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


asyncio.run(main())
