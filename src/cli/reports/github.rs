//! Workflow commands of GitHub Actions, which become annotations of a pull request.
//!
//! Source: <https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands>

use super::{Finding, Findings};
use crate::diagnostic::Severity;
use crate::show::{self, Page};

pub(super) fn commands(findings: &Findings<'_>) -> Page {
    let mut page = Page::default();
    for Finding { diagnostic, path, start, end, .. } in findings.all() {
        let command = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info | Severity::Hint => "notice",
        };
        let mut properties = vec![
            ("file", path),
            ("line", start.line.to_string()),
            ("endLine", end.line.to_string()),
            ("title", format!("toolnames: {}", diagnostic.rule)),
        ];
        // Columns are accepted only within one line.
        if start.line == end.line {
            properties.push(("col", start.column.to_string()));
            properties.push(("endColumn", end.column.to_string()));
        }
        let properties: Vec<String> =
            properties.iter().map(|(key, value)| format!("{key}={}", property(value))).collect();
        page.line(format_args!("::{command} {}::{}", properties.join(","), data(&show::message(&diagnostic.message))));
    }
    page
}

/// Escapes the message of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_message_ends_it_or_begins_another_command() {
        assert_eq!(data("100%\r\n::error::x"), "100%25%0D%0A::error::x");
        assert_eq!(property("a:b,c\n%"), "a%3Ab%2Cc%0A%25");
    }
}
