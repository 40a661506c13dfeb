-- `:checkhealth toolnames`: whether the server can be started, and who is attached to it.

local M = {}

function M.check()
  local health = vim.health
  health.start 'toolnames'
  if vim.fn.has 'nvim-0.11' == 0 then
    health.error('Neovim is older than 0.11', { 'update Neovim: `vim.lsp.config` was added in 0.11' })
    return
  end
  local config = vim.lsp.config.toolnames
  local program = config and type(config.cmd) == 'table' and config.cmd[1] or 'toolnames'
  if vim.fn.executable(program) == 0 then
    health.error(('`%s` is not on $PATH'):format(program), { 'run `cargo install --path .` in a clone of toolnames' })
    return
  end
  local found = vim.system({ program, '--version' }, { text = true }):wait()
  if found.code == 0 then
    health.ok(vim.trim(found.stdout) .. ' (' .. vim.fn.exepath(program) .. ')')
  else
    health.error(('`%s --version` ended with code %d'):format(program, found.code), { vim.trim(found.stderr or '') })
  end
  if not vim.lsp.is_enabled or vim.lsp.is_enabled 'toolnames' then
    health.ok "it is enabled (`vim.lsp.enable 'toolnames'`)"
  else
    health.warn('it is not enabled', { "add `vim.lsp.enable 'toolnames'` to your init.lua" })
  end
  local clients = vim.lsp.get_clients { name = 'toolnames' }
  for _, client in ipairs(clients) do
    local buffers = vim.tbl_count(client.attached_buffers)
    health.ok(('attached to %d buffer%s below %s'):format(buffers, buffers == 1 and '' or 's', client.root_dir or '.'))
  end
  if #clients == 0 then
    health.info 'no buffer is attached: open a file of a workspace with `.mcp.json`, `toolnames.toml` or `.git` at its root'
  end
end

return M
