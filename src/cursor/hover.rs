//! The hover text of a subject.

use super::subject::Subject;
use crate::client::{Entry, List, ListKind, Rule};
use crate::known::gateway::{Chain, Layers};
use crate::known::public::{Evidence, Named, named, other_versions};
use crate::rename::Target;
use crate::show::Markdown;
use crate::verdict::{Permits, deciding_in};
use crate::workspace::{Snapshot, Tool};

/// The maximum number of items of one kind that a hover lists.
const MAX_LISTED: usize = 12;

/// Returns the hover text of a subject; `None` if there is nothing to show.
pub fn hover(snapshot: &Snapshot, subject: &Subject<'_>) -> Option<Markdown> {
    let mut out = Markdown::default();
    match subject {
        Subject::Tool { target, .. } | Subject::Named { target, .. } => describe(snapshot, *target, &mut out),
        Subject::Permission { list, entry, targets } => match targets.as_slice() {
            [] => {
                if matches!(list.parse(&entry.text.text, crate::client::Spelt::none()), Rule::BuiltIn) || list.is_bare()
                {
                    return None;
                }
                if !describe_public(snapshot, list, entry, &mut out) {
                    out.layout("matches no tool whose source is in this workspace");
                }
            }
            [only] => {
                describe(snapshot, *only, &mut out);
                decided(snapshot, *only, list, entry, &mut out);
            }
            several => {
                out.text(&format!("matches {} tools:", several.len())).layout("\n\n");
                listed(several, &mut out, |target, out| {
                    out.code(&target.tool.name).layout(" of ").text(&target.server.name);
                });
            }
        },
        Subject::Layer { tools, .. } => match tools.as_slice() {
            [only] => describe(snapshot, *only, &mut out),
            several => {
                let chains = several.iter().map(|target| chain(snapshot, *target)).collect::<Option<Vec<Chain>>>()?;
                listed(&chains, &mut out, write_chain);
            }
        },
        Subject::Key { key, .. } => {
            let analysis = snapshot.analysis();
            let known = analysis.keys.get(key).or_else(|| analysis.called.get(key))?;
            if known.servers.is_empty() && known.recorded.is_none() {
                out.layout("its source is not in this workspace, so its tools are not known");
            }
            for server in analysis.servers_of(known).take(MAX_LISTED) {
                let count = server.tools.len();
                out.strong(&server.name)
                    .layout(" in ")
                    .code(&server.root)
                    .text(&if count == 1 { ": 1 tool".to_string() } else { format!(": {count} tools") })
                    .layout("\n");
                if !server.is_complete() {
                    out.layout("\n")
                        .text(&format!("incomplete: {}", server.incomplete_because.join("; ")))
                        .layout("\n");
                }
            }
        }
    }
    Some(out)
}

/// Adds a list of the first few items, and the number of the remaining ones.
fn listed<T>(several: &[T], out: &mut Markdown, write: impl Fn(&T, &mut Markdown)) {
    for one in several.iter().take(MAX_LISTED) {
        out.layout("- ");
        write(one, out);
        out.layout("\n");
    }
    if several.len() > MAX_LISTED {
        out.text(&format!("- and {} more", several.len() - MAX_LISTED)).layout("\n");
    }
}

fn describe(snapshot: &Snapshot, target: Target<'_>, out: &mut Markdown) {
    let tool = target.tool;
    out.strong(&tool.name).layout(" · ").text(&target.server.name).layout("\n\n");
    if let Some(title) = tool.title() {
        out.text(&title).layout("\n\n");
    }
    if let Some(description) = &tool.registration.description {
        out.block(&description.text()).layout("\n\n");
    }
    if let Some(chain) = chain(snapshot, target) {
        write_chain(&chain, out);
        out.layout("\n\n");
    }
    let path = snapshot.files.path(target.tool.local_place().file);
    let keys = target.server.keys.iter();
    for (client, key) in snapshot
        .files
        .clients(path)
        .into_iter()
        .flat_map(|client| keys.clone().map(move |key| (client, key)))
        .take(MAX_LISTED)
    {
        let wire = client.wire_name(key, &tool.name);
        let length = wire.chars().count();
        out.text(&client.name).layout(": ").code(&wire);
        if let Some(limit) = client.limit {
            let left = limit as i64 - length as i64;
            out.text(&format!(", {length} characters ({left} left)"));
        }
        out.layout("\n\n");
    }
    let place = tool.registration.place;
    let line = snapshot.position(place.file, snapshot.files.span(place).start, crate::text::Encoding::Utf8).line + 1;
    out.layout("registered at ").text(&format!("{}:{line}", snapshot.files.path(place.file)));
}

/// Adds what is known of a public server's tools that an entry matches; returns whether anything is.
fn describe_public(snapshot: &Snapshot, list: &List, entry: &Entry, out: &mut Markdown) -> bool {
    let analysis = snapshot.analysis();
    let spelt = list.grammar.spell_all(analysis.keys.keys());
    let rule = list.parse(&entry.text.text, &spelt);
    let Some(server) = rule.server().filter(|_| snapshot.files.configs().policy("").catalogue) else { return false };
    let mut any = false;
    for (own, asked) in other_versions(analysis, list, server) {
        let is_it = |tool: &&Tool| list.grammar.composed(server, &tool.name) == list.bare(&entry.text.text);
        let Some(tool) = own.tools.iter().find(is_it) else { continue };
        describe(snapshot, Target { server: own, tool }, out);
        out.layout("\n\nthe config starts ").code(asked).layout(", in which the tool may have another name");
        any = true;
    }
    let all = named(analysis, list, server);
    for Named { server: public, evidence } in all.iter().take(MAX_LISTED) {
        let (tool, text) = match rule {
            Rule::Tool { .. } => {
                let name = list.bare(&entry.text.text);
                let found = public.tool(|tool| list.grammar.composed(server, tool) == name);
                let Some((tool, span)) = found else { continue };
                (Some(tool), format!(" is a {}", public.describe(span)))
            }
            Rule::Server { .. } => (None, public.summary()),
            _ => continue,
        };
        out.layout(if any { "\n\n" } else { "" });
        any = true;
        if !matches!(evidence, Evidence::Started(_)) {
            out.layout("if this is ").text(public.name()).layout(": ");
        }
        if let Some(tool) = tool {
            out.code(tool);
        }
        out.text(&text);
    }
    any
}

/// Adds a sentence that says which entry decides about a tool in the client of `list`, if that is known.
fn decided(snapshot: &Snapshot, target: Target<'_>, list: &List, entry: &Entry, out: &mut Markdown) {
    let all = Permits::new(snapshot);
    let mut permits = all.of(target.server.known_as(), &target.tool.name);
    // Entries of another folder, of an agent or of a command line apply to something else.
    let here = permits.iter().find(|permit| std::ptr::eq(permit.entry, entry)).map(|permit| permit.file);
    let folder = here.map(|file| crate::path::directory(snapshot.files.path(file)));
    permits.retain(|permit| {
        let is_same_list = permit.list.scope == list.scope && Some(permit.file) == here;
        let is_kin = permit
            .list
            .row
            .as_ref()
            .is_some_and(|row| list.row.as_ref().is_some_and(|own| own.at.above() == row.at.above()));
        is_same_list || is_kin && Some(crate::path::directory(snapshot.files.path(permit.file))) == folder
    });
    let Some(permit) = deciding_in(&permits, &list.client) else { return };
    let what = match permit.list.kind {
        ListKind::Deny => "denied",
        ListKind::Ask => "set to ask",
        _ => "allowed",
    };
    let client = &list.client.name;
    if permit.entry.whole == entry.whole {
        if permits.len() > 1 {
            out.layout("\n\n").text(&format!("this entry decides for {client}: {what}"));
        }
        return;
    }
    let start = permit.entry.text.span.start;
    let line = snapshot.position(permit.file, start, crate::text::Encoding::Utf8).line + 1;
    let place = format!("{}:{line}", snapshot.files.path(permit.file));
    out.layout("\n\n").layout(what).layout(" by ").code(&permit.entry.text.text);
    out.layout(" in ").text(&place).layout(", which takes precedence over this entry");
}

/// Adds the names of a gateway's tool, from its users to its server.
fn write_chain(chain: &Chain, out: &mut Markdown) {
    out.code(&chain.full).layout(" → ").code(&chain.definition);
    match (&chain.pool, &chain.forwards) {
        (Some(pool), Some(forwards)) => out.layout(" → ").code(pool).layout(" → ").code(forwards),
        _ => out.layout(", which the gateway handles itself"),
    };
}

/// Returns the names of a gateway's tool, from its users to its server; `None` if the tool is not one of a gateway.
fn chain(snapshot: &Snapshot, target: Target<'_>) -> Option<Chain> {
    let path = snapshot.files.path(target.tool.registration.place.file);
    let convention = snapshot.files.configs().policy(path).convention;
    convention.gateway.as_ref()?;
    let layers = Layers::of(snapshot, &convention)?;
    let definition = layers.tools.iter().find(|definition| std::ptr::eq(definition.tool, target.tool))?;
    Some(layers.chain(definition))
}
