; The definitions of functions and methods, and references to them.

(function_item name: (identifier) @definition)
(function_signature_item name: (identifier) @definition)

; note.read()
(field_expression value: (_) @receiver field: (field_identifier) @reference)

; Note::read, <Note as Reads>::read
(scoped_identifier path: (_) @receiver name: (identifier) @reference)
