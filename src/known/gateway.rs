//! The layers of a gateway in a workspace: definitions, the table of routes, the servers it starts, the permissions of
//! its users, the index of its tools.

use std::cell::OnceCell;

use rustc_hash::FxHashSet;

use super::lookup::Lookup;
use crate::client::{ClientFacts, Rule as Form, glob_matches};
use crate::convention::{Breach, Convention, Gateway};
use crate::diagnostic::Severity;
use crate::document::{Data, Markdown, Node, Text};
use crate::entry::Syntax;
use crate::lower::{Bound, Expr, Prop, ScopeKind};
use crate::name::Name;
use crate::text::{FileId, Span};
use crate::workspace::{Content, File, Server, Snapshot, Tool};

/// The parts of a gateway that a workspace contains.
pub(crate) struct Layers<'a> {
    pub(crate) convention: &'a Convention,
    pub(crate) gateway: &'a Gateway,
    pub(crate) tools: Vec<Definition<'a>>,
    /// Whether every tool is known.
    pub(crate) is_known: bool,
    pub(crate) routes: Option<Routes<'a>>,
    pub(crate) pools: Vec<(&'a File, &'a Data)>,
    pub(crate) indexes: Vec<(&'a File, &'a Markdown)>,
    pub(crate) settings: Vec<(&'a File, &'a ClientFacts)>,
    /// The convention, extended by the servers that the gateway itself names.
    extended: Convention,
    /// The servers that the gateway itself names.
    routed: Vec<String>,
    /// The full names that the tools should have.
    full_names: Vec<String>,
    /// The full names, indexed for lookups.
    by_full_name: OnceCell<Lookup>,
    /// The servers that the convention, the gateway and the tools name.
    servers: OnceCell<Lookup>,
    /// The servers that tools are routed to.
    used: OnceCell<Lookup>,
    /// The keys in the table of routes, with misspelt ones corrected; `started_keys` has those of the started servers.
    route_keys: OnceCell<Lookup>,
    started_keys: OnceCell<Lookup>,
    /// The index in `pools` of the first file that starts servers.
    pool: OnceCell<Option<usize>>,
    /// The full names of the tools that the indexes name.
    indexed: OnceCell<FxHashSet<String>>,
    /// The full names of the tools that the entries of each settings file cover.
    covered: OnceCell<Vec<FxHashSet<String>>>,
}

/// A tool of a gateway.
#[derive(Clone)]
pub(crate) struct Definition<'a> {
    pub(crate) tool: &'a Tool,
    /// `<server>_<tool>`, or the name of a tool of the gateway itself; in both cases without the gateway's prefix.
    pub(crate) name: &'a str,
    /// Whether the name breaks no rule of the severity of a warning or above.
    pub(crate) is_right: bool,
    /// The server that the tool is routed to, or was meant to be routed to; `None` for a tool of the gateway itself, or
    /// if the name shows no server.
    pub(crate) server: Option<String>,
    /// Whether this is the first tool of that server.
    pub(crate) is_first_of_server: bool,
}

/// The names of one tool of a gateway, along the path of a call from its user to the server behind the gateway.
pub(crate) struct Chain {
    pub(crate) full: String,
    pub(crate) definition: String,
    /// `None` for a tool of the gateway itself, which forwards nothing.
    pub(crate) pool: Option<String>,
    pub(crate) forwards: Option<String>,
}

/// The table that maps pool keys to the servers behind them.
pub(crate) struct Routes<'a> {
    pub(crate) file: FileId,
    /// The span of the object with its braces, in bytes from the start of the file.
    pub(crate) object: Span,
    pub(crate) syntax: Syntax,
    /// Whether some entries are computed, so that an entry that is not listed may still exist.
    pub(crate) is_open: bool,
    pub(crate) entries: Vec<Route<'a>>,
}

pub(crate) struct Route<'a> {
    pub(crate) key: &'a str,
    pub(crate) key_span: Span,
    /// The value and its span; `None` if it is not a literal.
    pub(crate) value: Option<(&'a str, Span)>,
}

impl<'a> Layers<'a> {
    /// Returns the layers of a convention's gateway; `None` if the convention has none.
    pub(crate) fn of(snapshot: &'a Snapshot, convention: &'a Convention) -> Option<Layers<'a>> {
        let mut layers = Layers::without_tools(snapshot, convention)?;
        let (gateway, files) = (layers.gateway, &snapshot.files);
        let configs = files.configs();
        let is_ours = |server: &&Server| {
            let first = server.tools.first().map(|tool| files.path(tool.registration.place.file));
            let own = first.map(|path| configs.policy(path).convention);
            own.is_some_and(|own| own.gateway.as_ref().is_some_and(|other| other.name == gateway.name))
        };
        let servers: Vec<&Server> = snapshot.analysis().servers.iter().filter(is_ours).collect();
        layers.is_known = !servers.is_empty() && servers.iter().all(|server| server.is_complete());
        let mut with_tools = FxHashSet::default();
        for tool in servers.into_iter().flat_map(|server| &server.tools) {
            let name = tool.judged(convention).0;
            let own = name.strip_prefix(&gateway.prefix()).unwrap_or(name);
            let is_own = convention.is_whole(own);
            let server = if is_own { None } else { layers.extended.front_meant(own) };
            let is_bad = |breach: &Breach| breach.severity >= Severity::Warning;
            let is_right = !layers.extended.judge(own).iter().any(is_bad);
            // A name is kept if it is right or if its repair is unclear.
            let right = if is_right { None } else { layers.extended.right(own) };
            layers.full_names.push(layers.full(right.as_deref().unwrap_or(own)));
            let is_first_of_server = with_tools.insert(server.clone());
            layers.tools.push(Definition { tool, name: own, is_right, server, is_first_of_server });
        }
        Some(layers)
    }

    /// Returns the layers without the tools: enough to know the servers that the gateway names.
    pub(crate) fn without_tools(snapshot: &'a Snapshot, convention: &'a Convention) -> Option<Layers<'a>> {
        let gateway = convention.gateway.as_ref()?;
        let mut layers = Layers {
            convention,
            gateway,
            tools: Vec::new(),
            is_known: false,
            routes: gateway.routes.as_ref().and_then(|routes| table(snapshot, &routes.constant)),
            pools: Vec::new(),
            indexes: Vec::new(),
            settings: Vec::new(),
            extended: convention.clone(),
            routed: Vec::new(),
            full_names: Vec::new(),
            by_full_name: OnceCell::new(),
            servers: OnceCell::new(),
            used: OnceCell::new(),
            route_keys: OnceCell::new(),
            started_keys: OnceCell::new(),
            pool: OnceCell::new(),
            indexed: OnceCell::new(),
            covered: OnceCell::new(),
        };
        for file in snapshot.files.all() {
            match &file.content {
                Content::Data(data) if gateway.pools.contain(&file.path) => layers.pools.push((file, data)),
                Content::Markdown(markdown) if gateway.index.contain(&file.path) => {
                    layers.indexes.push((file, markdown));
                }
                Content::Client(facts) => {
                    let said = facts.all().filter(|facts| !facts.lists.is_empty());
                    layers.settings.extend(said.map(|facts| (&**file, facts)));
                }
                _ => {}
            }
        }
        layers.routed = layers.servers_named();
        layers.extended.admit(SERVER, layers.routed.iter().cloned());
        Some(layers)
    }

    /// Returns the names of a tool along the path of a call, from the one that users know to the one that the server
    /// behind the gateway knows.
    pub(crate) fn chain(&self, definition: &Definition<'_>) -> Chain {
        let forward = self.extended.forward(definition.name);
        Chain {
            full: self.full(definition.name),
            definition: definition.name.to_string(),
            pool: forward.as_ref().map(|forward| forward.pool.clone()),
            forwards: forward.map(|forward| forward.forwards),
        }
    }

    /// Returns the tools that a text refers to, in any form that a tool of a gateway has: its full name, its
    /// definition, the pool key of its server, or the name that is forwarded.
    pub(crate) fn tools_meant(&self, text: &str) -> Vec<&Definition<'a>> {
        let means = |definition: &&Definition<'a>| {
            let chain = self.chain(definition);
            chain.full == text
                || chain.definition == text
                || chain.pool.as_deref() == Some(text)
                || chain.forwards.as_deref() == Some(text)
        };
        self.tools.iter().filter(means).collect()
    }

    /// Returns the servers that the table of routes and the started servers name.
    pub(crate) fn routed(&self) -> &[String] {
        &self.routed
    }

    fn servers_named(&self) -> Vec<String> {
        let of_routes = self.routes.iter().flat_map(|routes| &routes.entries).map(|route| route.key);
        let of_pools = self.pools.iter().flat_map(|(_, data)| pool_keys(data)).map(|key| key.text.as_str());
        let of_routes: Vec<&str> = of_routes.filter_map(|key| self.gateway.server_of_pool(key)).collect();
        let of_pools: Vec<&str> = of_pools.filter_map(|key| self.gateway.server_of_pool(key)).collect();
        // A misspelt key does not name a new server, unless it is misspelt in both places.
        let known = Lookup::of(self.convention.vocabulary(SERVER).iter().map(String::as_str));
        let (in_routes, in_pools): (FxHashSet<&str>, FxHashSet<&str>) =
            (of_routes.iter().copied().collect(), of_pools.iter().copied().collect());
        let is_new = |server: &&&str| {
            known.nearest(server).is_none() || in_routes.contains(**server) && in_pools.contains(**server)
        };
        let mut servers: Vec<String> =
            of_routes.iter().chain(&of_pools).filter(is_new).map(|server| (*server).to_string()).collect();
        servers.sort();
        servers.dedup();
        servers
    }

    /// Whether some tool is routed to a server.
    pub(crate) fn is_used(&self, server: &str) -> bool {
        let used = || self.tools.iter().filter_map(|definition| definition.server.as_deref());
        self.used.get_or_init(|| Lookup::of(used())).has_words(server)
    }

    /// Returns the correct form of a pool key: the key itself if nothing is wrong with it. `None` if it names no
    /// server.
    pub(crate) fn pool_key_meant(&self, key: &str) -> Option<String> {
        let servers = self.servers.get_or_init(|| {
            let known = self.extended.vocabulary(SERVER).iter().map(String::as_str);
            Lookup::of(known.chain(self.tools.iter().filter_map(|definition| definition.server.as_deref())))
        });
        let is_name = |server: &&str| {
            server.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_'))
        };
        if let Some(server) = self.gateway.server_of_pool(key).filter(is_name) {
            // The words of a server's name may be joined in any way.
            if servers.has_words(server) {
                return Some(key.to_string());
            }
            // A server with another name may well exist; a name that is almost that of a known server is a typo.
            let near = servers.nearest(server).filter(|_| !servers.has(server));
            return Some(self.gateway.pool_key(near.unwrap_or(server)));
        }
        // The words after those of the pool pattern are the server's, however they are joined.
        let words = Name::new(key).lower_words();
        let own = Name::new(&self.gateway.pool).lower_words();
        let is_own = |word: &&str| own.iter().any(|own| own == word);
        let server = words.iter().map(String::as_str).skip_while(is_own).collect::<Vec<_>>().join("-");
        let meant = servers.nearest(&server).unwrap_or(&server);
        (!meant.is_empty()).then(|| self.gateway.pool_key(meant))
    }

    /// Whether there is a route to a server, however the route's key is written. If some entries are computed, any
    /// route may exist.
    pub(crate) fn has_route(&self, server: &str) -> bool {
        let key = self.gateway.pool_key(server);
        if self.routes.as_ref().is_some_and(|routes| routes.is_open) {
            return true;
        }
        let routes = || self.routes.iter().flat_map(|routes| &routes.entries).map(|route| route.key);
        self.route_keys.get_or_init(|| self.keys_meant(routes())).has_words(&key)
    }

    /// Returns the file of started servers to which a server should be added, if there is such a file and none has the
    /// server.
    pub(crate) fn pool_without(&self, server: &str) -> Option<(&'a File, &'a Data)> {
        let key = self.gateway.pool_key(server);
        let started = || self.pools.iter().flat_map(|(_, data)| pool_keys(data)).map(|key| key.text.as_str());
        let has_it = self.started_keys.get_or_init(|| self.keys_meant(started())).has_words(&key);
        let with_keys = || self.pools.iter().position(|(_, data)| pool_keys(data).next().is_some());
        let pool = *self.pool.get_or_init(with_keys);
        pool.filter(|_| !has_it).map(|index| self.pools[index])
    }

    fn keys_meant<'k>(&self, keys: impl Iterator<Item = &'k str>) -> Lookup {
        let meant: Vec<String> = keys.filter_map(|key| self.pool_key_meant(key)).collect();
        Lookup::of(meant.iter().map(String::as_str))
    }

    /// Returns the full names that the tools should have.
    pub(crate) fn full_names(&self) -> &[String] {
        &self.full_names
    }

    /// Returns the full names that the tools should have, indexed for lookups.
    pub(crate) fn by_full_name(&self) -> &Lookup {
        self.by_full_name.get_or_init(|| Lookup::of(self.full_names.iter().map(String::as_str)))
    }

    /// Returns the full name of the tool that a text refers to, either exactly or after a repair.
    fn meant(&self, text: &str) -> Option<String> {
        if self.by_full_name().has(text) {
            return Some(text.to_string());
        }
        if !text.contains('_') {
            return None;
        }
        let repaired = match self.convention.judge_permission(text, &self.routed) {
            Some((_, right)) => right.into_iter().next()?,
            None => text.to_string(),
        };
        self.by_full_name().nearest(&repaired).map(str::to_string)
    }

    /// Returns the name by which users know a tool.
    pub(crate) fn full(&self, name: &str) -> String {
        format!("{}{name}", self.gateway.prefix())
    }

    /// Returns the settings that cover at least half of the tools but not this one; `None` if any settings cover it.
    pub(crate) fn settings_without(&self, name: &str) -> Option<(&'a File, &'a ClientFacts)> {
        let full = self.full(name);
        let covered = self.all_covered();
        if covered.iter().any(|covered| covered.contains(&full)) {
            return None;
        }
        // Settings that name a few of many tools are not a list of all.
        let is_list = |covered: &FxHashSet<String>| !covered.is_empty() && covered.len() * 2 >= self.tools.len();
        self.settings.iter().zip(covered).find(|(_, covered)| is_list(covered)).map(|(settings, _)| *settings)
    }

    fn all_covered(&self) -> &[FxHashSet<String>] {
        self.covered.get_or_init(|| self.settings.iter().map(|(_, facts)| self.covered(facts)).collect())
    }

    /// Returns the full names of the tools that some entry of a file covers, whether the entry allows or denies them,
    /// and even if their names are misspelt in it.
    fn covered(&self, facts: &ClientFacts) -> FxHashSet<String> {
        let names = self.full_names();
        let mut covered: FxHashSet<String> = FxHashSet::default();
        for (list, entry) in facts.permissions().flat_map(|list| list.entries.iter().map(move |entry| (list, entry))) {
            let text = entry.text.text.as_str();
            match list.parse(text, crate::client::Spelt::none()) {
                Form::BuiltIn => {}
                Form::Server { server } if server == self.gateway.name => return names.iter().cloned().collect(),
                Form::ToolPattern { .. } | Form::Pattern => {
                    covered.extend(names.iter().filter(|name| glob_matches(text, name)).cloned());
                }
                _ => covered.extend(self.meant(text)),
            }
        }
        covered
    }

    /// Returns the first file with an index of the tools; `None` if there is none, or if any index names the tool.
    pub(crate) fn index_without(&self, name: &str) -> Option<(&'a File, &'a Markdown)> {
        let indexed = self.indexed.get_or_init(|| self.all_indexed());
        if indexed.contains(&self.full(name)) { None } else { self.indexes.first().copied() }
    }

    /// Returns the full names of the tools that the words of the indexes refer to. Each word is looked up once.
    fn all_indexed(&self) -> FxHashSet<String> {
        let mut words: FxHashSet<&str> = FxHashSet::default();
        let mut add = |text: &'a str| {
            words.extend(text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-')));
        };
        for (_, markdown) in &self.indexes {
            markdown.code.iter().for_each(|code| add(&code.text));
            markdown.prose.iter().for_each(|prose| add(&prose.text));
            let rows = markdown.tables.iter().flat_map(|table| &table.rows);
            rows.flat_map(|row| &row.cells).for_each(|cell| add(&cell.text));
        }
        words.into_iter().filter_map(|word| self.meant(word)).collect()
    }

    /// Returns settings that cover some of the tools, but not this one.
    pub(crate) fn settings_with_others(&self, name: &str) -> Option<(&'a File, &'a ClientFacts)> {
        let full = self.full(name);
        let mut settings = self.settings.iter().zip(self.all_covered());
        let found = settings.find(|(_, covered)| !covered.is_empty() && !covered.contains(&full));
        found.map(|(settings, _)| *settings)
    }
}

/// Returns every entry of the lists of tools that are switched on and off: the name of its list, the element, and the
/// element's text.
pub(crate) fn state_entries<'a>(gateway: &'a Gateway, data: &'a Data) -> Vec<(&'a str, &'a Node, &'a Text)> {
    let root = data.root.as_ref();
    let lists = gateway.state.lists.iter().filter_map(|list| Some((list.as_str(), root?.get(list)?)));
    lists
        .flat_map(|(list, node)| node.elements().iter().filter_map(move |node| Some((list, node, node.as_text()?))))
        .collect()
}

/// The slot of a definition's name that holds the server to which the tool is routed.
pub(super) const SERVER: &str = "server";

/// Returns the keys of the servers that a file starts: at its root, or below `mcpServers` or `servers`.
pub(crate) fn pool_keys(data: &Data) -> impl Iterator<Item = &Text> {
    // The file may contain other entries, too; an entry that starts a server has one of these keys.
    let starts = |(_, entry): &(&Text, &Node)| ["command", "url", "args"].iter().any(|key| entry.get(key).is_some());
    pool_object(data).into_iter().flat_map(|object| object.entries()).filter(starts).map(|(key, _)| key)
}

/// Returns the object that contains the entries of a file of started servers.
pub(crate) fn pool_object(data: &Data) -> Option<&crate::document::Node> {
    let root = data.root.as_ref()?;
    ["mcpServers", "servers"].into_iter().find_map(|key| root.get(key)).or(Some(root))
}

/// Returns the table in a constant of a module or class of some file.
fn table<'a>(snapshot: &'a Snapshot, constant: &str) -> Option<Routes<'a>> {
    let files = &snapshot.files;
    files.loaded_files().iter().find_map(|&file| {
        let facts = files.facts(file)?;
        let item = facts.items.iter().find(|item| {
            item.facts.scopes.iter().any(|scope| {
                let is_own = matches!(scope.kind, ScopeKind::Module | ScopeKind::Class { .. });
                is_own && scope.bindings.iter().any(|binding| binding.name == constant)
            })
        })?;
        let binding = item.facts.scopes.iter().flat_map(|scope| &scope.bindings).find(|one| one.name == constant)?;
        let Bound::Value(value) = &binding.value else { return None };
        // `Object.freeze({…})`
        let value = match value {
            Expr::Call(id) => &item.facts.call(*id).args.first()?.value,
            value => value,
        };
        let Expr::Object { props, span } = value else { return None };
        let entries = props.iter().filter_map(|prop| match prop {
            Prop::Pair { key: Expr::Text { text, span }, value } => Some(Route {
                key: text,
                key_span: span.shifted(item.start),
                value: match value {
                    Expr::Text { text, span } => Some((text.as_str(), span.shifted(item.start))),
                    _ => None,
                },
            }),
            _ => None,
        });
        let syntax = files.family(file)?.objects();
        let is_open = props.iter().any(|prop| !matches!(prop, Prop::Pair { key: Expr::Text { .. }, .. }));
        Some(Routes { file, object: span.shifted(item.start), syntax, is_open, entries: entries.collect() })
    })
}
