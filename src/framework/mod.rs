//! Frameworks as data: the forms in which each registers tools, prompts and resources, and what it does with a
//! duplicate name. The built-in rows are the TOML files next to this one; a config adds more in the same form.
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

/// A framework: a package that MCP servers are written with, and the forms in which its users register tools, prompts
/// and resources.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Framework {
    /// Name of the framework, as reports show it: `typescript-sdk`.
    pub id: SmolStr,
    /// Language of the servers that are written with it; `typescript` includes JavaScript.
    pub language: Family,
    /// Packages that a file must import for its code to count as this framework's: npm packages, top-level Python
    /// modules or crates, such as `["@modelcontextprotocol/sdk"]`.
    pub packages: Vec<SmolStr>,
    /// What the framework does when a server registers the same name twice.
    pub duplicate: Duplicate,
    /// Whether a definition always contains its handler, so that no code has to look the handler up by name.
    #[serde(default)]
    pub carries: bool,
    /// Members of a server object that are the same server: with `["experimental", "tasks"]`, a tool that is registered
    /// on `server.experimental.tasks` belongs to `server`.
    #[serde(default)]
    pub same_server: Vec<SmolStr>,
    /// Forms of code that make a server or register something, each a `[[frameworks.form]]`.
    #[serde(rename = "form", default)]
    pub forms: Vec<Form>,
    /// Why `rename` cannot write an alias, and what to do instead; a sentence without its subject, which is the
    /// framework: `knows a tool by its route, so the old name needs a route of its own`. Has an effect only without
    /// recipes (`alias`).
    pub no_alias: Option<String>,
    /// Recipes for registering a tool under a second name, each a `[[frameworks.alias]]`. The first that fits is used;
    /// those of the requested `mode` are tried before the others.
    #[serde(rename = "alias", default)]
    pub aliases: Vec<AliasRecipe>,
}

/// A recipe for registering a tool under a second name: the text that `rename` writes next to the registration to keep
/// the old name callable. The templates (`above`, `behind`, `behind_typed`, `front`, `last`) can contain the words
/// below, or `${word}` if a letter follows; a recipe with a word that has no value at a registration is not used there.
///
/// - `$old`, `$new`, `$note`: string literals of both names and of the note that the tool is deprecated;
/// - `$server`, `$method`: the object on which the method is called, and the method;
/// - `$argument`: the only argument of the call, if it is a variable;
/// - `$decorator`, `$more`: the decorator of the function without its arguments, and the keyword arguments of the
///   decorator or attribute except the name and the description, each after a comma;
/// - `$conditions`: the `#[cfg(…)]` attributes of the function, each on a line of its own;
/// - `$var`: a variable that holds the definition or the return value of the registration, or an expression for the
///   definition;
/// - `$described`: the member that gives a copy of `$var` the note as its description;
/// - `$function`, `$alias`: the name of the function, and an unused name for a function or variable next to it;
/// - `$former`: the old name, if it can be the name of a function;
/// - `$class`: an unused name for a class;
/// - `$options`: the object that contains the name, with the old name and the note;
/// - `$list`: the variable that holds a list, or an object with tools as its keys;
/// - `$key`, `$value`: the old name as a key, and the value under the new name;
/// - `$request`: the request parameter of the function that answers calls, or the variable that `$called` begins with;
/// - `$called`: the expression for the name of the called tool in that function;
/// - `$router`: the router that the attribute of an implementation names, or else `Self::tool_router()`;
/// - `$comment`: the comment that marks an alias, for a template of more than one statement;
/// - `$async`, `$parameters`, `$result`, `$arguments`, `$await`: the parts of the declaration of `$function`, and of a
///   call to it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AliasRecipe {
    /// Whether the recipe lists the old name or only answers it.
    pub mode: AliasMode,
    /// Methods, decorators or attributes that the recipe is for: `["registerTool", "tool"]`. For `site = "beginning"`,
    /// the name of the function that answers all calls.
    #[serde(default)]
    pub of: Vec<SmolStr>,
    /// The form that the registration must have in its source; it also determines where the alias is written.
    pub site: AliasSite,
    /// Methods of the registration's return value that would affect one of the two names only: `["disable", "remove"]`.
    /// If the code calls one of them, the recipe is not used.
    #[serde(default)]
    pub unless: Vec<SmolStr>,
    /// Template of the text above the registration: `@$decorator(name=$old, description=$note$more)`.
    pub above: Option<String>,
    /// Template of the text after the registration: `$server.add_tool($argument, name=$old, description=$note)`.
    pub behind: Option<String>,
    /// Template that replaces `behind` in TypeScript files, where types are checked.
    pub behind_typed: Option<String>,
    /// Template of the text before the registration, on its line. A text that ends in `{` begins a block around the
    /// registration: `for (const $alias of [{}, { name: $old }]) {`.
    pub front: Option<String>,
    /// Template of a member to add at the end of the object that is the first argument of the call, or in a list there:
    /// `...$alias`.
    pub last: Option<String>,
    /// Whether the templates call methods that only a server has: the recipe is then used only for tools whose server
    /// is known.
    #[serde(default)]
    pub on_server: bool,
    /// Import statements that the templates need: `["from fastmcp.tools import Tool"]`.
    #[serde(default)]
    pub imports: Vec<String>,
    /// Packages with the lowest version that the recipe needs: `{ fastmcp = "3" }`. The recipe is used if the project
    /// does not allow an earlier version; if that is not known, a recipe without such a bound is preferred.
    #[serde(default)]
    pub since: BTreeMap<String, String>,
    /// Packages with a version that the project must allow; unlike for `since`, it may allow earlier ones too:
    /// `{ "@modelcontextprotocol/sdk" = "1.13" }`.
    #[serde(default)]
    pub from: BTreeMap<String, String>,
}

/// The way in which an old name stays callable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema, Default)]
#[serde(rename_all = "kebab-case")]
pub enum AliasMode {
    /// The old name is listed and marked as deprecated.
    #[default]
    Listed,
    /// The old name is answered but not listed.
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

/// The form of a registration in its source, and the place of its alias.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AliasSite {
    /// A call that is a statement or the value of a variable.
    Statement,
    /// A decorator or attribute of a function.
    Function,
    /// A decorator or attribute of a method.
    Method,
    /// The implementation for which an attribute generates the function that answers calls:
    /// `#[tool_handler] impl ServerHandler for Notes {}`. That function is written into it.
    Handler,
    /// The start of the package's only function with a name in `of`, which answers all calls; without `of`, the start
    /// of each function that the server calls with the name of a tool.
    Beginning,
    /// A statement that contains the name under a keyword or key, and refers to the handler by an identifier: the
    /// statement is written a second time.
    Copy,
    /// A statement that is a call with the name as an argument: it is put into a loop over both names.
    Each,
    /// A call that registers several tools: it is made a second time for the tool with this name.
    Shared,
    /// A definition in a list that a variable holds: another definition is added to the list.
    List,
    /// An element of a list of definitions: it is written a second time, and each place where the server chooses a
    /// handler by name accepts both names.
    Element,
    /// A definition that is known by the name of a variable or function: after each list element that is this name,
    /// another element is written.
    Member,
    /// A definition that is known by the name of a variable or function: after each statement that only passes it to a
    /// function, another statement is written.
    Argument,
    /// A key of an object: another key is written after it.
    Key,
    /// A key of an object that a variable holds, with the handler in its value: another key is assigned after the
    /// statement.
    Table,
    /// A definition written out as an element of a list: `front` is written before it and `behind` after it.
    Inline,
    /// Each place where the server chooses a handler by the name of the tool.
    Dispatch,
}

/// What a framework does with the second registration of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Duplicate {
    /// The second registration fails.
    Throws,
    /// The first registration stays.
    KeepsFirst,
    /// The second registration replaces the first.
    KeepsLast,
    /// Both are listed.
    ListsBoth,
}

/// One form of code that makes a server or registers something.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Form {
    /// What the code makes.
    pub kind: Kind,
    /// The kind of code that matches.
    pub on: On,
    /// The callee or decorator that matches: `*.registerTool` for a method of any object, `McpServer` or `Tool.new` for
    /// an export of one of the packages; for `on = "module"`, a folder such as `src/tools`.
    pub path: CalleePattern,
    /// What the first argument must be, for a method that registers many kinds of things: a string, an identifier, or
    /// the class of an object that is made there, such as `["ListToolsRequestSchema", "tools/list"]`.
    #[serde(default)]
    pub first: Vec<SmolStr>,
    /// The least number of arguments; calls with fewer do not match.
    #[serde(default)]
    pub min_args: usize,
    /// How much must be known before a method of this name counts as this framework's.
    #[serde(default)]
    pub gate: Gate,
    /// Selector of a list: the form registers one thing for each element, to which other selectors refer as `each`,
    /// such as `arg1.return.tools`. For `kind = "mount"`, the server that is mounted; for `kind = "dynamic"`, a value
    /// without which the form does not match.
    pub each: Option<Selector>,
    /// Selector of the list if `each` finds nothing: `arg2`.
    #[serde(default)]
    pub or_each: Option<Selector>,
    /// Selectors of the name, of which the first that finds a value counts: `["kw:name", "def.ident"]`. For
    /// `kind = "mount"`, they select the prefix; for `kind = "dispatch"`, the name of the called tool. Without a name,
    /// a form does not register a tool, prompt or resource.
    #[serde(default)]
    pub name: Selectors,
    /// Whether only early versions of the package accept the keyword for the name: it is read but never written.
    #[serde(default)]
    pub keyword_is_old: bool,
    /// Selectors of the title for people: `["arg1.title"]`.
    #[serde(default)]
    pub title: Selectors,
    /// Selectors of the description: `["kw:description", "def.doc"]`.
    #[serde(default)]
    pub description: Selectors,
    /// Selectors of the object that contains hints such as `readOnlyHint`: `["arg1.annotations"]`.
    #[serde(default)]
    pub annotations: Selectors,
    /// Selectors of the schema of the arguments: `["arg1.inputSchema"]`.
    #[serde(default)]
    pub schema: Selectors,
    /// Selectors of the handler, the function that runs when the tool is called: `["arg-1"]`.
    #[serde(default)]
    pub handler: Selectors,
    /// Selectors of the server that it is registered with: `["receiver"]`.
    #[serde(default)]
    pub server: Selectors,
    /// Selectors of a value that distinguishes registrations of the same name, such as a version: `["kw:version"]`. A
    /// registration with such a value is not a duplicate.
    #[serde(default)]
    pub variant: Selectors,
    /// Methods whose return value must be the object on which the matched method is called: `["registerTool"]` for the
    /// `remove` of `const tool = server.registerTool(…); tool.remove()`.
    #[serde(default)]
    pub given_by: Vec<SmolStr>,
    /// Selectors of a flag; if it is `false`, the form does not match: `["kw:enabled"]`.
    #[serde(default)]
    pub switch: Selectors,
    /// Selectors of values that another form handles; if one is present, this form does not match: `["kw:tool_names"]`.
    #[serde(default)]
    pub unless: Selectors,
    /// Whether the form counts only in a package that registers tools in a way that cannot be followed, as shapes do.
    /// For constructors of definitions: a `Tool` that is constructed somewhere is also listed somewhere.
    #[serde(default)]
    pub fallback: bool,
    /// For `kind = "dynamic"`: what the code does that its source does not show, as reports state it:
    /// `tools come from providers`.
    pub reason: Option<SmolStr>,
    /// What the framework puts before each name: `ask_`.
    #[serde(default)]
    pub prefix: SmolStr,
    /// For `kind = "mount"`: the text between the prefix and a name: `_`.
    #[serde(default)]
    pub separator: SmolStr,
    /// For `kind = "mount"`: selectors of a separator that the code gives instead: `["kw:separator"]`.
    #[serde(default)]
    pub separator_given: Selectors,
    /// For `on = "shape"` and `on = "class-shape"`: lists of keys; at least one key of each list must be present:
    /// `[["inputSchema", "schema"], ["description"]]`.
    #[serde(default)]
    pub has: Vec<Vec<SmolStr>>,
    /// For `on = "shape"` and `on = "class-shape"`: keys that must not be present. In a shape, `type=object` excludes
    /// the key with this value only.
    #[serde(default)]
    pub lacks: Vec<SmolStr>,
}

/// What a form makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A server; `name` selects its name.
    Server,
    /// A tool.
    Tool,
    /// A prompt.
    Prompt,
    /// A resource; `name` selects its URI or URI template.
    Resource,
    /// Tools whose names the source does not show; the list of the server's tools is then incomplete.
    Dynamic,
    /// Nothing new: the tools of another server, which `each` selects, under a prefix, which `name` selects.
    Mount,
    /// Nothing: the code where a server chooses a handler by the name of the tool, which `name` selects.
    Dispatch,
}

/// The kind of code that a form matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum On {
    /// A call of a function or method.
    Call,
    /// An object that is made with `new`.
    New,
    /// A struct literal.
    Struct,
    /// A decorator or attribute, with or without arguments.
    Decorator,
    /// A decorator or attribute that must be written with arguments or empty parentheses.
    CalledDecorator,
    /// A decorator of a class or attribute of an `impl`.
    ClassDecorator,
    /// A decorator of a class or attribute of an `impl` that registers each of its methods; `def` is the method.
    Members,
    /// An object with a name that has the keys of a definition. Counts only where a package registers tools in a way
    /// that cannot be followed.
    Shape,
    /// A class that has the members of a definition. Counts where `shape` does.
    ClassShape,
    /// A string literal with which a value is compared: `"tools/list"` in code that dispatches messages itself.
    Compared,
    /// A class that derives from a class of the framework: `MCPTool`.
    Class,
    /// A method of a class that derives from a class of the framework or implements one of its traits:
    /// `ServerHandler.call_tool`.
    Method,
    /// A file in a folder from which the framework loads tools: `src/tools`, relative to the package's root.
    Module,
}

/// The evidence that a method belongs to a framework.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema, Default)]
#[serde(rename_all = "kebab-case")]
pub enum Gate {
    /// The object is known to be this framework's, or nothing is known of it and the file imports one of the packages.
    #[default]
    File,
    /// The method's name is distinctive: some file of the project imports one of the packages.
    Project,
    /// The first argument is distinctive: nothing else is required, since a bundle has no imports left.
    Telling,
    /// An attribute that another macro reads, so it is not imported itself: the file imports one of the packages.
    Inert,
}

/// A pattern for callees and decorators.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CalleePattern {
    /// A method of any object.
    Method(SmolStr),
    /// A path that begins with an import from one of the framework's packages.
    Imported(Vec<SmolStr>),
    /// A folder, for `on = "module"`; it contains a `/`.
    Folder(SmolStr),
}

/// The way from matched code to a value: a start and steps from there, `arg1.annotations.title`.
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
    /// The object on which the method is called: `receiver`.
    Receiver,
    /// The surrounding class: `class`.
    Class,
    /// The element of the form's list: `each`.
    Each,
    /// The positional arguments from an index on, as a list: `rest1`.
    Rest(usize),
    /// Another decorator or attribute of the same definition: `decorator:mcp`.
    Decorator(SmolStr),
    /// An export of the file: `export:metadata`.
    Export(SmolStr),
    /// The file's name without its extension: `file`.
    File,
    /// The first argument that the form's result is called with: `applied`, as in `mcp.tool(name="x")(function)`.
    Applied,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    Field(SmolStr),
    /// The return value of the function: `return`.
    Return,
    /// The identifier itself as text: `def.ident`.
    Ident,
    /// The docstring or leading comment of a function or class: `def.doc`.
    Doc,
    /// A parameter of the function, not counting the receiver: `param0`.
    Param(usize),
    /// A positional argument of the call: `arg0` after another step.
    Arg(usize),
    /// The pairs of an object, each a list of key and value: `entries`.
    Entries,
    /// An element of a list: `0`.
    Index(u32),
    /// A keyword argument of the call: `kw:name` after another step.
    Keyword(SmolStr),
    /// The text in lower-case words joined by `-`: `kebab`.
    Kebab,
    /// The text without the `r#` of a raw identifier: `bare`.
    Bare,
    /// The decorator of this name on a function or class: `decorator:tool`.
    Decorator(SmolStr),
}

pub(crate) type Selectors = Vec<Selector>;

impl On {
    /// Whether a call of this kind can match this form.
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
    /// The last part of the path, under which forms are looked up.
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

/// Whether `module`, as an import names it, is `package` or a part of it. Deno includes the registry and the version:
/// `npm:package@^1/part`.
pub(crate) fn module_in_package(module: &str, package: &str) -> bool {
    let module = module.strip_prefix("npm:").unwrap_or(module);
    if let Some(rest) = module.strip_prefix(package).and_then(|rest| rest.strip_prefix('@')) {
        return !rest.is_empty();
    }
    module.strip_prefix(package).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '.', ':']))
}

impl<'de> Deserialize<'de> for CalleePattern {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if text.trim_start_matches("*.").trim_matches(['*', '.', '/']).is_empty() {
            return Err(serde::de::Error::custom("expected `*.method`, `Class` or `folder/of/files`"));
        }
        Ok(match text.strip_prefix("*.") {
            Some(method) => CalleePattern::Method(method.into()),
            None if text.contains('/') => CalleePattern::Folder(text.into()),
            None => CalleePattern::Imported(text.split('.').map(SmolStr::new).collect()),
        })
    }
}

/// Implements [`JsonSchema`] for types that are written as strings.
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

/// Reads one step of a selector: a word, a word with a number or a name, or the name of a field.
///
/// # Errors
/// A message for the author of the selector; a field whose name is nearly such a word must be written `field:NAME`.
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

/// A set of frameworks, indexed for looking up forms.
#[derive(Debug, Clone)]
pub struct Frameworks {
    pub rows: Vec<Framework>,
    by_last_name: FxHashMap<(Family, SmolStr), Vec<FormId>>,
    /// The forms that match classes with a certain base.
    derivable: FxHashMap<Family, Vec<FormId>>,
    /// The forms that match objects and classes by shape.
    shapes: FxHashMap<Family, Vec<FormId>>,
    /// The forms that match the files of a folder.
    modules: FxHashMap<Family, Vec<FormId>>,
}

/// A form of a framework: indices into [`Frameworks::rows`] and [`Framework::forms`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FormId {
    pub framework: usize,
    pub form: usize,
}

impl Frameworks {
    /// The built-in rows and `more`, which come first where both match equally well.
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

    /// The forms that match classes which derive from a class of the framework.
    pub fn derivable(&self, language: Family) -> &[FormId] {
        self.derivable.get(&language).map_or(&[], Vec::as_slice)
    }

    /// The forms that match objects and classes by shape.
    pub fn shapes(&self, language: Family) -> &[FormId] {
        self.shapes.get(&language).map_or(&[], Vec::as_slice)
    }

    /// The forms that match the files of a folder.
    pub fn modules(&self, language: Family) -> &[FormId] {
        self.modules.get(&language).map_or(&[], Vec::as_slice)
    }

    /// Whether a framework loads files from the folder of a path; the package of the path need not use that framework.
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

    /// The index of the first framework of a language to which a module belongs.
    pub fn owner_of_module(&self, language: Family, module: &str) -> Option<usize> {
        self.rows.iter().position(|row| row.language == language && row.owns_module(module))
    }
}

#[derive(Deserialize)]
struct Rows {
    #[serde(default)]
    framework: Vec<Framework>,
}

/// The rows that every binary contains.
pub(crate) fn built_in() -> &'static [Framework] {
    static ROWS: LazyLock<Vec<Framework>> = LazyLock::new(|| {
        [include_str!("typescript.toml"), include_str!("python.toml"), include_str!("rust.toml")]
            .into_iter()
            .flat_map(|text| toml::from_str::<Rows>(text).expect("built-in frameworks parse").framework)
            .collect()
    });
    &ROWS
}

/// The longest part of a word that is searched for, in bytes.
const MOST_OF_WORD: usize = 64;

/// The words of which a source file of a language contains at least one if it registers anything with these frameworks
/// or imports one of them. A file without any of them is parsed only if an import leads to it.
pub(crate) fn trigger_words(frameworks: &[Framework], language: Family) -> Vec<String> {
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
    // Wherever a long word occurs, so does its beginning.
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
