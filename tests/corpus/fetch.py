"""Brings pinned packages from their registries to disk, with the ordinary client of each registry."""

import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

# What a checkout of the package's source would hold: code and the files that name packages. The rest of an archive
# (types generated from the code, lock files, source maps, tests) says nothing about a server.
KEPT = {".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".py", ".rs", ".json", ".toml"}
LEFT_OUT = {"package-lock.json", "npm-shrinkwrap.json", "Cargo.lock"}


def run(command, **options):
    """Runs a command to its end; what it prints is shown only when it fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}\n{done.stdout[-4000:]}")
    return done.stdout


def kept(path):
    """Whether a file of an archive is one that a server is read from."""
    if path.name in LEFT_OUT or path.name.endswith((".d.ts", ".d.mts", ".d.cts")):
        return False
    if {"test", "tests", "__tests__"} & set(path.parts) or path.stem.endswith((".test", ".spec")):
        return False
    return path.suffix in KEPT


def unpack(archive, folder, strip):
    """Writes the kept files of an archive under `folder`, without the first `strip` parts of their paths."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            members = [(name, wheel.read(name)) for name in wheel.namelist() if not name.endswith("/")]
    else:
        with tarfile.open(archive) as tar:
            members = [(one.name, tar.extractfile(one).read()) for one in tar.getmembers() if one.isfile()]
    for name, content in members:
        path = Path(*Path(name).parts[strip:])
        if kept(path) and ".." not in path.parts and not path.is_absolute():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)


def from_npm(package, folder, work):
    run(["npm", "pack", "--silent", package], cwd=work)
    unpack(next(work.glob("*.tgz")), folder, strip=1)


def from_pypi(package, folder, work):
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    run([*pip, "--only-binary", ":all:", "--python-version", "3.13", "--dest", str(work), package])
    unpack(next(work.glob("*.whl")), folder, strip=0)


def from_crates(package, folder, work):
    # A crate comes to disk as a dependency of something; `cargo vendor` lays it open.
    name, version = package.split("@")
    (work / "src").mkdir()
    (work / "src" / "lib.rs").write_text("")
    (work / "Cargo.toml").write_text(
        f'[package]\nname = "stub"\nversion = "0.0.0"\nedition = "2021"\n\n[dependencies]\n{name} = "={version}"\n\n[workspace]\n'
    )
    run(["cargo", "vendor", "--quiet", "vendor"], cwd=work)
    source = work / "vendor" / name
    for path in source.rglob("*"):
        if path.is_file() and kept(path):
            target = folder / path.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)


REGISTRIES = {"npm": from_npm, "pypi": from_pypi, "crate": from_crates}


def narrow(folder, within):
    """Leaves, of an archive that ships its source twice, the folders that hold it and the files at its root."""
    for path in sorted(folder.rglob("*"), reverse=True):
        relative = path.relative_to(folder)
        inside = any(relative.is_relative_to(one) for one in within)
        if path.is_file() and not inside and len(relative.parts) > 1:
            path.unlink()


def fetch(server, cache):
    """The folder with the source of one pinned package, which is fetched unless the cache has that version."""
    registry = next(one for one in REGISTRIES if one in server)
    folder = cache / server["id"]
    mark = cache / f"{server['id']}.version"
    if mark.exists() and mark.read_text() == server[registry] and folder.exists():
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    work = cache / f"{server['id']}.work"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    REGISTRIES[registry](server[registry], folder, work)
    if "within" in server:
        narrow(folder, server["within"])
    shutil.rmtree(work)
    mark.write_text(server[registry])
    return folder
