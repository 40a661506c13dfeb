; A method with a decorator: @Tool({ name: "read_note" }) read() { … }
(class_body
  (decorator) @decorator
  .
  [(decorator) (comment)]*
  .
  (method_definition) @method)
