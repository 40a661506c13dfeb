#!/usr/bin/env bash
# The language server in Helix, inside tmux: what stands on the screen tells, and then the files on disk. Helix is asked as
# docs/editors/helix.md has it: after the language's own server, with the rename as a code action of the finding.
# run.sh starts this with the server as `toolnames` on $PATH, and the variables that it names.
set -uo pipefail

folder=$(mktemp -d)
workspace=$folder/workspace
cp -R "$SMOKE_WORKSPACE" "$workspace"
socket=$folder/tmux
mkdir -p "$folder/config/helix"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# The configuration is the one of the page.
awk '/^```toml/ { on = 1; next } /^```/ { on = 0 } on' "$here/../../docs/editors/helix.md" >"$folder/config/helix/languages.toml"
cat >"$folder/config/helix/config.toml" <<'T'
[editor]
end-of-line-diagnostics = "hint"
[editor.inline-diagnostics]
cursor-line = "hint"
T

editor=helix
. "$here/terminal.sh"

tm -f /dev/null new-session -d -s editor -x 160 -y 40 \
    "cd '$workspace' && env XDG_CONFIG_HOME='$folder/config' XDG_CACHE_HOME='$folder/cache' '$SMOKE_HELIX' -v '$SMOKE_SETTINGS'"
finding="did you mean"
eventually shows "$SMOKE_MISSPELT"
check "$SMOKE_SETTINGS is open" $?
typed "/$SMOKE_MISSPELT"
press Enter
eventually shows "$finding"
check 'the finding is on the screen' $?
press Space a
eventually shows "Replace with \`$SMOKE_REPAIRED\`"
check 'the menu of actions offers the repair' $?
press Enter
eventually shows "\"$SMOKE_REPAIRED\""
check 'the repair is made' $?
typed ':write-all'
press Enter
eventually holds "$workspace/$SMOKE_SETTINGS" "\"$SMOKE_REPAIRED\""
check 'and on disk' $?

typed ":open $SMOKE_SOURCE"
press Enter
eventually shows "\"$SMOKE_TOOL\""
check "$SMOKE_SOURCE is open" $?
typed "/\"$SMOKE_TOOL\""
press Enter
press \;
press h
press Space r
eventually shows 'rename-to'
check 'the rename asks for a name' $?
press C-u
typed "$SMOKE_RENAMED"
press Enter
eventually shows "\"$SMOKE_RENAMED\""
check 'the source has the new name' $?
typed ':write-all'
press Enter
eventually holds "$workspace/$SMOKE_SETTINGS" "${SMOKE_REPAIRED/$SMOKE_TOOL/$SMOKE_RENAMED}"
check 'so have the settings, on disk' $?
quits ':quit-all!'
