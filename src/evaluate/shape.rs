//! Definitions that are recognised by their shape, wherever they occur. Which of them count although no registration
//! leads to them is decided when servers are assembled.

use std::sync::Arc;

use smol_str::SmolStr;

use super::environment::Ctx;
use super::expression::Evaluator;
use super::register::{MAX_ESCAPE_STEPS, METHOD, Site};
use super::value::Value;
use super::{Confidence, Dynamic, Found, Registration, Traced};
use crate::framework::{Form, FormId, On};
use crate::lower::{Arg, Definition, DefinitionKind, Expr, ItemFacts, Key, Prop};
use crate::syntax::Family;
use crate::text::{FileId, Span};

impl<'a> Evaluator<'a> {
    /// Records the objects, records and classes of an item that have the shape of a definition.
    pub(super) fn shapes(&self, family: Family, file: FileId, item: u32, found: &mut Found) {
        let frameworks = self.world.frameworks();
        let facts = self.item(file, item);
        for &id in frameworks.shapes(family) {
            let form = frameworks.form(id);
            if form.on == On::ClassShape {
                for definition in facts.definitions.iter().filter(|one| one.kind == DefinitionKind::Class) {
                    let members = &facts.scope(definition.body).bindings;
                    let has = |wanted: &SmolStr| members.iter().any(|member| member.name == *wanted);
                    if form.has.iter().all(|any| any.iter().any(has)) && !form.lacks.iter().any(has) {
                        let ctx = Ctx::new(file, item, definition.scope);
                        self.shaped(id, Some(definition), None, definition.span, &ctx, found);
                    }
                }
                continue;
            }
            for named in &facts.named_objects {
                let ctx = Ctx::new(file, item, named.scope);
                if self.has_shape(form, &named.object, &ctx) {
                    let object = Value::Expr(&named.object, ctx.clone());
                    self.shaped(id, None, Some(object), named.object.span(facts), &ctx, found);
                }
            }
        }
    }

    /// Whether an object or record has the keys of a definition, its own or those of an object that is spread in it,
    /// and no key that shows it is something else.
    fn has_shape(&self, form: &Form, object: &'a Expr, ctx: &Ctx<'a>) -> bool {
        let facts = self.item(ctx.file, ctx.item);
        let spread = match object {
            Expr::Object { props, .. } => props.iter().any(|prop| matches!(prop, Prop::Spread(_))),
            _ => false,
        };
        let value = |key: &str| match entry(object, facts, key) {
            Some(written) => self.eval(written, ctx),
            None => self.member(&Value::Expr(object, ctx.clone()), &Key::Field(key.into())),
        };
        let has = |key: &SmolStr| match entry(object, facts, key) {
            Some(_) => true,
            None => spread && !matches!(value(key), Value::Absent | Value::Unknown(_)),
        };
        let is = |unwanted: &SmolStr| match unwanted.split_once('=') {
            None => has(unwanted),
            Some((key, wanted)) => has(&key.into()) && matches!(value(key), Value::Text(text) if text.is(wanted)),
        };
        if spread {
            self.refuel(MAX_ESCAPE_STEPS);
        }
        form.has.iter().all(|any| any.iter().any(has)) && !form.lacks.iter().any(is)
    }

    /// Records the registration of a definition that is recognised by its shape.
    fn shaped(
        &self,
        id: FormId,
        definition: Option<&'a Definition>,
        object: Option<Value<'a>>,
        span: Span,
        ctx: &Ctx<'a>,
        found: &mut Found,
    ) {
        self.refuel(MAX_ESCAPE_STEPS);
        let form = self.world.frameworks().form(id);
        let site = Site { callee: &METHOD, args: &[], call: None, definition, span };
        let text = |selectors| match self.first(selectors, &site, ctx, object.as_ref()) {
            Some(Value::Text(text)) if text.unknown().is_none() => Some(text),
            _ => None,
        };
        // A text with whitespace is a title.
        let is_name = |name: &Traced| !name.text().is_empty() && !name.text().contains(char::is_whitespace);
        let Some(name) = text(&form.name).filter(is_name) else { return };
        found.shaped.push(Arc::new(Registration {
            kind: form.kind,
            framework: id.framework,
            name,
            title: text(&form.title),
            untitled: self.first(&form.title, &site, ctx, object.as_ref()).is_none(),
            title_place: None,
            description: text(&form.description),
            annotations: self.annotations(&form.annotations, &site, ctx, object.as_ref()),
            schema: self.place_at(&form.schema, &site, ctx, object.as_ref()),
            handler: self.place_at(&form.handler, &site, ctx, object.as_ref()),
            servers: Vec::new(),
            place: ctx.place(span),
            naming: None,
            body: self.body(ctx),
            conditional: true,
            filtered: false,
            listed: true,
            listing: None,
            mounted: 0,
            keys: Vec::new(),
            // A class that can be run is meant to be a tool; an object may be an example, or be renamed later.
            confidence: if definition.is_some() { Confidence::Derived } else { Confidence::Heuristic },
        }));
    }

    /// Records the protocol messages that the project distinguishes itself, without a framework.
    pub(super) fn compared(&self, family: Family, file: FileId, item: u32, found: &mut Found) {
        let frameworks = self.world.frameworks();
        for comparison in &self.item(file, item).comparisons {
            for &id in frameworks.candidates(family, &comparison.text) {
                let form = frameworks.form(id);
                if form.on == On::Compared {
                    found.dynamics.push(Dynamic {
                        place: Ctx::new(file, item, comparison.scope).place(comparison.span),
                        partial: None,
                        reason: form.reason.clone().unwrap_or_default().to_string().into(),
                        servers: Arc::default(),
                        is_said: false,
                        by_hand: true,
                    });
                }
            }
        }
    }
}

/// The value that is written in an object or record under a key; `None` if the key is not written in it.
fn entry<'e>(object: &'e Expr, facts: &'e ItemFacts, wanted: &str) -> Option<&'e Expr> {
    match object {
        Expr::Object { props, .. } => props.iter().find_map(|prop| match prop {
            Prop::Pair { key: Expr::Text { text, .. }, value } if text == wanted => Some(value),
            _ => None,
        }),
        Expr::Call(id) => {
            let named = |arg: &&Arg| arg.name.as_ref().is_some_and(|name| name == wanted);
            facts.call(*id).args.iter().find(named).map(|arg| &arg.value)
        }
        _ => None,
    }
}
