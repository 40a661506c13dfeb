; A method that registers: server.registerTool("read_note", …)
(call_expression
  function: (member_expression property: (property_identifier) @_method)
  arguments: (arguments
    .
    [
      (string (string_fragment) @tool)
      (template_string . (string_fragment) @tool .)
    ]
    . (_))
  (#any-of? @_method "registerTool" "registerAppTool" "addTool" "tool"))

; A function that takes a definition: defineTool({ name: "read_note" })
(call_expression
  function: [
    (identifier) @_function
    (member_expression property: (property_identifier) @_function)
  ]
  arguments: (arguments
    .
    (object
      (pair
        key: (property_identifier) @_key
        value: (string (string_fragment) @tool))))
  (#match? @_function "^(add|create|define|register)(App|Mcp|Server)?Tool$")
  (#eq? @_key "name"))

; A definition: { name: "read_note", inputSchema: … }
(object
  (pair
    key: [(property_identifier) @_key (string (string_fragment) @_key)]
    value: (string (string_fragment) @tool))
  [
    (pair key: [(property_identifier) @_schema (string (string_fragment) @_schema)])
    (shorthand_property_identifier) @_schema
  ]
  (#eq? @_key "name")
  (#any-of? @_schema "inputSchema" "input_schema"))
