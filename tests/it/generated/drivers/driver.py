"""Runs programs one after the other and prints, for each, the tools that it registers on the SDK beside it."""

import asyncio
import builtins
import importlib
import io
import json
import os
import runpy
import sys
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = sys.stdout
builtins.print = lambda *args, **kwargs: None


class Recorder:
    def __init__(self):
        self.tools = []
        self.lists = []

    def tool(self, server, name):
        if not isinstance(name, str) or not isinstance(server, str):
            raise TypeError(f"the names are {server!r} and {name!r}")
        # The name of a member of an enum of strings is its value.
        self.tools.append([str.__str__(server), str.__str__(name)])


def run(folder, entry):
    recorder = Recorder()
    builtins.__recorder__ = recorder
    kept = set(sys.modules)
    path = list(sys.path)
    sys.path.insert(0, folder)
    importlib.invalidate_caches()
    sys.stdout = io.StringIO()
    try:
        name = os.path.relpath(entry, folder)[: -len(".py")].replace(os.sep, ".")
        runpy.run_module(name, run_name="__main__", alter_sys=True)
        for server, handler in recorder.lists:
            for tool in asyncio.run(handler()):
                recorder.tool(server, tool.name)
        return {"tools": recorder.tools}
    except BaseException:
        lines = traceback.format_exc().strip().split("\n")
        return {"tools": recorder.tools, "error": "\n".join([lines[-1], *lines[-7:]])}
    finally:
        sys.stdout = OUT
        sys.path[:] = path
        for name in set(sys.modules) - kept:
            file = getattr(sys.modules[name], "__file__", None) or ""
            spec = getattr(sys.modules[name], "__path__", None)
            if file.startswith(folder) or (spec is not None and any(str(p).startswith(folder) for p in spec)):
                del sys.modules[name]


for line in sys.stdin:
    request = json.loads(line)
    os.environ.update(request["environment"])
    result = run(request["folder"], request["entry"])
    for variable in request["environment"]:
        del os.environ[variable]
    OUT.write(json.dumps(result) + "\n")
    OUT.flush()
