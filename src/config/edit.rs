//! Edits to a config that leave everything else as it is.

use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike, Value};

/// Adds a name to the `allow` list of a rule, with the reason, and returns the whole config; `None` if the config
/// cannot be read or has a value of another type at one of these keys. `text` may be empty.
pub(crate) fn allowing(text: &str, rule: &str, name: &str, why: &str) -> Option<String> {
    if crate::document::toml_too_deep(text).is_some() {
        return None;
    }
    let mut document: DocumentMut = text.parse().ok()?;
    let rules = document.entry("rules").or_insert_with(|| Item::Table(Table::new())).as_table_like_mut()?;
    let entry = entry(name, why);
    match rules.get_mut(rule) {
        None => {
            let mut setting = InlineTable::new();
            setting.insert("allow", Value::Array(list(entry)));
            rules.insert(rule, Item::Value(Value::InlineTable(setting)));
        }
        Some(Item::Value(Value::String(level))) => {
            let mut setting = InlineTable::new();
            setting.insert("level", Value::String(level.clone()));
            setting.insert("allow", Value::Array(list(entry)));
            setting.fmt();
            // Keep a comment after the severity.
            *setting.decor_mut() = level.decor().clone();
            rules.insert(rule, Item::Value(Value::InlineTable(setting)));
        }
        Some(setting) => add(setting.as_table_like_mut()?, entry)?,
    }
    let written = document.to_string();
    // Keep the line endings.
    Some(if text.contains("\r\n") { written.replace("\r\n", "\n").replace('\n', "\r\n") } else { written })
}

fn add(setting: &mut dyn TableLike, entry: InlineTable) -> Option<()> {
    match setting.get_mut("allow") {
        None => {
            setting.insert("allow", Item::Value(Value::Array(list(entry))));
        }
        Some(allowed) => {
            let allowed = allowed.as_array_mut()?;
            // Lay the entry out like the previous one: on a line of its own, or on the same line.
            let lead = allowed.iter().last().and_then(|last| last.decor().prefix()?.as_str());
            let lead = match (allowed.is_empty(), lead) {
                (true, _) => String::new(),
                (false, Some(lead)) if lead.contains('\n') => lead[lead.rfind('\n').unwrap_or_default()..].to_string(),
                (false, _) => " ".to_string(),
            };
            // A comment after the last entry stays after it.
            let rest = allowed.trailing().as_str().unwrap_or_default().to_string();
            let end = rest.rfind('\n').filter(|_| !allowed.is_empty()).unwrap_or(0);
            let mut value = Value::InlineTable(entry);
            value.decor_mut().set_prefix(format!("{}{lead}", &rest[..end]));
            allowed.push_formatted(value);
            allowed.set_trailing(&rest[end..]);
        }
    }
    Some(())
}

fn entry(name: &str, why: &str) -> InlineTable {
    let mut entry = InlineTable::new();
    entry.insert("name", name.into());
    entry.insert("why", why.into());
    entry
}

fn list(entry: InlineTable) -> Array {
    std::iter::once(Value::InlineTable(entry)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    fn allowed(text: &str) -> String {
        let new = allowing(text, "name-chars", "a b", "old").unwrap();
        assert_eq!(Config::read("toolnames.toml", &new).faults, [], "{new}");
        new
    }

    #[test]
    fn a_rule_that_is_not_there_is_written() {
        assert_eq!(allowed(""), "[rules]\nname-chars = { allow = [{ name = \"a b\", why = \"old\" }] }\n");
        assert_eq!(
            allowed("# mine\nprofile = \"mcp\" # this\n\n[rules]\nname-case = \"off\"\n\n[alias]\nmode = \"none\"\n"),
            "# mine\nprofile = \"mcp\" # this\n\n[rules]\nname-case = \"off\"\n\
             name-chars = { allow = [{ name = \"a b\", why = \"old\" }] }\n\n[alias]\nmode = \"none\"\n"
        );
    }

    #[test]
    fn a_rule_that_is_there_keeps_what_it_has() {
        assert_eq!(
            allowed("[rules]\nname-chars = \"error\" # loud\n"),
            "[rules]\nname-chars = { level = \"error\", allow = [{ name = \"a b\", why = \"old\" }] } # loud\n"
        );
        assert_eq!(
            allowed("[rules]\nname-chars = { allow = [{ name = \"x\", why = \"y\" }] }\n"),
            "[rules]\nname-chars = { allow = [{ name = \"x\", why = \"y\" }, { name = \"a b\", why = \"old\" }] }\n"
        );
        assert_eq!(
            allowed("[rules.name-chars]\nallow = [\n  { name = \"x\", why = \"y\" }, # first\n]\n"),
            "[rules.name-chars]\nallow = [\n  { name = \"x\", why = \"y\" }, # first\n  \
             { name = \"a b\", why = \"old\" },\n]\n"
        );
        assert_eq!(
            allowed("[rules.name-chars]\nlevel = \"info\"\n"),
            "[rules.name-chars]\nlevel = \"info\"\nallow = [{ name = \"a b\", why = \"old\" }]\n"
        );
    }

    #[test]
    fn lines_end_as_they_did() {
        assert_eq!(
            allowed("profile = \"mcp\"\r\n"),
            "profile = \"mcp\"\r\n\r\n[rules]\r\nname-chars = { allow = [{ name = \"a b\", why = \"old\" }] }\r\n"
        );
    }

    #[test]
    fn what_cannot_be_read_is_left_alone() {
        assert_eq!(allowing("profile = ", "name-chars", "a", "b"), None);
        assert_eq!(allowing("rules = 1\n", "name-chars", "a", "b"), None);
    }
}
