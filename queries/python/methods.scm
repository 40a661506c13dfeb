; A function with a decorator: @mcp.tool(name="read_note")
(decorated_definition
  (decorator
    (call
      function: (_) @decorator.callee
      arguments: (argument_list) @decorator.arguments)) @decorator
  definition: (function_definition) @method) @decorated

; @mcp.tool
(decorated_definition
  (decorator [(identifier) (attribute)] @decorator.callee) @decorator
  definition: (function_definition) @method) @decorated
