//! How closely an unknown server key resembles a known one.

use super::servers::{ServerNames, Servers};
use super::spelling::{folded, is_another_version, is_obvious_slip, squashed};
use crate::rules::Cx;
use crate::text::FileId;

/// The length from which a key is long, in bytes.
const LONG: usize = 7;

/// How certain it is that an unknown key means a known one.
#[derive(PartialEq, Eq)]
pub(super) enum Closeness {
    /// The same words in another spelling.
    Sure,
    /// One letter or a version apart; the unknown key may still be that of another server.
    Near,
}

/// Returns how closely an unknown key resembles a known one. `None` if the unknown key is probably that of another
/// server: the keys of servers from the user's own settings are not known here and are often similar to known ones,
/// like `gitlab` and `github`, `time` and `timer`, or `db1` and `db2`.
pub(super) fn closeness(
    prefix: &str,
    servers: &Servers,
    near: &ServerNames,
    (server, behind): (&str, &str),
) -> Option<Closeness> {
    if folded(server) == folded(&near.spelt) || squashed(server) == squashed(&near.spelt) {
        return Some(Closeness::Sure);
    }
    // One wrong letter in a short key, or another version, often makes the key of another server, so the known server
    // must also have the tool that is named.
    let has_tool = || servers.knows(near) && near.names.contains(&format!("{prefix}{}{behind}", near.spelt));
    let is_word = |key: &str| key.len() >= 4 && key.chars().all(|c| c.is_ascii_alphabetic());
    let is_one_slip = is_word(server)
        && server.chars().next() == near.spelt.chars().next()
        && strsim::osa_distance(server, &near.spelt) == 1;
    let may_be_it = is_one_slip || is_another_version(server, &near.spelt);
    // In a long key, one letter more or less, at the end too, seldom makes another server.
    let is_plain = |key: &str| key.len() >= LONG && !key.contains(|c: char| c.is_ascii_digit());
    let is_long_slip = is_plain(server)
        && is_plain(&near.spelt)
        && server.chars().next() == near.spelt.chars().next()
        && server.len() != near.spelt.len()
        && strsim::osa_distance(server, &near.spelt) == 1;
    (is_obvious_slip(server, &near.spelt) || is_long_slip || may_be_it && has_tool()).then_some(Closeness::Near)
}

/// Returns the server that a file inside a plugin names by its plain key, although clients name it after the plugin,
/// since a file of the plugin starts it. `None` in hidden folders inside the plugin: settings there may belong to the
/// project around the plugin, which may have a server of its own with that key.
pub(super) fn known_by_plugin<'s>(cx: &Cx<'_>, servers: &'s Servers, server: &str) -> Option<&'s ServerNames> {
    let path = &*cx.file.path;
    let is_meant = |file: FileId| {
        let started = cx.snapshot.files.path(file);
        let home = started.find("/.").map_or("", |hidden| &started[..hidden + 1]);
        // A plugin nested in this one is a different plugin.
        let own = &started[home.len()..];
        let mut folders =
            std::iter::successors(Some(crate::path::directory(path)), |at| Some(crate::path::directory(at)))
                .take_while(|at| at.len() >= home.len() && !at.is_empty());
        let is_other =
            folders.any(|at| at.len() > home.len() && cx.snapshot.files.by_path(&format!("{at}/{own}")).is_some());
        let inside = path.strip_prefix(home).filter(|_| !is_other);
        inside.is_some_and(|inside| !inside.starts_with('.') && !inside.contains("/."))
    };
    servers.renamed(cx, server).find(|(_, file)| is_meant(*file)).map(|(known, _)| known)
}
