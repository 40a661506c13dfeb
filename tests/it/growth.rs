//! Renaming many tools at once gives the same result as renaming each by itself, and whatever is left out is reported.

use proptest::prelude::*;
use toolnames::testing::diagnostic::{Action, Diagnostic};
use toolnames::testing::rename::Sources;
use toolnames::testing::{fix, rules};

use super::fixture::Fixture;

/// Code that may be in a file next to a tool's registration. `NAME` is replaced by the tool's name, `OTHER` by a better
/// one.
const BESIDE: [&str; 14] = [
    "",
    "",
    "# NAME is called by hand\n",
    "HANDLERS = {\"NAME\": run}\n",
    "if name == \"NAME\":\n    pass\n",
    "ALIAS = \"OTHER\"\n",
    "text = \"call mcp__notes__NAME first\"\n",
    "pattern = \"mcp__notes__Get*\"\n",
    "MORE = \"Get-a \" + \"now\"\n",
    "if name.startswith(\"Get-\"):\n    pass\n",
    "if re.match(\"[A-Z]\", tool_name):\n    pass\n",
    "if tool_name in denied():\n    pass\n",
    "if name.split(\" \")[0] == \"Get-a\":\n    pass\n",
    "other = FastMCP(\"other\")\n@other.tool(name=\"NAME\")\ndef run_other() -> str:\n    return \"\"\n",
];

fn workspace(tools: &[(&str, usize)], settings: &str) -> Fixture {
    let mut code = String::from("from mcp.server.fastmcp import FastMCP\n\nmcp = FastMCP(\"notes\")\n\n");
    for (index, (word, beside)) in tools.iter().enumerate() {
        let name = format!("Get-{word} now");
        code.push_str(&format!("@mcp.tool(name=\"{name}\")\ndef tool_{index}() -> str:\n    return \"\"\n\n"));
        code.push_str(&BESIDE[*beside].replace("NAME", &name).replace("OTHER", &format!("get_{word}_now")));
    }
    let config = r#"{"mcpServers": {"notes": {"command": "python", "args": ["server.py"]}}}"#;
    Fixture::parse(&format!(
        "//- /server.py\n{code}mcp.run()\n//- /.mcp.json\n{config}\n//- /.claude/settings.json\n{settings}\n"
    ))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn renames_found_together_are_those_found_one_by_one(
        tools in prop::collection::vec((prop::sample::select(vec!["a", "b", "c", "d", "e_f", "g-h"]), 0..BESIDE.len()), 2..6),
        settings in prop::sample::select(vec![
            r#"{}"#,
            r#"{"permissions": {"allow": ["mcp__notes"]}}"#,
            r#"{"permissions": {"allow": ["mcp__notes__Get-a_now"]}}"#,
            r#"{"permissions": {"deny": ["mcp__notes__Get-*"]}}"#,
            r#"{"permissions": {"deny": ["mcp__notes__*_now", "mcp__notes__delete*"]}}"#,
            r#"{"hooks": {"PreToolUse": [{"matcher": "mcp__notes__[A-Z].*", "hooks": []}]}}"#,
        ]),
    ) {
        let fixture = workspace(&tools, settings);
        let snapshot = fixture.snapshot();
        let texts = |file| fixture.text(&snapshot, file);
        let found = rules::check_all(&snapshot);
        let sources = Sources { texts: &texts, around: &fixture };
        let together = fix::plans(&snapshot, &found, sources);
        // If another tool has the same name, a separate rename reports that it leaves that tool alone.
        let parts = snapshot.analysis().tools().flat_map(|(_, tool)| &tool.registration.name.parts);
        let literals: Vec<_> =
            parts.filter_map(|part| part.place()).map(|place| (place.file, snapshot.files.span(place))).collect();
        for fix in found.iter().flat_map(|found| &found.fixes) {
            let Action::Rename(request) = &fix.action else { continue };
            let alone = fix::plan(&snapshot, fix, sources).map(|mut plan| {
                plan.skipped.retain(|skipped| !literals.contains(&(skipped.file, skipped.span)));
                (plan.edits(), plan.documents, plan.skipped)
            });
            if let Some(edits) = together.get(request) {
                let only = (edits.clone(), Default::default(), Vec::new());
                prop_assert_eq!(alone, Ok(only), "{}", &fix.title);
            }
        }
    }
}

#[test]
fn names_that_stand_in_one_place_are_changed_together() {
    let fixture = workspace(&[("a", 0), ("b", 0), ("c", 2), ("d", 0)], "{}");
    let snapshot = fixture.snapshot();
    let texts = |file| fixture.text(&snapshot, file);
    let found = rules::check_all(&snapshot);
    let together = fix::plans(&snapshot, &found, Sources { texts: &texts, around: &fixture });
    let mut old: Vec<&str> = together.keys().map(|request| request.old.as_str()).collect();
    old.sort_unstable();
    old.dedup();
    // A comment mentions the third tool.
    assert_eq!(old, ["Get-a now", "Get-b now", "Get-d now"]);
}

/// A word of letters only for a number.
fn word(mut number: usize) -> String {
    let mut word = String::new();
    for _ in 0..5 {
        word.push(char::from(b"bcdfghjklmnpqrstvwxz"[number % 20]));
        number /= 20;
    }
    word
}

fn entries(count: usize, tools: usize) -> Vec<Diagnostic> {
    let tools: Vec<String> = (0..tools).map(|index| format!(r#"{{"name": "read_{}"}}"#, word(index))).collect();
    let entries: Vec<String> = (0..count).map(|index| format!(r#""mcp__notes__raed_{}""#, word(index))).collect();
    let fixture = Fixture::parse(&format!(
        "//- /.toolnames/snapshots/notes.json\n{{\"key\": \"notes\", \"tools\": [{}]}}\n\
         //- /.claude/settings.json\n{{\"permissions\": {{\"allow\": [{}]}}}}\n",
        tools.join(","),
        entries.join(",")
    ));
    rules::check_all(&fixture.snapshot())
}

#[test]
fn where_entries_and_tools_are_too_many_to_be_compared_it_is_reported_once() {
    let is_cut = |found: &&Diagnostic| found.message.starts_with("too many entries and tools to compare");
    assert_eq!(entries(300, 300).iter().filter(is_cut).count(), 0, "each is compared");
    let found = entries(25_000, 2_500);
    assert_eq!(found.iter().filter(is_cut).count(), 1);
    assert!(found.iter().filter(|found| found.rule == "permission-unknown-tool").count() > 20_000);
}
