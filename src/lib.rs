//! The names of MCP tools: where they are born in source, what every client calls them, and what is wrong with
//! either.
//!
//! # The one idea
//!
//! A tool's name is computed from pieces of source, and every character of it remembers the literal it came from
//! ([`evaluate::Traced`]). A registration holds a name *expression*; evaluating it gives the name with its
//! origins. Findings point at the piece at fault, a rename edits the piece that holds the changed characters, and
//! a permission string is the same name seen through a client's grammar.
//!
//! # The way of a fact
//!
//! ```text
//! bytes → text → syntax tree → facts → tools and permission strings → snapshot → findings and edits → editor, terminal
//!         text   syntax        lower   evaluate   client              workspace  rules, rename, fix   lsp, cli
//!                              document
//! ```
//!
//! # The rooms, from the ground up
//!
//! A room uses what lies below it, or before it on its own floor.
//!
//! | floor | room | what it is for |
//! |---|---|---|
//! | values | [`text`] | byte spans, lines, positions, edits; it alone knows ropey |
//! | | [`path`] | paths inside a workspace |
//! | | [`name`] | a name as words and separators; the nearest of several names |
//! | | [`regex`] | other programs' regular expressions, in bounded time |
//! | | [`entry`] | writing into an object literal as its neighbours are written |
//! | | [`diagnostic`] | a finding and its fixes, as plain data |
//! | | [`show`] | the one door for what people read: invisible characters, Markdown, excerpts |
//! | syntax | [`syntax`] | languages, grammars, incremental parsing |
//! | | [`document`] | JSON, TOML and front matter as one tree with spans; Markdown |
//! | | [`lower`] | code → one small language, item by item |
//! | policy | [`framework`] | frameworks as data: forms of registration |
//! | | [`client`] | clients as data: files, grammar, limits, what a command starts |
//! | | [`convention`] | grammar and vocabulary of names; judging and proposing |
//! | | [`config`] | `toolnames.toml`: what holds for which file |
//! | world | [`evaluate`] | expressions → names, across files, on demand |
//! | | [`workspace`] | all files' facts, servers, snapshots; no I/O |
//! | features | [`rename`] | by trial: propose, apply to a copy, evaluate, accept only old → new |
//! | | [`rules`] | one rule, one `.rs` and one `.md` |
//! | | [`fix`] | every clear repair, until nothing more is to be repaired |
//! | | [`schema`] | the schema of `toolnames.toml`, for editors |
//! | | [`cursor`] | the subject under a cursor, and what follows from it |
//! | edges | [`disk`] | walking, reading, writing all files or none |
//! | | [`live`] | asking a running server for its tools |
//! | | [`lsp`], [`cli`] | the two ways in; both ask the same snapshots, so they never disagree |
//!
//! # What always holds
//!
//! - Lowering never fails and never guesses: half-typed code yields the facts that can be seen, and what cannot
//!   be computed is said to be dynamic, with its reason.
//! - A snapshot never changes; features are functions of a snapshot.
//! - Protocol types live in [`lsp`], tree-sitter in [`syntax`], [`lower`] and [`document`], ropey in [`text`], file
//!   access in [`disk`]. The tests in `tests/it/house.rs` look.
//! - A finding about a name is repaired by the rename itself: quick fix, F2, `toolnames rename` and `fix` share it.
//! - What a convention proposes it judges clean; fixing twice equals fixing once.
//! - Only a complete server's tools are known, and only then is another tool unknown: silence before noise.
//! - A framework, client or profile is a row of data beside the code that reads it.
//! - Editor state changes in message order before any `.await`; an answer for an older state is dropped.
//! - Nothing outside the workspace is written, nothing it names is run, nothing is sent anywhere. A server is
//!   started by [`live`] alone, with the command that somebody typed.

// What `clippy.toml` lists is done behind a few doors; tests may do it anywhere.
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_macros))]

pub mod text;

pub mod path;
mod places;

pub mod name;

pub mod regex;

pub mod entry;

pub mod diagnostic;

pub mod show;

pub mod syntax;

pub mod document;

pub mod lower;

pub mod framework;

pub mod client;

pub mod convention;

pub mod config;

pub mod evaluate;

pub mod workspace;

pub mod rename;

pub mod rules;

pub mod fix;

pub mod schema;

pub mod cursor;

pub mod disk;

pub mod live;

pub mod lsp;

pub mod cli;
