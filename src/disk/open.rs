//! From a folder to a workspace.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::installed::Installed;
use super::{Disk, Stop, Walked, door, walk};
use crate::config::{Config, Configs};
use crate::evaluate::World;
use crate::path::{folders_above, is_installed, is_test_file, joined};
use crate::workspace::{CONFIG_FILE, Lock, Storage, Workspace};

/// What to open and under which policy.
#[derive(Debug, Default, Clone)]
pub struct Options {
    /// What the command line sets, on top of every config.
    pub overrides: Config,
    /// One config in place of those that are found.
    pub config: ConfigChoice,
    /// Enter tests, fixtures, examples, vendored and generated code too.
    pub all: bool,
    /// By which it is told to stop.
    pub stop: Stop,
}

/// Which configs hold.
#[derive(Debug, Default, Clone)]
pub enum ConfigChoice {
    /// The nearest one upward from each file.
    #[default]
    Found,
    /// This file, for everything.
    File(PathBuf),
    None,
}

/// A folder that was read.
#[derive(Debug)]
pub struct Opened {
    pub workspace: Workspace,
    pub disk: Disk,
    /// What lies in it.
    pub walked: Walked,
    /// How many files were read.
    pub scanned: usize,
}

/// Reads a folder and everything that its tools' names depend on.
///
/// # Errors
/// When the folder or the config that was asked for cannot be read.
pub fn open(root: &Path, options: &Options) -> std::io::Result<Opened> {
    let disk = Disk { stop: options.stop.clone(), ..Disk::new(root) };
    let walked = match &disk.door {
        Some(door) => walk::walk(door, options.all)?,
        None => super::walk(root, options.all)?,
    };
    for (path, reason) in &walked.errors {
        disk.skip(path, reason.clone());
    }
    let mut configs = read_configs(&disk, &walked.files, options)?;
    let mut locks = walked.files.iter().filter(|path| Lock::is_path(path)).filter_map(|path| disk.read(path));
    configs.has_former_names = locks.any(|text| !Lock::read(&text).renamed.is_empty());
    let files = walked.clone().wanted(&configs);
    let mut workspace = Workspace::new(configs);
    workspace.keep_in_reserve(match options.all {
        false => |path| is_test_file(path) || is_installed(path),
        true => is_installed,
    });
    let unread = workspace.load(&files, &disk);
    let passed_over = files.iter().filter(|path| !options.all && is_test_file(path)).count();
    let scanned = (files.len() - unread.len()).saturating_sub(passed_over);
    let snapshot = workspace.snapshot();
    let manifests = snapshot.files.manifests();
    let places = disk.door.as_ref().map(|door| Installed::new(door, snapshot.files.frameworks()));
    let needed = manifests.flat_map(|(directory, _, manifest)| {
        places.as_ref().map_or(Vec::new(), |places| places.needed_by(directory, manifest))
    });
    let mut needed: Vec<String> = needed.collect();
    needed.sort_unstable();
    needed.dedup();
    if !needed.is_empty() {
        workspace.load(&needed, &disk);
    }
    workspace.settle(&disk);
    Ok(Opened { workspace, disk, walked, scanned })
}

/// Reads one document of a folder, given its text, with the configs and manifests above it: a matter of milliseconds.
/// `None` where a config leaves it out.
///
/// # Errors
/// When the config that was asked for cannot be read.
pub fn open_one(root: &Path, options: &Options, path: &str, text: Arc<str>) -> std::io::Result<Option<Workspace>> {
    let disk = Disk::new(root);
    let above: Vec<String> = folders_above(path).filter_map(|folder| joined(folder, CONFIG_FILE)).collect();
    let configs = read_configs(&disk, &above, options)?;
    Ok((!configs.excludes(path)).then(|| Workspace::of_one(configs, path, text, &disk)))
}

/// The configs among the files of a folder, and the nearest one above it.
///
/// # Errors
/// When the config that was asked for cannot be read.
pub fn read_configs(disk: &Disk, files: &[String], options: &Options) -> std::io::Result<Configs> {
    let overrides = options.overrides.clone();
    // A profile that is typed is looked for where it is typed.
    let mut typed = Vec::new();
    for path in overrides.profile_files() {
        let text = door::named(Path::new(path))
            .map_err(|error| std::io::Error::new(error.kind(), format!("{path}: {error}")))?;
        typed.push(Arc::new(Config::read_profile(path, &text)));
    }
    match &options.config {
        ConfigChoice::None => Ok(Configs::new(typed, overrides)),
        ConfigChoice::File(path) => {
            let text = door::named(path)
                .map_err(|error| std::io::Error::new(error.kind(), format!("{}: {error}", path.display())))?;
            typed.push(Arc::new(Config::read(CONFIG_FILE, &text)));
            Ok(Configs::new(typed, overrides))
        }
        ConfigChoice::Found => {
            let is_config = |path: &&String| path.rsplit('/').next() == Some(CONFIG_FILE);
            let mut configs: Vec<Arc<Config>> = files
                .iter()
                .filter(is_config)
                .filter_map(|path| Some(Arc::new(Config::read(path, &disk.read(path)?))))
                .collect();
            configs.extend(config_above(disk).map(Arc::new));
            configs.extend(typed);
            // What they extend, and the profiles that they name, may have any name.
            let mut next = 0;
            while let Some(config) = configs.get(next) {
                next += 1;
                let is_new = |path: &String| configs.iter().all(|known| known.path != *path);
                let base = config.base().filter(is_new);
                let profiles: Vec<String> = config.profile_files().map(str::to_string).filter(is_new).collect();
                let read = |path: &String| disk.read(path);
                let base = base.and_then(|path| Some((read(&path)?, path))).map(|(text, path)| {
                    let mut config = Config::read(&path, &text);
                    config.base_only = true;
                    config
                });
                let profiles = profiles.into_iter().filter_map(|path| Some(Config::read_profile(&path, &read(&path)?)));
                let more: Vec<Config> = base.into_iter().chain(profiles).collect();
                configs.extend(more.into_iter().map(Arc::new));
            }
            Ok(Configs::new(configs, overrides))
        }
    }
}

/// The nearest config above a folder, as far up as its repository reaches.
fn config_above(disk: &Disk) -> Option<Config> {
    let door = disk.door.as_ref()?;
    let inside = door.within(Path::new("")).to_str()?.replace('\\', "/");
    let mut folders: Vec<&str> = inside.split('/').filter(|folder| !folder.is_empty()).collect();
    let mut above: Vec<&str> = Vec::new();
    while let Some(folder) = folders.pop() {
        above.insert(0, folder);
        let path = format!("{}{CONFIG_FILE}", "../".repeat(above.len()));
        if let Some(text) = disk.read(&path) {
            let mut config = Config::read(CONFIG_FILE, &text);
            config.path = path;
            config.above = above.join("/");
            return Some(config);
        }
    }
    None
}
