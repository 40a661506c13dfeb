//! What a program registers, in the terms of the files' facts.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::found::{
    CallHandler, CalledName, Confidence, Dispatch, Dynamic, Found, Lack, Mount, Naming, Origin, Otherwise, Part, Place,
    Registration, ServerKey, ServerObject, Traced,
};
use crate::framework::{Gate, Kind};
use crate::lower::{Arg, CallId, Expr, ScopeId, ScopeKind};
use crate::machine::{self, ObjectId};
use crate::registry::{Answering, Capture, CapturedArg, Content, Offer, Owner, Registry};
use crate::text::{FileId, Span};
use crate::workspace::Files;

/// The maximum number of calls that are kept of those that lead to a registration.
const MOST_CALLERS: usize = 8;

/// Returns the registrations of a program by file, with the places where its evaluation was cut off.
pub(super) fn found(
    files: &Files,
    registry: &Registry<'_>,
    cut: &[(Option<Place>, Cow<'static, str>)],
) -> BTreeMap<FileId, Found> {
    let mut names_at: FxHashMap<_, BTreeSet<String>> = FxHashMap::default();
    for offer in registry.offers.iter().chain(&registry.shaped) {
        let at = (offer.stack.first().copied(), offer.details.place);
        names_at.entry(at).or_default().insert(offer.name.text());
    }
    let mut results = Results { files, keys: FxHashMap::default(), names_at, all: BTreeMap::new() };
    results.servers(registry);
    // Elements of one list with the same name that depend on something unknown are forms of one definition, whose other
    // parts depend on it too: one of them is what a client gets that knows no titles.
    let mut variants: FxHashMap<_, Vec<usize>> = FxHashMap::default();
    for offer in &registry.offers {
        let Some((file, mut registration)) = results.registration(offer) else { continue };
        let registrations = &mut results.all.entry(file).or_default().registrations;
        if !(registration.listed && registration.conditional) {
            registrations.push(Arc::new(registration));
            continue;
        }
        let Registration { kind, listing, .. } = registration;
        let variant = (file, kind, listing, registration.name.text(), registration.servers.clone());
        let known = variants.entry(variant).or_default();
        match known.iter().find(|index| registrations[**index].name == registration.name) {
            Some(index) => {
                let known = Arc::make_mut(&mut registrations[*index]);
                if has_name(&registration) && !has_name(known) {
                    std::mem::swap(known, &mut registration);
                }
                known.complete_with(registration);
            }
            None => {
                known.push(registrations.len());
                registrations.push(Arc::new(registration));
            }
        }
    }
    // What code makes in one place with many names are the elements of a table, of whatever kind.
    let is_one = |offer: &&Offer| {
        let at = (offer.stack.first().copied(), offer.details.place);
        results.names_at.get(&at).is_none_or(|names| names.len() < 2)
    };
    let shaped: Vec<&Offer> = registry.shaped.iter().filter(is_one).collect();
    for offer in shaped {
        if let Some((file, registration)) = results.registration(offer) {
            let confidence = if offer.is_class { Confidence::Derived } else { Confidence::Heuristic };
            let registration = Registration { confidence, ..registration };
            results.all.entry(file).or_default().shaped.push(Arc::new(registration));
        }
    }
    for mount in &registry.mounts {
        let Some(place) = results.first_place(&mount.stack) else { continue };
        let (Some(parent), Some(child)) = (results.key(&mount.parent), results.key(&mount.child)) else { continue };
        let prefix = mount.prefix.as_ref().map(|prefix| moved(files, prefix));
        results.all.entry(place.file).or_default().mounts.push(Mount { parents: vec![parent], child, prefix });
    }
    for unnamed in &registry.unnamed {
        let Some(place) = results.first_place(&unnamed.stack) else { continue };
        let servers: Arc<[ServerKey]> = results.owners(unnamed.server.as_ref()).into();
        let found = results.all.entry(place.file).or_default();
        match unnamed.kind {
            Kind::Resource => found.unknown_resources.push(servers),
            Kind::Prompt => {}
            _ => found.dynamics.push(Dynamic {
                place,
                partial: unnamed.partial.clone(),
                reason: unnamed.reason.clone().into(),
                servers,
                is_said: unnamed.is_said,
                by_hand: false,
            }),
        }
    }
    for answering in &registry.answering {
        results.answers(answering, registry);
    }
    for escape in &registry.escapes {
        let (Some(place), Some(key)) = (in_facts(files, escape.place), results.keys.get(&escape.server)) else {
            continue;
        };
        let found = results.all.entry(place.file).or_default();
        found.escapes.push((key.clone(), place, escape.name.clone()));
    }
    let servers: Arc<[ServerKey]> = results.keys.values().cloned().collect();
    // One place for each reason is enough to say that there may be more.
    let mut reasons: BTreeSet<&str> = BTreeSet::new();
    for (place, reason) in cut {
        let Some(place) = place.and_then(|place| in_facts(files, place)) else { continue };
        if !reasons.insert(reason) {
            continue;
        }
        let (reason, servers) = (reason.clone(), Arc::clone(&servers));
        let dynamic = Dynamic { place, partial: None, reason, servers, is_said: false, by_hand: false };
        results.all.entry(place.file).or_default().dynamics.push(dynamic);
    }
    results.all
}

/// Whether the code that registers something contains its name.
fn has_name(registration: &Registration) -> bool {
    let of = registration.place;
    let places = registration.name.parts.iter().filter_map(Part::place);
    places.into_iter().any(|place| (place.file, place.item) == (of.file, of.item) && of.span.contains(place.span))
}

/// The results of a program, as the facts of files have them.
struct Results<'f> {
    files: &'f Files,
    keys: FxHashMap<ObjectId, ServerKey>,
    /// The names that are registered at each place: the call and, in it, the element or definition.
    names_at: FxHashMap<(Option<Place>, Option<Place>), BTreeSet<String>>,
    all: BTreeMap<FileId, Found>,
}

impl Results<'_> {
    fn servers(&mut self, registry: &Registry<'_>) {
        for (&id, made) in &registry.servers {
            let Some(place) = self.first_place(&made.stack) else { continue };
            let name = made.name.as_ref().and_then(machine::Value::as_traced);
            let name = name.filter(|name| name.unknown().is_none()).map(|name| moved(self.files, name));
            let others = registry.servers.values().filter(|other| other.stack.first() == made.stack.first());
            let is_passed = made.name.as_ref().and_then(machine::Value::as_traced).is_some_and(|name| {
                let places = name.parts.iter().filter_map(Part::place);
                let is_in = |call: &Place, name: Place| {
                    (call.file, call.item) == (name.file, name.item) && call.span.contains(name.span)
                };
                places.into_iter().any(|name| made.stack[1..].iter().any(|call| is_in(call, name)))
            });
            let has_own = name.as_ref().filter(|_| is_passed || others.count() > 1);
            let given = has_own.map(|name| SmolStr::new(name.text()));
            let key = ServerKey::Object { file: place.file, item: place.item, call: call_at(self.files, place), given };
            self.keys.insert(id, key.clone());
            let object = ServerObject { key, name, framework: made.framework, place };
            self.all.entry(place.file).or_default().servers.push(object);
        }
    }

    fn key(&self, owner: &Owner) -> Option<ServerKey> {
        match owner {
            Owner::Object(id) => self.keys.get(id).cloned(),
            Owner::Class { file, name } => Some(ServerKey::Class { file: *file, name: name.clone() }),
        }
    }

    fn owners(&self, owner: Option<&Owner>) -> Vec<ServerKey> {
        owner.and_then(|owner| self.key(owner)).into_iter().collect()
    }

    fn first_place(&self, stack: &[Place]) -> Option<Place> {
        stack.first().and_then(|place| in_facts(self.files, *place))
    }

    fn registration(&self, offer: &Offer) -> Option<(FileId, Registration)> {
        let files = self.files;
        let here = |place: Option<Place>| place.and_then(|place| in_facts(files, place));
        let call = self.first_place(&offer.stack)?;
        let details = &offer.details;
        let place = here(details.place).unwrap_or(call);
        let text = |text: &Option<Traced>| text.as_ref().map(|text| moved(files, text));
        let body = body_around(files, call);
        // A name that a caller passes, or one of several at the same place.
        let around = [Some(call), here(details.place), function_at(files, body)];
        let is_passed = |part: &Part| {
            let Some(name) = part.place().and_then(|place| in_facts(files, place)) else { return false };
            let is_own = matches!(part.origin, Origin::Identifier(_)) && name.file == call.file;
            let is_around = around
                .iter()
                .flatten()
                .any(|around| (around.file, around.item) == (name.file, name.item) && around.span.contains(name.span));
            (offer.stack.len() > 1 || offer.looped) && !is_own && !is_around
        };
        let here_too = self.names_at.get(&(offer.stack.first().copied(), details.place)).map_or(0, BTreeSet::len);
        let is_derived = here_too > 1 || offer.name.parts.iter().any(is_passed);
        let lack = details.title_place.clone();
        let naming = details.naming.clone();
        let registration = Registration {
            kind: offer.kind,
            framework: offer.framework,
            name: moved(files, &offer.name),
            title: text(&details.title),
            untitled: details.untitled,
            title_place: lack.and_then(|lack| Some(Lack { object: here(Some(lack.object))?, ..lack })),
            description: text(&details.description),
            annotations: details.annotations.clone(),
            app_only: details.app_only,
            schema: here(details.schema),
            handler: here(details.handler),
            servers: self.owners(offer.server.as_ref()),
            place,
            callers: offer.stack.iter().skip(1).take(MOST_CALLERS).filter_map(|call| in_facts(files, *call)).collect(),
            naming: naming.and_then(|naming| Some(Naming { at: here(Some(naming.at))?, ..naming })),
            body,
            conditional: offer.conditional,
            filtered: offer.filtered,
            listed: offer.listed,
            listing: offer.listed.then_some(call),
            mounted: 0,
            keys: offer.keys.iter().filter_map(|key| in_facts(files, *key)).collect(),
            compared: offer.compared.iter().filter_map(|literal| in_facts(files, *literal)).collect(),
            found_by: offer.found_by.iter().filter_map(|literal| in_facts(files, *literal)).collect(),
            agreeing: {
                let pairs = offer.agreeing.iter();
                pairs.filter_map(|(one, other)| Some((in_facts(files, *one)?, in_facts(files, *other)?))).collect()
            },
            confidence: if is_derived { Confidence::Derived } else { Confidence::Exact },
        };
        Some((call.file, registration))
    }

    fn answers(&mut self, answering: &Answering, registry: &Registry<'_>) {
        let files = self.files;
        let servers: Arc<[ServerKey]> = self.owners(answering.server.as_ref()).into();
        let cases = &answering.cases;
        // A comparison with a definition's own name is no case of its own.
        let origins: BTreeSet<Place> =
            registry.offers.iter().flat_map(|offer| offer.name.parts.iter().filter_map(Part::place)).collect();
        for (place, text, decides) in &cases.texts {
            let Some(moved) = in_facts(files, *place).filter(|_| !origins.contains(place)) else { continue };
            let (text, decides, servers) = (text.clone(), *decides, Arc::clone(&servers));
            let dispatch = Dispatch { text, place: moved, decides, servers };
            self.all.entry(moved.file).or_default().dispatches.push(dispatch);
        }
        let receiver = cases.receiver.as_ref().and_then(|(closure, index, path)| {
            let function = in_facts(files, closure.site.place(closure.function.span))?;
            let first = first_statement_at(files, function)?;
            Some((
                function,
                CalledName::Parameter { first, index: *index, path: path.clone(), is_json: cases.is_message },
            ))
        });
        let variable = cases.variable.as_ref().and_then(|(statement, name)| {
            let statement = in_facts(files, *statement)?;
            let function = function_at(files, body_around(files, statement))?;
            Some((function, CalledName::Variable { name: name.clone(), statement }))
        });
        let function = receiver.as_ref().or(variable.as_ref()).map(|(function, _)| *function);
        let first = self.keys.values().chain(servers.iter()).next().map(|key| match key {
            ServerKey::Object { file, .. } | ServerKey::Class { file, .. } => *file,
        });
        let Some(home) = first.or(function.map(|function| function.file)) else { return };
        // A table whose keys are the names of definitions, wherever it is filled, has the new names after a rename.
        let keyed = cases.texts.iter().filter(|(.., decides)| *decides).map(|(place, ..)| place);
        let is_searched = cases.searched || keyed.chain(&cases.set_later).any(|place| origins.contains(place));
        let otherwise = [(is_searched, Otherwise::Searched), (cases.reflected, Otherwise::Reflected)];
        let otherwise = otherwise.into_iter().filter(|(holds, _)| *holds).map(|(_, how)| (how, servers.to_vec()));
        self.all.entry(home).or_default().otherwise.extend(otherwise);
        let Some(function) = function else { return };
        let given = receiver.into_iter().chain(variable).map(|(_, given)| given).collect();
        self.all.entry(function.file).or_default().call_handlers.push(CallHandler { function, given, servers });
    }
}

/// The place of the function that a body is of.
fn function_at(files: &Files, (file, item, scope): (FileId, u32, ScopeId)) -> Option<Place> {
    match &files.facts(file)?.items.get(item as usize)?.facts.scope(scope).kind {
        ScopeKind::Function(function) => Some(Place { file, item, span: function.span }),
        _ => None,
    }
}

/// The place of the first statement of a function; `None` if its body is an expression.
fn first_statement_at(files: &Files, place: Place) -> Option<Place> {
    let item = &files.facts(place.file)?.items.get(place.item as usize)?.facts;
    item.scopes.iter().find_map(|scope| match &scope.kind {
        ScopeKind::Function(function) if function.span == place.span => Some(Place { span: function.first?, ..place }),
        _ => None,
    })
}

/// The innermost function or class around a place, or the module.
fn body_around(files: &Files, place: Place) -> (FileId, u32, ScopeId) {
    let module = (place.file, 0, ScopeId(0));
    let Some(facts) = files.facts(place.file) else { return module };
    let item = &facts.items[place.item as usize].facts;
    let mut around = item.scopes.iter().enumerate().filter(|(index, scope)| match &scope.kind {
        ScopeKind::Function(function) => function.span.contains(place.span) && function.span != place.span,
        ScopeKind::Class { .. } => {
            let class = item.definitions.iter().find(|definition| definition.body.0 as usize == *index);
            class.is_some_and(|class| class.span.contains(place.span))
        }
        _ => false,
    });
    // An inner scope comes after the outer one.
    around.next_back().map_or(module, |(index, _)| (place.file, place.item, ScopeId(index as u32)))
}

/// The matches of queries in a file.
pub(super) fn captures(files: &Files, file: FileId) -> Vec<Capture> {
    let mut all = Vec::new();
    let Some(facts) = files.facts(file) else { return all };
    for (index, item) in facts.items.iter().enumerate() {
        let in_code = |span: Span| in_code(files, Place { file, item: index as u32, span });
        for captured in &item.facts.captured {
            let form = files.frameworks().queried(captured.query);
            let row = &files.frameworks().rows[form.framework];
            let is_told = facts.imports_any(&|module| row.owns_module(module))
                || match files.frameworks().form(form).gate {
                    Gate::Telling => true,
                    Gate::Project => files.project_uses(file, form.framework),
                    _ => false,
                };
            let Some(place) = in_code(captured.span).filter(|_| is_told) else { continue };
            let arg = |arg: &Arg| {
                let span = arg.value.span(&item.facts);
                let place = in_code(span)?;
                let content = match &arg.value {
                    Expr::Text { text, .. } => Content::Text(Traced::literal(text.clone(), place)),
                    Expr::Opaque { what, .. } => Content::Unread(what),
                    _ => Content::Code,
                };
                Some(CapturedArg { name: arg.name.clone()?, place, content })
            };
            all.push(Capture { form, place, args: captured.args.iter().filter_map(arg).collect() });
        }
    }
    all
}

/// A place of a file's facts as a place of its code, whose items begin elsewhere.
fn in_code(files: &Files, place: Place) -> Option<Place> {
    let code = files.get(place.file)?.code.as_ref()?;
    let span = place.span.shifted(files.facts(place.file)?.items.get(place.item as usize)?.start);
    let index = code.items.partition_point(|item| item.start <= span.start).checked_sub(1)?;
    Some(Place { file: place.file, item: index as u32, span: span.relative_to(code.items[index].start) })
}

/// A place of a program as a place of a file's facts, whose items begin elsewhere.
pub(in crate::workspace) fn in_facts(files: &Files, place: Place) -> Option<Place> {
    let code = files.get(place.file)?.code.as_ref()?;
    let facts = files.facts(place.file)?;
    let span = place.span.shifted(code.items.get(place.item as usize)?.start);
    let after = facts.items.partition_point(|item| item.start <= span.start);
    let index = after.checked_sub(1)?;
    let start = facts.items[index].start;
    Some(Place { file: place.file, item: index as u32, span: span.relative_to(start) })
}

fn moved(files: &Files, name: &Traced) -> Traced {
    let mut name = name.clone();
    for part in &mut name.parts {
        if let Origin::Literal(place) | Origin::Identifier(place) = &mut part.origin {
            match in_facts(files, *place) {
                // A data file has no items.
                _ if files.family(place.file).is_none() => {}
                Some(moved) => *place = moved,
                None => part.origin = Origin::Framework,
            }
        }
    }
    name
}

/// The call at a place.
fn call_at(files: &Files, place: Place) -> CallId {
    let calls = files.facts(place.file).map(|facts| facts.items[place.item as usize].facts.calls.as_slice());
    let is_here = |span: Span| span == place.span;
    let found = calls.unwrap_or_default().iter().position(|call| is_here(call.span));
    CallId(found.unwrap_or_default() as u32)
}
