//! Whole programs: which servers there are, and how the files are put together.

use super::super::core::{Core, Module, Program};
use super::super::random::Random;
use super::super::value::{common_prefix, tool_names};
use super::Py;

const SERVERS: [&str; 8] = ["notes", "acme", "files-server", "github", "crm", "weather", "my-app", "tasks"];

/// The program that follows from random choices, and the choices.
pub(super) fn generate(mut random: Random) -> (Program, Vec<u32>) {
    let package = if random.chance(50) { Some(*random.pick(&["acme_server", "toolbox", "my_mcp"])) } else { None };
    let quote = if random.chance(30) { '\'' } else { '"' };
    let max_modules = 1 + random.below(6);
    let fuel = 8 + random.below(90) as u32;
    let mut py = Py { core: Core::new(random, fuel), quote, package, max_modules };
    let stem = *py.core.random.pick(&["server", "server", "main"]);
    let path = package.map_or(format!("{stem}.py"), |package| format!("{package}/{stem}.py"));
    let entry = py.core.add_module(path);
    if let Some(package) = package {
        let content = py.pick(&["", "\"\"\"A server.\"\"\"\n", "__version__ = \"1.0.0\"\n"]).to_string();
        py.core.data.push((format!("{package}/__init__.py"), content));
    }
    let kinds = super::kinds();
    for _ in 0..6 {
        let kind = *py.core.random.pick(&kinds);
        py.core.prefer(kind);
    }
    let is_open = py.chance(10);
    py.inside(entry, |py| py.servers(is_open));
    let program = Program {
        files: py.files(),
        entry: py.core.modules[entry].path.clone(),
        is_open,
        settles: false,
        kinds: std::mem::take(&mut py.core.kinds),
    };
    (program, std::mem::take(&mut py.core.random.drawn))
}

impl Py {
    /// Writes one or two servers with their tools.
    fn servers(&mut self, is_open: bool) {
        let count = if self.chance(15) { 2 } else { 1 };
        let start = self.below(SERVERS.len());
        let mut taken = Vec::new();
        for at in 0..count {
            let name = SERVERS[(start + at) % SERVERS.len()];
            let depth = 2 + self.below(4) as u32;
            let groups = 1 + self.below(3);
            if self.chance(22) && !is_open {
                let tools = 1 + self.below(5);
                let names = tool_names(&mut self.core.random, tools, &mut taken);
                self.low_level(name, &names, depth);
                continue;
            }
            let server = self.server(name, depth);
            for _ in 0..groups {
                let tools = 1 + self.below(4);
                let names = tool_names(&mut self.core.random, tools, &mut taken);
                self.declare_prefix(&names, depth);
                if self.chance(15) {
                    self.in_async(depth, &mut |py| py.register(&server, &names, depth));
                } else {
                    self.register(&server, &names, depth);
                }
            }
            if is_open && at == 0 {
                let names = tool_names(&mut self.core.random, 2, &mut taken);
                self.register_openly(&server, &names, depth);
            }
            if self.chance(15) {
                self.emit(format!("@{server}.prompt()\ndef no_prompt_{at}() -> str:\n    return \"\""));
            }
            if self.chance(15) {
                self.emit(format!(
                    "@{server}.resource(\"file://no_resource_{at}\")\ndef no_resource_{at}() -> str:\n    return \"\""
                ));
            }
            if self.chance(60) {
                self.run(&server);
            }
        }
    }

    /// Declares what all names begin with, so that it is used for each of them.
    fn declare_prefix(&mut self, names: &[String], depth: u32) {
        let prefix = common_prefix(names);
        if prefix.is_empty() || !self.chance(50) {
            return;
        }
        let (text, name) = (self.text(&prefix, depth), self.fresh(&["PREFIX", "NAMESPACE", "prefix"]));
        self.emit(format!("{name} = {text}"));
        self.know(&name, &super::Value::text(prefix));
    }

    fn files(&mut self) -> Vec<(String, String)> {
        let modules = std::mem::take(&mut self.core.modules);
        let mut files: Vec<(String, String)> =
            modules.iter().map(|module| (module.path.clone(), text_of(module))).collect();
        files.append(&mut self.core.data.clone());
        files.push((
            "pyproject.toml".to_string(),
            "[project]\nname = \"generated-server\"\nversion = \"1.0.0\"\ndependencies = [\"mcp>=1.20\"]\n".to_string(),
        ));
        self.core.modules = modules;
        files
    }
}

fn text_of(module: &Module) -> String {
    let mut lines = module.head.clone();
    // Standard modules come first, then the others, in the order of their use.
    lines.sort_by_key(|line| line.starts_with("from .") || line.contains("from mcp"));
    if !lines.is_empty() && !module.lines.is_empty() {
        lines.push(String::new());
    }
    lines.extend(module.lines.clone());
    lines.join("\n") + "\n"
}
