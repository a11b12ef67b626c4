"""Reading paradigm files: `extends` merged, keys checked, everything with file and line."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from string import Formatter
from typing import Any

from pydantic import ValidationError

from blimpgen.base.errors import DataError, Place, nearest
from blimpgen.base.folders import check_name, listed_files
from blimpgen.base.model_errors import first_error
from blimpgen.base.sources import Document, read_yaml
from blimpgen.paradigm.file_model import RELEASED_KEYS, ParadigmModel

__all__ = ["Paradigm", "read_paradigm"]


_TERM = re.compile(r"\((\d{1,4}|\*);%([^%]*)%\)")
_SUM = rf"{_TERM.pattern}(?: *[-+] *{_TERM.pattern})*"
_COMPARED = rf"\[?{_SUM}\]? *[<>=] *\[?(?:{_SUM}|\d+(?:\.\d+)?)\]?"
_FORMULA = re.compile(rf"{_COMPARED}(?: *[&|] *{_COMPARED})*")
"""A prediction as SyntaxGym reads it: sums of surprisals, compared."""


@dataclass(frozen=True)
class Paradigm:
    """A paradigm as read from its file.

    Attributes:
        uid: the file name without its ending.
        suite: the folder above the phenomenon, or empty.
        term: the linguistics term: the folder's name unless the file says otherwise.
        model: the checked content.
        document: the source, for positions.
        parent: the document that the file extends, if any.
    """

    uid: str
    suite: str
    term: str
    model: ParadigmModel
    document: Document = field(repr=False, compare=False)
    parent: Document | None = field(default=None, repr=False, compare=False)

    @cached_property
    def content(self) -> str:
        """The checked content as one text."""
        return self.model.model_dump_json()

    @property
    def data(self) -> dict[str, Any]:
        """The content as it stands in the file, merged with the one that it extends."""
        return _merge(self.parent.data, self.document.data) if self.parent else self.document.data

    def place(self, *keys: str | int) -> Place:
        """Where a key stands, in this file or in the one it extends."""
        return _place(self.document, self.parent, keys)

    def has(self, *keys: str | int) -> bool:
        """Whether this path of keys stands in this file or in the one it extends."""
        return keys in self.document.lines or (self.parent is not None and keys in self.parent.lines)

    @property
    def sentences(self) -> dict[str, str]:
        """The templates by name; of a plain pair they are called good and bad."""
        if self.model.sentences:
            return dict(self.model.sentences)
        return {"good": self.model.good or "", "bad": self.model.bad or ""}

    @property
    def pairs(self) -> dict[str, tuple[str, str]]:
        """The comparisons by name; of a plain pair the only one has the empty name."""
        return dict(self.model.pairs) if self.model.pairs else {"": ("good", "bad")}

    @property
    def good_names(self) -> list[str]:
        """The names of the sentences that are the good ones of a comparison, each once."""
        return list(dict.fromkeys(good for good, _ in self.pairs.values()))

    @property
    def is_pair(self) -> bool:
        """Whether the paradigm makes plain pairs, as in the BLiMP release, and not larger sets."""
        return self.model.sentences is None


def read_paradigm(path: Path, suite: str = "", *, text: str | None = None) -> Paradigm:
    """Read one paradigm file.

    Args:
        path: the YAML file; its name is the UID, its folder the linguistics term.
        suite: the suite it belongs to.
        text: what it is to say, instead of what it says or before it is there.

    Raises:
        DataError: anything that is not of the format, with path and line.
    """
    check_name(path.stem, Place(path))
    document = read_yaml(path, text=text, may_be_empty=True)
    parent = None
    if isinstance(document.data.get("extends"), str):
        parent = _parent(document, path)
        data = _merge(parent.data, document.data)
    else:
        data = document.data
        if _has_empty(data):
            read_yaml(path, text=text)  # it is an error here, which the reader tells with its line
    try:
        model = ParadigmModel.model_validate(data)
    except ValidationError as error:
        raise first_error(error, _keys_at, lambda *keys: _place(document, parent, keys)) from None
    paradigm = Paradigm(path.stem, suite, model.linguistics_term or path.parent.name, model, document, parent)
    _check_sentences(paradigm)
    _check_names(paradigm)
    return paradigm


def _place(document: Document, parent: Document | None, keys: tuple[str | int, ...]) -> Place:
    if parent and keys not in document.lines and keys in parent.lines:
        return parent.place(*keys)
    return document.place(*keys)


def _parent(document: Document, path: Path) -> Document:
    name = str(document.data["extends"])
    siblings = [*listed_files(path.parent, "*.yaml"), *listed_files(path.parent.parent, "*/*.yaml")]
    by_uid = {p.stem: p for p in sorted(siblings)}
    if name == path.stem:
        raise DataError(f"{name!r} extends itself", document.place("extends"), "extends")
    if name not in by_uid:
        raise DataError(
            f"extends an unknown paradigm {name!r}; {nearest(name, by_uid)}", document.place("extends"), "extends"
        )
    parent = read_yaml(by_uid[name])
    if "extends" in parent.data:
        raise DataError(
            f"{name!r} extends another paradigm itself; extend that one", document.place("extends"), "extends"
        )
    return parent


def _has_empty(value: object) -> bool:
    """Whether something has no value, in a mapping or in one below it."""
    return any(map(_has_empty, value.values())) if isinstance(value, dict) else value is None


def _merge(base: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in change.items():
        if value is None:
            merged.pop(key, None)
        elif isinstance(value, dict) and isinstance(merged.get(key), dict):
            merged[key] = _merge(merged[key], value)
        else:
            merged[key] = value
    return merged


def _keys_at(keys: tuple[str | int, ...]) -> tuple[str, ...]:
    if not keys:
        return tuple(ParadigmModel.model_fields)
    return ("good", "bad") if keys[0] == "examples" else ("free",)


def _check_sentences(paradigm: Paradigm) -> None:
    model = paradigm.model
    if model.sentences is None:
        for name in ("good", "bad"):
            if getattr(model, name) is None and not _varied(model, name):
                raise DataError(f"the key {name!r} is missing", paradigm.place(), "key")
        return
    if model.good or model.bad:
        raise DataError("give either good and bad, or sentences with pairs", paradigm.place("sentences"), "key")
    if not model.pairs:
        raise DataError(
            "sentences need their comparisons; write pairs: {name: [better, worse]}", paradigm.place("sentences"), "key"
        )
    _check_pairs(paradigm, model.sentences, model.pairs)


def _check_pairs(paradigm: Paradigm, sentences: Collection[str], pairs: Mapping[str, Sequence[str]]) -> None:
    """Every pair names sentences, and every sentence stands in a pair."""
    for pair, names in pairs.items():
        for name in names:
            if name not in sentences:
                raise DataError(
                    f"the pair {pair!r} names an unknown sentence {name!r}; {nearest(name, sentences)}",
                    paradigm.place("pairs", pair),
                    "sentence",
                )
    compared = {name for names in pairs.values() for name in names}
    for name in sentences:
        if name not in compared:
            what = f"the sentence {name!r} stands in no pair; compare it in pairs, or remove it"
            raise DataError(what, paradigm.place("sentences", name), "sentence")


def _check_names(paradigm: Paradigm) -> None:
    """What the other keys name: slots, factors, and the critical word of a prefix method."""
    model = paradigm.model
    if not model.slots:
        raise DataError("there are no slots", paradigm.place("slots"), "key")
    _check_record(paradigm)
    _check_predictions(paradigm)
    for k, method in enumerate(model.methods):
        if method != "simple" and not model.critical:
            raise DataError(
                f"{method} needs the critical word; write critical: SLOT or WORD",
                paradigm.place("methods", k),
                "critical",
            )
    if model.critical and not {"one_prefix", "two_prefix"} & set(model.methods):
        what = "critical says where a prefix ends, and no method has one; add one_prefix or two_prefix, or remove it"
        raise DataError(what, paradigm.place("critical"), "critical")
    for name in _places_in(model.condition or "", paradigm.place("condition")):
        if name not in model.vary:
            raise DataError(
                f"condition: unknown factor {name!r}; {nearest(name, model.vary)}",
                paradigm.place("condition"),
                "condition",
            )


def _check_record(paradigm: Paradigm) -> None:
    """Check that the further keys of a record replace none that every record has."""
    for name in paradigm.model.record:
        place = paradigm.place("record", name)
        if name in RELEASED_KEYS:
            raise DataError(f"record: every record has a key {name!r}; take another name", place, "record")
        if not paradigm.is_pair:
            raise DataError("record: only pairs have further keys, not larger sets; remove it", place, "record")


def _check_predictions(paradigm: Paradigm) -> None:
    """Check that predictions compare regions of sentences that there are."""
    sentences = paradigm.sentences
    for k, formula in enumerate(paradigm.model.predictions or ()):
        place = paradigm.place("predictions", k)
        if not _FORMULA.fullmatch(formula):
            what = f"predictions: cannot read {formula[:100]!r}; write (REGION;%SENTENCE%) > (REGION;%SENTENCE%)"
            raise DataError(what, place, "regions")
        for region, name in _TERM.findall(formula):
            if name not in sentences:
                what = f"predictions: unknown sentence {name!r}; {nearest(name, sentences)}"
                raise DataError(what, place, "sentence")
            regions = paradigm.model.regions
            if region != "*" and regions is not None and not 1 <= int(region) <= len(regions):
                what = f"predictions: there is no region {region}; there are {len(regions)}"
                raise DataError(what, place, "regions")


def _places_in(text: str, place: Place) -> list[str]:
    """The names in braces."""
    try:
        places = [(name, form, kind) for _, name, form, kind in Formatter().parse(text) if name is not None]
    except ValueError as error:
        what = f"condition {text!r}: {error}; write a factor in braces, as in {{n}}"
        raise DataError(what, place, "condition") from None
    for name, form, kind in places:
        if form or kind:  # a width of 9,999,999,999 would be filled up with spaces
            what = f"condition: {{{name}}} takes no format; write the factor alone in braces, as in {{n}}"
            raise DataError(what, place, "condition")
    return [name for name, _, _ in places]


def _varied(model: ParadigmModel, name: str) -> bool:
    levels = [level for factor in model.vary.values() if isinstance(factor, dict) for level in factor.values()]
    return any(isinstance(level, dict) and name in level.get("sentences", {}) for level in levels)
