//! Which code leads to calls that may register something: by the names of the definitions around these calls, the names
//! of those that mention them, and so on.

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::local::Local;
use crate::code::{Mention, Of, Offset, Outline, Reach};
use crate::found::Place;
use crate::machine::{contains_one, prelude_names};
use crate::syntax::Family;
use crate::text::{FileId, Span};

/// The ways in which the code of a file leads to registrations.
#[derive(Default, PartialEq)]
pub(super) struct Leading {
    /// The calls that may register something, and the names of functions and classes that lead to such calls; sorted.
    pub(super) offsets: Vec<Offset>,
    /// The functions and classes that lead to such calls and that other files may import.
    pub(super) words: Vec<SmolStr>,
}

impl Leading {
    pub(super) fn of(file: FileId, local: &Local, names: &Names, is_test: bool) -> Leading {
        let offsets = offsets(file, local, names, &local.marks.registering);
        let mut words = Vec::new();
        if !is_test && !offsets.is_empty() {
            for (item, outline) in local.outlines() {
                let place = |span: Span| Place { file, item, span };
                let leading = outline.importable.iter().filter(|(_, span)| contains_one(place(*span), &offsets));
                words.extend(leading.map(|(name, _)| name.clone()));
            }
        }
        Leading { offsets, words }
    }
}

/// The places in a file that lead to calls of interest: these calls, and the names of functions and classes that lead to
/// them; sorted.
pub(super) fn offsets(file: FileId, local: &Local, names: &Names, calls: &[Offset]) -> Vec<Offset> {
    let own = own_names(local);
    let mut offsets = calls.to_vec();
    for (item, outline) in local.outlines() {
        let leads = |mention: &&Mention| names.lead(file, &own, item, mention);
        let mentions = outline.mentions.iter().filter(leads);
        offsets.extend(mentions.map(|mention| Offset { item, bytes: mention.offset }));
    }
    offsets.sort_unstable();
    offsets
}

/// The functions and classes of the module: there, such a name stands for nothing else.
fn own_names(local: &Local) -> FxHashSet<&SmolStr> {
    local.outlines().flat_map(|(_, outline)| &outline.importable).map(|(name, _)| name).collect()
}

/// The definitions that lead to calls of interest, such as those which may register something: they contain one, or a name of another one that does.
#[derive(Default)]
pub(super) struct Names {
    by_name: FxHashMap<SmolStr, Reached>,
    /// Those inside functions, by file, item and index in its outline.
    inner: FxHashMap<FileId, FxHashSet<(u32, u32)>>,
}

/// How the definitions of one name that lead to registrations are reached.
#[derive(Default)]
struct Reached {
    /// The modules in which one of them is reached by its name alone.
    modules: Vec<FileId>,
    /// Whether only one definition has this name, so that any member of this name may be it.
    is_only: bool,
    /// The module in which no member is it, since a module does not reach its own functions as members.
    own: Option<FileId>,
}

impl Reached {
    /// Whether a member of this name in a file may be one of the definitions.
    fn is_member_in(&self, file: FileId) -> bool {
        self.is_only && self.own != Some(file)
    }

    /// Whether the name alone may stand for one of them in a file, which may have a function or class of this name.
    fn is_name_in(&self, file: FileId, is_own: bool) -> bool {
        match is_own {
            true => self.modules.contains(&file),
            false => self.is_only || !self.modules.is_empty(),
        }
    }
}

/// A place where the name of a definition is mentioned.
#[derive(Clone, Copy)]
struct Mentioned {
    /// The file, as an index.
    index: usize,
    offset: Offset,
    is_member: bool,
}

impl Names {
    /// `calls` returns the calls of interest in a file.
    pub(super) fn of(family: Family, locals: &[(FileId, &Local)], calls: &dyn Fn(&Local) -> &[Offset]) -> Names {
        let outlines = |index: usize| locals[index].1.outlines();
        let own: Vec<FxHashSet<&SmolStr>> = locals.iter().map(|(_, local)| own_names(local)).collect();
        let mut defined: FxHashMap<&SmolStr, usize> = FxHashMap::default();
        for named in (0..locals.len()).flat_map(|index| outlines(index).flat_map(|(_, outline)| &outline.named)) {
            *defined.entry(&named.name).or_default() += 1;
        }
        // In Rust, paths through modules and types are members, too.
        let is_one = |name: &SmolStr| family == Family::Rust || defined.get(name) == Some(&1);
        let is_only = |name: &SmolStr| is_one(name) && !prelude_names(family).contains(name);
        // Where definitions are mentioned: by their names, and those inside functions by themselves.
        let mut places: FxHashMap<&SmolStr, Vec<Mentioned>> = FxHashMap::default();
        let mut inner: FxHashMap<(usize, u32, u32), Vec<Offset>> = FxHashMap::default();
        for index in 0..locals.len() {
            for (item, outline) in outlines(index) {
                for mention in &outline.mentions {
                    let (offset, is_member) = (Offset { item, bytes: mention.offset }, mention.is_member);
                    match mention.of {
                        Of::Local => {}
                        Of::Inner(named) => inner.entry((index, item, named)).or_default().push(offset),
                        Of::Free if !defined.contains_key(&mention.name) => {}
                        Of::Free => {
                            places.entry(&mention.name).or_default().push(Mentioned { index, offset, is_member });
                        }
                    }
                }
            }
        }
        let mut names = Names::default();
        let mut open: Vec<(usize, Offset)> = Vec::new();
        for (index, (_, local)) in locals.iter().enumerate() {
            open.extend(calls(local).iter().map(|offset| (index, *offset)));
        }
        while let Some((index, offset)) = open.pop() {
            let (file, local) = locals[index];
            let outline: &Outline = local.outline(offset.item);
            for (at, named) in outline.around(offset.bytes) {
                if named.reach == Reach::Function && names.inner.entry(file).or_default().insert((offset.item, at)) {
                    let mentions = inner.get(&(index, offset.item, at)).into_iter().flatten();
                    open.extend(mentions.map(|mention| (index, *mention)));
                }
                let is_new = !names.by_name.contains_key(&named.name);
                let reached = names.by_name.entry(named.name.clone()).or_insert_with(|| Reached {
                    modules: Vec::new(),
                    is_only: is_only(&named.name),
                    own: (named.reach == Reach::Module).then_some(file),
                });
                let is_new_module = named.reach == Reach::Module && !reached.modules.contains(&file);
                let is_first_module = is_new_module && reached.modules.is_empty();
                if is_new_module {
                    reached.modules.push(file);
                }
                if !is_new && !is_new_module {
                    continue;
                }
                let is_reached = |mention: &&Mentioned| {
                    let (there, is_own) = (locals[mention.index].0, own[mention.index].contains(&named.name));
                    match (mention.is_member, is_own) {
                        (true, _) => is_new && reached.is_member_in(there),
                        (false, true) => is_new_module && there == file,
                        (false, false) => (is_new || is_first_module) && reached.is_name_in(there, false),
                    }
                };
                let mentions = places.get(&named.name).into_iter().flatten().filter(is_reached);
                open.extend(mentions.map(|mention| (mention.index, mention.offset)));
            }
        }
        names
    }

    /// Whether a mention in an item of a file leads to a registration. `own` has the functions and classes of the file.
    fn lead(&self, file: FileId, own: &FxHashSet<&SmolStr>, item: u32, mention: &Mention) -> bool {
        let named = || self.by_name.get(&mention.name);
        match mention.of {
            Of::Local => false,
            Of::Inner(index) => self.inner.get(&file).is_some_and(|inner| inner.contains(&(item, index))),
            Of::Free if mention.is_member => named().is_some_and(|reached| reached.is_member_in(file)),
            Of::Free => named().is_some_and(|reached| reached.is_name_in(file, own.contains(&mention.name))),
        }
    }
}
