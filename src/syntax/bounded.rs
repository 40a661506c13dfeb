//! Parsing that ends, whatever the text: its work is counted as it is done.
//!
//! A grammar reads a megabyte of what people write in a fifth of a second. Two things take it much longer: keeping several
//! readings of a text apart, which shows in the steps of the parser, and recovering from an error, for which it looks at every
//! token of its language in the tables of the grammar. That is no step. Its number is seen only by who reads along what the
//! parser says of itself; as that is slow, one stretch of steps in [`EVERY`] is read along, in texts in which errors could add
//! up at all. Both are counted, so that the same text is parsed or refused on every machine. The processor's time is looked at, too,
//! for what nobody thought of: 8 kB of Rust took 19 s in few steps and few errors. Its bound is three times what a megabyte of
//! source code takes, and is reached by no text that is within the others unless it is made for that.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use tree_sitter::{LogType, ParseOptions, ParseState, Parser, Point, Tree};

/// How many steps of the parser come between two looks of its callback.
const STEPS_A_LOOK: usize = 100;
/// How many steps a byte of text may take, in halves: source code takes about one step, a table of numbers five.
const HALF_STEPS_A_BYTE: usize = 11;
/// How many steps more any text may take. Where the parser does not get on, as in `<a/> <a/> …`, it takes no others: there a
/// step is slow, and as many take it about half a second.
const LEAST_STEPS: usize = 300_000;
/// A text of at most so many bytes is parsed in one go: it holds too little to take long.
const SHORT: usize = 32 * 1024;
/// From how many errors may the parser recover: as many cost it about 0.7 s. A file of a megabyte that is written in another
/// dialect has some thousands.
const MOST_ERRORS: usize = 30_000;
/// In which share of the steps errors are counted.
const EVERY: usize = 24;
/// How many entries the stack of the parser may have, and in which share of the tokens they must show: operators that wait for
/// their operands, `! ! !`, and the like. At an error the parser tries each in one step, 490,000 in 11 s. What is closed again
/// adds nothing, but for what chance leaves of it in the stretches that are read along.
const MOST_OPEN: usize = 40_000;
const OPEN_SHARE: usize = 8;
/// How many bytes are read along in one stretch: of a token the parser says each character.
const MOST_READ_ALONG: usize = 32 * 1024;
/// How much of the processor's time may be spent on any text, and how much more on each byte of it: a megabyte of source code
/// takes 0.2 to 0.4 s.
const LEAST_TIME: Duration = Duration::from_millis(500);
const TIME_A_BYTE: Duration = Duration::from_nanos(500);
/// The looks of one stretch in which errors are counted. Those between two such are not always as many, so that no rhythm of a
/// text falls into step with them.
const STRETCH: usize = 2;

/// Why a text was not parsed.
pub(super) const TOO_MUCH_WORK: &str = "takes too long to parse";

/// How many steps a text may take up to an offset in bytes.
fn most_steps(offset: usize) -> usize {
    LEAST_STEPS + offset * HALF_STEPS_A_BYTE / 2
}

/// Whether a tree says that its text could be parsed from the start within its bounds: no node takes more than ten steps. What
/// was parsed by parts is refused where the whole would be.
pub(super) fn is_within(tree: &Tree, text: &str) -> bool {
    text.len() <= SHORT || tree.root_node().descendant_count() * 10 <= most_steps(text.len())
}

/// Parses a text; `None` where it takes too much work.
pub(super) fn parse(parser: &mut Parser, text: &str, previous: Option<&Tree>) -> Option<Tree> {
    let tree =
        if text.len() <= SHORT { parse_short(parser, text, previous) } else { parse_long(parser, text, previous) };
    if tree.is_none() {
        // Otherwise it would go on with this text.
        parser.set_logger(None);
        parser.reset();
    }
    tree
}

fn parse_short(parser: &mut Parser, text: &str, previous: Option<&Tree>) -> Option<Tree> {
    Work::begin(text).parse(parser, text, previous, usize::MAX)
}

/// What was done for a text so far.
struct Work {
    looks: usize,
    most_time: Duration,
    /// When the work began, by the time that this thread has had of the processor.
    begun: ThreadTime,
    started: Instant,
    /// The furthest offset in bytes that the parser came to.
    reached: usize,
}

impl Work {
    fn begin(text: &str) -> Self {
        let most_time = LEAST_TIME + TIME_A_BYTE.saturating_mul(text.len().try_into().unwrap_or(u32::MAX));
        Self { looks: 0, most_time, begun: ThreadTime::now(), started: Instant::now(), reached: 0 }
    }

    fn is_too_much(&self) -> bool {
        // The processor's time is no more than what has passed, which costs less to ask for.
        let may_be_late = || self.started.elapsed() > self.most_time;
        self.looks * STEPS_A_LOOK > most_steps(self.reached) || may_be_late() && self.begun.elapsed() > self.most_time
    }

    /// Goes on with a text for so many looks; `None` where it is not finished then, or takes too many steps.
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

/// What the parser says of itself in the stretches that are read along.
#[derive(Default)]
struct Watched {
    errors: AtomicUsize,
    shifted: AtomicUsize,
    /// By how many entries its stack has grown, and the most that this came to.
    open: AtomicUsize,
    most_open: AtomicUsize,
    /// It has one reading of the text. Where it has several, most are given up.
    is_sure: AtomicBool,
}

impl Watched {
    fn hear(&self, message: &str) {
        // It says so before it recovers from an error in one of its readings.
        if message.starts_with("resume version") {
            self.errors.fetch_add(1, Ordering::Relaxed);
        } else if message.starts_with("process version:") {
            self.is_sure.store(message.contains(" version_count:1,"), Ordering::Relaxed);
        } else if !self.is_sure.load(Ordering::Relaxed) {
            // Nothing is counted twice.
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

    /// Whether what was seen, in its share, is too much for the whole.
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
    // Up to there nothing is read along: a token is so long.
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
                // It read that the text ends there. What it has come to is worth nothing.
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
        // On the average one less than `EVERY` stretches.
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

    /// So many bytes are parsed by stretches.
    const LONG: usize = 200_000;

    fn repeated(unit: &str) -> String {
        unit.repeat(LONG / unit.len())
    }

    #[test]
    fn what_takes_too_many_steps_is_refused() {
        assert!(parse(Language::TypeScript, &format!("const a={}1;", repeated("a<")), None).is_none());
        assert!(parse(Language::Rust, &repeated(";"), None).is_none());
        // Where the parser does not get on, the length of the text allows no steps.
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
