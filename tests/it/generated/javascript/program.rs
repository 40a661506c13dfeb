//! Whole programs: which servers there are, and how the files are put together.

use super::super::core::{Core, Module, Program};
use super::super::random::Random;
use super::super::value::{common_prefix, tool_names};
use super::Js;

const SERVERS: [&str; 8] = ["notes", "acme", "files-server", "github", "crm", "weather", "my-app", "tasks"];

/// The program that follows from random choices, and the choices.
pub(super) fn generate(mut random: Random) -> (Program, Vec<u32>) {
    let is_esm = !random.chance(35);
    let extension = match (is_esm, random.below(3)) {
        (true, 0) => "mjs",
        (false, 2) => "cjs",
        _ => "js",
    };
    let quote = if random.chance(35) { '\'' } else { '"' };
    let max_modules = 1 + random.below(6);
    let fuel = 8 + random.below(90) as u32;
    let core = Core::new(random, fuel);
    let mut js = Js { core, is_esm, extension, quote, max_modules, settles: false };
    let stem = *js.core.random.pick(&["index", "server", "main", "src/index"]);
    let entry = js.core.add_module(format!("{stem}.{extension}"));
    let kinds = super::kinds();
    for _ in 0..6 {
        let kind = *js.core.random.pick(&kinds);
        js.core.prefer(kind);
    }
    let is_open = js.chance(10);
    js.inside(entry, |js| js.servers(is_open));
    let program = Program {
        files: js.files(),
        entry: js.core.modules[entry].path.clone(),
        is_open,
        settles: js.settles,
        kinds: std::mem::take(&mut js.core.kinds),
    };
    (program, std::mem::take(&mut js.core.random.drawn))
}

impl Js {
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
                self.register(&server, &names, depth);
            }
            if is_open && at == 0 {
                let names = tool_names(&mut self.core.random, 2, &mut taken);
                self.register_openly(&server, &names, depth);
            }
            if self.chance(15) {
                let others = [
                    "registerPrompt(\"no_prompt\", {}, () => ({ messages: [] }))",
                    "registerResource(\"no_resource\", \"file://x\", {}, async () => ({ contents: [] }))",
                ];
                let other = self.pick(&others);
                self.emit(format!("{server}.{other};"));
            }
            if self.chance(50) {
                self.connect(&server);
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
        self.emit(format!("const {name} = {text};"));
        self.know(&name, &super::Value::text(prefix));
    }

    fn files(&mut self) -> Vec<(String, String)> {
        let modules = std::mem::take(&mut self.core.modules);
        let mut files: Vec<(String, String)> =
            modules.iter().map(|module| (module.path.clone(), self.text_of(module))).collect();
        files.append(&mut self.core.data.clone());
        let kind = if self.is_esm && self.extension == "js" { "\n  \"type\": \"module\"," } else { "" };
        let main = &modules[0].path;
        files.push((
            "package.json".to_string(),
            format!(
                "{{\n  \"name\": \"generated-server\",\n  \"version\": \"1.0.0\",{kind}\n  \"main\": \"{main}\",\n  \"dependencies\": {{ \"@modelcontextprotocol/sdk\": \"^1.20.0\" }}\n}}\n"
            ),
        ));
        self.core.modules = modules;
        files
    }

    fn text_of(&mut self, module: &Module) -> String {
        let mut lines = module.head.clone();
        if !lines.is_empty() && !module.lines.is_empty() {
            lines.push(String::new());
        }
        lines.extend(module.lines.clone());
        let exported: Vec<&(String, String)> = module.exported.iter().filter(|(local, _)| !local.is_empty()).collect();
        if !exported.is_empty() {
            lines.push(String::new());
            let is_object = self.chance(50) && !module.is_closed;
            if self.is_esm || is_object {
                let colon = if self.is_esm { " as " } else { ": " };
                let clause = |(local, name): &&(String, String)| {
                    if local == name {
                        name.clone()
                    } else if self.is_esm {
                        format!("{local}{colon}{name}")
                    } else {
                        format!("{name}{colon}{local}")
                    }
                };
                let clauses: Vec<String> = exported.iter().map(clause).collect();
                let start = if self.is_esm { "export" } else { "module.exports =" };
                lines.push(format!("{start} {{ {} }};", clauses.join(", ")));
            } else {
                lines.extend(exported.iter().map(|(local, name)| format!("exports.{name} = {local};")));
            }
        }
        lines.join("\n") + "\n"
    }
}
