//! One target for each reader. `cargo test` runs each of them for a moment; see `README.md` for more.

#![allow(clippy::explicit_auto_deref)] // Without the star the type of what is picked from is inferred as `str`.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

use bolero::check;
use toolnames::testing::client::{self, Clients, Place, Wildcards};
use toolnames::testing::document::{self, Data, Node, Value};
use toolnames::testing::framework::{CalleePattern, Selector};
use toolnames::testing::lower::{Queries, lower};
use toolnames::testing::regex::Regex;
use toolnames::testing::syntax::{self, Language};
use toolnames::testing::text::{Edit, Span, apply_edits};
use toolnames::testing::workspace::{CONFIG_FILE, Lock, Workspace};
use toolnames_fuzz::{Entropy, Files, known, limited, range, text};

const TYPESCRIPT: [&str; 2] = [include_str!("../seeds/server.ts"), include_str!("../seeds/shared.ts")];
const PYTHON: [&str; 2] = [include_str!("../seeds/server.py"), include_str!("../seeds/names.py")];
const RUST: [&str; 1] = [include_str!("../seeds/server.rs")];
const JSON: [&str; 5] = [
    include_str!("../seeds/settings.json"),
    include_str!("../seeds/mcp.json"),
    include_str!("../seeds/snapshot.json"),
    include_str!("../seeds/package.json"),
    include_str!("../seeds/tsconfig.json"),
];
const TOML: [&str; 3] = [
    include_str!("../seeds/toolnames.toml"),
    include_str!("../seeds/config.toml"),
    include_str!("../seeds/pyproject.toml"),
];
const CLIENT_ROWS: [&str; 1] = [include_str!("../seeds/client.toml")];
const YAML: [&str; 2] = [include_str!("../seeds/goose.yaml"), include_str!("../seeds/continue.yaml")];
const MARKDOWN: [&str; 2] = [include_str!("../seeds/agent.md"), include_str!("../seeds/NAMESPACES.md")];
const SCRIPT: [&str; 1] = [include_str!("../seeds/run.sh")];
const LOCK: [&str; 1] = [include_str!("../seeds/toolnames.lock")];
const GRAMMARS: [&str; 1] = [include_str!("../seeds/permissions.txt")];
const EXPRESSIONS: [&str; 1] = [include_str!("../seeds/expressions.txt")];
const SELECTORS: [&str; 1] = [include_str!("../seeds/selectors.txt")];
const MESSAGES: [&str; 1] = [include_str!("../seeds/messages.txt")];

/// Runs a target: a text made from seeds, with the decisions that are left over.
macro_rules! fuzz {
    ($name:ident, |$entropy:ident| $make:expr, $execute:expr) => {
        #[test]
        fn $name() {
            static EXECUTIONS: AtomicUsize = AtomicUsize::new(0);
            check!().with_max_len(512).for_each(|bytes: &[u8]| {
                let mut entropy = Entropy::new(bytes);
                let $entropy = &mut entropy;
                let input = $make;
                limited(stringify!($name), || format!("{input:?}"), || $execute(&input));
                EXECUTIONS.fetch_add(1, Ordering::Relaxed);
            });
            println!("{} executions", EXECUTIONS.load(Ordering::Relaxed));
        }
    };
}

fn lowered(language: Language, text: &str) {
    let Some(tree) = syntax::parse(language, text, None) else { return };
    let facts = lower(language, &tree, text, &Queries::default(), None);
    // What is lowered twice is the same.
    assert_eq!(format!("{facts:?}"), format!("{:?}", lower(language, &tree, text, &Queries::default(), None)));
}

/// The kinds of a TypeScript file, and a text.
fn script(entropy: &mut Entropy<'_>) -> (Language, String) {
    (*entropy.pick(&[Language::TypeScript, Language::Tsx]), text(entropy, &TYPESCRIPT))
}

fuzz!(lower_typescript, |entropy| script(entropy), |input: &(Language, String)| lowered(input.0, &input.1));
fuzz!(lower_python, |entropy| text(entropy, &PYTHON), |input: &String| lowered(Language::Python, input));
fuzz!(lower_rust, |entropy| text(entropy, &RUST), |input: &String| lowered(Language::Rust, input));

/// Checks that every place of a document lies in it, and the inner ones within the outer.
fn is_inside(node: &Node, text: &str) {
    assert!(text.get(node.span.range()).is_some(), "{:?} is no range of the text", node.span);
    for (key, value) in node.entries() {
        assert!(text.get(key.span.range()).is_some(), "{:?} of `{}` is no range of the text", key.span, key.text);
        is_inside(value, text);
    }
    node.elements().iter().for_each(|element| is_inside(element, text));
}

/// A document as a value; `None` where another reader may read it otherwise: keys that are repeated, numbers.
fn value_of(node: &Node) -> Option<serde_json::Value> {
    Some(match &node.value {
        Value::Object(_) => {
            let mut object = serde_json::Map::new();
            for (key, value) in node.entries() {
                if object.insert(key.text.clone(), value_of(value)?).is_some() {
                    return None;
                }
            }
            object.into()
        }
        Value::Array(_) => node.elements().iter().map(value_of).collect::<Option<Vec<_>>>()?.into(),
        _ => match (node.as_str(), node.as_bool()) {
            (Some(text), _) => text.into(),
            (None, Some(flag)) => flag.into(),
            (None, None) => serde_json::Value::Null,
        },
    })
}

/// A value without its numbers, which documents do not tell apart.
fn without_numbers(value: serde_json::Value) -> serde_json::Value {
    use serde_json::Value::{Array, Null, Number, Object};
    match value {
        Number(_) => Null,
        Array(items) => items.into_iter().map(without_numbers).collect(),
        Object(entries) => entries.into_iter().map(|(key, value)| (key, without_numbers(value))).collect(),
        other => other,
    }
}

fuzz!(document_json, |entropy| text(entropy, &JSON), |input: &String| {
    let data = Data::read(input);
    let Some(root) = &data.root else { return };
    is_inside(root, input);
    if let Ok(value) = serde_json::from_str::<serde_json::Value>(input) {
        assert!(data.fault.is_none(), "JSON with a fault: {:?}", data.fault);
        if let Some(read) = value_of(root) {
            assert_eq!(read, without_numbers(value));
        }
    }
});
fuzz!(document_toml, |entropy| text(entropy, &TOML), |input: &String| {
    let (root, faults) = document::parse_toml(input);
    is_inside(&root, input);
    faults.iter().for_each(|fault| assert!(input.get(fault.span.range()).is_some(), "{fault:?}"));
    if toml::from_str::<toml::Table>(input).is_ok() {
        assert!(faults.is_empty(), "TOML with faults: {faults:?}");
    }
    for offset in (0..=input.len()).step_by(1 + input.len() / 16) {
        document::toml_place(input, offset);
    }
});
fuzz!(document_yaml, |entropy| text(entropy, &YAML), |input: &String| {
    if let Some(root) = document::parse_yaml(input) {
        is_inside(&root, input);
    }
});
fuzz!(document_markdown, |entropy| text(entropy, &MARKDOWN), |input: &String| {
    document::parse_markdown(input);
    if let Some(root) = document::parse_front_matter(input) {
        is_inside(&root, input);
    }
    document::line_directives(input);
});

/// A path of each kind of file that a client reads, made from its globs.
static CLIENT_PATHS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let files = Clients::built_in().iter().flat_map(|client| &client.files);
    let globs = files.flat_map(|file| file.files.iter().chain(&file.guest_in));
    let mut paths: Vec<String> = globs.map(|glob| one_of(glob)).collect();
    paths.sort();
    paths.dedup();
    assert!(
        paths.iter().filter(|path| Clients::built_in().of_path(path).is_some()).count() * 2 > paths.len(),
        "{paths:?}"
    );
    paths
});

/// A path that a glob matches.
fn one_of(glob: &str) -> String {
    let mut path = glob.replace("**/", "").replace('*', "x");
    while let (Some(open), Some(close)) = (path.find('{'), path.find('}')) {
        let first = path[open + 1..close].split(',').next().unwrap_or("").to_string();
        path.replace_range(open..=close, &first);
    }
    path
}

/// Seeds for a path, by the format of its file.
fn seeds_for(path: &str) -> &'static [&'static str] {
    match path.rsplit('.').next().unwrap_or("") {
        "json" | "jsonc" | "json5" => &JSON,
        "toml" => &TOML,
        "yaml" | "yml" => &YAML,
        "md" | "mdc" | "mdx" => &MARKDOWN,
        "py" => &PYTHON,
        "ts" | "js" | "mjs" | "cjs" => &TYPESCRIPT,
        "rs" => &RUST,
        "lock" => &LOCK,
        _ => &SCRIPT,
    }
}

/// What a workspace of some files knows, with every place checked.
fn knows(files: &Files) {
    files.known();
}

/// A server beside a file of a path of its own.
fn around(path: &str, text: String) -> Files {
    let mut files = Files::of(&[("server.ts", TYPESCRIPT[0]), ("shared.ts", TYPESCRIPT[1]), (".mcp.json", JSON[1])]);
    files.0.insert(path.to_string(), text);
    files
}

/// The source files of a workspace, which are read, lowered and evaluated.
const SOURCES: [&str; 5] = ["server.ts", "shared.ts", "server.py", "names.py", "src/main.rs"];

fuzz!(
    source_files,
    |entropy| {
        let path = entropy.pick(&SOURCES);
        around(path, text(entropy, seeds_for(path)))
    },
    knows
);
fuzz!(
    client_files,
    |entropy| {
        let path = entropy.pick(&CLIENT_PATHS);
        around(path, text(entropy, seeds_for(path)))
    },
    knows
);
fuzz!(config, |entropy| around("toolnames.toml", text(entropy, &TOML[..1])), |files: &Files| {
    knows(files);
    toolnames::testing::config::Config::read_profile("profile.toml", &files.0["toolnames.toml"]);
});
fuzz!(lock, |entropy| around("toolnames.lock", text(entropy, &LOCK)), |files: &Files| {
    Lock::read(&files.0["toolnames.lock"]);
    knows(files);
});
fuzz!(snapshot, |entropy| around(".toolnames/snapshots/s.json", text(entropy, &JSON[2..3])), knows);
fuzz!(
    manifests,
    |entropy| {
        let path = *entropy.pick(&["package.json", "tsconfig.json", "pyproject.toml", "Cargo.toml"]);
        around(path, text(entropy, seeds_for(path)))
    },
    knows
);

fuzz!(
    permission_grammar,
    |entropy| (entropy.below(Clients::built_in().iter().len()), text(entropy, &GRAMMARS), entropy.byte()),
    |(client, strings, choice): &(usize, String, u8)| {
        let servers = client::Spelt::new(["notes", "notes_all", "a-b", ""].map(String::from).to_vec());
        let row = Clients::built_in().iter().nth(*client).expect("it is below their number");
        for string in strings.lines() {
            for list in row.files.iter().flat_map(|file| &file.lists) {
                let place = Place {
                    wildcards: [Wildcards::Anywhere, list.wildcards][usize::from(choice % 2)],
                    server: (choice & 2 > 0).then_some("notes"),
                    servers: &servers,
                };
                let _ = format!("{:?}", list.grammar.as_ref().unwrap_or(&row.names).parse(string, place));
            }
            client::glob_matches(string, string);
            let (key, tool) = string.split_once(' ').unwrap_or((string, "read"));
            let _ = (row.normalise(key), row.wire_name(key, tool), row.composed(key, tool), row.server_prefix(key));
        }
    }
);
fuzz!(
    regular_expressions,
    |entropy| {
        let lines = text(entropy, &EXPRESSIONS);
        let haystack = text(entropy, &GRAMMARS);
        (lines, haystack)
    },
    |(expressions, haystack): &(String, String)| {
        for expression in expressions.lines().take(8) {
            let Some(regex) = Regex::new(expression, "") else { continue };
            regex.is_match(haystack);
            for found in regex.matches(haystack).unwrap_or_default() {
                assert!(haystack.get(found.range.clone()).is_some(), "{found:?}");
            }
        }
    }
);
fuzz!(selectors, |entropy| text(entropy, &SELECTORS), |input: &String| {
    for line in input.lines() {
        let _ = line.parse::<Selector>();
        if let Ok(pattern) = serde_json::from_value::<CalleePattern>(line.into()) {
            pattern.last();
        }
    }
});
fuzz!(
    framework_rows,
    |entropy| {
        let selectors: Vec<&str> = SELECTORS[0].lines().collect();
        let config = text(entropy, &TOML[..1]).replace("arg0", *entropy.pick(&selectors));
        around("toolnames.toml", config)
    },
    knows
);

fuzz!(
    client_rows,
    |entropy| {
        let mut files = around("toolnames.toml", text(entropy, &CLIENT_ROWS));
        files.0.insert(".hal/a.json".to_string(), text(entropy, &JSON));
        files.0.insert("hal.toml".to_string(), TOML[1].to_string());
        files
    },
    knows
);

fuzz!(frames, |entropy| text(entropy, &MESSAGES).replace("\r\n", "\n").replace('\n', "\r\n"), |input: &String| {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let written = runtime.block_on(async {
        let (mut client, server) = tokio::io::duplex(64 * 1024);
        let (read, write) = tokio::io::split(server);
        let bytes = input.clone().into_bytes();
        let talk = async {
            use tokio::io::{AsyncReadExt, AsyncWriteExt};
            let (mut from, mut to) = tokio::io::split(&mut client);
            let mut written = Vec::new();
            let writing = async {
                // The server may have been asked to exit.
                let _ = to.write_all(&bytes).await;
                let _ = to.shutdown().await;
            };
            let (_, read) = tokio::join!(writing, from.read_to_end(&mut written));
            read.map(|_| written)
        };
        let (_, written) = tokio::join!(toolnames::lsp::serve(read, write), talk);
        written.expect("the server writes")
    });
    // What is written are whole messages.
    let mut rest = written.as_slice();
    while !rest.is_empty() {
        let end = rest.windows(4).position(|four| four == b"\r\n\r\n").expect("a header");
        let header = std::str::from_utf8(&rest[..end]).expect("ASCII");
        let length: usize = header.strip_prefix("Content-Length: ").and_then(|it| it.parse().ok()).expect("a length");
        let body = &rest[end + 4..end + 4 + length];
        let message: serde_json::Value = serde_json::from_slice(body).expect("JSON");
        assert_eq!(message["jsonrpc"], "2.0", "{message}");
        rest = &rest[end + 4 + length..];
    }
});

/// A workspace, and edits of its open files: each with whether what is known is asked before the next.
type Session = (Vec<(String, String)>, Vec<(usize, Span, String, bool)>);

fn session(entropy: &mut Entropy<'_>) -> Session {
    let all = [
        ("server.ts", TYPESCRIPT[0]),
        ("shared.ts", TYPESCRIPT[1]),
        ("server.py", PYTHON[0]),
        ("names.py", PYTHON[1]),
        ("src/main.rs", RUST[0]),
        (".mcp.json", JSON[1]),
        (".claude/settings.json", JSON[0]),
        ("package.json", JSON[3]),
        ("tsconfig.json", JSON[4]),
        ("toolnames.toml", TOML[0]),
    ];
    let mut texts: Vec<(String, String)> =
        all.iter().map(|(path, text)| (path.to_string(), text.to_string())).collect();
    let open = texts.clone();
    let mut edits = Vec::new();
    for _ in 0..1 + entropy.below(8) {
        let file = entropy.below(all.len());
        let (start, end) = range(entropy, &texts[file].1);
        let seeds = seeds_for(all[file].0);
        let other = *entropy.pick(seeds);
        let (from, to) = range(entropy, other);
        let new = match entropy.below(4) {
            0 => String::new(),
            1 => (*entropy.pick(&["\"", "(", ")", "{", "}", "\n", "// ", "#", "'", "`", "x", "_", "*/", "/*"]))
                .to_string(),
            _ => other[from..to].to_string(),
        };
        texts[file].1.replace_range(start..end, &new);
        edits.push((file, Span::new(start, end), new, entropy.byte().is_multiple_of(2)));
    }
    (open, edits)
}

fuzz!(edits_against_fresh, |entropy| session(entropy), |(open, edits): &Session| {
    let mut files = Files(open.iter().cloned().collect());
    let mut workspace: Workspace = files.workspace();
    workspace.settle(&files);
    for (path, text) in open {
        workspace.open(path, Arc::from(text.as_str()), &[]);
    }
    for (file, span, new, look) in edits {
        let path = &open[*file].0;
        let edit = Edit::new(*span, new.clone());
        let text = apply_edits(&files.0[path], std::slice::from_ref(&edit)).expect("the edit fits");
        workspace.open(path, Arc::from(text.as_str()), &[edit]);
        files.0.insert(path.clone(), text);
        if path == CONFIG_FILE {
            workspace.configure(files.configs());
        }
        if *look {
            workspace.settle(&files);
        }
    }
    assert_eq!(known(&workspace.settle(&files), &files), files.known());
});
