#!/usr/bin/env bash
# Sets up what the tests need and runs them all: the house, the rules, the command line and the language server; then
# real servers, started and asked for their names; then the source of public ones; then real editors.
# `tests/run.sh quick` stops after the first part.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf '\n── %s (at %d:%02d)\n' "$*" $((SECONDS / 60)) $((SECONDS % 60)); }

# A registry that fails once is asked again.
export npm_config_fetch_retries=5 PIP_RETRIES=10 CARGO_NET_RETRY=10

# What traces and counts: neither is on every machine.
for tool in strace valgrind; do
    command -v "$tool" > /dev/null || { apt-get -qq update && apt-get -qq install -y "$tool" > /dev/null; }
done

say "format and lints"
cargo fmt --check
cargo clippy --quiet --all-targets -- -D warnings
RUSTDOCFLAGS="-D warnings" cargo doc --quiet --no-deps --document-private-items

say "spelling"
[ -x .cache/typos/bin/typos ] || { python3 -m venv .cache/typos && .cache/typos/bin/pip install --quiet typos==1.52.0; }
.cache/typos/bin/typos

say "tests"
cargo test --quiet

if [ "${1:-}" = quick ]; then exit 0; fi

say "a rule, a client and a framework more"
python3 tests/added.py

say "broken input, a moment for each reader"
(cd fuzz && BOLERO_RANDOM_SEED=1 BOLERO_RANDOM_ITERATIONS=100 BOLERO_RANDOM_TEST_TIME_MS=3000 cargo test --quiet -- --test-threads=2)

say "release build"
cargo build --quiet --release
binary=$PWD/target/release/toolnames

say "the demo"
# The exit code 1 says that there are findings: the demo is there to have some.
status=0
"$binary" check examples/demo > /dev/null || status=$?
[ "$status" = 1 ]
python3 docs/picture.py "$binary" --check
python3 tests/real/sarif.py "$binary" examples/demo

say "work that grows with its input"
python3 tests/growth/run.py --some "$binary"
python3 tests/growth/large.py "$binary" --some

say "hostile repositories"
python3 tests/real/hostile.py "$binary" --count 40 --some

say "real servers"
python3 tests/real/compare.py "$binary"

say "installed packages, known without being started"
python3 tests/real/known.py "$binary"

say "real SDKs, on which tools are renamed"
python3 tests/real/renames.py "$binary"

say "real clients, as judges of what is said about them"
python3 tests/oracle/run.py "$binary" --client claude_code --client codex --count 30

say "running servers, held against their source"
python3 tests/real/verify.py "$binary"

say "a rename that is killed"
python3 tests/real/killed.py "$binary"

say "public servers, against what they report"
python3 tests/corpus/compare.py "$binary"
TOOLNAMES_BINARY=$binary cargo test --quiet --test it -- --ignored candidate

say "every tool of theirs, renamed and listed again"
python3 tests/corpus/rename.py "$binary"
python3 tests/corpus/rename.py "$binary" --aliased

say "the extension for Zed compiles"
cargo check --quiet --manifest-path editors/zed/Cargo.toml --target-dir target/zed

say "real editors"
tests/editors/setup.sh
tests/editors/run.sh "$binary" examples/demo
