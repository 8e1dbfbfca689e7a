"""The dataset card: what the Hub reads of it (YAML), and what a person does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from huggingface_hub import DatasetCardData

from pairset.config import Publication
from pairset.manifest.markdown import table

FIELDS = {
    "Name": "text",
    "Affiliation": "text",
    "Intended use": "text",
    "I will not train or select on evaluation data by means of this data": "checkbox",
}
"""What a person who asks for access is asked."""

EVALUATION = "**Holds evaluation data**: its corpora may have development or test rows.\n\n"


@dataclass(frozen=True, slots=True)
class Card:
    """A card: its title, the parts that ``load_dataset`` can name, and its text."""

    title: str
    configs: Sequence[Mapping[str, Any]]
    text: str

    def render(self, terms: Publication) -> str:
        """The whole README.md; the same card and terms give the same bytes."""
        data = DatasetCardData(
            pretty_name=self.title,
            license=terms.license,
            task_categories=["text-generation"],
            tags=["text-to-sql", "pairset"],
            configs=[dict(one) for one in self.configs] or None,
            extra_gated_prompt=terms.terms,
            extra_gated_fields=FIELDS,
        )
        return f"---\n{data.to_yaml(line_break=chr(10)).strip()}\n---\n\n{self.text.strip()}\n"


def config(name: str, files: str, *, default: bool = False, split: str = "train") -> dict[str, Any]:
    """A part that can be loaded by name."""
    first = {"default": True} if default else {}
    return {"config_name": name, **first, "data_files": [{"split": split, "path": files}]}


def numbered(folder: str, name: str) -> str:
    """A pattern for the shards of that name, and of no name that only begins like it."""
    return f"{folder}/{name}-?????-of-?????.parquet"


def code(text: object) -> str:
    """A text from outside as a piece of code on one line."""
    return f"`{' '.join(str(text).split()).replace('`', '')}`"


def safe(text: object) -> str:
    """A text from outside as text: no markup, one line, and it ends no cell."""
    line = " ".join(str(text).split()).replace("\\", "\\\\").replace("|", "\\|")
    line = line.replace("&", "&amp;").replace("<", "&lt;").replace("`", "&#96;")
    return line.replace("[", "&#91;").replace("*", "&#42;").replace("_", "\\_")


def build_card(manifest: Mapping[str, Any], *, audited: bool) -> Card:
    """The card of a build, with the counts of its manifest."""
    datasets = sorted(one["dataset"] for one in manifest["corpora"])
    configs = [config("pairs", "pairs/*.parquet", default=True)]
    if len(datasets) > 1:
        configs += [config(f"pairs-{name}", numbered("pairs", name)) for name in datasets]
    configs += [config(name, f"{name}/*.parquet") for name in ("runs", "labels")]
    names = ", ".join(map(safe, datasets))
    parts = [
        (EVALUATION if manifest["evaluation_data"] else "") + f"# Pairs over {names}",
        _what(manifest),
        _counts(manifest),
        _columns(audited),
        _use(configs),
    ]
    return Card(f"Pairs over {', '.join(datasets)}", configs, "\n\n".join(parts))


def _what(manifest: Mapping[str, Any]) -> str:
    rows = manifest["labels"]["all"]
    tied = _sum(rows, "tied")
    return (
        "A pair is the gold query of a training question and a query that is nearly it. Both were "
        "run on the question's database: a pair is *tied* where they gave the same answer, "
        f"*separated* where not. There are {_sum(rows):,} pairs, and {tied:,} of them are tied: "
        "what a check by execution on those databases cannot see. A tie is no proof that two "
        "queries mean the same."
    )


def _counts(manifest: Mapping[str, Any]) -> str:
    rows = manifest["labels"]["all"]
    kinds = sorted({(row["dataset"], row["generator"]) for row in rows})
    heads = ("dataset", "generator", "pairs", "tied", "separated", "with an error", "no label")
    body = []
    for kind in kinds:
        of = [row for row in rows if (row["dataset"], row["generator"]) == kind]
        known = [_sum(of, label) for label in ("tied", "separated", None)]
        errors = _sum(of) - sum(known)
        body.append([*map(safe, kind), _sum(of), *known[:2], errors, known[2]])
    return (
        "## Counts\n\n" + table(heads, body) + "\n\n"
        "Every other count, what was refused and why, the versions and the digests of all tables "
        "are in [MANIFEST.md](MANIFEST.md) and `manifest.json`. Pairs without a label have no "
        "database to run on."
    )


def _columns(audited: bool) -> str:
    audit = (
        "`provenance_check` and `provenance_note` say whether the neighbour belongs to the "
        "question at all, and why."
        if audited
        else "This build was not audited: `provenance_check` and `provenance_note` are null."
    )
    return (
        "## What is in it\n\n"
        "- `pairs`: one row a pair, with its two queries, its question, what sets them apart, and "
        "beside them its `label`, `gold_row_count`, `neighbor_row_count` and `exec_flags`.\n"
        "- `runs`: one row a distinct query, run once on the corpus's own databases: its status, "
        "and digests of its rows.\n"
        "- `labels`: one row a pair whose database is there.\n"
        "- `summary.json`: the sha256 of every file. It is written last, so where it is there the "
        "publication is whole.\n\n"
        f"{audit} A `pair_id` is the sha256 of the JSON list of dataset, db_id, gold_sql and "
        "neighbor_sql. Rows of one database lie together."
    )


def _use(configs: Sequence[Mapping[str, Any]]) -> str:
    names = ", ".join(f"`{one['config_name']}`" for one in configs)
    return (
        "## How to read it\n\nAccess is granted by hand. Once you have it:\n\n```python\n"
        "from datasets import load_dataset\n\n"
        'pairs = load_dataset("OWNER/NAME", "pairs", split="train", streaming=True)\n```\n\n'
        f"The parts are {names}."
    )


def _sum(rows: Sequence[Mapping[str, Any]], label: str | None = "*") -> int:
    return sum(row["rows"] for row in rows if label in ("*", row["label"]))
