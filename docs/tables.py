"""The page of the tables: columns and types from the schema, their meaning from pairset's page."""

import re
from collections.abc import Iterator
from itertools import groupby

from docs.markdown import section, table
from docs.repository import text_of, with_links
from pairset.schema import TABLES, Table

SOURCE = "pairset/README.md"
TARGET = "reference/tables.md"
SHARED = "In several tables"

HEAD = """# Tables

A build is a folder of Parquet files, one a table and database. Names, types and keys are those
that the code declares; rows are sorted by the key, and the key is unique within a file. What a
build is, and what flags mean, is told on the page of [pairset](../packages/pairset.md).
"""


def page() -> str:
    """The page of all tables."""
    told = explained()
    return "\n".join([HEAD, *(_table(one, told) for one in TABLES.values())])


def explained() -> dict[str, dict[str, str]]:
    """What pairset's page says of each column, by table; ``""`` has the sentence about the table.

    A paragraph that begins with names in bold is about those tables, and so are the rows after
    it, up to the next one. What stands in it of columns that have no row is the sentence itself.
    """
    found: dict[str, dict[str, str]] = {}
    parts = re.split(r"^\*\*([\w, ]+)\*\*: ?", text_of(SOURCE), flags=re.MULTILINE)
    for names, text in zip(parts[1::2], parts[2::2], strict=True):
        about = {"": _sentence(text)} | _rows(text)
        found |= dict.fromkeys(re.findall(r"\w+", names), about)
    return found


def _sentence(text: str) -> str:
    return with_links(text.split("\n\n")[0].strip(), SOURCE, TARGET)


def _rows(text: str) -> dict[str, str]:
    until = re.split(r"^#", text, maxsplit=1, flags=re.MULTILINE)[0]
    rows = re.findall(r"^\| (`.+?) \| (.+) \|$", until, re.MULTILINE)
    return {
        column: with_links(words, SOURCE, TARGET)
        for columns, words in rows
        for column in re.findall(r"\w+", columns)
    }


def _table(one: Table, told: dict[str, dict[str, str]]) -> str:
    about = shared() | told[one.name]
    rows = [
        [
            ", ".join(f"`{name}`" for name, _ in some),
            ", ".join(dict.fromkeys(kind for _, kind in some)),
            words,
        ]
        for words, some in _together(one, about)
    ]
    key = ", ".join(f"`{name}`" for name in one.key)
    sentence = about[""][:1].upper() + about[""][1:]
    columns = table(["column", "type", "what it is"], rows)
    return f"## {one.name}\n\n{sentence}\n\nKey: {key}.\n\n{columns}"


def _together(one: Table, about: dict[str, str]) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """The columns in their order, those that stand together and are told together in one row."""
    named = [
        (about.get(field.name, ""), (field.name, _type(str(field.type)))) for field in one.schema
    ]
    for words, some in groupby(named, key=lambda each: each[0]):
        yield words, [column for _, column in some]


def shared() -> dict[str, str]:
    """What a column means that several tables have; a table's own words come first."""
    return _rows(section(text_of(SOURCE), SHARED))


def _type(name: str) -> str:
    return re.sub(r"list<\w+: (.+)>", lambda found: f"list of {_type(found[1])}", name)
