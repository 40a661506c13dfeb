from typing import Annotated
from mcp.server.fastmcp import FastMCP
from pydantic import Field
from names import NAME, NAMES, make
import names as n

mcp = FastMCP("py")

@mcp.tool(name=NAME, annotations={"readOnlyHint": True})
async def five(id: Annotated[str, Field(description="x")] = "y") -> str:
    """Reads.

    More.
    """
    return id

for name in [*NAMES, n.Kind.READ.value]:
    mcp.add_tool(lambda: None, name=make(name))

@server.call_tool()
async def call(name, arguments):
    match name:
        case "five" | "six":
            return []
        case _ if name.startswith("p_"):
            pass
    if name == "seven":
        raise ValueError(f"Unknown: {name}")
    elif name in ("eight", 'nine'):
        return """triple"""
