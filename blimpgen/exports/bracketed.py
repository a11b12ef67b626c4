"""``trees``: the trees of all sentences in the bracket notation of the Penn Treebank.

The files go with the data line by line: line k of ``UID.good.mrg`` is the tree of the good sentence of the k-th pair. A
sentence without a derivation has a flat tree labelled ``*``, as has every sentence of a paradigm whose words are not
those of the grammar.
"""

from __future__ import annotations

from blimpgen.exports.phrase_trees import tree_of
from blimpgen.exports.source import Files, Options, Source

__all__ = ["files"]


def files(source: Source, options: Options) -> Files:
    """``UID.SENTENCE.mrg`` for every paradigm and every sentence: ``good`` and ``bad``, or those of a design.

    Args:
        source, options: as in `Format.files`.

    Raises:
        DataError: the records have no metadata.
    """
    for uid, records in source.records.items():
        for name in records[0].sentences:
            yield f"{uid}.{name}.mrg", "".join(f"{tree_of(source, record, name)}\n" for record in records)
