//! A finding: which rule speaks, how loudly, about which bytes, and what would repair them.

use std::collections::BTreeMap;

use crate::entry::Insertion;
use crate::text::{Edit, FileId, Span};

/// How much a finding matters; ordered from the least to the most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Advice that an editor shows faintly.
    Hint,
    /// Worth knowing.
    Info,
    /// Breaks the convention or a SHOULD of the protocol, matches nothing, or guards nothing.
    Warning,
    /// Cannot work.
    Error,
}

impl Severity {
    pub const ALL: [Severity; 4] = [Severity::Hint, Severity::Info, Severity::Warning, Severity::Error];

    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Hint => "hint",
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl std::str::FromStr for Severity {
    type Err = ();

    fn from_str(text: &str) -> Result<Severity, ()> {
        Severity::ALL.into_iter().find(|severity| severity.as_str() == text).ok_or(())
    }
}

/// The id of a rule, as people write it in a config or a suppression: `permission-form`.
pub type RuleId = &'static str;

/// What a rule found. Spans count from the start of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    pub rule: RuleId,
    pub severity: Severity,
    pub file: FileId,
    /// Exactly the text at fault, inside any quotes.
    pub span: Span,
    pub message: String,
    pub related: Vec<Related>,
    /// Best first. If several are equally good, none of them is `preferred`.
    pub fixes: Vec<Fix>,
}

/// Another place that explains the finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    pub file: FileId,
    pub span: Span,
    pub message: String,
}

/// A repair that a person can choose, or that `fix` applies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    pub title: String,
    /// Repairs what never worked, or adds what changes no behaviour. Changing a tool's wire name is not safe.
    pub safe: bool,
    /// The one unambiguous repair: what `fix` applies and an editor offers first.
    pub preferred: bool,
    pub action: Action,
}

/// What a fix does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Changes these bytes.
    Edit(Edits),
    /// Writes entries into objects and lists, and statements into bodies; how, their neighbours tell when somebody asks for it. Changes these bytes
    /// as well.
    Write(Vec<Insertion>, Edits),
    /// Changes these bytes, of which the names of several tools are made; what decides about these follows, when somebody asks
    /// for it.
    Names(Edits),
    /// Renames a tool everywhere; the edits are those of the rename, found when somebody asks for them.
    Rename(RenameRequest),
    /// Takes out what keeps an old name callable, and what names it so.
    RemoveAlias(AliasRequest),
}

/// An alias, identified by its comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AliasRequest {
    pub file: FileId,
    /// Where what the comment says begins.
    pub offset: u32,
}

/// A tool and the wire name it should have.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RenameRequest {
    /// Where the tool's name was born: the start of its most local piece.
    pub file: FileId,
    pub offset: u32,
    pub old: String,
    pub new: String,
    /// The old name is to go on.
    pub keeps_old: bool,
    /// The Python function that the tool is named after is to have the name, too.
    pub function_too: bool,
}

/// Edits by file; within a file in no particular order, never overlapping.
pub type Edits = BTreeMap<FileId, Vec<Edit>>;

impl Diagnostic {
    pub fn new(rule: RuleId, severity: Severity, file: FileId, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { rule, severity, file, span, message: message.into(), related: Vec::new(), fixes: Vec::new() }
    }

    pub fn with_related(mut self, file: FileId, span: Span, message: impl Into<String>) -> Diagnostic {
        self.related.push(Related { file, span, message: message.into() });
        self
    }

    pub fn with_fixes(mut self, fixes: impl IntoIterator<Item = Fix>) -> Diagnostic {
        self.fixes.extend(fixes);
        self
    }

    /// The repair that `fix` may apply: there is one, and only one is preferred.
    pub fn preferred_fix(&self) -> Option<&Fix> {
        let mut preferred = self.fixes.iter().filter(|fix| fix.preferred);
        let first = preferred.next()?;
        preferred.next().is_none().then_some(first)
    }
}

impl Fix {
    /// Replaces one span by one text.
    pub fn replace(title: impl Into<String>, file: FileId, span: Span, new_text: impl Into<String>) -> Fix {
        let edits = Edits::from([(file, vec![Edit::new(span, new_text)])]);
        Fix { title: title.into(), safe: true, preferred: true, action: Action::Edit(edits) }
    }

    /// Makes several edits.
    pub fn edits(title: impl Into<String>, edits: Edits) -> Fix {
        Fix { title: title.into(), safe: true, preferred: true, action: Action::Edit(edits) }
    }

    /// The same repair, not applied by `fix` without `--unsafe`.
    pub fn marked_unsafe(mut self) -> Fix {
        self.safe = false;
        self
    }

    /// The same repair, as one choice among others.
    pub fn as_choice(mut self) -> Fix {
        self.preferred = false;
        self
    }
}
