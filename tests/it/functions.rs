//! Renaming the Python function that a tool is named after, together with the tool.

use expect_test::{Expect, expect};
use toolnames::testing::rename::{self, Alias, Sources, To};

use super::fixture::Fixture;
use super::renaming::check_to;

#[track_caller]
fn check(files: &str, alias: Option<&Alias>, expected: Expect) {
    check_to(files, "read_note", To { function_too: true, ..To::new("get_note", alias) }, expected);
}

const SERVER: &str = r#"
//- /notes/tools.py
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("notes")
__all__ = ["read_note"]
@mcp.tool()
def read_note(id: str) -> str:
    """Reads one."""
    return id
@mcp.tool()
def list_notes() -> list[str]:
    """Lists them; `read_note` reads one."""
    return [read_note("a")]
"#;

#[test]
fn the_function_is_renamed_wherever_it_is_meant() {
    let files = format!(
        r#"{SERVER}
//- /notes/__init__.py
from .tools import read_note
//- /main.py
from notes import read_note as read
from notes import tools
print(read("a"), tools.read_note("b"), other.read_note)
//- /notes/test_tools.py
from notes.tools import read_note
def test(): assert read_note("a") == "a"
//- /elsewhere.py
from others import read_note
"#
    );
    check(
        &files,
        None,
        expect![[r#"
            //- /main.py
            from notes import get_note as read
            from notes import tools
            print(read("a"), tools.get_note("b"), other.read_note)
            //- /notes/__init__.py
            from .tools import get_note
            //- /notes/test_tools.py
            from notes.tools import get_note
            def test(): assert get_note("a") == "a"
            //- /notes/tools.py
            from mcp.server.fastmcp import FastMCP
            mcp = FastMCP("notes")
            __all__ = ["get_note"]
            @mcp.tool()
            def get_note(id: str) -> str:
                """Reads one."""
                return id
            @mcp.tool()
            def list_notes() -> list[str]:
                """Lists them; `get_note` reads one."""
                return [get_note("a")]

            left: main.py: a member with the same name, which may be the function
        "#]],
    );
}

#[test]
fn paths_that_lead_to_the_function_follow() {
    let files = format!(
        r#"{SERVER}
//- /pyproject.toml
[project.scripts]
read = "notes.tools:read_note"
other = "others.tools:read_note"
//- /tests/test_read.py
@patch("notes.tools.read_note", return_value="a")
def test(): patch("others.read_note"); tools.read_note_twice()
def label(): return translate("notes.tools.read_note") + srv.read_note
//- /scopes.yaml
scopes: [notes.tools.read_note]
"#
    );
    check(
        &files,
        None,
        expect![[r#"
            //- /notes/tools.py
            from mcp.server.fastmcp import FastMCP
            mcp = FastMCP("notes")
            __all__ = ["get_note"]
            @mcp.tool()
            def get_note(id: str) -> str:
                """Reads one."""
                return id
            @mcp.tool()
            def list_notes() -> list[str]:
                """Lists them; `get_note` reads one."""
                return [get_note("a")]

            //- /pyproject.toml
            [project.scripts]
            read = "notes.tools:get_note"
            other = "others.tools:read_note"
            //- /tests/test_read.py
            @patch("notes.tools.get_note", return_value="a")
            def test(): patch("others.read_note"); tools.read_note_twice()
            def label(): return translate("notes.tools.read_note") + srv.read_note
            left: scopes.yaml: a path to the function, or a key that looks like one
            left: tests/test_read.py: a member with the same name, which may be the function
            left: tests/test_read.py: a path to the function, or a key that looks like one
        "#]],
    );
}

#[test]
fn an_alias_is_that_of_the_renamed_function() {
    check(
        SERVER,
        Some(&Alias::default()),
        expect![[r#"
        //- /notes/tools.py
        from mcp.server.fastmcp import FastMCP
        mcp = FastMCP("notes")
        __all__ = ["get_note"]
        # toolnames: alias of get_note
        @mcp.tool(name="read_note", description="Deprecated: use get_note.")
        @mcp.tool()
        def get_note(id: str) -> str:
            """Reads one."""
            return id
        @mcp.tool()
        def list_notes() -> list[str]:
            """Lists them; `get_note` reads one."""
            return [get_note("a")]
    "#]],
    );
}

#[test]
fn fastmcp_makes_its_alias_of_the_function_by_its_new_name() {
    let files = r#"
//- /pyproject.toml
[project]
name = "notes"
version = "1.0.0"
dependencies = ["fastmcp>=2.10"]
//- /server.py
from fastmcp import FastMCP
mcp = FastMCP("notes")
@mcp.tool
def read_note(id: str) -> str:
    """Reads one."""
    return id
"#;
    check(
        files,
        Some(&Alias::default()),
        expect![[r#"
            //- /server.py
            from fastmcp import FastMCP
            from fastmcp.tools import Tool
            mcp = FastMCP("notes")
            @mcp.tool
            def get_note(id: str) -> str:
                """Reads one."""
                return id


            # toolnames: alias of get_note
            mcp.add_tool(
                Tool.from_tool(get_note, name="read_note", description="Deprecated: use get_note.")
            )
        "#]],
    );
}

#[test]
fn a_module_of_the_same_name_beside_who_imports_it_is_another() {
    let server =
        "from mcp.server.fastmcp import FastMCP\nmcp = FastMCP(\"notes\")\n@mcp.tool()\ndef read_note(): ...\n";
    let other = server.replace("notes", "other").replace("read_note", "see_note");
    let files = format!(
        "//- /a/server.py\n{server}//- /b/server.py\n{other}//- /b/main.py\nfrom server import read_note\n//- /a/main.py\nfrom server import read_note\n"
    );
    check(
        &files,
        None,
        expect![[r#"
        //- /a/main.py
        from server import get_note
        //- /a/server.py
        from mcp.server.fastmcp import FastMCP
        mcp = FastMCP("notes")
        @mcp.tool()
        def get_note(): ...
    "#]],
    );
}

#[test]
fn one_inside_a_function_is_renamed_there_alone() {
    let files = r#"
//- /server.py
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("notes")
def register(mcp):
    @mcp.tool()
    def read_note(id: str) -> str:
        return id
    return read_note
register(mcp)
read_note = 1
"#;
    check(
        files,
        None,
        expect![[r#"
        //- /server.py
        from mcp.server.fastmcp import FastMCP
        mcp = FastMCP("notes")
        def register(mcp):
            @mcp.tool()
            def get_note(id: str) -> str:
                return id
            return get_note
        register(mcp)
        read_note = 1
    "#]],
    );
}

#[test]
fn what_cannot_be_told_or_cannot_be_is_refused() {
    let with = |more: &str| format!("{SERVER}{more}");
    check(
        &with("def f(read_note): ...\n"),
        None,
        expect![[r#"
            cannot rename `read_note` to `get_note`: `read_note` also refers to something else
        "#]],
    );
    check(
        &with("get_note = 1\n"),
        None,
        expect![[r#"
            cannot rename `read_note` to `get_note`: `get_note` refers to something else
        "#]],
    );
    check(
        &with("//- /main.py\nfrom notes.tools import read_note\nfor read_note in []: pass\n"),
        None,
        expect![[r#"
            cannot rename `read_note` to `get_note`: `read_note` is imported in main.py, where `read_note` also refers to something else
        "#]],
    );
    let keyword = To { function_too: true, ..To::new("import", None) };
    check_to(
        SERVER,
        "read_note",
        keyword,
        expect![[r#"
            cannot rename `read_note` to `import`: `import` is not a valid Python function name
        "#]],
    );
    let hyphen = To { function_too: true, ..To::new("get-note", None) };
    check_to(
        SERVER,
        "read_note",
        hyphen,
        expect![[r#"
            cannot rename `read_note` to `get-note`: `get-note` is not a valid Python function name
        "#]],
    );
    let written = SERVER.replacen("@mcp.tool()", "@mcp.tool(name=\"read_note\")", 1);
    check(
        &written,
        None,
        expect![[r#"
            cannot rename `read_note` to `get_note`: the tool is not named after a Python function
        "#]],
    );
}

#[test]
fn where_the_function_keeps_its_name_a_module_exports_it_as_before() {
    let files = r#"//- /pyproject.toml
[project]
name = "notes"
dependencies = ["mcp"]
//- /pkg/__init__.py
from .tools import read_note, write_note

__all__ = [
    "read_note",
    "write_note",
]
//- /pkg/tools.py
def read_note(id: str) -> str:
    return id


def write_note(id: str) -> str:
    return id
//- /server.py
from mcp.server.fastmcp import FastMCP
from pkg import read_note, write_note

mcp = FastMCP("notes")
mcp.tool()(read_note)
mcp.tool()(write_note)
"#;
    let fixture = Fixture::parse(files);
    let snapshot = fixture.snapshot();
    let texts = |file| fixture.text(&snapshot, file);
    let sources = Sources { texts: &texts, around: &fixture };
    for alias in [Some(&Alias::default()), None] {
        let target = rename::targets(&snapshot, "read_note", None)[0];
        let plan = rename::rename(&snapshot, target, To::new("get_note", alias), sources).unwrap();
        let changed: Vec<&str> = plan.edits().keys().map(|file| snapshot.files.path(*file)).collect();
        assert_eq!(changed, ["server.py"], "{alias:?}");
    }
}

#[test]
fn what_a_test_gives_and_what_it_expects_to_be_said_stay_together() {
    let files = r#"//- /pyproject.toml
[project]
name = "notes"
dependencies = ["mcp"]
//- /SPEC.md
# Specification

### v0.1 (read only)

| Tool | What |
|---|---|
| `read_note` | Reads. |
//- /server.py
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("notes")


def tool_error(error: Exception, tool: str) -> str:
    return f"{tool} failed: {error}"


@mcp.tool()
def read_note(id: str) -> str:
    return id


@mcp.tool()
def list_notes(id: str) -> str:
    """Lists.

    Use ``read_note`` to read them -- one by one -- as text.
    """
    return read_note(id)
//- /tests/test_server.py
from server import read_note, tool_error


def test_error():
    message = tool_error(ValueError("x"), "read_note")
    assert "read_note failed: x" in message


def test_read():
    assert read_note("1") == "1"
"#;
    let fixture = Fixture::parse(files);
    let snapshot = fixture.snapshot();
    let texts = |file| fixture.text(&snapshot, file);
    let sources = Sources { texts: &texts, around: &fixture };
    let alias = Alias::default();
    let target = rename::targets(&snapshot, "read_note", None)[0];
    let plan = rename::rename(&snapshot, target, To::new("get_note", Some(&alias)), sources).unwrap();
    let changed: Vec<&str> = plan.edits().keys().map(|file| snapshot.files.path(*file)).collect();
    assert_eq!(changed, ["server.py"]);
    let edits = &plan.edits()[&target.tool.local_place().file];
    // The `--` between words does not make the sentence a command with a flag, so the name in it is renamed.
    assert!(edits.iter().any(|edit| fixture.files["server.py"][..edit.span.start as usize].ends_with("Use ``")));
    assert!(plan.documents.values().all(|document| document.edits.is_empty()));
    let past = plan.skipped.iter().filter(|left| left.reason.code() == "past-section");
    assert_eq!(past.map(|left| snapshot.files.path(left.file)).collect::<Vec<_>>(), ["SPEC.md"]);
}

#[test]
fn a_function_that_its_name_finds_is_renamed_with_that_name() {
    let server = r#"
//- /server.py
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("notes")

NAMES = {"notes": ("read_note", "drop_note")}
DETAILS = {"read_note", "list_notes"}


def read_note() -> str:
    """Reads a note."""
    return ""


def drop_note() -> str:
    """Drops a note."""
    return ""


FUNCTIONS = {name: globals()[name] for names in NAMES.values() for name in names}


def register(function):
    if function.__name__ in DETAILS:
        return mcp.tool(structured_output=False)(function)
    return mcp.tool()(function)


for name in FUNCTIONS:
    register(FUNCTIONS[name])
"#;
    check(
        server,
        None,
        expect![[r#"
        //- /server.py
        from mcp.server.fastmcp import FastMCP

        mcp = FastMCP("notes")

        NAMES = {"notes": ("get_note", "drop_note")}
        DETAILS = {"get_note", "list_notes"}


        def get_note() -> str:
            """Reads a note."""
            return ""


        def drop_note() -> str:
            """Drops a note."""
            return ""


        FUNCTIONS = {name: globals()[name] for names in NAMES.values() for name in names}


        def register(function):
            if function.__name__ in DETAILS:
                return mcp.tool(structured_output=False)(function)
            return mcp.tool()(function)


        for name in FUNCTIONS:
            register(FUNCTIONS[name])
    "#]],
    );
    check(
        server,
        Some(&Alias::default()),
        expect![[r#"
        //- /server.py
        from mcp.server.fastmcp import FastMCP

        mcp = FastMCP("notes")

        NAMES = {"notes": ("get_note", "drop_note")}
        DETAILS = {"get_note", "list_notes"}


        def get_note() -> str:
            """Reads a note."""
            return ""


        def drop_note() -> str:
            """Drops a note."""
            return ""


        FUNCTIONS = {name: globals()[name] for names in NAMES.values() for name in names}


        def register(function):
            if function.__name__ in DETAILS:
                # toolnames: alias of get_note
                mcp.tool(name="read_note", description="Deprecated: use get_note.", structured_output=False)(function)
                return mcp.tool(structured_output=False)(function)
            return mcp.tool()(function)


        for name in FUNCTIONS:
            register(FUNCTIONS[name])
    "#]],
    );
}
