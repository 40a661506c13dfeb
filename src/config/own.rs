//! Clients and frameworks that a config describes itself, in rows like the built-in ones.

use super::Config;
use crate::client::Client;
use crate::document::{self, Fault, Node, Value};
use crate::framework::{self, Framework};
use crate::text::Span;

/// The maximum number of clients that the configs of a workspace may describe.
pub(super) const MAX_CLIENTS: usize = 20;
/// The maximum number of queries in the frameworks of a workspace.
pub(super) const MAX_QUERIES: usize = 20;
/// The maximum number of faults that are reported for the rows of one config.
const MAX_FAULTS: usize = 100;

/// A client that a config describes.
#[derive(Debug, Clone)]
pub(super) struct OwnClient {
    pub(super) client: Client,
    /// The span of the client's id.
    pub(super) id: Span,
}

impl Config {
    pub(super) fn take_frameworks(&mut self, value: &Node, all: &mut Vec<Fault>) {
        if !matches!(value.value, Value::Array(_)) {
            all.push(Fault { span: value.span, message: "expected `[[frameworks]]`, a list of tables".to_string() });
        }
        for row in value.elements() {
            let mut faults = Vec::new();
            let Some(mut framework) = document::typed::<Framework>(row, &mut faults) else {
                report(faults, all);
                continue;
            };
            let is_built_in = framework::built_in().iter().any(|known| known.id == framework.id);
            let span = |key: &str| row.get(key).map_or(row.span, |value| value.span);
            if is_built_in || self.frameworks.iter().any(|known| known.id == framework.id) {
                let message = format!("there is already a framework `{}`: choose another id", framework.id);
                faults.push(Fault { span: span("id"), message });
            }
            if framework.packages.is_empty() || framework.packages.iter().any(|package| package.is_empty()) {
                faults.push(Fault { span: span("packages"), message: "expected names of packages".to_string() });
            }
            faults.extend(framework.take_faults(row));
            // A row with unknown keys is still usable; a row without packages would match any import.
            if faults.iter().all(|fault| ![span("id"), span("packages")].contains(&fault.span)) {
                self.queries.extend(framework.queries(row));
                self.frameworks.push(framework);
            }
            report(faults, all);
        }
    }

    pub(super) fn take_own_clients(&mut self, value: &Node, all: &mut Vec<Fault>) {
        if !matches!(value.value, Value::Array(_)) {
            self.unread_clients = true;
            all.push(Fault { span: value.span, message: "expected `[[client]]`, a list of tables".to_string() });
        }
        for row in value.elements() {
            let mut faults = Vec::new();
            let client = document::typed::<Client>(row, &mut faults);
            if let Some(client) = &client {
                let others: Vec<&Client> = self.own_clients.iter().map(|own| &own.client).collect();
                faults.extend(client.faults(row, &others));
                if self.own_clients.iter().any(|known| known.client.id == client.id) {
                    let span = row.get("id").map_or(row.span, |id| id.span);
                    let message = format!("there is already a client `{}`: choose another id", client.id);
                    faults.push(Fault { span, message });
                }
            }
            // Reject a client with faults: if its row were used in part, the client would seem to allow and deny less
            // than it does.
            match client.filter(|_| faults.is_empty()) {
                Some(client) => {
                    let id = row.get("id").map_or(row.span, |id| id.span);
                    self.own_clients.push(OwnClient { client, id });
                }
                None => self.unread_clients = true,
            }
            report(faults, all);
        }
    }
}

/// Adds the faults of a row, up to [`MAX_FAULTS`] in all.
fn report(faults: Vec<Fault>, all: &mut Vec<Fault>) {
    let left = MAX_FAULTS.saturating_sub(all.len());
    all.extend(faults.into_iter().take(left));
}
