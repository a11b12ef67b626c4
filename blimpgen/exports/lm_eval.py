"""``lm-eval``: a folder of tasks for lm-evaluation-harness, used with ``--include_path``.

The harness puts a space before every choice unless it is told not to, takes paths of data files from the folder in
which it runs, and reads every file that ends in ``.yaml`` as a task; so the template sets an empty delimiter, the
paths are absolute, and the template's name has no such ending. A tie counts as correct there (`argmax`).
"""

from __future__ import annotations

import re
from typing import Any

import yaml

from blimpgen.base.errors import DataError, Place, UsageError
from blimpgen.exports.source import Files, Options, Source
from blimpgen.exports.tabular import json_lines

__all__ = ["files"]

VERSION = 1.0
_KEYS = ("sentence_good", "sentence_bad", "field", "linguistics_term", "UID", "pairID")
_NAME = re.compile(r"[A-Za-z0-9][\w-]*", re.ASCII)
_TEMPLATE: dict[str, Any] = {
    "dataset_path": "json",
    "output_type": "multiple_choice",
    "test_split": "train",
    "doc_to_text": "",
    "target_delimiter": "",
    "doc_to_target": 0,
    "doc_to_choice": "{{[sentence_good, sentence_bad]}}",
    "num_fewshot": 0,
    "should_decontaminate": True,
    "doc_to_decontamination_query": "{{sentence_good}} {{sentence_bad}}",
    "metric_list": [
        {"metric": metric, "aggregation": "mean", "higher_is_better": True}
        for metric in ("acc", "acc_norm", "acc_bytes")
    ],
    "metadata": {"version": VERSION},
}


def files(source: Source, options: Options) -> Files:
    """Template, tasks, groups (all; one a linguistics term; one a field) and the data.

    Args:
        source, options: as in `Format.files`.

    Raises:
        UsageError: a name that cannot be one of a task. DataError: two tasks or groups would have the same name.
    """
    name = options.name
    if not _NAME.fullmatch(name):
        raise UsageError(f"--name {name!r}: names of tasks have letters, digits, '_' and '-' only")
    template = f"_{name}_template_yaml"
    yield template, _yaml(_TEMPLATE)
    tasks = {uid: f"{name}_{uid}" for uid in source.rows}
    for uid, task in tasks.items():
        data = options.folder / "data" / f"{uid}.jsonl"
        yield f"{uid}.yaml", _yaml({"include": template, "task": task, "dataset_kwargs": {"data_files": str(data)}})
        yield (
            f"data/{uid}.jsonl",
            json_lines({key: row[key] for key in _KEYS if key in row} for row in source.rows[uid]),
        )
    for group, uids in _groups(source, name).items():
        if group in tasks.values():
            raise DataError(f"{group} would be a task and a group; take another --name", Place(source.path))
        yield (
            f"_{group}.yaml",
            _yaml(
                {
                    "group": group,
                    "task": [tasks[uid] for uid in uids],
                    "aggregate_metric_list": [
                        {"metric": metric["metric"], "aggregation": "mean", "weight_by_size": False}
                        for metric in _TEMPLATE["metric_list"]
                    ],
                    "metadata": {"version": VERSION},
                }
            ),
        )


def _groups(source: Source, name: str) -> dict[str, list[str]]:
    groups = {name: [*source.rows]}
    groups.update((f"{name}_term_{_word(term)}", uids) for term, uids in source.groups("linguistics_term").items())
    groups.update((f"{name}_field_{_word(field)}", uids) for field, uids in source.groups("field").items())
    return groups


def _word(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]+", "_", text)


def _yaml(value: dict[str, Any]) -> str:
    return yaml.safe_dump(value, sort_keys=False, allow_unicode=True, width=1000)
