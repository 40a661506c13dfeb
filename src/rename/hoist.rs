//! Variables that hold the return value of a registration, so that the alias written after it can use that value. The
//! variables are removed together with the alias.

use std::collections::BTreeSet;

use super::refusal::NoAlias;
use crate::site::{self, Around, Surroundings};
use crate::syntax::{self, Language};
use crate::text::{Edit, Span, indent, line_break};

/// The suffix of names that are declared only for an alias. A project is assumed to have no names of its own with this
/// suffix.
pub(super) const HELD: &str = "Renamed";

/// The suffix of variables that were declared inside a block written around the registration.
const IN_BLOCK: &str = "RenamedTool";

/// The beginning of a statement that returns a value.
const GIVES_BACK: &str = "return ";

/// The return value of a registration, for the code that is written after it.
#[derive(Default)]
pub(super) struct Kept {
    pub(super) variable: String,
    /// The edit that declares the variable; `None` if it is declared already.
    pub(super) declaration: Option<Edit>,
    /// The indentation inside the block that is written around the registration; `None` if there is no block.
    pub(super) indent: Option<String>,
    /// The semicolon that ends the registration, or nothing.
    pub(super) end: &'static str,
    /// The text to write after the alias.
    pub(super) last: String,
}

/// Keeps the return value of a registration in a variable. `step` is the additional indentation of a block; `free`
/// returns an unused name with the given suffix.
///
/// # Errors
/// Returns the reason if the value cannot be kept.
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
            // `return` and the value may be separated by something other than one space.
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

/// Extends the edits that remove an alias: they also remove the variable that holds the return value of the tool's
/// registration. `count` returns how often a word occurs once the given edits are applied.
pub(super) fn undo(text: &str, language: Option<Language>, count: &dyn Fn(&str) -> usize, edits: &mut Vec<Edit>) {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let removed: Vec<Span> = edits.iter().map(|edit| edit.span).collect();
    let given_back: Vec<GivenBack<'_>> = removed.iter().filter_map(|span| GivenBack::behind(text, *span)).collect();
    let words = removed.iter().flat_map(|span| text[span.range()].split(|c| !is_word(c)));
    let words = words.chain(given_back.iter().map(|given_back| given_back.variable));
    let hoisted: BTreeSet<&str> = words.filter(|word| is_hoisted(word)).collect();
    for variable in hoisted {
        // A value that was kept only to be returned at the end is returned directly again.
        let last = given_back.iter().find(|last| last.variable == variable);
        let declared = format!("const {variable} = ");
        // A variable that is declared in another way, or used elsewhere, belongs to the author's own code.
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

/// Removes a block that was written around a registration, and leaves the registration; `None` if the block now
/// contains anything else.
fn unblock(
    text: &str,
    language: Option<Language>,
    at: usize,
    (removed, last): (&[Span], Option<&GivenBack<'_>>),
    edits: &mut Vec<Edit>,
) -> Option<()> {
    let block = site::block_around(&syntax::parse(language?, text, None)?, at as u32)?;
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

/// Whether a variable has a name like those of the variables that [`keep`] declares.
fn is_hoisted(variable: &str) -> bool {
    let name = variable.trim_end_matches(|c: char| c.is_ascii_digit());
    [HELD, IN_BLOCK].iter().any(|end| name.len() > end.len() && name.ends_with(end))
}

/// A statement that returns the value of a variable.
struct GivenBack<'a> {
    variable: &'a str,
    /// The line of the statement, with its line break.
    line: Span,
}

impl<'a> GivenBack<'a> {
    /// Returns the `return` statement on the next line after `place` that is not blank; `None` if that line contains
    /// something else.
    fn behind(text: &'a str, place: Span) -> Option<GivenBack<'a>> {
        // A span may end before its line break, or after it.
        let line = text[place.end as usize..].split_inclusive('\n').find(|line| !line.trim().is_empty())?;
        let variable = line.trim().strip_prefix(GIVES_BACK)?.trim_end_matches(';');
        let at = line.as_ptr() as usize - text.as_ptr() as usize;
        Some(GivenBack { variable, line: Span::new(at, at + line.len()) })
    }
}
