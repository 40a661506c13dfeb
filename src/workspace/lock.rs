//! `toolnames.lock`: the names that were published, and what a tool was called before.

use rustc_hash::{FxHashMap, FxHashSet};
use toml::Spanned;

use super::{Content, Files};
use crate::document;
use crate::text::{FileId, Span};

/// The name of the lock file.
pub const LOCK_FILE: &str = "toolnames.lock";

/// What a lock file says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Lock {
    pub tools: Vec<Locked>,
    pub renamed: Vec<Renamed>,
    /// The indices of `renamed` by their old names.
    by_old: FxHashMap<String, Vec<usize>>,
    /// Why it, or a part of it, says nothing.
    pub fault: Option<(Span, String)>,
}

/// A name that was published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Locked {
    /// The server's name, its folder, or a key that starts it.
    pub server: Option<String>,
    pub name: String,
    /// The span of the name, with its quotes.
    pub span: Span,
}

/// A tool that has another name than it had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renamed {
    /// The server's name, its folder, or a key that starts it.
    pub server: Option<String>,
    pub old: String,
    pub new: String,
    /// Where it says how the old name goes on, and until when: the values, with their quotes.
    pub mode: Option<Span>,
    pub until: Option<Span>,
    /// Some of the entry, from its first key or its header on.
    pub span: Span,
}

impl Lock {
    pub fn is_path(path: &str) -> bool {
        path.rsplit('/').next() == Some(LOCK_FILE)
    }

    /// Reads a lock file; what cannot be read of it is left out.
    pub fn read(text: &str) -> Lock {
        #[derive(serde::Deserialize, Default)]
        struct File {
            #[serde(default)]
            tool: Vec<Tool>,
            #[serde(default)]
            renamed: Vec<Spanned<Entry>>,
        }
        /// Of any type: one that is wrong makes one entry wrong.
        #[derive(serde::Deserialize)]
        struct Entry {
            server: Option<toml::Value>,
            old: Option<toml::Value>,
            new: Option<toml::Value>,
            mode: Option<Spanned<toml::Value>>,
            until: Option<Spanned<toml::Value>>,
        }
        #[derive(serde::Deserialize)]
        struct Tool {
            server: Option<String>,
            name: Spanned<String>,
        }
        let whole = |range: std::ops::Range<usize>| Span::new(range.start, range.end);
        if let Some(fault) = document::toml_too_deep(text) {
            return Lock { fault: Some((fault.span, fault.message)), ..Lock::default() };
        }
        let file: File = match toml::from_str(text) {
            Ok(file) => file,
            Err(error) => {
                let span = error.span().map_or(Span::default(), whole);
                return Lock { fault: Some((span, error.message().to_string())), ..Lock::default() };
            }
        };
        let locked =
            |tool: Tool| Locked { server: tool.server, span: whole(tool.name.span()), name: tool.name.into_inner() };
        let mut lock = Lock { tools: file.tool.into_iter().map(locked).collect(), ..Lock::default() };
        for entry in file.renamed {
            let span = whole(entry.span());
            let entry = entry.into_inner();
            let text = |value: Option<toml::Value>| value.and_then(|value| value.as_str().map(str::to_string));
            let place = |value: Option<Spanned<toml::Value>>| value.map(|value| whole(value.span()));
            let has_server = entry.server.is_some();
            match (text(entry.server), text(entry.old), text(entry.new)) {
                (server, Some(old), Some(new)) if server.is_some() == has_server => {
                    lock.renamed.push(Renamed {
                        server,
                        old,
                        new,
                        mode: place(entry.mode),
                        until: place(entry.until),
                        span,
                    });
                }
                (_, None, _) => lock.fault = Some((span, "a renamed tool takes a text `old`".to_string())),
                (_, _, None) => lock.fault = Some((span, "a renamed tool takes a text `new`".to_string())),
                _ => lock.fault = Some((span, "`server` is no text".to_string())),
            }
        }
        for (index, renamed) in lock.renamed.iter().enumerate() {
            lock.by_old.entry(renamed.old.clone()).or_default().push(index);
        }
        lock
    }

    /// What was called so before, in the order of the file.
    fn once(&self, old: &str) -> impl Iterator<Item = &Renamed> {
        self.by_old.get(old).into_iter().flatten().map(|&index| &self.renamed[index])
    }
}

/// How often a tool may have been renamed; in a longer chain its present name is not looked for.
const MAX_RENAMES: usize = 100;

impl Files {
    /// Every lock file, with what it says.
    pub fn locks(&self) -> impl Iterator<Item = (FileId, &Lock)> {
        self.locks.iter().filter_map(|file| self.get(*file)).filter_map(|file| match &file.content {
            Content::Lock(lock) => Some((file.id, &**lock)),
            _ => None,
        })
    }

    /// What a tool of a server is called now that had another name, however often it was renamed since.
    pub fn renamed(&self, is_server: &dyn Fn(&str) -> bool, old: &str) -> Option<String> {
        let locks: Vec<&Lock> = self.locks().map(|(_, lock)| lock).collect();
        let mut name = old.to_string();
        let mut seen = FxHashSet::from_iter([name.clone()]);
        while seen.len() <= MAX_RENAMES {
            let of_server = |renamed: &&Renamed| renamed.server.as_deref().is_none_or(is_server);
            let next = locks.iter().flat_map(|lock| lock.once(&name)).find(of_server);
            match next {
                Some(next) if !seen.contains(&next.new) => {
                    name.clone_from(&next.new);
                    seen.insert(name.clone());
                }
                _ => return (seen.len() > 1).then_some(name),
            }
        }
        None
    }
}
