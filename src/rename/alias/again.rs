//! An alias as the registration once more, with a name and a description of its own: where neither is written in it, because
//! the tool is called as its function and says what its function says.

use super::writer::Writer;
use super::{Misfit, NoAlias};
use crate::diagnostic::Edits;
use crate::syntax::{self, KeywordCall, Tree};
use crate::text::{Edit, Span, apply_edits};

impl Writer<'_> {
    /// The statement at a place once more, behind it. Which of the calls in it takes the name is found by trial.
    pub(super) fn called_again(&self, tree: &Tree, place: Span) -> Result<Edits, Misfit> {
        let found = syntax::calls_of_statement(tree, self.source, place).ok_or(NoAlias::OtherForm)?;
        if found.has_function {
            return Err(Misfit::Obstacle(NoAlias::HoldsHandler));
        }
        let note = self.note();
        let written = |call: &KeywordCall, function: Option<&str>| {
            let own = function.zip(self.target.tool.registration.name.parts.first().map(|part| part.text.as_str()));
            let renamed = found.names.iter().filter_map(|name| {
                let (function, _) = own.filter(|(_, old)| self.source[name.range()] == **old)?;
                Some(Edit::new(*name, function))
            });
            let edits = self.named(call).into_iter().chain(renamed);
            let edits = edits.map(|edit| Edit::new(edit.span.relative_to(found.statement.start), edit.new_text));
            let text = apply_edits(&self.source[found.statement.range()], &edits.collect::<Vec<Edit>>())?;
            Some(Edits::from([(self.file, vec![self.behind_statement(found.statement, &text)])]))
        };
        let is_right =
            |call: &&KeywordCall| written(call, None).is_some_and(|edits| self.is_told_apart(&edits, Some(&note)));
        let call = found.calls.iter().find(is_right).ok_or(NoAlias::OtherForm)?;
        Ok(written(call, self.function).ok_or(NoAlias::Changed)?)
    }

    /// The edits by which a call gets the old name and the remark: in place of those that it has, or behind what has no name.
    fn named(&self, call: &KeywordCall) -> Vec<Edit> {
        let quote = self.quote();
        let wanted = [("name", self.target.tool.name.clone()), ("description", self.note())];
        let (mut edits, mut added) = (Vec::new(), Vec::new());
        for (key, value) in wanted {
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
