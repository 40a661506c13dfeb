//! Frameworks as data: in which forms each registers tools, prompts and resources, what it does with two of one
//! name. The built-in rows are the TOML files beside this one; a config adds more in the same form.
//!
//! A row never names a server; it describes a package that servers are written with.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::Deserialize;
use smol_str::SmolStr;

use crate::lower::CallKind;
use crate::syntax::Family;

/// One framework.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Framework {
    /// As `list` prints it: `typescript-sdk`.
    pub id: SmolStr,
    /// The language of the servers that are written with it.
    pub language: Family,
    /// Packages whose import makes a file this framework's: npm names, Python top modules, crate names.
    pub packages: Vec<SmolStr>,
    /// What happens when a name is registered twice in one server.
    pub duplicate: Duplicate,
    /// Its definitions hold what runs when they are called: nothing else has to find that by a name.
    #[serde(default)]
    pub carries: bool,
    /// Members of a server object that lead to the same server.
    #[serde(default)]
    pub same_server: Vec<SmolStr>,
    /// Its ways of registering something.
    #[serde(rename = "form", default)]
    pub forms: Vec<Form>,
    /// Why a second name for a tool is not written here, and what takes its place; a sentence of which the framework is the
    /// subject.
    pub no_alias: Option<String>,
    /// How a tool is given a second name.
    #[serde(rename = "alias", default)]
    pub aliases: Vec<AliasRecipe>,
}

/// How a tool is given a second name: what is written beside its registration. In the texts stand for
///
/// - `$old`, `$new`, `$note`: string literals of the names, and of the remark that the tool is deprecated;
/// - `$server`, `$method`: what the method is called on, and the method;
/// - `$argument`: the variable that it is called with, where there is nothing else;
/// - `$decorator`, `$more`: what decorates the function, without its arguments, and what it or the function's attribute is given
///   by name but for the name and the description, each behind a comma;
/// - `$var`: a variable that holds what the registration gives, or the definition, or what leads to it;
/// - `$function`, `$alias`: the function's name, and one for a function or variable beside it;
/// - `$former`: the old name as that of a function;
/// - `$class`: a name for a class;
/// - `$options`: the object that the name stands in, with the old name and the remark;
/// - `$list`: the variable that holds a list, or an object with tools as its keys;
/// - `$key`, `$value`: the old name as a key, and what the new one is the key of;
/// - `$request`: what the function that answers calls calls its request, or the variable that `$called` begins with;
/// - `$called`: what that function calls the name of the tool that is called;
/// - `$router`: what the attribute of an implementation names as its router, or what that is where it names none;
/// - `$comment`: the comment that an alias is known by, for what is written in more than one statement;
/// - `$async`, `$parameters`, `$result`, `$arguments`, `$await`: how that function is declared, and how this one is called.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AliasRecipe {
    /// How the old name goes on.
    pub mode: AliasMode,
    /// The methods or decorators that it is for.
    #[serde(default)]
    pub of: Vec<SmolStr>,
    /// The required surroundings of the name.
    pub site: AliasSite,
    /// Methods of what the registration gives; where one of them is called, the two names would not go the same way.
    #[serde(default)]
    pub unless: Vec<SmolStr>,
    /// Written above the registration.
    pub above: Option<String>,
    /// Written behind it.
    pub behind: Option<String>,
    /// The same, where types are checked.
    pub behind_typed: Option<String>,
    /// Written in front of the registration, on its line.
    pub front: Option<String>,
    /// Written as the last member of the object that the registration takes first.
    pub last: Option<String>,
    /// It calls what only a server has: the code must show that the tool is registered with one.
    #[serde(default)]
    pub on_server: bool,
    /// Imports that it takes.
    #[serde(default)]
    pub imports: Vec<String>,
    /// Packages, each with the lowest version that the recipe needs. It is used if the project allows no earlier one; if the project
    /// does not say, a recipe without such a bound is preferred.
    #[serde(default)]
    pub since: BTreeMap<String, String>,
    /// The same, where it is enough that the project takes that version, too.
    #[serde(default)]
    pub from: BTreeMap<String, String>,
}

/// How the old name goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema, Default)]
#[serde(rename_all = "kebab-case")]
pub enum AliasMode {
    /// It is listed, and marked deprecated.
    #[default]
    Listed,
    /// It answers, and is not listed.
    Hidden,
}

impl AliasMode {
    pub fn as_str(self) -> &'static str {
        match self {
            AliasMode::Listed => "listed",
            AliasMode::Hidden => "hidden",
        }
    }
}

/// What a registration is in its source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AliasSite {
    /// A call that is a statement, or the value of a variable.
    Statement,
    /// A decorator or attribute of a function.
    Function,
    /// The same of a method.
    Method,
    /// The implementation that an attribute answers calls for: `#[tool_handler] impl ServerHandler for Notes {}`.
    Handler,
    /// The beginning of the one function of the package that answers every call, by what it is called; or, where that is not
    /// said, of each that the server calls.
    Beginning,
    /// A statement that gives the name by a keyword, and what runs by a name: it is written once more.
    Copy,
    /// A statement that is a call which is given the name by itself: it is made for both names.
    Each,
    /// The same where the call registers several tools: it is made once more for the one that has the name.
    Shared,
    /// A definition, of which a list that a variable holds is made: another one is added to it.
    List,
    /// An element of a list that says what there is, and each place at which the server decides by the name what to run.
    Element,
    /// A definition that a variable or function stands for, wherever that is an element of a list: another element is
    /// written behind it.
    Member,
    /// The same, wherever a statement hands it to a function and does nothing else: another statement is written behind it.
    Argument,
    /// A key of an object: another one is written behind it.
    Key,
    /// A key of an object that a variable holds, with what runs written in it: another one is put into it behind the statement.
    Table,
    /// An element of a list, written out: something is written in front of it, and behind it.
    Inline,
    /// Each place at which the server decides by the name what to run.
    Dispatch,
}

/// What a framework does with the second registration of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Duplicate {
    Throws,
    KeepsFirst,
    KeepsLast,
    ListsBoth,
}

/// One way of registering something.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Form {
    /// What it makes.
    pub kind: Kind,
    /// The kind of code at which it matches.
    pub on: On,
    /// What is called or decorates: `*.registerTool` for a method of anything, `McpServer` or `Tool.new` for
    /// something imported from one of the packages.
    pub path: CalleePattern,
    /// What the first argument must be, for methods that register many things.
    #[serde(default)]
    pub first: Vec<SmolStr>,
    /// The least number of arguments.
    #[serde(default)]
    pub min_args: usize,
    /// How much must be known before a method of this name is taken for this framework's.
    #[serde(default)]
    pub gate: Gate,
    /// A list; the form registers one thing for each of its elements, which selectors call `each`. For
    /// `kind = "dynamic"`, what must be there for it to be so.
    pub each: Option<Selector>,
    /// Where the list is if `each` finds nothing.
    #[serde(default)]
    pub or_each: Option<Selector>,
    /// Where its name is: alternatives, of which the first that is found counts. Without any the form registers nothing by itself.
    #[serde(default)]
    pub name: Selectors,
    /// The keyword that names is taken by early versions alone: it is read, and never written.
    #[serde(default)]
    pub keyword_is_old: bool,
    /// Where its title is, for people.
    #[serde(default)]
    pub title: Selectors,
    /// Where its description is.
    #[serde(default)]
    pub description: Selectors,
    /// Where the object with its hints is: `readOnlyHint`.
    #[serde(default)]
    pub annotations: Selectors,
    /// What describes its arguments.
    #[serde(default)]
    pub schema: Selectors,
    /// What runs when it is called.
    #[serde(default)]
    pub handler: Selectors,
    /// The server that gets it.
    #[serde(default)]
    pub server: Selectors,
    /// What tells several of one name apart: a version. Where one is given, two of a name are no duplicates.
    #[serde(default)]
    pub variant: Selectors,
    /// What it is called on is what a call of one of these methods gave.
    #[serde(default)]
    pub given_by: Vec<SmolStr>,
    /// Flags that turn it off where they are false: `enabled`.
    #[serde(default)]
    pub switch: Selectors,
    /// It does not hold where any of these is given: another form does.
    #[serde(default)]
    pub unless: Selectors,
    /// It counts only where a package registers tools in a way that cannot be followed, as a shape does: a `Tool` that
    /// is made somewhere is listed somehow.
    #[serde(default)]
    pub fallback: bool,
    /// For `kind = "dynamic"`: what it does that source cannot show.
    pub reason: Option<SmolStr>,
    /// What the framework puts before each name: `ask_`.
    #[serde(default)]
    pub prefix: SmolStr,
    /// For `kind = "mount"`: the separator between the prefix and a name.
    #[serde(default)]
    pub separator: SmolStr,
    /// Where code may say another one.
    #[serde(default)]
    pub separator_given: Selectors,
    /// For `on = "shape"`: of each of these lists the object has at least one key.
    #[serde(default)]
    pub has: Vec<Vec<SmolStr>>,
    /// For `on = "shape"`: the object has none of these keys, or, `key=value`, not with this value.
    #[serde(default)]
    pub lacks: Vec<SmolStr>,
}

/// What a form makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    Server,
    Tool,
    Prompt,
    Resource,
    /// Registers tools whose names the source does not show.
    Dynamic,
    /// Nothing of its own: it takes another server, which `each` leads to, under a prefix, which `name` leads to.
    Mount,
    /// Nothing: it is where a server decides by a tool's name what to run; `name` leads to that name.
    Dispatch,
}

/// The kind of code at which a form matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum On {
    Call,
    New,
    Struct,
    /// A decorator or attribute, with or without arguments.
    Decorator,
    /// A decorator or attribute that must be called.
    CalledDecorator,
    /// A decorator of a class or attribute of an `impl`.
    ClassDecorator,
    /// A decorator of a class or attribute of an `impl` that makes every method of it one: `def` is the method.
    Members,
    /// An object with a name that has the shape of a definition. It counts only where a package registers tools
    /// in a way that cannot be followed.
    Shape,
    /// A class that has the shape of a definition; it counts where `shape` does.
    ClassShape,
    /// A string literal that something is compared with: `"tools/list"` where messages are told apart by hand.
    Compared,
    /// A class that derives from one of the framework's: `MCPTool`.
    Class,
    /// A method of a class that derives from one of the framework's, or implements one of its traits:
    /// `ServerHandler.call_tool`.
    Method,
    /// A file in a folder that the framework loads tools from: `src/tools`, counted from the package's root.
    Module,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema, Default)]
#[serde(rename_all = "kebab-case")]
pub enum Gate {
    /// The receiver is known to be this framework's, or nothing is known of it and the file imports a package
    /// of this framework.
    #[default]
    File,
    /// The method's name is so telling that it is enough for some file of the project to import a package.
    Project,
    /// Its first argument is nobody else's: in a bundle no import is left to tell.
    Telling,
    /// An attribute that another macro reads and nobody imports: it is enough that the file imports a package.
    Inert,
}

/// A pattern over what is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CalleePattern {
    /// A method of anything.
    Method(SmolStr),
    /// A path that begins with something imported from the framework's package.
    Imported(Vec<SmolStr>),
    /// A folder, for `on = "module"`. It has a `/` in it.
    Folder(SmolStr),
}

/// Where to find a value, seen from the matched form: a start and steps from there, `arg1.annotations.title`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selector {
    pub start: Start,
    pub steps: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Start {
    /// A positional argument from the front (`arg0`) or, negative, from the back (`arg-1`).
    Arg(i32),
    /// A keyword argument: `kw:name`.
    Keyword(SmolStr),
    /// The decorated function or class: `def`.
    Definition,
    /// What the method is called on: `receiver`.
    Receiver,
    /// The class around: `class`.
    Class,
    /// The element of the form's list: `each`.
    Each,
    /// The positional arguments from one on, as a list: `rest1`.
    Rest(usize),
    /// Another decorator or attribute of the same definition: `decorator:mcp`.
    Decorator(SmolStr),
    /// What the file exports under a name: `export:metadata`.
    Export(SmolStr),
    /// The file's name without its extension: `file`.
    File,
    /// The first argument that the form's result is called with: `applied`, as in `mcp.tool(name="x")(function)`.
    Applied,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    Field(SmolStr),
    /// What the function returns.
    Return,
    /// The identifier itself as text: `def.ident`.
    Ident,
    /// The text that documents a function or class: `def.doc`.
    Doc,
    /// A parameter of the function, the receiver not counted: `param0`.
    Param(usize),
    /// A positional argument of the call: `arg0` behind another step.
    Arg(usize),
    /// The pairs of an object, each a list of key and value: `entries`.
    Entries,
    /// An element of a list: `0`.
    Index(u32),
    /// A keyword argument of the call: `kw:name` behind another step.
    Keyword(SmolStr),
    /// The text in small words joined by `-`: `kebab`.
    Kebab,
    /// The text without the `r#` of a raw identifier: `bare`.
    Bare,
    /// The decorator of this name on a function or class: `decorator:tool`.
    Decorator(SmolStr),
}

pub type Selectors = Vec<Selector>;

impl On {
    /// Whether a call of this kind can be this form.
    pub fn accepts(self, kind: CallKind) -> bool {
        matches!(
            (self, kind),
            (On::Call, CallKind::Plain)
                | (On::New, CallKind::New)
                | (On::Struct, CallKind::Struct)
                | (On::Decorator | On::CalledDecorator | On::ClassDecorator | On::Members, CallKind::Decorator)
        )
    }

    pub fn is_decorator(self) -> bool {
        matches!(self, On::Decorator | On::CalledDecorator | On::ClassDecorator | On::Members)
    }
}

impl CalleePattern {
    /// The last part of the path: by it forms are looked up.
    pub fn last(&self) -> &SmolStr {
        match self {
            CalleePattern::Method(name) => name,
            CalleePattern::Imported(path) => path.last().expect("a path has parts"),
            CalleePattern::Folder(path) => path,
        }
    }
}

impl Framework {
    /// Whether a module belongs to one of this framework's packages.
    pub fn owns_module(&self, module: &str) -> bool {
        self.packages.iter().any(|package| module_in_package(module, package))
    }
}

/// Whether `module`, as an import names it, is `package` or lies in it. Deno names the registry and the version with
/// it: `npm:package@^1/part`.
pub fn module_in_package(module: &str, package: &str) -> bool {
    let module = module.strip_prefix("npm:").unwrap_or(module);
    if let Some(rest) = module.strip_prefix(package).and_then(|rest| rest.strip_prefix('@')) {
        return !rest.is_empty();
    }
    module.strip_prefix(package).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '.', ':']))
}

impl<'de> Deserialize<'de> for CalleePattern {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Ok(match text.strip_prefix("*.") {
            Some(method) => CalleePattern::Method(method.into()),
            None if text.contains('/') => CalleePattern::Folder(text.into()),
            None => CalleePattern::Imported(text.split('.').map(SmolStr::new).collect()),
        })
    }
}

/// A value that is written as a string.
macro_rules! written_as_string {
    ($($kind:ident: $description:expr),* $(,)?) => {
        $(impl JsonSchema for $kind {
            fn schema_name() -> Cow<'static, str> {
                stringify!($kind).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", "description": $description })
            }
        })*
    };
}

written_as_string! {
    CalleePattern: "`*.method` for a method of anything, `Class` or `module.function` for what one of the packages exports, `folder/of/files` for `on = \"module\"`.",
    Selector: "Where a value is, seen from the matched code: a start (`arg0`, `arg-1`, `rest1`, `kw:name`, `def`, `receiver`, `class`, `each`, `applied`, `file`, `export:name`, `decorator:name`) and steps from there (`field`, `0`, `return`, `ident`, `doc`, `entries`, `kebab`, `bare`, `param0`, `arg0`, `kw:name`, `decorator:name`, `field:name`).",
}

impl std::str::FromStr for Selector {
    type Err = String;

    fn from_str(text: &str) -> Result<Selector, String> {
        let mut parts = text.split('.');
        let first = parts.next().unwrap_or("");
        let start = match first {
            "def" => Start::Definition,
            "receiver" => Start::Receiver,
            "class" => Start::Class,
            "each" => Start::Each,
            "applied" => Start::Applied,
            "file" => Start::File,
            _ => {
                if let Some(name) = first.strip_prefix("decorator:") {
                    Start::Decorator(name.into())
                } else if let Some(name) = first.strip_prefix("export:") {
                    Start::Export(name.into())
                } else if let Some(name) = first.strip_prefix("kw:") {
                    Start::Keyword(name.into())
                } else if let Some(Ok(index)) = first.strip_prefix("rest").map(str::parse) {
                    Start::Rest(index)
                } else if let Some(Ok(index)) = first.strip_prefix("arg").map(str::parse) {
                    Start::Arg(index)
                } else {
                    return Err(format!(
                        "`{first}` is no start of a selector: use arg0, arg-1, rest1, kw:name, def, receiver, class, each, applied, file, export:name or decorator:name"
                    ));
                }
            }
        };
        Ok(Selector { start, steps: parts.map(step).collect::<Result<_, _>>()? })
    }
}

/// The steps that are one word.
const WORDS: [(&str, Step); 6] = [
    ("return", Step::Return),
    ("ident", Step::Ident),
    ("doc", Step::Doc),
    ("entries", Step::Entries),
    ("kebab", Step::Kebab),
    ("bare", Step::Bare),
];

/// One step of a selector: a word, a word with a number or a name, or the name of a field.
///
/// # Errors
/// What is wrong with it, for who wrote it: a field whose name is nearly such a word has to be called `field:NAME`.
fn step(part: &str) -> Result<Step, String> {
    if let Some((_, step)) = WORDS.iter().find(|(word, _)| *word == part) {
        return Ok(step.clone());
    }
    if let Some(field) = part.strip_prefix("field:") {
        return Ok(Step::Field(field.into()));
    }
    let step = step_with_argument(part);
    if !matches!(step, Step::Field(_)) {
        return Ok(step);
    }
    if let Some(near) = crate::name::nearest(part, WORDS.map(|(word, _)| word)) {
        return Err(format!(
            "`{part}` is no step of a selector; did you mean `{near}`? Write `field:{part}` for a field of this name"
        ));
    }
    match part.is_empty() || part.contains(|c: char| c.is_whitespace() || "()[]{}:,;\"'`".contains(c)) {
        true => Err(format!(
            "`{part}` is no step of a selector: use the name of a field, a number, {}, paramN, argN, kw:NAME or decorator:NAME",
            WORDS.map(|(word, _)| word).join(", ")
        )),
        false => Ok(step),
    }
}

fn step_with_argument(part: &str) -> Step {
    if let Some(keyword) = part.strip_prefix("kw:") {
        return Step::Keyword(keyword.into());
    }
    if let Some(decorator) = part.strip_prefix("decorator:") {
        return Step::Decorator(decorator.into());
    }
    let numbered = |word: &str| part.strip_prefix(word).and_then(|number| number.parse().ok());
    if let Some(index) = numbered("param") {
        return Step::Param(index);
    }
    if let Some(index) = numbered("arg") {
        return Step::Arg(index);
    }
    match part.parse() {
        Ok(index) => Step::Index(index),
        Err(_) => Step::Field(part.into()),
    }
}

impl<'de> Deserialize<'de> for Selector {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// A set of frameworks, ready to be asked about what stands in code.
#[derive(Debug, Clone)]
pub struct Frameworks {
    pub rows: Vec<Framework>,
    by_last_name: FxHashMap<(Family, SmolStr), Vec<FormId>>,
    /// The forms that are classes which derive from something.
    derivable: FxHashMap<Family, Vec<FormId>>,
    /// The forms that are objects of some shape.
    shapes: FxHashMap<Family, Vec<FormId>>,
    /// The forms that are files in some folder.
    modules: FxHashMap<Family, Vec<FormId>>,
}

/// A form of a framework: indices into [`Frameworks::rows`] and [`Framework::forms`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FormId {
    pub framework: usize,
    pub form: usize,
}

impl Frameworks {
    /// The built-in rows and `more`, which come first where both match alike.
    pub fn with(more: &[Framework]) -> Frameworks {
        let rows: Vec<Framework> = more.iter().chain(built_in()).cloned().collect();
        let mut by_last_name: FxHashMap<(Family, SmolStr), Vec<FormId>> = FxHashMap::default();
        let mut derivable: FxHashMap<Family, Vec<FormId>> = FxHashMap::default();
        let mut shapes: FxHashMap<Family, Vec<FormId>> = FxHashMap::default();
        let mut modules: FxHashMap<Family, Vec<FormId>> = FxHashMap::default();
        for (framework, row) in rows.iter().enumerate() {
            for (form, rule) in row.forms.iter().enumerate() {
                let key = (row.language, rule.path.last().clone());
                let id = FormId { framework, form };
                if matches!(rule.on, On::Shape | On::ClassShape) {
                    shapes.entry(row.language).or_default().push(id);
                } else if rule.on == On::Module {
                    modules.entry(row.language).or_default().push(id);
                } else if rule.on == On::Class {
                    derivable.entry(row.language).or_default().push(id);
                } else {
                    by_last_name.entry(key).or_default().push(id);
                }
            }
        }
        Frameworks { rows, by_last_name, derivable, shapes, modules }
    }

    /// The forms of a language whose path ends in `last`.
    pub fn candidates(&self, language: Family, last: &SmolStr) -> &[FormId] {
        self.by_last_name.get(&(language, last.clone())).map_or(&[], Vec::as_slice)
    }

    /// The forms that are classes deriving from one of a framework's.
    pub fn derivable(&self, language: Family) -> &[FormId] {
        self.derivable.get(&language).map_or(&[], Vec::as_slice)
    }

    /// The forms that are objects of some shape.
    pub fn shapes(&self, language: Family) -> &[FormId] {
        self.shapes.get(&language).map_or(&[], Vec::as_slice)
    }

    /// The forms that are files in some folder.
    pub fn modules(&self, language: Family) -> &[FormId] {
        self.modules.get(&language).map_or(&[], Vec::as_slice)
    }

    /// Whether a framework loads files from the folder that a path lies in; whether its package uses that framework
    /// is another question.
    pub fn may_load(&self, language: Family, path: &str) -> bool {
        self.modules(language).iter().any(|&id| match &self.form(id).path {
            CalleePattern::Folder(folder) => format!("/{path}").contains(&format!("/{folder}/")),
            _ => false,
        })
    }

    pub fn framework(&self, id: FormId) -> &Framework {
        &self.rows[id.framework]
    }

    pub fn form(&self, id: FormId) -> &Form {
        &self.rows[id.framework].forms[id.form]
    }

    /// Which framework a module belongs to.
    pub fn owner_of_module(&self, language: Family, module: &str) -> Option<usize> {
        self.rows.iter().position(|row| row.language == language && row.owns_module(module))
    }
}

#[derive(Deserialize)]
struct Rows {
    #[serde(default)]
    framework: Vec<Framework>,
}

/// The rows that every binary carries.
pub fn built_in() -> &'static [Framework] {
    static ROWS: LazyLock<Vec<Framework>> = LazyLock::new(|| {
        [include_str!("typescript.toml"), include_str!("python.toml"), include_str!("rust.toml")]
            .into_iter()
            .flat_map(|text| toml::from_str::<Rows>(text).expect("built-in frameworks parse").framework)
            .collect()
    });
    &ROWS
}

/// How many bytes of a word are searched for.
const MOST_OF_WORD: usize = 64;

/// The words of which a source file of a language holds at least one if it registers anything in these frameworks
/// or imports one of them. Files without any are not parsed unless an import leads to them.
pub fn trigger_words(frameworks: &[Framework], language: Family) -> Vec<String> {
    let mut words = Vec::new();
    for framework in frameworks.iter().filter(|framework| framework.language == language) {
        for package in &framework.packages {
            match language {
                Family::TypeScript => words.push(package.to_string()),
                Family::Python => words.extend([format!("import {package}"), format!("from {package}")]),
                Family::Rust => words.push(format!("{package}::")),
            }
        }
        let written = |form: &&Form| !matches!(form.on, On::Shape | On::ClassShape | On::Module);
        words.extend(framework.forms.iter().filter(written).map(|form| match &form.path {
            CalleePattern::Method(name) if form.on == On::Compared => name.to_string(),
            CalleePattern::Method(name) => format!(".{name}"),
            CalleePattern::Imported(path) => path.first().expect("a path has parts").to_string(),
            CalleePattern::Folder(folder) => folder.to_string(),
        }));
    }
    // The beginning of a long word stands wherever the word does.
    for word in &mut words {
        let end = (0..=word.len().min(MOST_OF_WORD)).rev().find(|end| word.is_char_boundary(*end));
        word.truncate(end.unwrap_or(0));
    }
    words.sort();
    words.dedup();
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_row_parses_and_has_an_id_of_its_own() {
        let mut ids: Vec<_> = built_in().iter().map(|framework| &framework.id).collect();
        let count = ids.len();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), count);
        assert!(count >= 4);
    }

    #[test]
    fn a_module_belongs_to_its_package_only() {
        assert!(module_in_package("@modelcontextprotocol/sdk/server/mcp.js", "@modelcontextprotocol/sdk"));
        assert!(module_in_package("mcp.server.fastmcp", "mcp"));
        assert!(module_in_package("rmcp::model", "rmcp"));
        assert!(!module_in_package("mcp_helpers", "mcp"));
    }
}
