//! The document of every rule says what the rule reports, why, and on which source it is based; its examples are
//! correct.

use toolnames::testing::rules::{self, RULES};
use toolnames::testing::text::Span;

use super::fixture::Fixture;

/// The fenced blocks of a section.
fn examples(docs: &str, section: &str) -> Vec<String> {
    let start = docs.find(&format!("## {section}\n")).unwrap_or_else(|| panic!("no section {section}"));
    let body = &docs[start + section.len() + 4..];
    let body = &body[..body.find("\n## ").unwrap_or(body.len())];
    body.split("```\n").skip(1).step_by(2).map(str::to_string).collect()
}

#[test]
fn wrong_examples_are_reported_as_written_and_right_ones_not_at_all() {
    for rule in RULES {
        let wrong = examples(rule.docs, "Wrong");
        let right = examples(rule.docs, "Right");
        assert!(!wrong.is_empty() && !right.is_empty(), "{}: no examples", rule.id);
        for example in wrong {
            let fixture = Fixture::parse(&example);
            assert_eq!(fixture.rules(), [rule.id], "{}:\n{example}", rule.id);
            fixture.check();
        }
        for example in right {
            let fixture = Fixture::parse(&example);
            assert_eq!(fixture.rules(), Vec::<&str>::new(), "{}:\n{example}", rule.id);
        }
    }
}

/// A finding that is shown while the workspace is still being read stays at its place once everything is read, though
/// its message may change.
#[test]
fn what_is_found_in_a_file_alone_is_never_taken_back() {
    let mut found_alone = 0;
    for rule in RULES {
        for example in ["Wrong", "Right"].iter().flat_map(|section| examples(rule.docs, section)) {
            let fixture = Fixture::parse(&example);
            let whole = fixture.snapshot();
            for file in whole.files.all() {
                let marked_at_last: Vec<Span> = rules::check(&whole, file.id).iter().map(|found| found.span).collect();
                let alone = fixture.alone(&file.path);
                let Some(file) = alone.files.by_path(&file.path) else { continue };
                for found in rules::check_alone(&alone, file.id) {
                    found_alone += 1;
                    let (path, message) = (&file.path, found.message);
                    assert!(marked_at_last.contains(&found.span), "{path} {:?} {message}\nin\n{example}", found.span);
                }
            }
        }
    }
    assert!(found_alone > 20, "only {found_alone} findings were seen at first");
}

#[test]
fn every_document_has_the_same_sections() {
    for rule in RULES {
        assert!(rule.docs.starts_with(&format!("# `{}`\n", rule.id)), "{}", rule.id);
        for section in ["Why", "Source", "Wrong", "Right"] {
            assert!(rule.docs.contains(&format!("\n## {section}\n")), "{}: {section}", rule.id);
        }
    }
}

#[test]
fn ids_are_unique() {
    let mut ids: Vec<&str> = RULES.iter().map(|rule| rule.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), RULES.len());
}
