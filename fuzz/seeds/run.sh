#!/usr/bin/env bash
set -e
claude --allowedTools "mcp__s__read,Bash(ls *)" --disallowed-tools 'mcp__s__*' --mcp-config '{"mcpServers":{"t":{"command":"x"}}}' -p "go" <<'END'
text
END
codex -c mcp_servers.s.enabled_tools='["read"]' && gemini --allowed-mcp-server-names=s \
  --allowed-tools "read" # comment
