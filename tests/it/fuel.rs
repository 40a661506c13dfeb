//! The strings and lists that a few lines of code can build are limited in size, and tools that depend on larger ones
//! are dynamic.

use expect_test::{Expect, expect};

use toolnames::testing::text::{Edit, Span};
use toolnames::testing::workspace::Budget;

use super::evaluation::check;
use super::fixture::Fixture;

const HEAD: &str = "//- /server.ts\nimport { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\n\
                    const server = new McpServer({ name: \"s\", version: \"1\" });\n";

/// Checks the tools of a file with 28 lines, each of which doubles the value of the line before.
#[track_caller]
fn doubled(first: &str, line: impl Fn(usize) -> String, last: &str, expected: Expect) {
    let lines: String = (1..=28).map(line).collect();
    check(&format!("{HEAD}{first}\n{lines}{last}\n"), expected);
}

const NAMED: &str = "server.registerTool(c28, {}, run);";
const EACH: &str = "for (const name of c20) server.registerTool(name, {}, run);";

#[test]
fn strings_that_double_are_unknown_where_they_are_too_long() {
    let first = "const c0 = \"aaaaaaaaaa\";";
    for line in [
        (|i| format!("const c{i} = c{} + c{};\n", i - 1, i - 1)) as fn(usize) -> String,
        |i| format!("const c{i} = c{}.concat(c{});\n", i - 1, i - 1),
        |i| format!("const c{i} = [c{}, c{}].join(\"\");\n", i - 1, i - 1),
        |i| format!("const c{i} = `${{c{}}}${{c{}}}`;\n", i - 1, i - 1),
    ] {
        let lines: String = (1..=28).map(line).collect();
        let listed = super::evaluation::listed(&format!("{HEAD}{first}\n{lines}{NAMED}\n"));
        assert!(listed.starts_with("s (not complete)\n  ? dynamic@server.ts:32:1: "), "{listed}");
    }
    // Each letter is replaced separately, so that the text has too many parts before it is long.
    doubled(
        first,
        |i| format!("const c{i} = c{}.replaceAll(\"a\", \"aa\");\n", i - 1),
        NAMED,
        expect![[r#"
            s (not complete)
              ? dynamic@server.ts:32:1: a string that is too long
        "#]],
    );
}

#[test]
fn lists_that_double_are_as_long_as_they_are() {
    let lines: String = (1..=14).map(|i| format!("const c{i} = [...c{}, ...c{}];\n", i - 1, i - 1)).collect();
    let each = EACH.replace("c20", "c14").replace("(name, ", "(name + c14.length, ");
    check(
        &format!("{HEAD}const c0 = [\"a\"];\n{lines}{each}\n"),
        expect![[r#"
        s (complete)
          a16384 = a@server.ts:3:14 + 16384@
    "#]],
    );
}

#[test]
fn loops_that_multiply_are_cut() {
    let clauses: String = (0..8).map(|i| format!(" for x{i} in all")).collect();
    let text = format!(
        "//- /server.py\nfrom mcp.server.fastmcp import FastMCP\nmcp = FastMCP(\"s\")\nall = [{}]\n\
         for n in [x0{clauses}]:\n    mcp.add_tool(f, name=n)\n",
        "\"a\", ".repeat(30)
    );
    let listed = super::evaluation::shown(&Fixture::parse(&text).within(LITTLE));
    assert!(listed.contains("the program takes too many steps"), "{listed}");
}

#[test]
fn a_name_of_more_than_four_kibibytes_is_none() {
    let long = "a".repeat(5_000);
    check(
        &format!("{HEAD}server.registerTool(\"{long}\", {{}}, run);\nserver.registerTool(\"short\", {{}}, run);\n"),
        expect![[r#"
            s (not complete)
              short = short@server.ts:4:22
              ? dynamic@server.ts:3:1: a name of more than 4 KiB
        "#]],
    );
}

#[test]
fn a_file_without_steps_left_says_where_it_stops() {
    let loops: String = (0..6).map(|i| format!("for (const x{i} of all) ")).collect();
    let greedy = format!("{loops}server.registerTool(`${{x0}}${{x1}}${{x2}}${{x3}}${{x4}}${{x5}}`, {{}}, run);\n");
    let text = format!(
        "{HEAD}const all = [{}];\n{}server.registerTool(\"last\", {{}}, run);\n",
        (0..30).map(|i| format!("\"a{i}\", ")).collect::<String>(),
        greedy.repeat(60)
    );
    let listed = super::evaluation::shown(&Fixture::parse(&text).within(LITTLE));
    assert!(listed.contains("the program takes too many steps"), "{}", &listed[listed.len() - 2_000..]);
}

/// So few steps that programs spend them in no time.
const LITTLE: Budget = Budget { first: 10_000, all: 240_000, most: 100_000 };

/// A small file whose evaluation uses all the steps that it gets: every function calls the next one twice.
fn costly(index: usize) -> String {
    let functions: String =
        (0..30).map(|i| format!("function f{i}(n) {{ return f{}(n) + f{}(n); }}\n", i + 1, i + 1)).collect();
    let file = HEAD.replace("server.ts", &format!("p{index}/server.ts"));
    format!("{file}{functions}function f30(n) {{ return n; }}\nserver.registerTool(f0(\"a\"), {{}}, run);\n")
}

#[test]
fn many_costly_files_share_what_one_may_take() {
    let steps = |count: usize| {
        let files: String = (0..count).map(costly).collect();
        Fixture::parse(&files).within(LITTLE).analysis().steps()
    };
    // Each package is run twice: as no tool is found, it is run again as if somebody called its functions.
    assert_eq!(steps(1), 2 * LITTLE.most);
    assert_eq!(steps(8), 2 * LITTLE.all);
    assert_eq!(steps(80), 2 * 80 * LITTLE.first);
}

#[test]
fn what_costly_files_get_is_the_same_after_an_edit() {
    let files: String = (0..12).map(costly).collect();
    let fixture = Fixture::parse(&files);
    let snapshot = fixture.within(LITTLE);
    let before = snapshot.analysis().steps();
    let path = "p0/server.ts";
    let file = snapshot.files.by_path(path).unwrap().id;
    let whole = Edit::new(Span::new(0, fixture.files[path].len()), "export {};\n");
    let texts = |file| fixture.text(&snapshot, file);
    let after = snapshot.with_edits(&[(file, vec![whole])].into(), &texts).unwrap();
    let mut fresh = Fixture::parse(&files);
    fresh.files.insert(path.to_string(), "export {};\n".to_string());
    assert_eq!(after.analysis().steps(), fresh.within(LITTLE).analysis().steps());
    assert!(after.analysis().steps() > before * 10 / 12, "each of the others gets more");
}
