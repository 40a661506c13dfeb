//! The machine that runs programs, as an engine under test.

use toolnames::testing::machine::registered;

use super::outcome::{Origin, Outcome, Tool};

/// Runs a program from its entry.
pub(super) fn run(files: &[(String, String)], entry: &str) -> Outcome {
    let found = registered(files, entry);
    let tools = found.tools.into_iter().map(|tool| {
        let dynamic = tool.name.is_none();
        let origins = tool.origins.into_iter().map(|(path, start, end, text)| Origin { path, start, end, text });
        Tool { server: tool.server, name: tool.name.unwrap_or_default(), dynamic, origins: origins.collect() }
    });
    Outcome { tools: tools.collect(), complete: found.complete }
}
