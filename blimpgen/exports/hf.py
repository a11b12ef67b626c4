"""``hf``: a folder that the datasets library loads with the columns and types of the released BLiMP, with a card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from jinja2.sandbox import SandboxedEnvironment

from blimpgen.base.errors import DataError, Place, listing
from blimpgen.exports.source import Files, Options, Source
from blimpgen.exports.tabular import CREDIT, LICENCE, hub_rows, json_lines

__all__ = ["files"]

_CARD = Path(__file__).with_name("card.md.jinja")
_SIZES = (
    (1_000, "n<1K"),
    (10_000, "1K<n<10K"),
    (100_000, "10K<n<100K"),
    (1_000_000, "100K<n<1M"),
    (10_000_000, "1M<n<10M"),
)


def files(source: Source, options: Options) -> Files:
    """``data/UID.jsonl`` for every paradigm, and the card ``README.md`` with their features.

    Args:
        source, options: as in `Format.files`.
    """
    configs, infos = [], []
    for uid in source.rows:
        rows = hub_rows(source, uid, keep_prefix=options.keep_prefix)
        contents = json_lines(rows)
        path = f"data/{uid}.jsonl"
        configs.append({"config_name": uid, "data_files": [{"split": "train", "path": path}]})
        infos.append(
            {
                "config_name": uid,
                "features": _features(source, uid, rows),
                "splits": [{"name": "train", "num_bytes": len(contents), "num_examples": len(rows)}],
            }
        )
        yield path, contents
    yield "README.md", _card(source, options, configs, infos)


def _features(source: Source, uid: str, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """Name and type of every column.

    Raises:
        DataError: a column that only some rows have, or with values of two types.
    """
    types = {key: _type(key, value) for key, value in rows[0].items()}
    for row in rows:
        if {key: _type(key, value) for key, value in row.items()} != types:
            raise DataError(
                f"{uid}: the row {row['pair_id']} has other keys or types than the first; a table has the "
                "same columns in all rows",
                Place(source.path),
            )
    return [{"name": key, "dtype": dtype} for key, dtype in types.items()]


def _type(key: str, value: object) -> str:
    if isinstance(value, bool):
        return "bool"
    return "string" if isinstance(value, str) else "int32" if key == "pair_id" else "int64"


def _card(source: Source, options: Options, configs: list[dict[str, Any]], infos: list[dict[str, Any]]) -> str:
    count = sum(map(len, source.rows.values()))
    size = next((name for most, name in _SIZES if count < most), "10M<n<100M")
    head = {
        "license": LICENCE,
        "language": list(source.languages),
        "pretty_name": options.name,
        "annotations_creators": ["machine-generated"],
        "language_creators": ["machine-generated"],
        "size_categories": [size],
        "task_categories": ["text-classification"],
        "task_ids": ["acceptability-classification"],
        "configs": configs,
        "dataset_info": infos,
    }
    first = next(iter(source.rows.values()))[0]
    # Markdown, not HTML: what is filled in must not be escaped for HTML; the environment is sandboxed instead.
    template = SandboxedEnvironment(autoescape=False, trim_blocks=True).from_string(_CARD.read_text(encoding="utf-8"))
    return template.render(
        head=yaml.safe_dump(head, sort_keys=False, allow_unicode=True, width=1000),
        name=options.name,
        count=count,
        uids=list(source.rows),
        example=json_lines([hub_rows(source, first["UID"])[0]]).decode(),
        credit=CREDIT,
        languages=listing(source.languages.values()),
        made_by=source.made_by,
        generated=source.manifest is not None,
        keep_prefix=options.keep_prefix,
        terms=source.groups("linguistics_term"),
    )
