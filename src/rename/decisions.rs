//! Conditions in code that depend on a tool's name: tests of its prefix, regular expressions, lists of names.
//!
//! A condition must hold for the new name if and only if it held for the old one: otherwise a tool that was hidden or
//! forbidden could be called. If another element in a list or another comparison achieves that, it is added; every
//! other condition refuses the rename, unless the caller forces it.

mod doubled;

use std::cell::OnceCell;

use rustc_hash::FxHashSet;

pub(super) use self::doubled::doubled;
use super::home::{Home, root_of};
use super::prose::{Kind, Names};
use super::refusal::{At, Condition, Left, Why};
use super::work::Work;
use super::{Group, Plan, Sources, Target, Whose, read_file};
use crate::client::glob_matches;
use crate::evaluate::Origin;
use crate::name::Name;
use crate::path::{is_installed, is_test};
use crate::places::Places;
use crate::regex::Regex;
use crate::syntax::{self, Constant, Family, Language, Place, Predicate, Said, Stretch, Test, Tree};
use crate::text::{Edit, Span, apply_edits, indent, line_break};
use crate::workspace::Snapshot;

/// The maximum number of renamings of a constant that are followed one after the other, and of names that it may have.
const MOST_NAMES_IN_TURN: usize = 4;
const MOST_CONSTANTS: usize = 64;

/// The maximum length of a condition in a message, in characters.
const MOST_SHOWN: usize = 80;

/// The name of a tool before and after the rename.
struct Change {
    old: String,
    new: String,
    /// The names are composed by a client. Nothing else has such a name, so it does not matter what the condition
    /// tests.
    is_composed: bool,
}

/// The parts of a rename that matter to conditions.
pub(super) struct Followed<'a> {
    pub(super) new: &'a str,
    /// The old name can still be called.
    pub(super) goes_on: bool,
    /// The function that the tool was named after, if it keeps its name.
    pub(super) function: Option<&'a str>,
    /// Conditions that no edit can follow are left as they are, and reported.
    pub(super) force: bool,
}

/// The cost of matching a regular expression, in steps.
const OF_EXPRESSION: usize = 400;

/// Adds the edits after which the conditions in the workspace's source hold for the new name as for the old one.
///
/// # Errors
/// Returns the first condition for which there is no such edit, unless `to.force` is set; or [`Why::TooMuch`].
pub(super) fn follow(
    snapshot: &Snapshot,
    target: Target<'_>,
    to: &Followed<'_>,
    sources: Sources<'_>,
    plan: &mut Plan,
) -> Result<(), Why> {
    let home = Home::of(snapshot, target);
    let own = changes(target, to.new);
    let constants = constants(snapshot, target, sources);
    let mut composed = Names::composed(snapshot, target, to.new);
    composed.retain(|form| form.kind == Kind::Composed);
    let composed = composed.into_iter().map(|form| Change { old: form.old, new: form.new, is_composed: true });
    let composed: Vec<Change> = composed.collect();
    for (path, text, (language, family)) in with_conditions(sources) {
        let is_at_home = root_of(snapshot, &path) == home.root && !home.is_disputed(snapshot, &path);
        let changes: Vec<&Change> = own.iter().filter(|_| is_at_home).chain(&composed).collect();
        let own_constants: &[Constant] = if is_at_home { &constants } else { &[] };
        let has_constant = own_constants.iter().filter_map(|one| one.path.last()).any(|name| text.contains(name));
        if !has_constant && !changes.iter().any(|change| may_tell_apart(&text, change)) {
            continue;
        }
        let Some(tree) = syntax::parse(language, &text, None) else { continue };
        let registers = home.registers_in(&path);
        let quote = OnceCell::new();
        let file = File {
            quote: &quote,
            snapshot,
            path: &path,
            text: &text,
            tree: &tree,
            family,
            home: &home,
            registers,
            speaks_of_tools: speaks_of_tools(&text),
            is_own: is_at_home,
            constants: own_constants,
        };
        file.follow(&changes, to, plan)?;
        if let Some(function) = to.function.filter(|_| is_at_home && family == Family::Python) {
            file.reads_name(function, to, plan)?;
        }
    }
    Ok(())
}

/// Returns the path, text and language of each source file that may contain conditions. Installed packages and tests
/// are left out.
fn with_conditions(sources: Sources<'_>) -> impl Iterator<Item = (String, String, (Language, Family))> {
    let files = sources.around.mentioning(&syntax::predicate_words()).into_iter();
    files.filter_map(move |(path, text)| {
        let language = Language::of_path(&path)?;
        let is_own = !is_installed(&path) && !is_test(&path) && sources.around.holds(&path);
        Some((path, text, (language, language.family()?))).filter(|_| is_own)
    })
}

/// Returns for each of `renames` whether no condition in the workspace's source distinguishes its two names, regardless
/// of the tool's package: then [`follow`] has nothing to do for it. All are `false` if there is too much to look at.
pub(super) fn leave_alone(renames: &[(Target<'_>, &str)], sources: Sources<'_>) -> Vec<bool> {
    let changes: Vec<Vec<Change>> = renames.iter().map(|(target, new)| changes(*target, new)).collect();
    let mut alone = vec![true; renames.len()];
    let work = Work::default();
    for (_, text, (language, family)) in with_conditions(sources) {
        let Some(tree) = syntax::parse(language, &text, None) else { continue };
        let speaks_of_tools = speaks_of_tools(&text);
        for predicate in syntax::predicates(&tree, &text, family, &is_name, &[]) {
            let matters = |change: &Change| match predicate.test {
                Test::Unknown => says_tool(&predicate.subject),
                _ => tells_apart(&predicate, change, speaks_of_tools || is_whole(&predicate, change)),
            };
            if !work.take(renames.len()) {
                return vec![false; renames.len()];
            }
            for (alone, changes) in alone.iter_mut().zip(&changes).filter(|(alone, _)| **alone) {
                *alone = !changes.iter().any(matters);
            }
        }
    }
    alone
}

/// Returns the names that conditions in the tool's own package may test: the whole name, and the part that source
/// writes.
fn changes(target: Target<'_>, new: &str) -> Vec<Change> {
    let change = |old: &str, new: &str| Change { old: old.to_string(), new: new.to_string(), is_composed: false };
    let mut all = vec![change(&target.tool.name, new)];
    let short = target.tool.short_name();
    if let Some(new) = super::short_name_in(target.tool, new).filter(|new| short != target.tool.name && short != *new) {
        all.push(change(short, new));
    }
    all
}

/// Whether a text may contain a condition that distinguishes the two names: a word that only one of them has, a regular
/// expression, or a comparison with a value known only at run time.
fn may_tell_apart(text: &str, change: &Change) -> bool {
    const ANY: [&str; 14] = [
        ".test(",
        ".exec(",
        ".match(",
        "re.",
        "Regex",
        "RegExp",
        ".search(",
        "fnmatch",
        "startsWith",
        "startswith",
        "starts_with",
        "endsWith",
        "endswith",
        "ends_with",
    ];
    if change.is_composed {
        return text.contains(&change.old) || text.contains("mcp__");
    }
    let (old, new) = (Name::new(&change.old), Name::new(&change.new));
    let own = |name: &Name<'_>, other: &Name<'_>| {
        let others: Vec<&str> = other.words().collect();
        name.words().filter(|word| !others.contains(word)).any(|word| text.contains(word))
    };
    own(&old, &new) || own(&new, &old) || ANY.iter().any(|word| text.contains(word))
}

/// Whether an expression has a name that suggests a tool or its name: `toolName`, `tool.name`, `n`.
fn is_name(called: &str) -> bool {
    const WORDS: [&str; 7] = ["name", "names", "tool", "tools", "function", "fn", "func"];
    let words = Name::new(called).lower_words();
    words.iter().any(|word| WORDS.contains(&word.as_str())) || called.chars().count() == 1
}

fn speaks_of_tools(text: &str) -> bool {
    ["tool", "Tool", "TOOL", "mcp", "MCP"].iter().any(|word| text.contains(word))
}

fn says_tool(called: &str) -> bool {
    called.to_lowercase().contains("tool")
}

/// Returns the regular expression of a predicate; `None` if it has none, or one that is not supported.
fn expression(predicate: &Predicate) -> Option<Regex> {
    let Test::Matches { expression, flags, is_whole } = &predicate.test else { return None };
    let expression = if *is_whole { format!("^(?:{expression})") } else { expression.clone() };
    Regex::new(&expression, flags)
}

/// Whether a predicate holds for a string; `None` if that is not known.
fn holds(predicate: &Predicate, string: &str) -> Option<bool> {
    holds_by(predicate, expression(predicate).as_ref(), string)
}

/// Like [`holds`], but takes the predicate's regular expression, so that it is compiled only once.
fn holds_by(predicate: &Predicate, expression: Option<&Regex>, string: &str) -> Option<bool> {
    let any = |texts: &[String], fits: &dyn Fn(&str) -> bool| Some(texts.iter().any(|text| fits(text)));
    match &predicate.test {
        Test::Unknown => None,
        Test::Begins(texts) => any(texts, &|text| string.starts_with(text)),
        Test::Ends(texts) => any(texts, &|text| string.ends_with(text)),
        Test::Contains(texts) => any(texts, &|text| string.contains(text)),
        Test::Part(texts) => any(texts, &|text| is_part(string, text)),
        Test::Matches { .. } => expression?.is_match(string),
        // A text may list several names.
        Test::Computed(texts) => {
            let is_between = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '|');
            any(texts, &|text| text.split(is_between).any(|one| one == string))
        }
        Test::Is(texts, _) => {
            let is_it = |text: &str| text == string || text.contains('*') && glob_matches(text, string);
            Some(texts.iter().any(|said| is_it(&said.text)))
        }
    }
}

/// Whether splitting or slicing a string may return `text`.
fn is_part(string: &str, text: &str) -> bool {
    let goes_on = |rest: &str| rest.starts_with(char::is_alphanumeric) && text.ends_with(char::is_alphanumeric);
    let mut places = string.match_indices(text);
    !text.is_empty()
        && places.any(|(at, _)| !string[..at].ends_with(char::is_alphanumeric) && !goes_on(&string[at + text.len()..]))
}

/// Whether a predicate tests a tool's name: what it tests has a name that suggests one, in a file that
/// `speaks_of_tools`, or the test is too specific for anything else.
fn is_of(predicate: &Predicate, change: &Change, speaks_of_tools: bool) -> bool {
    let is_long = |texts: &[String]| texts.iter().any(|text| text.len() > 2 && text.contains(['_', '-', '.']));
    let subject = predicate.subject.as_str();
    let called = subject.rsplit(['(', ')']).find(|part| !part.is_empty()).unwrap_or(subject);
    let tells_much = || match &predicate.test {
        Test::Begins(texts) | Test::Ends(texts) | Test::Contains(texts) => is_long(texts),
        Test::Part(_) | Test::Is(_, Place::Removal(_)) => true,
        Test::Is(..) | Test::Computed(_) | Test::Unknown => false,
        Test::Matches { expression, .. } => {
            let expression = expression.to_lowercase();
            let begins = |name: &str| {
                let signs = ['_', '-', '.'];
                let first = name.split_inclusive(signs).next().filter(|first| first.ends_with(signs));
                first.is_some_and(|first| expression.contains(&first.to_lowercase()))
            };
            begins(&change.old) || begins(&change.new)
        }
    };
    // A name of one word may be the name of anything: `user.name`.
    let is_word = matches!(predicate.test, Test::Is(_, Place::List | Place::Comparison { .. } | Place::Case))
        && Name::new(&change.old).words().len() < 2
        && called.contains('.')
        && !says_tool(called);
    // A variable of one letter may be anything, and so may a text of one or two.
    let is_short = called.chars().count() == 1
        && match &predicate.test {
            Test::Begins(texts) | Test::Ends(texts) | Test::Contains(texts) | Test::Part(texts) => {
                texts.iter().all(|text| text.chars().count() < 3)
            }
            _ => false,
        };
    let is_named = (speaks_of_tools || says_tool(called)) && !is_short;
    change.is_composed || !is_word && is_named && is_name(called) || tells_much()
}

/// Whether a condition compares something with the whole old name, and that name has several words.
fn is_whole(predicate: &Predicate, change: &Change) -> bool {
    let Test::Is(texts, Place::List | Place::Comparison { .. } | Place::Case) = &predicate.test else { return false };
    Name::new(&change.old).words().len() > 1 && texts.iter().any(|said| said.text == change.old)
}

/// Whether a condition gives different results for the two names. Patterns of composed names are searched for in every
/// text by [`guards`](super::guards), not here.
fn tells_apart(predicate: &Predicate, change: &Change, speaks_of_tools: bool) -> bool {
    if !may_be_of(predicate, change, speaks_of_tools) {
        return false;
    }
    let expression = expression(predicate);
    let holds = |name: &str| holds_by(predicate, expression.as_ref(), name);
    let (Some(old), Some(new)) = (holds(&change.old), holds(&change.new)) else { return false };
    // Code that compares with the new name is written for it.
    let is_meant = new && matches!(predicate.test, Test::Is(_, Place::Comparison { .. } | Place::Case));
    old != new && !is_meant
}

/// Whether a condition may be about the tool's name at all.
fn may_be_of(predicate: &Predicate, change: &Change, speaks_of_tools: bool) -> bool {
    let is_pattern = change.is_composed && !matches!(predicate.test, Test::Is(..));
    !is_pattern && is_of(predicate, change, speaks_of_tools)
}

/// The length of the longest line that a person may have written, in bytes.
const LONGEST_LINE: usize = 5_000;

/// A source file, and what is needed to follow its conditions.
struct File<'a> {
    snapshot: &'a Snapshot,
    path: &'a str,
    text: &'a str,
    tree: &'a Tree,
    family: Family,
    home: &'a Home,
    /// The tool's server registers tools in it.
    registers: bool,
    speaks_of_tools: bool,
    /// It is in the package of the tool's server.
    is_own: bool,
    /// The constants that hold the tool's name, and change with it.
    constants: &'a [Constant],
    /// The quote of most of its strings; computed on demand.
    quote: &'a OnceCell<char>,
}

impl File<'_> {
    fn follow(&self, changes: &[&Change], to: &Followed<'_>, plan: &mut Plan) -> Result<(), Why> {
        let file = read_file(self.snapshot, self.path, self.text);
        let predicates = self.predicates();
        let (mut edits, mut written): (Vec<Edit>, FxHashSet<Edit>) = Default::default();
        let edited = file.map(|file| plan.edited(file.id)).unwrap_or_default();
        let is_changed = |span: Span| edited.overlap(span);
        let mut has_built = false;
        // Text that edits delete.
        let mut taken: Vec<Span> = Vec::new();
        for predicate in &predicates {
            let is_asked = |change: &&&Change| may_be_of(predicate, change, self.speaks_of_tools);
            let expressions = match predicate.test {
                Test::Matches { .. } => changes.iter().filter(is_asked).count(),
                _ => 0,
            };
            if !self.home.work.take(changes.len() + expressions * OF_EXPRESSION) {
                return Err(Why::TooMuch);
            }
            if predicate.test == Test::Unknown {
                self.unknown(predicate, changes, to, plan)?;
                continue;
            }
            // In the server's own package the whole name is the tool's, and an additional name does no harm.
            let is_own = |change: &Change| to.goes_on && self.is_own && is_whole(predicate, change);
            let is_apart = |change: &&&Change| tells_apart(predicate, change, self.speaks_of_tools || is_own(change));
            let Some(change) = changes.iter().find(is_apart) else { continue };
            if taken.iter().any(|span: &Span| span.contains(predicate.span)) {
                continue;
            }
            // A line that no person wrote belongs to a program that was built from other source.
            if self.is_built(predicate.span) {
                if !std::mem::replace(&mut has_built, true) {
                    self.leave(predicate.span, Left::Built, plan);
                }
                continue;
            }
            // The literals by which the server finds its handler have been renamed already.
            if is_changed(predicate.span) {
                continue;
            }
            // The literal becomes the new name, and so does every constant that holds it: the old name has to be added.
            let has_changed = |said: &Said| said.literal.is_none_or(is_changed);
            let mut changed = self.said(predicate, change).filter(|said| has_changed(said));
            if let Some(said) = changed.next() {
                if to.goes_on && said.is_constant() {
                    match self.as_well(predicate, said, &change.old) {
                        Some(edit) if written.insert(edit.clone()) => edits.push(edit),
                        Some(_) => {}
                        None if to.force => self.leave(predicate.span, Left::Condition(self.shown(predicate)), plan),
                        None => return Err(self.refusal(predicate, change)),
                    }
                }
                continue;
            }
            // An additional name does no harm; a replaced one may belong to something else.
            let is_ours = to.goes_on
                || change.is_composed
                || self.registers
                || says_tool(&predicate.subject)
                || self.is_list_of_tools(predicate);
            if let Some(without) = self.without_joined(predicate, change) {
                taken.extend(without.iter().map(|edit| edit.span));
                edits.extend(without);
                continue;
            }
            match self.edit(predicate, change, to.goes_on).filter(|_| is_ours) {
                Some(edit) if written.insert(edit.clone()) => {
                    let is_list = !to.goes_on && matches!(predicate.test, Test::Is(_, Place::List));
                    let both = if is_list { self.edit(predicate, change, true) } else { None };
                    let whose = || match file {
                        Some(file) => Whose::File(file.id),
                        None => Whose::Document(self.path.to_string()),
                    };
                    plan.searched.extend(both.map(|both| (whose(), edit.clone(), both)));
                    edits.push(edit);
                }
                Some(_) => {}
                None if to.force => self.leave(predicate.span, Left::Condition(self.shown(predicate)), plan),
                None => return Err(self.refusal(predicate, change)),
            }
        }
        if to.goes_on {
            self.prove(&edits, changes, to)?;
        }
        let Some(file) = file else {
            if !edits.is_empty() {
                plan.document(self.path, self.text).edits.extend(edits);
            }
            return Ok(());
        };
        let places: Places = edits.iter().map(|edit| edit.span).collect();
        plan.skipped.retain(|left| left.file != file.id || !places.overlap(left.span));
        edits.into_iter().for_each(|edit| plan.push(Group::Permissions, file.id, edit));
        Ok(())
    }

    /// Handles a comparison of a tool's name with a value known only at run time. In a file in which the server
    /// registers tools, it may be what hides one, so it refuses the rename unless that is forced; elsewhere it is
    /// reported.
    fn unknown(
        &self,
        predicate: &Predicate,
        changes: &[&Change],
        to: &Followed<'_>,
        plan: &mut Plan,
    ) -> Result<(), Why> {
        let Some(change) = changes.iter().find(|change| !change.is_composed && says_tool(&predicate.subject)) else {
            return Ok(());
        };
        if self.registers && !to.force {
            let (at, condition) = (self.at(predicate.span), self.shown(predicate));
            return Err(Why::Undecided { at, condition, old: change.old.clone(), new: change.new.clone() });
        }
        let left = match self.registers {
            true => Left::Condition(self.shown(predicate)),
            false => Left::Undecided(self.shown(predicate)),
        };
        self.leave(predicate.span, left, plan);
        Ok(())
    }

    /// Whether a name is looked up in a list of the server's tools.
    fn is_list_of_tools(&self, predicate: &Predicate) -> bool {
        let Test::Is(texts, Place::List) = &predicate.test else { return false };
        self.home.lists_tools(&texts.iter().map(|said| said.text.as_str()).collect::<Vec<&str>>(), false)
    }

    /// Whether a span is in a line longer than people write, as in a bundle or in minified code.
    fn is_built(&self, span: Span) -> bool {
        let (before, after) = (&self.text[..span.start as usize], &self.text[span.end as usize..]);
        let start = before.len() - before.rfind('\n').map_or(0, |at| at + 1);
        let end = after.find('\n').unwrap_or(after.len());
        start + span.len() + end > LONGEST_LINE
    }

    /// Refuses the rename if code reads `drop_note.__name__`, which is no longer the tool's name if the function keeps
    /// its own. A forced rename reports it instead.
    fn reads_name(&self, function: &str, to: &Followed<'_>, plan: &mut Plan) -> Result<(), Why> {
        let read = format!("{function}.__name__");
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
        let places = self.text.match_indices(&read).map(|(at, _)| Span::new(at, at + read.len()));
        let mut places = places.filter(|span| !self.text[..span.start as usize].ends_with(is_word));
        let Some(span) = places.find(|span| syntax::stretch(self.tree, *span) == Stretch::Code) else { return Ok(()) };
        if !to.force {
            return Err(Why::ReadsName { at: self.at(span), function: function.to_string() });
        }
        self.leave(span, Left::Condition(read), plan);
        Ok(())
    }

    /// Reports a place that stays as it is.
    fn leave(&self, span: Span, left: Left, plan: &mut Plan) {
        match read_file(self.snapshot, self.path, self.text) {
            Some(file) => plan.skip(file.id, span, left),
            None => plan.document(self.path, self.text).skipped.push((span, left)),
        }
    }

    fn at(&self, span: Span) -> At {
        let line = self.text[..span.start as usize].matches('\n').count() as u32 + 1;
        At { path: self.path.to_string(), line }
    }

    fn predicates(&self) -> Vec<Predicate> {
        syntax::predicates(self.tree, self.text, self.family, &is_name, self.constants)
    }

    /// Returns the occurrences of the old name among the texts that a predicate compares with.
    fn said<'p>(&self, predicate: &'p Predicate, change: &'p Change) -> impl Iterator<Item = &'p Said> + use<'p> {
        let texts = match &predicate.test {
            Test::Is(texts, _) => texts.as_slice(),
            _ => &[],
        };
        texts.iter().filter(|said| said.text == change.old)
    }

    /// Returns the edit after which a predicate on a constant also holds for another name; `None` if there is none.
    fn as_well(&self, predicate: &Predicate, said: &Said, name: &str) -> Option<Edit> {
        let Test::Is(texts, place) = &predicate.test else { return None };
        let quote = match self.family {
            Family::Rust => '"',
            _ => said.literal.and_then(|literal| self.text[literal.range()].chars().next()).unwrap_or_else(|| {
                let usual = |language| syntax::usual_quote(language, self.text);
                *self.quote.get_or_init(|| Language::of_path(self.path).map_or('"', usual))
            }),
        };
        let literal = format!("{quote}{name}{quote}");
        match place {
            Place::List => {
                let behind = syntax::behind_element(self.tree, self.text, said.used)?;
                Some(Edit::new(Span::at(said.used.end as usize), format!("{behind}{literal}")))
            }
            Place::Comparison { is_equal } if texts.len() == 1 => {
                let whole = self.text.get(predicate.span.range())?;
                let used = said.used.relative_to(predicate.span.start);
                let other = apply_edits(whole, &[Edit::new(used, literal)])?;
                let sign = self.sign(*is_equal);
                Some(match syntax::joins_alone(self.tree, self.text, predicate.span, sign) {
                    true => Edit::new(Span::at(predicate.span.end as usize), format!(" {sign} {other}")),
                    false => Edit::new(predicate.span, format!("({whole} {sign} {other})")),
                })
            }
            Place::Case => {
                Some(Edit::new(Span::at(said.used.end as usize), format!("{}{literal}", self.also(said.used))))
            }
            Place::Comparison { .. } | Place::Removal(_) => None,
        }
    }

    /// Returns the edit after which a predicate holds for the new name as for the old one; `None` if there is none. If
    /// the old name `goes_on`, the predicate keeps it.
    fn edit(&self, predicate: &Predicate, change: &Change, goes_on: bool) -> Option<Edit> {
        let renamed = |text: &str| text.replace(&change.old, &change.new);
        let (texts, place) = match &predicate.test {
            Test::Is(texts, place) => (texts, place),
            // `disabled.includes("drop_note")`
            Test::Contains(texts) if *texts == [change.old.clone()] => {
                let whole =
                    self.text.get(predicate.span.range()).filter(|whole| whole.matches(&change.old).count() == 1)?;
                let written = if goes_on { self.twice(predicate.span, &renamed(whole), true) } else { renamed(whole) };
                return Some(Edit::new(predicate.span, written));
            }
            _ => return self.joined(predicate, change),
        };
        let mut own = self.said(predicate, change);
        let (said, None) = (own.next()?, own.next()) else { return None };
        let literal = said.literal?;
        if goes_on && said.is_constant() && *place != Place::List {
            return self.as_well(predicate, said, &change.new);
        }
        let quoted = self.text.get(literal.range())?;
        if !goes_on {
            return Some(Edit::new(literal, renamed(quoted)));
        }
        match place {
            // `TOOLS.some((tool) => name === tool)` compares with each element of a list.
            Place::List | Place::Comparison { is_equal: true } if *place == Place::List || texts.len() > 1 => {
                let siblings =
                    syntax::siblings(self.tree, Span::new(literal.start as usize + 1, literal.end as usize - 1))?;
                let sign = siblings.between(siblings.around(literal)?, self.text);
                // The edit covers the whole literal, so that no later step looks at it.
                Some(Edit::new(literal, format!("{}{sign}{quoted}", renamed(quoted))))
            }
            Place::Comparison { is_equal } if texts.len() == 1 => {
                let whole = self.text.get(predicate.span.range())?;
                let before = literal.start.checked_sub(predicate.span.start)? as usize;
                let (head, rest) = whole.split_at_checked(before)?;
                let other = format!("{head}{}{}", renamed(quoted), rest.get(quoted.len()..)?);
                Some(Edit::new(predicate.span, self.twice(predicate.span, &other, *is_equal)))
            }
            Place::Case => Some(Edit::new(literal, format!("{}{}{quoted}", renamed(quoted), self.also(literal)))),
            Place::Removal(Some(statement)) => {
                let whole = self.text.get(statement.range())?;
                let before = literal.start.checked_sub(statement.start)? as usize;
                let (head, rest) = whole.split_at_checked(before)?;
                let line = &self.text[..statement.start as usize];
                let indent = &line[line.rfind('\n').map_or(0, |at| at + 1)..];
                if !indent.trim().is_empty() {
                    return None;
                }
                let other = format!("{head}{}{}", renamed(quoted), rest.get(quoted.len()..)?);
                Some(Edit::new(*statement, format!("{other}{}{indent}{whole}", line_break(self.text))))
            }
            Place::List | Place::Comparison { .. } | Place::Removal(None) => None,
        }
    }

    /// Returns the operator and the text to join to a condition so that it treats the new name like the old one:
    /// ` || name === "erase_note"`, or ` && name !== "erase_note"`. `None` if the subject is too complex to repeat, and
    /// in Rust.
    fn exception(&self, predicate: &Predicate, change: &Change) -> Option<(&'static str, String)> {
        let subject = predicate.subject.as_str();
        let is_simple = !subject.is_empty() && subject.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
        let holds = holds(predicate, &change.old)?;
        let operator = match (self.family, holds) {
            (Family::Python, true) => "==",
            (Family::Python, false) => "!=",
            (Family::TypeScript, true) => "===",
            (Family::TypeScript, false) => "!==",
            (Family::Rust, _) => return None,
        };
        let usual = |language| syntax::usual_quote(language, self.text);
        let usual = || *self.quote.get_or_init(|| Language::of_path(self.path).map_or('"', usual));
        let quote = self.text[predicate.span.range()].chars().find(|c| matches!(c, '"' | '\'')).unwrap_or_else(usual);
        let sign = self.sign(holds);
        is_simple.then(|| (sign, format!(" {sign} {subject} {operator} {quote}{}{quote}", change.new)))
    }

    /// Returns the edit that joins an exception for the new name to a condition on a part or pattern of the name.
    fn joined(&self, predicate: &Predicate, change: &Change) -> Option<Edit> {
        let condition = predicate.condition.filter(|_| !change.is_composed)?;
        let (sign, exception) = self.exception(predicate, change)?;
        Some(match syntax::joins_alone(self.tree, self.text, condition, sign) {
            true => Edit::new(Span::at(condition.end as usize), exception),
            false => Edit::new(condition, format!("({}{exception})", &self.text[condition.range()])),
        })
    }

    /// Returns the edits that delete an exception which an earlier rename added for what is now the old name; `None` if
    /// there is none.
    fn without_joined(&self, predicate: &Predicate, change: &Change) -> Option<Vec<Edit>> {
        let condition = predicate.condition.filter(|_| !change.is_composed)?;
        // The exception is the one that a rename in the opposite direction adds.
        let back = Change { old: change.new.clone(), new: change.old.clone(), is_composed: false };
        let (_, exception) = self.exception(predicate, &back)?;
        let (start, end) = (condition.start as usize, condition.end as usize);
        let rest = self.text[end..].strip_prefix(&exception)?;
        let joined = Span::new(end, end + exception.len());
        let is_in_own = self.text[..start].ends_with('(') && rest.starts_with(')');
        let both = Span { start: condition.start, end: joined.end };
        if !is_in_own || syntax::stands_alone(self.tree, both) {
            return Some(vec![Edit::new(joined, "")]);
        }
        Some(vec![
            Edit::new(Span::new(start - 1, start), ""),
            Edit::new(Span { start: joined.start, end: joined.end + 1 }, ""),
        ])
    }

    /// Returns the text between two names of one case.
    fn also(&self, literal: Span) -> String {
        match self.family {
            Family::TypeScript => {
                let indent = indent(self.text, literal.start);
                format!(":{}{indent}case ", line_break(self.text))
            }
            Family::Python | Family::Rust => " | ".to_string(),
        }
    }

    /// Joins a condition with the same one for another name: one of them must hold, or both if the condition is an
    /// inequality.
    fn twice(&self, condition: Span, other: &str, is_equal: bool) -> String {
        let sign = self.sign(is_equal);
        let both = format!("{other} {sign} {}", &self.text[condition.range()]);
        if syntax::joins_alone(self.tree, self.text, condition, sign) { both } else { format!("({both})") }
    }

    /// Returns the operator that joins two equalities, of which one must hold, or two inequalities, of which both must.
    fn sign(&self, is_equal: bool) -> &'static str {
        match (self.family, is_equal) {
            (Family::Python, true) => "or",
            (Family::Python, false) => "and",
            (_, true) => "||",
            (_, false) => "&&",
        }
    }

    /// Checks the file with `edits` applied: no list that a condition searches may still distinguish the two names.
    fn prove(&self, edits: &[Edit], changes: &[&Change], to: &Followed<'_>) -> Result<(), Why> {
        let Some(text) = apply_edits(self.text, edits).filter(|_| !edits.is_empty() && !to.force) else {
            return Ok(());
        };
        let language = Language::of_path(self.path);
        let Some(tree) = language.and_then(|language| syntax::parse(language, &text, None)) else { return Ok(()) };
        let after = File { text: &text, tree: &tree, ..*self };
        for predicate in after.predicates() {
            // A constant is edited elsewhere.
            let has_constant = changes.iter().any(|change| after.said(&predicate, change).any(Said::is_constant));
            let is_edited = matches!(predicate.test, Test::Is(_, Place::List)) && !has_constant;
            if let Some(change) = changes.iter().find(|change| is_edited && tells_apart(&predicate, change, true)) {
                return Err(after.refusal(&predicate, change));
            }
        }
        Ok(())
    }

    fn refusal(&self, predicate: &Predicate, change: &Change) -> Why {
        Why::Decides {
            at: self.at(predicate.span),
            condition: Condition {
                text: self.shown(predicate),
                old: change.old.clone(),
                new: change.new.clone(),
                holds: holds(predicate, &change.old) == Some(true),
            },
        }
    }

    /// Returns a condition on one line, cut to [`MOST_SHOWN`] characters for a message.
    fn shown(&self, predicate: &Predicate) -> String {
        let whole = self.text[predicate.span.range()].split_whitespace().collect::<Vec<_>>().join(" ");
        match whole.char_indices().nth(MOST_SHOWN) {
            Some((end, _)) => format!("{}…", &whole[..end]),
            None => whole,
        }
    }
}

/// Returns the constants that hold a tool's name and that other code can refer to, with the names that other files of
/// the package give them.
pub(super) fn constants(snapshot: &Snapshot, target: Target<'_>, sources: Sources<'_>) -> Vec<Constant> {
    let [part] = target.tool.registration.name.parts.as_slice() else { return Vec::new() };
    let Origin::Literal(place) = part.origin else { return Vec::new() };
    let language = Language::of_path(snapshot.files.path(place.file));
    let Some((language, text)) = language.zip((sources.texts)(place.file)) else { return Vec::new() };
    let Some(tree) = syntax::parse(language, &text, None) else { return Vec::new() };
    let path = syntax::constant_around(&tree, &text, snapshot.files.span(place));
    let mut all: Vec<Constant> = path.map(|path| Constant { path, text: part.text.to_string() }).into_iter().collect();
    let mut known = 0;
    for _ in 0..MOST_NAMES_IN_TURN {
        let names: Vec<String> = all[known..].iter().filter_map(|constant| constant.path.first().cloned()).collect();
        if names.is_empty() {
            break;
        }
        known = all.len();
        for (path, text) in sources.around.mentioning(&names) {
            let language = Language::of_path(&path).filter(|_| root_of(snapshot, &path) == target.server.root);
            let Some((language, family)) = language.and_then(|language| Some((language, language.family()?))) else {
                continue;
            };
            if is_installed(&path) || is_test(&path) {
                continue;
            }
            let Some(tree) = syntax::parse(language, &text, None) else { continue };
            let found = syntax::constants_offered(&tree, &text, family, &all);
            let found: Vec<Constant> = found.into_iter().take(MOST_CONSTANTS - all.len().min(MOST_CONSTANTS)).collect();
            all.extend(found);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the source of each condition that distinguishes `drop_note` from `erase_note`.
    fn tells_apart(language: Language, text: &str) -> Vec<String> {
        let change = Change { old: "drop_note".to_string(), new: "erase_note".to_string(), is_composed: false };
        let tree = syntax::parse(language, text, None).unwrap();
        let mut all = syntax::predicates(&tree, text, language.family().unwrap(), &is_name, &[]);
        all.retain(|predicate| super::tells_apart(predicate, &change, true));
        all.into_iter().map(|predicate| text[predicate.span.range()].to_string()).collect()
    }

    #[track_caller]
    fn check(language: Language, text: &str, expected: &[&str]) {
        assert_eq!(tells_apart(language, text), expected, "{text}");
    }

    #[test]
    fn beginnings_ends_and_expressions_are_read_in_typescript() {
        let typescript = |text: &str, expected: &[&str]| check(Language::TypeScript, text, expected);
        typescript("ok(!name.startsWith('drop_'))", &["name.startsWith('drop_')"]);
        typescript("ok(tool.name.endsWith('drop_note'))", &["tool.name.endsWith('drop_note')"]);
        typescript("/^drop/.test(tool.name)", &["/^drop/"]);
        typescript("const DROPS = /^drop_/i;", &["/^drop_/i"]);
        typescript("const DROPS = /^(drop|purge)/; DROPS.test(tool.name)", &["DROPS.test(tool.name)"]);
        typescript("new RegExp('^drop_').test(x)", &["new RegExp('^drop_')"]);
        typescript("name.replace(/^drop_/, '')", &[]);
        typescript("name.startsWith('read_')", &[]);
        typescript("path.startsWith('drop')", &[]);
    }

    #[test]
    fn constants_and_lists_lead_to_their_literals() {
        let typescript = |text: &str, expected: &[&str]| check(Language::TypeScript, text, expected);
        typescript("const P = 'drop_'; name.startsWith(P)", &["name.startsWith(P)"]);
        typescript("const P = ['drop_', 'x_']; P.some((p) => name.startsWith(p))", &["name.startsWith(p)"]);
        typescript("for (const p of ['drop_']) if (toolName.startsWith(p)) no();", &["toolName.startsWith(p)"]);
        typescript("const B = new Set(['drop_note'] as const); B.has(name)", &["B.has(name)"]);
        typescript("B.has(name)", &[]);
        check(Language::Python, "P = ('drop_', 'x_')\nany(name.startswith(p) for p in P)\n", &["name.startswith(p)"]);
        check(
            Language::Rust,
            "fn f() { P.iter().any(|p| name.starts_with(p)) } const P: &[&str] = &[\"drop_\"];",
            &["name.starts_with(p)"],
        );
    }

    #[test]
    fn parts_of_a_name_are_followed_to_where_they_are_compared() {
        let typescript = |text: &str, expected: &[&str]| check(Language::TypeScript, text, expected);
        typescript("name.split('_')[0] !== 'drop'", &["name.split('_')[0] !== 'drop'"]);
        typescript("const [verb] = name.split('_'); if (verb === 'drop') no();", &["verb === 'drop'"]);
        typescript("['drop'].includes(toolName.split('_')[0])", &["['drop'].includes(toolName.split('_')[0])"]);
        typescript("switch (name.split('_')[0]) { case 'drop': no(); }", &["case 'drop': no();"]);
        typescript("verb === 'drop'", &[]);
        // Splitting a list of names gives whole names.
        typescript("const [tool] = tools.split(', '); if (tool === 'drop_note') no();", &["tool === 'drop_note'"]);
        typescript("const [tool] = tools.split(','); if (tool === 'drop') no();", &[]);
        check(Language::Python, "name[:5] == 'drop_'\n", &["name[:5] == 'drop_'"]);
        check(Language::Python, "verb = name.split('_')[0]\nverb in {'drop', 'x'}\n", &["verb in {'drop', 'x'}"]);
        check(
            Language::Rust,
            "fn f() { name.split('_').next() == Some(\"drop\") }",
            &["name.split('_').next() == Some(\"drop\")"],
        );
    }

    #[test]
    fn whole_names_are_read_with_the_places_of_their_literals() {
        check(Language::TypeScript, "name === 'drop_note'", &["name === 'drop_note'"]);
        check(Language::Python, "D = {'drop_note'}\nname not in D\n", &["name not in D"]);
        check(Language::Python, "import re\nre.match(r'drop_.*', name)\n", &["re.match(r'drop_.*', name)"]);
        check(Language::Rust, "fn f() { name == \"drop_note\" }", &["name == \"drop_note\""]);
    }
}
