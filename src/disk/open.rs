//! Opening a folder as a workspace.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::NaiveDate;

use super::installed::Installed;
use super::{Disk, Stamp, Walked, door, walk};
use crate::client::Launch;
use crate::config::{Config, Configs};
use crate::framework::Frameworks;
use crate::path::{folders_above, is_installed, is_outside, is_test_file, joined};
use crate::workspace::{CONFIG_FILE, FileKind, Lock, Snapshot, Stop, Storage, Workspace, is_config};

/// The options for opening a workspace.
#[derive(Debug, Default, Clone)]
pub(crate) struct Options {
    /// The settings from the command line, which override every config.
    pub overrides: Config,
    /// The config files that apply.
    pub config: ConfigChoice,
    /// Whether to include tests, fixtures, examples, vendored and generated code.
    pub all: bool,
    /// The flag that stops reading.
    pub stop: Stop,
}

/// The choice of config files.
#[derive(Debug, Default, Clone)]
pub(crate) enum ConfigChoice {
    /// The nearest config at or above each file.
    #[default]
    Found,
    /// This config, for every file.
    File(PathBuf),
    None,
}

/// A folder that was read.
#[derive(Debug)]
pub(crate) struct Opened {
    pub workspace: Workspace,
    pub disk: Disk,
    /// The result of the walk.
    pub walked: Walked,
    /// The number of files that were read.
    pub scanned: usize,
    /// The stamps of the files before they were read.
    pub stamps: HashMap<String, Stamp>,
}

/// The texts of files that are open in an editor, by their paths relative to the root.
pub(crate) type Texts = HashMap<String, Arc<str>>;

/// A folder in which the texts of files that are open in an editor replace those on disk.
pub(crate) struct Layered<'a> {
    pub disk: &'a Disk,
    pub open: &'a Texts,
}

impl Storage for Layered<'_> {
    fn read(&self, path: &str) -> Option<String> {
        match self.open.get(path) {
            Some(text) => Some(text.to_string()),
            None => self.disk.read(path),
        }
    }

    fn refused(&self, path: &str, reason: &'static str) {
        self.disk.refused(path, reason);
    }

    fn installed(&self, launches: &[(String, Launch)], frameworks: &Frameworks) -> Vec<Vec<String>> {
        self.disk.installed(launches, frameworks)
    }

    fn today(&self) -> Option<NaiveDate> {
        self.disk.today()
    }
}

/// Reads a folder and everything that its tools' names depend on; `texts` replaces the texts of some files.
///
/// # Errors
/// When the folder or the requested config cannot be read.
pub(crate) fn open(root: &Path, options: &Options, texts: &Texts) -> std::io::Result<Opened> {
    let mut disk = Disk { stop: options.stop.clone(), ..Disk::new(root) };
    let walked = match &disk.door {
        Some(door) => walk::walk(door, options.all)?,
        None => super::walk(root, options.all)?,
    };
    for (path, reason) in &walked.errors {
        disk.skip(path, reason.clone());
    }
    let (configs, files) = layout(&Layered { disk: &disk, open: texts }, &walked, options)?;
    disk.clients = Arc::clone(configs.clients());
    let storage = Layered { disk: &disk, open: texts };
    let mut workspace = Workspace::new(configs);
    workspace.keep_in_reserve(match options.all {
        false => |path| is_test_file(path) || is_installed(path),
        true => is_installed,
    });
    let stamped = |path: &String| (path.clone(), disk.stamp_before_reading(path));
    let mut stamps: HashMap<String, Stamp> = files.iter().map(stamped).collect();
    let unread = workspace.load(&files, &storage);
    let passed_over = files.iter().filter(|path| !options.all && is_test_file(path)).count();
    let scanned = (files.len() - unread.len()).saturating_sub(passed_over);
    let needed = needed(&disk, &workspace.snapshot());
    if !needed.is_empty() {
        stamps.extend(needed.iter().map(stamped));
        workspace.load(&needed, &storage);
    }
    workspace.settle(&storage);
    Ok(Opened { workspace, disk, walked, scanned, stamps })
}

/// Returns the configs of a folder that was walked, and the files to read under them.
///
/// # Errors
/// When the requested config cannot be read.
pub(crate) fn layout(
    storage: &Layered<'_>,
    walked: &Walked,
    options: &Options,
) -> std::io::Result<(Configs, Vec<String>)> {
    let is_new = |path: &&String| walked.files.binary_search(path).is_err() && !is_outside(path);
    let mut files: Vec<String> = walked.files.iter().chain(storage.open.keys().filter(is_new)).cloned().collect();
    files.sort_unstable();
    let mut configs = read_configs(storage, &files, options)?;
    let is_lock = |path: &&String| matches!(FileKind::of(path, configs.clients()), FileKind::Lock);
    let mut locks = files.iter().filter(is_lock).filter_map(|path| storage.read(path));
    configs.has_former_names = locks.any(|text| !Lock::read(&text).renamed.is_empty());
    let wanted = walked.clone().wanted(&configs);
    Ok((configs, wanted))
}

/// Returns the files of the installed dependencies of the workspace's packages, as far as these dependencies depend on
/// a framework themselves.
pub(crate) fn needed(disk: &Disk, snapshot: &Snapshot) -> Vec<String> {
    let Some(door) = &disk.door else { return Vec::new() };
    let places = Installed::new(door, snapshot.files.frameworks());
    let manifests = snapshot.files.manifests();
    let mut needed: Vec<String> =
        manifests.flat_map(|(directory, _, manifest)| places.needed_by(directory, manifest)).collect();
    needed.sort_unstable();
    needed.dedup();
    needed
}

/// Reads one document of a folder, given its text, with the configs and manifests above it; this takes milliseconds.
/// `None` if a config excludes the document.
///
/// # Errors
/// When the requested config cannot be read.
pub(crate) fn open_one(
    root: &Path,
    options: &Options,
    path: &str,
    text: Arc<str>,
    texts: &Texts,
) -> std::io::Result<Option<Workspace>> {
    let disk = Disk::new(root);
    let above: Vec<String> = folders_above(path).filter_map(|folder| joined(folder, CONFIG_FILE)).collect();
    let configs = read_configs(&Layered { disk: &disk, open: texts }, &above, options)?;
    Ok((!configs.excludes(path)).then(|| Workspace::of_one(configs, path, text, &disk)))
}

/// Reads the config files that `options` chooses: by default, those among `files`, and the nearest one above the
/// folder.
///
/// # Errors
/// When the requested config or a profile from the command line cannot be read.
pub(crate) fn read_configs(storage: &Layered<'_>, files: &[String], options: &Options) -> std::io::Result<Configs> {
    let overrides = options.overrides.clone();
    // The path of a profile on the command line is relative to the current folder.
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
            let mut config = Config::read(CONFIG_FILE, &text);
            config.path = path.display().to_string();
            typed.push(Arc::new(config));
            Ok(Configs::new(typed, overrides))
        }
        ConfigChoice::Found => {
            let mut configs: Vec<Arc<Config>> = files
                .iter()
                .filter(|path| is_config(path))
                .filter_map(|path| Some(Arc::new(Config::read(path, &storage.read(path)?))))
                .collect();
            configs.extend(config_above(storage.disk).map(Arc::new));
            configs.extend(typed);
            // Base configs and profiles may have any file name, so they are found through the configs that refer to
            // them.
            let mut known: HashSet<String> = configs.iter().map(|config| config.path.clone()).collect();
            let mut next = 0;
            while let Some(config) = configs.get(next) {
                next += 1;
                let mut is_new = |path: &String| known.insert(path.clone());
                let base = config.base().filter(&mut is_new);
                let profiles: Vec<String> = config.profile_files().map(str::to_string).filter(is_new).collect();
                let read = |path: &String| storage.read(path);
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

/// Returns the nearest config above a folder, up to the top of its repository.
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
