; The code around a literal, as an edit has to know it. README.md lists the captures.

; An entry of an object, by its key: { read_note: handler }
(pair
  key: [(property_identifier) (string)] @entry.key
  value: (_) @entry.value) @entry
(shorthand_property_identifier) @entry @entry.key @entry.value

; A key of a table that a variable holds: const TABLE = { read_note: handler }
(_
  (variable_declarator
    name: (identifier) @table.variable
    type: (type_annotation)? @table.type
    value: (object
      [
        (pair key: [(property_identifier) (string)] @table.key)
        (method_definition name: [(property_identifier) (string)] @table.key)
      ]))) @table.statement

; TABLE["read_note"] = handler
(expression_statement
  [
    (assignment_expression
      left: (subscript_expression object: (identifier) @table.variable index: (string) @table.key))
    (augmented_assignment_expression
      left: (subscript_expression object: (identifier) @table.variable index: (string) @table.key))
  ]) @table.statement

; Object.assign(TABLE, { read_note: handler })
(expression_statement
  (call_expression
    function: (member_expression object: (identifier) @_object property: (property_identifier) @_method)
    arguments: (arguments
      .
      (identifier) @table.variable
      (object
        [
          (pair key: [(property_identifier) (string)] @table.key)
          (method_definition name: [(property_identifier) (string)] @table.key)
        ])))
  (#eq? @_object "Object")
  (#eq? @_method "assign")) @table.statement

; A definition in a list that a variable holds: const TOOLS = [{ name: "read_note" }]
(_
  (variable_declarator
    name: (identifier) @list.variable
    type: (type_annotation)? @list.type
    value: (array
      (object
        (pair key: [(property_identifier) (string)] @list.key value: (_) @list.value))))) @list.statement

; A pair in the list from which a map is built: new Map([["read_note", handler]])
(array
  (array . [(string) (template_string)] @pair.key . (_) @pair.value .) @pair)

; An object that is an argument, by itself or in a list: server.registerTool("a", { title: "A" })
(arguments (object) @argument)
(arguments . (object) @options)
(arguments . (array (object) @options))

; A statement that only passes a variable, or the return value of a function, on: register(tool), register(tool())
[
  (program
    (expression_statement
      (call_expression arguments: (arguments . [(identifier) (call_expression)] @passing.value .))) @passing)
  (statement_block
    (expression_statement
      (call_expression arguments: (arguments . [(identifier) (call_expression)] @passing.value .))) @passing)
]

; The name of an attribute of the argument before it: vi.spyOn(api, "read_note")
(call_expression
  function: [(identifier) @_function (member_expression property: (property_identifier) @_function)]
  arguments: (arguments (_) @_owner . [(string) (template_string)] @attribute)
  (#any-of? @_function
    "spyOn" "replaceProperty" "defineProperty" "getOwnPropertyDescriptor" "object" "setattr" "getattr" "hasattr"
    "delattr")
  (#not-match? @_owner "^['\"`]"))
