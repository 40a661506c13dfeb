#!/usr/bin/env bash
# The language server in Vim with ALE, inside tmux: what stands on the screen tells, and then the files on disk.
# run.sh starts this with the server as `toolnames` on $PATH, and the variables that it names.
set -uo pipefail

folder=$(mktemp -d)
workspace=$folder/workspace
cp -R "$SMOKE_WORKSPACE" "$workspace"
socket=$folder/tmux
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
{
    cat <<'V'
set nocompatible nomore shortmess+=F noswapfile hidden
filetype plugin on
let g:ale_virtualtext_cursor = 'all'
let g:ale_rename_tsserver_find_in_comments = 0
packadd! ale
V
    # The configuration is the one of the page.
    awk '/^```vim/ { on = 1; next } /^```/ { on = 0 } on' "$here/../../docs/editors/vim.md"
} >"$folder/vimrc"

editor=vim
. "$here/terminal.sh"

tm -f /dev/null new-session -d -s editor -x 160 -y 40 "cd '$workspace' && vim -u '$folder/vimrc' '$SMOKE_SETTINGS'"
eventually shows 'did you mean'
check "the finding in $SMOKE_SETTINGS is on the screen" $?
typed "/$SMOKE_MISSPELT"
press Enter
typed ':ALECodeAction'
press Enter
eventually shows "Replace with \`$SMOKE_REPAIRED\`"
check 'the menu of actions offers the repair' $?
press 1
press Enter
eventually shows "\"$SMOKE_REPAIRED\""
check 'the repair is made' $?
typed ':write'
press Enter
eventually holds "$workspace/$SMOKE_SETTINGS" "\"$SMOKE_REPAIRED\""
check 'and on disk' $?
typed ":edit $SMOKE_SOURCE"
press Enter
eventually shows "\"$SMOKE_TOOL\""
check "$SMOKE_SOURCE is open" $?
typed "/\"$SMOKE_TOOL\""
press Enter
press l
typed ':ALERename'
press Enter
eventually shows 'New name'
check 'the rename asks for a name' $?
press C-u
typed "$SMOKE_RENAMED"
press Enter
eventually shows "\"$SMOKE_RENAMED\""
check 'the source has the new name' $?
typed ':wall'
press Enter
eventually holds "$workspace/$SMOKE_SETTINGS" "${SMOKE_REPAIRED/$SMOKE_TOOL/$SMOKE_RENAMED}"
check 'so have the settings, on disk' $?
quits ':qall!'
