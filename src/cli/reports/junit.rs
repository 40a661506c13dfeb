//! Test reports in JUnit's XML: a suite for each file and a case for each finding. A finding fails its case if it makes
//! the check fail.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::{Finding, Findings};
use crate::show::Page;

pub(super) fn report(findings: &Findings<'_>) -> Page {
    let mut report = Report::new("toolnames");
    let all = findings.all();
    for of_file in all.chunk_by(|one, other| one.path == other.path) {
        let mut suite = TestSuite::new(of_file[0].path.clone());
        suite.add_test_cases(of_file.iter().map(|finding| case(findings, finding)));
        report.add_test_suite(suite);
    }
    if all.is_empty() {
        // Readers of such reports take one without any case for a mistake.
        let mut suite = TestSuite::new("toolnames");
        suite.add_test_case(TestCase::new("check", TestCaseStatus::success()));
        report.add_test_suite(suite);
    }
    let mut page = Page::default();
    page.text(&report.to_string().expect("the report is written to memory"));
    page
}

fn case(findings: &Findings<'_>, finding: &Finding<'_>) -> TestCase {
    let Finding { diagnostic, path, start, .. } = finding;
    let place = format!("{path}:{}:{}", start.line, start.column);
    let text = format!("{place}: {}", diagnostic.message);
    let fails = diagnostic.severity >= findings.fail_on;
    let status = if fails {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        status.set_message(diagnostic.message.clone()).set_type(diagnostic.severity.as_str()).set_description(&text);
        status
    } else {
        TestCaseStatus::success()
    };
    let mut case = TestCase::new(format!("{} at {}:{}", diagnostic.rule, start.line, start.column), status);
    case.set_classname(path.clone());
    if !fails {
        case.set_system_out(format!("{}: {text}", diagnostic.severity.as_str()));
    }
    case
}
