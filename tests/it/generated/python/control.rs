//! Conditions, exceptions, loops that find a value, context managers, matching and generators.

use super::{Form, Py, Value, class, def, operand, suite_of};

pub(super) const FORMS: &[Form] = &[
    ("if", Py::by_if),
    ("elif", Py::by_elif),
    ("guarded reassignment", Py::by_guard),
    ("try", Py::by_try),
    ("except", Py::by_except),
    ("except as", Py::by_except_as),
    ("own exception", Py::by_own_exception),
    ("try else", Py::by_try_else),
    ("finally", Py::by_finally),
    ("raise from", Py::by_raise_from),
    ("caught failure", Py::by_failure),
    ("suppress", Py::by_suppress),
    ("for with break", Py::by_for_break),
    ("for else", Py::by_for_else),
    ("enumerate", Py::by_enumerate),
    ("zip", Py::by_zip),
    ("range loop", Py::by_range),
    ("items loop", Py::by_items),
    ("while", Py::by_while),
    ("while else", Py::by_while_else),
    ("endless loop", Py::by_endless),
    ("return from a loop", Py::by_return_from_loop),
    ("match value", Py::by_match_value),
    ("match sequence", Py::by_match_sequence),
    ("match mapping", Py::by_match_mapping),
    ("match class", Py::by_match_class),
    ("match with guard", Py::by_match_guard),
    ("contextmanager", Py::by_contextmanager),
    ("generator", Py::by_generator),
    ("generator with send", Py::by_send),
    ("yield from", Py::by_yield_from),
    ("async generator", Py::by_async_generator),
    ("islice and chain", Py::by_islice),
    ("assert", Py::by_assert),
];

impl Py {
    /// A suite that assigns the value to a variable.
    fn assigning(&mut self, name: &str, value: &Value, depth: u32) -> String {
        self.suite(|py| {
            let text = py.value(value, depth);
            py.emit(format!("{name} = {text}"));
        })
    }

    fn by_if(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, decoy, truth) = (self.name_for(value), self.decoy(value), self.chance(50));
        let test = self.flag(truth, depth);
        let (then, otherwise) = (self.assigning(&name, value, depth), self.assigning(&name, &decoy, depth));
        let (then, otherwise) = if truth { (then, otherwise) } else { (otherwise, then) };
        self.emit(format!("if {test}:\n{then}\nelse:\n{otherwise}"));
        Some(name)
    }

    fn by_elif(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, decoy, at) = (self.name_for(value), self.decoy(value), self.below(3));
        let mode = self.text("middle", depth);
        let mode = self.named(&["mode", "level", "stage"], &mode);
        let mut text = String::new();
        for index in 0..3 {
            let wanted = if index == at { "middle" } else { ["start", "low", "end"][index] };
            let body = self.assigning(&name, if index == at { value } else { &decoy }, depth);
            let keyword = if index == 0 { "if" } else { "elif" };
            text.push_str(&format!("{keyword} {mode} == \"{wanted}\":\n{body}\n"));
        }
        let body = self.assigning(&name, &decoy, depth);
        self.emit(format!("{text}else:\n{body}"));
        Some(name)
    }

    fn by_guard(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, decoy, truth) = (self.name_for(value), self.decoy(value), self.chance(60));
        let (first, second) = if truth { (&decoy, value) } else { (value, &decoy) };
        let first = self.value(first, depth);
        self.emit(format!("{name} = {first}"));
        let test = self.flag(truth, depth);
        let body = self.assigning(&name, second, depth);
        self.emit(format!("if {test}:\n{body}"));
        Some(name)
    }

    fn by_try(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, decoy) = (self.name_for(value), self.decoy(value));
        let (body, other) = (self.assigning(&name, value, depth), self.assigning(&name, &decoy, depth));
        let caught = self.pick(&["except ValueError", "except Exception", "except (KeyError, TypeError)", "except"]);
        self.emit(format!("try:\n{body}\n{caught}:\n{other}"));
        Some(name)
    }

    fn by_except(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.name_for(value);
        let body = self.assigning(&name, value, depth);
        let thrown = self.pick(&["ValueError(\"no\")", "ValueError", "UnicodeError(\"no\")"]);
        let caught = self.pick(&[
            "except ValueError",
            "except Exception",
            "except (KeyError, ValueError)",
            "except KeyError:\n    raise\nexcept ValueError",
        ]);
        self.emit(format!("try:\n    raise {thrown}\n{caught}:\n{body}"));
        Some(name)
    }

    fn by_except_as(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, text) = (self.name_for(value), self.value(value, depth));
        let read = if value.as_text().is_some() && self.chance(50) { "str(error)" } else { "error.args[0]" };
        if self.chance(50) {
            self.emit(format!("try:\n    raise ValueError({text})\nexcept ValueError as error:\n    {name} = {read}"));
        } else {
            let (fail, text) = (self.fresh(&["fail", "explode"]), self.steady(&["reason", "detail"], &text));
            self.emit(def(&fail, "", &format!("    raise RuntimeError({text})")));
            self.emit(format!("try:\n    {fail}()\nexcept RuntimeError as error:\n    {name} = {read}"));
        }
        Some(name)
    }

    fn by_own_exception(&mut self, value: &Value, depth: u32) -> Option<String> {
        let kind = self.at_top(|py| {
            let kind = py.fresh(&["ToolError", "NotFound", "Skip"]);
            let init = def("__init__", "self, detail", "    super().__init__(\"failed\")\n    self.detail = detail");
            py.emit(class(&kind, "Exception", &[init]));
            kind
        });
        let (name, text) = (self.name_for(value), self.value(value, depth));
        self.emit(format!("try:\n    raise {kind}({text})\nexcept {kind} as error:\n    {name} = error.detail"));
        Some(name)
    }

    fn by_try_else(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, decoy) = (self.name_for(value), self.decoy(value));
        let (other, body) = (self.assigning(&name, &decoy, depth), self.assigning(&name, value, depth));
        self.emit(format!("try:\n    pass\nexcept Exception:\n{other}\nelse:\n{body}"));
        Some(name)
    }

    fn by_finally(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, decoy) = (self.name_for(value), self.decoy(value));
        if self.chance(40) {
            let function = self.fresh(&["attempt", "guarded"]);
            let suite = self.returning(false, |py| py.value(value, depth));
            let body = format!("try:\n{suite}\nfinally:\n    pass");
            self.emit(def(&function, "", &suite_of(&[body])));
            return Some(format!("{function}()"));
        }
        let (first, last) = (self.assigning(&name, &decoy, depth), self.assigning(&name, value, depth));
        self.emit(format!("try:\n{first}\nfinally:\n{last}"));
        Some(name)
    }

    fn by_raise_from(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.name_for(value);
        let body = self.assigning(&name, value, depth);
        let error = self.fresh(&["first_error", "cause"]);
        let again =
            self.pick(&["raise RuntimeError(\"outer\") from @", "raise", "raise KeyError(\"other\") from None"]);
        let again = again.replace('@', &error);
        self.emit(format!(
            "try:\n    try:\n        raise ValueError(\"inner\")\n    except ValueError as {error}:\n        {again}\nexcept Exception:\n{body}"
        ));
        Some(name)
    }

    fn by_failure(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.name_for(value);
        let body = self.assigning(&name, value, depth);
        let (fails, kind) = *self.core.random.pick(&[
            ("{}[\"missing\"]", "KeyError"),
            ("[][0]", "IndexError"),
            ("int(\"x\")", "ValueError"),
            ("None.missing", "AttributeError"),
            ("1 / 0", "ZeroDivisionError"),
            ("missing_name", "NameError"),
            ("import missing_module", "ImportError"),
            ("\"a\" + 1", "TypeError"),
            ("[].index(1)", "ValueError"),
            ("next(iter([]))", "StopIteration"),
        ]);
        let caught = if self.chance(60) { kind } else { "Exception" };
        self.emit(format!("try:\n    {fails}\n    {name} = None\nexcept {caught}:\n{body}"));
        Some(name)
    }

    fn by_suppress(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (suppress, name, text) =
            (self.std("contextlib", "suppress"), self.name_for(value), self.value(value, depth));
        self.emit(format!("{name} = {text}\nwith {suppress}(KeyError):\n    {{}}[\"missing\"]\n    {name} = None"));
        Some(name)
    }

    fn by_for_break(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, decoy) = (self.name_for(value), self.decoy(value));
        let list = self.value(&Value::List(vec![decoy.clone(), value.clone(), decoy]), depth);
        let (count, candidate) = (self.fresh(&["seen", "turn"]), self.fresh(&["candidate", "choice"]));
        self.emit(format!(
            "{name} = None\n{count} = 0\nfor {candidate} in {list}:\n    {name} = {candidate}\n    if {count} == 1:\n        break\n    {count} += 1"
        ));
        Some(name)
    }

    fn by_for_else(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, decoy) = (self.name_for(value), self.decoy(value));
        let list = self.value(&Value::List(vec![Value::Number(1), Value::Number(2)]), depth);
        let stops = self.chance(50);
        let (in_loop, in_else) = if stops { (value, &decoy) } else { (&decoy, value) };
        let (found, missed) = (self.assigning(&name, in_loop, depth), self.assigning(&name, in_else, depth));
        let wanted = if stops { 2 } else { 7 };
        let number = self.fresh(&["number", "digit"]);
        let found = found.replace('\n', "\n    ");
        self.emit(format!(
            "for {number} in {list}:\n    if {number} == {wanted}:\n    {found}\n        break\nelse:\n{missed}"
        ));
        Some(name)
    }

    fn by_enumerate(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, decoy) = (self.name_for(value), self.decoy(value));
        let list = self.value(&Value::List(vec![decoy.clone(), value.clone(), decoy]), depth);
        let (at, it) = (self.fresh(&["at", "index", "i"]), self.fresh(&["it", "candidate"]));
        let start = self.below(2);
        let more = if start == 0 { "" } else { ", start=1" };
        self.emit(format!(
            "for {at}, {it} in enumerate({list}{more}):\n    if {at} == {}:\n        {name} = {it}",
            start + 1
        ));
        Some(name)
    }

    fn by_zip(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, decoy) = (self.name_for(value), self.decoy(value));
        let list = self.value(&Value::List(vec![decoy, value.clone()]), depth);
        let (key, it) = (self.fresh(&["key", "letter"]), self.fresh(&["it", "candidate"]));
        self.emit(format!(
            "for {key}, {it} in zip(\"ab\", {list}):\n    if {key} != \"b\":\n        continue\n    {name} = {it}"
        ));
        Some(name)
    }

    fn by_range(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, decoy) = (self.name_for(value), self.decoy(value));
        let list = self.value(&Value::List(vec![decoy.clone(), decoy, value.clone()]), depth);
        let list = self.named(&["candidates", "choices"], &list);
        let head = self.pick(&["range(len(LIST))", "range(0, 3)", "range(1, len(LIST), 1)", "range(0, 4, 2)"]);
        let at = self.fresh(&["at", "index", "i"]);
        self.emit(format!("for {at} in {}:\n    {name} = {list}[{at}]", head.replace("LIST", &list)));
        Some(name)
    }

    fn by_items(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, decoy) = (self.name_for(value), self.decoy(value));
        let table = Value::Record(vec![("a".into(), decoy), ("it".into(), value.clone())]);
        let table = self.value(&table, depth);
        let (key, it) = (self.fresh(&["key", "k"]), self.fresh(&["it", "v"]));
        match self.below(2) {
            0 => self.emit(format!(
                "for {key}, {it} in {}.items():\n    if {key} == \"it\":\n        {name} = {it}",
                operand(&table)
            )),
            _ => {
                let table = self.named(&["table", "choices"], &table);
                self.emit(format!("for {key} in {table}:\n    {name} = {table}[{key}]"));
            }
        }
        Some(name)
    }

    fn by_while(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, decoy) = (self.name_for(value), self.decoy(value));
        let list = self.value(&Value::List(vec![decoy, value.clone()]), depth);
        let queue = self.fresh(&["queue", "pending", "stack"]);
        self.emit(format!("{queue} = list({list})"));
        let test = self.pick(&["while QUEUE:", "while len(QUEUE) > 0:", "while QUEUE != []:"]);
        self.emit(format!("{}\n    {name} = {queue}.pop(0)", test.replace("QUEUE", &queue)));
        Some(name)
    }

    fn by_while_else(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, at) = (self.name_for(value), self.fresh(&["at", "step"]));
        let body = self.assigning(&name, value, depth);
        self.emit(format!("{at} = 0\nwhile {at} < 3:\n    {at} += 1\nelse:\n{body}"));
        Some(name)
    }

    fn by_endless(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, at, turns) = (self.name_for(value), self.fresh(&["at", "step"]), self.below(4));
        let body = self.assigning(&name, value, depth).replace('\n', "\n    ");
        self.emit(format!("{at} = 0\nwhile True:\n    if {at} >= {turns}:\n    {body}\n        break\n    {at} += 1"));
        Some(name)
    }

    fn by_return_from_loop(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, decoy) = (self.fresh(&["first_of", "search", "find_first"]), self.decoy(value));
        self.emit(def(
            &name,
            "pairs, wanted",
            "    for key, it in pairs:\n        if key == wanted:\n            return it\n    return None",
        ));
        let (other, text) = (self.value(&decoy, depth), self.value(value, depth));
        Some(format!("{name}([(\"a\", {}), (\"b\", {})], \"b\")", operand(&other), operand(&text)))
    }

    /// A `match` with cases that assign; the patterns are tried in order.
    fn matching(&mut self, subject: &str, cases: &[(String, bool)], value: &Value, depth: u32) -> String {
        let (name, decoy) = (self.name_for(value), self.decoy(value));
        let mut lines = Vec::new();
        for (pattern, is_it) in cases {
            let body = self.assigning(&name, if *is_it { value } else { &decoy }, depth);
            lines.push(format!("case {pattern}:\n{body}"));
        }
        self.emit(format!("match {subject}:\n{}", suite_of(&lines)));
        name
    }

    fn by_match_value(&mut self, value: &Value, depth: u32) -> Option<String> {
        let at = self.below(3);
        let subject = self.text(["b", "c", "z"][at], depth);
        let cases: Vec<(String, bool)> = ["\"a\"", "\"b\"", "\"c\" | \"d\"", "_"]
            .iter()
            .enumerate()
            .map(|(index, pattern)| (pattern.to_string(), index == at + 1))
            .collect();
        Some(self.matching(&subject, &cases, value, depth))
    }

    fn by_match_sequence(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, text) = (self.name_for(value), self.value(value, depth));
        let inner = self.fresh(&["found", "got"]);
        let (subject, pattern) = *self.core.random.pick(&[
            ("[1, TEXT]", "[_, IT]"),
            ("(\"x\", TEXT, 3)", "(\"x\", IT, _)"),
            ("[0, 1, TEXT]", "[*_, IT]"),
            ("[TEXT, 1]", "[IT, *rest]"),
        ]);
        self.emit(format!(
            "match {}:\n    case []:\n        {name} = None\n    case {}:\n        {name} = {inner}",
            subject.replace("TEXT", &operand(&text)),
            pattern.replace("IT", &inner)
        ));
        Some(name)
    }

    fn by_match_mapping(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, decoy, inner) = (self.name_for(value), self.decoy(value), self.fresh(&["found", "got"]));
        let fields = vec![("kind".to_string(), Value::text("b")), ("it".to_string(), value.clone())];
        let subject = self.value(&Value::Record(fields), depth);
        let other = self.value(&decoy, depth);
        let rest = self.pick(&["", ", **others"]);
        self.emit(format!(
            "match {subject}:\n    case {{\"kind\": \"a\"}}:\n        {name} = {other}\n    case {{\"kind\": \"b\", \"it\": {inner}{rest}}}:\n        {name} = {inner}"
        ));
        Some(name)
    }

    fn by_match_class(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, inner, kind) = (self.name_for(value), self.fresh(&["found", "got"]), self.fresh(&["Point", "Spec"]));
        let decorator = self.std("dataclasses", "dataclass");
        self.emit(format!("@{decorator}\n{}", class(&kind, "", &["key: str".into(), "it: object".into()])));
        let text = self.value(value, depth);
        let pattern = self.pick(&["KIND(key=\"a\", it=IT)", "KIND(\"a\", IT)", "KIND(it=IT)"]);
        self.emit(format!(
            "match {kind}(\"a\", {text}):\n    case str() | int():\n        {name} = None\n    case {}:\n        {name} = {inner}",
            pattern.replace("KIND", &kind).replace("IT", &inner)
        ));
        Some(name)
    }

    fn by_match_guard(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (subject, bound) = (self.number(4, depth), self.fresh(&["number", "n"]));
        let cases = vec![
            (format!("{bound} if {bound} > 10"), false),
            (format!("int() as {bound} if {bound} % 2 == 0"), true),
            ("_".to_string(), false),
        ];
        Some(self.matching(&subject, &cases, value, depth))
    }

    fn by_contextmanager(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (manager, name) = (self.std("contextlib", "contextmanager"), self.fresh(&["opened", "session", "scope"]));
        let (mut lines, text) = self.block(false, |py| py.value(value, depth));
        if self.chance(50) {
            lines.push(format!("try:\n    yield {text}\nfinally:\n    pass"));
        } else {
            lines.push(format!("yield {text}"));
        }
        self.emit(format!("@{manager}\n{}", def(&name, "*args", &suite_of(&lines))));
        let (inner, result) = (self.fresh(&["opened_value", "handle_value"]), self.name_for(value));
        self.emit(format!("with {name}() as {inner}:\n    {result} = {inner}"));
        Some(result)
    }

    fn by_generator(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, decoy) = (self.fresh(&["generate", "produce", "walk"]), self.decoy(value));
        let (lines, ()) = self.block(false, |py| {
            for given in [&decoy, value] {
                let text = py.value(given, depth);
                py.emit(format!("yield {text}"));
            }
        });
        self.emit(def(&name, "", &suite_of(&lines)));
        Some(match self.below(4) {
            0 => format!("list({name}())[1]"),
            1 => format!("[*{name}()][-1]"),
            2 => format!("[it for it in {name}()][1]"),
            _ => {
                let (first, second) = (self.fresh(&["_", "first"]), self.name_for(value));
                self.emit(format!("{first}, {second} = {name}()"));
                second
            }
        })
    }

    fn by_send(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, talk, text) =
            (self.fresh(&["echo", "dialog"]), self.fresh(&["talk", "session"]), self.value(value, depth));
        self.emit(def(&name, "", "    given = yield 0\n    yield given"));
        self.emit(format!("{talk} = {name}()\nnext({talk})"));
        Some(format!("{talk}.send({text})"))
    }

    fn by_yield_from(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (inner, outer) = (self.fresh(&["inner", "part"]), self.fresh(&["outer", "whole"]));
        let (mut lines, text) = self.block(false, |py| py.value(value, depth));
        let returns = self.chance(40);
        lines.push(if returns { format!("yield None\nreturn {text}") } else { format!("yield {text}") });
        self.emit(def(&inner, "", &suite_of(&lines)));
        let body = if returns {
            format!("    it = yield from {inner}()\n    yield it")
        } else {
            format!("    yield from {inner}()")
        };
        self.emit(def(&outer, "", &body));
        Some(format!("list({outer}())[-1]"))
    }

    pub(super) fn by_async_generator(&mut self, value: &Value, depth: u32) -> Option<String> {
        if !self.core.awaits() {
            return None;
        }
        let (name, page, result) =
            (self.fresh(&["stream", "pages"]), self.fresh(&["page", "chunk"]), self.name_for(value));
        let (lines, ()) = self.block(true, |py| {
            let text = py.value(value, depth);
            py.emit(format!("yield {text}"));
        });
        self.emit(format!("async {}", def(&name, "", &suite_of(&lines))));
        if self.chance(40) {
            return Some(format!("[{page} async for {page} in {name}()][0]"));
        }
        self.emit(format!("async for {page} in {name}():\n    {result} = {page}"));
        Some(result)
    }

    fn by_islice(&mut self, value: &Value, depth: u32) -> Option<String> {
        let decoy = self.decoy(value);
        let list = self.value(&Value::List(vec![decoy, value.clone()]), depth);
        Some(match self.below(4) {
            0 => format!("list({}({list}, 1, 2))[0]", self.std("itertools", "islice")),
            1 => format!("list({}([0], {list}))[2]", self.std("itertools", "chain")),
            2 => format!("next({}(lambda it: it[0] == 0, enumerate({list})))[1]", self.std("itertools", "dropwhile")),
            _ => format!("list({}({list}, repeat=1))[1][0]", self.std("itertools", "product")),
        })
    }

    fn by_assert(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, text) = (self.name_for(value), self.value(value, depth));
        let test = self.flag(true, depth);
        self.emit(format!("{name} = {text}\nassert {test}, \"never\""));
        Some(name)
    }
}
