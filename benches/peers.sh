#!/usr/bin/env bash
# Sets a whole-tree check beside `rg` (the same files, one literal) and ast-grep (patterns for the same registrations
# and strings), in turn, and prints the medians and their ratios.
#
#   benches/peers.sh FOLDER [RUNS]
#
# Wants `rg` on the PATH, npm, and a release build; ast-grep comes from its npm package.
set -euo pipefail
project=$(cd "$(dirname "$0")/.." && pwd)
folder=$(cd "${1:?a folder to scan}" && pwd)
runs=${2:-7}
cache=$project/.cache/peers
mkdir -p "$cache"
[ -x "$cache/node_modules/.bin/ast-grep" ] ||
  npm install --prefix "$cache" --no-audit --no-fund --silent @ast-grep/cli@0.51.1 >&2
ast_grep=$cache/node_modules/.bin/ast-grep
toolnames=$project/target/dist/toolnames
[ -x "$toolnames" ] || cargo build --profile dist --manifest-path "$project/Cargo.toml"

mkdir -p "$cache/rules"
printf 'ruleDirs: [rules]\n' > "$cache/sgconfig.yml"
cat > "$cache/rules/tools.yml" <<'RULES'
id: typescript
language: TypeScript
severity: warning
message: a tool's name
rule:
  any:
    - pattern: $SERVER.registerTool("$NAME", $$$REST)
    - pattern: $SERVER.tool("$NAME", $$$REST)
constraints:
  NAME: { not: { regex: "^[A-Za-z0-9_.-]+$" } }
---
id: python
language: Python
severity: warning
message: a tool's name
rule:
  pattern: { context: "def $NAME($$$ARGS): $$$BODY", selector: function_definition }
  inside: { kind: decorated_definition, has: { kind: decorator, regex: "\\.tool" } }
constraints:
  NAME: { not: { regex: "^[A-Za-z0-9_]+$" } }
---
id: json
language: Json
severity: error
message: a permission string
rule: { kind: string_content, regex: "^mcp_", not: { regex: "^mcp__[A-Za-z0-9_-]+$" } }
RULES

median() { sort -n | awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }'; }
seconds() { local start=$EPOCHREALTIME; "$@" > /dev/null 2>&1 || true; awk "BEGIN { print $EPOCHREALTIME - $start }"; }

: > "$cache/toolnames" && : > "$cache/rg" && : > "$cache/ast-grep"
for _ in $(seq "$runs"); do
  seconds "$toolnames" check "$folder" >> "$cache/toolnames"
  seconds rg --hidden --count registerTool "$folder" >> "$cache/rg"
  (cd "$folder" && seconds "$ast_grep" scan --config "$cache/sgconfig.yml" .) >> "$cache/ast-grep"
done
own=$(median < "$cache/toolnames")
for peer in rg ast-grep; do
  other=$(median < "$cache/$peer")
  awk -v own="$own" -v other="$other" -v peer="$peer" \
    'BEGIN { printf "toolnames %.3f s, %s %.3f s: %.2f times as long\n", own, peer, other, own / other }'
done
