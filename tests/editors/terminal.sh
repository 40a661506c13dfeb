# What the tests of editors in a terminal have in common: an editor `$editor` inside tmux, at `$socket`.

tm() { tmux -S "$socket" "$@"; }
screen() { tm capture-pane -p -t editor; }
press() { tm send-keys -t editor "$@"; }
typed() { tm send-keys -t editor -l "$1"; }

began=$(date +%s.%N)
# check WHAT STATUS: says how a check went. What follows a failed one would fail too, so that is the end.
check() {
    local passed=ok
    [ "$2" = 0 ] || passed=FAIL
    printf '%-4s  %-6s  %5.2fs  %s\n' "$passed" "$editor" "$(awk "BEGIN { print $(date +%s.%N) - $began }")" "$1"
    if [ "$2" != 0 ]; then
        screen >&2 2>/dev/null
        tm kill-server 2>/dev/null
        exit 1
    fi
}

eventually() {
    local _
    for _ in $(seq 150); do
        if "$@"; then
            return 0
        fi
        sleep 0.1
    done
    return 1
}
shows() { screen | grep -qF -- "$1"; }
shows_not() { ! shows "$1"; }
holds() { grep -qsF -- "$2" "$1"; }
# The status of `find` says nothing: a process that ends while it looks makes it fail.
server_gone() { [ -z "$(find /proc -maxdepth 2 -name exe -lname "$SMOKE_SERVER" 2>/dev/null)" ]; }
# The editor was the only program of its terminal.
editor_gone() { ! tm has-session -t editor 2>/dev/null; }

# quits COMMAND: leaves the editor by its own command. Killed on its way out, it might leave its server waiting.
quits() {
    typed "$1"
    press Enter
    eventually editor_gone
    check 'it quits' $?
    eventually server_gone
    check 'its server is gone' $?
    rm -rf "$folder"
}
