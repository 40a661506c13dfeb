//! Programs and the code that they become, as [`printed`] shows it.

use crate::code::lower;
use crate::code::printed::printed;
use crate::syntax::{Language, parse};

fn shown(source: &str) -> String {
    let tree = parse(Language::Python, source, None).expect("a text that parses");
    printed(&lower(Language::Python, &tree, source, None), source)
}

/// Checks programs against the lines that they become.
fn check(cases: &[(&str, &str)]) {
    for (source, expected) in cases {
        assert_eq!(shown(source).trim_end(), *expected, "{source}");
    }
}

#[test]
fn assignments() {
    check(&[
        ("a = 1", "var a = 1"),
        ("a = b = c = f()", "var a = f()\nvar b = a\nvar c = a"),
        (
            "o.x = p[0] = 1",
            "var chained value@\"1\" = 1\nvar place o.x = chained value@\"1\"\nvar place p[0] = chained value@\"1\"",
        ),
        ("x: int = 1", "var x: int = 1"),
        ("x: int", "var x: int"),
        ("self.x: int = 1", "var place self.x: int = 1"),
        ("a, (b, *c), [d] = v", "var [a, [b, ...c], [d]] = v"),
        ("(a) = 1", "var a = 1"),
        ("a, = 1,", "var [a] = tuple(1)"),
        ("x = *a, b", "var x = tuple((...a), b)"),
        ("x = yield_", "var x = yield_"),
        ("x += 1; o.y //= 2", "run (x += 1)\nrun (place o.y //= 2)"),
        ("del a, b[0], (c, d.e)", "delete a\ndelete b[0]\ndelete c\ndelete d.e"),
        ("(y := 3)", "run (y = 3)"),
        // The grammar takes these for type aliases.
        ("type(a).b[0] = c", "var place type(a).b[0] = c"),
        ("type['a'] = c", "var place type[\"a\"] = c"),
        ("type X[T] = list[T]", "<?a type alias?>"),
    ]);
}

#[test]
fn imports() {
    check(&[
        ("import a, b as c", "import \"a\", module as a\nimport \"b\", module as c"),
        ("import a.b.c, d.e as f", "import \"a.b.c\", root as a\nimport \"d.e\", module as f"),
        ("from . import x", "import \".\", named x as x"),
        ("from ..p.q import (\n  y as z, # why\n  w,\n)", "import \"..p.q\", named y as z, named w as w"),
        ("from q import *", "import \"q\", all as *"),
        ("from __future__ import annotations", ""),
    ]);
}

#[test]
fn functions() {
    check(&[
        (
            "@a\n@b.c(d=1)\nasync def f(s, /, x: int = 1, *, y, z='z', **k) -> str:\n  'doc'\n  return x",
            "@a @b.c(d=1) async function f(/s, x: int = 1, *, y, *, z = \"z\", **k): str doc \"doc\" {\n  run \"doc\"\n  return x\n}",
        ),
        ("def f(*a, b): return\n", "function f(...a, *, b) {\n  return\n}"),
        ("def f(*a: int, **k: str): pass", "function f(...a: int, **k: str) {}"),
        ("def f(): 'a' 'b'", "function f() doc \"ab\"@\"a' 'b\" {\n  run join(\"a\", \"b\")\n}"),
        ("def f():\n  x = yield\n  yield from y", "function* f() locals x {\n  var x = (yield)\n  run (yield* y)\n}"),
        ("f = lambda x, *y, z=1: (yield x)", "var f = function*(x, ...y, *, z = 1) {\n  return (yield x)\n}"),
        (
            "@d\nclass A(B, m=C, *e):\n  'doc'\n  x: int = 1\n  def g(self): pass",
            "@d class A(B, m=C, ...e) doc \"doc\" {\n  run \"doc\"\n  var x: int = 1\n  function g(self) {}\n}",
        ),
    ]);
}

#[test]
fn locals() {
    let locals = |body: &str| {
        let body = body.replace('\n', "\n  ");
        let shown = shown(&format!("def f(p, *q, r=1):\n  {body}\n"));
        let line = shown.lines().next().unwrap_or("").to_owned();
        line.split_once(" locals ")
            .map_or(String::new(), |(_, names)| names.trim_end_matches([' ', '{', '}']).to_owned())
    };
    let cases = [
        ("a = b.c = d[e] = 1\np = q = r = 2", "a"),
        ("(a, [b, *c]), d = e\nf += 1\ng: int", "a b c d f g"),
        ("for a, b in c: d = 1\nelse: e = 1", "a b d e"),
        ("with a as b, c() as (d, e): pass\nwith (a as f, c as g): pass", "b d e f g"),
        ("try: a = 1\nexcept B as b: c = 1\nexcept* D as d: pass\nelse: e = 1\nfinally: f = 1", "a b c d e f"),
        ("import a.b, c as d\nfrom e import f, g as h", "a d f h"),
        ("def a(b=(c := 1)): d = 1\nclass e(f): g = 1", "a c e"),
        ("[a for a in b if (c := a)]\nlambda d=(e := 1): (f := d)", "c e"),
        ("del a, b.c, (d, e)", "a d e"),
        (
            "match a:\n  case b, *c: pass\n  case D(e, f=g) | h.i as j: pass\n  case {'k': k, **l}: pass\n  case _: pass",
            "b c j e g k l",
        ),
        ("global a\nnonlocal b\na = b = c = 1", "c"),
        ("a = 1\nglobal a", ""),
        ("type A[T] = B", "A"),
        ("a.b = c.d = 1", "chained value"),
        ("a < b() < c", "compared value"),
        ("a < b < c", ""),
    ];
    for (body, expected) in cases {
        assert_eq!(locals(body), expected, "{body}");
    }
}

#[test]
fn control_flow() {
    check(&[
        ("if a: b\nelif c: d\nelse: e", "if a {\n  run b\n} else if c {\n  run d\n} else {\n  run e\n}"),
        ("for a, b in c, d: break\nelse: e", "for var [a, b] of tuple(c, d) {\n  break\n} else {\n  run e\n}"),
        ("async for a in b: continue", "for var a of b {\n  continue\n}"),
        ("while a: b\nelse: c", "while a {\n  run b\n} else {\n  run c\n}"),
        (
            "try: a\nexcept (B, C) as e: raise D from e\nexcept* F: raise\nexcept: pass\nelse: g\nfinally: h",
            "try {\n  run a\n} catch tuple(B, C) as e {\n  throw D\n} catch F {\n  throw\n} catch {} else {\n  run g\n} finally {\n  run h\n}",
        ),
        ("with a as b, c(): d", "with a as b, c() {\n  run d\n}"),
        ("with (a as b, c as d.e): pass", "with a as b, c as place d.e {}"),
        ("with (a, b): pass", "with a, b {}"),
        ("async with (a) as (b, c): pass", "with a as [b, c] {}"),
        ("assert a, 'b'", "if (not a) {\n  throw AssertionError@\"assert a, 'b'\"(\"b\")\n}"),
        ("global a, b", "global a, b"),
        ("pass", ""),
        ("print 'a'", "<?the print statement of Python 2?>"),
    ]);
    let many = format!("if a: b\n{}else: c\n", "elif a: b\n".repeat(1000));
    assert!(shown(&many).starts_with("switch null {\n  case _ if a {\n    run b\n  }\n  case _ if a {"));
}

#[test]
fn patterns() {
    let pattern = |pattern: &str| {
        let shown = shown(&format!("match x:\n  case {pattern}: pass\n"));
        let case = shown.lines().nth(1).unwrap_or("").trim();
        case.trim_start_matches("case ").trim_end_matches(" {}").to_owned()
    };
    let cases = [
        ("_", "_"),
        ("a", "bind a"),
        ("(a)", "bind a"),
        ("'s'", "\"s\""),
        ("-1 | 2.5 | None | True | a.b", "or((-1), 2.5, null, true, a.b)"),
        ("[a, *_, b]", "[bind a, ..._, bind b]"),
        ("(a, *b)", "[bind a, ...bind b]"),
        ("a, b", "[bind a, bind b]"),
        ("a,", "[bind a]"),
        ("{'k': 1, -2: a, **r}", "{\"k\": 1, (-2): bind a, ...r}"),
        ("A.B(1, x, y=[_])", "instance A.B(1, bind x, y=[_])"),
        ("str() as a if b", "bind a of instance str() if b"),
        ("1 + 2j", "<?a complex number?>"),
    ];
    for (source, expected) in cases {
        assert_eq!(pattern(source), expected, "{source}");
    }
    check(&[("match a, b:\n  case _: c", "switch tuple(a, b) {\n  case _ {\n    run c\n  }\n}")]);
}

#[test]
fn strings() {
    check(&[
        ("\"a\"", " doc \"a\"\nrun \"a\""),
        ("x = ''", "var x = \"\""),
        ("x = '''a\nb'''", "var x = \"a\\nb\""),
        (r#"x = 'a\tb'"#, r#"var x = join("a", "\t"@"\\t", "b")"#),
        (
            r#"x = '\x41\101\u00e9\'\\\q\
'"#,
            r#"var x = join("AAé'\\"@"\\x41\\101\\u00e9\\'\\\\", "\\q")"#,
        ),
        (r#"x = '\N{BULLET}'"#, r#"var x = "\\N{BULLET}""#),
        (r#"x = r'\d' R"\"" rb'\x00' b'\x00' u'a'"#, r#"var x = join("\\d", "\\\"", b"\\x00", b"\0"@"b'\\x00'", "a")"#),
        ("x = 'a' 'b'", "var x = join(\"a\", \"b\")"),
        ("x = f'a'", "var x = \"a\""),
        ("x = f'{a}'", "var x = join(a)"),
        ("x = f'a {b} c' 'd'", "var x = join(\"a \", b, \" c\", \"d\")"),
        (r#"x = f'{{{a}\n'"#, r#"var x = join("{"@"{{", a, "\n"@"\\n")"#),
        (
            "x = f'{a!r:>{b}} {c:.2f}'",
            "var x = join((formatted a as r with join(\">\", b)), \" \", (formatted c with \".2f\"))",
        ),
        (
            "x = f'{a = }{b=!s}{c=:d}'",
            "var x = join(\"a = \", (formatted a as r), \"b=\", (formatted b as s), \"c=\", (formatted c with \"d\"))",
        ),
        ("x = f'{a, b}{f\"{c}\"}'", "var x = join(tuple(a, b), join(c))"),
        ("x = t'{a}'", "var x = <?a template string?>"),
    ]);
}

#[test]
fn operators() {
    check(&[
        (
            "0x_ff; 1_0; 1e3; .5; 0b11; 0o17; 1j",
            "run 255\nrun 10\nrun 1000\nrun 0.5\nrun 3\nrun 15\nrun <?a complex number?>",
        ),
        ("a + b - c * d ** e", "run ((a + b) - (c * (d ** e)))"),
        ("a or b and not c", "run (a or (b and (not c)))"),
        ("-a; +b; ~c", "run (-a)\nrun (+b)\nrun (~c)"),
        ("a < b <= c", "run ((a < b) and (b <= c))"),
        ("a < f(b) < c", "run ((a < (compared value@\"f(b)\" = f(b))) and (compared value@\"f(b)\" < c))"),
        ("a in b; a not in b; a is b; a is not b", "run (a in b)\nrun (a not in b)\nrun (a is b)\nrun (a is not b)"),
        ("a == b != c", "run ((a === b) and (b !== c))"),
        ("a if b else c", "run (b ? a : c)"),
        ("await a.b()", "run (await a.b())"),
        ("...", "run ellipsis"),
    ]);
}

#[test]
fn values() {
    check(&[
        ("a.b[c](d, *e, f=g, **h)", "run a.b[c](d, ...e, f=g, **h)"),
        ("f(a for a in b)", "run f(generator(a for a of b))"),
        ("a[1:2]; a[::b]; a[:]", "run a[from 1 to 2]\nrun a[ step b]\nrun a[]"),
        ("a[b, c]; a[b,]; a[*b]", "run a[tuple(b, c)]\nrun a[tuple(b)]\nrun a[tuple((...b))]"),
        ("a[1:2, 3]", "run a[tuple(slice@\"1:2\"(1, 2, null), 3)]"),
        ("[a, *b]; (a,); (); {a, *b}", "run [a, (...b)]\nrun tuple(a)\nrun tuple()\nrun set(a, (...b))"),
        ("x = {'a': 1, **b, c: d}", "var x = {\"a\": 1, ...b, c: d}"),
        // The grammar takes these for a call and a sum of `*a`.
        ("x = [*a.b(c), *d]", "var x = [(...a.b(c)), (...d)]"),
        ("x = f(*a.b(c), *d + e)", "var x = f(...a.b(c), ...(d + e))"),
        ("[a for a, b in c if d if e for f in g]", "run list(a for [a, b] of c if d if e for f of g)"),
        ("{a: b for c in d}; {a for b in c}", "run table(a: b for c of d)\nrun set(a for b of c)"),
        ("x: dict[str, list[int]] | 'A' | None", "var x: ((dict[tuple(str, list[int])] | \"A\") | null)"),
        ("x: a.B[*C]", "var x: a.B[tuple((...C))]"),
        ("((a))", "run a"),
    ]);
}

#[test]
fn half_typed_code_keeps_what_can_be_seen() {
    let cases: [(&str, &[&str]); 6] = [
        ("@mcp.tool(\ndef f(a): pass", &["run mcp.tool", "function f(a) {}"]),
        ("class A:\n  def f(self):\n    return self.\n  def g(self): pass", &["function f(self)", "function g(self)"]),
        ("try:\n  a()\nb()", &["run a()", "run b()"]),
        ("f(a, , b)", &["run f(a, b)"]),
        ("x = (\n", &["<?code that does not parse?>"]),
        ("if a\n  b()\nc()", &["c()"]),
    ];
    for (source, expected) in cases {
        let shown = shown(source);
        assert!(expected.iter().all(|part| shown.contains(part)), "{source}\n{shown}");
    }
}

/// Lowers, copies, compares and drops the code of a text in a small thread.
fn survives(name: &'static str, source: String) {
    let lowered = move || {
        let tree = parse(Language::Python, &source, None)?;
        let code = lower(Language::Python, &tree, &source, None);
        Some(code == code.clone())
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(lowered).expect("a thread");
    assert_ne!(thread.join().expect("no panic"), Some(false), "{name}");
}

#[test]
fn hostile_code_overflows_nothing() {
    let many = |text: &str| text.repeat(20_000);
    let nested = |line: &str| -> String { (0..1000).map(|depth| format!("{}{line}\n", " ".repeat(depth))).collect() };
    for (open, middle, close) in [
        ("[", "", "]"),
        ("(", "1", ")"),
        ("(", "1", ",)"),
        ("{1: ", "1", "}"),
        ("f(", "", ""),
        ("f'{", "", ""),
        ("[a for a in ", "a", "]"),
        ("(a := ", "1", ")"),
        ("a < (", "a", ") < a"),
        ("(", "a", " + a - a)"),
        ("not ", "a", ""),
        ("-", "a", ""),
        ("await ", "a", ""),
        ("lambda: ", "a", ""),
        ("", "a", " + a"),
        ("", "a", " + a - a"),
        ("", "a", " ** a"),
        ("", "a", " and a"),
        ("", "a", " and a or a"),
        ("", "a", " < f(a)"),
        ("", "a", ".b"),
        ("", "a", ".b(c)"),
        ("", "a", "[0]"),
        ("", "a", " if a else a"),
        ("", "", "'a' "),
    ] {
        survives("an expression", format!("x = {}{middle}{}", many(open), many(close)));
    }
    let sums = |part: &str| format!("x = {}a{}", "(".repeat(150), format!("{})", part.repeat(40)).repeat(150));
    survives("sums in sums", sums(" + a"));
    survives("mixed sums in sums", sums(" + a - a"));
    survives("elif", format!("if a: b\n{}", "elif a: b\n".repeat(5000)));
    survives("fewer elif", format!("if a: b\n{}", "elif a: b\n".repeat(199)));
    survives("blocks", nested("if a:"));
    survives("functions", nested("def f():"));
    survives("chained assignments", format!("{}1", many("a = ")));
    survives("targets", format!("{}a{} = 1", many("("), many(",)")));
    survives("formats", format!("x = f\"{}a{}\"", many("{a:"), many("}")));
    survives("patterns", format!("match x:\n case {}a{}: pass", many("["), many("]")));
    survives("dotted patterns", format!("match x:\n case a{}: pass", many(".a")));
    survives("types", format!("x: {}a{}", many("List["), many("]")));
    survives("unions", format!("def f() -> a{}: pass", many(" | List[a]")));
    survives("members of types", format!("x: a{}", many(".b")));
    survives("decorators", format!("{}def f(): pass", many("@a\n")));
    survives("imports", format!("import a{}", many(".a")));
    survives("half-typed code", "def f(self):\n  self.\n  y = foo(\n@mcp.tool(\nclass A\n  def\n".repeat(500));
}
