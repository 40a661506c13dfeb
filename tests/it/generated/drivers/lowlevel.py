"""The part of the SDK's low-level server that the programs use. Every handler of `tools/list` is recorded."""

import builtins


class Server:
    def __init__(self, name, version=None, instructions=None, **settings):
        self.name = name

    def list_tools(self):
        def decorator(fn):
            builtins.__recorder__.lists.append((self.name, fn))
            return fn

        return decorator

    def call_tool(self):
        return lambda fn: fn

    def create_initialization_options(self):
        return {}
