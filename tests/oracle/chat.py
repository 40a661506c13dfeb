"""A model that speaks OpenAI's chat completions: it calls one tool once, and notes what it was offered and told."""

import json

from harness import Loopback


class Model(Loopback):
    """A loopback server that asks for the tool `name` as long as the conversation holds no result of a call."""

    def __init__(self, name):
        self.name = name
        self.offered = None
        """The names of all tools in the latest request that had some; `None` before any request."""
        self.result = None
        """The text of the latest result of a call."""
        super().__init__(self.answer)

    def answer(self, path, body):
        """The content type and the text of an answer."""
        if not path.endswith("/chat/completions"):
            return "application/json", "{}"
        tools = [tool["function"]["name"] for tool in body.get("tools") or []]
        results = [message["content"] for message in body["messages"] if message["role"] == "tool"]
        self.offered = tools or self.offered or []
        if results:
            self.result = json.dumps(results[-1], ensure_ascii=False)
        calls = bool(tools) and not results
        call = {"index": 0, "id": "call_1", "type": "function", "function": {"name": self.name, "arguments": "{}"}}
        said = {"role": "assistant", **({"content": None, "tool_calls": [call]} if calls else {"content": "done"})}
        reason = "tool_calls" if calls else "stop"
        about = {"id": "chat_1", "created": 1, "model": body.get("model", "model")}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        if not body.get("stream"):
            choice = {"index": 0, "message": said, "finish_reason": reason}
            return "application/json", json.dumps(
                {**about, "object": "chat.completion", "choices": [choice], "usage": usage}
            )
        chunk = {**about, "object": "chat.completion.chunk"}
        first = {**chunk, "choices": [{"index": 0, "delta": said, "finish_reason": None}]}
        last = {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}], "usage": usage}
        lines = [json.dumps(first), json.dumps(last), "[DONE]"]
        return "text/event-stream", "".join(f"data: {line}\n\n" for line in lines)
