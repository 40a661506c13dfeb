//! Programs of Rust and the code that they become, as [`printed`] shows it.

use expect_test::{Expect, expect};

use crate::code::lower;
use crate::code::printed::printed;
use crate::syntax::{Language, parse};

fn check(source: &str, expected: Expect) {
    let tree = parse(Language::Rust, source, None).unwrap();
    expected.assert_eq(&printed(&lower(Language::Rust, &tree, source, None), source));
}

#[test]
fn items() {
    let source = r#"use a::{b, c as d, e::*};
mod inner { pub const X: &str = "x"; }
mod other;
#[derive(Clone)]
pub struct Point { pub x: f64, y: Vec<u8> }
struct Unit;
enum Shape { Dot, Circle(f64), Box { side: f64 } }
trait Named: Base { const NAME: &'static str; fn name(&self) -> String { Self::NAME.to_string() } }
#[tool_router]
impl<T> Named for Point {
    const NAME: &'static str = "point";
    /// Adds one.
    #[tool(name = "add", annotations(read_only_hint = true))]
    async fn add(&mut self, Wrapped(args): Wrapped<Args>) {}
}
#[cfg(test)]
mod tests {}"#;
    check(
        source,
        expect![[r#"
        import "a"@"b", named b as b
        import "a"@"d", named c as d
        import "a::e"@"e::*", all as @"e::*"
        namespace inner {
          let X = arrow() {
            return "x"
          }
        }
        import "self::other"@"mod other;", root as other
        @derive(Clone) class Point() {
          field "x": f64
          field "y": Vec[tuple(u8)]
        }
        class Unit() {}
        class Shape() {
          static field "Dot" = new class Dot(Shape) {}()
          static field "Circle" = class Circle(Shape) {
            field "0"@"f64": f64
          }
          static field "Box" = class Box(Shape) {
            field "side": f64
          }
        }
        class Named(Base) {
          static declared "NAME"
          static method "name": function name(self@"&self"): String {
            return Self.NAME.to_string()
          }
        }
        @tool_router extend Point as Named {
          static field "NAME" = arrow() {
            return "point"
          }
          @tool(name="add", annotations={"read_only_hint": true}) static method "add": @tool(name="add", annotations={"read_only_hint": true}) function add(self@"&mut self": &mut@"&mut self", {"0"@"args": args}: Wrapped[tuple(Args)]) doc "Adds one." {}
        }
    "#]],
    );
}

#[test]
fn statements_are_expressions() {
    let source = r#"fn f(a: Option<u8>) -> u8 {
    let Some(b) = a else { return 1 };
    let c = match b { 1 | 2 => b, n if n > 3 => { continue } _ => 0 };
    'outer: for (i, x) in list.iter().enumerate() { while let Some(y) = x.next() { break 'outer; } }
    if let Some(z) = a && z > 1 { z } else { g(c)?.await }
}"#;
    check(
        source,
        expect![[r#"
        function f(a: Option[tuple(u8)]): u8 {
          if a fits instance Some(bind b) {} else {
            return 1
          }
          let c = body {
            switch b {
              case or(1, 2) {
                give b
              }
              case bind n if (n > 3) {
                continue
              }
              case _ {
                give 0
              }
            }
          }
          label 'outer: for let [i, x] of list.iter().enumerate() {
            block {
              while x.next() fits instance Some(bind y) {
                break to 'outer
              }
            }
          }
          block {
            if (a fits instance Some(bind z) and (z > 1)) {
              return z
            } else {
              return (await g(c)?)
            }
          }
        }
    "#]],
    );
}

#[test]
fn expressions() {
    let source = r##"fn f() {
    let a = Tool { name, title: "t".into(), ..Default::default() };
    list.iter().map(|(k, v)| k + v[1..2]).collect::<Vec<_>>();
    register::<Search>(&mut a, r#"raw"#, 'c', 1_000u32, 0xff, "a\n");
    let b = async move { 1 };
    x.0 += !y as u8;
}"##;
    check(
        source,
        expect![[r#"
        function f() {
          let a = new Tool(name=name, title="t".into(), **Default.default())
          run list.iter().map(arrow([k, v]) {
            return (k + v[from 1 to 2])
          }).collect(<>=Vec[tuple(_)])
          run register(lent a, "raw", "c", 1000, 255, join("a", "\n"@"\\n"), <>=Search)
          let b = arrow() {
            return 1
          }()
          run (place x.0 += (not y))
        }
    "#]],
    );
}

#[test]
fn arguments_of_macros() {
    let source = r#"lazy_static! { static ref TOOLS: Vec<Tool> = vec![Tool::new("a"), b()]; }
fn f() {
    json!({ "tools": all(), "n": [1, null, { "x": y }] });
    format!("{PREFIX}_{}-{x:?}{{}}", name());
    tokio::select! { line = next() => { use_it(line) } _ = stop() => done(), }
    bail!("no {x}");
    unknown!(a => b, c + 1);
}"#;
    check(
        source,
        expect![[r#"
            let TOOLS = arrow() {
              return [Tool.new("a"), b()]
            }
            function f() {
              run {"tools": all(), "n": [1, null, {"x": y}]}
              run join(PREFIX.to_string@"PREFIX"(), "_", name().to_string@"name()"(), "-", <?a value in a format?>, "{", "}")
              run body {
                switch <?what is ready first?> {
                  case <?what is ready first?> {
                    let line = (await next())
                    give body {
                      block {
                        give use_it(line)
                      }
                    }
                  }
                  case <?what is ready first?> {
                    let <?the result of one of several futures?> = (await stop())
                    give done()
                  }
                }
              }
              throw Err@"bail!(\"no {x}\")"(join("no ", x.to_string@"x"()))
              run unknown((a > b), (c + 1))
            }
        "#]],
    );
}

#[test]
fn code_that_does_not_parse_keeps_what_can_be_seen() {
    check(
        "fn a() { b(; c() }\nconst X: &str = \"x\";\nimpl {\nfn d() {}",
        expect![[r#"
        function a() {
          return c()
        }
        let X = arrow() {
          return "x"
        }
        function d() {}
    "#]],
    );
}
