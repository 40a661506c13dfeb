//! Findings: the rule, the severity, the bytes at fault, and the fixes.

use std::collections::BTreeMap;

use crate::entry::Insertion;
use crate::text::{Edit, FileId, Span};

/// The severity of a finding, from the lowest to the highest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Advice, which editors show unobtrusively.
    Hint,
    /// A fact worth knowing.
    Info,
    /// Something that breaks the convention or a SHOULD of the protocol, or a permission or hook that has no effect.
    Warning,
    /// Something that cannot work.
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
    type Err = UnknownSeverity;

    fn from_str(text: &str) -> Result<Severity, UnknownSeverity> {
        Severity::ALL.into_iter().find(|severity| severity.as_str() == text).ok_or(UnknownSeverity)
    }
}

/// A word that is not a severity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownSeverity;

impl std::fmt::Display for UnknownSeverity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("expected error, warning, info or hint")
    }
}

impl std::error::Error for UnknownSeverity {}

/// The id of a rule, as people write it in a config or a suppression: `permission-form`.
pub(crate) type RuleId = &'static str;

/// A finding of a rule. Spans count from the start of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    pub rule: RuleId,
    pub severity: Severity,
    pub file: FileId,
    /// The text at fault, without quotes.
    pub span: Span,
    pub message: String,
    pub related: Vec<Related>,
    /// The fixes, best first. If several are equally good, none of them is `preferred`.
    pub fixes: Vec<Fix>,
}

/// Another location that explains the finding.
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
    /// Whether `fix` applies it without `--unsafe`: it repairs something that never worked, or adds something without
    /// changing behaviour. A change of a tool's wire name is not safe.
    pub safe: bool,
    /// Whether it is the one unambiguous repair, which `fix` applies and an editor offers first.
    pub preferred: bool,
    pub action: Action,
}

/// The effect of a fix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Changes these bytes.
    Edit(Edits),
    /// Inserts entries into objects and lists and statements into bodies, formatted like their neighbours when the edit
    /// is computed, and changes these bytes as well.
    Write(Vec<Insertion>, Edits),
    /// Changes these bytes, from which the names of several tools are built. The edits of the entries that decide about
    /// these tools are computed on demand.
    Names(Edits),
    /// Renames a tool everywhere; the edits of the rename are computed on demand.
    Rename(RenameRequest),
    /// Removes the code that keeps an old name callable, and the references to the tool by that name.
    RemoveAlias(AliasRequest),
}

/// An alias, identified by its comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AliasRequest {
    pub file: FileId,
    /// The byte offset of the start of the comment's content.
    pub offset: u32,
}

/// A tool and the wire name it should have.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RenameRequest {
    /// The file that contains the part of the tool's name that is written for this tool alone.
    pub file: FileId,
    /// The byte offset of the start of that part.
    pub offset: u32,
    pub old: String,
    pub new: String,
    /// Whether to keep the old name as an alias.
    pub keeps_old: bool,
    /// Whether to rename the Python function that the tool is named after, too.
    pub function_too: bool,
}

/// Edits by file; within a file in no particular order, never overlapping.
pub(crate) type Edits = BTreeMap<FileId, Vec<Edit>>;

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

    /// The fix that `fix` may apply: the preferred one; `None` if there is none or more than one.
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

    /// Marks the fix as one that `fix` applies only with `--unsafe`.
    pub fn marked_unsafe(mut self) -> Fix {
        self.safe = false;
        self
    }

    /// Marks the fix as one choice among others.
    pub fn into_choice(mut self) -> Fix {
        self.preferred = false;
        self
    }
}
