//! Programs that are made to exhaust the stack.

use crate::code::lower;
use crate::code::printed::{opaque, printed};
use crate::syntax::Language;

/// The stack of the smallest thread that lowers.
const STACK: usize = 2 << 20;

/// Lowers a program, compares the code and drops it in a small stack, and prints it in a large one; `parse` would refuse
/// some of these.
fn lowered(source: String) -> String {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&tree_sitter_typescript::LANGUAGE_TSX.into()).unwrap();
    let tree = parser.parse(&source, None).unwrap();
    let run = |size: usize, run: &(dyn Fn() -> String + Sync)| {
        std::thread::scope(|scope| {
            std::thread::Builder::new().stack_size(size).spawn_scoped(scope, run).unwrap().join().unwrap()
        })
    };
    run(STACK, &|| {
        let code = lower(Language::Tsx, &tree, &source, None);
        assert!(code == lower(Language::Tsx, &tree, &source, None));
        String::new()
    });
    run(64 << 20, &|| printed(&lower(Language::Tsx, &tree, &source, None), &source))
}

fn is_opaque(source: String) {
    let what = source[..source.len().min(60)].to_owned();
    let shown = lowered(source);
    assert!(!opaque(&shown).is_empty(), "{what}: {}", &shown[..shown.len().min(2_000)]);
}

fn nested(open: &str, middle: &str, close: &str, times: usize) -> String {
    [open.repeat(times), middle.to_owned(), close.repeat(times)].concat()
}

#[test]
fn brackets_of_all_kinds_nest() {
    for (open, middle, close) in [
        ("(", "a", ")"),
        ("[", "", "]"),
        ("f(", "", ")"),
        ("{", "", "}"),
        ("a[", "0", "]"),
        ("!", "a", ""),
        ("x => ", "1", ""),
        ("`${", "a", "}`"),
        ("if (a) ", "b", ""),
        ("while (a) ", "b", ""),
        ("a: ", "b", ""),
        ("a = ", "b", ""),
        ("(class { x = ", "1", "})"),
        ("function f() { ", "", "}"),
        ("f({ a: ", "1", ""),
    ] {
        is_opaque(format!("x;\n{}", nested(open, middle, close, 20_000)));
    }
    lowered(nested("(", "a", "", 20_000));
    lowered(nested("new ", "X", "", 20_000));
    is_opaque(format!("x = {}", nested("{ a: ", "1", "}", 20_000)));
    is_opaque(format!("const {} = x", nested("[", "a", "]", 20_000)));
    lowered(format!("let a: {} = 1", nested("A<", "B", ">", 20_000)));
    lowered(format!("let a: {}", nested("", "B", "[]", 20_000)));
    lowered(format!("let a: {} = 1", vec!["'a'"; 20_000].join(" | ")));
}

#[test]
fn chains_that_are_too_long_become_opaque() {
    let long = |link: &str| link.repeat(20_000);
    is_opaque(format!("a{}", long(" + a")));
    is_opaque(format!("a{}", long(" && a")));
    is_opaque(format!("a{}", long(".b()")));
    is_opaque(format!("a{}", long("[0]")));
    is_opaque(format!("{}c", long("a ? b : ")));
    is_opaque(format!("{}{{}}", "if (a) {} else ".repeat(5_000)));
    is_opaque(nested("(", "a", &format!("{})", " + a".repeat(300)), 100));
    lowered(format!("a{}", long(", a")));
    lowered(format!("namespace a{} {{}}", long(".a")));
    lowered(format!("enum A {{ B = 1{} }}", long(" + 1")));
    let doubled: String = (1..200).map(|n| format!("A{n} = `${{A{}}}${{A{}}}`,", n - 1, n - 1)).collect();
    lowered(format!("enum A {{ A0 = 'a', {doubled} }}"));
}

#[test]
fn long_chains_are_lowered_whole() {
    let whole = |source: String| {
        let shown = lowered(source);
        assert_eq!(opaque(&shown), Vec::<&str>::new());
    };
    whole(format!("a{}", " || a".repeat(900)));
    whole(format!("a{}", ".b()".repeat(450)));
    whole(format!("{}{{}}", "if (a) {} else ".repeat(900)));
    whole(format!("{}c", "a ? b : ".repeat(900)));
    // A sum of texts is one node, however long it is.
    whole(format!("'a'{}", " + 'b' + c".repeat(10_000)));
    whole(format!("a + b{}", " + 'b'".repeat(10_000)));
    whole(nested("f(() => { g(); ", "", "});", 50));
    whole(nested("x.a.b.c(() => { y.d.e.f.g(); ", "", "});", 50));
}

#[test]
fn half_typed_code_is_lowered() {
    let whole = "export class A { async run({ a = `x${1}` }: T) { for (const b of c?.d ?? []) switch (b) { case 'e': \
                 return { ...f, [g]: (h as I)!.j() }; default: throw new K(/l/g, ...m); } } }";
    for end in (0..whole.len()).filter(|end| whole.is_char_boundary(*end)) {
        lowered(whole[..end].to_owned());
        lowered(whole[end..].to_owned());
    }
}
