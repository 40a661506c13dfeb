//! What the names in a program stand for.

use expect_test::{Expect, expect};

use super::{Of, Reach};
use crate::code::lower;
use crate::syntax::{Language, parse};

/// Compares the definitions of a program, and its variables with what they stand for. A name of the module is left out.
fn check(language: Language, source: &str, expected: Expect) {
    let tree = parse(language, source, None).unwrap();
    let code = lower(language, &tree, source, None);
    let mut shown = String::new();
    for item in &code.items {
        for named in &item.outline.named {
            let reach = match named.reach {
                Reach::Module => "module",
                Reach::Function => "function",
                Reach::Member => "member",
            };
            shown += &format!("{}: {reach}\n", named.name);
        }
        for mention in item.outline.mentions.iter().filter(|mention| !mention.is_member) {
            let line = source[..(item.start + mention.offset) as usize].matches('\n').count() + 1;
            match mention.of {
                Of::Free => {}
                Of::Local => shown += &format!("  {line} {} is local\n", mention.name),
                Of::Inner(_) => shown += &format!("  {line} {} is defined inside\n", mention.name),
            }
        }
    }
    expected.assert_eq(&shown);
}

#[test]
fn names_of_javascript() {
    let source = "
function serve(server, { port }) {
  start(server, port);
  function start(server) { register(server); }
  let later;
  later = () => start();
  for (const tool of tools) tool(later);
  return { start, register: (server) => server };
}
class Server { start() { start(this); } stop = () => start; }
later = class {};
server(port);
";
    check(
        Language::TypeScript,
        source,
        expect![[r#"
        serve: module
        start: function
        later: function
        register: member
          3 start is defined inside
          3 server is local
          3 port is local
          4 server is local
          6 start is defined inside
          7 tool is local
          7 later is defined inside
          8 start is defined inside
          8 server is local
        Server: module
        start: member
        stop: member
        later: module
    "#]],
    );
}

#[test]
fn names_of_python() {
    let source = "
def serve(server, port=default):
    def start():
        global count
        count = register(server)
    name = start
    return name(port)

class Server:
    kind = lambda self: start
    def start(self):
        kind(start)
";
    check(
        Language::Python,
        source,
        expect![[r#"
        serve: module
        start: function
          5 server is local
          6 start is defined inside
          7 name is local
          7 port is local
        Server: module
        kind: member
        start: member
    "#]],
    );
}
