; The code around a literal, as an edit has to know it. README.md lists the captures.

; An entry of a dictionary, by its key: {"read_note": handler}
(pair
  key: (string) @entry.key
  value: (_) @entry.value) @entry

; A key of a table that a variable holds: TABLE = {"read_note": handler}
(expression_statement
  (assignment
    left: (identifier) @table.variable
    right: (dictionary (pair key: (string) @table.key)))) @table.statement

; TABLE["read_note"] = handler
(expression_statement
  [
    (assignment left: (subscript value: (identifier) @table.variable subscript: (string) @table.key))
    (augmented_assignment left: (subscript value: (identifier) @table.variable subscript: (string) @table.key))
  ]) @table.statement

; TABLE.update({"read_note": handler})
(expression_statement
  (call
    function: (attribute object: (identifier) @table.variable attribute: (identifier) @_method)
    arguments: (argument_list . (dictionary (pair key: (string) @table.key)) .))
  (#eq? @_method "update")) @table.statement

; The name of an attribute of the argument before it: monkeypatch.setattr(api, "read_note", fake)
(call
  function: [(identifier) @_function (attribute attribute: (identifier) @_function)]
  arguments: (argument_list (_) @_owner . (string) @attribute)
  (#any-of? @_function "setattr" "getattr" "hasattr" "delattr" "object")
  (#not-match? @_owner "^[A-Za-z]?['\"]"))
