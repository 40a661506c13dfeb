"""What the next mechanic should know."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("notes")

EXPORT = "notes/export"


class Guarded(StrEnum):
    """Named in `.claude/settings.json`, whatever their functions come to be called."""

    DELETE = "delete_note"
    EMPTY_BIN = "empty_bin"


@dataclass
class Note:
    text: str
    tags: set[str]
    written: date


notes = {
    "truing stand": Note(
        "The left arm is bent. Trust the right one.", {"tools"}, date(2025, 9, 2)
    ),
    "tandems": Note(
        "Ask both riders. They never agree.", {"customers"}, date(2025, 11, 17)
    ),
    "coffee": Note(
        "The machine is not ours. Do not repair it again.", set(), date(2026, 1, 12)
    ),
}
binned: dict[str, Note] = {}


@mcp.tool()
def list_notes() -> list[str]:
    """List the titles of all notes."""
    return sorted(notes)


@mcp.tool()
def read_note(title: str) -> str:
    """Read one note."""
    return notes[title].text


@mcp.tool()
def search_notes(words: str) -> list[str]:
    """Find the notes that contain some words."""
    words = words.casefold()
    return [title for title, note in notes.items() if words in note.text.casefold()]


@mcp.tool(name="search_notes")
def search_by_tag(tag: str) -> list[str]:
    """Find the notes that carry a tag."""
    return [title for title, note in notes.items() if tag in note.tags]


@mcp.tool()
def today() -> list[str]:
    """List the notes that were written today."""
    return [title for title, note in notes.items() if note.written == date.today()]


@mcp.tool()
def write_note(title: str, text: str, tags: list[str] | None = None) -> None:
    """Write a note, in place of one of the same title."""
    notes[title] = Note(text, set(tags or []), date.today())


@mcp.tool(name=EXPORT)
def export() -> str:
    """Put all notes into one Markdown document."""
    return "\n\n".join(f"# {title}\n\n{note.text}" for title, note in notes.items())


@mcp.tool(name=Guarded.DELETE)
def move_to_bin(title: str) -> None:
    """Move a note to the bin."""
    binned[title] = notes.pop(title)


@mcp.tool(name=Guarded.EMPTY_BIN)
def forget() -> int:
    """Forget every note in the bin, for good; answer how many there were."""
    count = len(binned)
    binned.clear()
    return count


def main() -> None:
    mcp.run()


if __name__ == "__main__":
    main()
