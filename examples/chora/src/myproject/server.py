from fastmcp import FastMCP

from .mcp import make_resource_uri, make_tool_name

mcp = FastMCP(name="myproject")


@mcp.tool(name=make_tool_name("create_task"))
async def create_task(title: str, description: str) -> dict:
    """Creates a task."""
    return {"title": title, "description": description}


@mcp.tool(name=make_tool_name("list_tasks"))
async def list_tasks() -> list:
    """Lists all tasks."""
    return []


@mcp.tool(name="myproject:update_task")
async def update_task(id: str, title: str) -> dict:
    """Changes a task."""
    return {"id": id, "title": title}


@mcp.resource(uri=make_resource_uri("templates", "daily-report.md"))
async def daily_report() -> str:
    """The template of the daily report."""
    return "# Today"


@mcp.resource(uri="myproject://configs/settings.json")
async def settings() -> str:
    """What the server is set to."""
    return "{}"


@mcp.tool(name="myproject:delete_task")
async def delete_task(id: str) -> None:
    """Deletes a task."""


@mcp.tool(name=make_tool_name("call_tool"))
async def call_tool(name: str, args: dict) -> dict:
    """Calls a task by hand."""
    if name == "myproject:create_task":
        return await create_task(**args)
    return {}


if __name__ == "__main__":
    mcp.run()
