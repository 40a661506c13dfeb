import asyncio
from typing import Any

from claude_agent_sdk import create_sdk_mcp_server, tool
from mcp.server.stdio import stdio_server


def text(text: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}]}


@tool("read_note", "Reads one.", {"id": int})
async def read_note(arguments: dict[str, Any]) -> dict[str, Any]:
    return text(f"note {arguments['id']}")


@tool("list_notes", "Lists all.", {})
async def every(arguments: dict[str, Any]) -> dict[str, Any]:
    return text("1, 2")


@tool(name="write_note", description="Writes one.", input_schema={"id": int, "text": str})
async def write_note(arguments: dict[str, Any]) -> dict[str, Any]:
    return text(f"{arguments['id']}: {arguments['text']}")


@tool("count_notes", "Counts all.", {})
async def count_notes(arguments: dict[str, Any]) -> dict[str, Any]:
    return text("2")


ALL = [write_note, count_notes]

notes = create_sdk_mcp_server(
    name="notes",
    version="1.0.0",
    tools=[
        read_note,
        every,
        *ALL,
    ],
)


async def main() -> None:
    server = notes["instance"]
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


asyncio.run(main())
