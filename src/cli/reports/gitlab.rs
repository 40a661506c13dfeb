//! Code Quality reports of GitLab.
//!
//! Source: <https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format>

use serde::Serialize;

use super::{Finding, Findings};
use crate::diagnostic::Severity;

#[derive(Serialize)]
pub(super) struct Issue {
    description: String,
    check_name: &'static str,
    fingerprint: String,
    severity: &'static str,
    location: Location,
}

#[derive(Serialize)]
struct Location {
    path: String,
    lines: Lines,
}

/// Lines are 1-based, and the last one is included.
#[derive(Serialize)]
struct Lines {
    begin: u32,
    end: u32,
}

pub(super) fn issues(findings: &Findings<'_>) -> Vec<Issue> {
    let issue = |Finding { diagnostic, path, start, end, fingerprint }: Finding<'_>| Issue {
        description: diagnostic.message.clone(),
        check_name: diagnostic.rule,
        fingerprint,
        severity: match diagnostic.severity {
            Severity::Error => "major",
            Severity::Warning => "minor",
            Severity::Info | Severity::Hint => "info",
        },
        location: Location { path, lines: Lines { begin: start.line, end: end.line } },
    };
    findings.all().into_iter().map(issue).collect()
}
