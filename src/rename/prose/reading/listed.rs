//! The meaning of a name among names of the same server's tools: an element of a list, a key of a table, one of several
//! in a string.

use super::{Form, Kind, Meaning, Reader, Reading, is_absence};
use crate::name::Name;
use crate::path::is_test;
use crate::rename::Group;
use crate::rename::prose::is_sorting;
use crate::rename::{Left, stands_alone};
use crate::site::{self, Keyed, Siblings};
use crate::syntax::Tree;
use crate::text::{Edit, Span};

impl Reader<'_> {
    /// Whether code only searches a list.
    fn is_searched(&self, tree: &Tree, span: Span) -> bool {
        let by = site::gone_through(tree, self.text, span).unwrap_or_default();
        let searches = |by: &Span| {
            let said = &self.text[by.range()];
            !said.starts_with("for ") && (said.contains(" in ") || said.contains(".includes("))
        };
        !by.is_empty() && by.iter().all(searches)
    }

    /// Whether a test only iterates over a list, and does not expect any of its names to be absent.
    fn expects_each(&self, tree: &Tree, span: Span) -> bool {
        let by = site::gone_through(tree, self.text, span);
        by.is_some_and(|by| !by.iter().any(|by| is_absence(&self.text[by.range()])))
    }

    /// Whether a list in a test contains only tools that the test itself defines, as in `{ name: "read_note", … }`. The
    /// list is then treated like those definitions.
    pub(super) fn lists_its_own(&self, span: Span) -> bool {
        let Reading::Source(tree) = self.reading else { return false };
        let is_made = |name: &str| {
            let mut places = self.text.match_indices(name).map(|(at, name)| Span::new(at, at + name.len()));
            // A call of a tool does not define it.
            let is_made = |place| self.is_named(place) && !self.is_called(place);
            places.any(|place| stands_alone(self.text, place) && is_made(place))
        };
        let inside = |literal: &Span| self.text.get(literal.start as usize + 1..literal.end as usize - 1);
        let siblings = site::siblings(tree, span).filter(|_| self.is_test(span) && !self.is_named(span));
        siblings.is_some_and(|siblings| {
            // If there are very many lists, only the first ones are examined.
            let is_looked_at = self.home.work.take(1 + siblings.literals.len() * (1 + self.text.len() / 256));
            is_looked_at && siblings.literals.iter().filter_map(inside).all(is_made)
        })
    }

    /// Returns the span of a name, with its quotes, and the separator to write after it, in a data file or a file of
    /// unknown kind. The name must be an alternative in a shell `case` pattern, an element of an array, or a value,
    /// even the only one, of a variable whose name contains the word `tools`: `DISABLED_TOOLS=drop_note,read_note`.
    pub(super) fn sign_behind(&self, name: &Form, span: Span) -> Option<(Span, String)> {
        let (before, after) = (&self.text[..span.start as usize], &self.text[span.end as usize..]);
        let (lead, rest, is_whole) = self.line_around(span);
        let lead = lead.trim_start();
        if matches!(self.reading, Reading::Foreign) && name.kind == Kind::Composed {
            let is_pattern = after.starts_with([')', '|']) || after.starts_with(" |") || after.starts_with(" )");
            let begins =
                lead.is_empty() || lead.ends_with(['|', '(']) || lead.ends_with(" in ") || lead.ends_with(";; ");
            return (is_pattern && begins && !before.ends_with('"')).then(|| (span, "|".to_string()));
        }
        let quote = before.chars().next_back().filter(|c| matches!(c, '"' | '\'') && after.starts_with(*c));
        if let (Some(quote), Reading::Data, Kind::Composed | Kind::Loose) = (quote, self.reading, name.kind) {
            let (head, rest) =
                (before.trim_end_matches(quote).trim_end(), after.trim_start_matches(quote).trim_start());
            let is_element = head.ends_with(['[', ',']) && rest.starts_with([']', ',']);
            let is_of_words = name.kind == Kind::Composed || name.is_of_words;
            if is_element && is_of_words {
                return Some((Span { start: span.start - 1, end: span.end + 1 }, ", ".to_string()));
            }
        }
        if let (Some(_), Reading::Data, Kind::Words | Kind::Word) = (quote, self.reading, name.kind)
            && !is_test(self.path)
        {
            let own = Span { start: span.start - 1, end: span.end + 1 };
            return self.sign_among_tools(own).map(|sign| (own, sign));
        }
        if !is_whole || lead.starts_with(['#', '/', ';']) {
            return None;
        }
        let (key, values) = lead.split_once(['=', ':'])?;
        if !Name::new(key.trim()).lower_words().iter().any(|word| word == "tools") {
            return None;
        }
        let is_sign = |c: char| matches!(c, ',' | ';' | '|' | ':');
        let is_bound = |c: char| is_sign(c) || matches!(c, '"' | '\'' | ' ');
        let is_alone = values.is_empty() || values.ends_with(is_bound);
        let is_name =
            |text: &str| text.chars().all(|c| c.is_alphanumeric() || is_bound(c) || matches!(c, '_' | '-' | '.' | '*'));
        if !is_alone || !(rest.is_empty() || rest.starts_with(is_bound)) || !is_name(values) || !is_name(rest) {
            return None;
        }
        let all = format!("{values}{rest}");
        let sign = all.char_indices().find(|(_, c)| is_sign(*c));
        let sign = sign.map_or(",".to_string(), |(at, sign)| {
            let space = if all[at + 1..].starts_with(' ') { " " } else { "" };
            format!("{sign}{space}")
        });
        Some((span, sign))
    }

    /// Returns the separator of a list in a data file if the list contains the server's tools: a comma and the white
    /// space after it.
    fn sign_among_tools(&self, own: Span) -> Option<String> {
        let (before, after) = (&self.text[..own.start as usize], &self.text[own.end as usize..]);
        let (open, close) = (before.rfind('[')?, after.find(']')?);
        let (before, after) = (&before[open + 1..], &after[..close]);
        if !self.home.work.take(1 + (before.len() + after.len()) / 256) {
            return None;
        }
        fn inside(element: &str) -> Option<&str> {
            let element = element.trim();
            let quote = element.chars().next().filter(|c| matches!(c, '"' | '\''))?;
            element.strip_prefix(quote)?.strip_suffix(quote).filter(|name| !name.contains(quote))
        }
        let whole = &self.text[own.start as usize - before.len()..own.end as usize + after.len()];
        let names: Vec<&str> = whole.trim_end().trim_end_matches(',').split(',').map(inside).collect::<Option<_>>()?;
        let gap = |text: &str| text.chars().take_while(|c| c.is_whitespace()).collect::<String>();
        let sign = match (after.trim_start().strip_prefix(','), before.trim_end().ends_with(',')) {
            (Some(rest), _) if !rest.trim().is_empty() => format!(",{}", gap(rest)),
            (_, true) => format!(",{}", &before[before.trim_end().len()..]),
            _ => return None,
        };
        self.home.lists_tools(&names, false).then_some(sign)
    }

    /// Returns the meaning of the name in a list of the server's tools: `"read_note" | "write_note"`, a list, a set. As
    /// long as the old name can be called, it stays in the list next to the new one.
    pub(super) fn listed(&self, name: &Form, span: Span) -> Option<Meaning> {
        let Reading::Source(tree) = self.reading else { return None };
        let mut listed = self.listed.borrow_mut();
        let is_known = listed.as_ref().is_some_and(|(siblings, _)| siblings.around(span).is_some());
        if !is_known {
            let siblings = site::siblings(tree, span)?;
            let inside = |literal: &Span| self.text.get(literal.start as usize + 1..literal.end as usize - 1);
            let own_part = |text| match name.kind {
                Kind::Composed => {
                    name.old.strip_suffix(self.home.name.as_str()).and_then(|lead| str::strip_prefix(text, lead))
                }
                _ => Some(text),
            };
            let texts: Option<Vec<&str>> = siblings.literals.iter().filter_map(inside).map(own_part).collect();
            let texts = texts?;
            let says_tools = || self.is_declared_for_tools(tree, span);
            // A list of tools may also contain the client's own tools, such as `Read` and `Bash`.
            let of_words = || {
                let all = texts.iter().copied().filter(|text| Name::new(text).lower_words().len() > 1);
                self.home.lists_tools(&all.collect::<Vec<_>>(), false)
            };
            let is_of_tools = self.home.lists_tools(&texts, siblings.has_others)
                || !siblings.has_others && (self.home.lists_only_tools(&texts) || of_words()) && says_tools();
            *listed = Some((siblings, is_of_tools));
        }
        let (siblings, is_of_tools) = listed.as_ref()?;
        let own = siblings.around(span).filter(|own| own.len() == span.len() + 2)?;
        if name.old != self.home.name && name.kind != Kind::Composed || !is_of_tools {
            return None;
        }
        let at = |text: &str| {
            siblings
                .literals
                .iter()
                .position(|it| self.text.get(it.start as usize + 1..it.end as usize - 1) == Some(text))
        };
        if let (Some(at), Some(_)) = (at(&name.old), at(&name.new)) {
            return Some(self.beside_new(siblings.removal(at)));
        }
        // In a test, the old name stays if the server lists it, unless the test checks each tool of the list: such
        // checks need not hold for the alias.
        let is_test = self.is_test(span);
        let keeps_old = match is_test {
            true => self.old.is_listed && !self.expects_each(tree, span),
            false => self.old.keeps_old,
        };
        let meaning = match keeps_old {
            _ if is_test && is_sorting(self.text) && siblings.is_sorted(self.text) => {
                self.sorted(siblings, own, (name, keeps_old))
            }
            true => Meaning::Beside(own, siblings.between(own, self.text)),
            false if !is_test && (siblings.is_union() || self.is_searched(tree, span)) => {
                let (quoted, sign) = (&self.text[own.range()], siblings.between(own, self.text));
                let renamed = quoted.replace(&name.old, &name.new);
                Meaning::Searched(Edit::new(own, renamed.as_str()), Edit::new(own, format!("{renamed}{sign}{quoted}")))
            }
            false => Meaning::Tool(Group::Source),
        };
        // A list of only some tools may belong to code that keeps the old name.
        let inside = |literal: &Span| self.text.get(literal.start as usize + 1..literal.end as usize - 1);
        let is_of_all = || self.home.lists_all(&siblings.literals.iter().filter_map(inside).collect::<Vec<_>>());
        let may_be_other = is_test && self.old.is_listed && !is_of_all();
        Some(if may_be_other { Meaning::Expected(Box::new(meaning)) } else { meaning })
    }

    /// Whether a test looks for a name in a value that it also compares with a list of the server's tools.
    pub(super) fn is_among_tools(&self, span: Span) -> bool {
        let Reading::Source(tree) = self.reading else { return false };
        // If there are very many lists, only the first ones are examined.
        if !self.home.work.take(1 + self.text.len() / 256) {
            return false;
        }
        site::compared_lists(tree, self.text, span).into_iter().any(|first| {
            let Some(siblings) = site::siblings(tree, first) else { return false };
            let inside = |literal: &Span| self.text.get(literal.start as usize + 1..literal.end as usize - 1);
            let texts: Vec<&str> = siblings.literals.iter().filter_map(inside).collect();
            self.home.lists_tools(&texts, siblings.has_others)
        })
    }

    /// Returns the meaning of the name as a key next to keys for other tools of the server, or in a lookup by key. As
    /// long as the old name can be called, the value can be found under both names.
    pub(super) fn keyed(&self, name: &Form, span: Span) -> Option<Meaning> {
        let Reading::Source(tree) = self.reading else { return None };
        if name.old != self.home.name {
            return None;
        }
        let names = (name.old.as_str(), name.new.as_str());
        if let Some(lookup) = site::lookup(tree, self.text, span) {
            let is_known = self.home.tables.contains(lookup.variable);
            return is_known.then(|| Meaning::Edited(lookup.renamed(self.text, names), None));
        }
        let own = self.own_key(span).filter(|own| !own.has_function)?;
        if own.keys.iter().any(|key| self.text[key.range()] == *name.new) {
            return Some(self.beside_new(own.taken_out()));
        }
        let (renamed, beside) = (own.renamed(self.text, names)?, own.beside(self.text, names)?);
        if !self.is_test(span) {
            return Some(match self.old.keeps_old {
                true => Meaning::Edited(beside, None),
                false => Meaning::Searched(renamed, beside),
            });
        }
        // A test that has an entry for every tool also needs one for the alias.
        let keys: Vec<&str> = own.keys.iter().map(|key| &self.text[key.range()]).collect();
        Some(match self.old.is_listed {
            true if self.home.lists_all(&keys) => Meaning::Edited(beside, None),
            true => Meaning::Perhaps(Left::TestString),
            false => Meaning::Edited(renamed, None),
        })
    }

    /// Returns the meaning of the name as a value of a record, if the other records of the list have names of the
    /// server's tools under the same key. As long as the old name can be called, there is a record for both names.
    pub(super) fn recorded(&self, name: &Form, span: Span) -> Option<Meaning> {
        let Reading::Source(tree) = self.reading else { return None };
        if name.old != self.home.name || self.is_test(span) {
            return None;
        }
        let record = site::record(tree, self.text, span).filter(|record| record.names.contains(&span))?;
        let names: Vec<&str> = record.names.iter().map(|name| &self.text[name.range()]).collect();
        if !self.home.lists_tools(&names, false) {
            return None;
        }
        Some(match self.old.keeps_old {
            true if names.contains(&name.new.as_str()) => Meaning::Nothing,
            true => Meaning::Edited(record.beside(self.text, (&name.old, &name.new))?, None),
            false => Meaning::Tool(Group::Source),
        })
    }

    /// Returns the meaning of the old name in a list or table that already contains the new one: the old name is
    /// deleted if it can no longer be called. `whole` is the span of the name with its separator.
    fn beside_new(&self, whole: Span) -> Meaning {
        if self.old.keeps_old { Meaning::Nothing } else { Meaning::Edited(Edit::new(whole, ""), None) }
    }

    /// Returns the entry whose key is at a place, if the keys next to it are the server's tools. Pairs in a test are
    /// excluded: the test iterates over them.
    pub(in crate::rename) fn own_key(&self, span: Span) -> Option<Keyed> {
        let Reading::Source(tree) = self.reading else { return None };
        let own = site::keyed(tree, self.text, span)?;
        let keys: Vec<&str> = own.keys.iter().map(|key| &self.text[key.range()]).collect();
        (self.home.lists_tools(&keys, own.has_others) && !(own.is_pair && self.is_test(span))).then_some(own)
    }

    /// Returns the meaning of the name in a string that lists tools, as in a list: `"read_note,list_notes"`.
    pub(super) fn joined(&self, inside: &str, name: &Form, span: Span) -> Option<Meaning> {
        // Lists in data files have been handled already.
        if !matches!(self.reading, Reading::Source(_)) {
            return None;
        }
        let names: Vec<&str> = inside.split(',').map(str::trim).collect();
        if name.old != self.home.name || !names.contains(&name.old.as_str()) || !self.home.lists_tools(&names, false) {
            return None;
        }
        let keeps_old = if self.is_test(span) { self.old.is_listed } else { self.old.keeps_old };
        Some(match keeps_old {
            _ if names.contains(&name.new.as_str()) => Meaning::Nothing,
            true => {
                let sign = if inside.contains(", ") { ", " } else { "," };
                Meaning::Edited(Edit::new(Span::at(span.start as usize), format!("{}{sign}", name.new)), None)
            }
            false => Meaning::Tool(Group::Source),
        })
    }

    /// Returns the meaning of the name in a sorted list; the edits keep the list sorted.
    fn sorted(&self, siblings: &Siblings, own: Span, (name, keeps_old): (&Form, bool)) -> Meaning {
        let quoted = self.text[own.range()].replace(&name.old, &name.new);
        let at = siblings.literals.iter().position(|literal| *literal == own).unwrap_or_default();
        let index = siblings.index_for(self.text, &quoted);
        match keeps_old {
            true => Meaning::Edited(siblings.insertion(self.text, index, &quoted), None),
            false if index == at || index == at + 1 => Meaning::Tool(Group::Source),
            false => Meaning::Edited(siblings.insertion(self.text, index, &quoted), Some(siblings.removal(at))),
        }
    }
}
