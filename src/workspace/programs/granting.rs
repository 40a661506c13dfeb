//! The programs that name the tools of servers for agents: files with calls of an agent's package, and the files that
//! lead to them. Functions that contain such a call run even if nothing calls them.

use std::collections::BTreeSet;
use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::ground::{Ground, Seen};
use super::{Context, Ran};
use crate::code::Offset;
use crate::found::{Traced, Want};
use crate::machine::{Entry, Machine};
use crate::path::{is_installed, is_test_file};
use crate::registry::{Granted, Granting};
use crate::syntax::Family;
use crate::text::{FileId, Span};
use crate::workspace::Files;

/// The maximum number of steps of such a program, and of all of them.
const STEPS: u64 = 400_000;
const ALL_STEPS: u64 = 40_000_000;

/// A program that names the tools of servers for agents.
pub(super) struct Agent {
    entry: FileId,
    seen: Seen,
    pub(super) granted: Vec<Granted>,
    wants: Vec<Want>,
}

impl Agent {
    /// What has to be loaded: for running it, and for editing the strings.
    pub(super) fn wants(&self, files: &Files) -> Vec<Want> {
        let strings = self.granted.iter().flat_map(|granted| &granted.lists).flat_map(|(_, strings)| strings);
        let files_of_strings: BTreeSet<FileId> =
            strings.filter_map(Traced::written_at).map(|place| place.file).collect();
        let unread =
            files_of_strings.into_iter().filter(|file| !files.is_closed && files.text_of_source(*file).is_none());
        let paths = unread.map(|file| SmolStr::new(files.path(file))).filter(|path| !files.texts.contains_key(path));
        self.wants.iter().cloned().chain(paths.map(Want::Text)).collect()
    }
}

impl Ran {
    /// The calls that name the tools of servers for agents, each once.
    pub(in crate::workspace) fn granted(&self) -> Vec<&Granted> {
        let mut all: Vec<&Granted> = Vec::new();
        for granted in self.agents.iter().flat_map(|agent| &agent.granted) {
            if !all.contains(&granted) {
                all.push(granted);
            }
        }
        all
    }
}

/// Runs the programs, as far as they would not do the same as before.
pub(super) fn agents(context: Context<'_>) -> Vec<Arc<Agent>> {
    let Context { files, graph, before, .. } = context;
    let grants = |file: &FileId| graph.marks(*file).is_some_and(|marks| marks.grants);
    let is_own = |file: &FileId| !is_test_file(files.path(*file)) && !is_installed(files.path(*file));
    let granting: Vec<FileId> = files.loaded_files().iter().copied().filter(grants).filter(is_own).collect();
    // What nothing imports runs first; a file in a circle of imports runs by itself.
    let tops = graph.tops(files, granting.clone());
    let mut seen = FxHashSet::default();
    let entries: Vec<FileId> = tops.into_iter().chain(granting).filter(|file| seen.insert(*file)).collect();
    let steps = STEPS.min(ALL_STEPS / entries.len().max(1) as u64);
    let known = before.map_or(&[][..], |ran| ran.agents.as_slice());
    let leading = graph.granting();
    let run = |entry: FileId| {
        let ground = Ground::whole(files, graph, context.stop);
        let is_same = |agent: &&Arc<Agent>| agent.wants.is_empty() && agent.seen.is_same_on(&ground);
        match known.iter().filter(|agent| agent.entry == entry).find(is_same) {
            Some(known) => Arc::clone(known),
            None => Arc::new(run(context, entry, &leading, steps)),
        }
    };
    entries.into_par_iter().map(run).collect()
}

fn run(context: Context<'_>, entry: FileId, leading: &FxHashMap<FileId, Vec<Offset>>, steps: u64) -> Agent {
    let Context { files, graph, stop, .. } = context;
    let family = files.family(entry).unwrap_or(Family::TypeScript);
    let ground = Ground::whole(files, graph, stop);
    let mut granting = Granting::new(files.known_clients(), family);
    let mut machine = Machine::new(&ground, &mut granting, entry);
    machine.allow(steps);
    machine.suppose();
    machine.start(&Entry::of_file(entry));
    let wanted = |file| graph.marks(file).map_or(&[][..], |marks| &marks.granting);
    // What calls helpers comes before the helpers, which run with its arguments then.
    machine.force(&|file| leading.get(&file).map_or(&[], Vec::as_slice), &|_| &[]);
    machine.force(&wanted, &|_| &[]);
    drop(machine);
    let Granting { found: granted, unknown, .. } = granting;
    let (seen, mut wants) = ground.into_seen();
    // Whoever passes the strings mentions the function or class around the call.
    for place in unknown.iter().filter(|_| !files.is_closed) {
        let Some(outline) = graph.local(place.file).map(|local| local.outline(place.item)) else { continue };
        let is_around = |span: &Span| span.contains(place.span);
        let around = outline.importable.iter().filter(|(_, span)| is_around(span)).map(|(name, _)| name);
        wants.extend(around.filter(|name| !files.words.contains(*name)).cloned().map(Want::Word));
    }
    Agent { entry, seen, granted, wants }
}
