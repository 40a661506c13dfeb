//! Large maps of patterns: `imports` and `exports` of a package, `paths` of a `tsconfig`.
//!
//! For each import, the resolver goes through all patterns of a map, and turning `paths` into a list takes quadratic
//! time. So the resolver sees only one part of a large map at a time: the part with the pattern that applies to the
//! import, which an index of the patterns finds.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::document::{Node, Text, Value, parse_json};

/// Maps with more patterns than this are divided into parts.
const FEW: usize = 512;
/// The number of patterns in a part.
const PART: usize = 256;
/// The length of the shortest entry, in bytes: `"#":"",`.
const LEAST_ENTRY: usize = 7;

/// A large map in a document.
#[derive(Debug)]
pub(super) struct Patterns {
    kind: Kind,
    /// The byte span of the map in its document, including its braces.
    pub(super) span: Range<usize>,
    /// The text of the entries in each part.
    parts: Vec<String>,
    exact: FxHashMap<String, usize>,
    /// Patterns by their text before the `*`.
    stars: FxHashMap<String, Ends>,
    /// Patterns that end with a slash and have no `*`.
    folders: FxHashMap<String, usize>,
    /// The degrees of specificity of the patterns, highest first; the most specific pattern that matches an import
    /// applies.
    ranks: Vec<usize>,
    /// The packages to which the entries lead, by the index of the entry.
    packages: FxHashMap<usize, Vec<String>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Imports,
    /// The patterns match what follows the name of the package.
    Exports,
    Paths,
}

/// The texts after the `*` of patterns that begin in the same way.
#[derive(Debug, Default)]
struct Ends {
    by_text: FxHashMap<String, usize>,
    /// The lengths of the texts in bytes, longest first.
    lengths: Vec<usize>,
}

impl Patterns {
    /// The large maps of a package's manifest.
    pub(super) fn of_manifest(text: &str) -> Vec<Patterns> {
        Patterns::of(text, &[(Kind::Imports, &["imports"]), (Kind::Exports, &["exports"])])
    }

    /// The large maps of a `tsconfig`.
    pub(super) fn of_tsconfig(text: &str) -> Vec<Patterns> {
        Patterns::of(text, &[(Kind::Paths, &["compilerOptions", "paths"])])
    }

    fn of(text: &str, places: &[(Kind, &[&str])]) -> Vec<Patterns> {
        if text.len() < FEW * LEAST_ENTRY {
            return Vec::new();
        }
        let json = parse_json(text);
        let Some(root) = json.root.filter(|_| json.fault.is_none()) else { return Vec::new() };
        let maps = places.iter().filter_map(|&(kind, place)| Some((kind, root.at(place.iter().copied())?)));
        maps.filter_map(|(kind, map)| Patterns::of_map(text, kind, map)).collect()
    }

    fn of_map(text: &str, kind: Kind, map: &Node) -> Option<Patterns> {
        let Value::Object(entries) = &map.value else { return None };
        let is_pattern = |(key, _): &(Text, Node)| kind != Kind::Exports || key.text.starts_with('.');
        if entries.len() <= FEW || !entries.iter().all(is_pattern) {
            return None;
        }
        let written = |(key, value): &(Text, Node)| {
            format!("{}:{}", serde_json::Value::from(key.text.as_str()), &text[value.span.range()])
        };
        let part = |entries: &[(Text, Node)]| entries.iter().map(written).collect::<Vec<_>>().join(",");
        let mut patterns = Patterns {
            kind,
            span: map.span.range(),
            parts: entries.chunks(PART).map(part).collect(),
            exact: FxHashMap::default(),
            stars: FxHashMap::default(),
            folders: FxHashMap::default(),
            ranks: Vec::new(),
            packages: FxHashMap::default(),
        };
        for (index, (key, value)) in entries.iter().enumerate() {
            patterns.add(&key.text, index);
            if kind == Kind::Imports {
                let mut packages = Vec::new();
                packages_in(value, &mut packages);
                if !packages.is_empty() {
                    patterns.packages.insert(index, packages);
                }
            }
        }
        patterns.ranks.sort_by(|a, b| b.cmp(a));
        patterns.ranks.dedup();
        for ends in patterns.stars.values_mut() {
            ends.lengths = ends.by_text.keys().map(String::len).collect();
            ends.lengths.sort_by(|a, b| b.cmp(a));
            ends.lengths.dedup();
        }
        Some(patterns)
    }

    fn add(&mut self, key: &str, index: usize) {
        self.exact.insert(key.to_string(), index);
        match key.split_once('*') {
            Some((base, end)) => {
                let ends = self.stars.entry(base.to_string()).or_default();
                // Of a duplicate pattern, the last one applies.
                ends.by_text.insert(end.to_string(), index);
                self.ranks.push(base.len() + 1);
            }
            None if key.ends_with('/') => {
                self.folders.insert(key.to_string(), index);
                self.ranks.push(key.len());
            }
            None => {}
        }
    }

    /// The text of the map, including its braces, with only the entries of one part.
    pub(super) fn shown(&self, part: usize) -> String {
        format!("{{{}}}", self.parts.get(part).map_or("", String::as_str))
    }

    /// Returns the part in which an import has to be looked up, and the packages that are imported instead; `None` if
    /// no pattern matches. `package` is the name of the package that the map belongs to.
    pub(super) fn part_of(&self, specifier: &str, package: Option<&str>) -> Option<(usize, Vec<String>)> {
        let (index, matched) = match self.kind {
            Kind::Imports => self.find(specifier).filter(|_| specifier.starts_with('#'))?,
            Kind::Paths => self.find(specifier).filter(|_| !specifier.starts_with('.'))?,
            Kind::Exports => {
                let inside = specifier.strip_prefix(package?)?;
                let inside = (inside.is_empty() || inside.starts_with('/')).then(|| format!(".{inside}"))?;
                let (index, _) = self.find(&inside)?;
                (index, None)
            }
        };
        let instead = self.packages.get(&index).into_iter().flatten();
        let instead = instead.map(|package| package.replace('*', matched.unwrap_or("*"))).collect();
        Some((index / PART, instead))
    }

    /// Returns the index of the entry that applies, and the text that its `*` matches.
    fn find<'s>(&self, specifier: &'s str) -> Option<(usize, Option<&'s str>)> {
        if let Some(&index) = self.exact.get(specifier) {
            return Some((index, None));
        }
        self.ranks.iter().find_map(|&rank| {
            let star = specifier.split_at_checked(rank - 1);
            let star = star.and_then(|(base, rest)| self.stars.get(base)?.find(rest, self.kind));
            let folder = || {
                let (base, rest) = specifier.split_at_checked(rank)?;
                Some((*self.folders.get(base)?, rest))
            };
            let (index, matched) = star.or_else(folder)?;
            Some((index, Some(matched)))
        })
    }
}

impl Ends {
    /// Returns the index of the pattern that matches the end of an import, and the text before that end.
    fn find<'s>(&self, rest: &'s str, kind: Kind) -> Option<(usize, &'s str)> {
        let mut fitting = self.lengths.iter().filter_map(|&length| {
            // If a package's pattern has text after the `*`, the `*` must match at least one character.
            let least = usize::from(length > 0 && kind != Kind::Paths);
            let (matched, end) = rest.split_at_checked(rest.len().checked_sub(length)?)?;
            let index = *self.by_text.get(end).filter(|_| matched.len() >= least)?;
            Some((index, matched))
        });
        match kind {
            // In a `tsconfig`, the first matching pattern applies.
            Kind::Paths => fitting.min_by_key(|(index, _)| *index),
            Kind::Imports | Kind::Exports => fitting.next(),
        }
    }
}

/// Collects the packages in a target, under any condition.
fn packages_in(target: &Node, packages: &mut Vec<String>) {
    match &target.value {
        Value::String(text) if !text.text.starts_with(['.', '/']) => packages.push(text.text.clone()),
        Value::Array(targets) => targets.iter().for_each(|target| packages_in(target, packages)),
        Value::Object(targets) => targets.iter().for_each(|(_, target)| packages_in(target, packages)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A map with enough patterns to be divided, followed by some more.
    fn with(more: &str) -> String {
        let many: String = (0..1000).map(|i| format!("\"#x{i}*\": \"./z{i}/*\", ")).collect();
        format!("{{ {many}{more} }}")
    }

    #[test]
    fn the_pattern_that_says_most_of_an_import_counts() {
        let map = with(r##""#a/*": "./a/*", "#a/b/*": "p/*", "#a/b/*.js": "./js/*", "#f/": "./f/""##);
        let all = Patterns::of_manifest(&format!(r#"{{ "name": "x", "imports": {map} }}"#));
        let [patterns] = all.as_slice() else { panic!("{}", all.len()) };
        let found = |specifier: &'static str| patterns.find(specifier);
        assert_eq!(found("#x7/y"), Some((7, Some("/y"))));
        assert_eq!(found("#x700/y"), Some((700, Some("/y"))));
        assert_eq!(found("#a/c"), Some((1000, Some("c"))));
        assert_eq!(found("#a/b/c"), Some((1001, Some("c"))));
        assert_eq!(found("#a/b/c.js"), Some((1002, Some("c"))));
        assert_eq!(found("#a/b/.js"), Some((1001, Some(".js"))));
        assert_eq!(found("#f/g"), Some((1003, Some("g"))));
        assert_eq!(found("#g"), None);
        assert_eq!(patterns.part_of("#a/b/c", None), Some((3, vec!["p/c".to_string()])));
        assert!(patterns.shown(3).contains(r##""#a/b/*":"p/*""##));
    }

    #[test]
    fn small_maps_are_left_alone() {
        let text = format!(r##"{{ "imports": {{ "#a*": "./{}" }} }}"##, "a".repeat(10_000));
        assert!(Patterns::of_manifest(&text).is_empty());
    }
}
