"""The types of the SDK that the programs use."""


class Tool:
    def __init__(self, *, name, inputSchema, description=None, title=None, **more):
        self.name = name
        self.description = description
        self.inputSchema = inputSchema


class TextContent:
    def __init__(self, *, type="text", text=""):
        self.type = type
        self.text = text
