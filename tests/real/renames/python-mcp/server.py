from mcp.server.fastmcp import FastMCP
from pydantic import BaseModel

PREFIX = "archive_"
mcp = FastMCP("notes")


class Written(BaseModel):
    id: int
    text: str


@mcp.tool()
def read_note(id: int) -> str:
    """Reads one. Call `list_notes` first."""
    return f"note {id}"


@mcp.tool(name="list_notes", description="Lists all.")
async def every() -> str:
    return "1, 2"


@mcp.tool(
    title="Write note",
)
async def write_note(id: int, text: str) -> Written:
    """Writes one."""
    return Written(id=id, text=text)


@mcp.tool(name=PREFIX + "note")
def archive(id: int) -> str:
    """Puts one away."""
    return f"archived {id}"


def count_notes() -> int:
    return 2


mcp.add_tool(count_notes)

if __name__ == "__main__":
    mcp.run()
