//! Hides secrets in command lines, URLs and clients' files.
//!
//! In command lines, secrets are not guessed from their form: only the words that identify the server, as
//! [`launch`](fn@super::launch) reads them, and the names of options are shown. Every other value is hidden.

use super::launch;
use crate::document::{Node, Text, Value};
use crate::text::Span;

/// The text that replaces a value.
const HIDDEN: &str = "***";
/// The minimum length, in characters, of a value that is searched for in the messages of other programs; shorter values
/// occur in ordinary words.
const MIN_SECRET: usize = 4;
/// The minimum length, in characters, of a part of a value, such as the token in a header, that is searched for.
const MIN_PIECE: usize = 6;

/// A command line without its secrets: the program, the words that identify the server, and the names of options and
/// variables stay; every other value becomes `***`.
pub(crate) fn shown_command(command: &[String]) -> Vec<String> {
    command.iter().zip(hidden_in(command)).map(|(word, hidden)| without(word, &hidden)).collect()
}

/// The byte ranges of the secrets in each word of a command line, in order.
fn hidden_in(command: &[String]) -> Vec<Vec<Span>> {
    let before = launch::before_program(command);
    let identity = launch::identity(command);
    let is_identity = |word: &String| identity.contains(&launch::without_variables(word)) && !is_opaque(word);
    let hidden = |(index, word): (usize, &String)| {
        if let Some(hidden) = hidden_in_option(word) {
            return hidden;
        }
        if let Some((name, _)) = variable(word) {
            return vec![Span::new(name.len() + 1, word.len())];
        }
        let tells = index <= before || is_identity(word);
        // The whole value of an option may be a secret, such as the URL of a webhook.
        let is_value = index > 0 && command[index - 1].starts_with('-') && !command[index - 1].contains('=');
        match () {
            () if is_url(word) => hidden_in_url(word, tells || !is_value),
            () if tells => Vec::new(),
            () => vec![Span::new(0, word.len())],
        }
    };
    command.iter().enumerate().map(hidden).collect()
}

/// A text with `***` in place of some parts.
fn without(text: &str, hidden: &[Span]) -> String {
    let mut out = String::new();
    let mut at = 0;
    for part in hidden.iter().map(|part| part.range()) {
        out.push_str(&text[at..part.start]);
        out.push_str(HIDDEN);
        at = part.end;
    }
    out + &text[at..]
}

/// The byte ranges of the secrets in an option; `None` if the word is not an option.
fn hidden_in_option(word: &str) -> Option<Vec<Span>> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let Some(name) = word.strip_prefix("--") else {
        let short = word.strip_prefix('-')?;
        // `-it` is two options; `-psecret` is one with its value.
        let is_short = short.len() <= 2 && short.chars().all(|c| c.is_ascii_alphabetic());
        let first = short.chars().next().map_or(0, char::len_utf8);
        return Some(if is_short { Vec::new() } else { vec![Span::new(1 + first, word.len())] });
    };
    let end = 2 + name.find(|c: char| !is_name(c)).unwrap_or(name.len());
    let mut hidden = Vec::new();
    if is_opaque(&word[2..end]) {
        hidden.push(Span::new(2, end));
    }
    let start = end + usize::from(word[end..].starts_with('='));
    let value = &word[start..];
    match () {
        () if is_url(value) => {
            hidden.extend(hidden_in_url(value, false).into_iter().map(|part| part.shifted(start as u32)));
        }
        () if end < word.len() => hidden.push(Span::new(start, word.len())),
        () => {}
    }
    Some(hidden)
}

/// The name and value of an environment variable, `NAME=value`. The padding of Base64 is not a value.
fn variable(word: &str) -> Option<(&str, &str)> {
    let (name, value) = word.split_once('=')?;
    let is_name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let is_variable = name.starts_with(|c: char| c.is_ascii_uppercase() || c == '_') && name.chars().all(is_name);
    (is_variable && !is_opaque(name) && !value.trim_matches('=').is_empty()).then_some((name, value))
}

/// Whether a word is a URL and nothing else.
fn is_url(word: &str) -> bool {
    let is_scheme = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '.' | '-');
    word.split_once("://").is_some_and(|(scheme, rest)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(is_scheme)
            && !rest.contains(char::is_whitespace)
    })
}

/// The byte ranges of the secrets in a URL, in order: the user, the query and the fragment; and the path, of which
/// `shows_path` hides only the parts that look like a token.
fn hidden_in_url(url: &str, shows_path: bool) -> Vec<Span> {
    let Some(authority) = url.find("://").map(|at| at + 3) else { return Vec::new() };
    let end = url[authority..].find(['/', '?', '#']).map_or(url.len(), |at| authority + at);
    let mut hidden = Vec::new();
    let user = url[authority..end].rfind('@').map(|at| Span::new(authority, authority + at));
    hidden.extend(user.filter(|user| !user.is_empty()));
    if !shows_path {
        hidden.extend((end + 1 < url.len()).then(|| Span::new(end + 1, url.len())));
        return hidden;
    }
    let path_end = url[end..].find(['?', '#']).map_or(url.len(), |at| end + at);
    let mut segment = end;
    for part in url[end..path_end].split('/') {
        if is_opaque(part) {
            hidden.push(Span::new(segment, segment + part.len()));
        }
        segment += part.len() + 1;
    }
    hidden.extend((path_end + 1 < url.len()).then(|| Span::new(path_end + 1, url.len())));
    hidden
}

/// Whether a word contains a part that looks generated, not chosen as a name: a long run of letters and digits, of
/// letters of both cases, or of digits.
fn is_opaque(word: &str) -> bool {
    word.split(|c: char| !c.is_ascii_alphanumeric()).any(|run| {
        let has = |is: fn(&u8) -> bool| run.bytes().any(|byte| is(&byte));
        let is_mixed = has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic);
        let is_both = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
        run.len() >= 16 && is_mixed || run.len() >= 24 && (is_both || !has(u8::is_ascii_alphabetic))
    })
}

/// The values that are hidden in a command line; they are also hidden in the answers of the server that the command
/// starts.
pub(crate) struct Secrets(Vec<Secret>);

struct Secret {
    value: String,
    /// Whether the value looks like an ordinary word and does not follow the name of a credential, such as `--token`;
    /// such a value is hidden only where it is a whole word.
    is_word: bool,
}

impl Secrets {
    /// The values that [`shown_command`] hides, and parts of these values, such as the token in a header. Values and
    /// parts that are too short are left out.
    pub(crate) fn of(command: &[String]) -> Secrets {
        let mut secrets: Vec<Secret> = Vec::new();
        for (index, hidden) in hidden_in(command).into_iter().enumerate() {
            let is_credential = is_credential(command, index);
            let mut add = |value: &str, least: usize| {
                let is_word = !is_credential && value.bytes().all(|byte| byte.is_ascii_lowercase());
                if value.chars().count() >= if is_word { MIN_PIECE } else { least } {
                    secrets.push(Secret { value: value.to_string(), is_word });
                }
            };
            for value in hidden.into_iter().map(|part| &command[index][part.range()]) {
                // A server may repeat only a part of the value: the token of a header, or the password of a pair.
                let parts = value.split(|c: char| c.is_whitespace() || r#":=,;"'{}&?@/"#.contains(c));
                parts.for_each(|part| add(part, MIN_PIECE));
                add(value, MIN_SECRET);
            }
        }
        // A value that contains another comes first.
        secrets.sort_by(|a, b| (b.value.len(), &a.value, a.is_word).cmp(&(a.value.len(), &b.value, b.is_word)));
        secrets.dedup_by(|a, b| a.value == b.value);
        Secrets(secrets)
    }

    /// A text without these values.
    pub(crate) fn without_values(&self, text: &str) -> String {
        let hidden = self.without_tokens(text);
        self.0.iter().filter(|secret| secret.is_word).fold(hidden, |text, secret| {
            let mut out = String::new();
            let mut rest = 0;
            for (at, _) in text.match_indices(secret.value.as_str()) {
                let end = at + secret.value.len();
                let is_whole =
                    !text[..at].ends_with(char::is_alphanumeric) && !text[end..].starts_with(char::is_alphanumeric);
                if is_whole {
                    out.push_str(&text[rest..at]);
                    out.push_str(HIDDEN);
                    rest = end;
                }
            }
            out + &text[rest..]
        })
    }

    /// A text without these values, except for those that are ordinary words.
    pub(crate) fn without_tokens(&self, text: &str) -> String {
        let tokens = self.0.iter().filter(|secret| !secret.is_word);
        tokens.fold(text.to_string(), |text, secret| text.replace(secret.value.as_str(), HIDDEN))
    }

    /// A text without these values, and without the secrets of the URLs in it.
    pub(crate) fn hide(&self, text: &str) -> String {
        let hidden = self.without_values(text);
        let is_end = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '(' | ')' | '<' | '>');
        let words = hidden.split_inclusive(is_end).map(|word| match is_url(word.trim_end_matches(is_end)) {
            true => {
                let url = word.trim_end_matches(is_end);
                without(url, &hidden_in_url(url, true)) + &word[url.len()..]
            }
            false => word.to_string(),
        });
        words.collect()
    }
}

/// Whether a word of a command line follows the name of a credential, as in `--token abc` and `TOKEN=abc`, or looks
/// like a token.
fn is_credential(command: &[String], index: usize) -> bool {
    let is_named = |name: &str| {
        let name = name.to_lowercase().replace(['_', '-'], "");
        SECRET_KEYS.iter().any(|one| name.contains(one)) || name.ends_with("key")
    };
    let word = &command[index];
    let own = word.split_once('=').is_some_and(|(name, _)| is_named(name));
    let before = index.checked_sub(1).map(|before| command[before].as_str());
    own || is_opaque(word) || before.is_some_and(|before| before.starts_with('-') && is_named(before))
}

/// Words at the start of keys in a client's file, or at their end with an `s`, that make every text below the key a
/// secret.
const SECRET_TABLES: [&str; 2] = ["env", "header"];
/// Parts of the names of keys whose text is a secret.
const SECRET_KEYS: [&str; 6] = ["token", "secret", "passw", "apikey", "authorization", "credential"];

/// The byte ranges of the secrets in a client's file, in order and without overlap: the variables and headers of
/// servers, their arguments, and parts of their URLs.
pub(crate) fn secrets_in(root: &Node) -> Vec<Span> {
    let mut spans = Vec::new();
    // The nodes to visit, each with a flag: whether all text in it is secret.
    let mut open: Vec<(&Node, bool)> = vec![(root, false)];
    while let Some((node, is_secret)) = open.pop() {
        match &node.value {
            Value::Object(_) => {
                for (key, value) in node.entries() {
                    let name = key.text.to_lowercase().replace(['_', '-'], "");
                    let is_table =
                        SECRET_TABLES.iter().any(|one| name.starts_with(one) || name.ends_with(&format!("{one}s")))
                            && matches!(value.value, Value::Object(_));
                    // The value of a key that ends in `envvar` is the name of a variable.
                    let is_key = SECRET_KEYS.iter().any(|one| name.contains(one)) && !name.ends_with("envvar");
                    let is_list = matches!(value.value, Value::Array(_));
                    match (name.as_str(), value.as_text()) {
                        ("args" | "command" | "cmd", _) if is_list && !is_secret => {
                            of_words(node, &name, value, &mut spans);
                        }
                        ("command" | "cmd", Some(line)) if !is_secret => spans.extend(of_line(line)),
                        _ => open.push((value, is_secret || is_table || is_key && !is_list)),
                    }
                }
            }
            Value::Array(_) => open.extend(node.elements().iter().map(|element| (element, is_secret))),
            _ => spans.extend(node.as_text().into_iter().flat_map(|text| of_text(text, is_secret))),
        }
    }
    spans.retain(|span| !span.is_empty());
    spans.sort();
    spans
}

/// The spans, in the file, of the secrets in one text.
fn of_text(text: &Text, is_secret: bool) -> Vec<Span> {
    match is_secret {
        true => vec![text.span],
        false if is_url(&text.text) => spans_of(text, 0, hidden_in_url(&text.text, true)),
        false => spans_of(text, 0, of_call(&text.text)),
    }
}

/// The byte ranges of the credentials in a call that a permission entry contains, `Bash(GITHUB_TOKEN=… git push)`:
/// values that follow the name of a credential or look like a token. Everything else stays, since it shows what is
/// permitted.
fn of_call(text: &str) -> Vec<Span> {
    let Some((_, call)) = text.split_once('(') else { return Vec::new() };
    let is_end = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '(' | ')' | ':' | ',');
    let written: Vec<&str> = call.split_whitespace().map(|word| word.trim_matches(is_end)).collect();
    let command: Vec<String> = written.iter().map(|word| (*word).to_string()).collect();
    let start = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
    let hidden = written.iter().enumerate().flat_map(|(index, word)| {
        if is_url(word) {
            return hidden_in_url(word, true).into_iter().map(|part| part.shifted(start(word) as u32)).collect();
        }
        let value = word.split_once('=').map_or(*word, |(_, value)| value);
        let is_hidden = is_credential(&command, index);
        // In a path, hide only the parts that look like a token.
        let parts = value.split('/').filter(|part| is_hidden && (!value.contains('/') || is_opaque(part)));
        parts.map(|part| Span::new(start(part), start(part) + part.len())).collect::<Vec<Span>>()
    });
    hidden.collect()
}

/// The spans, in the file, of parts of a text; `start` is the offset in the text from which the parts are counted. If
/// the text contains escapes, offsets in the text and in the file differ, so the span of the whole text is returned
/// instead.
fn spans_of(text: &Text, start: usize, parts: Vec<Span>) -> Vec<Span> {
    match text.verbatim {
        false if !parts.is_empty() => vec![text.span],
        _ => parts.into_iter().map(|part| part.shifted(start as u32 + text.span.start)).collect(),
    }
}

/// The secrets of a command that is written as one text, with spaces between its words.
fn of_line(line: &Text) -> Vec<Span> {
    let written: Vec<&str> = line.text.split_whitespace().collect();
    let command: Vec<String> = written.iter().map(|word| (*word).to_string()).collect();
    let start = |word: &str| word.as_ptr() as usize - line.text.as_ptr() as usize;
    written.iter().zip(hidden_in(&command)).flat_map(|(word, hidden)| spans_of(line, start(word), hidden)).collect()
}

/// The secrets of a command that is written as a list, or as a program with a list of arguments.
fn of_words(entry: &Node, name: &str, list: &Node, spans: &mut Vec<Span>) {
    let program = ["command", "cmd"].iter().find_map(|key| entry.get(key)).and_then(Node::as_str);
    let texts: Vec<&Text> = list.elements().iter().filter_map(Node::as_text).collect();
    let program = program.filter(|_| name == "args");
    let command: Vec<String> =
        program.map(str::to_string).into_iter().chain(texts.iter().map(|text| text.text.clone())).collect();
    let hidden = hidden_in(&command).split_off(usize::from(program.is_some()));
    spans.extend(texts.iter().zip(hidden).flat_map(|(text, hidden)| spans_of(text, 0, hidden)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::parse_json;

    fn words(command: &[&str]) -> Vec<String> {
        command.iter().map(|word| word.to_string()).collect()
    }

    fn shown(line: &str) -> String {
        shown_command(&words(&line.split(' ').collect::<Vec<_>>())).join(" ")
    }

    #[test]
    fn what_tells_the_server_stays() {
        for line in [
            "npx -y @modelcontextprotocol/server-filesystem@1.0.0",
            "npx -y -p some-package@2 some-bin",
            "uvx --from mcp-x[all]==1.2 x",
            "uv run --directory notes server.py",
            "uv --directory notes run python -m notes.server",
            "npx -y tsx src/server.ts --verbose",
            "python3 -m notes.server --stdio",
            "node ${workspaceFolder}/dist/index.js",
            "cmd /c npx -y tavily-mcp@latest",
            "cargo run --quiet --bin notes",
            "docker run -i --rm ghcr.io/acme/mcp-fetch:1.2",
            "deno run -A npm:acme@1.0.0",
            "/usr/local/bin/my-server --stdio",
            "https://mcp.example.com/v1/mcp",
        ] {
            assert_eq!(shown(line), line);
        }
    }

    #[test]
    fn values_are_hidden() {
        for (line, expected) in [
            ("npx -y acme --token abc", "npx -y acme --token ***"),
            ("npx -y acme --token=abc /home/me", "npx -y acme --token=*** ***"),
            ("env TOKEN=abc LOG=1 node a.js", "env TOKEN=*** LOG=*** node a.js"),
            ("docker run -e TOKEN=abc -e OTHER acme/mcp go", "docker run -e TOKEN=*** -e *** acme/mcp ***"),
            ("https://me:pw@host.com/mcp?key=abc#x", "https://***@host.com/mcp?***"),
            ("https://host.com/s/a8Kd02kfn3Pq81sAbc/mcp", "https://host.com/s/***/mcp"),
            ("uvx --from git+https://abc@github.com/x/y srv", "uvx --from git+https://***@github.com/x/y srv"),
            ("pg postgresql://me:pw@db/notes", "pg postgresql://***@db/notes"),
            ("npx acme --webhook https://host/abc", "npx acme --webhook https://host/***"),
            ("npx acme --webhook=https://me@host/abc?d", "npx acme --webhook=https://***@host/***"),
            ("npx acme dGhpc2lzYXNlY3JldA==", "npx acme ***"),
            ("npx acme MFRGGZDFMZTWQ2LKNNWG23TPOA====", "npx acme ***"),
            ("npx acme -pabc -k abc", "npx acme -p*** -k ***"),
            ("python -c abc", "python -c ***"),
            ("uv sync abc", "uv *** ***"),
            ("npx --with ghp_16C7e42F292c6912E7710c838347Ae178B4a acme", "npx --with *** ***"),
        ] {
            assert_eq!(shown(line), expected, "{line}");
        }
    }

    #[test]
    fn messages_of_a_server_lose_what_the_command_hides() {
        let command = words(&[
            "npx",
            "acme",
            "--header",
            "Authorization: Bearer tok-12345",
            "--key=hunter2",
            "https://u:pass99@h/x?q=zzz1",
        ]);
        let hidden = Secrets::of(&command);
        let said = "401 for tok-12345, hunter2, pass99; (https://u:other@h/y?a=b) `https://q@h` done";
        assert_eq!(hidden.hide(said), "401 for ***, ***, ***; (https://***@h/y?***) `https://***@h` done");
        assert_eq!(hidden.hide("npx acme failed"), "npx acme failed");
    }

    #[test]
    fn secrets_of_a_client_file_are_found() {
        let text = r#"{"mcpServers": {"a": {"command": "npx", "args": ["-y", "acme", "--token=S1", "S2"], "env": {"KEY": "S3"},
            "headers": {"Authorization": "S4"}, "url": "https://S5@h/mcp?S6", "alwaysAllow": ["read"], "bearer_token": "S7"}},
            "environments": ["x"], "permissions": {"allow": ["mcp__a__read"]}}"#;
        let root = parse_json(text).root.unwrap();
        let found: Vec<&str> = secrets_in(&root).into_iter().map(|span| &text[span.range()]).collect();
        assert_eq!(found, ["S1", "S2", "S3", "S4", "S5", "S6", "S7"]);
    }

    #[test]
    fn a_command_in_one_text_is_read_as_its_words() {
        let text = r#"{"a": {"command": "npx -y acme --token S1 --key=S2 https://h/x?S3"}, "b": {"command": "npx -y acme"},
            "c": {"command": "x \"S4\""}}"#;
        let root = parse_json(text).root.unwrap();
        let found: Vec<&str> = secrets_in(&root).into_iter().map(|span| &text[span.range()]).collect();
        assert_eq!(found, ["S1", "S2", "S3", r#"x \"S4\""#]);
    }

    #[test]
    fn a_call_that_is_permitted_hides_what_is_named_after_a_credential_and_what_looks_like_one() {
        let text = r#"{"permissions": {"allow": ["Bash(GITHUB_TOKEN=S1 git push)", "Bash(curl --api-key S2 https://h/x?S3)",
            "Bash(x -H \"Bearer ghp_A7kP2mXv9LrT4wZs8NbY\")", "Bash(git push origin main:*)", "Read(src/9f86d081884c7d659a2f/a)",
            "WebFetch(domain:docs.rs)", "mcp__notes__read_note_9f86d081884c7d659a2f", "Bash(npm run build:*)"]}}"#;
        let root = parse_json(text).root.unwrap();
        let found: Vec<&str> = secrets_in(&root).into_iter().map(|span| &text[span.range()]).collect();
        let escaped = r#"Bash(x -H \"Bearer ghp_A7kP2mXv9LrT4wZs8NbY\")"#;
        assert_eq!(found, ["S1", "S2", "S3", escaped, "9f86d081884c7d659a2f"]);
    }

    #[test]
    fn what_a_command_gives_is_taken_out_of_recorded_texts() {
        let line = "npx acme --transport stdio --api-key hunter2 TOKEN=abcd --pat hunterone --mode http --hook https://h/zyxwvu";
        let hidden = Secrets::of(&words(&line.split(' ').collect::<Vec<_>>()));
        let text = "stdio, http: hunter2, abcd, hunterone, https://h/zyxwvu, hunterones";
        assert_eq!(hidden.without_values(text), "stdio, http: ***, ***, ***, https://h/***, hunterones");
        assert_eq!(hidden.without_tokens("abcd hunterone"), "*** hunterone");
    }
}
