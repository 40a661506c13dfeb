//! `toolnames.lock`: the published names, and the former names of tools.

use rustc_hash::FxHashMap;
use toml::Spanned;

use crate::document;
use crate::text::Span;

/// The name of the lock file.
pub(crate) const LOCK_FILE: &str = "toolnames.lock";

/// The contents of a lock file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Lock {
    pub tools: Vec<Locked>,
    pub renamed: Vec<Renamed>,
    /// Indices into `renamed`, by old name.
    by_old: FxHashMap<String, Vec<usize>>,
    /// The place and reason if the file, or an entry of it, cannot be read.
    pub fault: Option<(Span, String)>,
}

/// A published name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Locked {
    /// The server's name, its folder, or a key that starts it.
    pub server: Option<String>,
    pub name: String,
    /// The span of the name, including its quotes.
    pub span: Span,
}

/// A tool that was renamed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renamed {
    /// The server's name, its folder, or a key that starts it; `None` for any server.
    pub server: Option<String>,
    pub old: String,
    pub new: String,
    /// The spans, including quotes, of the values that say how the old name is kept, and until when.
    pub mode: Option<Span>,
    pub until: Option<Span>,
    /// The span of the entry, or of its beginning: it starts at the entry's header or first key.
    pub span: Span,
}

impl Lock {
    pub fn is_path(path: &str) -> bool {
        path.rsplit('/').next() == Some(LOCK_FILE)
    }

    /// Reads a lock file; what cannot be read is left out and reported in [`Lock::fault`].
    pub fn read(text: &str) -> Lock {
        #[derive(serde::Deserialize, Default)]
        struct File {
            #[serde(default)]
            tool: Vec<Tool>,
            #[serde(default)]
            renamed: Vec<Spanned<Entry>>,
        }
        /// Values of any type, so that a wrong one invalidates only its own entry.
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
                (_, None, _) => lock.fault = Some((span, "`old` is missing or is not a string".to_string())),
                (_, _, None) => lock.fault = Some((span, "`new` is missing or is not a string".to_string())),
                _ => lock.fault = Some((span, "`server` must be a string".to_string())),
            }
        }
        for (index, renamed) in lock.renamed.iter().enumerate() {
            lock.by_old.entry(renamed.old.clone()).or_default().push(index);
        }
        lock
    }

    /// The renames of an old name, in the order of the file.
    pub(super) fn once(&self, old: &str) -> impl Iterator<Item = &Renamed> {
        self.by_old.get(old).into_iter().flatten().map(|&index| &self.renamed[index])
    }
}
