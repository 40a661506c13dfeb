"""Names of this server: every tool and resource is in one namespace."""

NAMESPACE = "myproject"


def make_tool_name(tool: str) -> str:
    return f"{NAMESPACE}:{tool}"


def make_resource_uri(
    resource_type: str,
    resource_id: str,
    query: dict[str, str] | None = None
) -> str:
    """Generate resource URI following Chora conventions."""
    uri = f"{NAMESPACE}://{resource_type}/{resource_id}"
    if query:
        params = "&".join(f"{k}={v}" for k, v in query.items())
        uri += f"?{params}"
    return uri
