; The code around a literal, as an edit has to know it. README.md lists the captures.

; An `impl` block with an attribute: #[tool_handler(router = self.router)] impl ServerHandler for Notes { … }
((attribute_item
   (attribute
     [(identifier) (scoped_identifier)] @implementation.attribute
     arguments: (token_tree)? @implementation.arguments))
  .
  [(attribute_item) (line_comment) (block_comment)]*
  .
  (impl_item body: (declaration_list) @implementation.body) @implementation)

; A function with a body.
(function_item
  name: (identifier) @function.name
  parameters: (parameters) @function.parameters
  body: (block) @function.body) @function
