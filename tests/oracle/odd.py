"""Keys and names that clients disagree about, and the ways in which an entry names more or something else."""

KEYS = ["fs", "my-fs", "my_fs", "a.b", "a__b", "_fs_", "My FS", "FS", "mcp"]
TOOLS = ["read_file", "read-file", "read.file", "readFile", "read__file", "_read", "READ_FILE", "read file"]


def slip(random, name):
    """A name as someone would misspell it, which may be the name itself."""
    return random.choice(
        [
            name.upper(),
            name.lower(),
            name.replace("-", "_"),
            name.replace("_", "-"),
            name.replace("__", "_"),
            name.replace("_", "__", 1),
            name.replace("_", ":", 1),
            name.replace("_", "/", 1),
            name + "s",
            name[:-1],
            name + " ",
            f"{name}(*)",
        ]
    )


def glob(random, name):
    """A pattern that covers a name where a client reads wildcards."""
    cut = random.randrange(len(name))
    return random.choice(
        [name[:cut] + "*", "*" + name[cut:], name[:cut] + "*" + name[-1:], name[:cut] + "?" + name[cut + 1 :]]
    )


def tools_of(random, wire_name):
    """Three tools whose names stay apart when a client rewrites them."""
    while True:
        tools = random.sample(TOOLS, 3)
        if len({wire_name(tool).lower() for tool in tools}) == len(tools):
            return tools
