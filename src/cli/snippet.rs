//! A finding as shown in a terminal: the line, the underline, the help.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use std::cell::RefCell;
use std::rc::Rc;

use super::report::{Point, point};
use crate::client;
use crate::diagnostic::{Diagnostic, Severity};
use crate::document;
use crate::rename::Texts;
use crate::show;
use crate::syntax::Language;
use crate::text::{FileId, Span};
use crate::workspace::{Content, Snapshot};

/// The maximum number of related places that are shown.
const MAX_RELATED: usize = 3;
/// The maximum number of repairs that are shown.
const MAX_HELPS: usize = 12;
/// The width given to the renderer, which must not cut lines: they are already cut to a window at the right place.
const UNLIMITED: usize = 100_000;

/// The texts of the files that are shown. The last few are kept, since findings come file by file.
pub(super) struct Shown<'a> {
    snapshot: &'a Snapshot,
    texts: Texts<'a>,
    kept: RefCell<Vec<(FileId, Rc<Source>)>>,
}

/// The text of a file, with the spans to hide.
struct Source {
    text: String,
    /// The spans that are never shown, in file order.
    secrets: Vec<Span>,
}

/// The number of texts that are kept: that of a finding, and those of its related places.
const KEPT: usize = 1 + MAX_RELATED;

impl<'a> Shown<'a> {
    pub(super) fn new(snapshot: &'a Snapshot, texts: Texts<'a>) -> Shown<'a> {
        Shown { snapshot, texts, kept: RefCell::default() }
    }

    fn source(&self, file: FileId) -> Rc<Source> {
        let mut kept = self.kept.borrow_mut();
        // The most recently shown texts are kept, so the text of a file with many findings stays while the related
        // files change.
        if let Some(at) = kept.iter().position(|(known, _)| *known == file) {
            kept[..=at].rotate_right(1);
            return Rc::clone(&kept[0].1);
        }
        let text = (self.texts)(file).unwrap_or_default();
        let source = Rc::new(Source { secrets: secrets(self.snapshot, file, &text), text });
        kept.truncate(KEPT - 1);
        kept.insert(0, (file, Rc::clone(&source)));
        source
    }
}

/// Returns the text of a file with `***` in place of its secrets.
pub(super) fn without_secrets(snapshot: &Snapshot, file: FileId, text: &str) -> String {
    let mut shown = String::new();
    let mut at = 0;
    for secret in secrets(snapshot, file, text) {
        let range = secret.range();
        if range.start >= at {
            shown.push_str(&text[at..range.start]);
            shown.push_str("***");
        }
        at = at.max(range.end);
    }
    shown + &text[at..]
}

/// Returns the text of an environment file with `***` in place of its values, except those whose keys contain `tools`.
pub(super) fn without_values(text: &str) -> String {
    let masked = |line: &str| match line.split_once('=') {
        Some((key, value)) if !key.to_lowercase().contains("tools") => {
            let end = &value[value.trim_end_matches(['\r', '\n']).len()..];
            format!("{key}=***{end}")
        }
        _ => line.to_string(),
    };
    text.split_inclusive('\n').map(masked).collect()
}

/// Returns the secrets in a client file.
fn secrets(snapshot: &Snapshot, file: FileId, text: &str) -> Vec<Span> {
    let Some(file) = snapshot.files.get(file).filter(|file| matches!(file.content, Content::Client(_))) else {
        return Vec::new();
    };
    let root = match Language::of_path(&file.path) {
        Some(Language::Json) => document::parse_json(text).root,
        Some(Language::Toml) => Some(document::parse_toml(text).0),
        Some(Language::Yaml) => document::parse_yaml(text),
        Some(Language::Markdown) => document::parse_front_matter(text),
        _ => None,
    };
    root.as_ref().map(client::secrets_in).unwrap_or_default()
}

/// Renders a finding. Invisible characters in values from files are made visible here, so the only control characters
/// are those of the colours.
pub(super) fn render(shown: &Shown<'_>, diagnostic: &Diagnostic, color: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
        Severity::Hint => Level::HELP.with_name(Some("hint")),
    };
    let here = Excerpt::new(shown, diagnostic.file, diagnostic.span);
    let related: Vec<(Excerpt, String)> = diagnostic
        .related
        .iter()
        .take(MAX_RELATED)
        .map(|related| (Excerpt::new(shown, related.file, related.span), show::value(&related.message)))
        .collect();
    let mut helps: Vec<String> = diagnostic
        .fixes
        .iter()
        .take(MAX_HELPS)
        .map(|fix| {
            let title = show::message(&fix.title);
            match (fix.preferred, fix.safe) {
                (true, true) => title,
                (true, false) => format!("{title} (applied by `fix --unsafe`)"),
                (false, _) => format!("possible fix: {title}"),
            }
        })
        .collect();
    let more = diagnostic.fixes.len().saturating_sub(MAX_HELPS);
    if more > 0 {
        helps.push(format!("{more} more fixes: `--format json` lists them"));
    }
    let message = show::message(&diagnostic.message);
    let title = level.primary_title(message.as_str()).id(diagnostic.rule);
    let excerpts = || std::iter::once(&here).chain(related.iter().map(|(excerpt, _)| excerpt));
    let marks: Vec<String> = (0..=related.len()).map(mark).collect();
    let mut group = title.element(here.snippet(AnnotationKind::Primary, &marks[0], None));
    for ((excerpt, message), mark) in related.iter().zip(&marks[1..]) {
        group = group.element(excerpt.snippet(AnnotationKind::Context, mark, Some(message)));
    }
    for help in &helps {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let groups: [Group<'_>; 1] = [group];
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let rendered = renderer.term_width(UNLIMITED).render(&groups);
    excerpts().zip(&marks).fold(rendered, |rendered, (excerpt, mark)| excerpt.placed(&rendered, mark))
}

/// A finding on one line: its place, severity, rule and message.
pub(super) fn brief(snapshot: &Snapshot, diagnostic: &Diagnostic) -> String {
    let (path, point) = (snapshot.files.path(diagnostic.file), point(snapshot, diagnostic.file, diagnostic.span.start));
    let (level, rule) = (diagnostic.severity.as_str(), diagnostic.rule);
    let message = show::message(&diagnostic.message);
    format!("{}:{}:{}: {level}[{rule}]: {message}", show::value(path), point.line, point.column)
}

/// Returns the placeholder that the renderer prints instead of an excerpt's path. [`Excerpt::placed`] replaces it
/// later, together with the column, which the renderer counts in the excerpt's text and not in the whole line. No other
/// text contains the placeholder: its private-use characters are made visible everywhere else.
fn mark(index: usize) -> String {
    format!("\u{e000}{index}\u{e000}")
}

/// The lines of a file that a span touches.
struct Excerpt {
    path: String,
    point: Point,
    shown: show::Excerpt,
}

impl Excerpt {
    fn new(shown: &Shown<'_>, file: FileId, span: Span) -> Excerpt {
        let source = shown.source(file);
        let is_secret = |at: usize| {
            let after = source.secrets.partition_point(|secret| secret.end as usize <= at);
            let is_in = source.secrets.get(after).is_some_and(|secret| secret.start as usize <= at);
            is_in && !span.range().contains(&at)
        };
        Excerpt {
            path: show::value(shown.snapshot.files.path(file)),
            point: point(shown.snapshot, file, span.start),
            shown: show::Excerpt::of(&source.text, span.range(), &is_secret),
        }
    }

    fn snippet<'e>(
        &'e self,
        kind: AnnotationKind,
        mark: &'e str,
        label: Option<&'e str>,
    ) -> Snippet<'e, annotate_snippets::Annotation<'e>> {
        Snippet::source(&self.shown.text)
            .line_start(self.point.line as usize)
            .path(mark)
            .annotation(kind.span(self.shown.mark.clone()).label(label))
    }

    /// Replaces this excerpt's placeholder, and the line and column that the renderer wrote after it, with the
    /// excerpt's place in the file.
    fn placed(&self, rendered: &str, mark: &str) -> String {
        let Some((before, after)) = rendered.split_once(mark) else { return rendered.to_string() };
        let rest = after.trim_start_matches(|c: char| c == ':' || c.is_ascii_digit());
        format!("{before}{}:{}:{}{rest}", self.path, self.point.line, self.point.column)
    }
}
