//! Programs and the code that they become, as [`printed`] shows it.

mod hostile;

use expect_test::{Expect, expect};

use crate::code::lower;
use crate::code::printed::printed;
use crate::syntax::{Language, parse};

/// Lowers a program and compares the code.
fn check(language: Language, source: &str, expected: Expect) {
    let tree = parse(language, source, None).unwrap();
    expected.assert_eq(&printed(&lower(language, &tree, source, None), source));
}

#[test]
fn variables() {
    let source = r#"const a = 1, { b = 2, "c": [d, , ...e], [f]: g.h, ...rest } = o;
let x: Map<string, Tool>, y: ns.Server | null, z: ("a" | 'b')[] = [1, , 2];
var v: { a: 1 }, w!: Promise<{ a: 1 }>;
using u = open();
async () => { await using r = await open(); };"#;
    check(
        Language::TypeScript,
        source,
        expect![[r#"
        let a = 1
        let {"b": b = 2, "c": [d, hole, ...e], f: place g.h ...rest} = o
        let x: Map[tuple(string, Tool)]
        let y: ns.Server
        let z: Array@"(\"a\" | 'b')[]"[["a", "b"]] = [1, undefined, 2]
        var v
        var w: Promise[tuple(<?a type?>)]
        let u = open()
        run async arrow() {
          let r = (await open())
        }
    "#]],
    );
}

#[test]
fn functions() {
    let source = r#"async function* all({ a, b = 1 }: T, [c]: number[], d = 2, e?: ns.E, ...rest: string[]): Promise<number> {
    yield* a;
    return yield;
}
function typed(this: Foo): asserts x is string {}
function over(a: string): void;
function over(a: any) { return function own() {}; }
const arrows = [x => x, async (x: T) => await x, () => ({}), function* () {}];"#;
    check(
        Language::TypeScript,
        source,
        expect![[r#"
        async function* all({"a": a, "b": b = 1}: T, [c]: Array@"number[]"[number], d = 2, e: ns.E, ...rest: Array@"string[]"[string]): Promise[tuple(number)] {
          run (yield* a)
          return (yield)
        }
        function typed() {}
        function over(a: any) {
          return function own() {}
        }
        let arrows = [arrow(x) {
          return x
        }, async arrow(x: T) {
          return (await x)
        }, arrow() {
          return {}
        }, function*() {}]
    "#]],
    );
}

#[test]
fn documentation() {
    let source = r#"/** Adds two
 *  numbers. */
export function add() {}
/* No documentation. */
function none() {}
/**
 *
 * In between. @see other
 */
// A note.
const arrow = () => 1, other = () => 2;
/** Of the class. */
@Injectable()
export class A {
    /** Of the method. */
    @Tool() run() {}
    /** Of the field. */
    field = () => 1;
}
export default {
    /** Of the entry. */
    entry: function () {},
    /** Of the short one. */ short() {},
};
/***/
function empty() {}
/** Of all overloads. */
export function over(a: string): void;
export function over(a) {}"#;
    check(
        Language::TypeScript,
        source,
        expect![[r#"
            export function add() doc "Adds two" {}
            function none() {}
            let arrow = arrow() doc "In between. @see other" {
              return 1
            }
            let other = arrow() {
              return 2
            }
            export @Injectable() class A() doc "Of the class." {
              @Tool() method "run": function run() doc "Of the method." {}
              field "field" = arrow() doc "Of the field." {
                return 1
              }
            }
            export default {"entry": function() doc "Of the entry." {}, "short": function short() doc "Of the short one." {}}
            function empty() {}
            export function over(a) doc "Of all overloads." {}
        "#]],
    );
}

#[test]
fn classes() {
    let source = r#"@Outer @inner.most()
abstract class A<T> extends mix(B)<T> implements C, D {
    static #count = 1;
    declare y: string;
    readonly z: Foo = new Foo;
    [key: string]: unknown;
    "quoted";
    5 = 5;
    accessor q?: number;
    constructor(private readonly name: string, @Inject(X) public b = 2, readonly c?: number, d = 1) { super(name); }
    @Tool("run") private async *run(@Arg() a: string) { return #count in this; }
    get v() { return 1; }
    set v(x) {}
    static get w() { return this.#secret(); }
    static { init(); }
    over(a: string): void;
    over(a) {}
    [Symbol.iterator]() {}
    #secret() {}
    abstract foo(): string;
    protected abstract bar: string;
    get; set; static; async = 1;
}
const K = class Named extends A {}, L = @deco class {};"#;
    check(
        Language::TypeScript,
        source,
        expect![[r##"
        @Outer @inner.most() class A(mix(B)) {
          static field "#count" = 1
          declared "y"
          field "z": Foo = new Foo()
          field "quoted"
          field "5" = 5
          field "q": number
          method "constructor": function constructor(field name: string, @Inject(X) field b = 2, field c: number, d = 1) {
            run super(name)
          }
          @Tool("run") method "run": async function* run(@Arg() a: string) {
            return ("#count" in this)
          }
          get "v": function v() {
            return 1
          }
          set "v": function v(x) {}
          static get "w": function w() {
            return this.#secret()
          }
          static run {
            run init()
          }
          method "over": function over(a) {}
          method Symbol.iterator: function() {}
          method "#secret": function #secret() {}
          declared "foo"
          declared "bar"
          field "get"
          field "set"
          field "static"
          field "async" = 1
        }
        let K = class Named(A) {}
        let L = @deco class() {}
    "##]],
    );
}

#[test]
fn enums() {
    let source = r#"enum E { A, B = 5, C, "d-d" = "d", F = A | C, G = E["d-d"], H = `${G}-x`, I = f(), J }
const enum Flags { None, A = 1 << 2, B = -A, [`c`], D = ~1 }
declare enum Nothing { A }"#;
    check(
        Language::TypeScript,
        source,
        expect![[r#"
            let E = {"A": 0, "0"@"A": "A", "B": 5, "5"@"B": "B", "C": 6, "6"@"C": "C", "d-d": "d", "F": 6, "6"@"F": "F", "G": "d", "H": join("d", "-x"), "I": f(), "J": <?an enum member after a computed one?>}
            let Flags = {"None": 0, "0"@"None": "None", "A": 4, "4"@"A": "A", "B": -4, "-4"@"B": "B", "c": -3, "-3"@"c": "c", "D": -2, "-2"@"D": "D"}
        "#]],
    );
}

#[test]
fn namespaces_and_declarations() {
    let source = r#"namespace N.M { export const x = 1; function f() {} }
module Old { export class P {} }
export namespace Pub { export const q = 1; }
declare module "foo" { export const y: string; }
declare global { interface X {} }
declare const foo: string;
interface I { a: string }
type T = string;"#;
    check(
        Language::TypeScript,
        source,
        expect![[r#"
        namespace N {
          export namespace M {
            export let x = 1
            function f() {}
          }
        }
        namespace Old {
          export class P() {}
        }
        export namespace Pub {
          export let q = 1
        }
    "#]],
    );
}

#[test]
fn imports() {
    let source = r#"import d from "./a.js";
import e, * as ns from './b';
import { type T1, x as y, default as z, "string name" as s } from "c";
import "side";
import type { T2 } from "t";
import { type Only } from "only";
import fs = require("fs");
import type Gone = require("gone");
import alias = A.B.C;
import json from "./x.json" with { type: "json" };"#;
    check(
        Language::TypeScript,
        source,
        expect![[r#"
        import "./a.js", default as d
        import "./b", default as e, module as ns
        import "c", named x as y, default as z, named string name as s
        import "side"
        import types "t", named T2 as T2
        import "only"
        let fs = require@"fs = require(\"fs\")"("fs")
        let alias = A.B.C
        import "./x.json", default as json
    "#]],
    );
}

#[test]
fn exports() {
    let source = r#"export const a = 1, { b } = o;
export { a as c, type T, b as default, b as "string name" };
export { x as y, default, default as z } from "m";
export * from "n";
export * as all from "o";
export default async function main() {}
export default class Foo {}
export default class {}
export default () => 1;
@deco export class Bar {}
export abstract class AC {}
export enum Kind { A = "a" }
export import im = A.B;
export type { Q } from "q";
export type * from "types";
export interface I {}
export type Z = 1;
export declare const zz: string;
export function sig(): void;
export = whole;
export as namespace G;"#;
    check(
        Language::TypeScript,
        source,
        expect![[r#"
        export let a = 1
        export let {"b": b} = o
        export a as c, b as default, b as string name
        export from "m" named x as y, default as default, default as z
        export all "n"
        export from "o" module as all
        export async function main() {}
        export main as default
        export class Foo() {}
        export Foo as default
        export default class() {}
        export default arrow() {
          return 1
        }
        export @deco class Bar() {}
        export class AC() {}
        export let Kind = {"A": "a"}
        export let im = A.B
        export = whole
    "#]],
    );
}

#[test]
fn branches() {
    let source = r#"if (a) b(); else if (c) { d(); } else if (e); else f;
switch (x) {
    case 1:
    case "two": f(); break;
    case 3: { return; }
    default: g();
    case 4: if (a) { return; } else throw b;
    case 5: if (a) break;
}"#;
    check(
        Language::TypeScript,
        source,
        expect![[r#"
        if a {
          run b()
        } else if c {
          run d()
        } else if e {} else {
          run f
        }
        switch x {
          case 1 falls {}
          case "two" {
            run f()
            break
          }
          case 3 {
            block {
              return
            }
          }
          default falls {
            run g()
          }
          case 4 {
            if a {
              return
            } else {
              throw b
            }
          }
          case 5 falls {
            if a {
              break
            }
          }
        }
    "#]],
    );
}

#[test]
fn loops() {
    let source = r#"for (let i = 0, n = 5; i < n; i++) continue;
for (;;) break;
for (i = 0; ;) {}
for (const k in o) {}
for (x.y of z) {}
for ([a, b] of c) {}
for (var [k, v] of Object.entries(o)) {}
async () => { for await (const x of y) z(x); };
while (x) { y; }
do z++; while (q);
outer: for (;;) { break outer; continue outer; }
lab: { a; }"#;
    check(
        Language::TypeScript,
        source,
        expect![[r#"
            first {
              let i = 0
              let n = 5
            } while (i < n) after (i++) {
              continue
            }
            while {
              break
            }
            first {
              run (i = 0)
            } while {}
            for let k in o {}
            for set place x.y of z {}
            for set [a, b] of c {}
            for var [k, v] of Object.entries(o) {}
            run async arrow() {
              for let awaited element@"x" of y {
                let x = (await awaited element@"x")
                run z(x)
              }
            }
            while x {
              run y
            }
            do while q {
              run (z++)
            }
            label outer: while {
              break to outer
              continue to outer
            }
            label lab: block {
              run a
            }
        "#]],
    );
}

#[test]
fn exceptions_and_the_rest() {
    let source = r#"try { a; } catch ({ message }: any) { b; } finally { c; }
try {} catch {}
throw new Error("x");
debugger;
;
{ const inner = 1; }
with (a) { b; }"#;
    check(
        Language::TypeScript,
        source,
        expect![[r#"
        try {
          run a
        } catch as {"message": message} {
          run b
        } finally {
          run c
        }
        try {} catch {}
        throw new Error("x")
        block {
          let inner = 1
        }
        <?a block in the scope of an object?>
    "#]],
    );
}

#[test]
fn literals() {
    let source = r#""use strict";
["", 'it\'s', "\n\t\b\f\v\0\x41\u0042\u{1F600}\ud83d\ude00\ud83d\z\101", "a\
b"];
[`plain`, ``, `a ${b} c ${d}`, `${x}`, `\n${1}`];
[tag`a${1}b`, a.b``, String.raw`\n${1}`];
[0x1F, 1_000, 10n, 0x1Fn, .5, 0b11, 0O17, 017, 089, 1e3, 5.];
[/a\/b+c/gi, /x/, undefined, NaN, Infinity, null, true, false];"#;
    check(
        Language::TypeScript,
        source,
        expect![[r#"
            run "use strict"
            run ["", join("it", "'"@"\\'", "s"), join("\n\t\u{8}\u{c}\u{b}\0AB😀😀�zA"@"\\n\\t\\b\\f\\v\\0\\x41\\u0042\\u{1F600}\\ud83d\\ude00\\ud83d\\z\\101"), join("a", "b")]
            run ["plain", "", join("a ", b, " c ", d), join(x), join("\n"@"\\n", 1)]
            run [tag(["a", "b"], 1), a.b([""]), String.raw(["\\n", ""], 1)]
            run [31, 1000, 10, 31, 0.5, 3, 15, 15, 89, 1000, 5]
            run [/a\/b+c/gi, /x/, undefined, NaN, Infinity, null, true, false]
        "#]],
    );
}

#[test]
fn members_and_calls() {
    let source = r#"[a.b.c, a?.b.c, a?.[0], f?.(x), a["k"], a[i], this.#x, super.y, a!.b!(), a?.b?.(c)!.d];
[new X, new X(), new a.b.C(1, ...r), new (f())(), f<T>(x), g<T>, (0, f)()];
[import("m"), import.meta.url, import.meta, new.target];
[x as Y, x as const, <T>y, z satisfies Q, (a), (a, b)];"#;
    check(
        Language::TypeScript,
        source,
        expect![[r#"
        run [a.b.c, a?.b.c, a?.[0], f?.(x), a["k"], a[i], this.#x, super.y, a.b(), a?.b?.(c).d]
        run [new X(), new X(), new a.b.C(1, ...r), new f()(), f(x), g, sequence(0, f)()]
        run [(import "m"), import.meta.url, import.meta, <?new.target?>]
        run [x, x, y, z, a, sequence(a, b)]
    "#]],
    );
}

#[test]
fn objects_and_arrays() {
    let source = r#"({ a, "b": 1, 2: 3, 0x10: 4, [c]: d, ["e"]: f, ...h, g: () => 1, });
({ e() {}, get f() { return 1; }, set f(v) {}, async *g() {}, [h]() {}, "i-i"() {}, async: 1, get: 2 });
[1, , ...a, , ];"#;
    check(
        Language::TypeScript,
        source,
        expect![[r#"
        run {"a": a, "b": 1, "2": 3, "16"@"0x10": 4, c: d, "e": f, ...h, "g": arrow() {
          return 1
        }}
        run {"e": function e() {}, get "f": function f() {
          return 1
        }, set "f": function f(v) {}, "g": async function* g() {}, h: function() {}, "i-i": function i-i() {}, "async": 1, "get": 2}
        run [1, undefined, (...a), undefined]
    "#]],
    );
}

#[test]
fn operators() {
    let source = r#"[!a, -1, +b, ~c, typeof d, void 0, delete e.f];
[a + b * c - d, a / b % c ** d, a & b | c ^ d, a << b >> c >>> d];
[a === b, a == b, a != b, a !== b, a < b, a <= b, a > b, a >= b, a in b, a instanceof b];
[a && b || c, a ?? b, a ? b : c ? d : e];
[a = b, a.b += c, a[0] ||= 1, a ??= b, a &&= b, a = b = c, a **= 2, a >>>= 1];
[{ a, b: c.d = 1, ...e } = f, [a, b] = [b, a], (a) = 1, (a as any).b = 2, a! = 1];
[a++, --b.c];
async function* f() { await a; yield; yield a; yield* b; }"#;
    check(
        Language::TypeScript,
        source,
        expect![[r#"
        run [(not a), (-1), (+b), (~c), (typeof d), (void 0), (delete e.f)]
        run [((a + (b * c)) - d), ((a / b) % (c ** d)), ((a & b) | (c ^ d)), (((a << b) >> c) >>> d)]
        run [(a === b), (a == b), (a != b), (a !== b), (a < b), (a <= b), (a > b), (a >= b), (a in b), (a instanceof b)]
        run [((a and b) or c), (a ?? b), (a ? b : (c ? d : e))]
        run [(a = b), (place a.b += c), (place a[0] or= 1), (a ??= b), (a and= b), (a = (b = c)), (a **= 2), (a >>>= 1)]
        run [({"a": a, "b": place c.d = 1 ...e} = f), ([a, b] = [b, a]), (a = 1), (place a.b = 2), (a = 1)]
        run [(a++), (--place b.c)]
        async function* f() {
          run (await a)
          run (yield)
          run (yield a)
          run (yield* b)
        }
    "#]],
    );
}

#[test]
fn markup() {
    let source = r#"const view = <div onClick={() => f()}>{text}</div>, one = <a.b />, none = <></>;
const typed = <T,>(x: T) => x;"#;
    check(
        Language::Tsx,
        source,
        expect![[r#"
        let view = <?markup?>
        let one = <?markup?>
        let none = <?markup?>
        let typed = arrow(x: T) {
          return x
        }
    "#]],
    );
}

#[test]
fn code_that_does_not_parse() {
    let source = "const half = server.tool(\"name\", { x: ";
    check(
        Language::TypeScript,
        source,
        expect![[r#"
        <?code that does not parse?>
    "#]],
    );
}

#[test]
fn code_with_errors_around_it() {
    let source = r#"f(a b, c);
x = ;
y.;
function whole() { return 1; }
class A { foo( { bar() { return 1 } }"#;
    check(
        Language::TypeScript,
        source,
        expect![[r#"
            run f(a, <?code that does not parse?>, c)
            run x
            run y
            function whole() {
              return 1
            }
            <?code that does not parse?>
        "#]],
    );
}
