//! The standard library of a language: the files in `prelude/`, which run before a program.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::value::{Body, Site, Value};
use super::{At, Flow, Frame, Machine, ObjectId, ScopeId};
use crate::code::{self, Code};
use crate::syntax::{Family, Language, parse};
use crate::text::FileId;

/// The files of the preludes: the path below `prelude/` and the text of each, sorted.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/prelude.rs"));

/// The number of the first file of the preludes, counted down from the largest.
const LAST: u32 = u32::MAX;

/// The built-in names of one language, and what was found among them.
pub(super) struct Realm {
    pub(super) scope: ScopeId,
    found: RefCell<FxHashMap<String, Option<ObjectId>>>,
}

/// Whether a file belongs to a prelude.
pub(super) fn is_prelude(file: FileId) -> bool {
    LAST - file.0 < FILES.len() as u32
}

fn folder(family: Family) -> &'static str {
    match family {
        Family::TypeScript => "javascript/",
        Family::Python => "python/",
        Family::Rust => "rust/",
    }
}

/// The code of a file of a prelude.
pub(super) fn prelude_code(file: FileId) -> Option<Arc<Code>> {
    static CODE: OnceLock<Vec<OnceLock<Arc<Code>>>> = OnceLock::new();
    let all = CODE.get_or_init(|| FILES.iter().map(|_| OnceLock::new()).collect());
    let index = (LAST - file.0) as usize;
    let (path, text) = FILES.get(index)?;
    let code = all[index].get_or_init(|| {
        let lowered = Language::of_path(path)
            .and_then(|language| Some(code::lower(language, &parse(language, text, None)?, text, None)));
        Arc::new(lowered.unwrap_or_default())
    });
    Some(Arc::clone(code))
}

/// The names that the standard library of a language defines, also of members.
pub(crate) fn prelude_names(family: Family) -> &'static FxHashSet<SmolStr> {
    static NAMES: [OnceLock<FxHashSet<SmolStr>>; 3] = [const { OnceLock::new() }; 3];
    let all = match family {
        Family::TypeScript => &NAMES[0],
        Family::Python => &NAMES[1],
        Family::Rust => &NAMES[2],
    };
    all.get_or_init(|| {
        let is_own = |index: &usize| FILES[*index].0.starts_with(folder(family));
        let files = (0..FILES.len()).filter(is_own).map(|index| FileId(LAST - index as u32));
        let code: Vec<Arc<Code>> = files.filter_map(prelude_code).collect();
        let outlines = code.iter().flat_map(|code| &code.items).map(|item| &item.outline);
        outlines.flat_map(|outline| &outline.named).map(|named| named.name.clone()).collect()
    })
}

/// The file of a prelude that models a module of the standard library, `modules/fs.js` for `node:fs`, or a part of
/// another package: `packages/pydantic.py`.
pub(super) fn prelude_module(family: Family, module: &str) -> Option<FileId> {
    let name = module.strip_prefix("node:").unwrap_or(module).replace(['/', '.'], "_");
    let extension = match family {
        Family::TypeScript => "js",
        Family::Python => "py",
        Family::Rust => "rs",
    };
    let index = ["modules", "packages"].into_iter().find_map(|kind| {
        let path = format!("{}{kind}/{name}.{extension}", folder(family));
        FILES.iter().position(|(file, _)| *file == path)
    })?;
    Some(FileId(LAST - index as u32))
}

/// The package of which a file of a prelude models a part, as its file is named.
pub(super) fn prelude_package(file: FileId) -> Option<String> {
    prelude_name(file).filter(|_| FILES[(LAST - file.0) as usize].0.contains("packages/"))
}

/// The module that a file of a prelude models, as its file is named.
pub(super) fn prelude_name(file: FileId) -> Option<String> {
    let (path, _) = is_prelude(file).then(|| FILES.get((LAST - file.0) as usize))??;
    let name = path.split_once("modules/").or_else(|| path.split_once("packages/"))?.1;
    Some(name.rsplit_once('.')?.0.to_string())
}

impl Realm {
    /// A class of the prelude.
    pub(super) fn class(&self, machine: &Machine<'_>, name: &str) -> Option<ObjectId> {
        if let Some(known) = self.found.borrow().get(name) {
            return *known;
        }
        let found = machine.heap.own_name(self.scope, name).and_then(Value::as_object);
        if found.is_some() {
            self.found.borrow_mut().insert(name.to_string(), found);
        }
        found
    }

    /// The prototype of a class of the prelude.
    pub(super) fn prototype(&self, machine: &Machine<'_>, name: &str) -> Option<ObjectId> {
        match &machine.heap.get(self.class(machine, name)?).body {
            Body::Class(info) => info.prototype,
            _ => None,
        }
    }
}

impl Machine<'_> {
    /// The built-in names of the language of this program; the prelude runs when they are first needed.
    pub(super) fn realm(&mut self) -> Rc<Realm> {
        if let Some(realm) = self.realms.get(&self.family) {
            return Rc::clone(realm);
        }
        let scope = self.heap.open_function(None);
        let realm = Rc::new(Realm { scope, found: RefCell::default() });
        self.realms.insert(self.family, Rc::clone(&realm));
        let folder = folder(self.family);
        let fuel = self.fuel;
        for (index, (path, _)) in FILES.iter().enumerate() {
            if path.strip_prefix(folder).is_none_or(|name| name.contains('/')) {
                continue;
            }
            let file = FileId(LAST - index as u32);
            let Some(code) = prelude_code(file) else { continue };
            self.run_prelude(file, scope, &code);
        }
        self.fuel = fuel;
        realm
    }

    /// Runs a file of the prelude in the scope of the built-in names.
    fn run_prelude(&mut self, file: FileId, scope: ScopeId, code: &Code) {
        let family = self.family;
        let frame = |index: usize| Frame {
            site: Site { file, item: index as u32 },
            family,
            this: Value::Undefined,
            home: None,
            class: None,
        };
        for (index, item) in code.items.iter().enumerate() {
            self.hoist(&item.body, At { frame: &frame(index), scope });
        }
        for (index, item) in code.items.iter().enumerate() {
            let frame = frame(index);
            let at = At { frame: &frame, scope };
            for stmt in item.body.iter() {
                match self.statement(stmt, at) {
                    Ok(Flow::Next) => {}
                    other => debug_assert!(false, "the prelude fails: {other:?}"),
                }
            }
        }
    }

    pub(super) fn prototype_of_builtin(&mut self, id: ObjectId) -> Option<ObjectId> {
        self.builtin_prototype(id)
    }
}
