//! A finding as a person reads it in a terminal: the line, the underline, the help.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::diagnostic::{Diagnostic, Severity};
use crate::rename::Texts;
use crate::text::{FileId, Span};
use crate::workspace::Snapshot;

/// The most places besides the finding itself that are shown.
const MAX_RELATED: usize = 3;

pub(super) fn render(snapshot: &Snapshot, diagnostic: &Diagnostic, texts: Texts<'_>, color: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
        Severity::Hint => Level::HELP.with_name(Some("hint")),
    };
    let here = Excerpt::new(snapshot, diagnostic.file, diagnostic.span, texts);
    let related: Vec<(Excerpt, &str)> = diagnostic
        .related
        .iter()
        .take(MAX_RELATED)
        .map(|related| (Excerpt::new(snapshot, related.file, related.span, texts), related.message.as_str()))
        .collect();
    let helps: Vec<String> = diagnostic
        .fixes
        .iter()
        .map(|fix| match (fix.preferred, fix.safe) {
            (true, true) => fix.title.clone(),
            (true, false) => format!("{} (`fix --unsafe` does)", fix.title),
            (false, _) => format!("perhaps {}", fix.title),
        })
        .collect();
    let title = level.primary_title(diagnostic.message.as_str()).id(diagnostic.rule);
    let mut group = title.element(here.snippet(AnnotationKind::Primary, None));
    for (excerpt, message) in &related {
        group = group.element(excerpt.snippet(AnnotationKind::Context, Some(message)));
    }
    for help in &helps {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let groups: [Group<'_>; 1] = [group];
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    renderer.render(&groups)
}

/// The lines of a file that a span touches.
struct Excerpt {
    path: String,
    text: String,
    first_line: usize,
    /// From the start of the excerpt.
    span: std::ops::Range<usize>,
}

impl Excerpt {
    fn new(snapshot: &Snapshot, file: FileId, span: Span, texts: Texts<'_>) -> Excerpt {
        let path = snapshot.files.path(file).to_string();
        let text = texts(file).unwrap_or_default();
        let start = text[..span.start as usize].rfind(['\n', '\r']).map_or(0, |at| at + 1);
        let end = text[span.end as usize..].find(['\n', '\r']).map_or(text.len(), |at| span.end as usize + at);
        let line = snapshot.files.get(file).map_or(0, |file| file.lines.line_of(span.start)) as usize;
        Excerpt {
            path,
            text: text.get(start..end).unwrap_or("").to_string(),
            first_line: line + 1,
            span: span.start as usize - start..span.end as usize - start,
        }
    }

    fn snippet<'e>(
        &'e self,
        kind: AnnotationKind,
        label: Option<&'e str>,
    ) -> Snippet<'e, annotate_snippets::Annotation<'e>> {
        // A byte order mark takes no room on the line.
        let bom = if self.first_line == 1 && self.text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let span = self.span.start.saturating_sub(bom)..self.span.end.saturating_sub(bom);
        Snippet::source(&self.text[bom..])
            .line_start(self.first_line)
            .path(self.path.as_str())
            .annotation(kind.span(span).label(label))
    }
}
