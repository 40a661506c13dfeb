//! The small projects under `examples`, each built as the document behind its profile describes. They have no findings.
//! Next to each is a version with mistakes, every one of which is found and, if only one repair is possible, repaired.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use expect_test::{Expect, expect};
use serde_json::Value;

use super::cli::{run, stdout};

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name)
}

/// The findings in a folder, one per line: the place, the severity and rule, and the beginning of the message.
fn findings(folder: &Path) -> String {
    let output = run(folder, &["check", "--format", "json"]);
    let report: Value = serde_json::from_str(&stdout(&output)).expect("the report is JSON");
    let mut lines = String::new();
    for finding in report["diagnostics"].as_array().expect("findings") {
        let text = |key: &str| finding[key].as_str().unwrap_or_default();
        let message: String = text("message").chars().take(72).collect();
        let (start, end) = (&finding["range"]["start"], &finding["range"]["end"]);
        let at = format!("{}:{}:{}-{}", text("file"), start["line"], start["column"], end["column"]);
        writeln!(lines, "{at} {}[{}] {message}", text("severity"), text("rule")).unwrap();
    }
    lines
}

/// Every file below a folder, by its path from that folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let walk = ignore::WalkBuilder::new(folder).standard_filters(false).build();
    let entries = walk.map(|entry| entry.expect("the folder can be read"));
    let files = entries.filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()));
    let mut files: Vec<PathBuf> = files.map(|file| file.path().strip_prefix(folder).unwrap().to_path_buf()).collect();
    files.sort();
    files
}

/// Checks the findings in the clean project and in the one with mistakes, and how the latter differs from the clean one
/// after a repair.
#[track_caller]
fn check(name: &str, clean: Expect, wrong: Expect, left: Expect) {
    clean.assert_eq(&findings(&example(name)));
    let mistakes = example(&format!("{name}-mistakes"));
    wrong.assert_eq(&findings(&mistakes));
    let copy = tempfile::tempdir().unwrap();
    for file in files(&mistakes) {
        let to = copy.path().join(&file);
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::copy(mistakes.join(&file), to).unwrap();
    }
    run(copy.path(), &["fix", "--unsafe"]);
    let read = |folder: &Path, file: &Path| std::fs::read_to_string(folder.join(file)).unwrap_or_default();
    let mut different = String::new();
    for file in files(&example(name)) {
        let (right, now) = (read(&example(name), &file), read(copy.path(), &file));
        let right: Vec<&str> = right.lines().collect();
        for line in now.lines().filter(|line| !right.contains(line)) {
            writeln!(different, "{}: {}", file.display(), line.trim()).unwrap();
        }
    }
    left.assert_eq(&different);
    let before = findings(copy.path());
    run(copy.path(), &["fix", "--unsafe"]);
    assert_eq!(findings(copy.path()), before, "repairing again changes nothing");
}

#[test]
fn adobe() {
    check(
        "adobe",
        expect![""],
        expect![[r#"
            src/generate.ts:7:24-38 warning[name-prefix] `generate_image`: the product is missing: expected `{product}_{verb}_{no
            src/generate.ts:8:31-40 warning[name-case] `fireflyGenerateSimilar`: not in lower case, which this convention requi
            src/generate.ts:9:31-32 warning[name-separator] `firefly.expand-image`: `.` between words: this convention joins words w
            src/generate.ts:9:38-39 warning[name-separator] `firefly.expand-image`: `-` between words: this convention joins words w
            src/generate.ts:10:32-44 hint[name-order] `firefly_image_upload`: `image` before the verb `upload`: expected `{pro
            src/generate.ts:11:32-37 hint[name-verb] `firefly_chekc_auth`: no verb `chekc`; did you mean `check`?
            src/photoshop.ts:6:24-27 warning[name-prefix] `psd_replace_smart_object`: the product is missing: `psd` is not one of 
            src/photoshop.ts:7:24-41 warning[name-words] `photoshop_replace`: no noun: expected `{product}_{verb}_{noun}`
            src/photoshop.ts:8:24-32 warning[name-prefix] `photoshp_apply_actions`: unknown product `photoshp`; did you mean `phot
        "#]],
        expect![[r#"
        src/photoshop.ts: server.registerTool('psd_replace_smart_object', { description: 'Puts another image in', inputSchema: { layer: z.string() } }, answer);
        src/photoshop.ts: server.registerTool('photoshop_replace', { description: 'Lists the layers', inputSchema: {} }, answer);
    "#]],
    );
}

#[test]
fn browser() {
    check(
        "browser",
        expect![""],
        expect![[r#"
            packages/browser-mcp/src/server.ts:46:27-35 warning[handler-validation] `url` is required, and is read before `validateUrl` has checked it
            packages/browser-mcp/src/tools.ts:4:19-28 warning[name-separator] `browser.session.start`: `.` between words: this convention joins words 
            packages/browser-mcp/src/tools.ts:9:12-17 warning[name-prefix] `click`: the prefix `browser_` is missing
            packages/browser-mcp/src/tools.ts:11:18-19 warning[schema-type] the schema of `click` has no `type: "object"`
            packages/browser-mcp/src/tools.ts:18:47-50 warning[schema-param] `ref` is not required, although `browser_type` acts on the element that 
            packages/browser-mcp/src/tools.ts:28:9-12 warning[schema-param] `url` has no `format: "uri"`
            packages/browser-mcp/src/tools.ts:29:9-16 warning[schema-param] `timeout` has no `minimum`
            packages/browser-mcp/src/tools.ts:40:9-18 warning[schema-enum] `direction` takes up, down: list the values in `enum`
            packages/browser-mcp/src/tools.ts:41:9-12 warning[schema-default] `ref` is optional and has no default: add one
            packages/browser-mcp/src/tools.ts:42:9-15 warning[schema-nested] `margin` is an object whose `properties` are not declared
            packages/browser-mcp/src/tools.ts:44:19-28 warning[schema-required] `direktion` is required, but there is no such parameter
            packages/browser-mcp/src/tools.ts:48:19-24 warning[name-case] `browserReadPage`: not in lower case, which this convention requires
        "#]],
        expect![[r#"
            packages/browser-mcp/src/tools.ts: ref: { type: 'string' },
            packages/browser-mcp/src/tools.ts: margin: { type: 'object' },
        "#]],
    );
}

#[test]
fn chora() {
    check(
        "chora",
        expect![[r#"
            src/myproject/mcp/__init__.py:7:25-26 info[name-chars] this convention allows `:`, but the protocol does not: the SDKs for Type
        "#]],
        expect![[r#"
            NAMESPACES.md:4:17-27 warning[registry-drift] wrong namespace: expected `myproject`
            NAMESPACES.md:9:3-12 warning[registry-drift] not registered here: `myproject:list_tasks`
            NAMESPACES.md:12:17-37 warning[registry-drift] wrong full name: `update_task` is registered as `myproject:update_task`
            src/myproject/backends.py:13:39-52 warning[routing-namespace] the entry for `chora` has the namespace `chora-compose`: calls to `chora
            src/myproject/mcp/__init__.py:7:25-26 info[name-chars] this convention allows `:`, but the protocol does not: the SDKs for Type
            src/myproject/server.py:8:38-39 warning[name-case] `myproject:createTask`: not in lower case, which this convention require
            src/myproject/server.py:20:19-20 warning[name-separator] `my-project:update_task`: `-` inside the namespace, which must be one wo
            src/myproject/server.py:26:51-66 warning[resource-uri] `myproject://templates/Daily Report.md`: a capital letter in the id `Dai
            src/myproject/server.py:32:20-42 warning[resource-uri] `/configs/settings.json`: no `://`: expected `{namespace}://{type}/{id}`
            src/myproject/server.py:38:17-22 warning[name-reserved] `chora:delete_task`: `chora` is reserved for chora-compose; expected `my
            src/myproject/server.py:43:32-35 hint[name-vague] `myproject:get`: `get` does not say what it acts on: a bare verb soon be
            src/myproject/server.py:49:32-44 warning[deprecation-missing] `myproject:process_data` has a successor, `myproject:process_data_v2`: i
            src/myproject/server.py:55:45-47 hint[name-version] `myproject:process_data_v2`: use a version in a name only for changes th
            src/myproject/server.py:64:17-28 warning[dispatch-name] `create_task`: the namespace `myproject:` is missing
        "#]],
        expect![[r#"
            NAMESPACES.md: | get         | myproject:get         | Gets what?      | 1.0.0   |
            NAMESPACES.md: | process_data | myproject:process_data | Processes data | 1.0.0 |
            NAMESPACES.md: | process_data_v2 | myproject:process_data_v2 | Processes data | 1.0.0 |
            src/myproject/server.py: import logging
            src/myproject/server.py: @mcp.tool(name=make_tool_name("get"))
            src/myproject/server.py: async def get() -> dict:
            src/myproject/server.py: """Gets what?"""
            src/myproject/server.py: @mcp.tool(name=make_tool_name("process_data"))
            src/myproject/server.py: async def process_data(legacy: dict) -> dict:
            src/myproject/server.py: """Processes data (deprecated: use process_data_v2)."""
            src/myproject/server.py: logging.getLogger(__name__).warning("process_data is deprecated. Use process_data_v2.")
            src/myproject/server.py: return legacy
            src/myproject/server.py: @mcp.tool(name=make_tool_name("process_data_v2"))
            src/myproject/server.py: async def process_data_v2() -> dict:
            src/myproject/server.py: """Processes data in another way."""
        "#]],
    );
}

#[test]
fn lightdash() {
    check(
        "lightdash",
        expect![""],
        expect![[r#"
            packages/mcp/docs/tools.md:6:3-14 warning[docs-table] `lightdash` has no tool `get_projekt`; did you mean `get_project`?
            packages/mcp/docs/tools.md:8:19-30 warning[docs-table] wrong title: `get_space` is titled “Get space” in the code
            packages/mcp/src/tools/groups.ts:7:6-18 warning[tool-annotations] `delete_group` is declared read-only, but its name says that it can dele
            packages/mcp/src/tools/groups.ts:13:6-15 error[tool-annotations] `lightdash_tools__get_group` is declared both read-only and destructive
            packages/mcp/src/tools/groups.ts:17:24-52 warning[tool-bypass] `lightdash_tools__list_groups` is registered directly: other tools of `l
            packages/mcp/src/tools/groups.ts:18:24-34 warning[name-prefix] `get_member`: the prefix `lightdash_tools__` is missing
            packages/mcp/src/tools/projects.ts:8:10-11 warning[name-case] `lightdash_tools__listProjects`: not in lower case, which this conventio
            packages/mcp/src/tools/projects.ts:14:6-17 warning[tool-title] `get_project` has no human-readable title
            packages/mcp/src/tools/spaces.ts:8:6-21 warning[name-prefix] `lightdash_tools__lightdash_tools__list_spaces`: the prefix `lightdash_t
        "#]],
        expect![[r#"
            packages/mcp/src/tools/groups.ts: { title: 'Get group', description: 'Gets one group', inputSchema: {}, annotations: { destructiveHint: true } },
        "#]],
    );
}

#[test]
fn syntropy() {
    check(
        "syntropy",
        expect![[r#"
            syntropy-mcp/src/index.ts:18:58-73 info[name-prefix] clients add `mcp__syntropy__` themselves: one that does not know this co
        "#]],
        expect![[r#"
            .claude/settings.local.json:4:8-40 error[permission-form] `mcp__syntropy_serena_find_symbol`: expected two `_` after `syntropy`, f
            .claude/settings.local.json:5:8-46 error[permission-form] `syntropy__thinking__sequentialthinking`: the prefix `mcp__` is missing
            .claude/settings.local.json:6:8-39 error[permission-form] `mcp__context7__get_library_docs`: `syntropy` is missing: tools are reac
            .claude/settings.local.json:10:15-34 error[permission-form] `linear_create_issue`: the prefix `mcp__syntropy__` is missing; this ent
            .serena/memories/tool-usage-syntropy.md:4:7-8 info[docs-count] wrong number of tools: there are 6
            .syntropy/tool-state.json:2:16-34 warning[state-form] `serena_find_symbol`: the prefix `mcp__syntropy__` is missing
            .syntropy/tool-state.json:3:17-43 warning[state-conflict] `mcp__syntropy__healthcheck` is in `enabled` and in `disabled`
            .syntropy/tool-state.json:3:47-82 warning[state-form] `mcp__syntropy__linear_create_issues`: the gateway has no tool `linear_c
            CLAUDE.md:3:24-42 warning[docs-name] `serena_find_symbol`: the prefix `mcp__syntropy__` is missing
            CLAUDE.md:4:6-37 warning[docs-name] `mcp__context7__get_library_docs`: `syntropy` is missing: tools are reac
            syntropy-mcp/README.md:3:18-20 info[docs-count] wrong number of tools: there are 6
            syntropy-mcp/README.md:3:34-66 warning[docs-name] `mcp__syntropy_serena_find_symbol`: expected two `_` after `syntropy`, f
            syntropy-mcp/README.md:6:31-58 warning[docs-name] `thinking_sequentialthinking`: the prefix `mcp__syntropy__` is missing
            syntropy-mcp/servers.json:5:4-10 warning[route-form] `linear`: expected `syn-<server>`
            syntropy-mcp/src/index.ts:9:4-16 warning[route-form] `syn_thinking`: expected `syn-<server>`
            syntropy-mcp/src/index.ts:10:20-34 warning[route-form] `mcp_context7__`: expected `mcp__…__`, the prefix of that server's tool 
            syntropy-mcp/src/index.ts:12:4-18 warning[route-unused] `syn-perplexity` is never used: no tool is named `perplexity_…`
            syntropy-mcp/src/index.ts:18:10-24 warning[list-prefix] tools are listed as `healthcheck`, but must be called as `mcp__syntropy_
            syntropy-mcp/src/tools-definition.ts:4:18-24 warning[name-separator] `serena-find-symbol`: `-` between words: this convention joins words wit
            syntropy-mcp/src/tools-definition.ts:7:12-18 warning[name-prefix] `linaer_create_issue`: unknown server `linaer`; did you mean `linear`?
            syntropy-mcp/src/tools-definition.ts:8:12-15 warning[route-missing] calls of `git_…` have no route: `SERVER_ROUTES` has no `syn-git`
            syntropy-mcp/src/tools-definition.ts:8:12-26 warning[layer-incomplete] `mcp__syntropy__git_git_status` is missing from syntropy-mcp/tool-index.
            syntropy-mcp/tool-index.md:5:4-29 warning[docs-name] `mcp__syntropy__heathcheck`: the gateway has no tool `heathcheck`; did y
        "#]],
        expect![[r#"
            .syntropy/tool-state.json: "disabled": ["mcp__syntropy__healthcheck", "mcp__syntropy__linear_create_issue"]
            syntropy-mcp/src/index.ts: 'syn-perplexity': 'mcp__perplexity__',
        "#]],
    );
}
