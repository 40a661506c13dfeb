; The functions around a name, and their parameters.
(function_item parameters: (parameters) @parameters) @scope
(closure_expression parameters: (closure_parameters) @parameters) @scope

; What a parameter binds.
(parameter pattern: (identifier) @binding)
(closure_parameters (identifier) @binding)
(mut_pattern (identifier) @binding)
(ref_pattern (identifier) @binding)
(reference_pattern (identifier) @binding)
(captured_pattern . (identifier) @binding)
(tuple_pattern (identifier) @binding)
(slice_pattern (identifier) @binding)
(tuple_struct_pattern (identifier) @binding)
(field_pattern pattern: (identifier) @binding)
(shorthand_field_identifier) @binding
