; The role of a name at a place. A name without one of these roles is read.

; It is bound to another value. What binds a function or class is a member if that is in a class.
(function_definition name: (identifier) @definition)
(class_definition name: (identifier) @definition)
(assignment left: (identifier) @binding)
(augmented_assignment left: (identifier) @binding)
(for_statement left: (identifier) @binding)
(for_in_clause left: (identifier) @binding)
(named_expression name: (identifier) @binding)
(pattern_list (identifier) @binding)
(tuple_pattern (identifier) @binding)
(list_pattern (identifier) @binding)
(as_pattern_target (identifier) @binding)
(as_pattern_target (tuple (identifier) @binding))
(global_statement (identifier) @binding)
(nonlocal_statement (identifier) @binding)
(delete_statement (identifier) @binding)
(case_pattern (dotted_name (identifier) @binding))
(aliased_import alias: (identifier) @binding)
(import_statement name: (dotted_name . (identifier) @binding .))

; It is a parameter.
(parameters (identifier) @binding)
(lambda_parameters (identifier) @binding)
(default_parameter name: (identifier) @binding)
(typed_default_parameter name: (identifier) @binding)
(typed_parameter (identifier) @binding)
(list_splat_pattern (identifier) @binding)
(dictionary_splat_pattern (identifier) @binding)

; It is a member, a keyword or part of the path of a module, and no variable of the file.
(attribute attribute: (identifier) @member)
(keyword_argument name: (identifier) @member)
(keyword_pattern . (identifier) @member)
(import_statement name: (dotted_name (identifier) @member))
(aliased_import name: (dotted_name (identifier) @member))
(import_from_statement (dotted_name (identifier) @member))
(relative_import (dotted_name (identifier) @member))

; The functions around a name, and their parameters.
(function_definition parameters: (parameters) @parameters) @scope
(lambda parameters: (lambda_parameters) @parameters) @scope
