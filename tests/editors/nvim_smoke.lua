-- The language server in Neovim: a finding, its repair, a rename there and back, a clean end.
-- run.sh starts this with `nvim --headless --clean -l`, the server as `toolnames` on $PATH, and these variables:

local function given(variable)
  return assert(vim.env[variable], variable .. ' is not set')
end

local workspace = given 'SMOKE_WORKSPACE' -- copied before anything is changed
local settings = given 'SMOKE_SETTINGS' -- the file with the misspelt entry, from the workspace's root
local misspelt = given 'SMOKE_MISSPELT' -- a permission string
local repaired = given 'SMOKE_REPAIRED' -- what the quick fix makes of it
local source = given 'SMOKE_SOURCE' -- the file that registers the tool
local tool = given 'SMOKE_TOOL' -- its name there, between quotes
local renamed = given 'SMOKE_RENAMED' -- another name for it
local title = 'Replace with `' .. repaired .. '`'

local PATIENCE = 10000 -- milliseconds

local here = vim.fs.dirname(vim.fs.abspath(debug.getinfo(1, 'S').source:sub(2)))
local began = vim.uv.hrtime()
local failed = false

--- Says how a check went. What follows a failed one would fail too, so that is the end.
local function check(what, passed, found)
  local seconds = (vim.uv.hrtime() - began) / 1e9
  io.stdout:write(('%s  neovim  %5.2fs  %s\n'):format(passed and 'ok  ' or 'FAIL', seconds, what))
  io.stdout:flush()
  if not passed then
    failed = true
    if found ~= nil then
      io.stderr:write(what, ': found ', vim.inspect(found), '\n')
    end
    error { told = true }
  end
end

local function eventually(condition)
  return vim.wait(PATIENCE, condition, 10)
end

local function on_disk(path)
  local file = assert(io.open(path, 'rb'))
  local bytes = file:read '*a'
  file:close()
  return bytes
end

local function shown(buffer)
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, true), '\n')
end

local function replaced(text, old, new)
  return (text:gsub(vim.pesc(old), (new:gsub('%%', '%%%%'))))
end

--- The range of a string's inside, the first one with this text, as Neovim counts: rows and bytes from 0.
local function inside_quotes(buffer, text)
  for row, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, true)) do
    local first, last = line:find('["\']' .. vim.pesc(text) .. '["\']')
    if first then
      return { lnum = row - 1, col = first, end_lnum = row - 1, end_col = last - 1 }
    end
  end
  error(('no string "%s" in %s'):format(text, vim.api.nvim_buf_get_name(buffer)))
end

local function open(path)
  vim.cmd.edit(vim.fn.fnameescape(path))
  local buffer = vim.api.nvim_get_current_buf()
  check('a client attaches to ' .. vim.fs.basename(path), eventually(function()
    local client = vim.lsp.get_clients({ bufnr = buffer, name = 'toolnames' })[1]
    return client ~= nil and client.initialized
  end), vim.bo[buffer].filetype)
  return buffer
end

local function put_cursor(range)
  vim.api.nvim_win_set_cursor(0, { range.lnum + 1, range.col + 1 })
end

local function servers()
  return vim.tbl_filter(function(pid)
    local process = vim.api.nvim_get_proc(pid)
    return process ~= nil and process.name == 'toolnames'
  end, vim.api.nvim_get_proc_children(vim.uv.os_getpid()))
end

--- Asks for code actions as the editor's menu does, and takes the one with this title.
local function take_action(wanted)
  local titles
  vim.ui.select = function(items, _, on_choice)
    titles = vim.tbl_map(function(item)
      return item.action.title
    end, items)
    for index, item in ipairs(items) do
      if item.action.title == wanted then
        return on_choice(item, index)
      end
    end
    on_choice(nil)
  end
  vim.lsp.buf.code_action()
  eventually(function()
    return titles ~= nil
  end)
  check('the menu offers: ' .. wanted, vim.list_contains(titles or {}, wanted), titles)
end

local function repair(folder)
  local path = vim.fs.joinpath(folder, settings)
  local before = on_disk(path)
  local buffer = open(path)

  local expected = inside_quotes(buffer, misspelt)
  local finding
  check(('a finding at %d:%d to %d, and only one there'):format(
    expected.lnum + 1, expected.col + 1, expected.end_col + 1
  ), eventually(function()
    local there = vim.diagnostic.get(buffer, { lnum = expected.lnum })
    finding = there[1]
    return #there == 1
      and finding.col == expected.col
      and finding.end_lnum == expected.end_lnum
      and finding.end_col == expected.end_col
      and finding.source == 'toolnames'
  end), vim.diagnostic.get(buffer))

  put_cursor(expected)
  take_action(title)
  local after = replaced(before, '"' .. misspelt .. '"', '"' .. repaired .. '"')
  check('the fix changes the entry and nothing else in the buffer', eventually(function()
    return shown(buffer) == (after:gsub('\n$', ''))
  end), shown(buffer))
  check('the finding is gone', eventually(function()
    return vim.iter(vim.diagnostic.get(buffer, { lnum = expected.lnum })):all(function(other)
      return other.code ~= finding.code
    end)
  end), vim.diagnostic.get(buffer, { lnum = expected.lnum }))
  vim.cmd 'silent wall'
  check('after :wall the same bytes are on disk', on_disk(path) == after, on_disk(path))
  return buffer
end

local function rename_to(buffer, old, new)
  put_cursor(inside_quotes(buffer, old))
  vim.lsp.buf.rename(new)
  check(('rename %s to %s in %s'):format(old, new, vim.fs.basename(source)), eventually(function()
    return shown(buffer):find('["\']' .. vim.pesc(new) .. '["\']') ~= nil
  end), vim.api.nvim_exec2('messages', { output = true }).output)
  vim.cmd 'silent wall'
end

local function rename(folder, settings_buffer)
  local settings_path, source_path = vim.fs.joinpath(folder, settings), vim.fs.joinpath(folder, source)
  local settings_before, source_before = on_disk(settings_path), on_disk(source_path)
  local buffer = open(source_path)

  rename_to(buffer, tool, renamed)
  local expected = replaced(settings_before, '"' .. repaired .. '"', '"' .. replaced(repaired, tool, renamed) .. '"')
  check('the settings on disk follow', on_disk(settings_path) == expected, on_disk(settings_path))
  check('the rest of the source stays', replaced(on_disk(source_path), renamed, tool) == source_before)

  vim.api.nvim_buf_delete(settings_buffer, {})
  rename_to(buffer, renamed, tool)
  check('the settings follow back, not being open', on_disk(settings_path) == settings_before, on_disk(settings_path))
  check('the source is as it was', on_disk(source_path) == source_before)
end

local function stop(ended)
  local pids = servers()
  check('one server runs', #pids == 1, pids)
  for _, client in ipairs(vim.lsp.get_clients { name = 'toolnames' }) do
    client:stop()
  end
  check('it ends with code 0', eventually(function()
    return ended.code ~= nil
  end) and ended.code == 0 and ended.signal == 0, ended)
  check('its process is gone', eventually(function()
    return not vim.uv.kill(pids[1], 0)
  end), pids)
end

--- The health check, and the help.
local function health()
  vim.cmd 'silent checkhealth toolnames'
  local said = shown(vim.api.nvim_get_current_buf())
  check(':checkhealth finds the server, enabled and attached', said:find('attached to %d buffer') ~= nil
    and said:find 'it is enabled' ~= nil
    and not said:find 'ERROR', said)
  vim.cmd 'bwipeout'
  local pages = vim.fn.getcompletion('toolnames', 'help')
  check(':help toolnames is there', vim.list_contains(pages, 'toolnames-setup'), pages)
  local doc = vim.fs.joinpath(here, '..', '..', 'editors', 'nvim', 'doc')
  local copy = vim.fn.tempname()
  vim.fn.mkdir(copy)
  vim.fn.writefile(vim.fn.readfile(vim.fs.joinpath(doc, 'toolnames.txt')), vim.fs.joinpath(copy, 'toolnames.txt'))
  vim.cmd('helptags ' .. vim.fn.fnameescape(copy))
  local now, kept = vim.fn.readfile(vim.fs.joinpath(copy, 'tags')), vim.fn.readfile(vim.fs.joinpath(doc, 'tags'))
  check('every tag of it is in the list beside it', vim.deep_equal(now, kept), now)
end

local function smoke()
  local folder = vim.fn.tempname()
  local copy = vim.system({ 'cp', '-R', workspace, folder }):wait()
  assert(copy.code == 0, copy.stderr)
  -- What is renamed there and back keeps no old name.
  local config = assert(io.open(vim.fs.joinpath(folder, 'toolnames.toml'), 'a'))
  config:write '\n[alias]\nmode = "none"\n'
  config:close()

  local ended = {}
  vim.o.hidden = true
  vim.o.swapfile = false
  vim.o.fixendofline = false
  vim.cmd 'filetype on'
  vim.opt.runtimepath:prepend(vim.fs.joinpath(here, '..', '..', 'editors', 'nvim'))
  vim.lsp.config('toolnames', {
    on_exit = function(code, signal)
      ended.code, ended.signal = code, signal
    end,
  })
  vim.lsp.enable 'toolnames'

  local settings_buffer = repair(folder)
  rename(folder, settings_buffer)
  health()
  stop(ended)
end

local passed, trouble = xpcall(smoke, function(trouble)
  return type(trouble) == 'table' and trouble or { text = debug.traceback(trouble) }
end)
if not passed and not trouble.told then
  failed = true
  io.stdout:write('FAIL  neovim  stopped by an error\n')
  io.stderr:write(trouble.text, '\n')
end
vim.cmd.cquit(failed and 1 or 0)
