//! A language server and a command-line program for the names of MCP tools. They find where source defines the names
//! and how each client composes them, report faults in both, and rename tools.
//!
//! # The main idea
//!
//! A tool's name is computed from pieces of source, and each of its characters remembers the literal that it comes from
//! ([`found::Traced`]). Programs are run abstractly, from where people start them ([`machine`]): a call of a framework
//! registers a tool under the name that it gets, with its origins.
//! Findings point at the piece at fault, a rename edits the piece with the changed characters, and a permission string
//! is the same name in a client's grammar.
//!
//! # The data flow
//!
//! ```text
//! bytes → text → syntax tree → facts, programs → registrations → tools and permission strings → findings and edits
//!         text   syntax        lower  code       machine         workspace  client              rules, rename, fix
//!                document                        registry        known                          site   → lsp, cli
//! ```
//!
//! # The modules, from the bottom layer up
//!
//! A module uses only modules of lower layers and modules listed before it in its own layer.
//!
//! | layer | module | contents |
//! |---|---|---|
//! | values | [`text`] | byte spans, lines, positions, edits; the only module that uses ropey |
//! | | [`path`] | paths inside a workspace |
//! | | [`places`] | sets of spans of a text |
//! | | [`name`] | names as words and separators; the nearest of several names |
//! | | [`regex`] | other programs' regular expressions, in bounded time |
//! | | [`entry`] | insertions into objects, lists and bodies, formatted like their neighbours |
//! | | [`diagnostic`] | findings and their fixes, as plain data |
//! | | [`directive`] | comments for this program, such as `toolnames: allow(name-chars)` |
//! | | [`show`] | the only output of text for people: invisible characters, Markdown, excerpts |
//! | syntax | [`syntax`] | languages, grammars, incremental parsing |
//! | | [`document`] | JSON, TOML and front matter as one tree with spans; Markdown |
//! | | [`lower`] | code → one small language, item by item |
//! | | [`code`] | code → programs in one small language, with their statements in order |
//! | policy | [`framework`] | frameworks as data: forms of registration |
//! | | [`client`] | clients as data: files, grammar, limits, what a command starts |
//! | | [`catalogue`] | the tools of public servers, by version |
//! | | [`convention`] | grammar and vocabulary of names; judging and proposing |
//! | | [`config`] | `toolnames.toml`: the settings for each file |
//! | world | [`found`] | what programs register, with the literal that each character of a name comes from |
//! | | [`machine`] | programs, run abstractly, with the standard libraries in `prelude/` |
//! | | [`registry`] | the frameworks' calls that a program makes → what it registers |
//! | | [`workspace`] | all files' facts, servers, snapshots, `toolnames.lock`; no I/O |
//! | | [`known`] | further facts about a workspace that features need: gateways, schemas, functions |
//! | | [`verdict`] | what the settings of clients decide about a call of a tool |
//! | features | [`site`] | the code around a name, as far as edits need it, found by the queries in `queries/` |
//! | | [`rename`] | renames and aliases, tried on a copy: propose, apply, evaluate, accept only old → new |
//! | | [`rules`] | the rules, each with one `.rs` and one `.md` file |
//! | | [`fix`] | applies all unambiguous fixes, repeatedly, until none is left |
//! | | [`schema`] | the schema of `toolnames.toml`, for editors |
//! | | [`cursor`] | the item under a cursor, and the answers about it |
//! | edges | [`disk`] | walking, reading, writing all files or none |
//! | | [`live`] | requests to a running server for its tools |
//! | | [`lsp`], [`cli`] | the two interfaces; both use the same snapshots, so they never disagree |
//!
//! # Invariants
//!
//! - Lowering never fails and never guesses: incomplete code yields the facts that can be seen, and what cannot be
//!   computed is marked as dynamic, with a reason.
//! - A snapshot never changes; features are functions of a snapshot.
//! - Protocol types are used only in [`lsp`], tree-sitter in [`syntax`], [`lower`], [`code`], [`document`] and [`site`], ropey in
//!   [`text`], file access in [`disk`]. The tests in `tests/it/house.rs` check this.
//! - A finding about a name is repaired by the same rename that a user can ask for: the quick fix, F2, `toolnames
//!   rename` and `toolnames fix` share one implementation.
//! - A convention finds at most hints in a name that it proposes, and fixing twice is the same as fixing once.
//! - A tool is reported as unknown only if all tools of its server are known: no finding is better than a false one.
//! - A framework, client or profile is a row of data next to the code that reads it.
//! - Editor state changes in message order before any `.await`; an answer for an older state is dropped.
//! - Nothing outside the workspace is written, nothing in it is run, nothing is sent anywhere. Only [`live`] starts a
//!   server, with the command that the user typed.

#![warn(unreachable_pub)]
// The table above links to private modules, which only `cargo doc --document-private-items` documents.
#![allow(rustdoc::private_intra_doc_links)]
// The functions and macros that `clippy.toml` disallows are used only in a few modules; tests may use them anywhere.
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_macros))]

mod text;

mod path;
mod places;

mod name;

mod regex;

mod entry;

mod diagnostic;

mod directive;
mod show;

mod syntax;

mod document;

mod lower;

mod code;

mod framework;

mod client;

mod catalogue;

mod convention;

mod config;

mod found;

mod machine;

mod registry;

mod workspace;

mod known;

mod verdict;

mod site;

mod rename;

mod rules;

mod fix;

mod schema;

mod cursor;

mod disk;

mod live;

pub mod lsp;

pub mod cli;

/// The parts that the tests and the fuzz targets of this project use. This is not a public API.
#[doc(hidden)]
pub mod testing {
    pub mod client {
        pub use crate::client::{Clients, Evidence, Place, Spelt, Wildcards, glob_matches};
    }
    pub mod config {
        pub use crate::config::{Config, Configs};
    }
    pub mod convention {
        pub use crate::convention::{Breach, Context, Convention, infer};
    }
    pub mod cursor {
        pub use crate::cursor::{actions, complete, hover, lenses, prepare_rename, rename, subject, symbols};
        pub mod settings {
            pub use crate::cursor::settings::{Nameable, complete, hover};
        }
    }
    pub mod diagnostic {
        pub use crate::diagnostic::{Action, AliasRequest, Diagnostic, Severity};
    }
    pub mod document {
        pub use crate::document::{
            Data, Node, Value, line_directives, parse_front_matter, parse_json, parse_markdown, parse_toml, parse_yaml,
            toml_place,
        };
    }
    pub mod found {
        pub use crate::found::Place;
    }
    pub mod fix {
        pub use crate::fix::{Options, fix, plan, plans};
    }
    pub mod framework {
        pub use crate::framework::{CalleePattern, Selector};
    }
    pub mod machine {
        pub use crate::machine::trial::calls;
        pub use crate::registry::trial::{Registered, registered, registered_by_roots};
    }
    pub mod lower {
        pub use crate::lower::{Queries, lower};
    }
    pub mod path {
        pub use crate::path::is_test_file;
    }
    pub mod regex {
        pub use crate::regex::Regex;
    }
    pub mod rename {
        pub use crate::rename::{
            Alias, AliasMode, Left, Plan, Refusal, Sources, To, alias_of, back, is_done, removal, rename, renamed,
            targets,
        };
    }
    pub mod rules {
        pub use crate::rules::{RULES, check, check_all, check_alone};
    }
    pub mod schema {
        pub use crate::schema::{resolved, schema};
    }
    pub mod syntax {
        pub use crate::syntax::{CodeQuery, Family, Language, parse};
    }
    pub mod text {
        pub use crate::text::{Edit, Encoding, FileId, Span, apply_edits};
    }
    pub mod workspace {
        pub use crate::workspace::{
            Above, Budget, CONFIG_FILE, Lock, Snapshot, Storage, Surroundings, Workspace, text_hash,
        };
    }
}
