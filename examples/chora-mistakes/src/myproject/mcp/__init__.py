"""Names of this server: every tool and resource is in one namespace."""

NAMESPACE = "myproject"


def make_tool_name(tool: str) -> str:
    return f"{NAMESPACE}:{tool}"


def make_resource_uri(resource_type: str, resource_id: str) -> str:
    return f"{NAMESPACE}://{resource_type}/{resource_id}"
