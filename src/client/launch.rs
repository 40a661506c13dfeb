//! Reads what a client's `command` and `args` start, without running anything.

use std::sync::LazyLock;

use serde::Deserialize;

/// The target of a command, as far as its words show it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Launch {
    /// A package of the npm registry.
    NpmPackage(String),
    /// A package of PyPI, or a console script of such a package.
    PythonPackage(String),
    /// A file to run, as a path from the workspace's root: a source file, or one built from source.
    File(String),
    /// `python -m module`
    PythonModule(String),
    /// A script or module of a Python project; `directory` is that of the project, if the command contains it.
    PythonScript { directory: Option<String>, script: String },
    /// A package or binary of a Cargo workspace; `directory` is the path of the manifest or its directory, if the
    /// command contains one.
    Cargo { directory: Option<String>, name: Option<String> },
    /// A program, by name or path.
    Program(String),
    /// A build of a package: an image for containers, without its tag, or a repository. The last part of its name
    /// usually is the package's: `ghcr.io/acme/notes`.
    Build(String),
    /// A target that is not in the workspace or a registry: on another machine, at a URL, or code in the
    /// command itself.
    Elsewhere,
}

#[derive(Deserialize)]
struct Table {
    /// Variables whose value is the workspace, or the folder that a client's file belongs to.
    own_variables: Vec<String>,
    shell: Vec<Shell>,
    program: Vec<Program>,
}

#[derive(Deserialize)]
struct Shell {
    program: String,
    flags: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Program {
    names: Vec<String>,
    target: Target,
    #[serde(default)]
    subcommands: Vec<String>,
    #[serde(default)]
    subcommand_optional: bool,
    #[serde(default)]
    options_with_value: Vec<String>,
    #[serde(default)]
    package_options: Vec<String>,
    #[serde(default)]
    module_options: Vec<String>,
    #[serde(default)]
    binary_options: Vec<String>,
    #[serde(default)]
    directory_options: Vec<String>,
    /// The separator between a file and the name of an object in it: the `:` of `server.py:mcp`.
    #[serde(default)]
    object_behind: Option<String>,
    /// Options whose value is the code to run, such as `-c`.
    #[serde(default)]
    code_options: Vec<String>,
}

static TABLE: LazyLock<Table> =
    LazyLock::new(|| toml::from_str(include_str!("launch.toml")).expect("the launch table parses"));

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
enum Target {
    NpmPackage,
    PythonPackage,
    PythonScript,
    File,
    Cargo,
    /// Another program, whose command follows.
    Command,
    /// Another program, whose command is one word.
    Shell,
    Image,
    Elsewhere,
}

/// The version of a server that a command asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pin {
    /// The version, range or tag, the image, or the address of a repository, as it is written.
    pub(crate) asked: String,
    /// Whether versions are numbers, so that a range may include that of the source.
    is_version: bool,
}

impl Pin {
    /// Whether the source may be what the command starts; `version` is that of the source, if it has one.
    pub(crate) fn may_be(&self, version: Option<&str>) -> bool {
        let Some(version) = version.filter(|_| self.is_version) else { return self.is_version };
        let asked = self.asked.trim();
        let parsed = super::version(version);
        // `1.2` is every `1.2.x` in npm; Python's `~=` and `==1.*` have other signs in Rust.
        let signs = asked.trim_start_matches("==").replace("~=", "~");
        let is_plain = asked.starts_with(|c: char| c.is_ascii_digit());
        let range = match signs.split('.').count() {
            _ if super::version(asked).is_some() && asked.split('.').count() > 2 => return asked == version,
            1 | 2 if is_plain && !signs.contains(['x', '*']) => format!("~{signs}"),
            _ => signs.split_whitespace().collect::<Vec<_>>().join(", "),
        };
        asked == version
            || semver::VersionReq::parse(&range).ok().zip(parsed).is_some_and(|(range, it)| range.matches(&it))
    }
}

/// Whether a package is the address of a repository or archive.
fn is_address(package: &str) -> bool {
    ["://", "git+", "github:", "gitlab:"].iter().any(|sign| package.contains(sign))
}

/// The name of the repository at an address: `notes` in `git+https://github.com/acme/notes.git@main`.
fn repository(address: &str) -> &str {
    let path = address.split(['#', '?']).next().unwrap_or(address);
    let name = path.rsplit(['/', ':']).next().unwrap_or(path);
    let name = name.split('@').next().unwrap_or(name);
    name.strip_suffix(".git").unwrap_or(name)
}

/// The version of a server that a command asks for; `None` if it takes any.
pub(crate) fn pin(command: &[String]) -> Option<Pin> {
    let found = read(command, 0)?;
    match found.launch {
        Launch::Build(_) => Some(Pin { asked: found.package?, is_version: false }),
        _ if found.package.as_deref().is_some_and(is_address) => Some(Pin { asked: found.package?, is_version: false }),
        _ => Some(Pin { asked: pinned_version(command)?, is_version: true }),
    }
}

/// The version of the package in a command line, if there is one: `1.2.3` in `name@1.2.3` and `name==1.2.3`, or a range
/// or tag as it is written.
fn pinned_version(command: &[String]) -> Option<String> {
    let package = read(command, 0)?.package?;
    let package = package.strip_prefix("npm:").unwrap_or(&package);
    let asked = match package.get(1..)?.find('@') {
        Some(at) => &package[at + 2..],
        None => {
            let bare = package.split_once(']').map_or(package, |(_, rest)| rest);
            let asked = bare[bare.find(['=', '<', '>', '~', '!'])?..].trim();
            asked.strip_prefix("==").filter(|version| !version.starts_with('=')).unwrap_or(asked)
        }
    };
    (!matches!(asked, "" | "latest" | "*")).then(|| asked.trim().to_string())
}

/// The published server that a command line or an address leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Published {
    /// The package or address with its kind: `npm:@scope/name`, `pypi:name`, `url:host/path`.
    pub(crate) id: String,
    pub(crate) asked: Asked,
}

/// The version of a published server that a config asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Asked {
    /// The newest, or the one that runs at an address.
    Newest,
    /// This version or range, as it is written.
    Given(String),
    /// None: the program that starts the package chooses.
    Nothing,
}

/// The image of a container, as a command names it: `registry/name:tag`.
fn image(written: &str) -> Published {
    let name = written.split('@').next().unwrap_or(written);
    let (name, tag) = match name.rsplit_once(':').filter(|(_, tag)| !tag.contains('/')) {
        Some((name, tag)) => (name, Some(tag)),
        None => (name, None),
    };
    let asked = match tag {
        _ if written.contains('@') => Asked::Given(written.to_string()),
        None => Asked::Nothing,
        Some("latest") => Asked::Newest,
        Some(tag) => Asked::Given(tag.to_string()),
    };
    Published { id: format!("image:{name}"), asked }
}

/// Returns the published server that an entry starts; `None` if it starts none, or another kind of thing.
pub(crate) fn published(command: Option<&[String]>, url: Option<&str>) -> Option<Published> {
    let of_url = |url: &str| {
        let address = url.split_once("://")?.1.split(['?', '#']).next()?.trim_end_matches('/');
        Some(Published { id: format!("url:{address}"), asked: Asked::Newest })
    };
    let Some(command) = command else { return of_url(url?) };
    let Read { launch, package, .. } = read(command, 0)?;
    let (kind, name) = match launch {
        // A program that connects to a server at an address.
        Launch::NpmPackage(name) if name == "mcp-remote" => {
            return command.iter().find(|word| word.contains("://")).and_then(|url| of_url(url));
        }
        Launch::NpmPackage(name) => ("npm", package.as_deref().map_or(name, without_version)),
        Launch::PythonPackage(_) if package.as_deref().is_some_and(is_address) => return None,
        Launch::PythonPackage(name) => ("pypi", package.as_deref().map_or(name, without_requirement)),
        Launch::Build(_) => return package.filter(|package| !is_address(package)).map(|package| image(&package)),
        Launch::Elsewhere => return of_url(&package?),
        _ => return None,
    };
    let asked = match pinned_version(command) {
        Some(version) => Asked::Given(version),
        None if package.is_some_and(|package| package.ends_with("@latest")) => Asked::Newest,
        None => Asked::Nothing,
    };
    Some(Published { id: format!("{kind}:{name}"), asked })
}

/// Reads a command line; `command` contains the program and its arguments. `None` if it does not show what is started,
/// as in `uv sync`.
pub(crate) fn launch(command: &[String]) -> Option<Launch> {
    read(command, 0).map(|read| read.launch)
}

/// The words of a command line that identify the server: subcommands, the package, file, module or image that is
/// started, and its directory. Every other word is an argument of the server or an option for starting it.
pub(crate) fn identity(command: &[String]) -> Vec<String> {
    read(command, 0).map(|read| read.named).unwrap_or_default()
}

/// The number of words before the program in a command line: shells with their flags, and assignments of variables.
pub(super) fn before_program(command: &[String]) -> usize {
    let mut words = command;
    while let Some(shell) = TABLE.shell.iter().find(|shell| is_program(words.first(), &shell.program)) {
        words = &words[1..];
        // `env KEY=value program`
        while words.first().is_some_and(|word| shell.flags.contains(word) || word.contains('=')) {
            words = &words[1..];
        }
    }
    command.len() - words.len()
}

/// The result of reading a command line.
struct Read {
    launch: Launch,
    /// The package that is started, as it is written, including its version.
    package: Option<String>,
    /// The words that identify the server, as they are written.
    named: Vec<String>,
}

/// The maximum number of programs that start each other in one command: `uv run mcp run server.py`.
const MAX_NESTED: usize = 4;

fn read(command: &[String], nested: usize) -> Option<Read> {
    if nested > MAX_NESTED {
        return None;
    }
    let words: Vec<String> = command.iter().map(|word| without_variables(word)).collect();
    let words = &words[before_program(&words)..];
    let program = words.first()?;
    let rows = TABLE.program.iter().filter(|row| row.names.iter().any(|name| is_program(Some(program), name)));
    let mut known = false;
    for row in rows {
        known = true;
        if let Some(found) = row.read(&words[1..], nested) {
            return Some(found);
        }
    }
    let launch = Launch::Program(program.clone());
    if known { None } else { Some(Read { launch, package: None, named: vec![program.clone()] }) }
}

impl Program {
    fn read(&self, words: &[String], nested: usize) -> Option<Read> {
        if matches!(self.target, Target::Shell) {
            return of_shell(words, nested);
        }
        let mut named = Vec::new();
        let mut package = None;
        let mut directory = None;
        let mut binary = None;
        let mut first = None;
        let mut wants_subcommand = !self.subcommands.is_empty();
        let mut rest = words;
        while let Some((word, after)) = rest.split_first() {
            // `cargo +nightly run`
            if wants_subcommand && word.starts_with('+') {
                rest = after;
                continue;
            }
            if wants_subcommand && !word.starts_with('-') {
                match self.subcommand(rest) {
                    Some(count) => {
                        named.extend_from_slice(&rest[..count]);
                        rest = &rest[count..];
                    }
                    None if self.subcommand_optional => {}
                    None => return None,
                }
                wants_subcommand = false;
                continue;
            }
            rest = after;
            let (option, attached) = match word.split_once('=') {
                Some((option, value)) if option.starts_with("--") => (option, Some(value.to_string())),
                _ => (word.as_str(), None),
            };
            let is = |options: &[String]| options.iter().any(|known| known == option);
            if is(&self.code_options) {
                return Some(Read { launch: Launch::Elsewhere, package: None, named });
            }
            if is(&self.module_options) {
                let module = rest.first()?.clone();
                named.push(module.clone());
                return Some(Read { launch: Launch::PythonModule(module), package: None, named });
            }
            if is(&self.options_with_value) {
                let value = match attached {
                    Some(value) => Some(value),
                    None => rest.split_first().map(|(value, after)| {
                        rest = after;
                        value.clone()
                    }),
                };
                let place = match () {
                    () if is(&self.package_options) => &mut package,
                    () if is(&self.directory_options) => &mut directory,
                    () if is(&self.binary_options) => &mut binary,
                    () => continue,
                };
                named.extend(value.clone());
                *place = value;
            } else if word == "--" {
                // The words after `--` belong to the server, unless the target has not been found yet.
                if first.is_some() || matches!(self.target, Target::Cargo) {
                    break;
                }
            } else if !word.starts_with('-') {
                named.push(word.clone());
                first = Some(word.clone());
                break;
            }
        }
        if wants_subcommand && !self.subcommand_optional {
            return None;
        }
        // A package from a URL or a Git repository does not come from the registry: only the name of a program, or of
        // the repository, shows which one it is.
        if let Some(address) = package.clone().or_else(|| first.clone()).filter(|package| is_address(package)) {
            let program = package.as_ref().and(first.clone());
            let launch = match (self.target, program) {
                (Target::NpmPackage, Some(program)) => Some(Launch::NpmPackage(program)),
                (Target::PythonPackage | Target::PythonScript, Some(program)) => Some(Launch::PythonPackage(program)),
                (Target::NpmPackage | Target::PythonPackage | Target::PythonScript, None) => {
                    Some(Launch::Build(repository(&address).to_string()))
                }
                _ => None,
            };
            if let Some(launch) = launch {
                return Some(Read { launch, package: Some(address), named });
            }
        }
        let as_named = package.clone().or(first.clone());
        let without_package = |launch: Launch, named: Vec<String>| Some(Read { launch, package: None, named });
        let launch = match self.target {
            Target::NpmPackage => {
                // `npx tsx server.ts` runs a file.
                let runner: Vec<String> = first.iter().cloned().chain(rest.iter().cloned()).collect();
                match read(&runner, nested + 1) {
                    Some(Read { launch: file @ Launch::File(_), named: inner, .. }) => {
                        named.extend(inner);
                        file
                    }
                    // `npx -p package program`
                    _ => Launch::NpmPackage(without_version(&first.or(package)?)),
                }
            }
            Target::PythonPackage => match package.as_deref() {
                Some(path) if path.starts_with(['.', '/', '~']) => {
                    python_script(Some(path.to_string()), first.unwrap_or_default(), rest, nested, &mut named)
                }
                _ => Launch::PythonPackage(without_requirement(&first.or(package)?)),
            },
            Target::PythonScript => match package {
                Some(package) => Launch::PythonPackage(without_requirement(&first.unwrap_or(package))),
                None => {
                    let launch = python_script(directory, first?, rest, nested, &mut named);
                    return without_package(launch, named);
                }
            },
            Target::File => match first?.as_str() {
                // Deno runs packages by their specifiers.
                package if package.starts_with("npm:") => Launch::NpmPackage(without_version(&package[4..])),
                url if url.contains("://") || url.starts_with("jsr:") => Launch::Elsewhere,
                file => {
                    let object = self.object_behind.as_deref().and_then(|sign| file.rsplit_once(sign));
                    let file = object.map(|(file, _)| file).filter(|file| file.contains('.')).unwrap_or(file);
                    return without_package(Launch::File(file.to_string()), named);
                }
            },
            Target::Command => {
                let inner: Vec<String> = first.into_iter().chain(rest.iter().cloned()).collect();
                let inner = read(&inner, nested + 1)?;
                // The first word of the inner command is named already.
                named.pop();
                named.extend(inner.named);
                return Some(Read { named, ..inner });
            }
            Target::Shell => return None,
            Target::Cargo => return without_package(Launch::Cargo { directory, name: binary.or(package) }, named),
            Target::Image => match &first {
                Some(written) => Launch::Build(image(written).id["image:".len()..].to_string()),
                None => Launch::Elsewhere,
            },
            Target::Elsewhere => Launch::Elsewhere,
        };
        Some(Read { launch, package: as_named, named })
    }
}

impl Program {
    /// The number of words at the start that are a subcommand of this program.
    fn subcommand(&self, words: &[String]) -> Option<usize> {
        self.subcommands.iter().find_map(|subcommand| {
            let parts: Vec<&str> = subcommand.split(' ').collect();
            let matches = words.len() >= parts.len() && parts.iter().zip(words).all(|(part, word)| part == word);
            matches.then_some(parts.len())
        })
    }
}

/// Reads the words after a shell: `-c "cd notes && exec node server.js"`. `None` if they do not contain one plain
/// command after changes of the directory and assignments.
fn of_shell(words: &[String], nested: usize) -> Option<Read> {
    let is_code = |word: &String| word.starts_with('-') && !word.starts_with("--") && word.ends_with('c');
    let text = words.get(words.iter().position(is_code)? + 1)?;
    let mut directory = String::new();
    let mut commands = text.split("&&").peekable();
    while let Some(command) = commands.next() {
        // Anything but words and quotes may start something else.
        if command.contains([';', '|', '&', '`', '>', '<', '(', '\n']) {
            return None;
        }
        let is_assignment =
            |word: &String| word.split_once('=').is_some_and(|(name, _)| !name.contains(['-', '/', '@']));
        let words: Vec<String> = shlex::split(command)?.into_iter().skip_while(is_assignment).collect();
        match words.split_first()? {
            (program, [folder]) if program == "cd" && !is_outside(folder) => {
                directory = format!("{directory}{}/", without_variables(folder).trim_end_matches('/'));
            }
            (program, _) if matches!(program.as_str(), "export" | "set" | "source" | "." | "unset") => {}
            _ if commands.peek().is_none() => {
                let mut found = read(&words, nested + 1)?;
                found.launch = match found.launch {
                    Launch::File(file) if !is_outside(&file) => Launch::File(format!("{directory}{file}")),
                    launch if directory.is_empty() => launch,
                    _ => return None,
                };
                return Some(Read { named: vec![text.clone()], ..found });
            }
            _ => return None,
        }
    }
    None
}

/// Reads `uv run python -m x`, `uv run mcp run server.py`, `uv run server.py` and `uv run script`, and adds the words
/// that identify the server to `named`.
fn python_script(
    directory: Option<String>,
    first: String,
    rest: &[String],
    nested: usize,
    named: &mut Vec<String>,
) -> Launch {
    let inner: Vec<String> = std::iter::once(first.clone()).chain(rest.iter().cloned()).collect();
    let in_directory = |file: String| match &directory {
        Some(directory) => format!("{directory}/{file}"),
        None => file,
    };
    if first.ends_with(".py") {
        return Launch::File(if is_outside(&first) { first } else { in_directory(first) });
    }
    let inner = read(&inner, nested + 1);
    named.extend(inner.iter().flat_map(|read| read.named.clone()));
    match inner.map(|read| read.launch) {
        Some(Launch::File(file)) if !is_outside(&file) => Launch::File(in_directory(file)),
        Some(elsewhere @ (Launch::File(_) | Launch::Elsewhere)) => elsewhere,
        Some(Launch::PythonModule(module)) => match directory {
            Some(_) => Launch::PythonScript { directory, script: module },
            None => Launch::PythonModule(module),
        },
        _ => Launch::PythonScript { directory, script: first },
    }
}

/// Whether a path leads out of the workspace: from the root of a disk, from a home directory or from a variable.
pub(crate) fn is_outside(path: &str) -> bool {
    let is_drive = path.get(1..2) == Some(":") && path.starts_with(|c: char| c.is_ascii_alphabetic());
    is_drive || path.starts_with(['/', '\\', '~', '$', '%'])
}

fn is_program(word: Option<&String>, name: &str) -> bool {
    let Some(word) = word else { return false };
    let file = word.rsplit(['/', '\\']).next().unwrap_or(word);
    let file = file.strip_suffix(".exe").or_else(|| file.strip_suffix(".cmd")).unwrap_or(file);
    file == name
}

/// Removes a variable whose value is the workspace from the start of a word: `${workspaceFolder}/x`,
/// `${CLAUDE_PROJECT_DIR:-.}/x`.
pub(super) fn without_variables(word: &str) -> String {
    let Some((before, rest)) = word.split_once("${") else {
        return word.to_string();
    };
    let Some((name, after)) = rest.split_once('}') else {
        return word.to_string();
    };
    // `${CLAUDE_PROJECT_DIR:-.}`
    let name = name.split(":-").next().unwrap_or(name);
    if !TABLE.own_variables.iter().any(|own| own == name) {
        return word.to_string();
    }
    if before.is_empty() { after.trim_start_matches(['/', '\\']).to_string() } else { word.to_string() }
}

fn without_version(package: &str) -> String {
    match package.rfind('@') {
        Some(at) if at > 0 => package[..at].to_string(),
        _ => package.to_string(),
    }
}

fn without_requirement(package: &str) -> String {
    let end = package.find(['=', '<', '>', '~', '!', '@', '[', ';', ' ']).unwrap_or(package.len());
    package[..end].to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_string).collect()
    }

    fn read(line: &str) -> Option<Launch> {
        launch(&words(line))
    }

    #[test]
    fn versions_that_are_asked_for() {
        for (line, asked) in [
            ("npx -y acme", None),
            ("npx -y acme@latest", None),
            ("npx -y @acme/mcp", None),
            ("npx -y @acme/mcp@1.2.3", Some("1.2.3")),
            ("npx -y --package=acme@1.0.0 acme", Some("1.0.0")),
            ("npx -p acme@beta acme-admin", Some("beta")),
            ("npx -y acme@^1.0.0", Some("^1.0.0")),
            ("deno run -A npm:acme@1.0.0", Some("1.0.0")),
            ("uvx mcp-x[all]==1.2", Some("1.2")),
            ("uvx --from=mcp-x<0.2 x", Some("<0.2")),
            ("pipx run --spec mcp-x===0.1.0 x", Some("===0.1.0")),
            ("uvx mcp-x --option a=b", None),
        ] {
            assert_eq!(pinned_version(&words(line)).as_deref(), asked, "{line}");
        }
    }

    #[test]
    fn ranges_may_include_the_version_of_the_source() {
        let may_be = |command: &str, version| {
            let words: Vec<String> = command.split(' ').map(str::to_string).collect();
            pin(&words).is_none_or(|pin| pin.may_be(version))
        };
        for command in [
            "npx acme",
            "npx acme@latest",
            "npx acme@1.4.2",
            "npx acme@^1",
            "npx acme@~1.4",
            "npx acme@1",
            "npx acme@1.4",
            "npx acme@1.x",
            "uvx acme>=1.2,<2",
            "uvx acme~=1.4",
            "uvx acme==1.4.*",
            "uvx acme==1.4.2",
        ] {
            assert!(may_be(command, Some("1.4.2")), "{command}");
            assert!(may_be(command, None), "{command}");
        }
        for command in
            ["npx acme@1.4.1", "npx acme@^2", "npx acme@next", "npx acme@1.3", "uvx acme==1.4.0", "uvx acme<1"]
        {
            assert!(!may_be(command, Some("1.4.2")), "{command}");
        }
        assert!(!may_be("docker run -i acme:1.4.2", Some("1.4.2")));
        assert!(!may_be("uvx --from git+https://github.com/acme/acme acme", None));
    }

    #[test]
    fn commands_lead_to_what_they_start() {
        let npm = |name: &str| Some(Launch::NpmPackage(name.into()));
        assert_eq!(
            read("npx -y @modelcontextprotocol/server-filesystem@1.0.0 ."),
            npm("@modelcontextprotocol/server-filesystem")
        );
        assert_eq!(read("cmd /c npx -y tavily-mcp@latest"), npm("tavily-mcp"));
        assert_eq!(read("pnpm dlx some-server"), npm("some-server"));
        assert_eq!(read("npx -p some-package some-bin"), npm("some-bin"));
        assert_eq!(read("uvx mcp-server-git --repository ."), Some(Launch::PythonPackage("mcp-server-git".into())));
        assert_eq!(read("uvx --from mcp-x[all]==1.2 x"), Some(Launch::PythonPackage("x".into())));
        assert_eq!(read("node ${workspaceFolder}/dist/index.js"), Some(Launch::File("dist/index.js".into())));
        assert_eq!(read("python3 -m notes.server"), Some(Launch::PythonModule("notes.server".into())));
        assert_eq!(read("uv --directory x run server.py"), Some(Launch::File("x/server.py".into())));
        assert_eq!(read("uv sync"), None);
        assert_eq!(read("npx -y tsx src/server.ts"), Some(Launch::File("src/server.ts".into())));
        assert_eq!(read("env LOG=1 node a.js"), Some(Launch::File("a.js".into())));
        assert_eq!(read("cargo +nightly r --bin x"), Some(Launch::Cargo { directory: None, name: Some("x".into()) }));
        assert_eq!(read("uv run --directory notes server.py"), Some(Launch::File("notes/server.py".into())));
        assert_eq!(
            read("uv run notes-server"),
            Some(Launch::PythonScript { directory: None, script: "notes-server".into() })
        );
        assert_eq!(
            read("cargo run --quiet --manifest-path clock/Cargo.toml -- --utc"),
            Some(Launch::Cargo { directory: Some("clock/Cargo.toml".into()), name: None })
        );
        assert_eq!(
            read("deno run -A npm:@modelcontextprotocol/server-memory@1"),
            npm("@modelcontextprotocol/server-memory")
        );
        for elsewhere in ["python -c 'import'", "node -e x", "fastmcp run https://example.com/mcp", "deno run jsr:@a/b"]
        {
            assert_eq!(read(elsewhere), Some(Launch::Elsewhere), "{elsewhere}");
        }
        for path in ["/opt/a.js", "~/a.py", "C:\\a.js", "${HOME}/a.js", "${TOOLS:-/opt}/a.js", "${env:TOOLS}/a.js"] {
            assert_eq!(read(&format!("node {path}")), Some(Launch::File(path.into())));
            assert!(is_outside(path));
        }
        for wrapped in
            ["op run --", "doppler run -p x --", "dotenv -e .env --", "dotenv", "nohup", "dotenvx run -f .env --"]
        {
            assert_eq!(read(&format!("{wrapped} npx -y acme@1")), npm("acme"), "{wrapped}");
            assert_eq!(read(&format!("{wrapped} node a.js")), Some(Launch::File("a.js".into())), "{wrapped}");
        }
        let shell = |text: &str| launch(&["bash".into(), "-lc".into(), text.into()]);
        assert_eq!(shell("npx -y acme"), npm("acme"));
        assert_eq!(shell("cd notes && A=1 exec node 'a b.js'"), Some(Launch::File("notes/a b.js".into())));
        assert_eq!(shell("source .env && node a.js"), Some(Launch::File("a.js".into())));
        for unclear in ["node a.js | tee x", "node a.js; rm x", "cd notes && npx acme", "cd /opt && node a.js", ""] {
            assert_eq!(shell(unclear), None, "{unclear}");
        }
        assert_eq!(read("docker run -i --rm mcp/fetch:1"), Some(Launch::Build("mcp/fetch".into())));
        assert_eq!(read("docker exec -i notes node a.js"), Some(Launch::Elsewhere));
        let git = "uvx --from git+https://github.com/acme/notes notes-mcp";
        assert_eq!(read(git), Some(Launch::PythonPackage("notes-mcp".into())));
        for command in ["npx -y github:acme/notes#main", "uvx git+ssh://git@github.com/acme/notes.git@v1"] {
            assert_eq!(read(command), Some(Launch::Build("notes".into())), "{command}");
        }
        assert_eq!(read("/usr/bin/my-server --x"), Some(Launch::Program("/usr/bin/my-server".into())));
    }
}
