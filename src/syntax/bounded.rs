//! Parses with bounded work, whatever the text. The work is counted while the parser runs.
//!
//! A grammar parses a megabyte of ordinary source in a fifth of a second. Two things take much longer: keeping several
//! versions of a parse apart, which shows in the steps of the parser, and recovering from an error, for which the
//! parser looks up every token of the language in the tables of the grammar. Recovery does not count as a step; it
//! shows only in the log of the parser. Because logging is slow, only one in [`EVERY`] stretches of steps is logged,
//! and only in texts long enough for errors to add up. Both steps and errors are counted, so that the same text is
//! parsed or refused on every machine. CPU time is limited as well, for unforeseen cases: 8 kB of Rust took 19 s in few
//! steps and few errors. That limit is three times what a megabyte of source code takes; only a text made for the
//! purpose reaches it within the other limits.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use tree_sitter::{LogType, ParseOptions, ParseState, Parser, Point, Tree};

/// The number of parser steps between two calls of the progress callback. Such a call is a "look" here.
const STEPS_A_LOOK: usize = 100;
/// The number of half steps that each byte of text may take: source code takes about one step, a table of numbers five.
const HALF_STEPS_A_BYTE: usize = 11;
/// The number of steps that any text may take in addition. If the parser does not advance, as in `<a/> <a/> …`, these
/// are its only steps: steps are slow there, and this many take about half a second.
const LEAST_STEPS: usize = 300_000;
/// The length in bytes up to which a text is parsed in one go: it contains too little to take long.
const SHORT: usize = 32 * 1024;
/// The number of errors from which the parser may recover: this many take about 0.7 s. A file of a megabyte that is
/// written in another dialect has some thousands.
const MOST_ERRORS: usize = 30_000;
/// Errors are counted in one of this many stretches of steps.
const EVERY: usize = 24;
/// The maximum number of open entries on the parser's stack. A text is refused if it has more, and if these are also
/// more than one in [`OPEN_SHARE`] of its tokens. This limits operators that wait for their operands (`! ! !`) and the
/// like: at an error, the parser tries all of them in one step, and 490,000 took 11 s. Entries that are closed again do
/// not count, unless they are closed outside the logged stretches.
const MOST_OPEN: usize = 40_000;
const OPEN_SHARE: usize = 8;
/// The maximum number of bytes that are read in one logged stretch. The parser logs each character of a token, so a
/// long token would take too long.
const MOST_READ_ALONG: usize = 32 * 1024;
/// The CPU time that any text may take, and the time that each byte may take in addition: a megabyte of source code
/// takes 0.2 to 0.4 s.
const LEAST_TIME: Duration = Duration::from_millis(500);
const TIME_A_BYTE: Duration = Duration::from_nanos(500);
/// The number of looks in a stretch in which errors are counted. The distance between two such stretches varies, so
/// that no repeating pattern in a text stays in step with them.
const STRETCH: usize = 2;

/// The reason why a text was not parsed.
pub(super) const TOO_MUCH_WORK: &str = "takes too long to parse";

/// The number of steps that a text may take up to a byte offset.
fn most_steps(offset: usize) -> usize {
    LEAST_STEPS + offset * HALF_STEPS_A_BYTE / 2
}

/// Whether the size of a tree shows that its text can be parsed in full within the limits: no node takes more than ten
/// steps. If it does not, the text is parsed in full, so that an incremental parse never accepts a text that a full
/// parse would refuse.
pub(super) fn is_within(tree: &Tree, text: &str) -> bool {
    text.len() <= SHORT || tree.root_node().descendant_count() * 10 <= most_steps(text.len())
}

/// Parses a text; `None` if it takes too much work.
pub(super) fn parse(parser: &mut Parser, text: &str, previous: Option<&Tree>) -> Option<Tree> {
    let tree =
        if text.len() <= SHORT { parse_short(parser, text, previous) } else { parse_long(parser, text, previous) };
    if tree.is_none() {
        // Otherwise the next parse would resume this text.
        parser.set_logger(None);
        parser.reset();
    }
    tree
}

fn parse_short(parser: &mut Parser, text: &str, previous: Option<&Tree>) -> Option<Tree> {
    Work::begin(text).parse(parser, text, previous, usize::MAX)
}

/// The work done for a text so far.
struct Work {
    looks: usize,
    most_time: Duration,
    /// When the work began, in the CPU time of this thread.
    begun: ThreadTime,
    started: Instant,
    /// The furthest byte offset that the parser has reached.
    reached: usize,
}

impl Work {
    fn begin(text: &str) -> Self {
        let most_time = LEAST_TIME + TIME_A_BYTE.saturating_mul(text.len().try_into().unwrap_or(u32::MAX));
        Self { looks: 0, most_time, begun: ThreadTime::now(), started: Instant::now(), reached: 0 }
    }

    fn is_too_much(&self) -> bool {
        // CPU time is at most the elapsed time, which is cheaper to read.
        let may_be_late = || self.started.elapsed() > self.most_time;
        self.looks * STEPS_A_LOOK > most_steps(self.reached) || may_be_late() && self.begun.elapsed() > self.most_time
    }

    /// Continues to parse a text for `looks` looks; `None` if it is not finished by then or takes too much work.
    fn parse(&mut self, parser: &mut Parser, text: &str, previous: Option<&Tree>, looks: usize) -> Option<Tree> {
        let mut read = |at: usize, _| text.as_bytes().get(at..).unwrap_or_default();
        self.parse_from(parser, &mut read, previous, looks)
    }

    fn parse_from<'t>(
        &mut self,
        parser: &mut Parser,
        read: &mut dyn FnMut(usize, Point) -> &'t [u8],
        previous: Option<&Tree>,
        looks: usize,
    ) -> Option<Tree> {
        let until = self.looks.saturating_add(looks);
        let mut look = |state: &ParseState| {
            self.looks += 1;
            self.reached = self.reached.max(state.current_byte_offset());
            if self.looks >= until || self.is_too_much() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        parser.parse_with_options(
            &mut |at, point| read(at, point),
            previous,
            Some(ParseOptions::new().progress_callback(&mut look)),
        )
    }
}

/// Counts from the log of the parser, in the logged stretches.
#[derive(Default)]
struct Watched {
    errors: AtomicUsize,
    shifted: AtomicUsize,
    /// The number of entries by which the stack has grown, and the maximum of that.
    open: AtomicUsize,
    most_open: AtomicUsize,
    /// Whether the parser has a single version of the parse. If it has several, it gives up most of them.
    is_sure: AtomicBool,
}

impl Watched {
    fn hear(&self, message: &str) {
        // The library logs this before it recovers from an error in one of the parallel versions of a parse.
        if message.starts_with("resume version") {
            self.errors.fetch_add(1, Ordering::Relaxed);
        } else if message.starts_with("process version:") {
            self.is_sure.store(message.contains(" version_count:1,"), Ordering::Relaxed);
        } else if !self.is_sure.load(Ordering::Relaxed) {
            // With several versions, tokens would be counted twice.
        } else if message.starts_with("shift ") {
            self.shifted.fetch_add(1, Ordering::Relaxed);
            let open = self.open.fetch_add(1, Ordering::Relaxed) + 1;
            self.most_open.fetch_max(open, Ordering::Relaxed);
        } else if let Some((_, count)) = message.split_once("child_count:").filter(|_| message.starts_with("reduce ")) {
            let joined = count.parse().unwrap_or(1).max(1) - 1;
            let open = self.open.load(Ordering::Relaxed);
            self.open.store(open.saturating_sub(joined), Ordering::Relaxed);
        }
    }

    /// Whether the counts, scaled up to the whole text, exceed a limit.
    fn is_too_much(&self) -> bool {
        let count = |what: &AtomicUsize| what.load(Ordering::Relaxed);
        let (shifted, open) = (count(&self.shifted), count(&self.most_open));
        count(&self.errors) * EVERY > MOST_ERRORS || open * EVERY > MOST_OPEN && open * OPEN_SHARE > shifted
    }
}

fn parse_long(parser: &mut Parser, text: &str, previous: Option<&Tree>) -> Option<Tree> {
    let watched = Arc::new(Watched::default());
    let mut work = Work::begin(text);
    let mut seed = text.len() as u64;
    // The byte offset up to which nothing is logged, because of a long token.
    let mut silent = 0;
    while !work.is_too_much() {
        if work.reached >= silent {
            let end = (work.reached + MOST_READ_ALONG).min(text.len());
            let mut is_cut = false;
            let mut read = |at: usize, _| {
                is_cut |= at >= end && end < text.len();
                text.as_bytes().get(at..end).unwrap_or_default()
            };
            let hearing = Arc::clone(&watched);
            parser.set_logger(Some(Box::new(move |kind, message| {
                if matches!(kind, LogType::Parse) {
                    hearing.hear(message);
                }
            })));
            let tree = work.parse_from(parser, &mut read, previous, STRETCH);
            parser.set_logger(None);
            if is_cut {
                // The parser took the cut for the end of the text, so its result is worthless.
                parser.reset();
                silent = end * 2;
                (work.looks, work.reached) = (0, 0);
                continue;
            }
            if tree.is_some() {
                return tree;
            }
            if work.is_too_much() || watched.is_too_much() {
                return None;
            }
        }
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // `EVERY - 1` stretches on average.
        let between = STRETCH * (EVERY - 1) / 2 + (seed >> 33) as usize % (STRETCH * (EVERY - 1));
        let tree = work.parse(parser, text, previous, between);
        if tree.is_some() {
            return tree;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::{Language, parse};

    /// A length in bytes at which a text is parsed in stretches.
    const LONG: usize = 200_000;

    fn repeated(unit: &str) -> String {
        unit.repeat(LONG / unit.len())
    }

    #[test]
    fn what_takes_too_many_steps_is_refused() {
        assert!(parse(Language::TypeScript, &format!("const a={}1;", repeated("a<")), None).is_none());
        assert!(parse(Language::Rust, &repeated(";"), None).is_none());
        // If the parser does not advance, the length of the text allows no additional steps.
        assert!(parse(Language::Tsx, &repeated("<a/> "), None).is_none());
    }

    #[test]
    fn what_holds_too_many_errors_is_refused_and_what_holds_some_is_not() {
        assert!(parse(Language::Rust, &repeated("a,"), None).is_none());
        assert!(parse(Language::Rust, &repeated("fn f() { let a = ; g(a, b, c, d, e, f, g, h) }\n"), None).is_some());
    }

    #[test]
    fn operators_that_wait_for_their_operands_are_refused() {
        assert!(parse(Language::Rust, &format!("struct A {{ a: {})", repeated("! ")), None).is_none());
        assert!(parse(Language::TypeScript, &format!("type A = {} }}", repeated("&& ")), None).is_none());
    }

    #[test]
    fn a_token_that_is_longer_than_what_is_read_along_is_read_to_its_end() {
        let text = format!("const a = \"{}\";\nconst b = 1;\n", repeated("a"));
        let tree = parse(Language::TypeScript, &text, None).unwrap();
        assert!(!tree.root_node().has_error());
        assert_eq!(tree.root_node().named_child_count(), 2);
    }

    #[test]
    fn what_takes_long_in_few_steps_and_few_errors_is_refused() {
        let (opened, closed) = ("(?:".repeat(1400), ")*".repeat(1400));
        assert!(parse(Language::Rust, &format!("impl S {{\n{opened}fn f() {{ }}\n}}\n{closed}"), None).is_none());
    }

    #[test]
    fn stretches_make_the_tree_that_one_go_makes() {
        let typescript =
            "export class A<T> { m(a: T): B<T> { return a < b ? f<T>(a) : (x) => ({ ...x, y: `${a}` }); } }\n";
        let python = "class A:\n    def f(self, a):\n        return [x for x in a if x] or f\"{a}\"\n";
        let rust = "impl<T> A<T> { fn f(&self) -> B { if a < b { m!(x, y) } else { a.b::<C>(|x| x) } } }\n";
        let units = [(Language::TypeScript, typescript), (Language::Python, python), (Language::Rust, rust)];
        for (language, unit) in units {
            let text = repeated(unit);
            let mut parser = tree_sitter::Parser::new();
            parser.set_language(&language.grammar().unwrap()).unwrap();
            let whole = parser.parse(&text, None).unwrap();
            let tree = parse(language, &text, None).unwrap();
            assert!(!tree.root_node().has_error());
            assert_eq!(tree.root_node().to_sexp(), whole.root_node().to_sexp());
        }
    }

    #[test]
    fn a_parser_that_refused_a_text_reads_the_next_from_its_beginning() {
        assert!(parse(Language::Rust, &repeated(";"), None).is_none());
        let tree = parse(Language::Rust, "fn f() {}", None).unwrap();
        assert_eq!(tree.root_node().to_sexp().matches("function_item").count(), 1);
    }
}
