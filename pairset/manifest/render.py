"""MANIFEST.md from what was counted: a page to be read in one sitting."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from pairset.labels import UNSTABLE
from pairset.manifest.audit import audit_section
from pairset.manifest.markdown import cell, table

Row = dict[str, Any]
READINGS = ("all", *(f"without_{flag}" for flag in UNSTABLE), "without_all_of_these")
LABELS = ("tied", "separated", "gold_error", "neighbor_error", "both_error", None)


def render(manifest: dict[str, Any]) -> str:
    """The page; the same manifest gives the same bytes."""
    sections = (
        _head, _changes, _labels, _readings, _classes, audit_section, _corpora, _failed, _refused,
        _of_record, _offered, _operators, _mutants, _flags, _tables, _versions, _commands,
    )  # fmt: skip
    made = (section(manifest).strip("\n") for section in sections)
    return "\n\n".join(text for text in made if text) + "\n"


def _head(manifest: dict[str, Any]) -> str:
    warning = ""
    if manifest["evaluation_data"]:
        warning = (
            "**Holds evaluation data**: a corpus of this build may have development or test rows."
            "\n\n"
        )
    names = ", ".join(corpus["name"] for corpus in manifest["settings"]["corpora"])
    pairs = _total(manifest["pairs"]["by_generator"])
    tied = manifest["tied_set"]
    left_out = "".join(
        f" {count:,} more are left out as `{check}`." for check, count in tied["left_out"].items()
    )
    return (
        f"{warning}# What this build holds\n\n"
        f"{pairs:,} pairs over the golds of {names}. {tied['pairs']:,} of them are tied on the "
        f"original databases: the denominator of record, with the digest `{tied['sha256']}`."
        f"{left_out}\n\n"
        "Every count and digest is made from the tables alone: the same corpus gives the same "
        "page, on any machine, whatever the number of workers. What needs a decision comes first; "
        'from "Of record" on it is for looking up, and `manifest.json` has all of it, and more.'
    )


def _changes(manifest: dict[str, Any]) -> str:
    """What changed since another build, where one was named."""
    found = manifest.get("changes")
    if found is None:
        return ""
    head = f"## What changed\n\nAgainst the build in the state `{found['against']}`"
    if found["same"]:
        return f"{head}: nothing."
    parts = [f"{head}, rows by all that is in them:", _changed_tables(found["tables"])]
    if found["relabelled"]:
        rows = ([r["before"], r["now"], r["pairs"]] for r in found["relabelled"])
        heads = ("before", "now", "pairs")
        parts += ["Pairs of both builds whose label changed:", table(heads, rows)]
    elif found["relabelled"] is not None:
        parts.append("No pair that both builds have changed its label.")
    for name, key in (("labels", "label"), ("refused", "reason")):
        if found[name]:
            rows = ([r[key], r["before"], r["now"]] for r in found[name])
            parts += [f"Counts of {name}:", table((key, "before", "now"), rows)]
    parts += [
        f"{row['what']} was {_version(row['before'])} and is {_version(row['now'])}."
        for row in found["versions"]
    ]
    if found["settings_changed"]:
        parts.append("The settings are not the same.")
    return "\n\n".join(part for part in parts if part)


def _changed_tables(rows: Sequence[Row]) -> str:
    if not rows:
        return "No table has other rows."
    columns = ("table", "before", "now", "added", "removed")
    return table(columns, ([row[c] for c in columns] for row in rows))


def _version(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return cell(value) or "none"


def _labels(manifest: dict[str, Any]) -> str:
    """Labels by dataset and generator."""
    return (
        "## Labels\n\n"
        "A pair is tied when both queries ran and gave the same answer. Pairs without a label have "
        "no database to run on.\n\n" + _pivot(manifest["labels"]["all"], ("dataset", "generator"))
    )


def _readings(manifest: dict[str, Any]) -> str:
    """The record, then what is left without the pairs of a flag."""
    labels = manifest["labels"]
    readings = [(name.replace("_", " "), *_by_label(labels[name])) for name in READINGS]
    return "The record, and the record without the pairs of a flag:\n\n" + table(
        ("reading", *_label_names()), readings
    )


def _classes(manifest: dict[str, Any]) -> str:
    rows = manifest["pairs"]["by_class"]
    several = len({row["dataset"] for row in rows}) > 1
    by = ("mutation_class", "dataset") if several else ("mutation_class",)
    return "## By kind of difference\n\n" + _pivot(rows, by)


def _corpora(manifest: dict[str, Any]) -> str:
    columns = (
        "dataset", "samples", "databases", "references", "golds", "golds_parsed", "gold_cut",
        "gold_order_ties", "gold_bare_column",
    )  # fmt: skip
    return "## Corpora\n\n" + table(columns, ([r[c] for c in columns] for r in manifest["corpora"]))


def _failed(manifest: dict[str, Any]) -> str:
    """Golds and queries that did not run, and the machine's part in it."""
    golds = {(r["dataset"], r["status"], r["error_class"]): r["rows"] for r in manifest["golds"]}
    runs = {(r["dataset"], r["status"], r["error_class"]): r["rows"] for r in manifest["runs"]}
    keys = [key for key in dict.fromkeys([*golds, *runs]) if key[1] != "ok"]
    rows = (
        [key[0], key[1] or "no database", key[2], golds.get(key, 0), runs.get(key, 0)]
        for key in sorted(keys, key=str)
    )
    ran = sum(count for key, count in runs.items() if key[1] == "ok")
    head = f"## Queries that did not run\n\n{ran:,} queries ran. "
    ended = (
        "\n\nEnded by wall time, which depends on the machine: "
        + f"{manifest['stopped_by_wall_time']:,}."
    )
    if not keys:
        return head + "None failed." + ended
    heads = ("dataset", "status", "error class", "golds", "queries")
    return f"{head}These did not:\n\n{table(heads, rows)}{ended}"


def _of_record(manifest: dict[str, Any]) -> str:
    return "## Of record\n\nThe first neighbour of each structural form of a gold:\n\n" + _pivot(
        manifest["pairs"]["of_record"], ("dataset", "generator")
    )


def _operators(manifest: dict[str, Any]) -> str:
    return "## By operator (first order)\n\n" + _pivot(
        manifest["pairs"]["by_operator"], ("operator",)
    )


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


def _flags(manifest: dict[str, Any]) -> str:
    return (
        "## Flags\n\n"
        + _pivot(manifest["flags"], ("flag",), totals=False)
        + "\n\nRuns with over a million distinct rows, for which no set digest is kept: "
        + f"{manifest['set_digest_unknown']:,}."
    )


def _offered(manifest: dict[str, Any]) -> str:
    """What became of everything that a generator offered; by operator it is in the JSON."""
    found: dict[tuple[str, str], int] = defaultdict(int)
    for row in manifest["yields"]:
        found[row["generator"], row["outcome"]] += row["rows"]
    rows = ([generator, outcome, count] for (generator, outcome), count in sorted(found.items()))
    return "## What the generators offered\n\n" + table(("generator", "outcome", "queries"), rows)


def _refused(manifest: dict[str, Any]) -> str:
    rows = manifest["refused"]
    if not rows:
        return "## Refused\n\nNothing was refused."
    body = ([r["stage"], r["dataset"], r["reason"], r["rows"]] for r in rows)
    return (
        "## Refused\n\nEach row stands in the table `refused_<stage>` with its place and the "
        "reason.\n\n" + table(("stage", "dataset", "reason", "rows"), body)
    )


def _tables(manifest: dict[str, Any]) -> str:
    columns = ("table", "files", "rows", "bytes")
    rows = ([*(r[c] for c in columns), f"`{r['rows_sha256'][:16]}`"] for r in manifest["tables"])
    return (
        "## Tables\n\nThe digest is over the rows, whatever wrote them; `manifest.json` has it in "
        "full, and the files' own.\n\n" + table((*columns, "rows_sha256"), rows)
    )


def _versions(manifest: dict[str, Any]) -> str:
    rows = [(name, _version(value)) for name, value in sorted(manifest["versions"].items())]
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


def _total(rows: Iterable[Row]) -> int:
    return sum(row["rows"] for row in rows)


def _label_names() -> list[str]:
    return [name or "no label" for name in LABELS]


def _by_label(rows: Iterable[Row]) -> list[int]:
    found: dict[str | None, int] = defaultdict(int)
    for row in rows:
        found[row["label"]] += row["rows"]
    return [found[label] for label in LABELS]


def _pivot(rows: Iterable[Row], by: Sequence[str], *, totals: bool = True) -> str:
    """Rows counted by label, one column a label, with a total below."""
    groups: dict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row in rows:
        groups[tuple(row[name] for name in by)].append(row)
    body: list[list[Any]] = [[*key, *_by_label(found)] for key, found in groups.items()]
    if totals and len(body) > 1:
        all_rows = [row for found in groups.values() for row in found]
        body.append(["all", *[""] * (len(by) - 1), *_by_label(all_rows)])
    return table((*(name.replace("_", " ") for name in by), *_label_names()), body)
