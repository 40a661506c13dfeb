; An attribute with a name: #[tool(name = "read_note")]
(attribute_item
  (attribute
    [
      (identifier) @_attribute
      (scoped_identifier name: (identifier) @_attribute)
    ]
    arguments: (token_tree (identifier) @_key . "=" . (string_literal (string_content) @tool)))
  (#any-of? @_attribute "tool" "mcp_tool")
  (#eq? @_key "name"))

; An attribute without one: the function gives the name.
((attribute_item
   (attribute
     [
       (identifier) @_attribute
       (scoped_identifier name: (identifier) @_attribute)
     ]
     arguments: (token_tree)? @_arguments))
  .
  [(attribute_item) (line_comment) (block_comment)]*
  .
  (function_item name: (identifier) @tool)
  (#eq? @_attribute "tool")
  (#not-match? @_arguments "name\\s*="))

; A constructor: Tool::new("read_note", …)
(call_expression
  function: (scoped_identifier
    path: [(identifier) @_type (scoped_identifier name: (identifier) @_type)]
    name: (identifier) @_function)
  arguments: (arguments
    .
    (string_literal (string_content) @tool))
  (#eq? @_type "Tool")
  (#eq? @_function "new"))

; A struct: Tool { name: "read_note".into(), … }
(struct_expression
  name: [(type_identifier) @_type (scoped_type_identifier name: (type_identifier) @_type)]
  body: (field_initializer_list
    (field_initializer
      field: (field_identifier) @_key
      value: [
        (string_literal (string_content) @tool)
        (call_expression function: (field_expression value: (string_literal (string_content) @tool)))
        (call_expression arguments: (arguments . (string_literal (string_content) @tool)))
      ]))
  (#eq? @_type "Tool")
  (#eq? @_key "name"))

; JSON: json!({ "name": "read_note", "inputSchema": … })
(token_tree
  (string_literal (string_content) @_key) . ":" . (string_literal (string_content) @tool)
  (string_literal (string_content) @_schema)
  (#eq? @_key "name")
  (#any-of? @_schema "inputSchema" "input_schema"))
