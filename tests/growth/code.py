"""Source code and documents in which one thing occurs n times, or nests n deep."""

from client import letters
from grow import grows

TS = (
    'import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";\n'
    'const server = new McpServer({ name: "s", version: "1" });\n'
)
PY = 'from mcp.server.fastmcp import FastMCP\nmcp = FastMCP("s")\n'
RS = "use rmcp::tool;\n"


def ts(text: str, name: str = "server.ts") -> dict[str, str]:
    return {"package.json": '{"dependencies":{"@modelcontextprotocol/sdk":"1"}}', name: TS + text}


def py(text: str) -> dict[str, str]:
    return {"pyproject.toml": '[project]\nname="x"\ndependencies=["mcp"]\n', "server.py": PY + text}


def rs(text: str) -> dict[str, str]:
    return {"Cargo.toml": '[package]\nname="x"\n[dependencies]\nrmcp="1"\n', "src/server.rs": RS + text}


def each(n: int, text) -> str:
    return "".join(text(i) for i in range(n))


def registered(name: str) -> str:
    return f'server.registerTool({name}, {{ description: "d" }}, async () => ({{}}));\n'


# ── What is computed ─────────────────────────────────────────────────────────────────────────────────────


@grows(command="check")
def doubled_strings(n: int) -> dict[str, str]:
    """n constants, each twice the one before, and a tool named by the last."""
    return ts('const c0 = "aaaaaaaaaa";\n' + each(n, lambda i: f"const c{i + 1} = c{i} + c{i};\n") + registered(f"c{n}"))


@grows(command="check")
def doubled_templates(n: int) -> dict[str, str]:
    """n template strings, each twice the one before."""
    double = lambda i: f"const c{i + 1} = `${{c{i}}}${{c{i}}}`;\n"
    return ts('const c0 = "aaaaaaaaaa";\n' + each(n, double) + registered(f"c{n}"))


@grows(command="check")
def doubled_format_strings(n: int) -> dict[str, str]:
    """n f-strings, each twice the one before."""
    double = lambda i: f'c{i + 1} = f"{{c{i}}}{{c{i}}}"\n'
    return py('c0 = "aaaaaaaaaa"\n' + each(n, double) + f"@mcp.tool(name=c{n})\ndef f(): pass\n")


@grows(command="check")
def doubled_replacements(n: int) -> dict[str, str]:
    """n replacements of each letter by two."""
    double = lambda i: f'const c{i + 1} = c{i}.replaceAll("a", "aa");\n'
    return ts('const c0 = "aaaaaaaaaa";\n' + each(n, double) + registered(f"c{n}"))


@grows(command="check")
def doubled_joins(n: int) -> dict[str, str]:
    """n joins of the string before with itself."""
    double = lambda i: f'const c{i + 1} = [c{i}, c{i}].join("_");\n'
    return ts('const c0 = "aaaaaaaaaa";\n' + each(n, double) + registered(f"c{n}"))


@grows(command="check")
def doubled_rust(n: int) -> dict[str, str]:
    """n constants of `concat!`, each twice the one before."""
    double = lambda i: f"const C{i + 1}: &str = concat!(C{i}, C{i});\n"
    tool = f"struct S;\n#[tool_router]\nimpl S {{\n    #[tool(name = C{n})]\n    fn f(&self) {{}}\n}}\n"
    return rs('const C0: &str = "aaaaaaaaaa";\n' + each(n, double) + tool)


@grows(command="check")
def doubled_lists(n: int) -> dict[str, str]:
    """n arrays, each twice the one before, and a tool for each element of the last."""
    double = lambda i: f"const c{i + 1} = [...c{i}, ...c{i}];\n"
    return ts('const c0 = ["a", "b"];\n' + each(n, double) + f"for (const name of c{n}) " + registered("name"))


@grows(command="check")
def doubled_concatenations(n: int) -> dict[str, str]:
    """n lists of `concat`, each twice the one before."""
    double = lambda i: f"const c{i + 1} = c{i}.concat(c{i});\n"
    return ts('const c0 = ["a", "b"];\n' + each(n, double) + f"for (const name of c{n}) " + registered("name"))


@grows(command="check")
def doubled_maps(n: int) -> dict[str, str]:
    """n lists of `flatMap`, each twice the one before."""
    double = lambda i: f'const c{i + 1} = c{i}.flatMap((x) => [x + "a", x + "b"]);\n'
    return ts('const c0 = ["a", "b"];\n' + each(n, double) + f"for (const name of c{n}) " + registered("name"))


@grows(command="check")
def nested_loops(n: int) -> dict[str, str]:
    """n loops in one another over a list of twenty."""
    names = ", ".join(f'"a{i}"' for i in range(20))
    name = "`" + each(n, lambda i: f"${{x{i}}}") + "`"
    return ts(f"const all = [{names}];\n" + each(n, lambda i: f"for (const x{i} of all) ") + registered(name))


@grows(command="check")
def long_constant(n: int) -> dict[str, str]:
    """A constant of 10,000 characters that n names are made of."""
    return ts(f'const c = "{"a" * 10_000}";\n' + each(n, lambda i: registered(f'c + "{i}"')))


@grows(command="check")
def helpers(n: int) -> dict[str, str]:
    """n functions that register a tool, each called once."""
    helper = lambda i: f'function h{i}(s, name) {{ s.tool(name, async () => ({{}})); }}\nh{i}(server, "t{i}");\n'
    return ts(each(n, helper))


@grows(command="check")
def python_helpers(n: int) -> dict[str, str]:
    """n Python functions that register a tool, each called once."""
    return py(each(n, lambda i: f'def h{i}(m, n):\n    m.add_tool(f, name=n)\nh{i}(mcp, "t{i}")\n'))


@grows(command="check")
def calls_of_one_helper(n: int) -> dict[str, str]:
    """n calls of one function that registers a tool."""
    helper = "function h(s, name) { s.tool(name, async () => ({})); }\n"
    return ts(helper + each(n, lambda i: f'h(server, "t{i}");\n'))


@grows(command="check")
def constants_of_constants(n: int) -> dict[str, str]:
    """A chain of n constants."""
    return ts('const c0 = "a";\n' + each(n, lambda i: f"const c{i + 1} = c{i};\n") + registered("c20"))


@grows(command="check")
def assigned_variable(n: int) -> dict[str, str]:
    """A variable that is assigned n times."""
    return ts("let c;\n" + each(n, lambda i: f'c = "a{i}";\n') + registered("c"))


@grows(command="check")
def pushed(n: int) -> dict[str, str]:
    """A list to which n names are pushed."""
    return ts("const l = [];\n" + each(n, lambda i: f'l.push("t{i}");\n') + "for (const t of l) " + registered("t"))


@grows(command="check")
def table_of_names(n: int) -> dict[str, str]:
    """An object of n names, of which three hundred are used."""
    used = "".join(registered(f"E.a{i}") for i in range(min(n, 300)))
    return ts("const E = {" + each(n, lambda i: f'a{i}: "a{i}",') + "};\n" + used)


@grows(command="check", n=100, short=False)
def table_of_names_in_use(n: int) -> dict[str, str]:
    """An object of n names, all of which are used."""
    return ts("const E = {" + each(n, lambda i: f'a{i}: "a{i}",') + "};\n" + each(n, lambda i: registered(f"E.a{i}")))


@grows(command="check", n=100, short=False)
def array_of_names_in_use(n: int) -> dict[str, str]:
    """An array of n names, all of which are used by their place."""
    return ts("const l = [" + each(n, lambda i: f'"t{i}",') + "];\n" + each(n, lambda i: registered(f"l[{i}]")))


@grows(command="check")
def array_of_names(n: int) -> dict[str, str]:
    """An array of n names, of which three hundred are used by their place."""
    used = "".join(registered(f"l[{i}]") for i in range(min(n, 300)))
    return ts("const l = [" + each(n, lambda i: f'"t{i}",') + "];\n" + used)


@grows(command="check")
def spread_chain(n: int) -> dict[str, str]:
    """n objects, each with the one before spread into it."""
    spread = lambda i: f'const o{i + 1} = {{ ...o{i}, a{i}: "x" }};\n'
    return ts("const o0 = {};\n" + each(n, spread) + registered(f"o{n}.a1"))


# ── Classes, imports, definitions ────────────────────────────────────────────────────────────────────────


@grows(command="check")
def class_chain(n: int) -> dict[str, str]:
    """n classes, each of which extends the one before."""
    base = "class C0 { register(server) { server.registerTool(this.name, {}, f); } }\n"
    return ts(base + each(n, lambda i: f"class C{i + 1} extends C{i} {{}}\n"))


@grows(command="check")
def class_cycle(n: int) -> dict[str, str]:
    """n classes that extend one another in a circle, each with a tool."""
    method = "register() { server.registerTool(this.name, {}, f); }"
    return ts(each(n, lambda i: f"class C{i} extends C{(i + 1) % n} {{ {method} }}\n"))


@grows(command="check")
def derived_classes(n: int) -> dict[str, str]:
    """n classes that extend one that registers a tool."""
    base = "class B { register(server) { server.registerTool(this.name, {}, f); } }\n"
    return ts(base + each(n, lambda i: f'class C{i} extends B {{ name = "t{i}" }}\n'))


@grows(command="check")
def methods(n: int) -> dict[str, str]:
    """A class of n methods, each of which registers a tool."""
    method = lambda i: f'm{i}() {{ this.s.registerTool("t{i}", {{}}, f); }}\n'
    return ts("class C { constructor(s) { this.s = s; }\n" + each(n, method) + "}\nnew C(server);\n")


@grows(command="check")
def fields(n: int) -> dict[str, str]:
    """A class of n fields that its constructor sets."""
    return ts("class C { constructor(s) {\n" + each(n, lambda i: f'this.f{i} = "a";\n') + "} }\nnew C(server);\n")


@grows(command="check")
def decorated_methods(n: int) -> dict[str, str]:
    """A class of n decorated methods."""
    return ts("class C {\n" + each(n, lambda i: f"@D{i}() m{i}() {{}}\n") + "}\n")


@grows(command="check")
def imports(n: int) -> dict[str, str]:
    """n imports."""
    return ts(each(n, lambda i: f'import {{ a{i} }} from "./m{i}.js";\n'))


# Not linear yet: twice the chain takes almost four times as long, at more modules than pass on a name in real programs.
@grows(command="check", short=False)
def exports_chain(n: int) -> dict[str, str]:
    """n files, each of which exports what the next one does, and a tool named by what the last defines."""
    files = {f"m{i}.ts": f'export {{ name }} from "./m{i + 1}.js";\n' for i in range(n)}
    files[f"m{n}.ts"] = 'export const name = "a";\n'
    return files | ts('import { name } from "./m0.js";\n' + registered("name"))


@grows(command="check")
def star_imports(n: int) -> dict[str, str]:
    """n Python imports of everything, and a name that none of them has."""
    return py(each(n, lambda i: f"from .m{i} import *\n") + "mcp.add_tool(f, name=missing)\n")


@grows(command="check")
def rust_tools(n: int) -> dict[str, str]:
    """A Rust server of n tools."""
    tool = lambda i: f'#[tool(description = "d")]\nasync fn t{i}(&self) {{}}\n'
    return rs("struct S;\n#[tool_router]\nimpl S {\n" + each(n, tool) + "}\n")


@grows(command="check")
def rust_structs(n: int) -> dict[str, str]:
    """n Rust structs that describe arguments."""
    return rs(each(n, lambda i: f"#[derive(JsonSchema)]\nstruct P{i} {{ a: A{i} }}\n"))


@grows(command="check")
def python_tools(n: int) -> dict[str, str]:
    """A Python server of n tools."""
    return py(each(n, lambda i: f"@mcp.tool()\ndef t{i}(a: A{i}) -> str: pass\n"))


# ── Branches ─────────────────────────────────────────────────────────────────────────────────────────────


@grows(command="check")
def python_elif(n: int) -> dict[str, str]:
    """An `if` of n branches in a handler."""
    branch = lambda i: f'    elif name == "t{i}":\n        return f()\n'
    return py("@mcp.call_tool()\nasync def call(name, a):\n    if x:\n        f()\n" + each(n, branch))


@grows(command="check")
def python_match(n: int) -> dict[str, str]:
    """A `match` of n cases."""
    return py("def g(x):\n    match x:\n" + each(n, lambda i: f'        case "t{i}":\n            return f()\n'))


@grows(command="check")
def else_if(n: int) -> dict[str, str]:
    """An `if` of n branches."""
    return ts(each(n, lambda i: f'if (x === "a{i}") {{ f(); }} else ') + "{}\n")


@grows(command="check")
def cases(n: int) -> dict[str, str]:
    """A `switch` of n cases in a handler."""
    head = "server.setRequestHandler(CallToolRequestSchema, async (request) => { switch (request.params.name) {\n"
    return ts(head + each(n, lambda i: f'case "t{i}": return f();\n') + "} });\n")


@grows(command="check")
def empty_cases(n: int) -> dict[str, str]:
    """A `switch` of n cases that fall through."""
    return ts("switch (x) {\n" + each(n, lambda i: f'case "t{i}":\n') + "f(); }\n")


@grows(command="check")
def match_arms(n: int) -> dict[str, str]:
    """A Rust `match` of n arms."""
    return rs("fn a(n: &str) { match n {\n" + each(n, lambda i: f'"t{i}" => f(),\n') + "_ => {} } }\n")


# ── Runs and chains ──────────────────────────────────────────────────────────────────────────────────────


def run_of(name: str, doc: str, unit: str, put, end: str = "", short: bool = True) -> None:
    """A generator of n times `unit`, one after another."""

    def generate(n: int) -> dict[str, str]:
        return put(unit * n + end)

    generate.__name__, generate.__doc__ = name, doc
    globals()[name] = grows(command="check", short=short)(generate)


def nest_of(name: str, doc: str, opening: str, closing: str, put, inside: str = "1") -> None:
    """A generator of n times `opening` and as many times `closing`."""

    def generate(n: int) -> dict[str, str]:
        return put(opening * n + inside + closing * n)

    generate.__name__, generate.__doc__ = name, doc
    globals()[name] = grows(command="check")(generate)


RUNS = [
    ("sums", "A sum of n terms.", "x+", lambda text: ts("const a=" + text), "1;\n"),
    ("differences", "A difference of n terms.", "x-", lambda text: ts("const a=" + text), "1;\n"),
    ("alternatives", "n alternatives.", "x||", lambda text: ts("const a=" + text), "1;\n"),
    ("ternaries", "n conditional expressions, each in the one before.", "x?1:", lambda text: ts("const a=" + text), "1;\n"),
    ("negations", "n negations.", "!", lambda text: ts("const a=" + text), "1;\n"),
    ("negated_condition", "A condition that is negated n times.", "!", lambda text: ts("if(" + text), "x)f();\n"),
    ("member_chain", "A chain of n members.", ".x", lambda text: ts("const a=x" + text), ";\n"),
    ("call_chain", "A chain of n calls.", ".x()", lambda text: ts("const a=x" + text), ";\n"),
    ("case_member_chain", "A case that is a chain of n members.", ".x", lambda text: ts("switch(x){case x" + text), ":f();default:g()}\n"),
    ("arrows", "n functions, each of which returns the next.", "x=>", lambda text: ts("const a=" + text), "1;\n"),
    ("loops", "n loops, each the body of the one before.", "for(const x of y)", ts, "f();\n"),
    ("comparisons", "n signs that may begin type arguments.", "a<", lambda text: ts("const a=" + text), "1;\n"),
    ("comments", "n comments.", "// x\n", ts, ""),
    ("directives", "n comments that allow a rule.", "// toolnames: allow(bad)\n", ts, ""),
    # At each of them the scanner of the grammar reads all that follow: only the limit on the time of a parse bounds that.
    ("python_comments", "n comments in Python.", "# x\n", py, "", False),
    ("python_assignments", "n assignments of one value.", "a=", py, "1\n"),
    ("python_strings", "A string of n pieces.", '"a" ', lambda text: py("a=(" + text), ")\n"),
    ("python_not", "n negations in Python.", "not ", lambda text: py("if " + text), "x:\n    f()\n"),
    ("rust_chain", "A chain of n calls in Rust.", ".x()", lambda text: rs("fn a(){x" + text), ";}\n"),
    ("rust_macro_chain", "A chain of n members in a macro.", ".x", lambda text: rs("fn a(){m!(x" + text), ");}\n"),
    ("rust_macro_borrows", "n borrows in a macro.", "&", lambda text: rs("fn a(){m!(" + text), "x);}\n"),
    ("rust_attributes", "n attributes of one function.", "#[a]\n", rs, "fn f(){}\n"),
    ("rust_doc", "n lines of documentation.", "/// x\n", rs, "fn f(){}\n"),
    ("yaml_dashes", "n lists in one another, in one line.", "- ", lambda text: {".continue/config.yaml": text}, "x\n"),
    ("yaml_questions", "n keys of keys.", "? ", lambda text: {".continue/config.yaml": text}, "x\n"),
    ("yaml_colons", "n empty keys.", ": ", lambda text: {".continue/config.yaml": text}, "x\n"),
    ("yaml_open", "n brackets that are never closed.", "[", lambda text: {".continue/config.yaml": "a: " + text}, "\n"),
    ("markdown_quotes", "n quotes in one another.", "> ", lambda text: {".claude/agents/x.md": text}, "x\n"),
    ("markdown_lists", "n lists in one another.", "- ", lambda text: {".claude/agents/x.md": text}, "x\n"),
    ("json_open", "n brackets that are never closed.", "[", lambda text: {".claude/settings.json": text}, ""),
    ("toml_open", "n brackets that are never closed.", "[", lambda text: {".codex/config.toml": "a=" + text}, ""),
]

NESTS = [
    ("calls", "n calls in one another.", "f(", ")", lambda text: ts("const a=" + text)),
    ("parentheses", "n parentheses in one another.", "(", ")", lambda text: ts("const a=" + text)),
    ("condition_parentheses", "A condition in n parentheses.", "(", ")", lambda text: ts("if(" + text + ")f();\n")),
    ("arrays", "n arrays in one another.", "[", "]", lambda text: ts("const a=" + text)),
    ("objects", "n objects in one another.", "{a:", "}", lambda text: ts("const a=" + text)),
    ("blocks", "n blocks in one another.", "{", "}", ts),
    ("functions", "n functions in one another.", "function f(){", "}", ts),
    ("classes", "n classes in one another.", "class A{x=", "}", lambda text: ts("const a=" + text)),
    ("templates", "n template strings in one another.", "`${", "}`", lambda text: ts("const a=" + text)),
    ("elements", "n elements of JSX in one another.", "<a>", "</a>", lambda text: ts("const a=" + text, "server.tsx")),
    ("type_arguments", "n type arguments in one another.", "A<", ">", lambda text: ts("let a:" + text)),
    ("python_calls", "n calls in one another in Python.", "f(", ")", lambda text: py("a=" + text)),
    ("python_lists", "n lists in one another in Python.", "[", "]", lambda text: py("a=" + text)),
    ("python_dictionaries", "n dictionaries in one another.", "{1:", "}", lambda text: py("a=" + text)),
    ("python_comprehensions", "n comprehensions in one another.", "[x for x in ", "]", lambda text: py("a=" + text)),
    ("python_format_strings", "n f-strings in one another.", "f'{", "}'", lambda text: py("a=" + text)),
    ("rust_calls", "n calls in one another in Rust.", "f(", ")", lambda text: rs("fn a(){" + text + "}")),
    ("rust_blocks", "n blocks in one another in Rust.", "{", "}", lambda text: rs("fn a(){" + text + "}")),
    ("rust_matches", "n matches in one another.", "match x {_=>", "}", lambda text: rs("fn a(){" + text + "}")),
    ("rust_vectors", "n vectors in one another.", "vec![", "]", lambda text: rs("fn a(){" + text + "}")),
    ("rust_json", "n objects of `json!` in one another.", '{"a":', "}", lambda text: rs("fn a(){json!(" + text + ");}")),
    ("rust_types", "n types in one another.", "V<", ">", lambda text: rs("type A=" + text + ";")),
    ("rust_modules", "n modules in one another.", "mod a{", "}", rs),
    ("rust_comments", "n comments in one another.", "/*", "*/", rs),
    ("json_arrays", "n arrays of JSON in one another.", "[", "]", lambda text: {".claude/settings.json": text}),
    ("json_objects", "n objects of JSON in one another.", '{"a":', "}", lambda text: {".claude/settings.json": text}),
    ("toml_arrays", "n arrays of TOML in one another.", "[", "]", lambda text: {".codex/config.toml": "a=" + text}),
    ("toml_tables", "n tables of TOML in one another.", "{a=", "}", lambda text: {".codex/config.toml": "a=" + text}),
    ("yaml_arrays", "n arrays of YAML in one another.", "[", "]", lambda text: {".continue/config.yaml": "a: " + text}),
    ("yaml_objects", "n objects of YAML in one another.", "{a: ", "}", lambda text: {".continue/config.yaml": "a: " + text}),
]

for run in RUNS:
    run_of(*run)
for nest in NESTS:
    nest_of(*nest)


@grows(command="check")
def yaml_blocks(n: int) -> dict[str, str]:
    """n mappings in one another, a space deeper each."""
    depth = min(n, 1_000)
    return {".continue/config.yaml": each(depth, lambda i: " " * i + "a:\n") + each(n - depth, lambda i: f"k{i}: 1\n")}


@grows(command="check")
def python_blocks(n: int) -> dict[str, str]:
    """n functions in one another, a space deeper each."""
    depth = min(n, 1_000)
    return py(each(depth, lambda i: " " * i + "def f():\n") + " " * depth + "pass\n" + "x = 1\n" * (n - depth))


@grows(command="check")
def servers_of_one_helper(n: int) -> dict[str, str]:
    """n servers that are handed to one function, which registers ten tools on each."""
    tools = each(10, lambda i: registered(f"tool_{i}"))
    return ts(
        each(n, lambda i: f'const s{i} = new McpServer({{ name: "s{i}", version: "1" }});\nsetup(s{i});\n')
        + "function setup(server) {\n" + tools + "}\n"
    )


@grows(command="check")
def calls_of_nearly_a_tool(n: int) -> dict[str, str]:
    """n tools, and n calls of what is nearly one of them."""
    return ts(
        each(n, lambda i: registered(f"get_{letters(i)}"))
        + each(n, lambda i: f'client.callTool({{ name: "get_{letters(i)[::-1]}" }});\n')
    )


@grows(command="check")
def modules_that_export_each_other(n: int) -> dict[str, str]:
    """n modules, each with everything of two others."""
    modules = {f"m{i}.py": f"from .m{(i + 1) % n} import *\nfrom .m{(i * 7 + 3) % n} import *\n" for i in range(n)}
    return modules | py("from .m0 import *\n@mcp.tool(name=NAME)\ndef f(): pass\n")


@grows(command="check")
def mounts_in_a_row(n: int) -> dict[str, str]:
    """n servers, each of which mounts the one before."""
    return {
        "pyproject.toml": '[project]\nname = "app"\ndependencies = ["fastmcp"]\n',
        "server.py": 'from fastmcp import FastMCP\n\nm0 = FastMCP("m0")\n\n@m0.tool\ndef read_note(): pass\n'
        + each(n, lambda i: f'm{i + 1} = FastMCP("m{i + 1}")\nm{i + 1}.mount(m{i}, prefix="p")\n'),
    }


@grows(command="check", short=False)
def required_names(n: int) -> dict[str, str]:
    """A schema with n parameters, and n names in `required` that are none of them."""
    properties = each(n, lambda i: f'{letters(i)}a: {{ type: "string" }}, ')
    required = each(n, lambda i: f'"{letters(i)}b", ')
    listed = f'{{ name: "read_note", inputSchema: {{ type: "object", properties: {{ {properties} }}, required: [{required}] }} }}'
    handler = f"server.server.setRequestHandler(ListToolsRequestSchema, async () => ({{ tools: [{listed}] }}));\n"
    return ts(handler) | {"toolnames.toml": 'profile = "browser"\n'}


BROWSER = {"toolnames.toml": 'profile = "browser"\n'}


@grows(command="check", n=200, short=False)
def tools_of_one_model(n: int) -> dict[str, str]:
    """n tools of Python that take a model of n fields."""
    model = "class M(BaseModel):\n" + each(n, lambda i: f"    a{i}: int\n")
    return py(model + each(n, lambda i: f"@mcp.tool()\ndef t{i}(a: M): ...\n")) | BROWSER


@grows(command="check", n=200, short=False)
def tools_of_one_struct(n: int) -> dict[str, str]:
    """n tools of Rust that take a struct of n fields."""
    model = "#[derive(JsonSchema)]\nstruct M {" + each(n, lambda i: f"a{i}: i32, ") + "}\nstruct S;\n"
    tool = lambda i: f"#[tool]\nfn t{i}(&self, p: Parameters<M>) {{}}\n"
    return rs(model + "#[tool_router]\nimpl S {\n" + each(n, tool) + "}\n") | BROWSER


def handled(required: str, properties: str, body: str, tools: int) -> dict[str, str]:
    """Tools of one schema and of one handler."""
    schema = f'const M = {{ type: "object", required: [{required}], properties: {{ {properties} }} }};\n'
    tool = lambda i: f'server.registerTool("t{i}", {{ inputSchema: M }}, h);\n'
    return ts(schema + f"async function h(args) {{ {body} }}\n" + each(tools, tool)) | BROWSER


@grows(command="check", n=100, short=False)
def tools_of_one_handler(n: int) -> dict[str, str]:
    """n tools of one handler, which reads a parameter n times."""
    return handled('"z"', 'z: { type: "string" }', each(n, lambda i: "use(args.z); "), n)


@grows(command="check", n=100, short=False)
def tools_of_one_list_of_names(n: int) -> dict[str, str]:
    """n tools of one handler and of one schema, which requires n parameters."""
    reads = each(n, lambda i: f"use(args.a{i}); ")
    return handled(each(n, lambda i: f'"a{i}", '), 'z: { type: "string" }', reads, n)


@grows(command="check", n=50, short=False)
def handlers_in_one_function(n: int) -> dict[str, str]:
    """A function that registers n tools, with the schema and the handler of each."""
    schema = '{ type: "object", required: ["ref"], properties: { ref: { type: "string" } } }'
    tool = lambda i: f'server.registerTool("t{i}", {{ inputSchema: {schema} }}, async (args) => {{ use(args.ref); }});\n'
    return ts("function register(server) {\n" + each(n, tool) + "}\nregister(server);\n") | BROWSER


def imported(prefix: str, n: int) -> dict[str, str]:
    """n tools named by what is imported from n modules."""
    return ts(each(n, lambda i: f'import {{ a{i} }} from "{prefix}x{i}/y";server.tool(a{i},f);\n'))


@grows(command="check", n=150, short=False)
def imports_of_a_package(n: int) -> dict[str, str]:
    """n imports by 4n patterns of a package's own."""
    patterns = each(4 * n, lambda i: f'"#x{i}*": "./z{i}/*", ')
    dependencies = '"dependencies": { "@modelcontextprotocol/sdk": "1" }'
    return imported("#", n) | {"package.json": f'{{ {dependencies}, "imports": {{ {patterns}"#z": "./a.js" }} }}'}


@grows(command="check", n=150, short=False)
def exports_of_a_package(n: int) -> dict[str, str]:
    """n imports by 4n patterns of another package of the workspace."""
    patterns = each(4 * n, lambda i: f'"./x{i}*": "./z{i}/*", ')
    return imported("pk/", n) | {"p/package.json": f'{{ "name": "pk", "exports": {{ {patterns}"./z": "./a.js" }} }}'}


@grows(command="check", n=150, short=False)
def paths_of_a_tsconfig(n: int) -> dict[str, str]:
    """n imports by 4n patterns of a `tsconfig`."""
    patterns = each(4 * n, lambda i: f'"@x{i}*": ["./z{i}/*"], ')
    return imported("@", n) | {"tsconfig.json": f'{{ "compilerOptions": {{ "paths": {{ {patterns}"z": ["a"] }} }} }}'}


@grows(command="check")
def tools_without_titles(n: int) -> dict[str, str]:
    """n tools without a title beside a document, which may have titles for them."""
    return ts(each(n, lambda i: registered(f"read_{letters(i)}"))) | {
        "toolnames.toml": 'profile = "lightdash"\n',
        "README.md": "| Tool | Title |\n| --- | --- |\n" + each(10, lambda i: f"| `read_{letters(i)}` | Read |\n"),
    }


@grows(command="check")
def routes_of_a_gateway(n: int) -> dict[str, str]:
    """A gateway with n routes, and n tools of other servers."""
    routes = each(n, lambda i: f'"syn-{letters(i)}": "mcp__{letters(i)}__", ')
    tools = each(n, lambda i: registered(f"{letters(i)}b_read"))
    return ts(f"const SERVER_ROUTES = {{ {routes} }};\n{tools}") | {"toolnames.toml": 'profile = "syntropy"\n'}


# ── Products ─────────────────────────────────────────────────────────────────────────────────────────────


@grows(command="check")
def names_behind_everything_of_python(n: int) -> dict[str, str]:
    """n imports of everything of a module, and n tools whose names any of them may have."""
    imports = each(n, lambda i: f"from {letters(i)} import *\n")
    return py(imports + each(n, lambda i: f"mcp.add_tool(f, name=Z{letters(i)})\n"))


@grows(command="check")
def names_of_imports_of_rust(n: int) -> dict[str, str]:
    """n imports, and n tools that are named by them."""
    tools = each(n, lambda i: f"#[tool(name = X{i})]\nfn f{i}(&self) {{}}\n")
    return rs(each(n, lambda i: f"use a{i}::X{i};\n") + f"#[tool_router]\nimpl S {{\n{tools}}}\n")


@grows(command="check")
def tools_and_cases(n: int) -> dict[str, str]:
    """n tools, and n cases of a switch over the name that was called."""
    cases = each(n, lambda i: f'case "w{letters(i)}":\n')
    called = f"server.setRequestHandler(CallToolRequestSchema, async (r) => {{ switch (r.params.name) {{ {cases} }} }});\n"
    return ts(each(n, lambda i: registered(f'"v{letters(i)}"')) + called)


@grows(command="check")
def objects_made_again(n: int) -> dict[str, str]:
    """n objects, each made of the entries of one that has n."""
    made = each(n, lambda i: f"const b{i} = Object.fromEntries(Object.entries(a));\n")
    return ts("const a = { " + each(n, lambda i: f"a{i}: 1, ") + "};\n" + made)


@grows(command="check")
def parts_of_a_path(n: int) -> dict[str, str]:
    """An import, a folder and an argument of n parts each."""
    entry = f'"command": "node", "cwd": "{"a/" * n}", "args": ["{"b/" * n}x.js"]'
    return ts(f'import {{ x }} from "./{"a/" * n}x";\n' + registered("x")) | {
        ".mcp.json": f'{{ "mcpServers": {{ "s": {{ {entry} }} }} }}'
    }


# ── What is looked for among many of its kind ────────────────────────────────────────────────────────────


@grows(command="check")
def registrations_of_a_helper(n: int) -> dict[str, str]:
    """A function with n registrations that is called five times."""
    body = each(n, lambda i: f'server.tool(n + "{i}", run);')
    return ts(f"function reg(n) {{{body}}}\n" + each(5, lambda i: f'reg("a{i}_");\n'))


@grows(command="check")
def everything_exported_by_itself(n: int) -> dict[str, str]:
    """n exports of everything, of the file itself, and n names that are imported from it."""
    one = lambda i: f'export * from "./server";import {{ z{i} }} from "./server";server.tool(z{i}, run);\n'
    return ts(each(n, one))


@grows(command="check")
def exports_and_imports(n: int) -> dict[str, str]:
    """n constants that a file exports, and imports from itself."""
    one = lambda i: f'export const a{i} = "b{i}";import {{ a{i} as c{i} }} from "./server";server.tool(c{i}, run);\n'
    return ts(each(n, one))


@grows(command="check")
def functions_of_one_name(n: int) -> dict[str, str]:
    """n functions that are called the same, each called."""
    return ts(each(n, lambda i: f'function g() {{ return "v{i}" }}server.tool(g(), run);\n'))


@grows(command="check")
def python_functions_of_one_name(n: int) -> dict[str, str]:
    """The same in Python."""
    return py(each(n, lambda i: f'def g(): return "v{i}"\nmcp.add_tool(f, name=g())\n'))


@grows(command="check")
def loops_over_one_list(n: int) -> dict[str, str]:
    """n loops over a list that is nested deeper than is followed."""
    nested = "[" * 1500 + '"a"' + "]" * 1500
    return ts(f"const a = [{nested}];\n" + "for (const x of a.flat(Infinity)) server.tool(x, run);\n" * n)


@grows(command="check")
def cases_of_a_function(n: int) -> dict[str, str]:
    """A function of n cases that is called ten times."""
    cases = each(n, lambda i: f'case "a{i}": return "b{i}";')
    return ts(f"function g(x) {{ switch (x) {{ {cases} }} }}\n" + each(10, lambda i: f'server.tool(g("a{i}"), run);\n'))


@grows(command="check")
def decorators_of_a_function(n: int) -> dict[str, str]:
    """n decorators of one function."""
    return py(each(n, lambda i: f'@mcp.tool(name="a{i}")\n') + "def f(): pass\n")


@grows(command="check")
def compared_names(n: int) -> dict[str, str]:
    """n names of a wrong form that a called tool is compared with."""
    cases = each(n, lambda i: f'if (r.params.name === "Bad-{i}") run();\n')
    handler = f"server.setRequestHandler(CallToolRequestSchema, async (r) => {{\n{cases}}});\n"
    return ts(handler) | {"toolnames.toml": 'profile = "chora"\n'}


@grows(command="check")
def aliases_of_one_tool(n: int) -> dict[str, str]:
    """n tools, each the alias of one that is not there."""
    return ts(each(n, lambda i: f'// toolnames: alias of a0\nserver.tool("a{i}", run);\n'))
