"""UD features of a form, as CoNLL-U writes them: ``Gender=Fem|Number=Plur``."""

from __future__ import annotations

import re
from collections.abc import Mapping

from blimpgen.base.errors import DataError, Place

__all__ = ["parse_features", "split_features", "write_features"]

_FEATURE = re.compile(r"(?P<name>[A-Z][A-Za-z]*)=(?P<value>[A-Z0-9][A-Za-z0-9]*)")


def parse_features(text: str, place: Place) -> dict[str, str]:
    """Read features, sorted by name.

    Args:
        text: ``Gender=Fem|Number=Plur``.
        place: where it stands, for errors.

    Raises:
        DataError: it cannot be read, or names a feature twice.
    """
    matches = [_FEATURE.fullmatch(part.strip()) for part in text.split("|")]
    features = {match["name"]: match["value"] for match in matches if match}
    if len(features) != len(matches):
        raise DataError(f"cannot read the features {text!r}; write them as Gender=Fem|Number=Plur", place, "feature")
    return dict(sorted(features.items()))


def split_features(text: str) -> dict[str, str]:
    """Split what `write_features` has written."""
    return dict(part.split("=", 1) for part in text.split("|"))


def write_features(features: Mapping[str, str]) -> str:
    """Write features as `parse_features` reads them."""
    return "|".join(f"{name}={value}" for name, value in sorted(features.items()))
