"""What roles mean: four tables, each in one place.

*Agreement*: which features a daughter in a role shares with the head. *Percolation*: which features a phrase takes
from which daughter besides its head. *Selection*: which lexicon column of the head restricts the filler of a role.
*Open dependencies*: how a gap, a reflexive and a polarity item are passed up.
"""

from __future__ import annotations

from types import MappingProxyType

__all__ = ["AGREEMENT", "CASE", "DEPENDENCIES", "FILLERS", "GAP_ROLES", "PERCOLATION", "ROLES", "SELECTION"]

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
"""Role to the features that its filler shares with the head, where a grammar does not say so itself with ``agree``."""

FILLERS = MappingProxyType({"determiner": ("D", "Dwh", "Num"), "aux": ("Aux",)})
"""Role to the categories that alone have the forms that agree in it."""

PERCOLATION = MappingProxyType(
    {
        ("DP", "determiner"): ("Definite", "strength", "neg", "npi"),
        ("NQ", "determiner"): (),
        ("VP", "aux"): ("Polarity",),
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
        "refl": ("head", "object", "complement", "conjunct", "adjunct"),
        "npi": ("head", "subject", "object", "complement", "pivot", "adjunct", "conjunct"),
        "sup": ("head", "object", "complement", "adjunct"),
        "expl": ("head",),
    }
)
"""Open dependency to the roles of the daughters that pass it up to the mother."""

CASE = MappingProxyType({"subject": "nom", "object": "acc", "complement": "acc"})
"""Role to the case of a pronoun that fills it."""

GAP_ROLES = ("subject", "object")
"""The roles whose filler may itself be the gap."""
