#!/usr/bin/env bash
# Tries the language server in Neovim, in Helix, in Emacs, in Vim and in VS Code: one line for each check, then how many passed.
#
#   tests/editors/setup.sh                     once
#   tests/editors/run.sh BINARY WORKSPACE      BINARY `server` is the server; WORKSPACE is copied, and stays as it is
#
# Screenshots and what was said on standard error are kept in $EDITORS_CACHE/out.
set -euo pipefail

# What is tried there. The environment may name something else, for another workspace than examples/demo.
export SMOKE_SETTINGS=${SMOKE_SETTINGS:-.claude/settings.json}           # in this file an entry is misspelt
export SMOKE_MISSPELT=${SMOKE_MISSPELT:-mcp__tickets__tickets_asign}     # like this,
export SMOKE_REPAIRED=${SMOKE_REPAIRED:-mcp__tickets__tickets_assign}    # and the quick fix makes this of it;
export SMOKE_SOURCE=${SMOKE_SOURCE:-servers/tickets/src/writing.ts}      # here the tool is registered,
export SMOKE_TOOL=${SMOKE_TOOL:-assign}                                  # with this string for a name,
export SMOKE_RENAMED=${SMOKE_RENAMED:-hand_over}                         # and is renamed to this, and back

checks=131 # so many there are; run.sh says how many passed, and this is to be that number

if [ $# != 2 ]; then
    echo "usage: tests/editors/run.sh BINARY WORKSPACE" >&2
    exit 2
fi
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export EDITORS_CACHE=${EDITORS_CACHE:-$(cd "$here/../.." && pwd)/.cache/editors}
extension=$(cd "$here/../../editors/vscode" && pwd)
mkdir -p "$EDITORS_CACHE"
"$here/setup.sh" --check
EDITORS_CACHE=$(cd "$EDITORS_CACHE" && pwd)
out=$EDITORS_CACHE/out
rm -rf "$out"
mkdir -p "$out"

# A copy of the server for this run alone: its processes are known by it, and a build may go on meanwhile.
TMPDIR=$(mktemp -d)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
trap 'exit 130' INT TERM
mkdir "$TMPDIR/bin"
cp "$1" "$TMPDIR/bin/toolnames"
export SMOKE_SERVER=$TMPDIR/bin/toolnames SMOKE_PICTURES=$out
mkdir "$TMPDIR/workspace"
tar -C "$2" --exclude={.git,.venv,node_modules,target} -cf - . | tar -C "$TMPDIR/workspace" -xf -
export SMOKE_WORKSPACE=$TMPDIR/workspace
PATH=$TMPDIR/bin:$PATH
if [ -d "$EDITORS_CACHE/node" ]; then
    PATH=$EDITORS_CACHE/node/node_modules/.bin:$PATH
fi

# A function of this script takes no program to stop it.
limited() {
    if [ "$(type -t "$1")" = function ]; then "$@"; else timeout --foreground --kill-after=5 300 "$@"; fi
}

# try EDITOR COMMAND...: an editor that ends badly without saying why has failed one check.
try() {
    local editor=$1 status=0
    shift
    limited "$@" 2>"$out/$editor.log" | tee "$TMPDIR/said" || status=${PIPESTATUS[0]}
    if [ "$status" != 0 ] && ! grep -q ^FAIL "$TMPDIR/said"; then
        echo "FAIL  $editor  ended with code $status" | tee -a "$TMPDIR/said"
    fi
    if [ "$status" != 0 ]; then
        tail -n 40 "$out/$editor.log" | sed 's/^/      | /'
    fi
    cat "$TMPDIR/said" >>"$TMPDIR/all"
}

# The extension as people get it, with the server in it.
packed() {
    local began=$SECONDS
    npm --prefix "$extension" run --silent package -- --target "$(node -p '`${process.platform}-${process.arch}`')" --server "$SMOKE_SERVER" --out "$SMOKE_VSIX" >&2 || return
    printf 'ok    vscode  %5.2fs  the extension packs\n' $((SECONDS - began))
}

try neovim "$EDITORS_CACHE/neovim/nvim" --headless --clean -l "$here/nvim_smoke.lua"
SMOKE_HELIX=$EDITORS_CACHE/helix/helix try helix "$here/helix_smoke.sh"
try eglot emacs -Q --batch -l "$here/eglot_smoke.el"
try lsp-mode emacs -Q --batch -l "$here/lsp_mode_smoke.el"
try vim "$here/vim_smoke.sh"
export SMOKE_VSIX=$TMPDIR/toolnames.vsix
try extension packed
try vscode node "$here/vscode/run.mjs"

# No editor leaves a server behind.
left=$(find /proc -maxdepth 2 -name exe -lname "$TMPDIR/*" 2>/dev/null || true)
if [ -n "$left" ]; then
    echo "FAIL  all  servers are left: $left" | tee -a "$TMPDIR/all"
else
    echo "ok    all  no server is left" | tee -a "$TMPDIR/all"
fi

passed=$(grep -c ^ok "$TMPDIR/all" || true)
failed=$(grep -c ^FAIL "$TMPDIR/all" || true)
echo "$passed passed, $failed failed"
# One that was skipped is one that failed.
if [ "$failed" = 0 ] && [ "$passed" != "$checks" ]; then
    echo "expected $checks checks"
    exit 1
fi
[ "$failed" = 0 ]
