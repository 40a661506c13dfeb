//! Finds every reference to a Python function, so that the function can be renamed; also how often code uses a word,
//! and the call that takes a literal.

use tree_sitter::{Node, Tree};

use super::locals::{Locals, Role, scope_around};
use super::queries::Queries;
use crate::text::Span;

/// The references to a function in its own file, its definition first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FunctionUses {
    pub places: Vec<Span>,
    /// Whether the function is local to another one.
    pub is_local: bool,
}

/// The reason why the uses of a function cannot be found, or why the function cannot be renamed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Untraceable {
    NotFunction,
    /// A method, whose calls cannot be linked to it.
    Method,
    /// The new name already has a meaning in the file.
    Taken(String),
    /// The old name has another meaning in the file.
    Ambiguous(String),
}

/// The references to the function whose name is at `definition`.
///
/// # Errors
/// The reason why they cannot be found, or why the function cannot be renamed to `new`.
pub(crate) fn function_uses(
    tree: &Tree,
    source: &str,
    definition: Span,
    new: &str,
) -> Result<FunctionUses, Untraceable> {
    let (start, end) = (definition.start as usize, definition.end as usize);
    let named = tree.root_node().descendant_for_byte_range(start, end).filter(|node| node.kind() == "identifier");
    let function = named.and_then(|node| node.parent()).filter(|node| node.kind() == "function_definition");
    let (Some(named), Some(function)) = (named, function) else {
        return Err(Untraceable::NotFunction);
    };
    let owner = scope_around(function);
    if owner.kind() == "class_definition" {
        return Err(Untraceable::Method);
    }
    let name = text(named, source);
    let locals = Locals::of(tree, source);
    let mut places = vec![span(named)];
    for node in identifiers(owner) {
        match (text(node, source), locals.role(node)) {
            (found, Role::Read | Role::Bound) if found == new => {
                return Err(Untraceable::Taken(new.to_string()));
            }
            (found, _) if found != name || node == named => {}
            (_, Role::Read) => places.push(span(node)),
            (_, Role::Bound) => return Err(Untraceable::Ambiguous(name.to_string())),
            (_, Role::Member) => {}
        }
    }
    let is_local = owner.kind() != "module";
    if !is_local {
        places.extend(exported(owner, source, name));
    }
    Ok(FunctionUses { places, is_local })
}

/// The references in another file to the function `name` of a module, and whether that file also binds the function
/// under this name. `is_module` reports whether a module path, as written in that file, is the module.
///
/// # Errors
/// The reason why they cannot be found, or why the function cannot be renamed to `new`.
pub(crate) fn imported_uses(
    tree: &Tree,
    source: &str,
    (name, new): (&str, &str),
    is_module: &dyn Fn(&str) -> bool,
) -> Result<(Vec<Span>, bool), Untraceable> {
    let root = tree.root_node();
    let mut places = Vec::new();
    // Whether the file binds the function under the function's own name, and the names that the file uses for the
    // module.
    let (mut is_here, mut modules) = (false, Vec::new());
    for node in statements_of(root, &["import_from_statement", "import_statement"]) {
        let from = node.child_by_field_name("module_name").map(|module| text(module, source));
        let mut cursor = node.walk();
        let is_all = node.children(&mut cursor).any(|child| child.kind() == "wildcard_import");
        is_here |= is_all && from.is_some_and(is_module);
        for imported in node.children_by_field_name("name", &mut cursor) {
            let alias = imported.child_by_field_name("alias");
            let what = imported.child_by_field_name("name").unwrap_or(imported);
            let (called, written) = (alias.unwrap_or(what), text(what, source));
            match from {
                Some(from) if is_module(from) && written == name => {
                    places.push(span(what));
                    is_here |= alias.is_none();
                }
                Some(from) => {
                    let dot = if from.ends_with('.') { "" } else { "." };
                    if is_module(&format!("{from}{dot}{written}")) {
                        modules.push(text(called, source));
                    }
                }
                None if is_module(written) => modules.push(text(called, source)),
                None => {}
            }
        }
    }
    let locals = Locals::of(tree, source);
    for node in identifiers(root).filter(|node| is_here || text(*node, source) == name) {
        let is_member = || {
            let member = node.parent().filter(|parent| parent.kind() == "attribute");
            let object =
                member.and_then(|member| member.child_by_field_name("object")).filter(|object| *object != node);
            object.is_some_and(|object| modules.contains(&text(object, source)))
        };
        match (text(node, source), locals.role(node)) {
            (found, Role::Read | Role::Bound) if is_here && found == new => {
                return Err(Untraceable::Taken(new.to_string()));
            }
            (found, _) if found != name => {}
            (_, Role::Read) if is_here => places.push(span(node)),
            (_, Role::Bound) if is_here => return Err(Untraceable::Ambiguous(name.to_string())),
            (_, Role::Member) if is_member() => places.push(span(node)),
            _ => {}
        }
    }
    if is_here {
        places.extend(exported(root, source, name));
    }
    places.sort_unstable();
    places.dedup();
    Ok((places, is_here))
}

/// The number of times that code contains a word, not counting comments and strings with white space. A word in a
/// quoted type annotation always counts.
pub(crate) fn times(tree: &Tree, source: &str, word: &str) -> usize {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let is_code = |at: usize| {
        let leaf = tree.root_node().descendant_for_byte_range(at, at + word.len());
        let mut above = std::iter::successors(leaf, |node| node.parent());
        // Interpolations in a string, `${…}` or `{…}`, are code.
        let bounds = ["string", "template_string", "template_substitution", "interpolation", "type"];
        let around = above.find(|node| node.is_extra() || bounds.contains(&node.kind()));
        around.is_none_or(|node| match node.kind() {
            "type" | "template_substitution" | "interpolation" => true,
            _ if node.is_extra() => false,
            _ => {
                let is_type =
                    std::iter::successors(node.parent(), |node| node.parent()).any(|node| node.kind() == "type");
                is_type || !text(node, source).contains(char::is_whitespace)
            }
        })
    };
    let is_whole = |at: usize| !source[..at].ends_with(is_word) && !source[at + word.len()..].starts_with(is_word);
    source.match_indices(word).filter(|(at, _)| is_whole(*at) && is_code(*at)).count()
}

/// For the call that takes a literal, by itself or inside an object: the last part of the callee (`callTool` in
/// `client.callTool({ name: "read_note" })`), and the variables among the arguments. `None` if the return value is not
/// used.
pub(crate) fn called_with<'s>(tree: &Tree, source: &'s str, literal: Span) -> Option<(&'s str, Vec<&'s str>)> {
    /// The maximum number of nodes from the literal up to the arguments of the call: its string, a pair, the object.
    const MOST_ABOVE: usize = 7;
    let own = tree.root_node().descendant_for_byte_range(literal.start as usize, literal.end as usize);
    let mut above = std::iter::successors(own, |node| node.parent()).take(MOST_ABOVE);
    let list = above.find(|node| matches!(node.kind(), "arguments" | "argument_list"))?;
    let call = list.parent()?;
    let called = text(call.child_by_field_name("function")?, source).rsplit(['.', ':']).next()?;
    let is_awaited = |node: &Node<'_>| matches!(node.kind(), "await_expression" | "await");
    let whole = std::iter::successors(Some(call), |node| node.parent().filter(is_awaited)).last()?;
    if whole.parent().is_some_and(|parent| parent.kind() == "expression_statement") {
        return None;
    }
    let mut cursor = list.walk();
    let given = list.named_children(&mut cursor).filter(|given| given.kind() == "identifier");
    Some((called, given.map(|given| text(given, source)).collect()))
}

/// Whether a string names an attribute of the argument before it in a call:
/// `monkeypatch.setattr(api, "read_note", fake)`, `vi.spyOn(api, "read_note")`.
pub(crate) fn is_attribute(tree: &Tree, source: &str, literal: Span) -> bool {
    Queries::Sites.around(tree, source, literal, "attribute").is_some()
}

/// The strings in `__all__` that equal `name`, without their quotes.
fn exported(module: Node<'_>, source: &str, name: &str) -> Vec<Span> {
    let lists = statements_of(module, &["assignment", "augmented_assignment"]);
    let lists = lists.into_iter().filter(|list| is_all(*list, source));
    let strings = lists.flat_map(|list| descendants(list).filter(|node| node.kind() == "string_content"));
    strings.filter(|content| text(*content, source) == name).map(span).collect()
}

/// Whether a string is in `__all__`, so that it names a function, class or variable of the module that `import *`
/// imports (Python Language Reference, *The import statement*).
pub(crate) fn is_exported(tree: &Tree, source: &str, string: Span) -> bool {
    let node = tree.root_node().descendant_for_byte_range(string.start as usize, string.end as usize);
    let mut above = std::iter::successors(node, |node| node.parent());
    above.any(|node| matches!(node.kind(), "assignment" | "augmented_assignment") && is_all(node, source))
}

/// Whether an assignment is to `__all__`.
fn is_all(assignment: Node<'_>, source: &str) -> bool {
    assignment.child_by_field_name("left").is_some_and(|left| text(left, source) == "__all__")
}

fn identifiers(root: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    descendants(root).filter(|node| node.kind() == "identifier")
}

fn statements_of<'t>(root: Node<'t>, kinds: &[&str]) -> Vec<Node<'t>> {
    descendants(root).filter(|node| kinds.contains(&node.kind())).collect()
}

/// A node and all its descendants, in text order.
fn descendants(root: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let mut open = vec![root];
    std::iter::from_fn(move || {
        let node = open.pop()?;
        let mut cursor = node.walk();
        let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
        open.extend(children.into_iter().rev());
        Some(node)
    })
}

fn text<'s>(node: Node<'_>, source: &'s str) -> &'s str {
    source.get(node.byte_range()).unwrap_or_default()
}

fn span(node: Node<'_>) -> Span {
    Span::new(node.start_byte(), node.end_byte())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{Language, parse};

    /// The text with every reference to the function `read` in brackets, or the reason why they cannot be found.
    fn marked(source: &str) -> Result<String, Untraceable> {
        let tree = parse(Language::Python, source, None).unwrap();
        let at = source.find("def read(").unwrap() + 4;
        let uses = function_uses(&tree, source, Span::new(at, at + 4), "fetch")?;
        Ok(bracketed(source, uses.places))
    }

    /// Like [`marked`], for a file that imports `read` from `notes.tools`; also whether the file binds it under this
    /// name.
    fn elsewhere(source: &str) -> Result<(String, bool), Untraceable> {
        let tree = parse(Language::Python, source, None).unwrap();
        let (places, gives_on) = imported_uses(&tree, source, ("read", "fetch"), &|module| module == "notes.tools")?;
        Ok((bracketed(source, places), gives_on))
    }

    fn bracketed(source: &str, mut places: Vec<Span>) -> String {
        places.sort_unstable();
        let mut marked = source.to_string();
        for place in places.into_iter().rev() {
            marked.insert(place.end as usize, ']');
            marked.insert(place.start as usize, '[');
        }
        marked
    }

    #[test]
    fn every_use_in_its_own_file_is_meant() {
        let source = "__all__ = [\"read\"]\n@tool()\ndef read(): ...\nclass A:\n    def read(self): return read()\nA().read()\nf(read=read)\n";
        let expected = "__all__ = [\"[read]\"]\n@tool()\ndef [read](): ...\nclass A:\n    def read(self): return [read]()\nA().read()\nf(read=[read])\n";
        assert_eq!(marked(source).as_deref(), Ok(expected));
    }

    #[test]
    fn where_the_name_is_something_else_too_nothing_is_told() {
        for other in [
            "def f(read): return read\n",
            "read = 1\n",
            "for read in x: pass\n",
            "a, read = 1, 2\n",
            "with x as read: pass\n",
            "import read\n",
            "from x import y as read\n",
            "def f():\n    def read(): ...\n",
            "g = [read for read in x]\n",
            "match x:\n    case read: pass\n",
            "def f(*read, **k): pass\n",
            "def f(read: int = 1): pass\n",
            "(read := 1)\n",
        ] {
            assert!(marked(&format!("def read(): ...\n{other}")).is_err(), "{other}");
        }
        assert!(marked("def read(): ...\nfetch = 1\n").is_err());
        assert!(marked("class A:\n    def read(self): ...\n").is_err());
    }

    #[test]
    fn inside_a_function_it_is_meant_there_alone() {
        let source = "def register(mcp):\n    @mcp.tool()\n    def read(): ...\n    return read\nread = 1\n";
        let expected = "def register(mcp):\n    @mcp.tool()\n    def [read](): ...\n    return [read]\nread = 1\n";
        assert_eq!(marked(source).as_deref(), Ok(expected));
    }

    #[test]
    fn imports_lead_to_it() {
        let told = |source: &str| elsewhere(source).unwrap();
        assert_eq!(
            told("from notes.tools import read\nread()\nx.read()\n"),
            ("from notes.tools import [read]\n[read]()\nx.read()\n".into(), true)
        );
        assert_eq!(
            told("from notes.tools import read as r\nr()\nread = 1\n"),
            ("from notes.tools import [read] as r\nr()\nread = 1\n".into(), false)
        );
        assert_eq!(
            told("from notes import tools\ntools.read()\nread = 1\n"),
            ("from notes import tools\ntools.[read]()\nread = 1\n".into(), false)
        );
        assert_eq!(
            told("import notes.tools as t\nt.read()\n"),
            ("import notes.tools as t\nt.[read]()\n".into(), false)
        );
        assert_eq!(told("import notes.tools\nnotes.tools.read()\n").0, "import notes.tools\nnotes.tools.[read]()\n");
        assert_eq!(told("from notes.tools import *\nread()\n"), ("from notes.tools import *\n[read]()\n".into(), true));
        assert_eq!(told("from other import read\nread()\n"), ("from other import read\nread()\n".into(), false));
        assert!(elsewhere("from notes.tools import read\ndef f(read): ...\n").is_err());
    }
}
