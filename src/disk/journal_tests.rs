//! Tests of writes when operations of the file system fail, or when the process is killed.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use cap_std::fs::Metadata;

use super::*;

/// A repository with a state folder next to it.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn with(files: &[(&str, &str)]) -> Place {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("repo/.git")).unwrap();
        for (path, text) in files {
            let path = folder.path().join("repo").join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Place { folder }
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("repo")
    }

    fn door(&self) -> Door {
        Door::open(&self.root()).unwrap()
    }

    fn state(&self) -> State {
        State(self.folder.path().join("state/toolnames"))
    }

    /// Every file and folder of the repository, with its text.
    fn files(&self) -> BTreeMap<String, String> {
        fn collect(folder: &Path, root: &Path, found: &mut BTreeMap<String, String>) {
            for entry in fs::read_dir(folder).unwrap().flatten() {
                let path = entry.path();
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_string();
                if entry.file_type().unwrap().is_dir() {
                    found.insert(format!("{name}/"), String::new());
                    collect(&path, root, found);
                } else {
                    found.insert(name, fs::read_to_string(&path).unwrap_or_default());
                }
            }
        }
        let mut found = BTreeMap::new();
        collect(&self.root(), &self.root(), &mut found);
        found
    }

    fn kept(&self) -> usize {
        fs::read_dir(&self.state().0).map_or(0, Iterator::count)
    }

    fn write(&self, files: &[NewText]) -> Result<(), WriteError> {
        write_all(&self.door(), &self.state(), files)
    }

    fn recover(&self) -> Recovered {
        recover(&self.door(), &self.state()).unwrap()
    }
}

fn change(path: &str, old: &str, new: &str) -> NewText {
    NewText { path: path.to_string(), before: Some(text_hash(old)), text: new.to_string() }
}

fn creation(path: &str, text: &str) -> NewText {
    NewText { path: path.to_string(), before: None, text: text.to_string() }
}

/// What happens to the operation at which a fault is injected, and to those after it.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fault {
    /// The operation fails, and those after it succeed.
    Once,
    /// The operation fails, and so does everything after it: the process was killed before the operation.
    Killed,
    /// The operation is done, but a text is written only in part, and everything after it fails: the process was killed
    /// during the operation.
    KilledAmid,
}

/// A folder in which the operation with a given number fails. Several folders share one count.
struct Faulty<'a> {
    real: Dir,
    count: &'a AtomicUsize,
    at: usize,
    fault: Fault,
}

impl Faulty<'_> {
    fn run<T>(&self, amid: impl FnOnce(), whole: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        let number = self.count.fetch_add(1, Ordering::SeqCst);
        if number == self.at && self.fault == Fault::KilledAmid {
            amid();
        }
        if number == self.at || number > self.at && self.fault != Fault::Once {
            return Err(io::Error::other("injected"));
        }
        whole()
    }
}

impl Area for Faulty<'_> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.run(|| {}, || Area::read(&self.real, path))
    }

    fn create(&self, path: &Path, bytes: &[u8], like: Option<&Metadata>) -> io::Result<()> {
        let half = || drop(Area::create(&self.real, path, &bytes[..bytes.len() / 2], like));
        self.run(half, || Area::create(&self.real, path, bytes, like))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.run(|| drop(Area::rename(&self.real, from, to)), || Area::rename(&self.real, from, to))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.run(|| drop(self.real.remove(path)), || self.real.remove(path))
    }

    fn look(&self, path: &Path) -> io::Result<Metadata> {
        self.run(|| {}, || self.real.look(path))
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        self.run(|| drop(self.real.create_folder(path)), || self.real.create_folder(path))
    }

    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        self.run(|| drop(self.real.remove_folder(path)), || self.real.remove_folder(path))
    }

    fn sync(&self, folder: &Path) -> io::Result<()> {
        self.run(|| {}, || self.real.sync(folder))
    }
}

const BEFORE: &[(&str, &str)] = &[("a", "1"), ("sub/b", "2"), ("sub/c", "3"), ("d", "untouched")];

fn changes() -> Vec<NewText> {
    vec![
        change("a", "1", "one"),
        change("sub/b", "2", "two"),
        change("sub/c", "3", "three"),
        creation(".toolnames/snapshots/s.json", "{}"),
    ]
}

/// Writes with a fault at an operation; returns whether that operation was reached, and the result.
fn with_fault(place: &Place, at: usize, fault: Fault) -> (bool, Result<(), WriteError>) {
    let count = AtomicUsize::new(0);
    let (door, state) = (place.door(), place.state());
    let area = Faulty { real: door.repository().try_clone().unwrap(), count: &count, at, fault };
    let kept = Faulty { real: state.open().unwrap(), count: &count, at, fault };
    let result = write_beneath(&door, &area, &state, &kept, &changes());
    (count.load(Ordering::SeqCst) > at, result)
}

#[test]
fn whatever_fails_all_files_are_written_or_none_and_nothing_is_left() {
    let old = Place::with(BEFORE).files();
    let whole = Place::with(BEFORE);
    whole.write(&changes()).unwrap();
    let new = whole.files();
    assert_eq!(new[".toolnames/snapshots/s.json"], "{}");
    let mut reached = BTreeMap::new();
    for fault in [Fault::Once, Fault::Killed, Fault::KilledAmid] {
        for at in 0.. {
            let place = Place::with(BEFORE);
            let (came, result) = with_fault(&place, at, fault);
            if !came {
                assert!(result.is_ok());
                break;
            }
            // Unless the result is `Half` or the process was killed, the files already have either all the new texts or
            // all the old ones.
            match (&result, fault) {
                (Ok(()), _) => assert_eq!(place.files(), new, "{fault:?} at {at}"),
                (Err(WriteError::Half(_)), _) | (Err(_), Fault::Killed | Fault::KilledAmid) => {}
                (Err(error), Fault::Once) => assert_eq!(place.files(), old, "{fault:?} at {at}: {error}"),
            }
            let recovered = place.recover();
            assert_eq!(recovered.left, Vec::<String>::new(), "{fault:?} at {at}");
            let now = place.files();
            assert!(now == old || now == new, "{fault:?} at {at}: {now:?}");
            let kept: Vec<_> =
                fs::read_dir(&place.state().0).unwrap().flatten().map(|entry| entry.file_name()).collect();
            assert!(kept.is_empty(), "{fault:?} at {at}: {kept:?}");
            *reached.entry(format!("{fault:?}")).or_insert(0) += 1;
        }
    }
    assert!(reached.values().all(|count| *count > 12), "{reached:?}");
}

#[test]
fn a_recovery_that_is_cut_off_goes_on_in_the_next_run() {
    let old = Place::with(BEFORE).files();
    for at in 0.. {
        let place = Place::with(BEFORE);
        // Operation 13 comes after the renames, before the journal is removed.
        let (_, result) = with_fault(&place, 13, Fault::Killed);
        assert!(result.is_err());
        let count = AtomicUsize::new(0);
        let (door, state) = (place.door(), place.state());
        let fault = Fault::KilledAmid;
        let area = Faulty { real: door.repository().try_clone().unwrap(), count: &count, at, fault };
        let kept = Faulty { real: state.open().unwrap(), count: &count, at, fault };
        let first = recover_beneath(&door, &area, &state, &kept);
        let came = count.load(Ordering::SeqCst) > at;
        assert_eq!(came, first.is_err(), "at {at}");
        place.recover();
        assert_eq!((place.files(), place.kept()), (old.clone(), 0), "at {at}");
        if !came {
            assert!(at > 5, "there was nothing to undo");
            return;
        }
    }
}

#[test]
fn all_files_are_written_and_no_trace_is_left() {
    let place = Place::with(&[("a", "1"), ("b", "2")]);
    let before = place.files().len();
    place.write(&[change("a", "1", "x"), change("b", "2", "y")]).unwrap();
    assert_eq!(place.files()["a"], "x");
    assert_eq!((place.files().len(), place.kept()), (before, 0));
}

#[test]
fn a_file_changed_meanwhile_stops_everything() {
    let place = Place::with(&[("a", "1"), ("b", "changed")]);
    let before = place.files();
    let result = place.write(&[change("a", "1", "x"), change("b", "2", "y")]);
    assert!(matches!(result, Err(WriteError::Changed(path)) if path == "b"));
    assert_eq!((place.files(), place.kept()), (before, 0));
}

/// Stores the journal of a write that replaced `1` with `new` and was interrupted after all renames.
fn interrupt(place: &Place, paths: &[&str]) {
    let entry = |path: &&str| Entry {
        path: PathBuf::from(*path),
        old: Some("1".into()),
        new: text_hash("new"),
        waiting: PathBuf::from(format!(".toolnames-{path}")),
    };
    let door = place.door();
    let files = paths.iter().map(entry).collect();
    let journal = Journal { version: VERSION, root: door.top().into(), folders: Vec::new(), files };
    keep(&place.state().open().unwrap(), &door.root(), 1, &journal).unwrap();
}

#[test]
fn what_was_changed_or_deleted_after_an_interruption_stays_so() {
    let place = Place::with(&[("a", "new"), ("b", "new, and more by hand"), ("c", "1")]);
    interrupt(&place, &["a", "b", "c", "gone"]);
    assert!(is_interrupted(&place.door(), &place.state()));
    assert_eq!(
        place.recover(),
        Recovered { restored: vec!["a".into()], left: vec!["b".into(), "gone".into()], ..Recovered::default() }
    );
    assert_eq!((place.files()["a"].as_str(), place.files()["b"].as_str()), ("1", "new, and more by hand"));
    assert!(!is_interrupted(&place.door(), &place.state()));
}

#[test]
fn an_interrupted_write_is_seen_from_below_and_from_above() {
    let place = Place::with(&[("a", "new"), ("sub/x", "")]);
    interrupt(&place, &["a"]);
    let below = Door::open(&place.root().join("sub")).unwrap();
    let above = Door::open(place.folder.path()).unwrap();
    assert!(is_interrupted(&below, &place.state()) && is_interrupted(&above, &place.state()));
    let other = tempfile::tempdir().unwrap();
    assert!(!is_interrupted(&Door::open(other.path()).unwrap(), &place.state()));
    assert_eq!(recover(&above, &place.state()).unwrap().restored, ["a"]);
    assert_eq!(place.files()["a"], "1");
}

#[test]
fn a_folder_that_was_moved_after_an_interruption_stops_nothing_and_loses_nothing() {
    let place = Place::with(&[("a", "new")]);
    interrupt(&place, &["a"]);
    fs::rename(place.root(), place.folder.path().join("moved")).unwrap();
    let above = Door::open(place.folder.path()).unwrap();
    assert!(!is_interrupted(&above, &place.state()));
    let recovered = recover(&above, &place.state()).unwrap();
    let [(folder, journal)] = recovered.stranded.as_slice() else { panic!("{recovered:?}") };
    assert!(folder.ends_with("repo") && fs::read_to_string(journal).unwrap().contains(r#""old":"1""#));
    write_all(&above, &place.state(), &[change("moved/a", "new", "x")]).unwrap();
}

#[test]
fn of_two_that_write_at_once_each_writes_all_or_nothing() {
    let texts: Vec<(String, String)> = (0..40).map(|index| (format!("f{index}"), "old".to_string())).collect();
    let files: Vec<(&str, &str)> = texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    for _ in 0..10 {
        let place = Place::with(&files);
        let write = |new: &str| {
            let changes: Vec<_> = files.iter().map(|(path, old)| change(path, old, new)).collect();
            place.write(&changes).is_ok()
        };
        let (one, two) = std::thread::scope(|scope| {
            let one = scope.spawn(|| write("one"));
            let other = scope.spawn(|| place.recover());
            let two = write("two");
            other.join().unwrap();
            (one.join().unwrap(), two)
        });
        assert!(one != two, "the second finds the files changed");
        let wanted = if one { "one" } else { "two" };
        assert!(files.iter().all(|(path, _)| place.files()[*path] == wanted));
        assert_eq!((place.files().len(), place.kept()), (files.len() + 1, 0));
    }
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    use super::*;

    #[test]
    fn a_link_is_followed_inside_the_workspace_and_stays_a_link() {
        let place = Place::with(&[("real", "1")]);
        symlink("real", place.root().join("link")).unwrap();
        place.write(&[change("link", "1", "x")]).unwrap();
        assert!(place.root().join("link").is_symlink());
        assert_eq!(place.files()["real"], "x");
    }

    #[test]
    fn nothing_is_written_into_the_data_of_version_control() {
        let place = Place::with(&[(".git/config", "1"), (".claude/x", "")]);
        symlink("../.git/config", place.root().join(".claude/settings.json")).unwrap();
        symlink(".git", place.root().join("data")).unwrap();
        for refused in [
            change(".claude/settings.json", "1", "x"),
            change("data/config", "1", "x"),
            change(".git/config", "1", "x"),
            creation(".git/hooks/pre-commit", "x"),
        ] {
            let result = place.write(&[refused]);
            assert!(matches!(result, Err(WriteError::VersionControl(_))), "{result:?}");
        }
        assert_eq!(place.files()[".git/config"], "1");
    }

    #[test]
    fn a_file_that_became_read_only_or_got_another_name_is_not_restored() {
        let place = Place::with(&[("a", "new"), ("b", "new"), ("c", "new")]);
        interrupt(&place, &["a", "b", "c"]);
        fs::set_permissions(place.root().join("a"), fs::Permissions::from_mode(0o444)).unwrap();
        fs::hard_link(place.root().join("b"), place.root().join("other")).unwrap();
        let recovered = place.recover();
        assert_eq!((recovered.restored, recovered.left), (vec!["c".into()], vec!["a".into(), "b".into()]));
        assert_eq!(place.files()["other"], "new");
    }

    #[test]
    fn a_pipe_in_the_place_of_a_journal_is_reported() {
        let place = Place::with(&[("a", "1")]);
        drop(place.state().open().unwrap());
        let pipe = place.state().0.join(format!("x{ENDING}"));
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
        let result = place.write(&[change("a", "1", "x")]);
        assert!(matches!(&result, Err(WriteError::State(why)) if why.contains("not a regular file")), "{result:?}");
    }

    #[test]
    fn a_link_out_of_the_workspace_is_not_written_through() {
        let place = Place::with(&[]);
        fs::write(place.folder.path().join("secret"), "1").unwrap();
        symlink("../secret", place.root().join("a")).unwrap();
        symlink("..", place.root().join("folder")).unwrap();
        symlink("..", place.root().join(".toolnames")).unwrap();
        for refused in [change("a", "1", "x"), change("folder/secret", "1", "x")] {
            let result = place.write(&[refused]);
            assert!(matches!(result, Err(WriteError::Outside(_))), "{result:?}");
        }
        let result = place.write(&[creation(".toolnames/snapshots/s.json", "{}")]);
        assert!(matches!(result, Err(WriteError::NotAFolder(_))), "{result:?}");
        symlink("../made", place.root().join("toolnames.toml")).unwrap();
        let result = place.write(&[creation("toolnames.toml", "")]);
        assert!(matches!(result, Err(WriteError::Exists(_))), "{result:?}");
        assert_eq!(fs::read_to_string(place.folder.path().join("secret")).unwrap(), "1");
        assert_eq!(fs::read_dir(place.folder.path()).unwrap().count(), 3, "secret, repo and state");
    }

    #[test]
    fn what_is_more_than_a_text_is_not_replaced() {
        let place = Place::with(&[("two", "1"), ("read-only", "1")]);
        fs::hard_link(place.root().join("two"), place.folder.path().join("names")).unwrap();
        let path = place.root().join("read-only");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        let result = place.write(&[change("two", "1", "x")]);
        assert!(matches!(result, Err(WriteError::HardLink(_))), "{result:?}");
        let result = place.write(&[change("read-only", "1", "x")]);
        assert!(matches!(result, Err(WriteError::ReadOnly(_))), "{result:?}");
        assert_eq!((place.files()["two"].as_str(), place.files()["read-only"].as_str()), ("1", "1"));
    }

    #[test]
    fn permissions_and_owner_stay_and_journals_are_the_users_alone() {
        let place = Place::with(&[("run.sh", "1")]);
        let path = place.root().join("run.sh");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o750)).unwrap();
        place.write(&[change("run.sh", "1", "x")]).unwrap();
        let metadata = fs::metadata(&path).unwrap();
        assert_eq!(metadata.mode() & 0o777, 0o750);
        interrupt(&place, &["run.sh"]);
        let state = place.state().0;
        assert_eq!(fs::metadata(&state).unwrap().mode() & 0o777, 0o700);
        let journal = fs::read_dir(&state).unwrap().next().unwrap().unwrap();
        assert_eq!(journal.metadata().unwrap().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_state_folder_in_which_others_can_write_is_not_believed() {
        let place = Place::with(&[("a", "1")]);
        let state = place.state().0;
        fs::create_dir_all(&state).unwrap();
        fs::set_permissions(&state, fs::Permissions::from_mode(0o777)).unwrap();
        let result = place.write(&[change("a", "1", "x")]);
        assert!(matches!(result, Err(WriteError::State(_))), "{result:?}");
        assert_eq!(place.files()["a"], "1");
    }
}

/// Two folders of one repository are two workspaces: a write that is still running in one of them does not count as
/// interrupted in the other.
#[test]
fn a_write_in_another_folder_of_the_repository_is_waited_for() {
    let place = Place::with(&[("a/one.txt", "old"), ("b/other.txt", "old")]);
    let door = |name: &str| Door::open(&place.root().join(name)).unwrap();
    let (writing, asking, state) = (door("a"), door("b"), place.state());
    let kept = state.open().unwrap();
    let alone = Alone::wait(&state, writing.top()).unwrap();
    let journal = Journal { version: VERSION, root: writing.top().into(), folders: Vec::new(), files: Vec::new() };
    let name = keep(&kept, writing.top(), 1, &journal).unwrap();
    std::thread::scope(|scope| {
        let asked = scope.spawn(|| is_interrupted(&asking, &state));
        std::thread::sleep(std::time::Duration::from_millis(100));
        assert!(!asked.is_finished());
        Area::remove(&kept, &name).unwrap();
        drop(alone);
        assert!(!asked.join().unwrap());
    });
}
