"""Published figures for the 67 paradigms of the BLiMP release: four models and the human validation.

`published.tsv` holds for each paradigm the accuracies of the four models of Warstadt et al. (2020), in the corrected
version of 16 August 2021 (GPT-2 is the 36-layer model), and of the human validation: the mean share of people who
agreed with the label (individual agreement), the number of its five pairs that a majority agreed with (accepted), and
the number of judgements. Source: the summary files of the release, CC-BY 4.0, <https://github.com/alexwarstadt/blimp>.

These are figures of the *released* pairs. Beside another set they say what to expect, not what is right.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from blimpgen.base.errors import UsageError, nearest
from blimpgen.base.sources import read_tsv

__all__ = ["HUMAN", "SYSTEMS", "Published", "accuracies", "fields", "published", "terms"]

HUMAN = "human"
SYSTEMS: Mapping[str, str] = MappingProxyType(
    {"ngram": "5-gram", "lstm": "LSTM", "txl": "Transformer-XL", "gpt2": "GPT-2", HUMAN: "human"}
)

_PATH = Path(__file__).with_name("published.tsv")
_COLUMNS = ("uid", "term", "field", *SYSTEMS, "accepted", "judgements")


@dataclass(frozen=True)
class Published:
    """What is published about one paradigm of the release.

    Attributes:
        uid: the paradigm.
        term: its linguistics term, as in the paper (`s-selection` of the pairs is argument_structure).
        field: its field.
        accuracy: system (see `SYSTEMS`) to accuracy, from 0 to 1; for humans the mean over five pairs of the share of
            people who agreed.
        accepted: how many of the five pairs a majority of people agreed with.
        judgements: how many answers of people there are.
    """

    uid: str
    term: str
    field: str
    accuracy: Mapping[str, float]
    accepted: int
    judgements: int


@lru_cache(maxsize=1)
def published() -> Mapping[str, Published]:
    """The reference table: uid to what is published about it, sorted by uid."""
    table = read_tsv(_PATH, _COLUMNS, required=_COLUMNS)
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    return MappingProxyType({row["uid"]: _published(row) for row in rows})


def _published(row: Mapping[str, str]) -> Published:
    accuracy = MappingProxyType({system: float(row[system]) for system in SYSTEMS})
    return Published(row["uid"], row["term"], row["field"], accuracy, int(row["accepted"]), int(row["judgements"]))


def accuracies(system: str) -> dict[str, float]:
    """The published accuracies of a system: uid to accuracy, from 0 to 1.

    Raises:
        UsageError: an unknown system, with those that exist.
    """
    if system not in SYSTEMS:
        raise UsageError(f"no published figures of {system!r}; {nearest(system, SYSTEMS)}")
    return {uid: row.accuracy[system] for uid, row in published().items()}


def terms() -> dict[str, str]:
    """The linguistics term of every released paradigm, by uid."""
    return {uid: row.term for uid, row in published().items()}


def fields() -> dict[str, str]:
    """The field of every released paradigm, by uid."""
    return {uid: row.field for uid, row in published().items()}
