---@brief
---
--- A language server for the names of MCP tools: in the source that registers them, and in the files that name them.
---
--- With this folder on the 'runtimepath': `vim.lsp.enable 'toolnames'`. The server, `toolnames`, has to be on $PATH.

---@type vim.lsp.Config
return {
  cmd = { 'toolnames', 'server' },
  filetypes = {
    'javascript',
    'javascriptreact',
    'json',
    'jsonc',
    'markdown',
    'python',
    'rust',
    'sh',
    'make',
    'toml',
    'typescript',
    'typescriptreact',
    'yaml',
  },
  root_markers = { '.git', '.mcp.json', 'toolnames.toml' },
}
