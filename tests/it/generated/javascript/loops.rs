//! Loops of every kind that register each definition of a list.

use super::turns::{Batch, Element};
use super::{Js, Value, atom, braced};

/// A loop over a batch; `None` if it does not suit the batch.
pub(super) type Loop = fn(&mut Js, &str, &Batch, u32) -> Option<()>;

pub(super) const FORMS: &[(&str, Loop)] = &[
    ("loop: for-of", Js::loop_for_of),
    ("loop: sorted", Js::loop_sorted),
    ("loop: counted", Js::loop_counted),
    ("loop: counted down", Js::loop_counted_down),
    ("loop: for-in of indexes", Js::loop_for_in),
    ("loop: while with index", Js::loop_while),
    ("loop: while with shift", Js::loop_shift),
    ("loop: while with pop", Js::loop_pop),
    ("loop: do while", Js::loop_do),
    ("loop: endless with break", Js::loop_endless),
    ("loop: forEach", Js::loop_for_each),
    ("loop: map", Js::loop_map),
    ("loop: reduce", Js::loop_reduce),
    ("loop: every and some", Js::loop_every),
    ("loop: entries()", Js::loop_entries),
    ("loop: iterator protocol", Js::loop_iterator),
    ("loop: for await", Js::loop_for_await),
    ("loop: labelled groups", Js::loop_groups),
    ("loop: recursion", Js::loop_recursion),
    ("loop: Promise.all", Js::loop_promise_all),
    ("loop: promise chain", Js::loop_promise_chain),
    ("loop: Array.from", Js::loop_array_from),
    ("loop: generator", Js::loop_generator),
    ("loop: Set", Js::loop_set),
    ("loop: Map entries", Js::loop_map_entries),
    ("loop: Map forEach", Js::loop_map_for_each),
    ("loop: Object.entries", Js::loop_object_entries),
    ("loop: Object.keys", Js::loop_object_keys),
    ("loop: for-in of table", Js::loop_table_for_in),
    ("loop: Object.values", Js::loop_object_values),
    ("loop: switch on kind", Js::loop_switch),
    ("loop: try in turn", Js::loop_try),
    ("loop: filter and map chain", Js::loop_chain),
    ("loop: named function", Js::loop_named_function),
];

impl Js {
    /// The block of a loop that handles one definition.
    fn turn_block(&mut self, server: &str, batch: &Batch, element: &Element, leave: &str, depth: u32) -> String {
        self.braces(|js| js.turn(server, batch, element, leave, depth))
    }

    /// The block of a function that handles one definition, in which `await` may not be used.
    fn turn_body(&mut self, server: &str, batch: &Batch, element: &Element, depth: u32) -> Vec<String> {
        self.block(false, |js| js.turn(server, batch, element, "return", depth)).0
    }

    fn list_name(&mut self, batch: &Batch, depth: u32) -> String {
        let list = self.list(batch, depth);
        self.named(&["tools", "definitions", "list", "names", "specs"], &list)
    }

    fn loop_for_of(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let list = self.list(batch, depth);
        let (pattern, element) = self.pattern(batch);
        let declared = self.pick(&["const", "const", "let", "var"]);
        let body = self.turn_block(server, batch, &element, "continue", depth);
        self.emit(format!("for ({declared} {pattern} of {list}) {body}"));
        Some(())
    }

    fn loop_sorted(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let list = atom(&self.list(batch, depth));
        let key = batch.key.map(|key| format!(".{key}")).unwrap_or_default();
        let order =
            self.pick(&["aK.localeCompare(bK)", "bK.localeCompare(aK)", "aK < bK ? -1 : 1", "aK.length - bK.length"]);
        let method = self.pick(&["slice().sort", "toSorted"]);
        let (pattern, element) = self.pattern(batch);
        let body = self.turn_block(server, batch, &element, "continue", depth);
        self.emit(format!("for (const {pattern} of {list}.{method}((a, b) => {})) {body}", order.replace('K', &key)));
        Some(())
    }

    fn loop_counted(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let (list, index) = (self.list_name(batch, depth), self.fresh(&["i", "at", "index"]));
        let body = self.braces(|js| {
            let element = if js.chance(50) {
                let (pattern, element) = js.pattern(batch);
                js.emit(format!("const {pattern} = {list}[{index}];"));
                element
            } else {
                Element::Whole(format!("{list}[{index}]"))
            };
            js.turn(server, batch, &element, "continue", depth);
        });
        let step = self.pick(&["I++", "++I", "I += 1"]).replace('I', &index);
        self.emit(format!("for (let {index} = 0; {index} < {list}.length; {step}) {body}"));
        Some(())
    }

    fn loop_counted_down(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let (list, index) = (self.list_name(batch, depth), self.fresh(&["i", "at", "index"]));
        let element = Element::Whole(format!("{list}[{index}]"));
        let body = self.turn_block(server, batch, &element, "continue", depth);
        self.emit(format!("for (let {index} = {list}.length - 1; {index} >= 0; {index}--) {body}"));
        Some(())
    }

    fn loop_for_in(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let (list, index) = (self.list_name(batch, depth), self.fresh(&["at", "index", "position"]));
        let element = Element::Whole(format!("{list}[{index}]"));
        let body = self.turn_block(server, batch, &element, "continue", depth);
        self.emit(format!("for (const {index} in {list}) {body}"));
        Some(())
    }

    fn loop_while(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let (list, index) = (self.list_name(batch, depth), self.fresh(&["i", "at", "index"]));
        let body = self.braces(|js| {
            let (pattern, element) = js.pattern(batch);
            js.emit(format!("const {pattern} = {list}[{index}++];"));
            js.turn(server, batch, &element, "continue", depth);
        });
        self.emit(format!("let {index} = 0;\nwhile ({index} < {list}.length) {body}"));
        Some(())
    }

    fn loop_shift(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let (list, queue) = (self.list(batch, depth), self.fresh(&["queue", "pending", "todo"]));
        self.emit(format!("const {queue} = [...{}];", atom(&list)));
        let body = self.braces(|js| {
            let (pattern, element) = js.pattern(batch);
            js.emit(format!("const {pattern} = {queue}.shift();"));
            js.turn(server, batch, &element, "continue", depth);
        });
        self.emit(format!("while ({queue}.length > 0) {body}"));
        Some(())
    }

    fn loop_pop(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let (list, queue) = (self.list(batch, depth), self.fresh(&["stack", "pending", "todo"]));
        let next = self.fresh(&["next", "current", "top"]);
        self.emit(format!("const {queue} = {}.slice();\nlet {next};", atom(&list)));
        let element = Element::Whole(next.clone());
        let body = self.turn_block(server, batch, &element, "continue", depth);
        self.emit(format!("while (({next} = {queue}.pop()) !== undefined) {body}"));
        Some(())
    }

    fn loop_do(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let (list, index) = (self.list_name(batch, depth), self.fresh(&["i", "at", "index"]));
        let body = self.braces(|js| {
            let current = js.fresh(&["current", "tool", "next"]);
            js.emit(format!("const {current} = {list}[{index}];\n{index} += 1;"));
            js.turn(server, batch, &Element::Whole(current), "continue", depth);
        });
        self.emit(format!("let {index} = 0;\ndo {body} while ({index} < {list}.length);"));
        Some(())
    }

    fn loop_endless(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let (list, index) = (self.list_name(batch, depth), self.fresh(&["i", "at", "index"]));
        let head = self.pick(&["for (;;)", "while (true)"]);
        let body = self.braces(|js| {
            js.emit(format!("if ({index} >= {list}.length) break;"));
            let current = js.fresh(&["current", "tool", "next"]);
            js.emit(format!("const {current} = {list}[{index}++];"));
            js.turn(server, batch, &Element::Whole(current), "continue", depth);
        });
        self.emit(format!("let {index} = 0;\n{head} {body}"));
        Some(())
    }

    fn loop_for_each(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let list = atom(&self.list(batch, depth));
        let (pattern, element) = self.pattern(batch);
        let body = braced(&self.turn_body(server, batch, &element, depth));
        let index = self.fresh(&["at", "index"]);
        let function = match self.below(3) {
            0 => format!("function ({pattern}) {body}"),
            1 => format!("({pattern}, {index}) => {body}"),
            _ => format!("({pattern}) => {body}"),
        };
        self.emit(format!("{list}.forEach({function});"));
        Some(())
    }

    fn loop_map(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let list = atom(&self.list(batch, depth));
        let (pattern, element) = self.pattern(batch);
        let mut body = self.turn_body(server, batch, &element, depth);
        body.push("return true;".to_string());
        let name = self.fresh(&["registered", "handles", "results"]);
        let method = self.pick(&["map", "flatMap", "filter"]);
        self.emit(format!("const {name} = {list}.{method}(({pattern}) => {});", braced(&body)));
        Some(())
    }

    fn loop_reduce(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let list = atom(&self.list(batch, depth));
        let (pattern, element) = self.pattern(batch);
        let count = self.fresh(&["count", "done", "total"]);
        let leave = format!("return {count}");
        let mut body = self.block(false, |js| js.turn(server, batch, &element, &leave, depth)).0;
        body.push(format!("return {count} + 1;"));
        self.emit(format!("{list}.reduce(({count}, {pattern}) => {}, 0);", braced(&body)));
        Some(())
    }

    fn loop_every(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let list = atom(&self.list(batch, depth));
        let (pattern, element) = self.pattern(batch);
        let is_every = self.chance(50);
        let (method, result) = if is_every { ("every", "true") } else { ("some", "false") };
        let mut body = self.block(false, |js| js.turn(server, batch, &element, &format!("return {result}"), depth)).0;
        body.push(format!("return {result};"));
        self.emit(format!("{list}.{method}(({pattern}) => {});", braced(&body)));
        Some(())
    }

    fn loop_entries(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let list = atom(&self.list(batch, depth));
        let (pattern, element) = self.pattern(batch);
        let index = self.fresh(&["at", "index", "number"]);
        let body = self.turn_block(server, batch, &element, "continue", depth);
        self.emit(format!("for (const [{index}, {pattern}] of {list}.entries()) {body}"));
        Some(())
    }

    fn loop_iterator(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let list = atom(&self.list(batch, depth));
        let (iterator, step) = (self.fresh(&["iterator", "cursor"]), self.fresh(&["step", "result"]));
        let get = self.pick(&["[Symbol.iterator]()", ".values()"]);
        self.emit(format!("const {iterator} = {list}{get};"));
        let element = Element::Whole(format!("{step}.value"));
        let body = self.turn_block(server, batch, &element, "continue", depth);
        self.emit(format!("for (let {step} = {iterator}.next(); !{step}.done; {step} = {iterator}.next()) {body}"));
        Some(())
    }

    fn loop_for_await(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        if !self.core.awaits() {
            return None;
        }
        let list = atom(&self.list(batch, depth));
        let (pattern, element) = self.pattern(batch);
        let source = self.pick(&["L", "L.map((it) => Promise.resolve(it))", "L.map(async (it) => it)"]);
        let body = self.turn_block(server, batch, &element, "continue", depth);
        self.emit(format!("for await (const {pattern} of {}) {body}", source.replace('L', &list)));
        Some(())
    }

    fn loop_groups(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        if batch.given.is_some() {
            return None;
        }
        let Value::List(all) = self.list_value(batch) else { return None };
        let (left, right) = all.split_at(self.below(all.len() + 1));
        let is_keyed = self.chance(50);
        let group = |tools: &[Value]| {
            let tools = Value::List(tools.to_vec());
            if is_keyed { Value::Record(vec![("members".into(), tools)]) } else { tools }
        };
        let source = self.value(&Value::List(vec![group(left), group(&[]), group(right)]), depth);
        let (outer, label) = (self.fresh(&["group", "section"]), self.fresh(&["groups", "outer"]));
        let inner = if is_keyed { format!("{outer}.members") } else { outer.clone() };
        let body = self.braces(|js| {
            js.emit(format!("if ({inner}.length === 0) continue {label};"));
            let (pattern, element) = js.pattern(batch);
            let turn = js.turn_block(server, batch, &element, "continue", depth);
            js.emit(format!("for (const {pattern} of {inner}) {turn}"));
        });
        self.emit(format!("{label}: for (const {outer} of {source}) {body}"));
        Some(())
    }

    fn loop_recursion(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let list = self.list(batch, depth);
        let name = self.fresh(&["registerNext", "step", "visit"]);
        let (all, at) = (self.fresh(&["first", "left"]), self.fresh(&["rest", "at"]));
        let (params, end, first, next, argument) = if self.chance(50) {
            let params = format!("[{all}, ...{at}]");
            (params, format!("{all} === undefined"), all.clone(), format!("{name}({at})"), all)
        } else {
            let next = format!("{name}({all}, {at} + 1)");
            let params = format!("{all}, {at} = 0");
            (params, format!("{at} === {all}.length"), format!("{all}[{at}]"), next, format!("{all}, {at}"))
        };
        let body = braced(&self.turn_body(server, batch, &Element::Whole(first), depth));
        let one = self.fresh(&["handleOne", "registerOne"]);
        self.emit(format!(
            "function {one}({argument}) {body}\nfunction {name}({params}) {{\n  if ({end}) return;\n  {one}({argument});\n  {next};\n}}\n{name}({list});"
        ));
        Some(())
    }

    fn loop_promise_all(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        if !self.core.awaits() {
            return None;
        }
        let list = atom(&self.list(batch, depth));
        let (pattern, element) = self.pattern(batch);
        let (body, ()) = self.block(true, |js| {
            if js.chance(30) {
                js.emit("await null;");
            }
            js.turn(server, batch, &element, "return", depth.min(1));
        });
        self.emit(format!("await Promise.all({list}.map(async ({pattern}) => {}));", braced(&body)));
        Some(())
    }

    fn loop_promise_chain(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        if !self.core.awaits() {
            return None;
        }
        let list = atom(&self.list(batch, depth));
        let (pattern, element) = self.pattern(batch);
        let mut body = self.turn_body(server, batch, &element, depth);
        body.push("return null;".to_string());
        let chain = self.fresh(&["chain", "previous"]);
        let chained = match self.below(2) {
            0 => format!(
                "{list}.reduce(({chain}, {pattern}) => {chain}.then(() => {}), Promise.resolve())",
                braced(&body)
            ),
            _ => format!("Promise.resolve({list}).then((all) => all.map(({pattern}) => {}))", braced(&body)),
        };
        self.emit(format!("await {chained};"));
        Some(())
    }

    fn loop_array_from(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let list = self.list(batch, depth);
        let (pattern, element) = self.pattern(batch);
        let body = self.turn_body(server, batch, &element, depth);
        self.emit(format!("Array.from({list}, ({pattern}) => {});", braced(&body)));
        Some(())
    }

    fn loop_generator(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        if batch.given.is_some() {
            return None;
        }
        let Value::List(all) = self.list_value(batch) else { return None };
        let name = self.fresh(&["definitions", "eachTool", "toolSource"]);
        let (lines, ()) = self.block(false, |js| {
            for element in &all {
                let text = js.value(element, depth);
                js.emit(format!("yield {text};"));
            }
        });
        self.emit(format!("function* {name}() {}", braced(&lines)));
        let (pattern, element) = self.pattern(batch);
        let body = self.turn_block(server, batch, &element, "continue", depth);
        self.emit(format!("for (const {pattern} of {name}()) {body}"));
        Some(())
    }

    fn loop_set(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let list = self.list(batch, depth);
        let set = self.fresh(&["set", "unique", "wanted"]);
        self.emit(format!("const {set} = new Set({list});"));
        let (pattern, element) = self.pattern(batch);
        if self.chance(50) {
            let body = self.turn_body(server, batch, &element, depth);
            self.emit(format!("{set}.forEach(({pattern}) => {});", braced(&body)));
        } else {
            let body = self.turn_block(server, batch, &element, "continue", depth);
            self.emit(format!("for (const {pattern} of {set}) {body}"));
        }
        Some(())
    }

    /// The definitions as a table from their names; what the body reads is the key alone.
    fn table(&mut self, batch: &Batch) -> Option<(Batch, Value)> {
        let is_index = |name: &String| name.starts_with(|first: char| first.is_ascii_digit());
        if batch.given.is_some() || batch.names.iter().any(is_index) {
            return None;
        }
        let with_handler = self.chance(50);
        let mut fields = Vec::new();
        for name in &batch.names {
            let value = if with_handler {
                Value::Handler
            } else {
                let description = super::super::value::sentence(&mut self.core.random);
                Value::Record(vec![("description".into(), Value::text(description))])
            };
            fields.push((name.clone(), value));
        }
        Some((Batch { key: None, skip: None, ..batch.clone() }, Value::Record(fields)))
    }

    /// A `Map` from names to handlers or descriptions.
    fn map_of(&mut self, batch: &Batch, depth: u32) -> Option<(Batch, String)> {
        let (batch, table) = self.table(batch)?;
        let Value::Record(fields) = table.clone() else { return None };
        let map = self.fresh(&["handlers", "toolMap", "byName"]);
        match self.below(3) {
            0 => {
                let table = self.value(&table, depth);
                self.emit(format!("const {map} = new Map(Object.entries({table}));"));
            }
            1 => {
                self.emit(format!("const {map} = new Map();"));
                for (key, value) in &fields {
                    let (key, value) = (self.text(key, depth), self.value(value, depth));
                    self.emit(format!("{map}.set({key}, {value});"));
                }
            }
            _ => {
                let pairs: Vec<String> = fields
                    .iter()
                    .map(|(key, value)| format!("[{}, {}]", self.text(key, depth), self.value(value, depth)))
                    .collect();
                self.emit(format!("const {map} = new Map({});", super::list_of(pairs)));
            }
        }
        Some((batch, map))
    }

    fn loop_map_entries(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let (batch, map) = self.map_of(batch, depth)?;
        let (name, value) = (self.fresh(&["name", "key", "id"]), self.fresh(&["value", "entry", "tool"]));
        let body = self.turn_block(server, &batch, &Element::Whole(name.clone()), "continue", depth);
        let head = match self.below(4) {
            0 => format!("const [{name}] of {map}"),
            1 => format!("const {name} of {map}.keys()"),
            2 => format!("const [{name}, {value}] of [...{map}]"),
            _ => format!("const [{name}, {value}] of {map}.entries()"),
        };
        self.emit(format!("for ({head}) {body}"));
        Some(())
    }

    fn loop_map_for_each(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let (batch, map) = self.map_of(batch, depth)?;
        let (name, value) = (self.fresh(&["name", "key", "id"]), self.fresh(&["value", "entry", "tool"]));
        let body = self.turn_body(server, &batch, &Element::Whole(name.clone()), depth);
        self.emit(format!("{map}.forEach(({value}, {name}) => {});", braced(&body)));
        Some(())
    }

    fn loop_object_entries(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let (batch, table) = self.table(batch)?;
        let table = self.value(&table, depth);
        let (name, value) = (self.fresh(&["name", "key", "id"]), self.fresh(&["value", "entry", "tool"]));
        let element = Element::Whole(name.clone());
        if self.chance(50) {
            let body = self.turn_block(server, &batch, &element, "continue", depth);
            self.emit(format!("for (const [{name}, {value}] of Object.entries({table})) {body}"));
        } else {
            let body = self.turn_body(server, &batch, &element, depth);
            self.emit(format!("Object.entries({table}).forEach(([{name}, {value}]) => {});", braced(&body)));
        }
        Some(())
    }

    fn loop_object_keys(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let (batch, table) = self.table(batch)?;
        let table = self.value(&table, depth);
        let name = self.fresh(&["name", "key", "id"]);
        let element = Element::Whole(name.clone());
        if self.chance(50) {
            let body = self.turn_block(server, &batch, &element, "continue", depth);
            self.emit(format!("for (const {name} of Object.keys({table})) {body}"));
        } else {
            let body = self.turn_body(server, &batch, &element, depth);
            let order = self.pick(&["", ".sort()", ".reverse()"]);
            self.emit(format!("Object.keys({table}){order}.forEach(({name}) => {});", braced(&body)));
        }
        Some(())
    }

    fn loop_table_for_in(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let (batch, table) = self.table(batch)?;
        let table = self.value(&table, depth);
        let (table, name) = (self.named(&["table", "handlers"], &table), self.fresh(&["name", "key", "id"]));
        let is_guarded = self.chance(40);
        let body = self.braces(|js| {
            if is_guarded {
                js.emit(format!("if (!Object.hasOwn({table}, {name})) continue;"));
            }
            js.turn(server, &batch, &Element::Whole(name.clone()), "continue", depth);
        });
        self.emit(format!("for (const {name} in {table}) {body}"));
        Some(())
    }

    fn loop_object_values(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        if batch.given.is_some() {
            return None;
        }
        let fields = batch.names.iter().enumerate().map(|(at, name)| (format!("K{at}"), Value::text(name)));
        let table = self.value(&Value::Record(fields.collect()), depth);
        let batch = Batch { key: None, skip: None, ..batch.clone() };
        let (name, wrap) = (self.fresh(&["name", "id", "value"]), self.pick(&["T", "Object.freeze(T)"]));
        let body = self.turn_block(server, &batch, &Element::Whole(name.clone()), "continue", depth);
        self.emit(format!("for (const {name} of Object.values({})) {body}", wrap.replace('T', &table)));
        Some(())
    }

    fn loop_switch(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let key = batch.key.filter(|_| batch.given.is_none())?;
        let Value::List(all) = self.list_value(batch) else { return None };
        let all = all.into_iter().map(|element| match element {
            Value::Record(mut fields) => {
                let kind = if self.chance(50) { "read" } else { "write" };
                fields.push(("kind".into(), Value::text(kind)));
                if self.chance(20) {
                    let ignored = vec![(key.to_string(), Value::text("no_such")), ("kind".into(), Value::text("none"))];
                    return vec![Value::Record(ignored), Value::Record(fields)];
                }
                vec![Value::Record(fields)]
            }
            other => vec![other],
        });
        let all: Vec<Value> = all.flatten().collect();
        let list = self.value(&Value::List(all), depth);
        let name = self.fresh(&["tool", "def", "entry"]);
        let element = Element::Whole(name.clone());
        let mut cases = Vec::new();
        for kind in ["read", "write"] {
            let mut lines = self.block(false, |js| js.turn(server, batch, &element, "break", depth)).0;
            lines.push("break;".to_string());
            cases.push(format!("case \"{kind}\": {}", braced(&lines)));
        }
        cases.push("default:\n  continue;".to_string());
        let switch = format!("switch ({name}.kind) {}", braced(&cases));
        self.emit(format!("for (const {name} of {list}) {}", braced(&[switch])));
        Some(())
    }

    fn loop_try(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let list = self.list(batch, depth);
        let (pattern, element) = self.pattern(batch);
        let body = self.turn_block(server, batch, &element, "continue", depth);
        let after = self.pick(&[
            "catch (error) {\n  console.error(error);\n}",
            "catch {\n  continue;\n}",
            "finally {\n  void 0;\n}",
        ]);
        self.emit(format!("for (const {pattern} of {list}) {}", braced(&[format!("try {body} {after}")])));
        Some(())
    }

    fn loop_chain(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let list = atom(&self.list(batch, depth));
        let source = match batch.key {
            Some(key) => {
                let test = batch.skip.map_or("true".to_string(), |skip| format!("!entry.{skip}"));
                format!("{list}\n  .filter((entry) => {test})\n  .map((entry) => entry.{key})")
            }
            None => format!("{list}\n  .filter(Boolean)\n  .map((entry) => entry.trim())"),
        };
        let batch = Batch { key: None, skip: None, ..batch.clone() };
        let (pattern, element) = self.pattern(&batch);
        let body = self.turn_body(server, &batch, &element, depth);
        self.emit(format!("{source}\n  .forEach(({pattern}) => {});", braced(&body).replace('\n', "\n  ")));
        Some(())
    }

    fn loop_named_function(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let list = atom(&self.list(batch, depth));
        let (pattern, element) = self.pattern(batch);
        let body = self.turn_body(server, batch, &element, depth);
        let name = self.fresh(&["registerOne", "add", "handleTool"]);
        self.emit(format!("const {name} = ({pattern}) => {};\n{list}.forEach({name});", braced(&body)));
        Some(())
    }
}
