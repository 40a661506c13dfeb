//! Loops of every kind that register each definition of a list.

use super::turns::{Batch, Element, Shape};
use super::{Py, Value, class, def, operand, suite_of};

/// A loop over a batch; `None` if it does not suit the batch.
pub(super) type Loop = fn(&mut Py, &str, &Batch, u32) -> Option<()>;

pub(super) const FORMS: &[(&str, Loop)] = &[
    ("loop: for", Py::loop_for),
    ("loop: enumerate", Py::loop_enumerate),
    ("loop: range", Py::loop_range),
    ("loop: range down", Py::loop_range_down),
    ("loop: while with index", Py::loop_while),
    ("loop: while with pop", Py::loop_pop),
    ("loop: endless with break", Py::loop_endless),
    ("loop: walrus", Py::loop_walrus),
    ("loop: comprehension", Py::loop_comprehension),
    ("loop: map", Py::loop_map),
    ("loop: reversed", Py::loop_reversed),
    ("loop: sorted", Py::loop_sorted),
    ("loop: zip", Py::loop_zip),
    ("loop: for else", Py::loop_for_else),
    ("loop: recursion", Py::loop_recursion),
    ("loop: reduce", Py::loop_reduce),
    ("loop: generator", Py::loop_generator),
    ("loop: next", Py::loop_next),
    ("loop: groups", Py::loop_groups),
    ("loop: dict items", Py::loop_items),
    ("loop: dict keys", Py::loop_keys),
    ("loop: Enum", Py::loop_enum),
    ("loop: StrEnum", Py::loop_str_enum),
    ("loop: match on kind", Py::loop_match),
    ("loop: try in turn", Py::loop_try),
    ("loop: chain", Py::loop_chain),
    ("loop: async for", Py::loop_async_for),
    ("loop: gather", Py::loop_gather),
    ("loop: any and all", Py::loop_any),
    ("loop: decorated closures", Py::loop_closures),
    ("loop: with", Py::loop_with),
    ("loop: set membership", Py::loop_membership),
];

/// Loops where `await` may be used.
pub(super) const AWAITING: &[(&str, Loop)] =
    &[("loop: async for", Py::loop_async_for), ("loop: gather", Py::loop_gather)];

impl Py {
    /// The suite of a loop that handles one definition.
    fn turn_suite(&mut self, server: &str, batch: &Batch, element: &Element, leave: &str, depth: u32) -> String {
        self.suite(|py| py.turn(server, batch, element, leave, depth))
    }

    fn list_name(&mut self, batch: &Batch, depth: u32) -> String {
        let list = self.list(batch, depth);
        self.named(&["tools", "definitions", "names", "specs"], &list)
    }

    /// A function that registers the definition that it is given; returns its name.
    fn turn_function(&mut self, server: &str, batch: &Batch, depth: u32) -> String {
        let (name, given) = (self.fresh(&["register_one", "handle_one", "add_one"]), self.fresh(&["given", "one"]));
        let (lines, ()) = self.block(false, |py| {
            let element = py.element(batch, &given);
            py.turn(server, batch, &element, "return", depth);
        });
        self.emit(def(&name, &given, &suite_of(&lines)));
        name
    }

    fn loop_for(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let list = self.list(batch, depth);
        let (target, element) = self.target(batch);
        let suite = self.turn_suite(server, batch, &element, "continue", depth);
        self.emit(format!("for {target} in {list}:\n{suite}"));
        Some(())
    }

    fn loop_enumerate(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let list = self.list(batch, depth);
        let ((target, element), at) = (self.target(batch), self.fresh(&["at", "index", "number"]));
        let start = self.pick(&["", ", 1", ", start=1"]);
        let target = if target.contains(',') { format!("({target})") } else { target };
        let suite = self.turn_suite(server, batch, &element, "continue", depth);
        self.emit(format!("for {at}, {target} in enumerate({list}{start}):\n{suite}"));
        Some(())
    }

    /// A loop that counts with an expression for the range.
    fn counted(&mut self, server: &str, batch: &Batch, range: &str, depth: u32) -> Option<()> {
        let (list, at) = (self.list_name(batch, depth), self.fresh(&["at", "index", "i"]));
        let suite = self.suite(|py| {
            let element = if py.chance(50) {
                let (target, element) = py.target(batch);
                py.emit(format!("{target} = {list}[{at}]"));
                element
            } else {
                py.element(batch, &format!("{list}[{at}]"))
            };
            py.turn(server, batch, &element, "continue", depth);
        });
        self.emit(format!("for {at} in {}:\n{suite}", range.replace("LIST", &list)));
        Some(())
    }

    fn loop_range(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        self.counted(server, batch, "range(len(LIST))", depth)
    }

    fn loop_range_down(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let range = self.pick(&["range(len(LIST) - 1, -1, -1)", "reversed(range(len(LIST)))"]);
        self.counted(server, batch, range, depth)
    }

    fn loop_while(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let (list, at) = (self.list_name(batch, depth), self.fresh(&["at", "index", "i"]));
        let suite = self.suite(|py| {
            let (target, element) = py.target(batch);
            py.emit(format!("{target} = {list}[{at}]\n{at} += 1"));
            py.turn(server, batch, &element, "continue", depth);
        });
        self.emit(format!("{at} = 0\nwhile {at} < len({list}):\n{suite}"));
        Some(())
    }

    fn loop_pop(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let (list, queue) = (self.list(batch, depth), self.fresh(&["queue", "pending", "todo"]));
        let pop = self.pick(&["pop(0)", "pop()"]);
        self.emit(format!("{queue} = list({list})"));
        let suite = self.suite(|py| {
            let (target, element) = py.target(batch);
            py.emit(format!("{target} = {queue}.{pop}"));
            py.turn(server, batch, &element, "continue", depth);
        });
        self.emit(format!("while {queue}:\n{suite}"));
        Some(())
    }

    fn loop_endless(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let (list, at) = (self.list_name(batch, depth), self.fresh(&["at", "index", "i"]));
        let suite = self.suite(|py| {
            py.emit(format!("if {at} >= len({list}):\n    break"));
            let (target, element) = py.target(batch);
            py.emit(format!("{target} = {list}[{at}]\n{at} += 1"));
            py.turn(server, batch, &element, "continue", depth);
        });
        self.emit(format!("{at} = 0\nwhile True:\n{suite}"));
        Some(())
    }

    fn loop_walrus(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let (list, queue) = (self.list(batch, depth), self.fresh(&["feed", "iterator"]));
        self.emit(format!("{queue} = iter({list})"));
        let current = self.fresh(&["current", "next_one"]);
        let element = self.element(batch, &current);
        let suite = self.turn_suite(server, batch, &element, "continue", depth);
        self.emit(format!("while ({current} := next({queue}, None)) is not None:\n{suite}"));
        Some(())
    }

    fn loop_comprehension(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let function = self.turn_function(server, batch, depth);
        let list = self.list(batch, depth);
        let list = operand(&self.unbound(&list));
        let it = self.fresh(&["it", "each"]);
        let form = self.pick(&[
            "[F(IT) for IT in LIST]",
            "{AT: F(IT) for AT, IT in enumerate(LIST)}",
            "_ = [F(IT) for IT in LIST if IT]",
            "any(F(IT) for IT in LIST)",
        ]);
        let form = form.replace("AT", "at").replace("IT", &it).replace("LIST", &list);
        self.emit(form.replacen("F(", &format!("{function}("), 1));
        Some(())
    }

    fn loop_map(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let (function, list) = (self.turn_function(server, batch, depth), self.list(batch, depth));
        let form = self.pick(&[
            "list(map(F, LIST))",
            "for _ in map(F, LIST):\n    pass",
            "_ = [*map(F, LIST)]",
            "tuple(map(F, LIST))",
        ]);
        self.emit(form.replace("LIST", &list).replacen("map(F", &format!("map({function}"), 1));
        Some(())
    }

    fn loop_reversed(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let list = self.list(batch, depth);
        let (target, element) = self.target(batch);
        let suite = self.turn_suite(server, batch, &element, "continue", depth);
        self.emit(format!("for {target} in reversed({list}):\n{suite}"));
        Some(())
    }

    fn loop_sorted(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let key = match batch.shape {
            Shape::Names => self.pick(&["", ", reverse=True", ", key=len"]).to_string(),
            Shape::Dicts => format!(", key=lambda row: row[\"{}\"]", batch.key),
            Shape::Objects => format!(", key=lambda row: row.{}", batch.key),
            Shape::Tuples => ", key=lambda row: row[0], reverse=True".to_string(),
        };
        let list = self.list(batch, depth);
        let (target, element) = self.target(batch);
        let suite = self.turn_suite(server, batch, &element, "continue", depth);
        self.emit(format!("for {target} in sorted({list}{key}):\n{suite}"));
        Some(())
    }

    fn loop_zip(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let list = self.list(batch, depth);
        let ((target, element), other) = (self.target(batch), self.fresh(&["number", "other"]));
        let target = if target.contains(',') { format!("({target})") } else { target };
        let suite = self.turn_suite(server, batch, &element, "continue", depth);
        let more = self.pick(&["range(100)", "[1] * 50", "COUNT()"]);
        let more = if more == "COUNT()" { format!("{}()", self.std("itertools", "count")) } else { more.to_string() };
        self.emit(format!("for {target}, {other} in zip({list}, {more}):\n{suite}"));
        Some(())
    }

    fn loop_for_else(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let list = self.list(batch, depth);
        let (target, element) = self.target(batch);
        let suite = self.turn_suite(server, batch, &element, "continue", depth);
        let done = self.fresh(&["done", "finished"]);
        self.emit(format!("for {target} in {list}:\n{suite}\nelse:\n    {done} = True"));
        Some(())
    }

    fn loop_recursion(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let (function, list) = (self.turn_function(server, batch, depth), self.list(batch, depth));
        let name = self.fresh(&["register_rest", "visit"]);
        let body = match self.below(2) {
            0 => format!("    if not left:\n        return\n    {function}(left[0])\n    {name}(left[1:])"),
            _ => format!("    if at < len(left):\n        {function}(left[at])\n        {name}(left, at + 1)"),
        };
        self.emit(format!("{}\n{name}({list})", def(&name, "left, at=0", &body)));
        Some(())
    }

    fn loop_reduce(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let (function, list, reduce) =
            (self.turn_function(server, batch, depth), self.list(batch, depth), self.std("functools", "reduce"));
        self.emit(format!("{reduce}(lambda count, it: ({function}(it), count + 1)[1], {list}, 0)"));
        Some(())
    }

    fn loop_generator(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let (list, name) = (self.list_name(batch, depth), self.fresh(&["each_tool", "stream_tools"]));
        let body =
            self.pick(&["    yield from LIST", "    for it in LIST:\n        yield it", "    yield from iter(LIST)"]);
        self.emit(def(&name, "", &body.replace("LIST", &list)));
        let (target, element) = self.target(batch);
        let suite = self.turn_suite(server, batch, &element, "continue", depth);
        self.emit(format!("for {target} in {name}():\n{suite}"));
        Some(())
    }

    fn loop_next(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let (list, feed) = (self.list(batch, depth), self.fresh(&["feed", "iterator"]));
        self.emit(format!("{feed} = iter({list})"));
        let suite = self.suite(|py| {
            let (target, element) = py.target(batch);
            py.emit(format!("try:\n    {target} = next({feed})\nexcept StopIteration:\n    break"));
            py.turn(server, batch, &element, "continue", depth);
        });
        self.emit(format!("while True:\n{suite}"));
        Some(())
    }

    fn loop_groups(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        if batch.given.is_some() {
            return None;
        }
        let cut = self.below(batch.names.len() + 1);
        let (left, right) = batch.names.split_at(cut);
        let mut parts = Vec::new();
        for names in [left, &[], right] {
            let part = Batch { names: names.to_vec(), ..batch.clone() };
            parts.push(self.list(&part, depth));
        }
        let (group, is_keyed) = (self.fresh(&["group", "section"]), self.chance(50));
        let source = if is_keyed {
            let keys = ["reads", "none", "writes"];
            let entries = keys.iter().zip(parts).map(|(key, part)| (format!("\"{key}\""), part)).collect();
            format!("{}.values()", operand(&super::dict_of(entries)))
        } else {
            super::list_of(parts)
        };
        let suite = self.suite(|py| {
            if py.chance(40) {
                py.emit(format!("if not {group}:\n    continue"));
            }
            let (target, element) = py.target(batch);
            let inner = py.turn_suite(server, batch, &element, "continue", depth);
            py.emit(format!("for {target} in {group}:\n{inner}"));
        });
        self.emit(format!("for {group} in {source}:\n{suite}"));
        Some(())
    }

    /// The definitions as a dict from their names; what the body reads is the key alone.
    fn table(&mut self, batch: &Batch, depth: u32) -> Option<(Batch, String)> {
        if batch.given.is_some() {
            return None;
        }
        let with_handler = self.chance(50);
        let mut fields = Vec::new();
        for name in &batch.names {
            let value = if with_handler {
                Value::Handler
            } else {
                Value::text(super::super::value::sentence(&mut self.core.random))
            };
            fields.push((name.clone(), value));
        }
        let table = self.value(&Value::Record(fields), depth);
        let batch =
            Batch { shape: Shape::Names, skip: None, has_description: false, has_handler: false, ..batch.clone() };
        Some((batch, table))
    }

    fn loop_items(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let (batch, table) = self.table(batch, depth)?;
        let ((target, element), value) = (self.target(&batch), self.fresh(&["value", "function", "text"]));
        let suite = self.turn_suite(server, &batch, &element, "continue", depth);
        let around =
            self.pick(&["TABLE.items()", "sorted(TABLE.items(), key=lambda pair: pair[0])", "list(TABLE.items())"]);
        self.emit(format!("for {target}, {value} in {}:\n{suite}", around.replace("TABLE", &operand(&table))));
        Some(())
    }

    fn loop_keys(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let (batch, table) = self.table(batch, depth)?;
        let (target, element) = self.target(&batch);
        let suite = self.turn_suite(server, &batch, &element, "continue", depth);
        let around = self.pick(&["TABLE", "TABLE.keys()", "sorted(TABLE)", "list(TABLE)"]);
        self.emit(format!("for {target} in {}:\n{suite}", around.replace("TABLE", &operand(&table))));
        Some(())
    }

    fn enumeration(&mut self, server: &str, batch: &Batch, is_text: bool, depth: u32) -> Option<()> {
        if batch.given.is_some() {
            return None;
        }
        let base = self.std("enum", if is_text { "StrEnum" } else { "Enum" });
        let kind = self.fresh(&["ToolName", "Names", "Commands"]);
        let values: Vec<String> = batch.names.iter().map(|name| self.still(&Value::text(name), depth)).collect();
        let members = batch.names.iter().zip(values).map(|(name, text)| format!("{}_ = {text}", name.to_uppercase()));
        let members: Vec<String> = members
            .map(|member| if member.starts_with(|c: char| c.is_ascii_digit()) { format!("T{member}") } else { member })
            .collect();
        let batch =
            Batch { shape: Shape::Names, skip: None, has_description: false, has_handler: false, ..batch.clone() };
        self.emit(class(&kind, &base, &members));
        let member = self.fresh(&["member", "each"]);
        let access = if is_text { self.pick(&["MEMBER.value", "str(MEMBER)", "MEMBER"]) } else { "MEMBER.value" };
        let access = access.replace("MEMBER", &member);
        let element = self.element(&batch, &access);
        let suite = self.turn_suite(server, &batch, &element, "continue", depth);
        let around = self.pick(&["KIND", "list(KIND)", "KIND.__members__.values()"]);
        self.emit(format!("for {member} in {}:\n{suite}", around.replace("KIND", &kind)));
        Some(())
    }

    fn loop_enum(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        self.enumeration(server, batch, false, depth)
    }

    fn loop_str_enum(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        self.enumeration(server, batch, true, depth)
    }

    fn loop_match(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        if batch.given.is_some() || batch.shape != Shape::Dicts {
            return None;
        }
        let mut records = Vec::new();
        for name in &batch.names {
            let kind = self.pick(&["read", "write", "none"]);
            let given = if kind == "none" { format!("no_{name}") } else { name.clone() };
            records.push(Value::Record(vec![("kind".into(), Value::text(kind)), ("name".into(), Value::text(given))]));
        }
        let list = self.value(&Value::List(records), depth);
        let (tool, name) = (self.fresh(&["tool", "spec"]), self.fresh(&["found_name", "name"]));
        let batch =
            Batch { shape: Shape::Names, skip: None, has_description: false, has_handler: false, ..batch.clone() };
        let element = self.element(&batch, &name);
        let mut cases = Vec::new();
        for pattern in
            ["{\"kind\": \"read\", \"name\": NAME}", "{\"kind\": \"write\" | \"update\", \"name\": str() as NAME}"]
        {
            let suite = self.turn_suite(server, &batch, &element, "continue", depth);
            cases.push(format!("case {}:\n{suite}", pattern.replace("NAME", &name)));
        }
        cases.push("case _:\n    continue".to_string());
        let matching = format!("match {tool}:\n{}", suite_of(&cases));
        self.emit(format!("for {tool} in {list}:\n{}", suite_of(&[matching])));
        Some(())
    }

    fn loop_try(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let list = self.list(batch, depth);
        let (target, element) = self.target(batch);
        let suite = self.turn_suite(server, batch, &element, "continue", depth);
        let after = self.pick(&[
            "except Exception:\n    raise",
            "except ValueError:\n    continue",
            "except KeyError as error:\n    print(error)\nelse:\n    pass",
            "finally:\n    pass",
        ]);
        self.emit(format!("for {target} in {list}:\n{}", suite_of(&[format!("try:\n{suite}\n{after}")])));
        Some(())
    }

    fn loop_chain(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        if batch.given.is_some() {
            return None;
        }
        let cut = self.below(batch.names.len() + 1);
        let (left, right) = batch.names.split_at(cut);
        let (left, right) =
            (Batch { names: left.to_vec(), ..batch.clone() }, Batch { names: right.to_vec(), ..batch.clone() });
        let (left, right) = (self.list(&left, depth), self.list(&right, depth));
        let (target, element) = self.target(batch);
        let suite = self.turn_suite(server, batch, &element, "continue", depth);
        let source = match self.below(4) {
            3 => format!("{}.from_iterable([{left}, {right}])", self.std("itertools", "chain")),
            0 => format!("{}({left}, {right})", self.std("itertools", "chain")),
            1 => format!("(*{}, *{})", operand(&left), operand(&right)),
            _ => format!("{} + {}", operand(&left), operand(&right)),
        };
        self.emit(format!("for {target} in {source}:\n{suite}"));
        Some(())
    }

    fn loop_async_for(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        if !self.core.awaits() {
            return None;
        }
        let (list, name) = (self.list_name(batch, depth), self.fresh(&["stream", "pages"]));
        self.emit(format!("async {}", def(&name, "", &format!("    for it in {list}:\n        yield it"))));
        let (target, element) = self.target(batch);
        let suite = self.turn_suite(server, batch, &element, "continue", depth);
        self.emit(format!("async for {target} in {name}():\n{suite}"));
        Some(())
    }

    fn loop_gather(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        if !self.core.awaits() {
            return None;
        }
        let (name, given) = (self.fresh(&["register_later", "add_later"]), self.fresh(&["given", "one"]));
        let (lines, ()) = self.block(true, |py| {
            let element = py.element(batch, &given);
            py.turn(server, batch, &element, "return", depth);
        });
        self.emit(format!("async {}", def(&name, &given, &suite_of(&lines))));
        let (gather, list) = (self.std("asyncio", "gather"), self.list(batch, depth));
        let list = operand(&self.unbound(&list));
        self.emit(format!("await {gather}(*({name}(it) for it in {list}))"));
        Some(())
    }

    fn loop_any(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let (function, list) = (self.turn_function(server, batch, depth), self.list(batch, depth));
        let list = operand(&self.unbound(&list));
        let form = self.pick(&[
            "any(CALL for it in LIST)",
            "all(CALL is None for it in LIST)",
            "sum(1 for it in LIST if CALL)",
        ]);
        self.emit(form.replace("CALL", &format!("{function}(it)")).replace("LIST", &list));
        Some(())
    }

    /// A function is made for each definition, with the definition's name as its own.
    fn loop_closures(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let (make, given) = (self.fresh(&["make_tool_function", "make_handler"]), self.fresh(&["given_name", "own"]));
        let key = self.pick(&["__name__", "__name__", "__qualname__"]);
        let key = if key == "__qualname__" { "__qualname__ = run_it.__name__" } else { "__name__" };
        let run = suite_of(&[
            def("run_it", "", "    return given").replace("given", &given),
            format!("run_it.{key} = {given}"),
            "return run_it".to_string(),
        ]);
        self.emit(def(&make, &given, &run));
        let list = self.list(batch, depth);
        let (target, element) = self.target(batch);
        let suite = self.suite(|py| {
            if let Some(skip) = &element.skip {
                py.emit(format!("if {skip}:\n    continue"));
            }
            let name = py.passed(&element.name, depth);
            let name = py.prefixed(&batch.prefix, &name, depth);
            let form = py.pick(&["SERVER.add_tool(MADE)", "SERVER.tool()(MADE)", "SERVER.add_tool(fn=MADE)"]);
            py.emit(form.replace("SERVER", server).replace("MADE", &format!("{make}({name})")));
        });
        self.emit(format!("for {target} in {list}:\n{suite}"));
        Some(())
    }

    fn loop_with(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        let (manager, name) = (self.std("contextlib", "contextmanager"), self.fresh(&["one_at_a_time", "taking"]));
        self.emit(format!("@{manager}\n{}", def(&name, "value", "    yield value")));
        let list = self.list(batch, depth);
        let (it, inner) = (self.fresh(&["each", "raw_tool"]), self.fresh(&["taken", "opened_tool"]));
        let element = self.element(batch, &inner);
        let suite = self.turn_suite(server, batch, &element, "continue", depth);
        let with = format!("with {name}({it}) as {inner}:\n{suite}");
        self.emit(format!("for {it} in {list}:\n{}", suite_of(&[with])));
        Some(())
    }

    /// A loop over names, of which some are in a set of those that are off.
    fn loop_membership(&mut self, server: &str, batch: &Batch, depth: u32) -> Option<()> {
        if batch.given.is_some() {
            return None;
        }
        let batch =
            &Batch { shape: Shape::Names, skip: None, has_description: false, has_handler: false, ..batch.clone() };
        let mut names: Vec<Value> = batch.names.iter().map(Value::text).collect();
        let at = self.below(names.len() + 1);
        names.insert(at, Value::text("no_off"));
        let (list, off) = (self.value(&Value::List(names), depth), self.fresh(&["disabled", "off", "DISABLED"]));
        let set =
            self.pick(&["{\"no_off\", \"other\"}", "set([\"no_off\"])", "frozenset({\"no_off\"})", "(\"no_off\",)"]);
        self.emit(format!("{off} = {set}"));
        let (target, element) = self.target(batch);
        let element = Element { skip: Some(format!("({target} in {off})")), ..element };
        let suite = self.turn_suite(server, batch, &element, "continue", depth);
        self.emit(format!("for {target} in {list}:\n{suite}"));
        Some(())
    }
}
