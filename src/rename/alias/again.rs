//! Aliases that repeat the registration with a name and a description of their own, for tools that take both from their
//! function.

use super::writer::Writer;
use super::{Misfit, NoAlias, comment};
use crate::diagnostic::Edits;
use crate::site::{self, Calls, KeywordCall};
use crate::syntax::Tree;
use crate::text::{Edit, Span, apply_edits, indent, line_break};

impl Writer<'_> {
    /// Adds a copy of the statement at `place`; the copy registers the old name. Which of the calls in the statement
    /// takes the name is found by trial.
    pub(super) fn called_again(&self, tree: &Tree, place: Span) -> Result<Edits, Misfit> {
        let found = site::calls_of_statement(tree, self.source, place).ok_or(NoAlias::OtherForm)?;
        if found.has_function {
            return Err(Misfit::Obstacle(NoAlias::HoldsHandler));
        }
        let note = self.note();
        let written = |call: &KeywordCall, function: Option<&str>| {
            let is_function = |name: &&Span| self.source[name.range()] == *self.target.tool.short_name();
            let renamed = found.names.iter().filter(is_function);
            let renamed = renamed.filter_map(|name| Some(Edit::new(*name, function?)));
            let edits = self.named(found.whole, call).into_iter().chain(renamed);
            let edits = edits.map(|edit| Edit::new(edit.span.relative_to(found.whole.start), edit.new_text));
            let text = apply_edits(&self.source[found.whole.range()], &edits.collect::<Vec<Edit>>())?;
            Some(Edits::from([(self.file, vec![self.beside_call(&found, &text)])]))
        };
        let is_right =
            |call: &&KeywordCall| written(call, None).is_some_and(|edits| self.is_told_apart(&edits, Some(&note)));
        let call = found.calls.iter().find(is_right).ok_or(NoAlias::OtherForm)?;
        Ok(written(call, self.function).ok_or(NoAlias::Changed)?)
    }

    /// Adds a copy of the statement at `place`, which registers several tools, under a condition that selects this
    /// tool: `if tool.name == "new":`. Which of the calls in the statement takes the name, and which expression holds
    /// the name, is found by trial.
    pub(super) fn called_again_for_one(&self, tree: &Tree, place: Span) -> Result<Edits, Misfit> {
        let found = site::calls_of_statement(tree, self.source, place).ok_or(NoAlias::OtherForm)?;
        let statement = &self.source[found.whole.range()];
        if found.has_function {
            return Err(Misfit::Obstacle(NoAlias::HoldsHandler));
        }
        // Indenting the copy would also indent the lines of a multi-line string.
        if statement.contains("\"\"\"") || statement.contains("'''") {
            return Err(NoAlias::OtherForm.into());
        }
        let (note, quote) = (self.note(), self.quote());
        let (lead, line_break) = (indent(self.source, found.whole.start), line_break(self.source));
        let written = |call: &KeywordCall, holder: &str, present: &str| {
            let edits = self.named(found.whole, call).into_iter();
            let edits = edits.map(|edit| Edit::new(edit.span.relative_to(found.whole.start), edit.new_text));
            let text = apply_edits(statement, &edits.collect::<Vec<Edit>>())?;
            let step = self.step();
            let lines: Vec<String> = text.split(line_break).map(|line| format!("{step}{line}")).collect();
            let inner =
                lines.join(line_break).replace(&format!("{line_break}{step}{line_break}"), &line_break.repeat(2));
            let text = format!("if {holder} == {quote}{present}{quote}:{line_break}{lead}{inner}");
            Some(Edits::from([(self.file, vec![self.beside_call(&found, &text)])]))
        };
        let own = self.target.tool.own_name();
        let before = self.target.tool.name.len() - own.len();
        for call in &found.calls {
            let given = call.keywords.iter().find(|(name, _)| name == "name").map(|(_, value)| *value);
            let holders: Vec<String> = match given {
                Some(value) => vec![self.source[value.range()].to_string()],
                None => found.names.iter().map(|name| format!("{}.__name__", &self.source[name.range()])).collect(),
            };
            for holder in holders {
                let lists = |present: &str| {
                    written(call, &holder, present).is_some_and(|edits| self.is_told_apart(&edits, Some(&note)))
                };
                // If the alias is also listed when the condition compares with another text, the condition does not
                // depend on the tool's name.
                if lists(own) && !lists(&format!("not {own}")) {
                    let present = self.function.or(self.new.get(before..)).unwrap_or(self.new);
                    return Ok(written(call, &holder, present).ok_or(NoAlias::Changed)?);
                }
            }
        }
        Err(NoAlias::OtherForm.into())
    }

    /// Adds a statement after the statement of a call, or before it if that statement is a `return`.
    fn beside_call(&self, found: &Calls, text: &str) -> Edit {
        let Some(at) = found.returned_at else { return self.behind_statement(found.whole, text) };
        let (indent, line_break) = (indent(self.source, at), line_break(self.source));
        let comment = format!("{} {}", self.language.line_comment(), comment(self.new, self.alias));
        Edit::new(Span::at(at as usize), format!("{comment}{line_break}{indent}{text}{line_break}{indent}"))
    }

    /// Returns the edits that give a call the old name and the deprecation note, in place of the call's own name and
    /// description or, if it has none, after its positional arguments.
    fn named(&self, statement: Span, call: &KeywordCall) -> Vec<Edit> {
        let quote = self.quote();
        let place = self.target.tool.local_place();
        // If the statement contains the name, so does its copy.
        let has_name = place.file == self.file && statement.contains(self.snapshot.files.span(place));
        let name = (!has_name).then(|| ("name", self.target.tool.own_name().to_string()));
        let (mut edits, mut added) = (Vec::new(), Vec::new());
        for (key, value) in name.into_iter().chain([("description", self.note())]) {
            let value = format!("{quote}{value}{quote}");
            match call.keywords.iter().find(|(name, _)| name == key) {
                Some((_, own)) => edits.push(Edit::new(*own, value)),
                None => added.push(format!("{key}={value}")),
            }
        }
        if !added.is_empty() {
            let front = if call.follows { call.between.as_str() } else { "" };
            let behind = if !call.follows && call.precedes { call.between.as_str() } else { "" };
            let text = format!("{front}{}{behind}", added.join(&call.between));
            edits.push(Edit::new(Span::at(call.at as usize), text));
        }
        edits.sort_by_key(|edit| edit.span);
        edits
    }
}
