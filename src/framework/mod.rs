//! Frameworks as data: the forms of code that register tools, prompts and resources, and what each framework does with
//! a duplicate name. The built-in rows are in the TOML files next to this one; a config can add more in the same form.
//!
//! A row never names a server; it describes a package for writing servers.

mod selector;
mod set;
mod valid;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use smol_str::SmolStr;

pub use self::selector::{CalleePattern, Selector};
pub(crate) use self::selector::{Selectors, Start, Step};
pub(crate) use self::set::{FormId, Frameworks, built_in, trigger_words};
pub(crate) use self::valid::WrittenQuery;
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
    /// Members of a server object that stand for the same server: with `["experimental", "tasks"]`, a tool that is
    /// registered on `server.experimental.tasks` belongs to `server`.
    #[serde(default)]
    pub same_server: Vec<SmolStr>,
    /// Forms of code that create a server or register something, each a `[[frameworks.form]]`.
    #[serde(rename = "form", default)]
    pub forms: Vec<Form>,
    /// Why `rename` cannot write an alias, and what to do instead; a sentence without its subject, which is the
    /// framework: `knows a tool by its route, so the old name needs a route of its own`. Used only if there are no
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
/// - `$options`: a copy of the object that contains the name, with the old name and the note in it;
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
    /// Whether the recipe lists the old name or only answers calls to it.
    pub mode: AliasMode,
    /// Methods, decorators or attributes that the recipe applies to: `["registerTool", "tool"]`. For
    /// `site = "beginning"`, the name of the function that answers all calls.
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
    /// Template of a member to add at the end of the object that contains the name: `...$alias`. The object must be the
    /// first argument of the call, or be in a list that is the first argument.
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
    /// Packages with a version that the project must allow; in contrast to `since`, the project may also allow earlier
    /// versions: `{ "@modelcontextprotocol/sdk" = "1.13" }`.
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
    /// A call that registers several tools: it is written a second time, for the renamed tool only.
    Shared,
    /// A definition in a list that a variable holds: another definition is added to the list.
    List,
    /// An element of a list of definitions: it is written a second time, and each place where the server chooses a
    /// handler by name accepts both names.
    Element,
    /// A definition that the code refers to by the name of a variable or function: another element is written after
    /// each list element that is this name.
    Member,
    /// A definition that the code refers to by the name of a variable or function: another statement is written after
    /// each statement that only passes the definition to a function.
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

/// One form of code that creates a server or registers something.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Form {
    /// The kind of object that the code creates or registers.
    pub kind: Kind,
    /// The kind of code that matches.
    pub on: On,
    /// The callee or decorator that matches: `*.registerTool` for a method of any object, `McpServer` or `Tool.new` for
    /// an export of one of the packages; for `on = "module"`, a folder such as `src/tools`.
    pub path: Option<CalleePattern>,
    /// For `on = "query"`: a query on the syntax tree, in the query language of tree-sitter. Each captured name is one
    /// tool, prompt or resource. A capture is read like a keyword argument: `@name` is `kw:name`. The keys `name`,
    /// `title`, `description`, `annotations`, `schema`, `handler` and `server` default to the capture of their name.
    pub query: Option<SmolStr>,
    /// What the first argument must be, for a method with several uses: a string, an identifier, or the class of an
    /// object that is made there, such as `["ListToolsRequestSchema", "tools/list"]`.
    #[serde(default)]
    pub first: Vec<SmolStr>,
    /// Selector of a text that may be one of `first` instead: `arg0.shape.method.value`, the literal in a schema.
    #[serde(default)]
    pub or_first: Option<Selector>,
    /// Minimum number of arguments; calls with fewer do not match.
    #[serde(default)]
    pub min_args: usize,
    /// Evidence that is required before a method of this name counts as this framework's.
    #[serde(default)]
    pub gate: Gate,
    /// Selector of a list, such as `arg1.return.tools`: the form registers one tool, prompt or resource for each
    /// element. Other selectors refer to the element as `each`. For `kind = "mount"`, it selects the server that is
    /// mounted; for `kind = "dynamic"`, a value without which the form does not match.
    pub each: Option<Selector>,
    /// Selector of the list if `each` finds nothing: `arg2`.
    #[serde(default)]
    pub or_each: Option<Selector>,
    /// Methods that return what other forms of the framework register; a list that one of them returns adds nothing:
    /// `["list_all"]` for a handler that answers with `self.tool_router.list_all()`.
    #[serde(default)]
    pub registered: Vec<SmolStr>,
    /// Selectors of the name; the first that finds a value counts: `["kw:name", "def.ident"]`. For `kind = "mount"`,
    /// they select the prefix; for `kind = "dispatch"`, the name of the called tool. Without a name, a form does not
    /// register a tool, prompt or resource.
    #[serde(default)]
    pub name: Selectors,
    /// Whether only early versions of the package accept the keyword for the name. Such a keyword is read but never
    /// written.
    #[serde(default)]
    pub keyword_is_old: bool,
    /// Selectors of the human-readable title: `["arg1.title"]`.
    #[serde(default)]
    pub title: Selectors,
    /// Selectors of the description: `["kw:description", "def.doc"]`.
    #[serde(default)]
    pub description: Selectors,
    /// Selectors of the object that contains hints such as `readOnlyHint`: `["arg1.annotations"]`.
    #[serde(default)]
    pub annotations: Selectors,
    /// Selectors of the list of those who may use the tool, `model` or `app`: `["arg1._meta.ui.visibility"]`.
    #[serde(default)]
    pub visibility: Selectors,
    /// Selectors of the schema of the arguments: `["arg1.inputSchema"]`.
    #[serde(default)]
    pub schema: Selectors,
    /// Selectors of the handler, the function that runs when the tool is called: `["arg-1"]`.
    #[serde(default)]
    pub handler: Selectors,
    /// Selectors of the server that the tool, prompt or resource is registered with: `["receiver"]`.
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
    /// Whether the form, like a shape, counts only in a package that registers tools in a way that cannot be followed.
    /// For constructors of definitions: a `Tool` that is constructed somewhere is also listed somewhere.
    #[serde(default)]
    pub fallback: bool,
    /// For `kind = "dynamic"`: the reason why the source does not show the names, as a clause in reports: `tools come
    /// from providers`.
    pub reason: Option<SmolStr>,
    /// Prefix that the framework adds to each name: `ask_`.
    #[serde(default)]
    pub prefix: SmolStr,
    /// For `kind = "mount"`: the text between the prefix and a name: `_`.
    #[serde(default)]
    pub separator: SmolStr,
    /// For `kind = "mount"`: selectors of the separator, if the code specifies it: `["kw:separator"]`.
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

/// The kind of object that a form creates or registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema, Hash)]
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
    /// An object that is created with `new`.
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
    /// An object with a name that has the keys of a definition. Counts only in a package that registers tools in a way
    /// that cannot be followed.
    Shape,
    /// A class that has the members of a definition. Counts under the same condition as `shape`.
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
    /// What `query` matches, for code that no other kind describes.
    Query,
}

/// The evidence that a method belongs to a framework.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema, Default)]
#[serde(rename_all = "kebab-case")]
pub enum Gate {
    /// The object is known to be this framework's, or nothing is known about the object and the file imports one of the
    /// packages.
    #[default]
    File,
    /// The method's name is distinctive: it is enough that some file of the project imports one of the packages.
    Project,
    /// The first argument is distinctive: nothing else is required, since a bundle has no imports left.
    Telling,
    /// The form is an attribute that another macro reads and that is therefore not imported itself: the file must
    /// import one of the packages.
    Inert,
}

impl Kind {
    /// Whether a form with a query can have this kind.
    fn is_found_by_query(self) -> bool {
        matches!(self, Kind::Tool | Kind::Prompt | Kind::Resource | Kind::Dynamic)
    }
}

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

impl Form {
    /// If the form has a query, gives each key that the row leaves out a selector of the capture with the key's name.
    fn name_captures(&mut self) {
        if self.query.is_none() {
            return;
        }
        for (capture, selectors) in self.captures().into_iter().filter(|(_, selectors)| selectors.is_empty()) {
            let start = Start::Keyword(SmolStr::new_static(capture));
            selectors.push(Selector { start: start.clone(), steps: Vec::new() });
            // If a function or class is captured as `@name`, its own name is the name.
            selectors.extend((capture == "name").then(|| Selector { start, steps: vec![Step::Ident] }));
        }
    }

    /// Every selector of the form.
    fn selectors(&self) -> impl Iterator<Item = &Selector> {
        let lists = [
            &self.name,
            &self.title,
            &self.description,
            &self.annotations,
            &self.visibility,
            &self.schema,
            &self.handler,
            &self.server,
            &self.variant,
            &self.switch,
            &self.unless,
            &self.separator_given,
        ];
        self.each.iter().chain(&self.or_each).chain(lists.into_iter().flatten())
    }

    /// The captures with a fixed meaning, each with the selectors that default to it.
    fn captures(&mut self) -> [(&'static str, &mut Selectors); 7] {
        [
            ("name", &mut self.name),
            ("title", &mut self.title),
            ("description", &mut self.description),
            ("annotations", &mut self.annotations),
            ("schema", &mut self.schema),
            ("handler", &mut self.handler),
            ("server", &mut self.server),
        ]
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
