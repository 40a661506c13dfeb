//! The findings of `check` in the formats of other programs.

use expect_test::expect;
use serde_json::Value;

use super::cli::{folder, run, stdout};

const SERVER: &str = "import { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\nconst server = new McpServer({ name: \"s\", version: \"1\" });\nserver.registerTool(\"größe x\", {}, run);\nserver.registerTool(\"read\", {}, run);\n";
const CONFIG: &str = r#"{ "mcpServers": { "s": { "command": "node", "args": ["a, b:1/100% server.ts"] } } }"#;
const SETTINGS: &str = r#"{ "permissions": { "allow": ["mcp__s__raed", "mcp__s__raed", "mcp__s__read"] } }"#;

/// A repository in whose folder `app` there are three findings.
fn repository(settings: &str) -> tempfile::TempDir {
    let folder = folder(&[
        ("app/a, b:1/100% server.ts", SERVER),
        ("app/.mcp.json", CONFIG),
        ("app/.claude/settings.json", settings),
    ]);
    std::fs::create_dir(folder.path().join(".git")).unwrap();
    folder
}

fn check(settings: &str, format: &str) -> String {
    let folder = repository(settings);
    let output = run(folder.path(), &["check", "app", "--format", format]);
    assert_eq!(output.status.code(), Some(1));
    stdout(&output)
}

#[test]
fn annotations_of_github_keep_to_their_lines() {
    expect![[r#"
        ::warning file=app/.claude/settings.json,line=1,endLine=1,title=toolnames%3A permission-unknown-tool,col=31,endColumn=43::`s` has no tool `raed`; did you mean `mcp__s__read`?
        ::warning file=app/.claude/settings.json,line=1,endLine=1,title=toolnames%3A permission-unknown-tool,col=47,endColumn=59::`s` has no tool `raed`; did you mean `mcp__s__read`?
        ::warning file=app/a%2C b%3A1/100%25 server.ts,line=3,endLine=3,title=toolnames%3A name-chars,col=24,endColumn=28::`größe x`: the protocol does not allow a space and `ß` and `ö` (only letters, digits, `_`, `-`, `.`)
    "#]].assert_eq(&check(SETTINGS, "github"));
}

#[test]
fn a_report_of_gitlab_has_the_paths_of_the_repository() {
    expect![[r#"
        [
          {
            "description": "`s` has no tool `raed`; did you mean `mcp__s__read`?",
            "check_name": "permission-unknown-tool",
            "fingerprint": "9d24621c9992921d4af2c2cc09fc8838",
            "severity": "minor",
            "location": {
              "path": "app/.claude/settings.json",
              "lines": {
                "begin": 1,
                "end": 1
              }
            }
          },
          {
            "description": "`s` has no tool `raed`; did you mean `mcp__s__read`?",
            "check_name": "permission-unknown-tool",
            "fingerprint": "df2c91f59acaa753acf519581b4090ca",
            "severity": "minor",
            "location": {
              "path": "app/.claude/settings.json",
              "lines": {
                "begin": 1,
                "end": 1
              }
            }
          },
          {
            "description": "`größe x`: the protocol does not allow a space and `ß` and `ö` (only letters, digits, `_`, `-`, `.`)",
            "check_name": "name-chars",
            "fingerprint": "0c99eb66e4ed33044d225d101565149d",
            "severity": "minor",
            "location": {
              "path": "app/a, b:1/100% server.ts",
              "lines": {
                "begin": 3,
                "end": 3
              }
            }
          }
        ]
    "#]].assert_eq(&check(SETTINGS, "gitlab"));
}

#[test]
fn a_test_report_fails_where_the_check_fails() {
    expect![[r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="toolnames" tests="3" skipped="0" failures="3" errors="0">
            <testsuite name="app/.claude/settings.json" tests="2" skipped="0" errors="0" failures="2">
                <testcase name="permission-unknown-tool at 1:31" classname="app/.claude/settings.json">
                    <failure message="`s` has no tool `raed`; did you mean `mcp__s__read`?" type="warning">app/.claude/settings.json:1:31: `s` has no tool `raed`; did you mean `mcp__s__read`?</failure>
                </testcase>
                <testcase name="permission-unknown-tool at 1:47" classname="app/.claude/settings.json">
                    <failure message="`s` has no tool `raed`; did you mean `mcp__s__read`?" type="warning">app/.claude/settings.json:1:47: `s` has no tool `raed`; did you mean `mcp__s__read`?</failure>
                </testcase>
            </testsuite>
            <testsuite name="app/a, b:1/100% server.ts" tests="1" skipped="0" errors="0" failures="1">
                <testcase name="name-chars at 3:24" classname="app/a, b:1/100% server.ts">
                    <failure message="`größe x`: the protocol does not allow a space and `ß` and `ö` (only letters, digits, `_`, `-`, `.`)" type="warning">app/a, b:1/100% server.ts:3:24: `größe x`: the protocol does not allow a space and `ß` and `ö` (only letters, digits, `_`, `-`, `.`)</failure>
                </testcase>
            </testsuite>
        </testsuites>
    "#]].assert_eq(&check(SETTINGS, "junit"));
    let folder = folder(&[("server.ts", "")]);
    let nothing = run(folder.path(), &["check", "--format", "junit"]);
    assert_eq!(nothing.status.code(), Some(0));
    assert!(stdout(&nothing).contains("<testcase name=\"check\"/>"), "{}", stdout(&nothing));
}

#[test]
fn a_sarif_log_has_the_rule_the_place_and_the_fixes_of_each_result() {
    let log: Value = serde_json::from_str(&check(SETTINGS, "sarif")).unwrap();
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    for result in results {
        assert_eq!(rules[result["ruleIndex"].as_u64().unwrap() as usize]["id"], result["ruleId"]);
    }
    let unknown = results.iter().find(|result| result["ruleId"] == "permission-unknown-tool").unwrap();
    expect![[r#"
        {
          "fixes": [
            {
              "artifactChanges": [
                {
                  "artifactLocation": {
                    "uri": "app/.claude/settings.json",
                    "uriBaseId": "%SRCROOT%"
                  },
                  "replacements": [
                    {
                      "deletedRegion": {
                        "endColumn": 42,
                        "endLine": 1,
                        "startColumn": 40,
                        "startLine": 1
                      },
                      "insertedContent": {
                        "text": "ea"
                      }
                    }
                  ]
                }
              ],
              "description": {
                "text": "replace with `mcp__s__read`"
              }
            },
            {
              "artifactChanges": [
                {
                  "artifactLocation": {
                    "uri": "app/.claude/settings.json",
                    "uriBaseId": "%SRCROOT%"
                  },
                  "replacements": [
                    {
                      "deletedRegion": {
                        "endColumn": 46,
                        "endLine": 1,
                        "startColumn": 30,
                        "startLine": 1
                      },
                      "insertedContent": {
                        "text": ""
                      }
                    }
                  ]
                }
              ],
              "description": {
                "text": "remove this entry"
              }
            }
          ],
          "level": "warning",
          "locations": [
            {
              "physicalLocation": {
                "artifactLocation": {
                  "uri": "app/.claude/settings.json",
                  "uriBaseId": "%SRCROOT%"
                },
                "region": {
                  "endColumn": 43,
                  "endLine": 1,
                  "startColumn": 31,
                  "startLine": 1
                }
              }
            }
          ],
          "message": {
            "text": "`s` has no tool `raed`; did you mean `mcp__s__read`?"
          },
          "partialFingerprints": {
            "toolnames/v1": "9d24621c9992921d4af2c2cc09fc8838"
          },
          "ruleId": "permission-unknown-tool",
          "ruleIndex": 41
        }"#]]
    .assert_eq(&format!("{unknown:#}"));
}

/// The fingerprints of all results, in file order.
fn fingerprints(settings: &str) -> Vec<String> {
    let log: Value = serde_json::from_str(&check(settings, "sarif")).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let prints = results.iter().map(|result| result["partialFingerprints"]["toolnames/v1"].as_str().unwrap());
    prints.map(str::to_string).collect()
}

#[test]
fn fingerprints_are_those_of_moved_lines_and_never_the_same_twice() {
    let before = fingerprints(SETTINGS);
    assert_eq!(before, fingerprints(&SETTINGS.replace('[', "[\n\n")));
    let mut once = before.clone();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), before.len());
}
