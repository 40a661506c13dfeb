//! `docs-name` for the former names of tools that were renamed, according to `toolnames.lock`.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::context::Context;
use super::name::{RULE, words};
use crate::client;
use crate::diagnostic::{Diagnostic, Fix};
use crate::document::{Markdown, is_rejected, is_shown_as_wrong};
use crate::name::Name;
use crate::path::is_history;
use crate::rules::Cx;
use crate::workspace::Server;

pub(super) fn check(cx: &Cx<'_>, markdown: &Markdown, diagnostics: &mut Vec<Diagnostic>) {
    let former = cx.analysis.memo.get("former names".to_string(), || former(cx));
    if former.is_empty() || is_history(&cx.file.path) {
        return;
    }
    for code in &markdown.code {
        let context = Context::of(markdown, code.span);
        if context.is_past() {
            continue;
        }
        for (range, word) in words(&code.text) {
            let Some(now) = former.get(word).filter(|_| !cx.policy.allows(RULE.id, word)) else { continue };
            let span = code.span.slice(range.start, range.end);
            if is_shown_as_wrong(markdown, span) || is_rejected(markdown, span, std::slice::from_ref(now)) {
                continue;
            }
            let fix = Fix::replace(format!("change to `{now}`"), cx.file.id, span, now.as_str());
            let message = format!("`{word}` has been renamed to `{now}`");
            diagnostics.push(cx.diagnostic(&RULE, span, message).with_fixes([fix]));
        }
    }
}

/// Maps every name that can no longer be called to the tool's current name. The keys are the old names as clients
/// compose them and, if an old name has several words, also the old name as the server reported it.
fn former(cx: &Cx<'_>) -> BTreeMap<String, String> {
    let files = &cx.snapshot.files;
    let mut former = BTreeMap::new();
    let mut servers: FxHashMap<&str, Vec<&Server>> = FxHashMap::default();
    for (server, tool) in cx.analysis.tools() {
        let known = servers.entry(&tool.name).or_default();
        if known.last().is_none_or(|last| !std::ptr::eq(*last, server)) {
            known.push(server);
        }
    }
    let is_there = |name: &str| servers.contains_key(name);
    for renamed in files.locks().flat_map(|(_, lock)| &lock.renamed) {
        let is_its = |name: &str| renamed.server.as_deref().is_none_or(|server| server == name);
        let Some(now) = files.renamed(&is_its, &renamed.old).filter(|now| is_there(now) && !is_there(&renamed.old))
        else {
            continue;
        };
        if Name::new(&renamed.old).lower_words().len() > 1 {
            former.insert(renamed.old.clone(), now.clone());
        }
        let servers = servers.get(now.as_str()).into_iter().flatten();
        for key in servers.flat_map(|server| &server.keys) {
            for client in cx.snapshot.files.known_clients().iter() {
                let composed = client.composed(key, &renamed.old);
                if client::begins_as_mcp(&composed) {
                    former.insert(composed, client.composed(key, &now));
                }
            }
        }
    }
    former
}
