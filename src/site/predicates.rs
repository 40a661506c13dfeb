//! Places where a program makes a decision based on a string: on its prefix, a regular expression that it matches, its
//! parts, or a list that contains it. The string is compared with literals, directly or through constants and loop
//! variables.

mod joined;
mod named;
mod values;

use std::cell::OnceCell;

use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::{Node, Tree};

pub(crate) use self::joined::joins_alone;
pub(crate) use self::named::constants_offered;
use super::locals::Locals;
use crate::syntax::{Family, Language, parse};
use crate::text::Span;

/// One place at which a string is tested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Predicate {
    /// The whole test: `name.startsWith("drop_")`.
    pub span: Span,
    pub test: Test,
    /// The tested expression as written: `tool.name`; empty if it is not known. For a part of a string, the expression
    /// for the part.
    pub subject: String,
    /// The expression that is true if the test holds for one of the texts; `None` if no other condition can be joined
    /// to it.
    pub condition: Option<Span>,
}

/// A literal with which a string is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Said {
    pub text: String,
    /// The literal of the text, including the quotes; `None` for a constant that the caller supplied.
    pub literal: Option<Span>,
    /// The expression that the test or the list uses for the text: the literal, or the constant that holds it.
    pub used: Span,
}

impl Said {
    fn literally(text: String, span: Span) -> Said {
        Said { text, literal: Some(span), used: span }
    }

    /// Whether the test uses a constant for the text.
    pub(crate) fn is_constant(&self) -> bool {
        self.literal != Some(self.used)
    }
}

/// A constant that other files can refer to: the last parts of its path, `["NAMES", "DROP"]`, and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Constant {
    pub path: Vec<String>,
    pub text: String,
    /// The names by which the file that is read refers to modules with a constant of their own at this path:
    /// `["addNote"]`, if `addNote.name` is another one than `dropNote.name`.
    pub hidden_in: Vec<String>,
}

/// A test of a string, which is true if one of the literals matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Test {
    Begins(Vec<String>),
    Ends(Vec<String>),
    Contains(Vec<String>),
    /// A part of the string, from a split or a slice, is one of the literals.
    Part(Vec<String>),
    /// The texts are known only at run time.
    Unknown,
    /// The string is one of the values that the program computes from these texts and from values known only at run
    /// time.
    Computed(Vec<String>),
    /// A regular expression with its flags; `is_whole` if it must match from the beginning.
    Matches {
        expression: String,
        flags: String,
        is_whole: bool,
    },
    /// The whole string is one of these texts, whose literals are at this place.
    Is(Vec<Said>, Place),
}

/// The place of the literals that a string is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Elements of a list or set, to which another one can be added.
    List,
    /// One side of a comparison, whose span is that of the predicate. `is_equal` if the comparison holds for the
    /// literal.
    Comparison { is_equal: bool },
    /// A case of a `switch` or `match`, or one of its alternatives; the span of the predicate is the whole pattern of
    /// the case.
    Case,
    /// The argument of a call that removes an entry by its name: `tools.delete("drop_note")`. Holds the span of the
    /// statement, if the call is a statement by itself.
    Removal(Option<Span>),
}

/// The maximum number of nested macros to read: `ensure!(!matches!(name, "drop_note"))`.
const MAX_MACROS: u32 = 3;

/// Methods and functions that test the prefix or ([`ENDS`]) the suffix of a string, by the last part of the callee.
const BEGINS: [&str; 4] = ["startsWith", "startswith", "starts_with", "hasPrefix"];
const ENDS: [&str; 3] = ["endsWith", "endswith", "ends_with"];
/// Methods that test whether a string contains a text, or a list an element.
const CONTAINS: [&str; 6] = ["includes", "contains", "has", "indexOf", "find", "contains_key"];
/// The methods among them that look up a whole key.
const KEYS: [&str; 2] = ["has", "contains_key"];
/// Functions that take a regular expression as a string: the value or module before the name, and the name.
const EXPRESSIONS: [(&str, &str); 8] = [
    ("re", "match"),
    ("re", "fullmatch"),
    ("re", "search"),
    ("re", "compile"),
    ("re", "findall"),
    ("Regex", "new"),
    ("RegexSet", "new"),
    ("", "RegExp"),
];
/// Methods and functions that test a string with a regular expression held by a variable.
const TESTS: [&str; 7] = ["test", "exec", "match", "search", "fullmatch", "is_match", "findall"];
/// Functions of Python's `re` that match from the beginning.
const FROM_START: [&str; 2] = ["match", "fullmatch"];
/// Functions that match a string with a glob, which is their second argument.
const GLOBS: [&str; 4] = ["fnmatch", "fnmatchcase", "minimatch", "isMatch"];
/// Methods that split a string or return a part of it.
const PARTS: [&str; 12] = [
    "split",
    "rsplit",
    "splitn",
    "rsplitn",
    "split_once",
    "rsplit_once",
    "partition",
    "rpartition",
    "slice",
    "substring",
    "substr",
    "split_terminator",
];
/// The first words of methods that remove or disable an entry by its name.
const REMOVALS: [&str; 9] = ["remove", "delete", "disable", "unregister", "pop", "discard", "hide", "exclude", "block"];
/// Methods that make new strings from one: a regular expression passed to them tests nothing.
const REPLACES: [&str; 6] = ["replace", "replaceAll", "replace_all", "sub", "subn", "split"];

/// The words to search a text for, to find out whether it may contain one of these tests.
pub(crate) fn predicate_words() -> Vec<String> {
    let methods = BEGINS.iter().chain(&ENDS).chain(&GLOBS).chain(&CONTAINS).chain(&PARTS).chain(&REMOVALS);
    let words = methods.map(|word| word.to_string()).chain(EXPRESSIONS.iter().map(|(_, word)| format!("{word}(")));
    words.chain([" in ", "==", "!=", ".test(", ".exec(", ".match(", "case ", "match "].map(str::to_string)).collect()
}

/// Every place in a source file where a string is tested. `says_name` reports whether a variable or member holds the
/// name of a tool, judging by what it is called (`toolName`); `constants` are known from other files.
pub(crate) fn predicates(
    tree: &Tree,
    text: &str,
    family: Family,
    says_name: &dyn Fn(&str) -> bool,
    constants: &[Constant],
) -> Vec<Predicate> {
    predicates_within(tree, text, family, says_name, constants, MAX_MACROS)
}

/// Like [`predicates`], with at most `macros` nested macros.
fn predicates_within(
    tree: &Tree,
    text: &str,
    family: Family,
    says_name: &dyn Fn(&str) -> bool,
    constants: &[Constant],
    macros: u32,
) -> Vec<Predicate> {
    let (mut reader, nodes) = Reader::bound_in(tree, text, family, says_name, constants, macros);
    for node in &nodes {
        reader.read(*node);
    }
    reader.found
}

/// The regular expression for a glob that is matched against names, which contain no slashes.
fn of_glob(glob: &str) -> String {
    let part = |c: char| match c {
        '*' => ".*".to_string(),
        '?' => ".".to_string(),
        '[' | ']' | '-' => c.to_string(),
        '!' => "^".to_string(),
        c => regex_syntax::escape(&c.to_string()),
    };
    format!("^{}$", glob.chars().map(part).collect::<String>())
}

/// Whether an expression is a whole condition, argument, element, value or body: another expression can be joined to it
/// without new parentheses.
pub(crate) fn stands_alone(tree: &Tree, expression: Span) -> bool {
    let (start, end) = (expression.start as usize, expression.end as usize);
    let node = tree.root_node().descendant_for_byte_range(start, end);
    let mut nodes = std::iter::successors(node, |node| node.parent());
    let Some(around) = nodes.find(|node| node.start_byte() < start || node.end_byte() > end) else { return false };
    let is_field = |field: &str| around.child_by_field_name(field).map(span_of) == Some(expression);
    match around.kind() {
        "arguments" | "argument_list" | "array" | "list" | "template_substitution" => true,
        "parenthesized_expression" => {
            around.parent().is_some_and(|statement| statement.child_by_field_name("condition") == Some(around))
        }
        "if_statement" | "elif_clause" | "while_statement" | "ternary_expression" => is_field("condition"),
        "variable_declarator" | "pair" | "keyword_argument" => is_field("value"),
        "arrow_function" | "lambda" => is_field("body"),
        "assignment" | "assignment_expression" => is_field("right"),
        "return_statement" => true,
        _ => false,
    }
}

/// The binding of a name in a scope.
struct Bound<'t> {
    /// The span of the function, or of the file.
    scope: Span,
    /// The value of a variable, or the list that a loop variable iterates over; `None` for a parameter, whose value
    /// its callers decide.
    value: Option<Node<'t>>,
}

struct Reader<'t, 's> {
    tree: &'t Tree,
    text: &'s str,
    family: Family,
    says_name: &'s dyn Fn(&str) -> bool,
    constants: &'s [Constant],
    /// The binding of each name in every scope of the file.
    bound: FxHashMap<&'s str, Vec<Bound<'t>>>,
    /// The functions around the node that is bound next, outermost first.
    scopes: Vec<Span>,
    /// The names of parameters and loop variables.
    local: FxHashSet<&'s str>,
    /// The parameters of each function; read when first needed.
    locals: OnceCell<Locals<'s>>,
    /// The values of all declarations of a name, in order.
    declared: FxHashMap<&'s str, Vec<Node<'t>>>,
    /// The constants that names of the file refer to: `import { DROP as D }`, `const { DROP } = NAMES`.
    renamed: FxHashMap<&'s str, String>,
    /// Variables that hold a part of a string.
    parts: FxHashSet<&'s str>,
    /// The number of further nested macros that may be read.
    macros: u32,
    found: Vec<Predicate>,
}

impl<'t, 's> Reader<'t, 's> {
    /// A reader that knows the bindings of a text, and the nodes of its tree, in order.
    fn bound_in(
        tree: &'t Tree,
        text: &'s str,
        family: Family,
        says_name: &'s dyn Fn(&str) -> bool,
        constants: &'s [Constant],
        macros: u32,
    ) -> (Reader<'t, 's>, Vec<Node<'t>>) {
        let mut reader = Reader {
            tree,
            text,
            family,
            says_name,
            constants,
            bound: FxHashMap::default(),
            scopes: Vec::new(),
            local: FxHashSet::default(),
            locals: OnceCell::new(),
            declared: FxHashMap::default(),
            renamed: FxHashMap::default(),
            parts: FxHashSet::default(),
            macros,
            found: Vec::new(),
        };
        let mut nodes = Vec::new();
        let mut open = vec![tree.root_node()];
        while let Some(node) = open.pop() {
            let mut cursor = node.walk();
            open.extend(node.named_children(&mut cursor));
            nodes.push(node);
        }
        nodes.sort_by_key(|node| node.start_byte());
        for node in &nodes {
            reader.bind(*node);
        }
        (reader, nodes)
    }

    /// Whether a name refers to a parameter of a function around it.
    fn is_parameter(&self, name: Node<'t>) -> bool {
        self.locals.get_or_init(|| Locals::of(self.tree, self.text)).is_parameter(name, self.text)
    }

    fn source(&self, node: Node<'t>) -> &'s str {
        self.text.get(node.byte_range()).unwrap_or("")
    }

    fn read(&mut self, node: Node<'t>) {
        match node.kind() {
            "call_expression" | "call" | "new_expression" => self.call(node),
            "regex" => self.expression(node),
            "binary_expression" | "comparison_operator" => self.comparison(node),
            "switch_case" | "case_clause" => self.case(node),
            "match_arm" => self.arm(node),
            "macro_invocation" => self.invocation(node),
            _ => {}
        }
    }

    fn push(&mut self, node: Node<'t>, test: Test, subject: Option<Node<'t>>) {
        self.push_condition(node, test, subject, None);
    }

    /// Like [`Self::push`], for a test that may be a condition.
    fn push_condition(&mut self, node: Node<'t>, test: Test, subject: Option<Node<'t>>, condition: Option<Span>) {
        let subject = subject.map_or("", |subject| self.source(subject)).to_string();
        self.found.push(Predicate { span: span_of(node), test, subject, condition });
    }

    fn call(&mut self, call: Node<'t>) {
        let Some((object, method)) = self.called(call) else { return };
        let arguments = self.arguments(call);
        // The arguments of a macro: `matches!(name, "drop_note" | "erase_note")`.
        if let (Family::Rust, "matches", None, [chosen, pattern]) = (self.family, method, object, arguments.as_slice())
        {
            return self.chosen(call, Some(*chosen), Some(*pattern));
        }
        let Some(&first) = arguments.first() else { return };
        let texts = |reader: &Self| reader.texts(first, 0).map(only_texts);
        let is = |methods: &[&str]| methods.contains(&method);
        if is(&BEGINS) || is(&ENDS) {
            let Some(texts) = texts(self) else { return self.push(call, Test::Unknown, object) };
            let test = if is(&BEGINS) { Test::Begins(texts) } else { Test::Ends(texts) };
            let condition = self.condition(call, first);
            return self.push_condition(call, test, object, condition);
        }
        if is(&GLOBS)
            && let [subject, glob] = arguments.as_slice()
            && let Some(globs) = self.texts(*glob, 0)
        {
            for Said { text: glob, .. } in globs {
                let test = Test::Matches { expression: of_glob(&glob), flags: String::new(), is_whole: true };
                self.push(call, test, Some(*subject));
            }
            return;
        }
        if is(&CONTAINS) {
            return self.membership(call, object, first);
        }
        if REMOVALS.iter().any(|verb| begins_with_word(method, verb)) {
            let statement = call.parent().filter(|parent| parent.kind() == "expression_statement");
            let statement = statement.map(|it| Span::new(it.start_byte(), it.end_byte()));
            let called = call.child_by_field_name("function");
            // `for (const name of DENIED) server.remove(name)`
            if !is_text(first) {
                let Some(texts) = self.texts(first, 0).filter(|_| first.kind() == "identifier") else { return };
                let subject = if self.is_name(Some(first)) { Some(first) } else { called };
                return self.push(call, Test::Is(texts, Place::List), subject);
            }
            let Some(text) = self.literal(first) else { return };
            let texts = vec![Said::literally(text, span_of(first))];
            return self.push(call, Test::Is(texts, Place::Removal(statement)), called);
        }
        if let Some((expression, flags)) = self
            .bound_expression(object.filter(|_| is(&TESTS)))
            .or_else(|| self.bound_expression(Some(first).filter(|_| is(&TESTS))))
        {
            let is_first = self.bound_expression(object).is_none();
            let test = Test::Matches { expression, flags, is_whole: false };
            let condition = Some(span_of(call)).filter(|_| method == "test");
            return self.push_condition(call, test, if is_first { object } else { Some(first) }, condition);
        }
        let of = object.map(|object| self.source(object));
        let is_expression = |(on, called): &(&str, &str)| *called == method && (on.is_empty() || of == Some(on));
        if EXPRESSIONS.iter().any(is_expression) {
            let Some(expressions) = texts(self) else { return };
            let flags = arguments.get(1).and_then(|flags| self.literal(*flags)).unwrap_or_default();
            for expression in expressions {
                let is_whole = of == Some("re") && FROM_START.contains(&method);
                let test = Test::Matches { expression, flags: flags.clone(), is_whole };
                self.push(call, test, arguments.get(1).copied());
            }
        }
    }

    /// The regular expression that a variable holds, `/^drop_/` or `re.compile("^drop_")`, with its flags.
    fn bound_expression(&self, variable: Option<Node<'t>>) -> Option<(String, String)> {
        let variable = variable.filter(|it| it.kind() == "identifier")?;
        let value = self.value(variable)?;
        if value.kind() == "regex" {
            let part = |name: &str| value.child_by_field_name(name).map_or("", |it| self.source(it)).to_string();
            return Some((part("pattern"), part("flags")));
        }
        let (_, made) = self.called(value)?;
        let arguments = self.arguments(value);
        let flags = arguments.get(1).and_then(|flags| self.literal(*flags)).unwrap_or_default();
        let expression = self.literal(*arguments.first()?).filter(|_| matches!(made, "compile" | "RegExp" | "new"))?;
        Some((expression, flags))
    }

    /// Reads a membership test: `LIST.includes(name)`, `name.includes("drop")`, `LIST.has(name.split("_")[0])`.
    fn membership(&mut self, call: Node<'t>, object: Option<Node<'t>>, element: Node<'t>) {
        let Some(object) = object else { return };
        let is_literal = matches!(element.kind(), "string" | "string_literal" | "template_string");
        if let Some(texts) = self.texts(object, 0).filter(|_| !is_literal) {
            return self.among(call, element, texts);
        }
        if let Some(texts) = self.texts(element, 0) {
            let is_key = self.called(call).is_some_and(|(_, method)| KEYS.contains(&method));
            if is_key && texts.len() == 1 && texts.iter().all(Said::is_constant) {
                return self.push(call, Test::Is(texts, Place::Comparison { is_equal: true }), Some(object));
            }
            let is_condition = self.called(call).is_some_and(|(_, method)| method == "includes");
            let condition = self.condition(call, element).filter(|_| is_condition);
            self.push_condition(call, Test::Contains(only_texts(texts)), Some(object), condition);
        } else {
            self.computed(call, element, object);
        }
    }

    /// Reads a lookup in the value of a call or comprehension: `name in os.environ.get("OFF", "drop_note").split(",")`.
    fn computed(&mut self, whole: Node<'t>, element: Node<'t>, mut list: Node<'t>) {
        if list.kind() == "identifier" {
            let Some(value) = self.value(list) else { return };
            list = value;
        }
        let is_made = matches!(list.kind(), "call" | "call_expression" | "list_comprehension" | "set_comprehension");
        if !is_made
            || matches!(element.kind(), "arrow_function" | "function_expression" | "lambda" | "closure_expression")
        {
            return;
        }
        let mut texts = Vec::new();
        let mut open = vec![list];
        let mut cursor = list.walk();
        while let Some(node) = open.pop() {
            match node.kind() {
                // Code that runs later and comparisons add nothing to the list.
                "arrow_function" | "lambda" | "function_expression" | "comparison_operator" => continue,
                "binary_expression" if is_comparison(node, self.text) => continue,
                "keyword_argument" => {
                    texts.extend(node.child_by_field_name("name").map(|it| self.source(it).to_string()))
                }
                _ => texts.extend(self.literal(node).filter(|_| is_text(node))),
            }
            open.extend(node.named_children(&mut cursor));
        }
        if !texts.is_empty() {
            self.push(whole, Test::Computed(texts), Some(element));
        }
    }

    /// Reads a lookup of an element in a list of texts.
    fn among(&mut self, whole: Node<'t>, element: Node<'t>, texts: Vec<Said>) {
        if self.takes_apart(element) {
            return self.push(whole, Test::Part(only_texts(texts)), Some(element));
        }
        self.push(whole, Test::Is(texts, Place::List), Some(element));
    }

    /// Reads a regular expression, unless it is used to replace or split.
    fn expression(&mut self, node: Node<'t>) {
        let call = node.parent().and_then(|arguments| arguments.parent());
        let called = call.and_then(|call| self.called(call));
        if called.is_some_and(|(_, method)| REPLACES.contains(&method)) {
            return;
        }
        let part = |name: &str| node.child_by_field_name(name).map_or("", |it| self.source(it)).to_string();
        let test = Test::Matches { expression: part("pattern"), flags: part("flags"), is_whole: false };
        // `/^drop_/.test(name)`, or `name.match(/^drop_/)`.
        let tested = node.parent().and_then(|member| member.parent()).filter(|call| self.called(*call).is_some());
        let subject = tested.and_then(|call| self.arguments(call).first().copied()).filter(|subject| *subject != node);
        let subject = subject.or(called.and_then(|(object, _)| object));
        let tests = |call: &Node<'t>| self.called(*call).is_some_and(|(_, method)| method == "test");
        let condition = tested.filter(tests).map(span_of);
        self.push_condition(node, test, subject, condition);
    }

    fn comparison(&mut self, node: Node<'t>) {
        let mut cursor = node.walk();
        let sides: Vec<Node<'t>> =
            node.named_children(&mut cursor).filter(|it| !it.kind().contains("comment")).collect();
        let [left, right] = sides[..] else { return };
        let operator = self.text.get(left.end_byte()..right.start_byte()).unwrap_or("").trim();
        let is_equal = match operator {
            "===" | "==" => true,
            "!==" | "!=" => false,
            "in" | "not in" if self.family == Family::Python => {
                if let Some(texts) = self.texts(right, 0).filter(|_| !is_text(right)) {
                    self.among(node, left, texts);
                } else if let Some(texts) = self.texts(left, 0) {
                    let condition = self.condition(node, left).filter(|_| operator == "in");
                    self.push_condition(node, Test::Contains(only_texts(texts)), Some(right), condition);
                } else {
                    self.computed(node, left, right);
                }
                return;
            }
            _ => return,
        };
        let (tested, texts) = match (self.texts(left, 0), self.texts(right, 0)) {
            (None, Some(texts)) => (left, texts),
            (Some(texts), None) => (right, texts),
            _ => return,
        };
        if self.takes_apart(tested) {
            return self.push(node, Test::Part(only_texts(texts)), Some(tested));
        }
        // `names == ["drop_note", "read_note"]`: a value that equals a list has all elements of the list.
        let compared = if tested == left { right } else { left };
        let place = if self.is_list(compared) { Place::List } else { Place::Comparison { is_equal } };
        self.push(node, Test::Is(texts, place), Some(tested));
    }

    /// Reads a case: `switch (name.split("_")[0]) { case "drop": … }`
    fn case(&mut self, case: Node<'t>) {
        let chosen = std::iter::successors(case.parent(), |node| node.parent())
            .find_map(|node| node.child_by_field_name("value").or_else(|| node.child_by_field_name("subject")));
        let value = case.child_by_field_name("value").or_else(|| case.named_child(0));
        self.chosen(case, chosen, value);
    }

    fn arm(&mut self, arm: Node<'t>) {
        let chosen = arm.parent().and_then(|block| block.parent()).and_then(|whole| whole.child_by_field_name("value"));
        self.chosen(arm, chosen, arm.child_by_field_name("pattern"));
    }

    /// Reads the arguments of a macro, which the grammar leaves unparsed, as those of a call. Assertions are skipped:
    /// they decide nothing.
    fn invocation(&mut self, node: Node<'t>) {
        let name = node.child_by_field_name("macro").map_or("", |name| self.source(name));
        let name = name.rsplit("::").next().unwrap_or(name);
        let mut cursor = node.walk();
        let tokens = node.named_children(&mut cursor).find(|child| child.kind() == "token_tree");
        let (Some(tokens), Some(macros)) = (tokens, self.macros.checked_sub(1)) else { return };
        let inside = self.source(tokens);
        let Some(arguments) = inside.get(1..inside.len().saturating_sub(1)).filter(|_| !name.contains("assert")) else {
            return;
        };
        let head = format!("fn f() {{ {name}(");
        let text = format!("{head}{arguments}) }}");
        let tree = parse(Language::Rust, &text, None).filter(|tree| !tree.root_node().has_error());
        let Some(tree) = tree else { return };
        let moved = |span: Span| {
            let start = tokens.start_byte() + 1 + span.start as usize - head.len();
            Span::new(start, start + span.len())
        };
        for mut predicate in predicates_within(&tree, &text, self.family, self.says_name, self.constants, macros) {
            predicate.span = moved(predicate.span);
            if let Test::Is(texts, place) = &mut predicate.test {
                for said in texts {
                    said.literal = said.literal.map(moved);
                    said.used = moved(said.used);
                }
                if let Place::Removal(Some(statement)) = place {
                    *statement = moved(*statement);
                }
            }
            self.found.push(predicate);
        }
    }

    fn chosen(&mut self, node: Node<'t>, chosen: Option<Node<'t>>, value: Option<Node<'t>>) {
        let (Some(chosen), Some(value)) = (chosen, value) else { return };
        let is_part = chosen.named_child(0).is_some_and(|inner| self.takes_apart(inner)) || self.takes_apart(chosen);
        let mut texts = Vec::new();
        let mut open = vec![value];
        while let Some(node) = open.pop() {
            match node.kind() {
                _ if is_text(node) => {
                    texts.extend(self.literal(node).map(|text| Said::literally(text, span_of(node))));
                }
                "case_pattern" | "union_pattern" | "match_pattern" | "or_pattern" | "binary_expression" => {
                    open.extend(node.named_children(&mut node.walk()));
                }
                "identifier" | "member_expression" | "attribute" if self.family == Family::TypeScript => {
                    texts.extend(self.texts(node, 0).filter(|texts| texts.len() == 1).into_iter().flatten());
                }
                // No other pattern contains a name.
                _ => {}
            }
        }
        if texts.is_empty() {
            return;
        }
        match is_part {
            true => self.push(node, Test::Part(only_texts(texts)), Some(chosen)),
            false => self.push(value, Test::Is(texts, Place::Case), Some(chosen)),
        }
    }
}

/// Whether `word` is a method's name or the first word of it: `remove`, `remove_tool`, `removeTool`.
fn begins_with_word(method: &str, word: &str) -> bool {
    method.strip_prefix(word).is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_lowercase()))
}

/// Whether a binary expression is a comparison, such as `a === b`, but not `a ?? b`.
fn is_comparison(node: Node<'_>, text: &str) -> bool {
    node.child_by_field_name("operator").is_some_and(|operator| text[operator.byte_range()].contains(['=', '<', '>']))
}

/// Whether an expression may be a constant: `DROP`, `NAMES.DROP`.
fn is_constant(node: Node<'_>) -> bool {
    matches!(node.kind(), "identifier" | "member_expression" | "attribute" | "field_expression" | "scoped_identifier")
}

fn only_texts(texts: Vec<Said>) -> Vec<String> {
    texts.into_iter().map(|said| said.text).collect()
}

fn span_of(node: Node<'_>) -> Span {
    Span::new(node.start_byte(), node.end_byte())
}

/// Whether the value of a variable is a single text rather than a list of one.
fn is_one_text(value: Node<'_>) -> bool {
    match value.kind() {
        "as_expression" | "satisfies_expression" | "parenthesized_expression" | "reference_expression" => {
            value.named_child(0).is_some_and(is_one_text)
        }
        kind => is_text(value) || matches!(kind, "template_string" | "identifier"),
    }
}

fn is_text(node: Node<'_>) -> bool {
    matches!(node.kind(), "string" | "string_literal" | "raw_string_literal")
}
