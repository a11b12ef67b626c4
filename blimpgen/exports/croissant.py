"""``croissant``: the data as JSON Lines, described in Croissant 1.0 (JSON-LD)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import orjson

from blimpgen.base.errors import listing
from blimpgen.base.version import __version__
from blimpgen.exports.source import Files, Options, Source
from blimpgen.exports.tabular import CREDIT, LICENCE_URL, hub_rows, json_lines

__all__ = ["files"]

_SCHEMA = "https://schema.org/"
_HOME = "https://doi.org/10.1162/tacl_a_00321"
_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": _SCHEMA,
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "containedIn": "cr:containedIn",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": _SCHEMA,
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}


def files(source: Source, options: Options) -> Files:
    """``data/UID.jsonl`` for every paradigm, and ``croissant.json``.

    Args:
        source, options: as in `Format.files`.
    """
    objects, sets = [], []
    for uid in source.rows:
        rows = hub_rows(source, uid, keep_prefix=True)
        contents = json_lines(rows)
        path = f"data/{uid}.jsonl"
        objects.append(
            {
                "@type": "cr:FileObject",
                "@id": path,
                "name": f"{uid}.jsonl",
                "contentUrl": path,
                "encodingFormat": "application/jsonlines",
                "sha256": hashlib.sha256(contents).hexdigest(),
            }
        )
        sets.append(
            {
                "@type": "cr:RecordSet",
                "@id": uid,
                "name": uid,
                "key": {"@id": f"{uid}/pair_id"},
                "field": _fields(uid, path, rows),
            }
        )
        yield path, contents
    description = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": options.name,
        "version": __version__,
        "license": LICENCE_URL,
        "url": _HOME,
        "citeAs": CREDIT,
        "description": (
            f"Minimal pairs of {listing(source.languages.values())} sentences, one acceptable and one not. "
            + source.made_by
        ),
        "datePublished": _date(source),
        "creator": {"@type": "sc:Organization", "name": "The blimpgen authors"},
        "distribution": objects,
        "recordSet": sets,
    }
    yield "croissant.json", orjson.dumps(description, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _date(source: Source) -> str:
    """The day on which the set was made; of data without a manifest, today."""
    if source.manifest is not None:
        return source.manifest.run.time[:10]
    return datetime.now(UTC).date().isoformat()


def _fields(uid: str, path: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    columns: Mapping[str, Any] = {key: value for row in rows for key, value in row.items()}
    return [
        {
            "@type": "cr:Field",
            "@id": f"{uid}/{key}",
            "name": key,
            "dataType": _type(value),
            "source": {"fileObject": {"@id": path}, "extract": {"column": key}},
        }
        for key, value in columns.items()
    ]


def _type(value: object) -> str:
    return f"sc:{'Boolean' if isinstance(value, bool) else 'Text' if isinstance(value, str) else 'Integer'}"
