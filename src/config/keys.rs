//! The keys of a config: for each its meaning, the form of its value, and how it is stored.

use globset::{GlobSet, GlobSetBuilder};

use super::{Config, PathRule, RuleSetting, ServerSource, is_file};
use crate::convention::{Convention, NAMES, glob_of, reasoned};
use crate::document::table::{Fields, Key, Row, Shape, words};
use crate::document::{Fault, Node};
use crate::framework::AliasMode;
use crate::name::nearest;
use crate::path::MAX_GLOBS;

/// The modes of an alias: the word for each, its meaning, and the mode; `None` for no alias.
const MODES: [(&str, &str, Option<AliasMode>); 3] = [
    ("listed", "The old name is listed in `tools/list` and marked as deprecated.", Some(AliasMode::Listed)),
    ("hidden", "The old name can be called but is not in `tools/list`.", Some(AliasMode::Hidden)),
    ("none", "There is no alias: the old name can no longer be called.", None),
];

/// The word that turns a rule off.
const OFF: &str = "off";

const LEVEL: Shape = Shape::Choice(
    &[
        ("error", "An error: `check` exits with 1."),
        ("warning", "A warning: `check` exits with 1 by default."),
        ("info", "Information."),
        ("hint", "A hint."),
        (OFF, "The rule is not checked."),
    ],
    None,
);

/// The settings of a rule: a severity, or a table.
pub(crate) const RULE: Shape = Shape::WordOrTable(
    &LEVEL,
    &Shape::table(
        &[
            Key { name: "level", doc: "The severity of the rule's findings.", shape: LEVEL },
            Key { name: "allow", doc: "Names or strings that the rule does not report.", shape: NAMES },
        ],
        &[],
        "{ level = \"hint\", allow = […] }",
    ),
);

const GLOBS: Shape = Shape::List(&Shape::Filled("a glob, a string"), "a list of globs");
const PROFILE: Shape = Shape::Defined("profile");
const CONVENTION: Shape = Shape::TableOf("convention", "`[convention]`");

pub(super) static KEYS: &[Row<Config>] = &[
    Row::new(
        "profile",
        PROFILE,
        "The convention for the names of tools: the id of a built-in profile, or the path of a file with a convention.",
        |config, value, faults| config.profile = config.profile_of(value, faults),
    ),
    Row::new(
        "convention",
        CONVENTION,
        "The parameters of the convention that differ from the profile.",
        Config::take_convention,
    ),
    Row::new(
        "exclude",
        GLOBS,
        "The files that are not read, as globs relative to this config. Files that Git ignores are never read.",
        |config, value, faults| config.exclude = config.globs(value, faults),
    ),
    Row::new(
        "paths",
        Shape::List(
            &Shape::table(
                &[
                    Key { name: "match", doc: "The files, as globs relative to this config.", shape: GLOBS },
                    Key { name: "profile", doc: "The profile for these files.", shape: PROFILE },
                    Key { name: "convention", doc: "The parameters that differ from the profile.", shape: CONVENTION },
                ],
                &["match"],
                "`match`, the files to which the table applies",
            ),
            "`[[paths]]`, a list of tables",
        ),
        "Another convention for some files. The last one that matches a file applies.",
        |config, value, faults| value.elements().iter().for_each(|rule| config.take_path_rule(rule, faults)),
    ),
    Row::new(
        "rules",
        Shape::map(&RULE, "`[rules]`"),
        "The severity of each rule, and the names that it does not report.",
        |config, value, _| {
            for (rule, setting) in value.entries() {
                config.rules.insert(rule.text.clone(), rule_setting(setting, rule.span));
            }
        },
    ),
    Row::new(
        "clients",
        Shape::Table(Fields {
            keys: &[
                Key {
                    name: "use",
                    doc: "The clients whose files are checked and whose limits apply. Default: all that have files in \
                          the workspace.",
                    shape: Shape::List(&Shape::Filled("the id of a client"), "a list of clients"),
                },
                Key {
                    name: "versions",
                    doc: "The versions of the clients in use, which decide how lists are read. Default: the newest.",
                    shape: Shape::map(&Shape::Text("a version such as \"2.1.150\""), "{ claude-code = \"2.1.150\" }"),
                },
            ],
            required: &[],
            others: None,
            example: "`[clients]`; a client of your own is `[[client]]`",
        }),
        "The clients in use, and their versions.",
        Config::take_clients,
    ),
    Row::new(
        "catalogue",
        Shape::Table(Fields {
            keys: &[Key {
                name: "use",
                doc: "Whether the tools of well-known public servers are completed, shown and checked.",
                shape: Shape::Flag(true),
            }],
            required: &[],
            others: None,
            example: "`[catalogue]`",
        }),
        "The tools of public servers that are part of toolnames.",
        |config, table, _| config.catalogue = table.get("use").and_then(Node::as_bool).or(config.catalogue),
    ),
    Row::new(
        "servers",
        Shape::Table(Fields {
            keys: &[Key {
                name: "closed",
                doc: "Whether every server in use is in a config of this workspace. If so, a permission for any \
                      other server is reported.",
                shape: Shape::Flag(false),
            }],
            required: &[],
            others: Some(&Shape::table(
                &[Key {
                    name: "package",
                    doc: "The folder of the server's package, relative to this config.",
                    shape: Shape::Text("the path of a folder"),
                }],
                &["package"],
                "{ package = \"path/of/its/source\" }",
            )),
            example: "`[servers]`",
        }),
        "The source of each server, by its key in the configs of clients: `tickets = { package = \"servers/tickets\" }`.",
        Config::take_servers,
    ),
    Row::new(
        "alias",
        Shape::table(
            &[
                Key {
                    name: "mode",
                    doc: "The form of the alias that a rename leaves.",
                    shape: Shape::Choice(&words(&MODES), Some("listed")),
                },
                Key {
                    name: "until",
                    doc: "The date (`2027-06-01`) or version from which aliases are reported as expired.",
                    shape: Shape::Text("a date or a version"),
                },
            ],
            &[],
            "`[alias]`",
        ),
        "What happens to the old name of a renamed tool.",
        |config, value, _| {
            let mode = value.get("mode").and_then(Node::as_str);
            config.alias.mode = MODES.iter().find(|(name, ..)| mode == Some(name)).map(|(.., mode)| *mode);
            config.alias.until = value.get("until").and_then(Node::as_str).map(str::to_string);
        },
    ),
    Row::new(
        "frameworks",
        Shape::Rows("Framework"),
        "Frameworks of your own, described like the built-in ones: the calls, decorators and shapes that register tools.",
        Config::take_frameworks,
    ),
    Row::new(
        "client",
        Shape::Rows("Client"),
        "Clients of your own, described like the built-in ones: where their files name servers and tools, and how.",
        Config::take_own_clients,
    ),
    Row::new(
        "extends",
        Shape::Text("the path of another config"),
        "The path of another config; its settings apply where this one has none.",
        |config, value, _| config.extends = value.as_text().map(|path| (path.text.clone(), value.span)),
    ),
    Row::new(
        "root",
        Shape::Flag(false),
        "Whether to ignore `extends`, so that this config applies on its own.",
        |config, value, _| config.root = value.as_bool() == Some(true),
    ),
    Row::new(
        "lock",
        Shape::Defined("lock"),
        "Reserved for settings of `toolnames.lock`. It is not read yet.",
        |_, _, _| {},
    ),
];

/// The keys of a config.
pub(crate) fn keys() -> impl Iterator<Item = &'static Key> {
    KEYS.iter().map(|row| &row.key)
}

fn fault(span: crate::text::Span, message: impl Into<String>) -> Fault {
    Fault { span, message: message.into() }
}

impl Config {
    /// The profile that a value names; an unknown name is a fault.
    fn profile_of(&mut self, value: &Node, faults: &mut Vec<Fault>) -> Option<String> {
        let Some(text) = value.as_text() else {
            faults.push(fault(value.span, "expected the name of a profile"));
            return None;
        };
        if Convention::profile(&text.text).is_some() {
            return Some(text.text.clone());
        }
        if is_file(&text.text) {
            let path = self.beside(&text.text);
            self.profile_files.push((path.clone(), text.span));
            return Some(path);
        }
        let known: Vec<&str> = Convention::profiles().collect();
        let near = nearest(&text.text, known.iter().copied()).map(|near| format!("did you mean `{near}`?"));
        let hint = near.unwrap_or_else(|| format!("there are {}, or the path of a file", known.join(", ")));
        faults.push(fault(text.span, format!("no profile `{}`; {hint}", text.text)));
        None
    }

    fn take_convention(&mut self, value: &Node, faults: &mut Vec<Fault>) {
        check_convention(self.profile.as_deref(), value, faults);
        self.convention = Some(value.clone());
    }

    fn take_path_rule(&mut self, rule: &Node, faults: &mut Vec<Fault>) {
        let matches = rule.get("match").map(|globs| self.globs(globs, faults)).unwrap_or_default();
        let profile = rule.get("profile").and_then(|profile| self.profile_of(profile, faults));
        let convention = rule.get("convention");
        if let Some(convention) = convention {
            check_convention(profile.as_deref().or(self.profile.as_deref()), convention, faults);
        }
        self.paths.push(PathRule { matches, profile, convention: convention.cloned() });
    }

    /// The globs of a list. An invalid glob is a fault, and so are those beyond the number that a config may have.
    fn globs(&mut self, value: &Node, faults: &mut Vec<Fault>) -> GlobSet {
        let mut set = GlobSetBuilder::new();
        for glob in value.words() {
            self.globs += 1;
            if self.globs > MAX_GLOBS {
                if self.globs == MAX_GLOBS + 1 {
                    faults.push(fault(glob.span, format!("more than {MAX_GLOBS} globs: the rest are ignored")));
                }
                continue;
            }
            if let Some(glob) = glob_of(glob, faults) {
                set.add(glob);
            }
        }
        set.build().unwrap_or_default()
    }

    fn take_clients(&mut self, table: &Node, faults: &mut Vec<Fault>) {
        if let Some(list) = table.get("use") {
            self.clients_named.extend(list.words().cloned());
            self.clients = Some(list.words().map(|id| id.text.clone()).collect());
        }
        for (id, written) in table.get("versions").into_iter().flat_map(Node::entries) {
            self.clients_named.push(id.clone());
            match written.as_str().and_then(crate::client::version) {
                Some(version) => drop(self.versions.insert(id.text.clone(), version)),
                None => faults.push(fault(written.span, "expected a version such as \"2.1.150\"")),
            }
        }
    }

    fn take_servers(&mut self, table: &Node, faults: &mut Vec<Fault>) {
        for (key, value) in table.entries() {
            if key.text == "closed" {
                self.closed = value.as_bool().or(self.closed);
            } else if let Some(package) = value.get("package").and_then(Node::as_str) {
                match crate::path::joined(&self.directory, package) {
                    Some(root) => {
                        self.servers.insert(key.text.clone(), ServerSource { root, span: value.span });
                    }
                    None => faults.push(fault(value.span, "this folder is outside the workspace")),
                }
            }
        }
    }
}

/// The settings of one rule. An unknown severity counts as not set.
fn rule_setting(value: &Node, span: crate::text::Span) -> RuleSetting {
    let level = |value: &Node| match value.as_str()? {
        OFF => Some(None),
        level => level.parse().ok().map(Some),
    };
    let allowed = value.get("allow").into_iter().flat_map(reasoned);
    RuleSetting {
        level: level(value).or_else(|| level(value.get("level")?)),
        allow: std::sync::Arc::new(allowed.map(|(name, why)| (name.to_string(), why.to_string())).collect()),
        span,
    }
}

/// Adds the faults of a convention on top of a built-in profile. A profile in a file may not have been read yet, so a
/// convention on top of one is not checked.
fn check_convention(profile: Option<&str>, table: &Node, faults: &mut Vec<Fault>) {
    let profile = profile.unwrap_or("mcp");
    if !is_file(profile) {
        Convention::profile(profile).unwrap_or_default().apply(table, faults);
    }
}
