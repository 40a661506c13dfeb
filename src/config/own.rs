//! The clients and frameworks of a config, described in rows like the built-in ones.

use globset::GlobBuilder;
use smol_str::SmolStr;

use super::Config;
use crate::client::{Client, Clients};
use crate::document::{self, Node, Value};
use crate::framework::Framework;
use crate::path::{MAX_GLOB, MAX_GLOBS};

/// The maximum number of words for which texts are searched because of a config's clients: options, keywords of code,
/// packages.
const MAX_WORDS: usize = 1000;
/// The maximum length of such a word, in bytes.
const MAX_WORD: usize = 200;

impl Config {
    pub(super) fn take_frameworks(&mut self, value: &Node) {
        if !matches!(value.value, Value::Array(_)) {
            self.fault(value.span, "expected `[[frameworks]]`, a list of tables");
        }
        for row in value.elements() {
            self.frameworks.extend(document::typed::<Framework>(row, &mut self.faults));
        }
    }

    pub(super) fn take_own_clients(&mut self, value: &Node) {
        if !matches!(value.value, Value::Array(_)) {
            self.fault(value.span, "expected `[[client]]`, a list of tables");
        }
        for row in value.elements() {
            if let Some(client) = document::typed::<Client>(row, &mut self.faults).filter(|it| self.takes(it, row)) {
                self.own_clients.push(client);
            }
        }
    }

    /// Whether a client is accepted; reports the reason if not.
    fn takes(&mut self, client: &Client, row: &Node) -> bool {
        let id = row.get("id").map_or(row.span, |id| id.span);
        let is_built_in = Clients::built_in().iter().any(|known| known.id == client.id);
        if is_built_in || self.own_clients.iter().any(|known| known.id == client.id) {
            self.fault(id, format!("there is a client `{}` already: choose another id", client.id));
            return false;
        }
        let files = client.files.iter();
        let of_inside = |file: &crate::client::ClientFile| file.inside.iter().flat_map(|it| it.files.clone()).collect();
        let globs = files.flat_map(|file| {
            let inside: Vec<String> = of_inside(file);
            file.files.iter().chain(&file.guest_in).cloned().chain(inside).collect::<Vec<_>>()
        });
        let globs: Vec<String> = globs.collect();
        self.globs += globs.len();
        if self.globs > MAX_GLOBS {
            self.fault(row.span, format!("more than {MAX_GLOBS} globs: the client is not read"));
            return false;
        }
        for glob in &globs {
            let built = GlobBuilder::new(glob).literal_separator(true).build();
            let reason = match built {
                _ if glob.len() > MAX_GLOB => format!("a glob of more than {MAX_GLOB} bytes"),
                Err(error) => format!("`{glob}`: {}", error.kind()),
                Ok(_) => continue,
            };
            self.fault(row.span, reason);
            return false;
        }
        let code = client.code.iter().flat_map(|row| row.names.iter().chain(&row.of));
        let options = client.flags.iter().flat_map(|flag| &flag.names);
        let words: Vec<&SmolStr> = code.chain(options).chain(&client.packages).collect();
        if words.len() > MAX_WORDS || words.iter().any(|word| word.is_empty() || word.len() > MAX_WORD) {
            let message = format!("options, names and packages are at most {MAX_WORDS} words of 1 to {MAX_WORD} bytes");
            self.fault(row.span, message);
            return false;
        }
        true
    }
}
