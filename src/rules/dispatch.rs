//! `dispatch-name`: a dispatch case compares the tool name with a string that does not follow the convention.

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use crate::convention::{Context, Convention};
use crate::diagnostic::{Diagnostic, Fix, Severity};
use crate::known::lookup::Lookup;
use crate::known::ours;
use crate::lower::{Bound, Expr, FileFacts, Function, Item, Key, Param, Prop, SUBJECTS, ScopeId, ScopeKind};
use crate::rules::{Cx, Rule, Scope};
use crate::syntax::Family;
use crate::text::Span;
use crate::workspace::Server;

pub(crate) const RULE: Rule = Rule {
    id: "dispatch-name",
    default: Severity::Warning,
    scope: Scope::Workspace,
    docs: include_str!("dispatch.md"),
};

/// Names of the parameter that holds a tool's arguments; [`SUBJECTS`] are those of the parameter that holds the tool's
/// name.
const ARGUMENTS: [&str; 6] = ["args", "arguments", "params", "input", "kwargs", "payload"];

pub(super) fn check(cx: &Cx<'_>, diagnostics: &mut Vec<Diagnostic>) {
    if !cx.policy.convention.dispatch {
        return;
    }
    let Some(facts) = cx.snapshot.files.facts(cx.file.id) else { return };
    let literals = Literals::of(facts);
    let is_any_cut = is_any_cut(facts);
    let mut seen: FxHashSet<Span> = FxHashSet::default();
    // The dispatch cases that the analysis traced from the request.
    for server in &cx.analysis.servers {
        let mut standard = None;
        for dispatch in server.dispatches.iter().filter(|dispatch| dispatch.place.file == cx.file.id) {
            let span = cx.snapshot.files.span(dispatch.place);
            seen.insert(span);
            if literals.is_part(span) || is_any_cut && !literals.is_compared(span) {
                continue;
            }
            let standard = standard.get_or_insert_with(|| Standard::of(cx, server, &literals));
            standard.judge(&dispatch.text, span, diagnostics);
        }
    }
    let Some(server) = server_of(cx) else { return };
    let standard = Standard::of(cx, server, &literals);
    let handlers = server.tools.iter().filter_map(|tool| tool.registration.handler);
    let handlers = handlers.filter(|handler| handler.file == cx.file.id).map(|handler| cx.snapshot.files.span(handler));
    let handlers: Vec<Span> = handlers.collect();
    for item in &facts.items {
        for (text, span, function) in by_hand(cx, facts, item) {
            // A tool handler that takes a name and arguments is a dispatcher, no matter what it calls.
            let is_tool = || handlers.iter().any(|handler| function.contains(*handler));
            // Many other functions take a name and arguments. In those, a literal is checked only if one of its
            // corrections is the name of a tool.
            if !seen.contains(&span) && (is_tool() || standard.is_meant(text)) {
                seen.insert(span);
                standard.judge(text, span, diagnostics);
            }
        }
    }
}

/// The literals of a file that may be tool names, and how each is used.
#[derive(Default)]
struct Literals<'f> {
    /// Literals in comparisons, with the index of their item and the variable that is compared, if any.
    compared: FxHashMap<Span, (usize, Option<&'f SmolStr>)>,
    /// The literal keys of objects.
    keys: FxHashSet<Span>,
    /// Texts of comparisons, and keys and values of tables: all names that the file accepts.
    beside: FxHashSet<&'f str>,
    /// Variables that are bound to a computed value and so may hold only a part of a name, as in `name =
    /// name.removeprefix("notes:")`; each with the index of its item.
    cut: FxHashSet<(usize, &'f SmolStr)>,
}

impl<'f> Literals<'f> {
    fn of(facts: &'f FileFacts) -> Literals<'f> {
        let mut all = Literals::default();
        for (index, item) in facts.items.iter().enumerate() {
            for comparison in &item.facts.comparisons {
                let variable = match &comparison.subject {
                    Some(Expr::Name { name, .. }) => Some(name),
                    _ => None,
                };
                all.compared.entry(comparison.span.shifted(item.start)).or_insert((index, variable));
                all.beside.insert(&comparison.text);
            }
            item.facts.each_expression(&mut |expr| {
                let Expr::Object { props, .. } = expr else { return };
                for prop in props {
                    let Prop::Pair { key: Expr::Text { text: key, span }, value } = prop else { continue };
                    all.keys.insert(span.shifted(item.start));
                    all.beside.insert(key);
                    all.beside.extend(match value {
                        Expr::Text { text, .. } if key != "name" => Some(text.as_str()),
                        _ => None,
                    });
                }
            });
            let bindings = item.facts.scopes.iter().flat_map(|scope| &scope.bindings);
            let cut = bindings.filter(|binding| !holds_name(&binding.value));
            all.cut.extend(cut.map(|binding| (index, &binding.name)));
        }
        all
    }

    /// Whether a literal is compared with a variable that may hold only a part of a name.
    fn is_part(&self, literal: Span) -> bool {
        let compared = self.compared.get(&literal).and_then(|(item, variable)| Some((*item, (*variable)?)));
        compared.is_some_and(|compared| self.cut.contains(&compared))
    }

    /// Whether a literal is part of a comparison; otherwise it is a key of a table.
    fn is_compared(&self, literal: Span) -> bool {
        self.compared.contains_key(&literal)
    }

    /// Whether a literal is certain to be in quotes: keys of TypeScript objects may be written without quotes.
    fn is_quoted(&self, cx: &Cx<'_>, literal: Span) -> bool {
        !self.keys.contains(&literal) || cx.snapshot.files.family(cx.file.id) != Some(Family::TypeScript)
    }
}

/// Whether some function of the file changes a called name before looking it up.
fn is_any_cut(facts: &FileFacts) -> bool {
    facts.items.iter().any(|item| {
        let mut bindings = item.facts.scopes.iter().flat_map(|scope| &scope.bindings);
        bindings.any(|binding| SUBJECTS.contains(&binding.name.as_str()) && !holds_name(&binding.value))
    })
}

/// Whether a variable is bound to an unchanged name.
fn holds_name(bound: &Bound) -> bool {
    match bound {
        Bound::Param { .. } => true,
        Bound::Value(value) => is_whole(value),
        _ => false,
    }
}

/// Returns the literals that the functions with a name and arguments as parameters compare with that name, or that are
/// keys of a table in which they look the name up. Each literal has its span and the span of its function.
fn by_hand<'f>(cx: &Cx<'_>, file: &'f FileFacts, item: &'f Item) -> Vec<(&'f str, Span, Span)> {
    let facts = &item.facts;
    let mut found = Vec::new();
    for (index, scope) in facts.scopes.iter().enumerate() {
        let ScopeKind::Function(function) = &scope.kind else { continue };
        let takes = |names: &[&str]| function.params.iter().find(|param| names.contains(&param.name.as_str()));
        let (Some(name), Some(_)) = (takes(&SUBJECTS), takes(&ARGUMENTS)) else { continue };
        if is_cut(cx, item, ScopeId(index as u32), function, name) {
            continue;
        }
        let around = |scope: ScopeId| std::iter::successors(Some(scope), |scope| facts.scope(*scope).parent);
        let within = |scope: ScopeId| around(scope).any(|scope| scope.0 as usize == index);
        let is_name = |expr: &Expr| matches!(expr, Expr::Name { name: own, .. } if *own == name.name);
        for comparison in facts.comparisons.iter().filter(|comparison| within(comparison.scope)) {
            if comparison.subject.as_ref().is_some_and(is_name) {
                found.push((
                    comparison.text.as_str(),
                    comparison.span.shifted(item.start),
                    function.span.shifted(item.start),
                ));
            }
        }
        let looked_up = facts.lookups.iter().filter(|lookup| within(lookup.scope) && is_name(&lookup.key));
        let got = facts.calls.iter().filter(|call| within(call.scope)).filter_map(|call| match &call.callee {
            Expr::Member { object, key: Key::Field(method), .. }
                if method == "get" && call.args.first().is_some_and(|arg| is_name(&arg.value)) =>
            {
                Some(&**object)
            }
            _ => None,
        });
        for table in looked_up.map(|lookup| &lookup.table).chain(got) {
            let keys = keys(file, item, table).into_iter();
            found.extend(keys.map(|(text, span)| (text, span, function.span.shifted(item.start))));
        }
    }
    found
}

/// Whether a function may work with only a part of a name: the function rebinds its parameter, or a caller passes a
/// computed value, as in `run(name.slice(PREFIX.length), args)`.
fn is_cut(cx: &Cx<'_>, item: &Item, body: ScopeId, function: &Function, name: &Param) -> bool {
    let facts = &item.facts;
    let around = |scope: ScopeId| std::iter::successors(Some(scope), |scope| facts.scope(*scope).parent);
    let mut inside = (0..facts.scopes.len() as u32).map(ScopeId).filter(|scope| around(*scope).any(|one| one == body));
    let rebinds = |scope: ScopeId| {
        let mut own = facts.scope(scope).bindings.iter();
        own.any(|binding| binding.name == name.name && !matches!(binding.value, Bound::Param { .. }))
    };
    if inside.any(rebinds) {
        return true;
    }
    let is_it = |value: &Bound| matches!(value, Bound::Value(Expr::Function { scope, .. }) if *scope == body);
    let own = facts.definition_of(body).map(|definition| &definition.name);
    let bound = facts.scopes.iter().flat_map(|scope| &scope.bindings).find(|binding| is_it(&binding.value));
    let Some(own) = own.or(bound.map(|binding| &binding.name)) else { return false };
    let Some(index) = function.params.iter().position(|param| param.name == name.name) else { return false };
    let index = index - usize::from(function.receiver && index > 0);
    let files = &cx.snapshot.files;
    files.files_calling(own).iter().any(|&file| {
        let items = files.facts(file).into_iter().flat_map(|facts| &facts.items);
        let calls = items.flat_map(|item| &item.facts.calls);
        let mut given =
            calls.filter(|call| call.callee.last_name() == Some(own)).filter_map(|call| call.args.get(index));
        given.any(|arg| !is_whole(&arg.value))
    })
}

/// Whether an expression yields a name unchanged, as `request.params.name` does.
fn is_whole(expr: &Expr) -> bool {
    match expr {
        Expr::Name { .. } | Expr::Text { .. } => true,
        Expr::Member { object, key: Key::Field(_), .. } => is_whole(object),
        _ => false,
    }
}

/// Returns the keys of a table, with their spans. The table is an object literal, or a variable of the item or of the
/// file's top level.
fn keys<'f>(file: &'f FileFacts, item: &'f Item, table: &'f Expr) -> Vec<(&'f str, Span)> {
    let (object, start) = match table {
        Expr::Name { name, .. } => {
            let mut own = item.facts.scopes.iter().flat_map(|scope| &scope.bindings);
            let bound = match own.find(|binding| binding.name == *name) {
                Some(binding) => Some((&binding.value, item.start)),
                None => file.top_level.get(name).and_then(|all| all.first()).and_then(|&(item, index)| {
                    let item = file.items.get(item as usize)?;
                    Some((&item.facts.scopes[0].bindings.get(index as usize)?.value, item.start))
                }),
            };
            match bound {
                Some((Bound::Value(value), start)) => (value, start),
                _ => return Vec::new(),
            }
        }
        object => (object, item.start),
    };
    let Expr::Object { props, .. } = object else { return Vec::new() };
    let key = |prop: &'f Prop| match prop {
        Prop::Pair { key: Expr::Text { text, span }, .. } => Some((text.as_str(), span.shifted(start))),
        _ => None,
    };
    props.iter().filter_map(key).collect()
}

/// The convention and the tool names against which a server's dispatch literals are checked.
struct Standard<'c, 'f> {
    cx: &'c Cx<'c>,
    literals: &'c Literals<'f>,
    convention: Cow<'c, Convention>,
    /// The names of the server's tools.
    names: FxHashSet<&'c str>,
    /// The same names, for near matches, if the server has no other tools.
    known: Option<Lookup>,
}

impl<'c, 'f> Standard<'c, 'f> {
    fn of(cx: &'c Cx<'c>, server: &'c Server, literals: &'c Literals<'f>) -> Standard<'c, 'f> {
        let convention = ours::convention(cx.snapshot, &cx.policy.convention, server);
        let names: FxHashSet<&str> = server.tools.iter().map(|tool| tool.name.as_str()).collect();
        let answered = server.answered.iter().map(|old| old.old.as_str());
        let known = server.is_complete().then(|| Lookup::of(names.iter().copied().chain(answered)));
        Standard { cx, literals, convention, names, known }
    }

    /// Whether a correction of the text is the name of one of the server's tools.
    fn is_meant(&self, text: &str) -> bool {
        let proposals = self.convention.propose(text, Context::default());
        proposals.iter().any(|name| self.names.contains(name.as_str()))
    }

    /// Returns the name of the tool that a text was probably meant to be: one that no other case answers.
    fn misspelt(&self, text: &str) -> Option<&str> {
        let known = self.known.as_ref().filter(|known| !known.has(text))?;
        known.nearest(text).filter(|near| !self.literals.beside.contains(near))
    }

    /// Checks one literal.
    fn judge(&self, text: &str, span: Span, diagnostics: &mut Vec<Diagnostic>) {
        let Standard { cx, literals, .. } = self;
        // If the text is the name of a registered tool, the rules about names report it.
        if self.names.contains(text) || cx.policy.allows(RULE.id, text) {
            return;
        }
        // Text with other characters is probably compared with an argument of a tool, as in `name = arguments["name"]`.
        if !text.chars().all(|c| c.is_ascii_alphanumeric() || c.is_ascii_punctuation()) {
            return;
        }
        let proposals = self.convention.propose(text, Context::default());
        // A server that also accepts the corrected name keeps the wrong one for existing callers.
        if proposals.iter().any(|right| literals.beside.contains(right.as_str())) {
            return;
        }
        if let Some(near) = self.misspelt(text) {
            let fixes = [near].into_iter().filter(|_| literals.is_quoted(cx, span));
            let fixes = fixes.map(|near| {
                Fix::replace(format!("change to `{near}`"), cx.file.id, span, near.to_string()).marked_unsafe()
            });
            let message = format!("no tool is called `{text}`; did you mean `{near}`?");
            diagnostics.push(cx.diagnostic(&RULE, span, message).with_fixes(fixes));
            return;
        }
        let only = proposals.len() == 1;
        for breach in self.convention.judge(text).into_iter().filter(|breach| breach.severity >= Severity::Warning) {
            let at: Span =
                if span.len() == text.len() { span.slice(breach.range.start, breach.range.end) } else { span };
            let fixes = proposals.iter().filter(|_| literals.is_quoted(cx, span)).map(|proposal| {
                let fix = Fix::replace(format!("change to `{proposal}`"), cx.file.id, span, proposal.clone());
                if only { fix.marked_unsafe() } else { fix.marked_unsafe().into_choice() }
            });
            let message = format!("`{text}`: {}", breach.message);
            diagnostics.push(cx.diagnostic(&RULE, at, message).with_fixes(fixes));
        }
    }
}

/// Returns the server of the file's package and language, if there is exactly one.
fn server_of<'a>(cx: &Cx<'a>) -> Option<&'a Server> {
    let files = &cx.snapshot.files;
    let root = files.package_root(cx.file.id);
    let root = if root.is_empty() { "." } else { root };
    let family = files.family(cx.file.id);
    let mut servers = cx.analysis.servers.iter().filter(|server| {
        let registered = server.tools.first().map(|tool| tool.registration.place.file);
        server.root == root && registered.is_none_or(|file| files.family(file) == family)
    });
    servers.next().filter(|_| servers.next().is_none())
}
