"""MANIFEST.md from what was counted: a page to be read in one sitting."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from pairset.labels import UNSTABLE

Row = dict[str, Any]
READINGS = ("all", *(f"without_{flag}" for flag in UNSTABLE), "without_all_of_these")
LABELS = ("tied", "separated", "gold_error", "neighbor_error", "both_error", None)


def render(manifest: dict[str, Any]) -> str:
    """The page; the same manifest gives the same bytes."""
    sections = (
        _head, _corpora, _pairs, _record, _classes, _operators, _flags, _runs, _yields, _mutants,
        _refused, _verdicts, _tables, _versions, _commands,
    )  # fmt: skip
    written = (section(manifest).strip("\n") for section in sections)
    return "\n\n".join(filter(None, written)) + "\n"


def _head(manifest: dict[str, Any]) -> str:
    warning = ""
    if manifest["evaluation_data"]:
        warning = (
            "**Holds evaluation data**: a corpus of this build may have development or test rows."
            "\n\n"
        )
    names = ", ".join(corpus["name"] for corpus in manifest["settings"]["corpora"])
    pairs = _total(manifest["pairs"]["by_generator"])
    tied = _total(r for r in manifest["labels"]["all"] if r["label"] == "tied")
    return (
        f"{warning}# What this build holds\n\n"
        f"{pairs:,} pairs over the golds of {names}; {tied:,} of them are tied on the original "
        "databases, and those are the denominator of record.\n\n"
        "Every count and digest below is made from the tables alone: the same corpus gives the "
        "same page, on any machine, whatever the number of workers."
    )


def _corpora(manifest: dict[str, Any]) -> str:
    columns = (
        "dataset", "samples", "databases", "references", "golds", "golds_parsed", "gold_cut",
        "gold_order_ties", "gold_bare_column",
    )  # fmt: skip
    golds = (
        [r["dataset"], r["status"] or "no database", r["error_class"], r["rows"]]
        for r in manifest["golds"]
    )
    return (
        "## Corpora\n\n"
        + table(columns, ([r[c] for c in columns] for r in manifest["corpora"]))
        + "\n\nWhat became of the golds themselves:\n\n"
        + table(("dataset", "status", "error class", "golds"), golds)
    )


def _pairs(manifest: dict[str, Any]) -> str:
    rows = manifest["pairs"]["by_generator"]
    body = ([r["dataset"], r["generator"], r["order"], r["rows"]] for r in rows)
    return "## Pairs\n\n" + table(("dataset", "generator", "order", "pairs"), body)


def _record(manifest: dict[str, Any]) -> str:
    """Labels by dataset and generator, then the readings that leave flagged pairs out."""
    labels = manifest["labels"]
    first = _pivot(labels["all"], ("dataset", "generator"))
    readings = [(name.replace("_", " "), *_by_label(labels[name])) for name in READINGS]
    return (
        "## Labels\n\n"
        "A pair is tied when both queries ran and gave the same answer. Pairs without a label have "
        "no database to run on.\n\n"
        + first
        + "\n\nThe record, and the record without the pairs of a flag:\n\n"
        + table(("reading", *_label_names()), readings)
        + "\n\nOf record (the first neighbour of each structural form of a gold):\n\n"
        + _pivot(manifest["pairs"]["of_record"], ("dataset", "generator"))
    )


def _classes(manifest: dict[str, Any]) -> str:
    return "## By kind of difference\n\n" + _pivot(
        manifest["pairs"]["by_class"], ("mutation_class",)
    )


def _operators(manifest: dict[str, Any]) -> str:
    return "## By operator (first order)\n\n" + _pivot(
        manifest["pairs"]["by_operator"], ("operator",)
    )


def _flags(manifest: dict[str, Any]) -> str:
    return (
        "## Flags\n\n"
        + _pivot(manifest["flags"], ("flag",))
        + "\n\nRuns with over a million distinct rows, for which no set digest is kept: "
        + f"{manifest['set_digest_unknown']}."
    )


def _runs(manifest: dict[str, Any]) -> str:
    rows = ([r["dataset"], r["status"], r["error_class"], r["rows"]] for r in manifest["runs"])
    return (
        "## Runs\n\n"
        + table(("dataset", "status", "error class", "queries"), rows)
        + "\n\nEnded by wall time, which depends on the machine: "
        + f"{manifest['stopped_by_wall_time']}."
    )


def _yields(manifest: dict[str, Any]) -> str:
    outcomes = sorted({row["outcome"] for row in manifest["yields"]})
    found: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    for row in manifest["yields"]:
        found[row["generator"], row["operator"]][row["outcome"]] = row["rows"]
    body = (
        [*key, *(counted.get(o, 0) for o in outcomes)] for key, counted in sorted(found.items())
    )
    heads = ("generator", "operator", *(outcome.replace("_", " ") for outcome in outcomes))
    return "## What the generators offered\n\n" + table(heads, body)


def _mutants(manifest: dict[str, Any]) -> str:
    """How many mutants each class gives a gold, a dataset beside the other; and how they came."""
    golds = {row["dataset"]: row["golds_parsed"] for row in manifest["corpora"]}
    found: dict[str, dict[str, Row]] = defaultdict(dict)
    for row in manifest["operators"]:
        found[row["operator"]][row["dataset"]] = row
    heads = ["operator", *(f"{name}: {head}" for name in golds for head in _KEPT)]
    none = {"alone": 0, "in_two": 0}
    body = [
        [code, *(c for name, n in golds.items() for c in _kept(rows.get(name, none), n))]
        for code, rows in found.items()
    ]
    return (
        "## Mutants that were kept, by operator and dataset\n\n"
        + table(heads, body)
        + f"\n\n{_how(manifest['settings']['generators']['mutants'])} {manifest['reread']:,} "
        "mutants, drawn by their ids, were read again from their own text, and each said what its "
        "row says."
    )


_KEPT = ("one edit", "a gold", "in two edits")


def _kept(row: Row, golds: int) -> tuple[int, str, int]:
    return row["alone"], f"{row['alone'] / golds:.2f}" if golds else "", row["in_two"]


def _how(settings: Row) -> str:
    if not settings["enabled"]:
        return "The grammar was off."
    most = f"A gold has {settings['cap']:,} mutants at most."
    if not settings["second_order"]:
        return f"{most} None has two edits."
    drawn = {
        "observed": "weighted by how often models err in those two ways, as a published study of "
        "model errors on BIRD development questions counts them",
        "uniform": "every class as likely as any other",
    }
    return f"{most} Those of two edits are drawn, {drawn[settings['weights']]}."


def _refused(manifest: dict[str, Any]) -> str:
    rows = manifest["refused"]
    if not rows:
        return "## Refused\n\nNothing was refused."
    body = ([r["stage"], r["dataset"], r["reason"], r["rows"]] for r in rows)
    return (
        "## Refused\n\nEach row stands in the table `refused_<stage>` with its place and the "
        "reason.\n\n" + table(("stage", "dataset", "reason", "rows"), body)
    )


def _verdicts(manifest: dict[str, Any]) -> str:
    """What people said of pairs; nothing where nobody did."""
    found = manifest.get("verdicts")
    if found is None:
        return ""
    rows = ([r["verdict"], r["verdicts"], r["pairs"]] for r in found["by_kind"])
    unread = ", ".join(str(line) for line in found["unread_lines"])
    return (
        "## Verdicts\n\nWhat people said of pairs; the last verdict of a person on a pair counts."
        "\n\n"
        + table(("verdict", "verdicts", "pairs"), rows)
        + f"\n\n{found['pairs']:,} pairs by {found['reviewers']:,} people; on "
        f"{found['pairs_reviewers_differ']:,} pairs they differ. {found['replaced']:,} verdicts "
        f"were replaced by a later one. {found['pairs_not_in_build']:,} of the pairs are not in "
        "this build." + (f" Lines of the file that could not be read: {unread}." if unread else "")
    )


def _tables(manifest: dict[str, Any]) -> str:
    columns = ("table", "files", "rows", "bytes", "rows_sha256", "files_sha256")
    return (
        "## Tables\n\n`rows_sha256` is over the rows, whatever wrote them; `files_sha256` over the "
        "files, which another version of the Parquet writer would change.\n\n"
        + table(columns, ([r[c] for c in columns] for r in manifest["tables"]))
    )


def _versions(manifest: dict[str, Any]) -> str:
    versions = manifest["versions"]
    rows = [
        (name, ", ".join(v) if isinstance(v, list) else v) for name, v in sorted(versions.items())
    ]
    executor = manifest["settings"]["executor"]
    return (
        "## Versions and terms\n\n"
        + table(("what", "version"), rows)
        + f"\n\nQueries run with the clock at {executor['clock']}, the seed {executor['seed']}, a "
        f"budget of {executor['max_vm_steps']:,} VM steps, and {executor['timeout_s']:g} s of wall "
        "time behind it."
    )


def _commands(manifest: dict[str, Any]) -> str:
    sample = [c["layout"] for c in manifest["settings"]["corpora"]] == ["sample"]
    option = "" if sample else " --config CONFIG.toml"
    return f"## Commands\n\n```\npairset run{option}\npairset verify-comparator{option}\n```"


def table(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A Markdown table; numbers are set to the right, with thousands apart."""
    body = [[_cell(value) for value in row] for row in rows]
    lines = ["| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in body])


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, int):
        return f"{value:,}"
    text = str(value)
    return f"`{text}`" if len(text) == 64 else text


def _total(rows: Iterable[Row]) -> int:
    return sum(row["rows"] for row in rows)


def _label_names() -> list[str]:
    return [name or "no label" for name in LABELS]


def _by_label(rows: Iterable[Row]) -> list[int]:
    found: dict[str | None, int] = defaultdict(int)
    for row in rows:
        found[row["label"]] += row["rows"]
    return [found[label] for label in LABELS]


def _pivot(rows: Iterable[Row], by: Sequence[str]) -> str:
    """Rows counted by label, one column a label, with a total below."""
    groups: dict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row in rows:
        groups[tuple(row[name] for name in by)].append(row)
    body: list[list[Any]] = [[*key, *_by_label(found)] for key, found in groups.items()]
    if len(body) > 1:
        all_rows = [row for found in groups.values() for row in found]
        body.append(["all", *[""] * (len(by) - 1), *_by_label(all_rows)])
    return table((*(name.replace("_", " ") for name in by), *_label_names()), body)
