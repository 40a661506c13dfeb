//! A finding as a person reads it in a terminal: the line, the underline, the help.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::report::{Point, point};
use crate::diagnostic::{Diagnostic, Severity};
use crate::rename::Texts;
use crate::show;
use crate::text::{FileId, Span};
use crate::workspace::Snapshot;

/// The most places besides the finding itself that are shown.
const MAX_RELATED: usize = 3;
/// The most repairs that are shown.
const MAX_HELPS: usize = 12;
/// The width for which the renderer lays out: lines are cut to a window before, at the right place.
const UNLIMITED: usize = 100_000;

/// Lays out a finding. Values of files are made visible here, so the colours are the only control characters in it.
pub(super) fn render(snapshot: &Snapshot, diagnostic: &Diagnostic, texts: Texts<'_>, color: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
        Severity::Hint => Level::HELP.with_name(Some("hint")),
    };
    let here = Excerpt::new(snapshot, diagnostic.file, diagnostic.span, texts);
    let related: Vec<(Excerpt, String)> = diagnostic
        .related
        .iter()
        .take(MAX_RELATED)
        .map(|related| (Excerpt::new(snapshot, related.file, related.span, texts), show::value(&related.message)))
        .collect();
    let mut helps: Vec<String> = diagnostic
        .fixes
        .iter()
        .take(MAX_HELPS)
        .map(|fix| {
            let title = show::message(&fix.title);
            match (fix.preferred, fix.safe) {
                (true, true) => title,
                (true, false) => format!("{title} (`fix --unsafe` does)"),
                (false, _) => format!("perhaps {title}"),
            }
        })
        .collect();
    let more = diagnostic.fixes.len().saturating_sub(MAX_HELPS);
    if more > 0 {
        helps.push(format!("and {more} more repairs: `--format json` lists them"));
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

/// What stands for the place of an excerpt until it is laid out: the renderer counts columns in the text that it is given,
/// which is a window on the line. Private characters are in no text that was made visible.
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
    fn new(snapshot: &Snapshot, file: FileId, span: Span, texts: Texts<'_>) -> Excerpt {
        let text = texts(file).unwrap_or_default();
        Excerpt {
            path: show::value(snapshot.files.path(file)),
            point: point(snapshot, file, span.start),
            shown: show::Excerpt::of(&text, span.range(), &|_| false),
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

    /// The rendered text with the place of this excerpt where its mark stands, with the line and column in the window.
    fn placed(&self, rendered: &str, mark: &str) -> String {
        let Some((before, after)) = rendered.split_once(mark) else { return rendered.to_string() };
        let rest = after.trim_start_matches(|c: char| c == ':' || c.is_ascii_digit());
        format!("{before}{}:{}:{}{rest}", self.path, self.point.line, self.point.column)
    }
}
