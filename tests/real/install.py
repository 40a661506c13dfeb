"""Installs packages of npm and PyPI with their ordinary clients."""

import json
import shutil
import subprocess
import sys
import time

# A registry that fails once answers a moment later.
TRIES = 4


def run(command, **options):
    """Runs a command to its end; what it prints is shown only when it fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}\n{done.stdout[-4000:]}")
    return done.stdout


def download(command, **options):
    """Runs a command that needs a registry, again where it fails."""
    for attempt in range(1, TRIES):
        try:
            return run(command, **options)
        except RuntimeError as error:
            print(f"try {attempt} of {TRIES}: {error}", file=sys.stderr)
            time.sleep(5 * attempt)
    return run(command, **options)


def node_modules(folder, manifest):
    """The `node_modules` of a folder with this `package.json`."""
    modules = folder / "node_modules"
    # Written last: an install that is cut off is made again.
    mark = modules / ".installed.json"
    wanted = json.dumps(manifest)
    if not (mark.exists() and mark.read_text() == wanted):
        shutil.rmtree(modules, ignore_errors=True)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text(wanted)
        download(["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], cwd=folder)
        mark.write_text(wanted)
    return modules


def virtual_environment(folder, requirements):
    """The interpreter of a Python environment with these requirements."""
    python = folder / "bin" / "python"
    mark = folder / "requirements.txt"
    wanted = "\n".join(requirements)
    if not (mark.exists() and mark.read_text() == wanted):
        shutil.rmtree(folder, ignore_errors=True)
        run([sys.executable, "-m", "venv", folder])
        download([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements])
        mark.write_text(wanted)
    return python
