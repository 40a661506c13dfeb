; The functions around a name, and their parameters.
(_ parameters: (formal_parameters) @parameters) @scope
(arrow_function parameter: (identifier) @parameters @binding) @scope

; What a parameter binds.
(required_parameter pattern: (identifier) @binding)
(optional_parameter pattern: (identifier) @binding)
(rest_pattern (identifier) @binding)
(assignment_pattern left: (identifier) @binding)
(array_pattern (identifier) @binding)
(pair_pattern value: (identifier) @binding)
(shorthand_property_identifier_pattern) @binding
