//! Signs in the text around a name: marks, quotes, code, a test's expectation, a word about tools.

use super::{Form, Kind, MOST_OF_LINE, Meaning, OF_TOOLS, PLAIN_FENCES, Reader, Reading, is_absence, is_number};
use crate::client;
use crate::document::Code;
use crate::lower::SUBJECTS;
use crate::name::Name;
use crate::path::is_test;
use crate::places::Places;
use crate::rename::home;
use crate::rename::{Left, MOST_OF_ASSERTION, stands_alone};
use crate::site::{self, Branch, Stretch};
use crate::syntax::{self, Language, Tree};
use crate::text::{Edit, Span, apply_edits, indent, line_break};
use crate::workspace::Snapshot;

impl Reader<'_> {
    /// Whether a comment, or a text in a test, may be about a function of the old name. The file must use such a
    /// function, and the rename must not rename functions.
    pub(super) fn may_be_a_function(&self, name: &Form, stretch: Option<Stretch>) -> bool {
        let Reading::Source(tree) = self.reading else { return false };
        let may_be = matches!(stretch, Some(Stretch::Comment)) || is_test(self.path);
        if !may_be || !self.old.keeps_functions {
            return false;
        }
        let known = self.code.borrow().as_ref().filter(|(known, _)| *known == name.old).map(|(_, has)| *has);
        known.unwrap_or_else(|| {
            let places = self.text.match_indices(&name.old).map(|(at, word)| Span::new(at, at + word.len()));
            let is_code = |span: Span| matches!(site::stretch(tree, span), Stretch::Code | Stretch::Member);
            let has = places.filter(|span| stands_alone(self.text, *span)).any(is_code);
            *self.code.borrow_mut() = Some((name.old.clone(), has));
            has
        })
    }

    /// Whether a name in a docstring is in an example that Python runs, where it is that of a function: `>>> f(1)`.
    pub(super) fn is_in_doctest(&self, span: Span) -> bool {
        let line = self.text[..span.start as usize].rsplit('\n').next().unwrap_or_default().trim_start();
        [">>> ", "... "].iter().any(|prompt| line.starts_with(prompt))
    }

    /// Whether strings of a test mention the name in longer text, where the name may be that of a function.
    pub(super) fn is_said_of_function(&self, name: &Form) -> bool {
        let mut places = self.text.match_indices(&name.old).map(|(at, word)| Span::new(at, at + word.len()));
        places.any(|span| self.is_in_text(span)) && self.may_be_a_function(name, None)
    }

    /// Returns the meaning of a name of one word in running text. Nearly always it is just an ordinary word, so it is
    /// never renamed. The places where it may be the tool's name are reported.
    pub(super) fn word(&self, snapshot: &Snapshot, stretch: Option<Stretch>, span: Span) -> Meaning {
        let is_at_home = || self.root(snapshot) == self.home.root && !is_test(self.path);
        match stretch {
            None if self.is_marked(span) => Meaning::Perhaps(Left::Word),
            None if self.is_of_tools(snapshot) => Meaning::Passing(Left::Word),
            Some(Stretch::String(_)) if is_at_home() && self.is_marked(span) => Meaning::Perhaps(Left::Word),
            Some(Stretch::String(_)) if is_at_home() => Meaning::Passing(Left::Word),
            _ => Meaning::Nothing,
        }
    }

    /// Whether the text at a place is set apart from the words around it: quoted, emphasised, written as a call, a
    /// heading, or the subject of a table row or list item.
    pub(super) fn is_marked(&self, span: Span) -> bool {
        let (before, after) = (&self.text[..span.start as usize], &self.text[span.end as usize..]);
        let (lead, rest, _) = self.line_around(span);
        let (lead, rest) = (lead.trim(), rest.trim());
        let is_between = |open: &[char], close: &[char]| before.ends_with(open) && after.starts_with(close);
        let is_item = matches!(lead, "-" | "*" | "+") || lead.strip_suffix(['.', ')']).is_some_and(is_number);
        after.starts_with('(')
            || is_between(&['`', '"', '\'', '*'], &['`', '"', '\'', '*'])
            || is_between(&['>'], &['<'])
            || lead.ends_with('|') && rest.starts_with('|')
            || !lead.is_empty() && lead.chars().all(|c| c == '#') && rest.is_empty()
            || is_item && (rest.is_empty() || rest.starts_with([':', '-', '–', '—']))
    }

    /// Whether a test expects something to be absent at a place. Data and files of unknown kinds may always do so.
    pub(super) fn says_absent(&self, span: Span) -> bool {
        match self.reading {
            Reading::Source(tree) => match self.assertion(tree, span) {
                Some(whole) => {
                    let before = Span { start: whole.start, end: span.start };
                    let after = Span { start: span.end, end: whole.end };
                    is_absence(&self.text[before.range()]) || is_absence(&self.text[after.range()])
                }
                None => {
                    let (before, after, _) = self.line_around(span);
                    is_absence(before) || is_absence(after)
                }
            },
            Reading::Data | Reading::Foreign => true,
            Reading::Document(_) => false,
        }
    }

    /// Returns the edit that writes a test's assertion a second time, for the new name, above the assertion that the
    /// old name is absent; `None` if the assertion is not a statement of its own with this name in it once.
    pub(super) fn absent_too(&self, name: &Form, span: Span) -> Option<Meaning> {
        let Reading::Source(tree) = self.reading else { return None };
        let whole = self.assertion(tree, span).filter(|_| name.kind == Kind::Words)?;
        let text = &self.text[whole.range()];
        let again = apply_edits(text, &[Edit::new(span.relative_to(whole.start), name.new.as_str())])?;
        let lead = format!("{again}{}{}", line_break(self.text), indent(self.text, whole.start));
        (text.matches(&name.old).count() == 1)
            .then(|| Meaning::Edited(Edit::new(Span::at(whole.start as usize), lead), None))
    }

    /// Returns the short statement of which a place is part.
    fn assertion(&self, tree: &Tree, span: Span) -> Option<Span> {
        site::statement_around(tree, self.text, span, MOST_OF_ASSERTION)
    }

    /// Whether a string is an argument of a call that is about a tool, or that also gets a server or client:
    /// `client.callTool({ name: "read_note" })`, `describe(server, "read_note")`.
    pub(super) fn is_called(&self, span: Span) -> bool {
        let Reading::Source(tree) = self.reading else { return false };
        let has = |called: &str, wanted: &[&str]| {
            Name::new(called).lower_words().iter().any(|word| wanted.contains(&word.as_str()))
        };
        site::called_with(tree, self.text, span).is_some_and(|(called, given)| {
            has(called, &["tool", "tools"])
                || given.iter().any(|given| has(given, &["server", "client", "mcp", "session"]))
        })
    }

    /// Returns the string at a place, with its quotes, if it is the value of a `case` in a `switch`, and the text that
    /// separates it from a second `case` for the same code.
    pub(super) fn case(&self, span: Span) -> Option<(Span, String)> {
        let Reading::Source(tree) = self.reading else { return None };
        let own = Span { start: span.start - 1, end: span.end + 1 };
        let Some(Branch::Case(start)) = site::branch(tree, self.text, own) else { return None };
        Some((own, format!(":{}{}case ", line_break(self.text), indent(self.text, start))))
    }

    /// Whether the string at a place is the name in a definition as servers list them: an object with a name, a
    /// description and a schema.
    pub(super) fn is_defined(&self, span: Span) -> bool {
        let Reading::Source(tree) = self.reading else { return false };
        self.is_named(span) && {
            let keys = site::keys_beside(tree, self.text, span);
            let has = |wanted: &[&str]| keys.iter().any(|key| wanted.contains(key));
            has(&["description"]) && has(&["inputSchema", "input_schema", "parameters"])
        }
    }

    /// Whether the string at a place is passed to a function of the package whose name says that it is about tools:
    /// `proxy_tool_call("read_note", …)`. A function from elsewhere may call another server.
    pub(super) fn is_handed_on(&self, snapshot: &Snapshot, span: Span) -> bool {
        let Reading::Source(tree) = self.reading else { return false };
        let called = site::called_with(tree, self.text, span).map(|(called, _)| called);
        called.is_some_and(|called| {
            let says_tool = Name::new(called).lower_words().iter().any(|word| word == "tool");
            says_tool && self.home.defines(snapshot, called)
        })
    }

    /// Whether an MCP App calls a tool of its own server by the string at a place: `app.callServerTool({ name:
    /// "read_note" })`. Other clients may call tools of other servers.
    pub(super) fn is_asked_for(&self, span: Span) -> bool {
        let Reading::Source(tree) = self.reading else { return false };
        let called = site::called_with(tree, self.text, span).map(|(called, _)| called);
        called == Some("callServerTool") && self.is_named(span)
    }

    /// Whether a string is the value of something called a tool: `{ tool: "read_note" }`, `record(tool_name="read_note")`.
    pub(super) fn is_labelled(&self, span: Span) -> bool {
        let quotes = ['"', '\'', '`'];
        let Some(before) = self.text[..span.start as usize].strip_suffix(quotes) else { return false };
        let Some(label) = before.trim_end().strip_suffix([':', '=']) else { return false };
        let label = label.trim_end().trim_end_matches(quotes).trim_end_matches('?');
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
        label.rsplit(|c| !is_part(c)).next().is_some_and(|label| label != "name" && SUBJECTS.contains(&label))
    }

    /// Whether a place is in a test: in a test file, or in a test inside the source that it tests.
    pub(super) fn is_test(&self, span: Span) -> bool {
        let inside = || match self.reading {
            Reading::Source(tree) => site::tests_inside(tree, self.text).into_iter().collect(),
            _ => Places::default(),
        };
        is_test(self.path) || self.tests.get_or_init(inside).hold(span)
    }

    /// Whether a place is part of a string literal, and not all of it.
    pub(in crate::rename) fn is_in_text(&self, span: Span) -> bool {
        let Reading::Source(tree) = self.reading else { return false };
        matches!(site::stretch(tree, span), Stretch::String(whole) if self.inside(whole).len() > span.len())
    }

    /// Whether a test expects some text to contain what is at a place.
    pub(in crate::rename) fn is_expected_in_text(&self, span: Span) -> bool {
        const CONTAINS: [&str; 5] = ["assertIn(", "toContain(", "toMatch(", "includes(", "contains("];
        let quotes = ['"', '\'', '`'];
        let (before, after) = (&self.text[..span.start as usize], &self.text[span.end as usize..]);
        let before = before.trim_end_matches(quotes);
        after.trim_start_matches(quotes).starts_with(" in ") || CONTAINS.iter().any(|method| before.ends_with(method))
    }

    /// Whether the text at a place may be compared with a name: it is neither a comment nor prose.
    pub(in crate::rename) fn may_guard(&self, span: Span) -> bool {
        let whole = match self.reading {
            Reading::Source(tree) => match site::stretch(tree, span) {
                Stretch::String(whole) => whole,
                Stretch::Pattern(_) => return true,
                Stretch::Code | Stretch::Member | Stretch::Comment => return false,
            },
            Reading::Data => self.value_around(span),
            // In a text without markup, a program reads a name that is alone on its line.
            Reading::Document(document) => {
                let (before, behind, is_whole) = self.line_around(span);
                let is_code =
                    document.code.iter().any(|code| code.span.contains(span)) || syntax::is_markdown(self.path);
                return is_whole && !is_code && before.trim().is_empty() && behind.trim().is_empty();
            }
            Reading::Foreign => {
                let line = self.line_around(span).0.trim_start();
                return !["# ", "##", "//", ";", "REM "].iter().any(|sign| line.starts_with(sign));
            }
        };
        !self.is_sentence(self.inside(whole), span)
    }

    /// The contents of a string, without its quotes and prefix.
    pub(super) fn inside(&self, whole: Span) -> &str {
        let quoted = &self.text[whole.range()];
        let inside = quoted.trim_start_matches(|c: char| c.is_ascii_alphabetic() || c == '#');
        let inside = if matches!(self.reading, Reading::Data) { quoted } else { inside };
        inside.trim_matches(|c: char| matches!(c, '"' | '\'' | '`' | '#'))
    }

    pub(super) fn root(&self, snapshot: &Snapshot) -> &str {
        self.root.get_or_init(|| home::root_of(snapshot, self.path))
    }

    pub(super) fn is_disputed(&self, snapshot: &Snapshot) -> bool {
        *self.is_disputed.get_or_init(|| self.home.is_disputed(snapshot, self.path))
    }

    /// The text before and after a place on its line, up to a limit, and whether that is the whole line.
    pub(super) fn line_around(&self, span: Span) -> (&str, &str, bool) {
        let (start, end) = (span.start as usize, span.end as usize);
        let last = self.line.get();
        let line = match last.contains(span) {
            true => last,
            false => {
                let is_break = |c: char| matches!(c, '\n' | '\r');
                let first = self.text[..start].rfind(is_break).map_or(0, |at| at + 1);
                let line = Span::new(first, self.text[end..].find(is_break).map_or(self.text.len(), |at| end + at));
                self.line.set(line);
                line
            }
        };
        let is_boundary = |at: &usize| self.text.is_char_boundary(*at);
        let from = (start.saturating_sub(MOST_OF_LINE)..start).find(is_boundary).unwrap_or(start);
        let to = (end..=(end + MOST_OF_LINE).min(self.text.len())).rev().find(is_boundary).unwrap_or(end);
        let (from, to) = (from.max(line.start as usize), to.min(line.end as usize));
        (&self.text[from..start], &self.text[end..to], (from, to) == (line.start as usize, line.end as usize))
    }

    /// Whether the text is about tools at all, so that a string in it may name one.
    pub(super) fn is_of_tools(&self, snapshot: &Snapshot) -> bool {
        *self.is_of_tools.get_or_init(|| {
            let is_at_home = self.root(snapshot) == self.home.root;
            OF_TOOLS.find_iter(self.text).any(|found| is_at_home || found.pattern().as_usize() == 0)
        })
    }

    /// Whether a place in a block of a document is code, in which names are not those of tools.
    pub(super) fn is_code(&self, block: &Code, language: &str, span: Span) -> bool {
        let Some(read) = Language::of_fence(language).filter(|language| language.family().is_some()) else {
            return !PLAIN_FENCES.contains(&language);
        };
        let (start, end) = (span.start - block.span.start, span.end - block.span.start);
        let mut last = self.block.borrow_mut();
        if last.as_ref().is_none_or(|(start, _)| *start != block.span.start) {
            let tree = self.text.get(block.span.range()).and_then(|text| syntax::parse(read, text, None));
            *last = Some((block.span.start, tree));
        }
        let tree = last.as_ref().and_then(|(_, tree)| tree.as_ref());
        let stretch = tree.map(|tree| site::stretch(tree, Span { start, end }));
        matches!(stretch, Some(Stretch::Code | Stretch::Pattern(_) | Stretch::Member))
    }

    /// Returns the server key and the whole name if the text contains the name as clients compose it, with a key that
    /// no known server has.
    pub(super) fn of_unknown_server(&self, span: Span) -> Option<(&str, &str)> {
        const SIGN: &str = "__";
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        let head = self.text[..span.start as usize].strip_suffix(SIGN)?;
        let key = head.rsplit(|c| !is_part(c)).next()?;
        let server = key.strip_prefix("mcp").and_then(|key| key.strip_prefix(SIGN)).filter(|key| !key.is_empty())?;
        let is_known = self
            .home
            .keys
            .iter()
            .chain(&self.home.foreign_keys)
            .any(|key| client::kept_by_all(key) == client::kept_by_all(server));
        let is_whole = !self.text[span.end as usize..].starts_with(is_part);
        let whole = Span { start: span.start - (key.len() + SIGN.len()) as u32, end: span.end };
        (is_whole && !is_known).then(|| (server, &self.text[whole.range()]))
    }

    /// Whether a name stands alone: it is not part of a longer name, of a path or of a member access.
    pub(super) fn stands_alone(&self, span: Span, kind: Kind) -> bool {
        let (before, after) = (&self.text[..span.start as usize], &self.text[span.end as usize..]);
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        if !stands_alone(self.text, span) {
            return false;
        }
        if kind == Kind::Composed {
            return true;
        }
        let next = after.chars().nth(1).unwrap_or(' ');
        // A link to a heading changes with the heading; an `id` stays, and so do links to it. Any other name after `#` or `=` is part
        // of a URL.
        let has_id = || self.text.contains(&format!("id=\"{}\"", &self.text[span.range()]));
        let is_anchor = before.ends_with("](#") && after.starts_with(')') && !has_id();
        if before.ends_with(['#', '=', '?', '&', '%']) && !is_anchor || before.ends_with("id=\"") {
            return false;
        }
        let is_longer =
            after.starts_with(['.', '/', '\\']) && next.is_alphanumeric() || after.starts_with('=') && next != '=';
        // The name of a folder: `read_note/`.
        let is_longer = is_longer || after.starts_with('/') && !next.is_alphanumeric();
        if is_longer || before.ends_with('$') {
            return false;
        }
        // The name follows a sign: `server.name`, `path/name`, `server:name`. Before `/` and `:`, the server's own key
        // is allowed; before `.`, only a table of its tools.
        let Some(sign) = before.chars().next_back().filter(|c| matches!(c, '.' | '/' | ':' | '\\')) else {
            return true;
        };
        // A name of this kind already begins with the server's key.
        if kind == Kind::Loose {
            return false;
        }
        let head = &before[..before.len() - sign.len_utf8()];
        let word = head.rsplit(|c: char| !is_part(c) && c != '.').next().unwrap_or("");
        match sign {
            _ if word.is_empty() => sign != '/' && sign != '\\' && sign != '.',
            '/' | ':' => self.home.keys.contains(word) || sign == ':' && !self.is_stranger(word),
            // In the spread `...TABLE.name`, dots also precede the table.
            '.' => self.home.tables.contains(word.trim_start_matches('.')),
            _ => false,
        }
    }

    pub(super) fn is_stranger(&self, word: &str) -> bool {
        self.home.foreign_keys.contains(word)
    }

    /// Whether a string is prose, and neither a query nor a command.
    pub(super) fn is_sentence(&self, inside: &str, span: Span) -> bool {
        let is_flag = |word: &str| word.len() > 2 && word.starts_with("--");
        if !inside.contains(char::is_whitespace) || inside.split_whitespace().any(is_flag) {
            return false;
        }
        // A word in quotes is meant as a name.
        let is_quote = |c: char| matches!(c, '`' | '"' | '\'' | '\\' | '*');
        let (before, after) = (&self.text[..span.start as usize], &self.text[span.end as usize..]);
        if before.ends_with(is_quote) && after.starts_with(is_quote) {
            return true;
        }
        // The name with a remark: `read_note (run this first)`, `read_note - reads a note`.
        let name = &self.text[span.range()];
        let remark = inside.strip_prefix(name).and_then(|rest| rest.strip_prefix(' ')).map(str::trim_start);
        if remark.is_some_and(|rest| rest.starts_with(['(', '-', '–', '—']) && rest.split_whitespace().count() > 2)
        {
            return true;
        }
        let first = inside.trim_start().split(char::is_whitespace).next().unwrap_or("");
        let is_query = first.len() > 2 && first.chars().all(|c| c.is_ascii_uppercase());
        !is_query && first.starts_with(|c: char| c.is_uppercase() || !c.is_alphanumeric())
    }

    /// Whether the value at a place is a name according to its key, and the file is not a configuration of the project.
    pub(super) fn is_named(&self, span: Span) -> bool {
        const KEYS: [&str; 4] = ["name", "tool", "toolName", "tool_name"];
        let file = self.path.rsplit('/').next().unwrap_or(self.path);
        let is_of_project = file == "package.json" || file.starts_with("tsconfig") || self.path.starts_with(".github/");
        let before = self.text[..span.start as usize].trim_end_matches(['"', '\'']).trim_end();
        let key = before.strip_suffix(':').map(|before| before.trim_end().trim_end_matches(['"', '\'']));
        let is_value = !self.text[span.end as usize..].trim_start_matches(['"', '\'']).trim_start().starts_with(':');
        !is_of_project && is_value && key.is_some_and(|key| KEYS.iter().any(|wanted| key.ends_with(wanted)))
    }

    /// The value around a place in a data file, with its quotes: a string, or the rest of the line.
    pub(super) fn value_around(&self, span: Span) -> Span {
        let (start, end) = (span.start as usize, span.end as usize);
        let (before, behind, _) = self.line_around(span);
        let (line, line_end) = (start - before.len(), end + behind.len());
        let is_quote = |c: char| matches!(c, '"' | '\'');
        // An escaped quote does not delimit the string.
        let mut opening = self.text[line..start].rmatch_indices(is_quote).map(|(at, _)| line + at);
        let opening = opening.find(|&at| !self.text[..at].ends_with('\\'));
        let mut closing = self.text[end..line_end].match_indices(is_quote).map(|(at, _)| end + at);
        let closing = closing.find(|&at| !self.text[..at].ends_with('\\'));
        match (opening, closing) {
            (Some(opening), Some(closing)) => Span::new(opening, closing + 1),
            _ => {
                let before = self.text[line..start].trim_start_matches([' ', '\t', '-']);
                let before = before.split_once(": ").map_or(before, |(_, value)| value);
                Span::new(start - before.len(), line_end)
            }
        }
    }
}
