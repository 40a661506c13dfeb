//! Lists the data files that are compiled into the program. To add one, it is enough to create the file.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// The folders to list, each with the name of the file that its list is written to, without the extension.
const FOLDERS: [(&str, &str); 2] = [("src/client/rows", "clients"), ("src/convention/profiles", "profiles")];

/// The folder with the public servers.
const CATALOGUE: &str = "catalogue";

/// The folder with the standard libraries.
const PRELUDE: &str = "prelude";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    for (folder, name) in FOLDERS {
        println!("cargo:rerun-if-changed={folder}");
        fs::write(out.join(name).with_extension("rs"), list(&root.join(folder))).expect("the list is written");
    }
    println!("cargo:rerun-if-changed={CATALOGUE}");
    fs::write(out.join("catalogue.rs"), catalogue(&root.join(CATALOGUE))).expect("the list is written");
    println!("cargo:rerun-if-changed={PRELUDE}");
    let mut files = Vec::new();
    below(&root.join(PRELUDE), "", &mut files);
    files.sort();
    let element = |(path, file): &(String, PathBuf)| format!("({path:?}, include_str!({:?})),", file.to_string_lossy());
    let list = format!("&[{}]", files.iter().map(element).collect::<String>());
    fs::write(out.join("prelude.rs"), list).expect("the list is written");
}

/// Rust source of an array with the name, the ids, the keys and the text of each file of the catalogue, sorted by name.
/// The ids and the keys are each a list on a line of its own.
fn catalogue(folder: &Path) -> String {
    let entries = fs::read_dir(folder).expect("the folder is read").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> = entries.collect();
    files.sort();
    let element = |file: PathBuf| {
        let name = file.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        let text = fs::read_to_string(&file).expect("a file is read");
        let list = |key: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "));
            format!("&{}", line.unwrap_or_else(|| panic!("{name}: no line `{key} = […]`")))
        };
        let (ids, keys) = (list("id"), list("keys"));
        let path = file.to_string_lossy();
        format!("Written {{ name: {name:?}, ids: {ids}, keys: {keys}, text: include_str!({path:?}) }},")
    };
    format!("&[{}]", files.into_iter().map(element).collect::<String>())
}

/// Adds all files below a folder, each with its path from there.
fn below(folder: &Path, path: &str, files: &mut Vec<(String, PathBuf)>) {
    for entry in fs::read_dir(folder).expect("the folder is read") {
        let entry = entry.expect("an entry").path();
        let name = entry.file_name().expect("a name").to_string_lossy().into_owned();
        match entry.is_dir() {
            true => below(&entry, &format!("{path}{name}/"), files),
            false => files.push((format!("{path}{name}"), entry)),
        }
    }
}

/// Rust source of an array with the name, without extension, and the text of each TOML file in a folder, sorted by
/// name.
fn list(folder: &Path) -> String {
    let entries = fs::read_dir(folder).expect("the folder is read").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|ending| ending == "toml")).collect();
    files.sort();
    let element = |file: PathBuf| {
        let id = file.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        format!("({id:?}, include_str!({:?})),", file.to_string_lossy())
    };
    format!("&[{}]", files.into_iter().map(element).collect::<String>())
}
