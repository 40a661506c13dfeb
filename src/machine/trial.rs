//! A program of a few texts, for tests: every call of something of another package, as text.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use smol_str::SmolStr;

use super::{Body, Effects, Entry, Handled, Machine, ObjectId, OutsideCall, Resolved, Value, World, on_large_stacks};
use crate::code::{self, Code};
use crate::path::joined;
use crate::syntax::{Family, Language, parse};
use crate::text::FileId;

/// The files of a program.
pub(crate) struct Texts {
    files: Vec<(String, Arc<str>, Option<Arc<Code>>)>,
    by_path: BTreeMap<String, FileId>,
}

impl Texts {
    pub(crate) fn of(files: &[(String, String)]) -> Texts {
        let mut all = Texts { files: Vec::new(), by_path: BTreeMap::new() };
        for (path, text) in files {
            let language = Language::of_path(path).filter(|language| language.family().is_some());
            let code =
                language.and_then(|language| Some(code::lower(language, &parse(language, text, None)?, text, None)));
            all.by_path.insert(path.clone(), FileId(all.files.len() as u32));
            all.files.push((path.clone(), text.as_str().into(), code.map(Arc::new)));
        }
        all
    }

    fn first(&self, paths: &[String]) -> Option<FileId> {
        paths.iter().find_map(|path| self.by_path.get(path).copied())
    }
}

impl World for Texts {
    fn code(&self, file: FileId) -> Option<Arc<Code>> {
        self.files[file.0 as usize].2.clone()
    }

    fn family(&self, file: FileId) -> Option<Family> {
        Language::of_path(&self.files[file.0 as usize].0)?.family()
    }

    fn path(&self, file: FileId) -> &str {
        &self.files[file.0 as usize].0
    }

    fn resolve(&self, from: FileId, module: &str) -> Resolved {
        let path = self.path(from);
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let found = match self.family(from) {
            Some(Family::Python) => {
                let dots = module.len() - module.trim_start_matches('.').len();
                let mut base: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
                base.truncate((base.len() + 1).saturating_sub(dots.max(1)));
                let inside = |base: &[&str]| {
                    let parts = module[dots..].split('.').filter(|part| !part.is_empty());
                    let path = base.iter().copied().chain(parts).collect::<Vec<_>>().join("/");
                    self.first(&[format!("{path}.py"), format!("{path}/__init__.py")])
                };
                let below = |path: &str| {
                    let ends = [format!("/{path}.py"), format!("/{path}/__init__.py")];
                    let mut fitting: Vec<&String> =
                        self.by_path.keys().filter(|file| ends.iter().any(|end| file.ends_with(end))).collect();
                    fitting.sort_by_key(|file| file.len());
                    fitting.first().and_then(|file| self.by_path.get(*file).copied())
                };
                match dots {
                    0 => inside(&[]).or_else(|| inside(&base)).or_else(|| below(&module.replace('.', "/"))),
                    _ => inside(&base),
                }
            }
            _ if module.starts_with('.') => {
                let Some(path) = joined(folder, module) else { return Resolved::Absent };
                let stem = path.strip_suffix(".js").unwrap_or(&path);
                self.first(&[
                    path.clone(),
                    format!("{stem}.ts"),
                    format!("{path}.js"),
                    format!("{path}.mjs"),
                    format!("{path}.cjs"),
                    format!("{path}.ts"),
                    format!("{path}/index.js"),
                    format!("{path}/index.mjs"),
                    format!("{path}/index.ts"),
                ])
            }
            _ => {
                let Some(rest) = module.strip_prefix("@/").or_else(|| module.strip_prefix("~/")) else {
                    return Resolved::Outside;
                };
                let stem = rest.strip_suffix(".js").unwrap_or(rest);
                let ends = [format!("src/{stem}.ts"), format!("src/{stem}/index.ts"), format!("/{stem}.ts")];
                let fitting = self.by_path.iter().find(|(file, _)| ends.iter().any(|end| file.ends_with(end)));
                fitting.map(|(_, id)| *id)
            }
        };
        match found {
            Some(file) => Resolved::Found(file),
            None if module.starts_with('.') => Resolved::Absent,
            None => Resolved::Outside,
        }
    }

    fn text(&self, path: &str) -> Option<Arc<str>> {
        self.by_path.get(path).map(|file| Arc::clone(&self.files[file.0 as usize].1))
    }

    fn folder(&self, path: &str) -> Option<Vec<SmolStr>> {
        let prefix = if path.is_empty() { String::new() } else { format!("{path}/") };
        let inside = self.by_path.keys().filter_map(|file| file.strip_prefix(&prefix));
        let mut names: Vec<SmolStr> = inside.filter_map(|rest| rest.split('/').next()).map(SmolStr::new).collect();
        names.dedup();
        (!names.is_empty()).then_some(names)
    }

    fn file(&self, path: &str) -> Option<FileId> {
        self.by_path.get(path).copied()
    }
}

/// The calls that a program makes of things of other packages, in order: `register("search_notes", {…})`. A call that
/// may not run begins with `?`.
pub fn calls(files: &[(String, String)], entry: &str) -> Vec<String> {
    let texts = Texts::of(files);
    let Some(entry) = texts.by_path.get(entry).copied() else { return vec![format!("no file `{entry}`")] };
    on_large_stacks(|| {
        let mut calls = Calls(Vec::new());
        let mut machine = Machine::new(&texts, &mut calls, entry);
        machine.start(&Entry::of_file(entry));
        let cut: Vec<String> = machine.cut.iter().map(|(_, reason)| format!("cut: {reason}")).collect();
        drop(machine);
        calls.0.into_iter().chain(cut).collect()
    })
}

struct Calls(Vec<String>);

impl Effects for Calls {
    fn called(&mut self, machine: &mut Machine<'_>, call: &Rc<OutsideCall>, _: ObjectId) -> Handled {
        let args: Vec<String> = call
            .args
            .iter()
            .map(|arg| match &arg.name {
                Some(name) => format!("{name}={}", shown(machine, &arg.value, 0)),
                None => shown(machine, &arg.value, 0),
            })
            .collect();
        let mark = if call.perhaps { "?" } else { "" };
        let new = if call.new { "new " } else { "" };
        let callee = machine.described(call.callee);
        self.0.push(format!("{mark}{new}{callee}({})", args.join(", ")));
        Handled::Kept
    }
}

/// A value as text.
fn shown(machine: &Machine<'_>, value: &Value, depth: usize) -> String {
    let list = |values: Vec<String>| values.join(", ");
    match value {
        Value::Undefined => "undefined".to_string(),
        Value::Null => "null".to_string(),
        Value::Bool(holds) => holds.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Text(text) => format!("{:?}", text.text()),
        Value::Unknown(unknown) => format!("<{}>", unknown.reason),
        Value::OneOf(options) => {
            options.iter().map(|option| shown(machine, option, depth + 1)).collect::<Vec<_>>().join(" | ")
        }
        Value::Object(_) if depth > 3 => "…".to_string(),
        Value::Object(id) => {
            let object = machine.object(*id);
            let more = object.more.as_ref().map(|more| format!("…{}", more.reason));
            let slot = |slot: &super::Slot| {
                format!("{}{}", if slot.perhaps { "?" } else { "" }, shown(machine, &slot.value, depth + 1))
            };
            match &object.body {
                Body::List(slots) | Body::Tuple(slots) => {
                    format!("[{}]", list(slots.iter().map(slot).chain(more).collect()))
                }
                Body::Table(table) => {
                    let pairs = table.iter().map(|(key, value)| format!("{key:?}: {}", slot(value)));
                    format!("{{{}}}", list(pairs.chain(more).collect()))
                }
                Body::Set(table) => format!("set({})", list(table.values().map(slot).chain(more).collect())),
                Body::Plain => {
                    let pairs = object.props.iter().map(|(key, value)| format!("{key}: {}", slot(value)));
                    format!("{{{}}}", list(pairs.chain(more).collect()))
                }
                Body::Function(_) | Body::Bound { .. } | Body::Native(_) => "function".to_string(),
                Body::Class(_) => "class".to_string(),
                Body::Promise(_) => "promise".to_string(),
                Body::Outside(_) => machine.described(*id),
                _ => "object".to_string(),
            }
        }
    }
}
