//! Random programs: what the engine says that a program registers is compared with what the program registers when a
//! real interpreter runs it.
//!
//! `TOOLNAMES_SEEDS` sets the number of programs of each language, `TOOLNAMES_SEED` the first seed, and
//! `TOOLNAMES_SHOW` how many failing programs are made smaller and printed; with `TOOLNAMES_FAULT`, such as `Wrong`, only
//! those that fail in this way. Programs that failed once are in `tests/data/generated/`.

mod core;
mod coverage;
mod javascript;
mod kept;
mod machine;
mod outcome;
mod python;
mod random;
mod runtime;
mod shrink;
mod tally;
mod value;

use self::core::Program;
use coverage::Coverage;
use outcome::compare;
use random::Random;
use runtime::{Language, Runtime};
use tally::Tally;

/// How many of a hundred programs may have a fault.
const FAULTY: u64 = 4;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// The program that follows from choices, and the choices that were used.
fn generate(language: Language, random: Random) -> (Program, Vec<u32>) {
    match language {
        Language::JavaScript => javascript::generate(random),
        Language::Python => python::generate(random),
    }
}

/// The languages to look at: `TOOLNAMES_LANGUAGE`, or both.
fn languages() -> Vec<Language> {
    let wanted = std::env::var("TOOLNAMES_LANGUAGE").unwrap_or_default();
    [Language::JavaScript, Language::Python].into_iter().filter(|it| format!("{it:?}").contains(&wanted)).collect()
}

fn kinds(language: Language) -> Vec<&'static str> {
    match language {
        Language::JavaScript => javascript::kinds(),
        Language::Python => python::kinds(),
    }
}

/// Compares the engine with an interpreter on programs that failed before and on random ones.
fn check(language: Language) {
    let mut runtime = Runtime::new(language);
    let (first, count, show) =
        (setting("TOOLNAMES_SEED", 0), setting("TOOLNAMES_SEEDS", 300), setting("TOOLNAMES_SHOW", 3));
    let mut coverage = Coverage::of(language, kinds(language));
    let mut tally = Tally::default();
    let kept = kept::all(language).into_iter().map(|(name, program)| (name, None, program));
    let random = (first..first + count).map(|seed| {
        let (program, choices) = generate(language, Random::of_seed(seed));
        (format!("seed {seed}"), Some(choices), program)
    });
    for (name, choices, program) in kept.chain(random) {
        if choices.is_some() {
            coverage.add(language, &program);
        }
        let expected = match runtime.run(&program) {
            Ok(expected) => expected,
            Err(error) => {
                tally.discard(&name, &error);
                continue;
            }
        };
        let got = machine::run(&program.files, &program.entry);
        let verdict = compare(&program, &expected, &got);
        let wanted = std::env::var("TOOLNAMES_FAULT").unwrap_or_default();
        let worst = verdict.faults.keys().copied().find(|fault| format!("{fault:?}").contains(&wanted));
        tally.add(&program, &verdict);
        if let Some(fault) = worst.filter(|_| tally.shown < show) {
            tally.shown += 1;
            let mut fails = |program: &Program| {
                let Ok(expected) = runtime.run(program) else { return false };
                compare(program, &expected, &machine::run(&program.files, &program.entry)).has(fault)
            };
            let small = match choices {
                Some(choices) => {
                    let make = |choices: Vec<u32>| generate(language, Random::of_choices(choices));
                    shrink::choices(choices, &make, &mut fails)
                }
                None => program,
            };
            let expected = runtime.run(&small).unwrap_or_default();
            let got = machine::run(&small.files, &small.entry);
            println!("{}", tally::shown(&name, fault, &small, &expected, &got));
        }
    }
    println!("{language:?}: {}\n{}", tally.report(), coverage.report());
    let rare = coverage.too_rare();
    assert!(rare.is_empty(), "too rare: {rare:#?}");
    assert!(tally.discarded * 50 <= count.max(50), "too many programs crash");
    assert!(tally.failed * 100 <= count.max(100) * FAULTY, "{} programs fail", tally.failed);
}

#[test]
fn javascript_registers_what_the_engine_says() {
    check(Language::JavaScript);
}

#[test]
fn python_registers_what_the_engine_says() {
    check(Language::Python);
}

/// Runs many programs without an engine: which of them crash, and what they are made of.
#[test]
#[ignore = "a tool to look at the generator"]
fn generation_alone() {
    let (first, count) = (setting("TOOLNAMES_SEED", 0), setting("TOOLNAMES_SEEDS", 10_000));
    for language in languages() {
        let mut runtime = Runtime::new(language);
        let mut coverage = Coverage::of(language, kinds(language));
        let (mut crashed, mut tools, mut lines) = (0, 0, 0);
        for seed in first..first + count {
            let (program, _) = generate(language, Random::of_seed(seed));
            coverage.add(language, &program);
            lines += program.files.iter().map(|(_, text)| text.lines().count()).sum::<usize>();
            match runtime.run(&program) {
                Ok(registered) => tools += registered.tools.len(),
                Err(error) => {
                    crashed += 1;
                    println!("seed {seed}: {}", error.lines().take(3).map(str::trim).collect::<Vec<_>>().join(" "));
                }
            }
        }
        println!("{language:?}: {crashed} of {count} crash; {tools} tools, {lines} lines\n{}", coverage.report());
        println!("too rare: {:#?}", coverage.too_rare());
    }
}

/// Prints the program of `TOOLNAMES_SEED` and what it registers.
#[test]
#[ignore = "a tool to look at one program"]
fn print_one() {
    for language in languages() {
        let (program, _) = generate(language, Random::of_seed(setting("TOOLNAMES_SEED", 0)));
        for (path, text) in &program.files {
            println!("//- /{path}\n{text}");
        }
        println!("{:#?}", Runtime::new(language).run(&program));
    }
}
