"""What roles mean: four tables, each in one place.

*Agreement*: which features a daughter in a role shares with the head. *Percolation*: which features a phrase takes
from which daughter besides its head. *Selection*: which lexicon column of the head restricts the filler of a role.
*Open dependencies*: how a gap, a reflexive and a polarity item are passed up.
"""

from __future__ import annotations

from types import MappingProxyType

__all__ = ["AGREEMENT", "DEPENDENCIES", "GAP_ROLES", "PERCOLATION", "ROLES", "SELECTION"]

ROLES = (
    "subject",
    "object",
    "complement",
    "adjunct",
    "relative",
    "determiner",
    "possessor",
    "conjunct",
    "aux",
    "wh",
    "marker",
    "modifier",
    "focus",
    "pivot",
)

AGREEMENT = MappingProxyType({"subject": ("Number",), "determiner": ("Number", "count"), "aux": ("Number",)})
"""Role to the features that its filler shares with the head (a subject only with a finite one)."""

PERCOLATION = MappingProxyType(
    {
        ("DP", "determiner"): ("Definite", "strength", "neg"),
        ("NQ", "determiner"): (),
        ("VP", "aux"): ("Polarity",),
        ("VX", "object"): ("sup",),
    }
)
"""(Mother, role) to the features that the mother takes from that daughter."""

SELECTION = MappingProxyType(
    {
        "subject": "subj",
        "pivot": "subj",
        "object": "obj",
        "adjunct": "arg",
        "possessor": "rel",
        "complement": "rel",
        "relative": "antecedent",
    }
)
"""Role to the lexicon column that restricts its filler."""

DEPENDENCIES = MappingProxyType(
    {
        "gap": ("head", "object", "complement", "conjunct"),
        "gphi": ("head", "object", "complement", "conjunct"),
        "refl": ("head", "object", "complement"),
        "npi": ("head", "object", "complement", "conjunct"),
        "sup": ("head",),
    }
)
"""Open dependency to the roles of the daughters that pass it up to the mother."""

GAP_ROLES = ("subject", "object")
"""The roles whose filler may itself be the gap."""
