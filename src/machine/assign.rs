//! Names, and what values are bound and assigned to.

use smol_str::SmolStr;

use super::value::{Slot, Value};
use super::{At, Machine, Run, ScopeId};
use crate::code::{Declared, Expr, ExprKind, Target};
use crate::syntax::Family;

impl Machine<'_> {
    /// The value of a name.
    pub(super) fn name(&mut self, name: &SmolStr, at: At<'_>) -> Run<Value> {
        if let Some(scope) = self.heap.scope_of(at.scope, name)
            && let Some(value) = self.heap.own_name(scope, name).cloned()
        {
            // A binding of an import is the variable of the other module.
            return self.through(value);
        }
        if at.frame.family == Family::Rust {
            return self.item_or_crate(name, at);
        }
        Ok(self.global(name, at.frame))
    }

    pub(super) fn is_known_name(&mut self, name: &SmolStr, at: At<'_>) -> bool {
        self.heap.scope_of(at.scope, name).is_some()
    }

    /// Binds a name. With `Elsewhere`, the scope that declares it is looked up.
    pub(super) fn bind_name(&mut self, declared: Declared, name: &SmolStr, value: Value, at: At<'_>) {
        let scope = match declared {
            Declared::Block => at.scope,
            Declared::Function => self.declaring_scope(name, at),
            Declared::Elsewhere => self.assigned_scope(name, at),
        };
        self.heap.set_name(scope, name.clone(), value);
    }

    fn declaring_scope(&self, name: &SmolStr, at: At<'_>) -> ScopeId {
        let own = self.heap.function_around(at.scope);
        let elsewhere = &self.heap.scope(own).elsewhere;
        elsewhere.iter().find(|(declared, _)| declared == name).map_or(own, |(_, scope)| *scope)
    }

    /// The scope of a name that is assigned to without a declaration.
    fn assigned_scope(&self, name: &SmolStr, at: At<'_>) -> ScopeId {
        match at.frame.family {
            Family::Python => self.declaring_scope(name, at),
            _ => {
                let known = self.heap.scope_of(at.scope, name);
                known.or(self.module_scope(at.frame.site.file)).unwrap_or(at.scope)
            }
        }
    }

    /// Binds a value to a target; `declared` is `None` for an assignment.
    pub(super) fn bind(&mut self, target: &Target, value: Value, declared: Option<Declared>, at: At<'_>) -> Run<()> {
        match target {
            Target::Name { name, .. } => {
                self.bind_name(declared.unwrap_or(Declared::Elsewhere), name, value, at);
            }
            Target::Place(place) => self.assign_place(place, value, at)?,
            Target::Object { entries, rest } => {
                let mut taken = Vec::new();
                for entry in entries {
                    let key = self.eval(&entry.key, at)?;
                    taken.extend(self.key_of(&key));
                    let member = self.element(&value, &key, at.frame.site.place(entry.key.span))?;
                    let member = self.or_default(member, entry.default.as_ref(), &entry.target, at)?;
                    self.bind(&entry.target, member, declared, at)?;
                }
                if let Some(rest) = rest {
                    let others = self.without(&value, &taken);
                    self.bind(rest, others, declared, at)?;
                }
            }
            Target::List { elements, rest } => self.bind_list(elements, *rest, &value, declared, at)?,
            Target::Opaque(_) => {}
        }
        Ok(())
    }

    /// A value, or the default where it is undefined.
    fn or_default(&mut self, value: Value, default: Option<&Expr>, target: &Target, at: At<'_>) -> Run<Value> {
        let Some(default) = default else { return Ok(value) };
        let missing = value.options().iter().any(|option| matches!(option, Value::Undefined));
        if missing {
            let other = match target {
                Target::Name { name, .. } => self.eval_named(default, name, at)?,
                _ => self.eval(default, at)?,
            };
            let kept = value.options().iter().filter(|option| !matches!(option, Value::Undefined)).cloned();
            return Ok(Value::one_of(kept.chain([other])));
        }
        if let Value::Unknown(_) = value {
            let other = self.eval(default, at)?;
            return Ok(Value::one_of([other, value]));
        }
        Ok(value)
    }

    fn bind_list(
        &mut self,
        targets: &[Option<(Target, Option<Expr>)>],
        rest: Option<usize>,
        value: &Value,
        declared: Option<Declared>,
        at: At<'_>,
    ) -> Run<()> {
        let place = self.stack.last().copied().unwrap_or(at.frame.site.place(Default::default()));
        let source = self.elements_of(value, false, place)?;
        let missing = match &source.more {
            Some(more) => Value::Unknown(more.clone()),
            None => Value::Undefined,
        };
        let after = rest.map_or(0, |rest| targets.len() - rest - 1);
        let count = source.known.len();
        for (index, target) in targets.iter().enumerate() {
            let Some((target, default)) = target else { continue };
            let value = match rest {
                Some(rest) if index == rest => {
                    let taken: Vec<Slot> = source.known.get(rest..count.saturating_sub(after)).unwrap_or(&[]).to_vec();
                    let list = self.list(taken);
                    if let (Some(more), Some(id)) = (&source.more, list.as_object()) {
                        self.heap.change(id).more = Some(more.clone());
                    }
                    list
                }
                Some(rest) if index > rest => {
                    let place = (count + index).checked_sub(targets.len());
                    let slot = place.and_then(|place| source.known.get(place));
                    slot.map_or(missing.clone(), |slot| slot.value.clone())
                }
                _ => source.known.get(index).map_or(missing.clone(), |slot| match slot.perhaps {
                    false => slot.value.clone(),
                    true => Value::one_of([slot.value.clone(), Value::Undefined]),
                }),
            };
            let value = self.or_default(value, default.as_ref(), target, at)?;
            self.bind(target, value, declared, at)?;
        }
        Ok(())
    }

    /// The value of a target before it is changed: `x` in `x += 1`.
    pub(super) fn read(&mut self, target: &Target, at: At<'_>) -> Run<Value> {
        match target {
            Target::Name { name, .. } => self.name(name, at),
            Target::Place(place) => self.eval(place, at),
            _ => Ok(Value::unknown("a pattern used as a value")),
        }
    }

    fn assign_place(&mut self, place: &Expr, value: Value, at: At<'_>) -> Run<()> {
        match &place.kind {
            ExprKind::Member { object, key, at: key_span, .. } => {
                let object = match object.kind {
                    ExprKind::Super => at.frame.this.clone(),
                    _ => self.eval(object, at)?,
                };
                self.set_member(&object, key, value, at.frame.site.place(*key_span))
            }
            ExprKind::At { object, index, .. } => {
                let object = self.eval(object, at)?;
                let index = self.eval(index, at)?;
                self.set_element(&object, &index, value, at.frame.site.place(place.span))
            }
            ExprKind::Slice { object, from, to, step } => {
                let object = self.eval(object, at)?;
                let mut bound = |part: &Option<Box<Expr>>| part.as_ref().map(|part| self.eval(part, at)).transpose();
                let bounds = (bound(from)?, bound(to)?, bound(step)?);
                self.assign_slice(&object, bounds, &value)
            }
            _ => Ok(()),
        }
    }

    /// `list[from:to] = values`
    fn assign_slice(
        &mut self,
        object: &Value,
        (from, to, step): (Option<Value>, Option<Value>, Option<Value>),
        value: &Value,
    ) -> Run<()> {
        let place = self.here();
        let source = self.elements_of(value, false, place)?;
        let known = self.plain_list(object).filter(|_| step.is_none() && source.more.is_none());
        let bound = |value: &Option<Value>, default: usize, length: usize| match value {
            None | Some(Value::Null) => Some(default),
            Some(value) => {
                let index = value.as_number()? as i64;
                let index = if index < 0 { index + length as i64 } else { index };
                Some(index.clamp(0, length as i64) as usize)
            }
        };
        if let (Some(mut slots), Some(id)) = (known, object.as_object())
            && let (Some(from), Some(to)) = (bound(&from, 0, slots.len()), bound(&to, slots.len(), slots.len()))
        {
            slots.splice(from..to.max(from), source.known);
            self.heap.change(id).body = super::value::Body::List(slots);
            return Ok(());
        }
        self.spoil(object, "an assignment to a slice");
        Ok(())
    }

    pub(super) fn delete(&mut self, place: &Expr, at: At<'_>) -> Run<()> {
        match &place.kind {
            ExprKind::Member { object, key, .. } => {
                let object = self.eval(object, at)?;
                self.delete_member(&object, key);
            }
            ExprKind::At { object, index, .. } => {
                let object = self.eval(object, at)?;
                let index = self.eval(index, at)?;
                self.delete_element(&object, &index, at.frame.family);
            }
            ExprKind::Name(name) => {
                if let Some(scope) = self.heap.scope_of(at.scope, name) {
                    self.heap.remove_name(scope, name);
                }
            }
            ExprKind::Slice { object, from, to, step } => {
                let object = self.eval(object, at)?;
                let mut bound = |part: &Option<Box<Expr>>| part.as_ref().map(|part| self.eval(part, at)).transpose();
                let bounds = (bound(from)?, bound(to)?, bound(step)?);
                self.assign_slice(&object, bounds, &Value::Undefined)?;
            }
            _ => {}
        }
        Ok(())
    }
}
