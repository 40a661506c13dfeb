"""The part of the SDK's server for functions that the programs use. Every registration is recorded."""

import builtins


class FastMCP:
    def __init__(self, name=None, instructions=None, **settings):
        self._name = name or "FastMCP"

    @property
    def name(self):
        return self._name

    def add_tool(self, fn, name=None, title=None, description=None, annotations=None, **more):
        found = name or fn.__name__
        if found == "<lambda>":
            raise ValueError("You must provide a name for lambda functions")
        builtins.__recorder__.tool(self._name, found)

    def tool(self, name=None, title=None, description=None, annotations=None, **more):
        if callable(name):
            raise TypeError("The @tool decorator was used incorrectly. Did you forget to call it?")

        def decorator(fn):
            self.add_tool(fn, name=name, title=title, description=description, annotations=annotations)
            return fn

        return decorator

    def prompt(self, name=None, **more):
        return lambda fn: fn

    def resource(self, uri, **more):
        return lambda fn: fn

    def run(self, transport="stdio"):
        pass
