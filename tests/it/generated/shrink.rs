//! Smaller programs that fail in the same way.

use super::core::Program;

/// How many smaller programs are tried.
const TRIES: usize = 1500;

/// A program that still fails, made from a sequence of choices that is as short as can be found.
pub(super) fn choices(
    choices: Vec<u32>,
    make: &dyn Fn(Vec<u32>) -> (Program, Vec<u32>),
    fails: &mut dyn FnMut(&Program) -> bool,
) -> Program {
    let (mut best, mut drawn) = make(choices);
    let mut tries = TRIES / 2;
    let mut length = drawn.len() / 2;
    while length > 0 && tries > 0 {
        let mut at = 0;
        while at < drawn.len() && tries > 0 {
            let mut changed = false;
            for is_removed in [true, false] {
                let mut next = drawn.clone();
                let end = (at + length).min(next.len());
                if is_removed {
                    next.drain(at..end);
                } else if next[at..end].iter().all(|choice| *choice == 0) {
                    continue;
                } else {
                    next[at..end].fill(0);
                }
                tries = tries.saturating_sub(1);
                let (program, used) = make(next);
                if size(&program) < size(&best) && fails(&program) {
                    (best, drawn) = (program, used);
                    changed = is_removed;
                    break;
                }
            }
            if !changed {
                at += length;
            }
        }
        length /= 2;
    }
    lines(best, fails)
}

fn size(program: &Program) -> usize {
    program.files.iter().map(|(_, text)| text.len()).sum()
}

/// A program that still fails, without the files and lines that it does not need.
pub(super) fn lines(mut program: Program, fails: &mut dyn FnMut(&Program) -> bool) -> Program {
    let mut tries = TRIES / 2;
    loop {
        let before = size(&program);
        for file in (0..program.files.len()).rev() {
            let mut without = program.clone();
            without.files.remove(file);
            if without.files.iter().any(|(path, _)| *path == program.entry) && fails(&without) {
                program = without;
            }
        }
        for file in 0..program.files.len() {
            program = shorter(program, file, &mut tries, fails);
        }
        if size(&program) == before || tries == 0 {
            return program;
        }
    }
}

/// The program with fewer statements in one file.
fn shorter(mut program: Program, file: usize, tries: &mut usize, fails: &mut dyn FnMut(&Program) -> bool) -> Program {
    let mut at = 0;
    loop {
        let lines: Vec<String> = program.files[file].1.lines().map(String::from).collect();
        if at >= lines.len() || *tries == 0 {
            return program;
        }
        let end = group(&lines, at);
        // The whole statement, then its first and last line, which leaves what is in it.
        let mut candidates = vec![[&lines[..at], &lines[end..]].concat()];
        if end - at > 2 {
            candidates.push([&lines[..at], &lines[at + 1..end - 1], &lines[end..]].concat());
        }
        let mut is_shorter = false;
        for candidate in candidates {
            *tries = tries.saturating_sub(1);
            let mut next = program.clone();
            next.files[file].1 = candidate.join("\n") + "\n";
            if fails(&next) {
                program = next;
                is_shorter = true;
                break;
            }
        }
        if !is_shorter {
            at += 1;
        }
    }
}

/// The end of the statement that begins at a line: where its brackets are closed, and what is indented below it ends.
fn group(lines: &[String], at: usize) -> usize {
    let depth_of = |line: &str| line.len() - line.trim_start().len();
    let start = depth_of(&lines[at]);
    let mut open = 0_i32;
    let mut end = at;
    loop {
        for character in lines[end].chars() {
            match character {
                '(' | '[' | '{' => open += 1,
                ')' | ']' | '}' => open -= 1,
                _ => {}
            }
        }
        end += 1;
        let goes_on = lines.get(end).is_some_and(|line| open > 0 || (depth_of(line) > start && !line.is_empty()));
        if !goes_on {
            return end;
        }
    }
}
