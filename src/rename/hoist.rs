//! A variable that holds what a registration gives, so that an alias beside it can be made of that; and how it goes when the
//! alias ends.

use std::collections::BTreeSet;

use super::refusal::NoAlias;
use crate::syntax::{self, Around, Language, Surroundings};
use crate::text::{Edit, Span, indent, line_break};

/// What the names of variables end with that are written for an alias alone: nobody's own are called so.
pub(super) const HELD: &str = "Renamed";

/// The same, where a block was written around what they hold.
const IN_BLOCK: &str = "RenamedTool";

/// How a statement begins that gives something back.
const GIVES_BACK: &str = "return ";

/// What a registration gives, as what is written behind it can use it.
#[derive(Default)]
pub(super) struct Kept {
    pub(super) variable: String,
    /// What declares the variable, where nothing does yet.
    pub(super) declaration: Option<Edit>,
    /// What lines begin with in the block that is written around it, where one is.
    pub(super) indent: Option<String>,
    /// What ends the registration.
    pub(super) end: &'static str,
    /// The text after everything else that is written.
    pub(super) last: String,
}

/// How what a registration gives is kept. `step` is by how much more a block is indented, `free` gives a name that ends so and
/// is nobody's.
///
/// # Errors
/// Why it cannot be.
pub(super) fn keep(
    source: &str,
    found: &Surroundings,
    step: &str,
    free: impl Fn(&str) -> String,
) -> Result<Kept, NoAlias> {
    let (line_break, outer) = (line_break(source), indent(source, found.whole.start));
    let statement = &source[found.whole.range()];
    let start = Span::at(found.whole.start as usize);
    match &found.around {
        Around::Function(_) => Err(NoAlias::NoReturn),
        Around::Statement { variable: Some(variable) } => Ok(Kept { variable: variable.clone(), ..Kept::default() }),
        Around::Statement { variable: None } => {
            let variable = free(HELD);
            let declaration = Some(Edit::new(start, format!("const {variable} = ")));
            Ok(Kept { variable, declaration, ..Kept::default() })
        }
        Around::Returned => {
            // Something else may part the word from what is given back.
            let value = statement.strip_prefix(GIVES_BACK).ok_or(NoAlias::OddReturn)?;
            let variable = free(HELD);
            let word = found.whole.slice(0, GIVES_BACK.len());
            let end = if value.ends_with(';') { ";" } else { "" };
            let last = format!("{line_break}{outer}{GIVES_BACK}{variable}{end}");
            let declaration = Some(Edit::new(word, format!("const {variable} = ")));
            Ok(Kept { variable, declaration, last, ..Kept::default() })
        }
        Around::Alone { gives_back } => {
            let variable = free(IN_BLOCK);
            let indent = format!("{outer}{step}");
            let declaration = Some(Edit::new(start, format!("{{{line_break}{indent}const {variable} = ")));
            let (end, given_back) = match gives_back {
                true => (";", format!("{line_break}{indent}{GIVES_BACK}{variable};")),
                false => ("", String::new()),
            };
            let last = format!("{given_back}{line_break}{outer}}}");
            Ok(Kept { variable, declaration, indent: Some(indent), end, last })
        }
    }
}

/// Adds to the edits that take out an alias those that take out what was written to keep what its registration gives: `count`
/// tells how often a word is left after the others.
pub(super) fn undo(text: &str, language: Option<Language>, count: &dyn Fn(&str) -> usize, edits: &mut Vec<Edit>) {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let removed: Vec<Span> = edits.iter().map(|edit| edit.span).collect();
    let given_back: Vec<GivenBack<'_>> = removed.iter().filter_map(|span| GivenBack::behind(text, *span)).collect();
    let words = removed.iter().flat_map(|span| text[span.range()].split(|c| !is_word(c)));
    let words = words.chain(given_back.iter().map(|given_back| given_back.variable));
    let hoisted: BTreeSet<&str> = words.filter(|word| is_hoisted(word)).collect();
    for variable in hoisted {
        // What was held to be given back in the end is given back at once.
        let last = given_back.iter().find(|last| last.variable == variable);
        let declared = format!("const {variable} = ");
        // Whoever declares it otherwise, or uses it elsewhere, made it their own.
        let begins = |at: &usize| text[..*at].rsplit('\n').next().is_some_and(|before| before.trim().is_empty());
        let declaration = text.match_indices(&declared).map(|(at, _)| at).find(begins);
        let is_ours = count(variable) == 1 + usize::from(last.is_some());
        let Some(at) = declaration.filter(|_| is_ours) else { continue };
        if variable.contains(IN_BLOCK) && unblock(text, language, at, (&removed, last), edits).is_some() {
            continue;
        }
        let before = last.map_or("", |_| GIVES_BACK);
        edits.push(Edit::new(Span::new(at, at + declared.len()), before));
        edits.extend(last.map(|last| Edit::new(last.line, "")));
    }
}

/// Removes a block that was written around a registration, with its contents; `None` if something else is
/// there by now.
fn unblock(
    text: &str,
    language: Option<Language>,
    at: usize,
    (removed, last): (&[Span], Option<&GivenBack<'_>>),
    edits: &mut Vec<Edit>,
) -> Option<()> {
    let block = syntax::block_around(&syntax::parse(language?, text, None)?, at as u32)?;
    let goes = |span: &Span| {
        removed.iter().any(|removed| removed.contains(*span)) || last.is_some_and(|last| last.line.contains(*span))
    };
    if !block.others.iter().all(goes) || block.is_body != last.is_some() {
        return None;
    }
    let is_ended = !block.is_body && text[block.value.end as usize..].starts_with(';');
    edits.retain(|edit| !block.whole.contains(edit.span));
    edits.push(Edit::new(Span { start: block.whole.start, end: block.value.start }, ""));
    edits.push(Edit::new(Span { start: block.value.end + u32::from(is_ended), end: block.whole.end }, ""));
    Some(())
}

/// Whether a variable is one that was written to hold what a registration gives.
fn is_hoisted(variable: &str) -> bool {
    let name = variable.trim_end_matches(|c: char| c.is_ascii_digit());
    [HELD, IN_BLOCK].iter().any(|end| name.len() > end.len() && name.ends_with(end))
}

/// A statement that gives back what a variable holds.
struct GivenBack<'a> {
    variable: &'a str,
    /// The line of the statement, with its break.
    line: Span,
}

impl<'a> GivenBack<'a> {
    /// The statement right behind a place, where it is one.
    fn behind(text: &'a str, place: Span) -> Option<GivenBack<'a>> {
        // A place may end before its line does, or with it.
        let line = text[place.end as usize..].split_inclusive('\n').find(|line| !line.trim().is_empty())?;
        let variable = line.trim().strip_prefix(GIVES_BACK)?.trim_end_matches(';');
        let at = line.as_ptr() as usize - text.as_ptr() as usize;
        Some(GivenBack { variable, line: Span::new(at, at + line.len()) })
    }
}
