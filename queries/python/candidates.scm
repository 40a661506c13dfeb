; A decorator with a name: @mcp.tool("read_note"), @mcp.tool(name="read_note")
(decorated_definition
  (decorator
    (call
      function: (attribute attribute: (identifier) @_method)
      arguments: (argument_list
        [
          (string (string_content) @tool)
          (keyword_argument
            name: (identifier) @_key
            value: (string (string_content) @tool))
        ])))
  definition: (function_definition)
  (#eq? @_method "tool")
  (#eq? @_key "name"))

; A decorator without one: the function gives the name.
(decorated_definition
  (decorator
    [
      (attribute attribute: (identifier) @_method)
      (call
        function: (attribute attribute: (identifier) @_method)
        arguments: (argument_list) @_arguments)
    ])
  definition: (function_definition name: (identifier) @tool)
  (#eq? @_method "tool")
  (#not-match? @_arguments "name\\s*=|^\\(\\s*[fr]?[\"']"))

; A definition: Tool(name="read_note", inputSchema=…)
(call
  function: [
    (identifier) @_class
    (attribute attribute: (identifier) @_class)
  ]
  arguments: (argument_list
    (keyword_argument
      name: (identifier) @_key
      value: (string (string_content) @tool))
    (keyword_argument name: (identifier) @_schema))
  (#eq? @_class "Tool")
  (#eq? @_key "name")
  (#any-of? @_schema "inputSchema" "description"))

; The same as a dictionary.
(dictionary
  (pair key: (string (string_content) @_key) value: (string (string_content) @tool))
  (pair key: (string (string_content) @_schema))
  (#eq? @_key "name")
  (#any-of? @_schema "inputSchema" "input_schema"))
