#!/usr/bin/env python3
"""The SARIF log of a check, held against the schema of the format.

    sarif.py BINARY FOLDER [--cache DIR]

The schema is the one in the package from which the types of the log are made.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

from compare import PROJECT
from install import virtual_environment

VALIDATOR = """
import json, sys
import jsonschema
schema, log = (json.load(open(path)) for path in sys.argv[1:])
validator = jsonschema.validators.validator_for(schema)
errors = [f"{list(error.path)}: {error.message}" for error in validator(schema).iter_errors(log)]
sys.exit("\\n".join(errors) or 0)
"""


def schema():
    host = next(
        line.split(": ")[1]
        for line in subprocess.run(["rustc", "-vV"], stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines()
        if line.startswith("host: ")
    )
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", host]
    packages = json.loads(subprocess.run(command, cwd=PROJECT, stdout=subprocess.PIPE, check=True).stdout)["packages"]
    manifest = next(package["manifest_path"] for package in packages if package["name"] == "serde-sarif")
    return Path(manifest).parent / "src" / "schema.json"


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("binary")
    arguments.add_argument("folder")
    arguments.add_argument("--cache", type=Path, default=PROJECT / ".cache" / "sarif")
    arguments = arguments.parse_args()
    python = virtual_environment(arguments.cache / "python", ["jsonschema==4.25.1"])
    command = [arguments.binary, "check", arguments.folder, "--format", "sarif"]
    log = arguments.cache / "log.sarif"
    log.write_bytes(subprocess.run(command, stdout=subprocess.PIPE).stdout)
    found = json.loads(log.read_text())["runs"][0]["results"]
    if not found:
        sys.exit(f"no results in {arguments.folder}")
    subprocess.run([python, "-c", VALIDATOR, schema(), log], check=True)
    print(f"{len(found)} results, valid")


if __name__ == "__main__":
    main()
