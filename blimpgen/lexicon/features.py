"""UD features of a form, as CoNLL-U writes them: ``Gender=Fem|Number=Plur``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from blimpgen.base.errors import DataError, Place, nearest

__all__ = ["parse_features", "split_features", "write_features"]

_FEATURE = re.compile(r"(?P<name>[A-Z][A-Za-z]*)=(?P<value>[A-Z0-9][A-Za-z0-9]*)")

_VALUES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        name: tuple(values.split())
        for name, values in {
            "Animacy": "Anim Hum Inan Nhum",
            "Aspect": "Hab Imp Iter Perf Prog Prosp",
            "Case": "Abe Abl Abs Acc Add Ade All Ben Cau Cmp Cns Com Dat Del Dis Ela Equ Erg Ess Gen Ill Ine Ins Lat "
            "Loc Nom Par Per Sbe Sbl Spl Sub Sup Tem Ter Tra Voc",
            "Definite": "Com Cons Def Ind Spec",
            "Degree": "Abs Aug Cmp Dim Equ Pos Sup",
            "Gender": "Com Fem Masc Neut",
            "Mood": "Adm Cnd Des Imp Ind Int Irr Jus Nec Opt Pot Prp Qot Sub",
            "Number": "Coll Count Dual Grpa Grpl Inv Pauc Plur Ptan Sing Tri",
            "Person": "0 1 2 3 4",
            "Polarity": "Neg Pos",
            "Tense": "Fut Imp Past Pqp Pres",
            "VerbForm": "Conv Fin Gdv Ger Inf Part Sup Vnoun",
            "Voice": "Act Antip Bfoc Cau Dir Inv Lfoc Mid Pass Rcp",
        }.items()
    }
)
"""The values of universal features, as https://universaldependencies.org/u/feat/ lists them; others are free."""


def parse_features(text: str, place: Place) -> dict[str, str]:
    """Read features, sorted by name.

    Args:
        text: ``Gender=Fem|Number=Plur``.
        place: where it stands, for errors.

    Raises:
        DataError: it cannot be read, names a feature twice, or gives a universal one a value that it does not have.
    """
    matches = [_FEATURE.fullmatch(part.strip()) for part in text.split("|")]
    features = {match["name"]: match["value"] for match in matches if match}
    if len(features) != len(matches):
        raise DataError(f"cannot read the features {text!r}; write them as Gender=Fem|Number=Plur", place, "feature")
    for name, value in features.items():
        if value not in _VALUES.get(name, (value,)):
            raise DataError(f"UD has no {name}={value}; {nearest(value, _VALUES[name])}", place, "feature")
    return dict(sorted(features.items()))


def split_features(text: str) -> dict[str, str]:
    """Split what `write_features` has written."""
    return dict(part.split("=", 1) for part in text.split("|"))


def write_features(features: Mapping[str, str]) -> str:
    """Write features as `parse_features` reads them."""
    return "|".join(f"{name}={value}" for name, value in sorted(features.items()))
