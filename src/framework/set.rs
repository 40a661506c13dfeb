//! The frameworks of a workspace, indexed.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use serde::Deserialize;
use smol_str::SmolStr;

use super::selector::CalleePattern;
use super::{Form, Framework, Gate, On};
use crate::lower::Queries;
use crate::syntax::{CodeQuery, Family};

/// A set of frameworks, indexed for looking up forms.
#[derive(Debug, Clone)]
pub struct Frameworks {
    pub rows: Vec<Framework>,
    by_last_name: FxHashMap<(Family, SmolStr), Vec<FormId>>,
    /// The forms that match classes which derive from a class of the framework.
    derivable: FxHashMap<Family, Vec<FormId>>,
    methods: FxHashMap<Family, Vec<FormId>>,
    /// The forms that match objects and classes by shape.
    shapes: FxHashMap<Family, Vec<FormId>>,
    /// The forms that match the files of a folder.
    modules: FxHashMap<Family, Vec<FormId>>,
    /// The queries of all forms with a query; `queried` contains these forms in the same order.
    queries: Queries,
    queried: Vec<FormId>,
}

/// A form of a framework: indices into [`Frameworks::rows`] and [`Framework::forms`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FormId {
    pub framework: usize,
    pub form: usize,
}

impl Frameworks {
    /// Makes the set of the built-in rows and `more`, which takes precedence if both match equally well.
    pub fn with(more: &[Framework]) -> Frameworks {
        let mut rows: Vec<Framework> = more.iter().chain(built_in()).cloned().collect();
        rows.iter_mut().flat_map(|row| &mut row.forms).for_each(Form::name_captures);
        let mut by_last_name: FxHashMap<(Family, SmolStr), Vec<FormId>> = FxHashMap::default();
        let mut derivable: FxHashMap<Family, Vec<FormId>> = FxHashMap::default();
        let mut methods: FxHashMap<Family, Vec<FormId>> = FxHashMap::default();
        let mut shapes: FxHashMap<Family, Vec<FormId>> = FxHashMap::default();
        let mut modules: FxHashMap<Family, Vec<FormId>> = FxHashMap::default();
        let (mut queries, mut queried) = (Vec::new(), Vec::new());
        for (framework, row) in rows.iter().enumerate() {
            for (form, rule) in row.forms.iter().enumerate() {
                let id = FormId { framework, form };
                if let Some(query) = &rule.query {
                    let query = CodeQuery::new(row.language, query);
                    // Several configs may contain the same row.
                    let is_known = |(known, id): (&CodeQuery, &FormId)| {
                        *known == query && rows[id.framework].forms[id.form].kind == rule.kind
                    };
                    if !queries.iter().zip(&queried).any(is_known) {
                        queries.push(query);
                        queried.push(id);
                    }
                }
                let Some(path) = &rule.path else { continue };
                let key = (row.language, path.last().clone());
                if matches!(rule.on, On::Shape | On::ClassShape) {
                    shapes.entry(row.language).or_default().push(id);
                } else if rule.on == On::Module {
                    modules.entry(row.language).or_default().push(id);
                } else if rule.on == On::Class {
                    derivable.entry(row.language).or_default().push(id);
                } else {
                    if rule.on == On::Method {
                        methods.entry(row.language).or_default().push(id);
                    }
                    by_last_name.entry(key).or_default().push(id);
                }
            }
        }
        let queries = Queries::new(queries);
        Frameworks { rows, by_last_name, derivable, methods, shapes, modules, queries, queried }
    }

    /// The queries to run on source code.
    pub fn queries(&self) -> &Queries {
        &self.queries
    }

    /// The form that a query of [`Frameworks::queries`] belongs to.
    pub fn queried(&self, query: u32) -> FormId {
        self.queried[query as usize]
    }

    /// The forms of a language whose path ends in `last`.
    pub fn candidates(&self, language: Family, last: &SmolStr) -> &[FormId] {
        self.by_last_name.get(&(language, last.clone())).map_or(&[], Vec::as_slice)
    }

    /// The forms that match classes which derive from a class of the framework.
    pub fn derivable(&self, language: Family) -> &[FormId] {
        self.derivable.get(&language).map_or(&[], Vec::as_slice)
    }

    /// The forms that match methods which a framework calls by their names.
    pub fn methods(&self, language: Family) -> &[FormId] {
        self.methods.get(&language).map_or(&[], Vec::as_slice)
    }

    /// The forms that match objects and classes by shape.
    pub fn shapes(&self, language: Family) -> &[FormId] {
        self.shapes.get(&language).map_or(&[], Vec::as_slice)
    }

    /// The forms that match the files of a folder.
    pub fn modules(&self, language: Family) -> &[FormId] {
        self.modules.get(&language).map_or(&[], Vec::as_slice)
    }

    /// Whether a framework loads files from the folder of a path; the package of the path need not use that framework.
    pub fn may_load(&self, language: Family, path: &str) -> bool {
        self.modules(language).iter().any(|&id| match &self.form(id).path {
            Some(CalleePattern::Folder(folder)) => format!("/{path}").contains(&format!("/{folder}/")),
            _ => false,
        })
    }

    pub fn framework(&self, id: FormId) -> &Framework {
        &self.rows[id.framework]
    }

    pub fn form(&self, id: FormId) -> &Form {
        &self.rows[id.framework].forms[id.form]
    }

    /// The index of the first framework of a language to which a module belongs.
    pub fn owner_of_module(&self, language: Family, module: &str) -> Option<usize> {
        self.rows.iter().position(|row| row.language == language && row.owns_module(module))
    }
}

#[derive(Deserialize)]
struct Rows {
    #[serde(default)]
    framework: Vec<Framework>,
}

/// The rows that are compiled into the binary.
pub(crate) fn built_in() -> &'static [Framework] {
    static ROWS: LazyLock<Vec<Framework>> = LazyLock::new(|| {
        let texts = [
            ("typescript.toml", include_str!("typescript.toml")),
            ("python.toml", include_str!("python.toml")),
            ("rust.toml", include_str!("rust.toml")),
        ];
        let read = |(file, text)| match toml::from_str::<Rows>(text) {
            Ok(rows) => rows.framework,
            Err(error) => panic!("src/framework/{file}: {error}"),
        };
        texts.into_iter().flat_map(read).collect()
    });
    &ROWS
}

/// The maximum length, in bytes, of a word that is searched for; longer words are cut.
const MOST_OF_WORD: usize = 64;

/// The words to search source files of a language for: a file that registers anything with these frameworks, or imports
/// one of them, contains at least one of the words. A file without any of the words is parsed only if an import leads
/// to it.
pub(crate) fn trigger_words(frameworks: &[Framework], language: Family) -> Vec<String> {
    let mut words = Vec::new();
    for framework in frameworks.iter().filter(|framework| framework.language == language) {
        for package in &framework.packages {
            match language {
                Family::TypeScript => words.push(package.to_string()),
                Family::Python => words.extend([format!("import {package}"), format!("from {package}")]),
                Family::Rust => words.push(format!("{package}::")),
            }
        }
        let written = |form: &&Form| !matches!(form.on, On::Shape | On::ClassShape | On::Module);
        // A query does not show which words the matching files contain, so the empty word matches every file.
        let is_anywhere = |form: &&Form| form.query.is_some() && form.gate != Gate::File;
        words.extend(framework.forms.iter().find(is_anywhere).map(|_| String::new()));
        let paths = framework.forms.iter().filter(written).filter_map(|form| Some((form, form.path.as_ref()?)));
        words.extend(paths.map(|(form, path)| match path {
            CalleePattern::Method(name) if form.on == On::Compared => name.to_string(),
            CalleePattern::Method(name) => format!(".{name}"),
            CalleePattern::Imported(path) => path.first().expect("a path has parts").to_string(),
            CalleePattern::Folder(folder) => folder.to_string(),
        }));
    }
    // Cut long words: a text that contains the whole word also contains its beginning.
    for word in &mut words {
        let end = (0..=word.len().min(MOST_OF_WORD)).rev().find(|end| word.is_char_boundary(*end));
        word.truncate(end.unwrap_or(0));
    }
    words.sort();
    words.dedup();
    words
}
