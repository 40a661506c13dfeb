//! Aliases written into the call handlers, which get the name of the called tool.

use smol_str::SmolStr;

use super::writer::{Writer, filled};
use super::{Misfit, NoAlias, comment};
use crate::diagnostic::Edits;
use crate::found::{CallHandler, CalledName};
use crate::framework::AliasRecipe;
use crate::site::{self};
use crate::syntax::{self, Language, Tree};
use crate::text::{Edit, FileId, Span, indent, line_break};
use crate::workspace::Server;

impl Writer<'_> {
    /// Adds the recipe's call handler to the `impl` block with one of the recipe's attributes. The block must not have
    /// such a handler yet.
    pub(super) fn handled(&self, recipe: &AliasRecipe, tree: &Tree) -> Result<Vec<Edit>, Misfit> {
        let template = recipe.behind.as_deref().unwrap_or_default();
        let found = recipe.of.iter().find_map(|name| site::implementation(tree, self.source, name));
        let found = found.ok_or(NoAlias::ForeignHandler)?;
        let own = template.split("fn ").nth(1).and_then(|rest| rest.split('(').next()).unwrap_or_default();
        if found.functions.iter().any(|function| function == own) {
            return Err(Misfit::Obstacle(NoAlias::OwnHandler(own.to_string())));
        }
        let router = found.arguments.split(',').find_map(|one| one.trim().strip_prefix("router"));
        let router = router.and_then(|router| router.trim().strip_prefix('=')).map_or("Self::tool_router()", str::trim);
        let mut words = self.names();
        words.push(("router", router.to_string()));
        let line_break = line_break(self.source);
        let outer = indent(self.source, found.body.start);
        let inside = &self.source[found.body.range()];
        let own = inside.lines().map(|line| &line[..line.len() - line.trim_start().len()]);
        let step = own.filter(|lead| lead.len() > outer.len()).min_by_key(|lead| lead.len());
        let indent = step.map_or_else(|| format!("{outer}    "), str::to_string);
        let comment = format!("// {}", comment(self.new, self.alias));
        let mut text = String::new();
        for line in std::iter::once(comment.as_str()).chain(filled(template, &words)?.lines()) {
            text.push_str(&format!("{line_break}{indent}{line}"));
        }
        let body = inside.trim_end();
        let at = found.body.start as usize + body.len();
        if body.is_empty() {
            // If the braces are on different lines, a line break already precedes the closing one.
            let close = if inside.contains('\n') { String::new() } else { format!("{line_break}{outer}") };
            return Ok(vec![Edit::new(Span::at(at), format!("{text}{close}"))]);
        }
        Ok(vec![Edit::new(Span::at(at), format!("{line_break}{text}"))])
    }

    /// Inserts code at the start of the call handler, for every tool: in the only function of the package with one of
    /// the recipe's names or, if the recipe lists no names, in every handler that the server calls.
    pub(super) fn begun(&self, recipe: &AliasRecipe) -> Result<Edits, Misfit> {
        if recipe.of.is_empty() {
            return self.called(recipe);
        }
        let files = &self.snapshot.files;
        let root = files.package_root(self.file);
        let is_near = |file: FileId| files.package_root(file) == root && files.family(file) == self.language.family();
        let mut found = Vec::new();
        for file in files.all().map(|file| file.id).filter(|file| is_near(*file)) {
            let defined = files.facts(file).is_some_and(|facts| {
                let mut all = facts.items.iter().flat_map(|item| &item.facts.definitions);
                all.any(|definition| recipe.of.contains(&definition.name))
            });
            let source = defined.then(|| (self.texts)(file)).flatten();
            let tree = source.as_ref().and_then(|source| syntax::parse(self.language, source, None));
            let Some((source, tree)) = source.zip(tree) else { continue };
            let beginnings = recipe.of.iter().flat_map(|name| site::beginnings(&tree, &source, name));
            found.extend(beginnings.map(|beginning| (file, source.clone(), beginning)).collect::<Vec<_>>());
        }
        let [(file, source, beginning)] = found.as_slice() else {
            return Err(Misfit::Obstacle(NoAlias::ManyHandlers));
        };
        let request = beginning.parameter.as_ref().ok_or(NoAlias::NoRequest)?;
        let line_break = line_break(source);
        let comment = format!("{} {}", self.language.line_comment(), comment(self.new, self.alias));
        let mut words = self.names();
        words.push(("request", request.clone()));
        let outer = indent(source, beginning.start);
        let indent = format!("{outer}    ");
        let lines = filled(recipe.behind.as_deref().unwrap_or_default(), &words)?;
        let mut text = String::new();
        for line in std::iter::once(comment.as_str()).chain(lines.lines()) {
            text.push_str(&format!("{line_break}{indent}{line}"));
        }
        Ok(Edits::from([(*file, vec![Edit::new(Span::at(beginning.at as usize), text)])]))
    }

    /// Returns the functions that a server calls with the name of the called tool. Servers of the same package whose
    /// tools are not all known may list the tool too, so their functions are included. If `server` has no handlers and
    /// no registration of the tool with a server is known, any server of the package may list it.
    fn handlers(&self, server: &Server) -> Vec<&CallHandler> {
        let is_lost = server.call_handlers.is_empty() && self.target.tool.registration.servers.is_empty();
        let old = self.target.tool.name.as_str();
        let may_list = |one: &&Server| {
            let has_own = || one.tools.iter().any(|tool| tool.name == old);
            std::ptr::eq(*one, server)
                || one.root == server.root && (is_lost || !one.incomplete_because.is_empty() && !has_own())
        };
        let all = &self.snapshot.analysis().servers;
        all.iter().filter(may_list).flat_map(|one| &one.call_handlers).collect()
    }

    /// Inserts code at the start of every function that the server calls with the name of the called tool.
    fn called(&self, recipe: &AliasRecipe) -> Result<Edits, Misfit> {
        let files = &self.snapshot.files;
        // Code that adds a prefix to the tool's name may remove that prefix from the names of called tools.
        if self.target.tool.short_name() != self.target.tool.name {
            return Err(Misfit::Obstacle(NoAlias::ComposedName));
        }
        let mut edits = Edits::new();
        for server in self.target.servers(self.snapshot) {
            let handlers = self.handlers(server);
            if handlers.is_empty() {
                return Err(NoAlias::NoHandler.into());
            }
            for handler in handlers {
                let file = handler.function.file;
                let source = (self.texts)(file).ok_or(NoAlias::Unreadable)?;
                let language = Language::of_path(files.path(file)).ok_or(NoAlias::UnknownLanguage)?;
                let tree = syntax::parse(language, &source, None).ok_or(NoAlias::Unreadable)?;
                let writer = Writer { source: &source, language, file, ..*self };
                let function = files.span(handler.function);
                let edit = handler.given.iter().find_map(|given| writer.once_given(recipe, &tree, function, given));
                let edit = edit.ok_or(NoAlias::NoRequest)?;
                let own: &mut Vec<Edit> = edits.entry(file).or_default();
                if !own.contains(&edit) {
                    own.push(edit);
                }
            }
        }
        Ok(edits)
    }

    /// Inserts code into `function` at the first place where it has the name of the called tool.
    fn once_given(&self, recipe: &AliasRecipe, tree: &Tree, function: Span, given: &CalledName) -> Option<Edit> {
        let (files, mark, line_break) = (&self.snapshot.files, self.language.line_comment(), line_break(self.source));
        let (at, indent, called, request) = match given {
            CalledName::Parameter { first, index, path, is_json } => {
                let path: Vec<&str> = path.iter().map(SmolStr::as_str).collect();
                let family = self.language.family()?;
                let given = site::given(tree, self.source, family, function, (*index, &path, *is_json))?;
                let first = files.span(*first);
                let lead = &self.source[..first.start as usize];
                let indent = &lead[lead.rfind('\n').map_or(0, |at| at + 1)..];
                // The body must start on a line of its own, inside the function.
                if !indent.trim().is_empty() || !function.contains(first) {
                    return None;
                }
                (above_comments(lead, mark), indent, given.expression, given.variable)
            }
            CalledName::Variable { name, statement } => {
                let statement = site::declaration(tree, self.source, files.span(*statement), name)?;
                let name = name.to_string();
                (statement.end as usize, indent(self.source, statement.start), name.clone(), name)
            }
        };
        let mut words = self.names();
        words.push(("called", called));
        words.push(("request", request));
        let comment = format!("{mark} {}", comment(self.new, self.alias));
        let lines = filled(recipe.behind.as_deref().unwrap_or_default(), &words).ok()?;
        let lines = std::iter::once(comment.as_str()).chain(lines.lines());
        let text = lines.map(|line| format!("{line_break}{indent}{line}")).collect::<String>();
        Some(Edit::new(Span::at(at), text))
    }
}

/// The end of the text before a statement and the comments above it, in bytes.
fn above_comments(before: &str, mark: &str) -> usize {
    let mut rest = before.trim_end();
    loop {
        let line = rest.rfind('\n').map_or(0, |at| at + 1);
        let comment = match rest.ends_with("*/") && mark == "//" {
            true => rest.rfind("/*"),
            false => Some(rest.len() - rest[line..].trim_start().len()).filter(|at| rest[*at..].starts_with(mark)),
        };
        // A comment behind code is about that code.
        let Some(at) = comment.filter(|at| rest[..*at].rsplit('\n').next().is_some_and(|line| line.trim().is_empty()))
        else {
            return rest.len();
        };
        rest = rest[..at].trim_end();
    }
}
