//! Functions of every kind, and the ways to call them.

use super::{Form, Py, Value, atom, def, operand, suite_of};

pub(super) const FORMS: &[Form] = &[
    ("def", Py::by_def),
    ("lambda", Py::by_lambda),
    ("default parameter", Py::by_default),
    ("*args", Py::by_args),
    ("**kwargs", Py::by_kwargs),
    ("keyword-only parameter", Py::by_keyword_only),
    ("positional-only parameter", Py::by_positional_only),
    ("call with *list", Py::by_star_call),
    ("call with **dict", Py::by_double_star_call),
    ("closure", Py::by_closure),
    ("nested function", Py::by_nested_function),
    ("functools.partial", Py::by_partial),
    ("decorator with wraps", Py::by_wraps),
    ("decorator with arguments", Py::by_decorator_with_arguments),
    ("decorator that replaces", Py::by_replacing_decorator),
    ("functools.cache", Py::by_cache),
    ("recursion", Py::by_recursion),
    ("async function", Py::by_async),
    ("asyncio.run", Py::by_asyncio_run),
    ("asyncio.gather", Py::by_gather),
    ("currying", Py::by_currying),
    ("callback", Py::by_callback),
    ("function attribute", Py::by_attribute),
    ("identity function", Py::by_identity),
    ("early return", Py::by_early_return),
    ("operator.itemgetter", Py::by_itemgetter),
    ("mutable default", Py::by_mutable_default),
    ("dispatch table", Py::by_dispatch),
];

/// Forms where `await` may be used.
pub(super) const AWAITING: &[Form] =
    &[("async function", Py::by_async), ("asyncio.gather", Py::by_gather), ("async generator", Py::by_async_generator)];

const NAMES: &[&str] = &["make", "build", "create", "get", "resolve", "compute", "choose"];

impl Py {
    fn by_def(&mut self, value: &Value, depth: u32) -> Option<String> {
        self.somewhere(|py| {
            let name = py.fresh(NAMES);
            let suite = py.returning(false, |py| py.value(value, depth));
            py.emit(def(&name, "", &suite));
            Some(format!("{name}()"))
        })
    }

    fn by_lambda(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (text, name) = (self.still(value, depth), self.fresh(NAMES));
        if self.chance(40) {
            return Some(format!("(lambda: {text})()"));
        }
        self.emit(format!("{name} = lambda: {text}"));
        Some(format!("{name}()"))
    }

    fn by_default(&mut self, value: &Value, depth: u32) -> Option<String> {
        self.somewhere(|py| {
            let name = py.fresh(NAMES);
            let text = py.still(value, depth);
            py.emit(def(&name, &format!("given={text}"), "    return given"));
            Some(format!("{name}()"))
        })
    }

    fn by_args(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.somewhere(|py| {
            let name = py.fresh(&["last_of", "pick", "variadic"]);
            let body = py.pick(&["    return args[-1]", "    first, *rest = args\n    return rest[0]"]);
            py.emit(def(&name, "*args", body));
            name
        });
        let decoy = self.decoy(value);
        let (other, text) = (self.value(&decoy, depth), self.value(value, depth));
        Some(format!("{name}({other}, {text})"))
    }

    fn by_kwargs(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.somewhere(|py| {
            let name = py.fresh(&["options", "settings_of", "configure"]);
            let body = py.pick(&[
                "    return kwargs[\"it\"]",
                "    return kwargs.get(\"it\")",
                "    return kwargs.pop(\"it\", None)",
                "    return dict(**kwargs)[\"it\"]",
            ]);
            py.emit(def(&name, "**kwargs", body));
            name
        });
        let text = self.value(value, depth);
        Some(format!("{name}(other=1, it={text})"))
    }

    fn by_keyword_only(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, decoy) = (self.fresh(NAMES), self.decoy(value));
        let other = self.still(&decoy, depth);
        self.emit(def(&name, &format!("first=None, *, it={other}, **_"), "    return it"));
        let text = self.value(value, depth);
        Some(format!("{name}(it={text}, more=2)"))
    }

    fn by_positional_only(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.fresh(NAMES);
        self.emit(def(&name, "first, second, /, *, third=None", "    return second"));
        let (text, decoy) = (self.value(value, depth), self.decoy(value));
        let other = self.value(&decoy, depth);
        Some(format!("{name}({other}, {text}, third=0)"))
    }

    fn by_star_call(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.fresh(&["second", "select"]);
        self.emit(def(&name, "first, second", "    return second"));
        let decoy = self.decoy(value);
        let text = self.value(&Value::List(vec![decoy, value.clone()]), depth);
        Some(format!("{name}(*{})", operand(&text)))
    }

    fn by_double_star_call(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.fresh(&["second", "select"]);
        self.emit(def(&name, "first, second=None", "    return second"));
        let decoy = self.decoy(value);
        let fields = vec![("first".to_string(), decoy), ("second".to_string(), value.clone())];
        let text = self.value(&Value::Record(fields), depth);
        Some(format!("{name}(**{})", operand(&text)))
    }

    fn by_closure(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.somewhere(|py| {
            let name = py.fresh(&["make_getter", "constant", "lazy"]);
            let body = py.pick(&[
                "    return lambda: value",
                "    def inner():\n        return value\n\n    return inner",
                "    kept = value\n    return lambda default=None: kept or default",
            ]);
            py.emit(def(&name, "value", body));
            name
        });
        let (text, getter) = (self.value(value, depth), self.fresh(&["getter", "thunk"]));
        if matches!(value, Value::Flag(_) | Value::Number(_))
            || matches!(value, Value::List(all) if all.is_empty())
            || value.as_text() == Some("")
        {
            return Some(format!("(lambda it: it)({text})"));
        }
        if self.chance(50) {
            return Some(format!("{name}({text})()"));
        }
        self.emit(format!("{getter} = {name}({text})"));
        Some(format!("{getter}()"))
    }

    fn by_nested_function(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (outer, inner) = (self.fresh(NAMES), self.fresh(&["inner", "helper", "step"]));
        let suite = self.returning(false, |py| {
            let suite = py.returning(false, |py| py.value(value, depth));
            py.emit(def(&inner, "", &suite));
            format!("{inner}()")
        });
        self.emit(def(&outer, "", &suite));
        Some(format!("{outer}()"))
    }

    fn by_partial(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (partial, name) = (self.std("functools", "partial"), self.fresh(&["combine", "pick_one"]));
        self.emit(def(&name, "first, second, third=None", "    return third if first is None else second"));
        let (text, decoy) = (self.value(value, depth), self.decoy(value));
        let other = self.value(&decoy, depth);
        Some(match self.below(3) {
            0 => format!("{partial}({name}, 1)({text})"),
            1 => format!("{partial}({name}, third={text})(None, {other})"),
            _ => {
                let bound = self.fresh(&["bound", "prepared"]);
                self.emit(format!("{bound} = {partial}({name}, 0, {text})"));
                format!("{bound}()")
            }
        })
    }

    fn by_wraps(&mut self, value: &Value, depth: u32) -> Option<String> {
        let wraps = self.std("functools", "wraps");
        let decorator = self.at_top(|py| {
            let decorator = py.fresh(&["traced", "logged", "checked"]);
            let inner = suite_of(&[
                format!("@{wraps}(function)"),
                def("wrapper", "*args, **kwargs", "    return function(*args, **kwargs)"),
                "return wrapper".to_string(),
            ]);
            py.emit(def(&decorator, "function", &inner));
            decorator
        });
        let name = self.fresh(NAMES);
        let suite = self.returning(false, |py| py.value(value, depth));
        self.emit(format!("@{decorator}\n{}", def(&name, "", &suite)));
        if value.as_text() == Some(name.as_str()) {
            return Some(format!("{name}.__name__"));
        }
        Some(format!("{name}()"))
    }

    fn by_decorator_with_arguments(&mut self, value: &Value, depth: u32) -> Option<String> {
        let decorator = self.at_top(|py| {
            let decorator = py.fresh(&["with_value", "bind_to", "annotate"]);
            let inner = suite_of(&[
                def(
                    "decorate",
                    "function",
                    &suite_of(&["function.detail = value".to_string(), "return function".to_string()]),
                ),
                "return decorate".to_string(),
            ]);
            py.emit(def(&decorator, "value, *, unused=None", &inner));
            decorator
        });
        let (text, name) = (self.value(value, depth), self.fresh(NAMES));
        self.emit(format!("@{decorator}({text})\n{}", def(&name, "", "    ...")));
        Some(format!("{name}.detail"))
    }

    fn by_replacing_decorator(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.name_for(value);
        let caller = self.fresh(&["once", "evaluated", "call"]);
        self.emit(def(&caller, "function", "    return function()"));
        let suite = self.returning(false, |py| py.value(value, depth));
        self.emit(format!("@{caller}\n{}", def(&name, "", &suite)));
        Some(name)
    }

    fn by_cache(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (kind, name) = (self.pick(&["cache", "lru_cache"]), self.fresh(&["cached", "load", "settings"]));
        let cache = self.std("functools", kind);
        let call = if kind == "lru_cache" { self.pick(&["()", "(maxsize=None)", ""]) } else { "" };
        let suite = self.returning(false, |py| py.value(value, depth));
        self.emit(format!("@{cache}{call}\n{}\n{name}()", def(&name, "", &suite)));
        Some(format!("{name}()"))
    }

    fn by_recursion(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, text) = (self.fresh(&["down", "descend", "again"]), self.value(value, depth));
        let body = format!("    if left == 0:\n        return value\n    return {name}(left - 1, value)");
        self.emit(def(&name, "left, value", &body));
        let turns = 1 + self.below(4);
        let turns = self.number(turns, depth);
        Some(format!("{name}({turns}, {text})"))
    }

    fn by_async(&mut self, value: &Value, depth: u32) -> Option<String> {
        if !self.core.awaits() {
            return None;
        }
        let name = self.somewhere(|py| {
            let name = py.fresh(&["load", "fetch", "prepare", "read"]);
            let suite = py.returning(true, |py| py.value(value, depth));
            py.emit(format!("async {}", def(&name, "", &suite)));
            name
        });
        Some(format!("await {name}()"))
    }

    fn by_asyncio_run(&mut self, value: &Value, depth: u32) -> Option<String> {
        // A loop cannot be started where another one runs.
        if !self.core.is_top() || self.core.awaits() {
            return None;
        }
        let (run, name) = (self.std("asyncio", "run"), self.fresh(&["main", "load", "collect"]));
        let suite = self.returning(true, |py| py.value(value, depth));
        self.emit(format!("async {}", def(&name, "", &suite)));
        let result = self.name_for(value);
        self.emit(format!("{result} = {run}({name}())"));
        Some(result)
    }

    fn by_gather(&mut self, value: &Value, depth: u32) -> Option<String> {
        if !self.core.awaits() {
            return None;
        }
        let (gather, name) = (self.std("asyncio", "gather"), self.fresh(&["echo", "later"]));
        self.emit(format!("async {}", def(&name, "value", "    return value")));
        let (text, decoy) = (self.value(value, depth), self.decoy(value));
        let other = self.value(&decoy, depth);
        Some(match self.below(2) {
            0 => format!("(await {gather}({name}({other}), {name}({text})))[1]"),
            _ => format!("(await {gather}(*[{name}(it) for it in [{}]]))[0]", self.unbound(&text)),
        })
    }

    fn by_currying(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.at_top(|py| {
            let name = py.fresh(&["curry", "either"]);
            py.emit(format!("{name} = lambda flag: lambda left: lambda right: left if flag else right"));
            name
        });
        let decoy = self.decoy(value);
        let (flag, left, right) = (self.flag(true, depth), self.value(value, depth), self.value(&decoy, depth));
        Some(format!("{name}({flag})({left})({right})"))
    }

    fn by_callback(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.fresh(&["with_value", "use", "apply"]);
        let suite = self.returning(false, |py| {
            let text = py.value(value, depth);
            format!("callback({text})")
        });
        self.emit(def(&name, "callback", &suite));
        Some(format!("{name}(lambda given: given)"))
    }

    fn by_attribute(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, text) = (self.fresh(&["plugin", "command", "action"]), self.value(value, depth));
        let key = self.pick(&["detail", "__doc__"]);
        self.emit(format!("{}\n{name}.{key} = {text}", def(&name, "", "    ...")));
        Some(format!("{name}.{key}"))
    }

    fn by_identity(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.somewhere(|py| {
            let name = py.fresh(&["same", "identity", "passed", "define"]);
            match py.below(3) {
                0 => py.emit(format!("{name} = lambda value: value")),
                1 => py.emit(def(&name, "value", "    kept = value\n    return kept")),
                _ => py.emit(def(
                    &name,
                    "value: object = None, *rest: object",
                    "    \"\"\"Returns it.\"\"\"\n    return value",
                )),
            }
            name
        });
        let text = self.value(value, depth);
        Some(format!("{name}({text})"))
    }

    fn by_early_return(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, decoy, truth) = (self.fresh(NAMES), self.decoy(value), self.chance(50));
        let (lines, ()) = self.block(false, |py| {
            let test = py.flag(truth, depth);
            let (first, last) = if truth { (value, &decoy) } else { (&decoy, value) };
            let suite = py.returning(false, |py| py.value(first, depth));
            py.emit(format!("if {test}:\n{suite}"));
            let last = py.value(last, depth);
            py.emit(format!("return {last}"));
        });
        self.emit(def(&name, "", &suite_of(&lines)));
        Some(format!("{name}()"))
    }

    fn by_itemgetter(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = self.value(value, depth);
        Some(match self.below(3) {
            0 => format!("{}(\"it\")({{\"it\": {text}}})", self.std("operator", "itemgetter")),
            1 => format!("{}([0, {text}], 1)", self.std("operator", "getitem")),
            _ => {
                let (getter, space) = (self.std("operator", "attrgetter"), self.std("types", "SimpleNamespace"));
                format!("{getter}(\"it\")({space}(it={text}))")
            }
        })
    }

    fn by_mutable_default(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, text) = (self.fresh(&["remember", "collect_all"]), self.value(value, depth));
        self.emit(def(
            &name,
            "item=None, kept=[]",
            "    if item is not None:\n        kept.append(item)\n    return kept",
        ));
        self.emit(format!("{name}({text})"));
        Some(format!("{name}()[0]"))
    }

    fn by_dispatch(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (first, second, table) =
            (self.fresh(&["on_a", "when_a"]), self.fresh(&["on_b", "when_b"]), self.fresh(&["dispatch", "ACTIONS"]));
        let decoy = self.decoy(value);
        let suite = self.returning(false, |py| py.value(&decoy, depth));
        self.emit(def(&first, "", &suite));
        let suite = self.returning(false, |py| py.value(value, depth));
        self.emit(def(&second, "", &suite));
        let key = self.text("b", depth);
        self.emit(format!("{table} = {{\"a\": {first}, \"b\": {second}}}"));
        Some(format!("{}()", atom(&format!("{table}[{key}]"))))
    }
}
