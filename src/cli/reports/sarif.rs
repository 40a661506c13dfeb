//! SARIF 2.1.0, as code scanning reads it.
//!
//! Source: <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>

use std::collections::BTreeMap;

use serde_json::json;
use serde_sarif::sarif::{
    ArtifactChange, ArtifactContent, ArtifactLocation, Fix, Location, Message, MultiformatMessageString,
    PhysicalLocation, Region, Replacement, ReportingConfiguration, ReportingDescriptor, Result, ResultLevel, Run,
    Sarif, Tool, ToolComponent,
};

use super::{Finding, Findings, uri};
use crate::diagnostic::Severity;
use crate::rules::{RULES, Rule};
use crate::text::{FileId, Span};

/// The key of a fingerprint; its number changes with the way of computing it.
const FINGERPRINT: &str = "toolnames/v1";

pub(super) fn log(findings: &Findings<'_>) -> Sarif {
    let rules: Vec<ReportingDescriptor> = RULES.iter().map(|rule| descriptor(rule)).collect();
    let driver = ToolComponent::builder()
        .name(env!("CARGO_PKG_NAME"))
        .semantic_version(env!("CARGO_PKG_VERSION"))
        .information_uri(env!("CARGO_PKG_REPOSITORY"))
        .rules(rules)
        .build();
    let results: Vec<Result> = findings.all().into_iter().map(|finding| result(findings, finding)).collect();
    let run = Run::builder()
        .tool(Tool::builder().driver(driver).build())
        .column_kind(json!("unicodeCodePoints"))
        .results(results)
        .build();
    Sarif::builder()
        .schema("https://json.schemastore.org/sarif-2.1.0.json")
        .version(json!("2.1.0"))
        .runs(vec![run])
        .build()
}

fn descriptor(rule: &Rule) -> ReportingDescriptor {
    let help = MultiformatMessageString::builder().text(rule.summary()).markdown(rule.page()).build();
    let configuration = ReportingConfiguration::builder().level(json!(level(rule.default))).build();
    ReportingDescriptor::builder()
        .id(rule.id)
        .name(rule.id)
        .short_description(MultiformatMessageString::builder().text(rule.summary()).build())
        .help(help)
        .default_configuration(configuration)
        .build()
}

fn result(findings: &Findings<'_>, finding: Finding<'_>) -> Result {
    let Finding { diagnostic, fingerprint, .. } = finding;
    let level = match level(diagnostic.severity) {
        "error" => ResultLevel::Error,
        "warning" => ResultLevel::Warning,
        _ => ResultLevel::Note,
    };
    let related: Vec<Location> = diagnostic
        .related
        .iter()
        .map(|related| location(findings, related.file, related.span, Some(&related.message)))
        .collect();
    let fixes: Vec<Fix> = diagnostic.fixes.iter().filter_map(|one| fix(findings, one)).collect();
    let index = RULES.iter().position(|rule| rule.id == diagnostic.rule).map_or(-1, |index| index as i64);
    let mut result = Result::builder()
        .rule_id(diagnostic.rule)
        .rule_index(index)
        .level(level)
        .message(message(&diagnostic.message))
        .locations(vec![location(findings, diagnostic.file, diagnostic.span, None)])
        .partial_fingerprints(BTreeMap::from([(FINGERPRINT.to_string(), fingerprint)]))
        .build();
    result.related_locations = (!related.is_empty()).then_some(related);
    result.fixes = (!fixes.is_empty()).then_some(fixes);
    result
}

fn fix(findings: &Findings<'_>, fix: &crate::diagnostic::Fix) -> Option<Fix> {
    let edits = (findings.edits)(fix)?;
    let change = |(file, edits): (&FileId, &Vec<crate::text::Edit>)| {
        let replacement = |edit: &crate::text::Edit| {
            Replacement::builder()
                .deleted_region(region(findings, *file, edit.span))
                .inserted_content(ArtifactContent::builder().text(edit.new_text.clone()).build())
                .build()
        };
        ArtifactChange::builder()
            .artifact_location(artifact(findings, *file))
            .replacements(edits.iter().map(replacement).collect::<Vec<_>>())
            .build()
    };
    let changes: Vec<ArtifactChange> = edits.iter().map(change).collect();
    (!changes.is_empty()).then(|| Fix::builder().description(message(&fix.title)).artifact_changes(changes).build())
}

fn location(findings: &Findings<'_>, file: FileId, span: Span, text: Option<&str>) -> Location {
    let physical = PhysicalLocation::builder()
        .artifact_location(artifact(findings, file))
        .region(region(findings, file, span))
        .build();
    let mut location = Location::builder().physical_location(physical).build();
    location.message = text.map(message);
    location
}

/// A path relative to the repository, which the reader of the log knows.
fn artifact(findings: &Findings<'_>, file: FileId) -> ArtifactLocation {
    ArtifactLocation::builder().uri(uri(&findings.path(file))).uri_base_id("%SRCROOT%").build()
}

fn region(findings: &Findings<'_>, file: FileId, span: Span) -> Region {
    let (start, end) = findings.range(file, span);
    Region::builder()
        .start_line(i64::from(start.line))
        .start_column(i64::from(start.column))
        .end_line(i64::from(end.line))
        .end_column(i64::from(end.column))
        .build()
}

fn message(text: &str) -> Message {
    Message::builder().text(text).build()
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info | Severity::Hint => "note",
    }
}
