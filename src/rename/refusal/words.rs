//! The messages of refusals: what is wrong, then what to do.

use std::fmt::{Display, Formatter, Result};

use super::{At, BadName, Condition, Left, Loosens, Looser, Obstacle, Outdated, Refusal, Stays, Why};
use crate::convention::MAX_LENGTH;
use crate::site::Untraceable;

impl Display for Refusal {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Rename { old, new, why } => match &**why {
                Why::Name(name) => name.fmt(f),
                why => write!(f, "cannot rename `{old}` to `{new}`: {why}"),
            },
            Self::Removal { alias, tool, why } => write!(f, "cannot remove the alias `{alias}` of `{tool}`: {why}"),
            Self::Outdated(what) => what.fmt(f),
        }
    }
}

impl Display for Outdated {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Object => f.write_str("the object to write into no longer exists"),
            Self::Tool(name) => write!(f, "the tool `{name}` no longer exists"),
            Self::Comment => f.write_str("the alias comment no longer exists"),
            Self::Alias(tool) => write!(f, "no alias of `{tool}` was found below the comment"),
            Self::Cursor => f.write_str("there is no tool name here"),
        }
    }
}

impl Display for BadName {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Same(name) => write!(f, "the tool is already called `{name}`"),
            Self::Empty => f.write_str("the new name is empty"),
            Self::Character { name, character: ' ' } => {
                write!(f, "invalid tool name `{name}`: MCP tool names cannot contain spaces")
            }
            Self::Character { name, character } => {
                write!(f, "invalid tool name `{name}`: MCP tool names cannot contain `{character}`")
            }
            Self::Composed(name) => {
                write!(f, "invalid tool name `{name}`: clients use this form for the tools of another server")
            }
            Self::TooLong(name) => {
                write!(f, "invalid tool name `{name}`: MCP tool names have at most {MAX_LENGTH} characters")
            }
        }
    }
}

impl Display for At {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}:{}", self.path, self.line)
    }
}

impl Display for Why {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Name(why) => why.fmt(f),
            Self::Taken { server, tool } => write!(f, "`{server}` already has a tool `{tool}`"),
            Self::Answered(name) => write!(
                f,
                "`{name}` is still an alias of another tool; remove the alias first (`toolnames fix --unsafe` removes expired ones)"
            ),
            Self::TooLong { client, composed, length, limit } => write!(
                f,
                "{client} would call it `{composed}`, which has {length} characters; {client} accepts at most {limit}"
            ),
            Self::Unread { path, reason } => write!(
                f,
                "{path} may allow or deny the tool and was not read ({reason}); make it readable or remove it first"
            ),
            Self::Installed(path) => write!(f, "{path} belongs to an installed package"),
            Self::Shared => f.write_str("the part that would change is shared with other tools"),
            Self::SharedWith { tool, more: 0 } => write!(f, "the tool shares this part of its name with `{tool}`"),
            Self::SharedWith { tool, more } => {
                write!(f, "the tool shares this part of its name with `{tool}` and {more} more")
            }
            Self::NoLiteral => f.write_str("no literal in the source contains this part of the name"),
            Self::NoEdit => f.write_str("no change of a single literal produces the new name"),
            Self::Changed => f.write_str("a file has changed since it was read"),
            Self::WouldNotParse(path) => write!(f, "the edited file would not parse ({path})"),
            Self::HintChanges(hint) => {
                write!(f, "`{hint}` is inferred from the name and would change; set it explicitly first")
            }
            Self::Unreadable => f.write_str("the file that registers the tool cannot be read"),
            Self::NotFunction => f.write_str("the tool is not named after a Python function"),
            Self::NotMethod => f.write_str("the tool is not named after a Rust method"),
            Self::BadFunction(name) => write!(f, "`{name}` is not a valid Python function name"),
            Self::BeyondFunction(function) => {
                write!(f, "part of the name does not come from the function `{function}`")
            }
            Self::BadMethod(name) => {
                write!(f, "the tool is named after its method, and `{name}` is not a valid Rust method name")
            }
            Self::Uses(why) => why.fmt(f),
            Self::ImportedUses { function, path, why } => write!(f, "`{function}` is imported in {path}, where {why}"),
            Self::Alias(at, why, other) => {
                write!(f, "the old name cannot be kept as an alias of the registration at {at}: {why}; use ")?;
                match other {
                    Some(mode) => write!(f, "`--alias={}`, or `--no-alias`", mode.as_str()),
                    None => f.write_str("`--no-alias`, and register the old name by hand"),
                }
            }
            Self::AliasUnproved => f.write_str(
                "the code that would keep the old name callable cannot be analysed; use `--no-alias` to rename without an alias",
            ),
            Self::Obstacle { at, kind } => write!(f, "{at} {kind}; change it by hand first"),
            Self::Loosens(loosens) => loosens.fmt(f),
            Self::Decides { at, condition: Condition { text, old, new, holds } } => {
                let (yes, no) = if *holds { (old, new) } else { (new, old) };
                write!(
                    f,
                    "the condition `{text}` at {at} is true for `{yes}` but not for `{no}`; change it first, or use \
                     `--force` to leave it"
                )
            }
            Self::Undecided { at, condition, old, new } => write!(
                f,
                "the condition `{condition}` at {at} can only be evaluated at run time and may treat `{old}` and \
                 `{new}` differently; check it, then use `--force` to leave it"
            ),
            Self::ReadsName { at, function } => write!(
                f,
                "{at} uses `{function}.__name__`, which would no longer be the tool's name; rename the function too \
                 with `--function`, write the name there, or use `--force` to leave it"
            ),
            Self::Unhandled(at) => write!(
                f,
                "{at} dispatches calls to the function or member with the name of the tool, and there is none with the \
                 new name; rename that function or member by hand, and use `--force`"
            ),
            Self::Guards(at) => write!(
                f,
                "{at} names the tool in code that may deny it, and no edit can add the new name; add it by hand \
                 first, or use `--force` to leave it"
            ),
            Self::TooMuch => f.write_str(
                "this workspace has too many server keys, entries, patterns and conditions to compare; rename the \
                 tool by hand, or in a smaller workspace",
            ),
        }
    }
}

impl Display for Obstacle {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Member(key) => write!(f, "reads `{key}` as a member"),
            Self::Twin(key) => write!(f, "has something else under the key `{key}`"),
            Self::Constant(name) => write!(f, "has the value `{name}`, which may be what the server compares with"),
        }
    }
}

impl Display for Loosens {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Loosens { path, entry, how } = self;
        match how {
            Looser::NoPlace { kind, new } => {
                write!(
                    f,
                    "`{entry}` ({} list of {path}) restricts the tool; add `{new}` to that list first",
                    kind.as_str()
                )
            }
            Looser::Contradicts { kind, new, said } => write!(
                f,
                "{path} contains `{new}` ({}) and `{entry}` ({}); remove one of the two entries first",
                said.as_str(),
                kind.as_str()
            ),
            Looser::NoHook { new } => {
                write!(f, "the hook `{entry}` in {path} would not run for the new name; add `{new}` to it first")
            }
            Looser::SomeCalls { kind } => write!(
                f,
                "`{entry}` ({} list of {path}) restricts some calls of the tool and would no longer match; \
                 add a rule for the new name first",
                kind.as_str()
            ),
            Looser::Precedes { kind } => write!(
                f,
                "`{entry}` ({} list of {path}) restricts some calls of the tool, and an entry for the other calls \
                 would precede it; add that entry by hand first",
                kind.as_str()
            ),
            Looser::Offers => {
                write!(f, "`{entry}` in {path} would offer the tool under the new name; remove that entry first")
            }
            Looser::Allows => {
                write!(f, "`{entry}` in {path} would allow the tool under the new name; remove that entry first")
            }
            Looser::Unguarded { kind, new } => write!(
                f,
                "`{entry}` ({} list of {path}) would no longer match; add `{new}` to that list first",
                kind.as_str()
            ),
            Looser::Outside { kind, new } => write!(
                f,
                "`{entry}` ({} list of {path}) would no longer match, and {path} lies outside the workspace; \
                 add `{new}` to that list first",
                kind.as_str()
            ),
            Looser::Unproved { name, old, new } => {
                write!(f, "{path} would restrict `{name}` less than it restricts `{old}`; add `{new}` to it first")
            }
            Looser::Unstarted { kind, new } => write!(
                f,
                "`{entry}` ({} list of {path}) may restrict this tool, whose server is started by no file in this workspace, and would not match \
                 the new name; add `{}` to that list first",
                kind.as_str(),
                new
            ),
            Looser::Runs { new } => write!(
                f,
                "the hook for `{entry}` in {path} does not run for this tool now, but would run for `{new}` and may allow it; \
                 change its matcher first"
            ),
            Looser::Unread => {
                write!(f, "the hook's expression `{entry}` in {path} cannot be read; rewrite it first")
            }
            Looser::HookReads { line, new } => write!(
                f,
                "a hook may test for `{entry}` ({path}:{line}), which only one of the two names contains; add `{new}` \
                 there first, or use `--force` if the test is about something else"
            ),
            Looser::Reaches { new, other } => {
                write!(f, "the entry for `{new}` in {path} would match `{other}` as well; choose another name")
            }
            Looser::Pattern { line, new } => write!(
                f,
                "the pattern `{entry}` at {path}:{line} may restrict this tool and would not match the new name; \
                 add `{new}` to {path} first"
            ),
        }
    }
}

impl Display for Untraceable {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::NotFunction => f.write_str("its name does not refer to a function"),
            Self::Method => f.write_str("it is a method, and calls of methods cannot be found"),
            Self::Taken(name) => write!(f, "`{name}` refers to something else"),
            Self::Ambiguous(name) => write!(f, "`{name}` also refers to something else"),
        }
    }
}

impl Display for Stays {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            Self::Unreadable => "its file cannot be read",
            Self::Changed => "its file has changed since it was read",
            Self::More => "removing it would also remove other names",
            Self::Answered => "the server also handles this name in another place; remove it there by hand first",
        })
    }
}

impl Display for Left {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            Self::ByHand(new) => return write!(f, "add `{new}` by hand"),
            Self::UnknownServer { server, entry } => {
                return write!(f, "the source of `{server}` is not in this workspace; if `{server}` is the server of this tool, change `{entry}` too");
            }
            Self::OtherForm(client) => return write!(f, "{client} names this tool differently; change the entry by hand"),
            Self::Unmatched(entry) => return write!(f, "`{entry}` does not match the new name"),
            Self::Comparison(said) => return write!(f, "`{said}` would fail; change the test by hand"),
            Self::Matches(entry) => return write!(f, "`{entry}` matches the new name"),
            Self::Added(entry) => return write!(f, "`{entry}` does not match the new name, which was added"),
            Self::Present(new) => return write!(f, "`{new}` is already in the list"),
            Self::Nothing(name) => return write!(f, "`{name}` no longer names a tool"),
            Self::Repeated(why, 1) => return write!(f, "{why}, as in another place of this file"),
            Self::Repeated(why, more) => return write!(f, "{why}, as in {more} other places of this file"),
            Self::Outside => "the file is outside the workspace; change it by hand",
            Self::Unsafe { rule, fix } => {
                return write!(f, "{rule}: use `--unsafe` to {fix}, or make the change by hand");
            }
            Self::Choice { rule, fixes } => {
                return write!(f, "{rule}: choose one of these changes: {}", fixes.join("; "));
            }
            Self::NoFix { rule, message } => return write!(f, "{rule}: {message}"),
            Self::SharedAlias => {
                "several names share this part, and aliases cannot be added for all of them: use `--unsafe` to change it \
                 without aliases, or rename the tools one by one"
            }
            Self::ForLater(others) => {
                return write!(
                    f,
                    "this name and {others} more were not changed, since each rename has to be tried separately: run the \
                     command again"
                );
            }
            Self::Contested { written, tool, files } => {
                return write!(
                    f,
                    "{files} files use `{written}`, and only the registration uses `{tool}`: run `toolnames rename {tool} \
                     {written}`, or change the files"
                );
            }
            Self::Condition(text) => {
                return write!(f, "the condition `{text}` has a different result for the new name");
            }
            Self::Undecided(text) => {
                return write!(f, "the condition `{text}` may have a different result for the new name");
            }
            Self::Guard => "this may restrict the old name, which can still be called; if so, add the new name",
            Self::NoHandler => "the code that handles calls of this name was not found",
            Self::Compared => "compared with a value that may not be a tool name",
            Self::PathToFunction => "a path to the function, or a key that looks like one",
            Self::FunctionMember => "a member with the same name, which may be the function",
            Self::MethodMember => "a member with the same name, which may be the method",
            Self::OtherServer => "another server has a tool with this name",
            Self::Member => "a member with the same name, which may be the tool",
            Self::OtherCode => "a name in code that may be a function or a column",
            Self::OtherString => "a string that matches the tool name but may be unrelated",
            Self::TestString => "a string in a test that may be unrelated",
            Self::Expected => "a string that a test may expect to contain the old name",
            Self::Built => "a condition on the name in build output: rebuild it",
            Self::Past => "this section is about an earlier version",
            Self::BothNames => "the sentence has both names, so it is about a rename",
            Self::WrongExample => "the document shows this name as an example of what not to write",
            Self::Foreign => "the file is in a language that toolnames does not support",
            Self::Word => "a word that may be unrelated",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Loosens, Looser, Why};

    #[test]
    fn a_refusal_says_what_why_and_what_to_do() {
        let loosens = Loosens {
            path: "guard.sh".into(),
            entry: "mcp__notes__drop_*".into(),
            how: Looser::Pattern { line: 1, new: "mcp__notes__remove_note".into() },
        };
        let refusal = Why::Loosens(loosens).refuses("drop_note", "remove_note");
        assert_eq!(refusal.code(), "pattern-may-guard");
        assert_eq!(
            refusal.to_string(),
            "cannot rename `drop_note` to `remove_note`: the pattern `mcp__notes__drop_*` at guard.sh:1 may restrict this \
             tool and would not match the new name; add `mcp__notes__remove_note` to guard.sh first"
        );
    }
}
