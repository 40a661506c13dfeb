//! Prints code for tests: one statement per line, blocks indented, every kind of node with its own spelling.
//!
//! A name or text whose span does not hold just these characters is followed by what the span holds: `"\n"@"\\n"`.

use super::*;

/// Prints the code of `text`.
pub(super) fn printed(code: &Code, text: &str) -> String {
    let mut out = Printer { text, base: 0, depth: 0, out: String::new() };
    if let Some(doc) = &code.doc {
        out.doc(Some(doc));
        out.line();
    }
    for item in &code.items {
        out.base = item.start;
        out.statements(&item.body);
    }
    out.out
}

/// The descriptions of all opaque nodes of a printed program.
pub(super) fn opaque(printed: &str) -> Vec<&str> {
    let starts = printed.match_indices("<?").map(|(at, _)| at + 2);
    starts.filter_map(|at| printed[at..].split_once("?>").map(|(what, _)| what)).collect()
}

struct Printer<'t> {
    text: &'t str,
    base: u32,
    depth: usize,
    out: String,
}

impl Printer<'_> {
    fn add(&mut self, text: &str) {
        if self.out.is_empty() || self.out.ends_with('\n') {
            self.out.extend(std::iter::repeat_n("  ", self.depth));
        }
        self.out.push_str(text);
    }

    fn line(&mut self) {
        self.out.push('\n');
    }

    /// Adds `shown`, and what its span holds if that is not `value`.
    fn at(&mut self, shown: &str, value: &str, span: Span) {
        self.add(shown);
        let held = self.text.get(span.shifted(self.base).range());
        if held != Some(value) {
            self.add(&format!("@{:?}", held.unwrap_or("outside")));
        }
    }

    fn doc(&mut self, doc: Option<&Doc>) {
        if let Some(doc) = doc {
            self.at(&format!(" doc {:?}", doc.text), &doc.text, doc.span);
        }
    }

    fn opaque(&mut self, what: &str) {
        self.add(&format!("<?{what}?>"));
    }

    fn statements(&mut self, block: &Block) {
        for stmt in block {
            self.stmt(stmt);
            self.line();
        }
    }

    /// Adds ` {`, the indented lines and `}`.
    fn block(&mut self, block: &Block) {
        self.braced(|p| p.statements(block));
    }

    fn braced(&mut self, lines: impl FnOnce(&mut Self)) {
        self.add(" {");
        let before = self.out.len();
        self.line();
        self.depth += 1;
        lines(self);
        self.depth -= 1;
        if self.out.len() == before + 1 {
            self.out.pop();
        }
        self.add("}");
    }

    fn otherwise(&mut self, word: &str, block: &Block) {
        if let [Stmt { kind: kind @ StmtKind::If { .. }, .. }] = block.as_slice() {
            self.add(word);
            self.add(" ");
            self.control(kind);
        } else if !block.is_empty() {
            self.add(word);
            self.block(block);
        }
    }

    fn list<T>(&mut self, values: &[T], mut each: impl FnMut(&mut Self, &T)) {
        for (index, value) in values.iter().enumerate() {
            if index > 0 {
                self.add(", ");
            }
            each(self, value);
        }
    }

    fn exprs(&mut self, values: &[Expr]) {
        self.list(values, Printer::expr);
    }

    fn optional(&mut self, before: &str, value: Option<&Expr>) {
        if let Some(value) = value {
            self.add(before);
            self.expr(value);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Run(expr) => self.optional("run ", Some(expr)),
            StmtKind::Let { scope, target, annotation, value } => {
                self.add(scope_word(*scope));
                self.target(target);
                self.optional(": ", annotation.as_deref());
                self.optional(" = ", value.as_ref());
            }
            StmtKind::Outer { names, global } => {
                self.add(if *global { "global " } else { "nonlocal " });
                self.add(&names.join(", "));
            }
            StmtKind::Function(function) => self.function("function", function),
            StmtKind::Class(class) => self.class(class),
            StmtKind::Extend(extension) => self.extension(extension),
            StmtKind::Return(value) => self.word("return", value.as_ref()),
            StmtKind::Give(value) => self.word("give", value.as_ref()),
            StmtKind::Throw(value) => self.word("throw", value.as_ref()),
            StmtKind::Break(label) => self.jump("break", label.as_deref()),
            StmtKind::Continue(label) => self.jump("continue", label.as_deref()),
            StmtKind::Block(block) => {
                self.add("block");
                self.block(block);
            }
            StmtKind::Label { name, body } => {
                self.add(&format!("label {name}: "));
                self.stmt(body);
            }
            StmtKind::Delete(expr) => self.optional("delete ", Some(expr)),
            StmtKind::Namespace { name, body } => {
                self.add(&format!("namespace {name}"));
                self.block(body);
            }
            StmtKind::Import(import) => self.import(import),
            StmtKind::Export(export) => self.export(export),
            StmtKind::Opaque(what) => self.opaque(what),
            _ => self.control(&stmt.kind),
        }
    }

    fn word(&mut self, word: &str, value: Option<&Expr>) {
        self.add(word);
        self.optional(" ", value);
    }

    fn jump(&mut self, word: &str, label: Option<&str>) {
        self.add(word);
        if let Some(label) = label {
            self.add(&format!(" to {label}"));
        }
    }

    fn control(&mut self, kind: &StmtKind) {
        match kind {
            StmtKind::If { test, then, otherwise } => {
                self.optional("if ", Some(test));
                self.block(then);
                self.otherwise(" else", otherwise);
            }
            StmtKind::Switch { subject, cases } => {
                self.optional("switch ", Some(subject));
                self.braced(|p| cases.iter().for_each(|case| p.case(case)));
            }
            StmtKind::Each { scope, target, iterable, keys, body, otherwise } => {
                self.add("for ");
                self.add(scope_word(*scope));
                self.target(target);
                self.optional(if *keys { " in " } else { " of " }, Some(iterable));
                self.block(body);
                self.otherwise(" else", otherwise);
            }
            StmtKind::While { first, test, after, body, test_last, otherwise } => {
                if !first.is_empty() {
                    self.otherwise("first", first);
                    self.add(" ");
                }
                self.add(if *test_last { "do while" } else { "while" });
                self.optional(" ", test.as_ref());
                self.optional(" after ", after.as_deref());
                self.block(body);
                self.otherwise(" else", otherwise);
            }
            StmtKind::Try { body, handlers, otherwise, finally } => {
                self.add("try");
                self.block(body);
                for handler in handlers {
                    self.add(" catch");
                    self.optional(" ", handler.class.as_ref());
                    if let Some(target) = &handler.target {
                        self.add(" as ");
                        self.target(target);
                    }
                    self.block(&handler.body);
                }
                self.otherwise(" else", otherwise);
                self.otherwise(" finally", finally);
            }
            StmtKind::With { items, body } => {
                self.add("with ");
                self.list(items, |p, (value, target)| {
                    p.expr(value);
                    if let Some(target) = target {
                        p.add(" as ");
                        p.target(target);
                    }
                });
                self.block(body);
            }
            _ => self.add("unprinted"),
        }
    }

    fn case(&mut self, case: &Case) {
        if case.patterns.is_empty() {
            self.add("default");
        } else {
            self.add("case ");
            self.list(&case.patterns, Printer::pattern);
        }
        self.optional(" if ", case.guard.as_ref());
        self.add(if case.falls { " falls" } else { "" });
        self.block(&case.body);
        self.line();
    }

    fn pattern(&mut self, pattern: &Match) {
        match pattern {
            Match::Any => self.add("_"),
            Match::Value(value) => self.expr(value),
            Match::Bind { name, span, of } => {
                self.at(&format!("bind {name}"), name, *span);
                if let Some(of) = of {
                    self.add(" of ");
                    self.pattern(of);
                }
            }
            Match::Or(patterns) => {
                self.add("or(");
                self.list(patterns, Printer::pattern);
                self.add(")");
            }
            Match::List { elements, rest } => {
                self.add("[");
                for (index, element) in elements.iter().enumerate() {
                    self.add(if index > 0 { ", " } else { "" });
                    self.add(if *rest == Some(index) { "..." } else { "" });
                    self.pattern(element);
                }
                self.add("]");
            }
            Match::Table { entries, rest } => {
                self.add("{");
                self.list(entries, |p, (key, value)| {
                    p.expr(key);
                    p.add(": ");
                    p.pattern(value);
                });
                if let Some(rest) = rest {
                    self.add(&format!(", ...{rest}"));
                }
                self.add("}");
            }
            Match::Instance { class, positional, named } => {
                self.optional("instance ", Some(class));
                self.add("(");
                self.list(positional, Printer::pattern);
                for (name, value) in named {
                    self.add(&format!(", {name}="));
                    self.pattern(value);
                }
                self.add(")");
            }
            Match::Opaque(what) => self.opaque(what),
        }
    }

    fn import(&mut self, import: &Import) {
        self.add(if import.types_only { "import types " } else { "import " });
        self.at(&format!("{:?}", import.module), &import.module, import.span);
        for name in &import.names {
            self.add(", ");
            self.imported(&name.imported);
            self.at(&format!(" as {}", name.local), &name.local, name.span);
        }
    }

    fn imported(&mut self, imported: &Imported) {
        match imported {
            Imported::Default => self.add("default"),
            Imported::Module => self.add("module"),
            Imported::Root => self.add("root"),
            Imported::All => self.add("all"),
            Imported::Named(name) => self.add(&format!("named {name}")),
        }
    }

    fn export(&mut self, export: &Export) {
        self.add("export ");
        match export {
            Export::Declared(stmt) => self.stmt(stmt),
            Export::Names(names) => {
                self.list(names, |p, (local, name)| p.add(&format!("{local} as {name}")));
            }
            Export::From { module, names } => {
                self.add(&format!("from {module:?} "));
                self.list(names, |p, (imported, name)| {
                    p.imported(imported);
                    p.add(&format!(" as {name}"));
                });
            }
            Export::All(module) => self.add(&format!("all {module:?}")),
            Export::Default(value) => self.optional("default ", Some(value)),
            Export::Whole(value) => self.optional("= ", Some(value)),
        }
    }

    fn target(&mut self, target: &Target) {
        match target {
            Target::Name { name, span } => self.at(name, name, *span),
            Target::Place(place) => self.optional("place ", Some(place)),
            Target::Object { entries, rest } => {
                self.add("{");
                self.list(entries, |p, entry| {
                    p.expr(&entry.key);
                    p.add(": ");
                    p.target(&entry.target);
                    p.optional(" = ", entry.default.as_ref());
                });
                if let Some(rest) = rest {
                    self.add(" ...");
                    self.target(rest);
                }
                self.add("}");
            }
            Target::List { elements, rest } => {
                self.add("[");
                for (index, element) in elements.iter().enumerate() {
                    self.add(if index > 0 { ", " } else { "" });
                    self.add(if *rest == Some(index) { "..." } else { "" });
                    match element {
                        Some((target, default)) => {
                            self.target(target);
                            self.optional(" = ", default.as_ref());
                        }
                        None => self.add("hole"),
                    }
                }
                self.add("]");
            }
            Target::Opaque(what) => self.opaque(what),
        }
    }

    fn decorators(&mut self, decorators: &[Expr]) {
        for decorator in decorators {
            self.add("@");
            self.expr(decorator);
            self.add(" ");
        }
    }

    fn function(&mut self, word: &str, function: &Function) {
        self.decorators(&function.decorators);
        self.add(if function.is_async { "async " } else { "" });
        self.add(if function.is_arrow { "arrow" } else { word });
        self.add(if function.is_generator { "*" } else { "" });
        if let Some(name) = &function.name {
            self.at(&format!(" {name}"), name, function.name_span);
        }
        self.add("(");
        self.list(&function.params, Printer::param);
        self.add(")");
        self.optional(": ", function.returns.as_ref());
        if !function.locals.is_empty() {
            self.add(&format!(" locals {}", function.locals.join(" ")));
        }
        self.doc(function.doc.as_ref());
        self.block(&function.body);
    }

    fn param(&mut self, param: &Param) {
        self.decorators(&param.decorators);
        self.add(if param.is_field { "field " } else { "" });
        self.add(match param.kind {
            ParamKind::Plain => "",
            ParamKind::Positional => "/",
            ParamKind::Keyword => "*, ",
            ParamKind::Rest => "...",
            ParamKind::Keywords => "**",
        });
        self.target(&param.target);
        self.optional(": ", param.annotation.as_ref());
        self.optional(" = ", param.default.as_ref());
    }

    fn class(&mut self, class: &Class) {
        self.decorators(&class.decorators);
        self.add("class");
        if let Some(name) = &class.name {
            self.at(&format!(" {name}"), name, class.name_span);
        }
        self.add("(");
        self.list(&class.bases, Printer::arg);
        self.add(")");
        self.doc(class.doc.as_ref());
        match &class.body {
            ClassBody::Block(block) => self.block(block),
            ClassBody::Members(members) => self.braced(|p| {
                for member in members {
                    p.member(member);
                    p.line();
                }
            }),
        }
    }

    fn extension(&mut self, extension: &Extension) {
        self.decorators(&extension.decorators);
        self.optional("extend ", Some(&extension.of));
        self.optional(" as ", extension.behaviour.as_ref());
        self.braced(|p| {
            for member in &extension.members {
                p.member(member);
                p.line();
            }
        });
    }

    fn member(&mut self, member: &Member) {
        self.decorators(&member.decorators);
        self.add(if member.is_static { "static " } else { "" });
        match &member.kind {
            MemberKind::Block(body) => {
                self.add("run");
                self.block(body);
            }
            MemberKind::Declared => self.optional("declared ", Some(&member.key)),
            MemberKind::Field { value, annotation } => {
                self.optional("field ", Some(&member.key));
                self.optional(": ", annotation.as_ref());
                self.optional(" = ", value.as_ref());
            }
            MemberKind::Method(function) => self.entry("method ", &member.key, function),
            MemberKind::Getter(function) => self.entry("get ", &member.key, function),
            MemberKind::Setter(function) => self.entry("set ", &member.key, function),
        }
    }

    fn entry(&mut self, word: &str, key: &Expr, function: &Function) {
        self.optional(word, Some(key));
        self.add(": ");
        self.function("function", function);
    }

    fn arg(&mut self, arg: &Arg) {
        match &arg.kind {
            ArgKind::Positional => {}
            ArgKind::Named(name) => self.add(&format!("{name}=")),
            ArgKind::Spread => self.add("..."),
            ArgKind::Keywords => self.add("**"),
        }
        self.expr(&arg.value);
    }

    fn prop(&mut self, prop: &Prop) {
        match prop {
            Prop::Pair { key, value } => {
                self.expr(key);
                self.optional(": ", Some(value));
            }
            Prop::Getter { key, function } => self.entry("get ", key, function),
            Prop::Setter { key, function } => self.entry("set ", key, function),
            Prop::Spread(value) => self.optional("...", Some(value)),
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Text(text) => self.at(&format!("{text:?}"), text, expr.span),
            ExprKind::Bytes(text) => self.at(&format!("b{text:?}"), text, expr.span),
            ExprKind::Number(number) => self.add(&number.to_string()),
            ExprKind::Bool(value) => self.add(&value.to_string()),
            ExprKind::Null => self.add("null"),
            ExprKind::Undefined => self.add("undefined"),
            ExprKind::Ellipsis => self.add("ellipsis"),
            ExprKind::Pattern { source, flags } => self.add(&format!("/{source}/{flags}")),
            ExprKind::Name(name) => self.at(name, name, expr.span),
            ExprKind::This => self.add("this"),
            ExprKind::Super => self.add("super"),
            ExprKind::Function(function) => self.function("function", function),
            ExprKind::Class(class) => self.class(class),
            ExprKind::Opaque(what) => self.opaque(what),
            ExprKind::Join(parts) => self.group("join(", parts, ")"),
            ExprKind::List(elements) => self.group("[", elements, "]"),
            ExprKind::Tuple(elements) => self.group("tuple(", elements, ")"),
            ExprKind::Set(elements) => self.group("set(", elements, ")"),
            ExprKind::Sequence(values) => self.group("sequence(", values, ")"),
            ExprKind::Object(props) => {
                self.add("{");
                self.list(props, Printer::prop);
                self.add("}");
            }
            ExprKind::Member { .. } | ExprKind::At { .. } | ExprKind::Slice { .. } | ExprKind::Call(_) => {
                self.place(&expr.kind);
            }
            ExprKind::Comprehension(comprehension) => self.comprehension(comprehension),
            ExprKind::Body(body) => {
                self.add("body");
                self.block(body);
            }
            ExprKind::Matches { value, pattern } => {
                self.expr(value);
                self.add(" fits ");
                self.pattern(pattern);
            }
            ExprKind::Try(value) => {
                self.expr(value);
                self.add("?");
            }
            ExprKind::Lent(value) => self.optional("lent ", Some(value)),
            ExprKind::Later(function) => self.function("later", function),
            _ => self.operation(&expr.kind),
        }
    }

    fn group(&mut self, open: &str, values: &[Expr], close: &str) {
        self.add(open);
        self.exprs(values);
        self.add(close);
    }

    fn place(&mut self, kind: &ExprKind) {
        match kind {
            ExprKind::Member { object, key, at, optional } => {
                self.expr(object);
                self.add(if *optional { "?." } else { "." });
                self.at(key, key, *at);
            }
            ExprKind::At { object, index, optional } => {
                self.expr(object);
                self.add(if *optional { "?.[" } else { "[" });
                self.expr(index);
                self.add("]");
            }
            ExprKind::Slice { object, from, to, step } => {
                self.expr(object);
                self.add("[");
                self.optional("from ", from.as_deref());
                self.optional(" to ", to.as_deref());
                self.optional(" step ", step.as_deref());
                self.add("]");
            }
            ExprKind::Call(call) => {
                self.add(if call.new { "new " } else { "" });
                self.expr(&call.callee);
                self.add(if call.optional { "?.(" } else { "(" });
                self.list(&call.args, Printer::arg);
                self.add(")");
            }
            _ => self.add("unprinted"),
        }
    }

    fn operation(&mut self, kind: &ExprKind) {
        self.add("(");
        match kind {
            ExprKind::Formatted { value, conversion, format } => {
                self.optional("formatted ", Some(value));
                self.add(&conversion.as_ref().map_or(String::new(), |conversion| format!(" as {conversion}")));
                self.optional(" with ", format.as_deref());
            }
            ExprKind::Spread(value) => self.optional("...", Some(value)),
            ExprKind::Unary(operator, value) => self.optional(unary_mark(*operator), Some(value)),
            ExprKind::Binary(operator, left, right) => self.infix(left, binary_mark(*operator), right),
            ExprKind::Logic(operator, left, right) => self.infix(left, logic_mark(*operator), right),
            ExprKind::Conditional { test, then, otherwise } => {
                self.expr(test);
                self.infix_after(" ? ", then);
                self.infix_after(" : ", otherwise);
            }
            ExprKind::Assign { target, operator, value } => {
                self.target(target);
                self.add(&format!(" {}= ", operator.map_or("", binary_mark)));
                self.expr(value);
            }
            ExprKind::AssignLogic { target, operator, value } => {
                self.target(target);
                self.add(&format!(" {}= ", logic_mark(*operator)));
                self.expr(value);
            }
            ExprKind::Step { target, up, prefix } => {
                let mark = if *up { "++" } else { "--" };
                self.add(if *prefix { mark } else { "" });
                self.target(target);
                self.add(if *prefix { "" } else { mark });
            }
            ExprKind::Await(value) => self.optional("await ", Some(value)),
            ExprKind::Yield { value, all } => {
                self.add(if *all { "yield*" } else { "yield" });
                self.optional(" ", value.as_deref());
            }
            ExprKind::Import(module) => self.optional("import ", Some(module)),
            _ => self.add("unprinted"),
        }
        self.add(")");
    }

    fn infix(&mut self, left: &Expr, mark: &str, right: &Expr) {
        self.expr(left);
        self.infix_after(&format!(" {mark} "), right);
    }

    fn infix_after(&mut self, mark: &str, value: &Expr) {
        self.optional(mark, Some(value));
    }

    fn comprehension(&mut self, comprehension: &Comprehension) {
        self.add(match comprehension.kind {
            ComprehensionKind::List => "list(",
            ComprehensionKind::Set => "set(",
            ComprehensionKind::Table => "table(",
            ComprehensionKind::Generator => "generator(",
        });
        if let Some(key) = &comprehension.key {
            self.expr(key);
            self.add(": ");
        }
        self.expr(&comprehension.element);
        for clause in &comprehension.clauses {
            match clause {
                Clause::Each { target, iterable } => {
                    self.add(" for ");
                    self.target(target);
                    self.optional(" of ", Some(iterable));
                }
                Clause::If(test) => self.optional(" if ", Some(test)),
            }
        }
        self.add(")");
    }
}

fn scope_word(scope: Declared) -> &'static str {
    match scope {
        Declared::Block => "let ",
        Declared::Function => "var ",
        Declared::Elsewhere => "set ",
    }
}

fn unary_mark(operator: Unary) -> &'static str {
    match operator {
        Unary::Not => "not ",
        Unary::Minus => "-",
        Unary::Plus => "+",
        Unary::Invert => "~",
        Unary::TypeOf => "typeof ",
        Unary::Void => "void ",
        Unary::Delete => "delete ",
    }
}

fn binary_mark(operator: Binary) -> &'static str {
    match operator {
        Binary::Add => "+",
        Binary::Subtract => "-",
        Binary::Multiply => "*",
        Binary::Divide => "/",
        Binary::FloorDivide => "//",
        Binary::Remainder => "%",
        Binary::Power => "**",
        Binary::And => "&",
        Binary::Or => "|",
        Binary::Xor => "^",
        Binary::ShiftLeft => "<<",
        Binary::ShiftRight => ">>",
        Binary::ShiftRightUnsigned => ">>>",
        Binary::Like => "==",
        Binary::Unlike => "!=",
        Binary::Equal => "===",
        Binary::NotEqual => "!==",
        Binary::Is => "is",
        Binary::IsNot => "is not",
        Binary::Less => "<",
        Binary::LessOrEqual => "<=",
        Binary::Greater => ">",
        Binary::GreaterOrEqual => ">=",
        Binary::In => "in",
        Binary::NotIn => "not in",
        Binary::InstanceOf => "instanceof",
        Binary::MatrixMultiply => "@",
    }
}

fn logic_mark(operator: Logic) -> &'static str {
    match operator {
        Logic::And => "and",
        Logic::Or => "or",
        Logic::Otherwise => "??",
    }
}
