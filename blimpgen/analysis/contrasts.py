"""Named contrasts between groups of paradigms: locality, attractors, regular and irregular forms.

A contrast compares the macro average of its first group, the baseline, with that of all paradigms of its other groups.
The groups are those whose differences Warstadt et al. (2020, sections 5 and 6) report; which paradigms they took was
found by recomputing the printed figures.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from blimpgen.analysis.columns import Columns
from blimpgen.analysis.intervals import Interval, cluster_bootstrap
from blimpgen.base.errors import DataError, UsageError, listing, nearest

__all__ = ["CONTRASTS", "Contrast", "Contrasted", "contrast", "contrast_rows", "possible"]


@dataclass(frozen=True)
class Contrast:
    """Groups of paradigms to compare.

    Attributes:
        title: what is compared, for a heading.
        groups: label to uids; the first group is the baseline.
    """

    title: str
    groups: Mapping[str, tuple[str, ...]]

    @property
    def uids(self) -> tuple[str, ...]:
        """All its paradigms."""
        return tuple(uid for uids in self.groups.values() for uid in uids)


@dataclass(frozen=True)
class Contrasted:
    """What a contrast gives for one system.

    Attributes:
        contrast: the groups.
        means: label to macro average, from 0 to 1.
        difference: baseline minus the macro average of all other groups.
        interval: its interval, where pairs are known.
    """

    contrast: Contrast
    means: Mapping[str, float]
    difference: float
    interval: Interval | None = None


_DN_REGULAR = (
    "determiner_noun_agreement_1",
    "determiner_noun_agreement_2",
    "determiner_noun_agreement_with_adjective_1",
    "determiner_noun_agreement_with_adj_2",
)
_DN_IRREGULAR = (
    "determiner_noun_agreement_irregular_1",
    "determiner_noun_agreement_irregular_2",
    "determiner_noun_agreement_with_adj_irregular_1",
    "determiner_noun_agreement_with_adj_irregular_2",
)
_SV_REGULAR = ("regular_plural_subject_verb_agreement_1", "regular_plural_subject_verb_agreement_2")
_SV_IRREGULAR = ("irregular_plural_subject_verb_agreement_1", "irregular_plural_subject_verb_agreement_2")

CONTRASTS: Mapping[str, Contrast] = MappingProxyType(
    {
        "locality": Contrast(
            "Determiner and noun: adjacent or not",
            {
                "adjacent": (*_DN_REGULAR[:2], *_DN_IRREGULAR[:2]),
                "adjective between": (*_DN_REGULAR[2:], *_DN_IRREGULAR[2:]),
            },
        ),
        "attractors": Contrast(
            "Subject and verb: without an attractor, and with one",
            {
                "no attractor": _SV_REGULAR[:1],
                "relational noun": ("distractor_agreement_relational_noun",),
                "relative clause": ("distractor_agreement_relative_clause",),
            },
        ),
        "regular": Contrast(
            "Agreement: regular and irregular plurals",
            {"regular": _DN_REGULAR + _SV_REGULAR, "irregular": _DN_IRREGULAR + _SV_IRREGULAR},
        ),
        "regular-determiner-noun": Contrast(
            "Determiner and noun: regular and irregular plurals", {"regular": _DN_REGULAR, "irregular": _DN_IRREGULAR}
        ),
        "regular-subject-verb": Contrast(
            "Subject and verb: regular and irregular plurals", {"regular": _SV_REGULAR, "irregular": _SV_IRREGULAR}
        ),
    }
)


def possible(uids: Collection[str]) -> list[str]:
    """The names of the contrasts all of whose paradigms are among these."""
    return [name for name, contrast in CONTRASTS.items() if set(contrast.uids) <= set(uids)]


def contrast(name: str, accuracies: Mapping[str, float]) -> Contrasted:
    """A contrast of the accuracies of one system.

    Args:
        name: one of `CONTRASTS`.
        accuracies: uid to accuracy.

    Raises:
        UsageError: an unknown name. DataError: a paradigm of the contrast is missing.
    """
    named = _named(name, accuracies)
    means = {label: _mean(accuracies, uids) for label, uids in named.groups.items()}
    weights = _weights(named)
    return Contrasted(named, means, sum(weight * accuracies[uid] for uid, weight in weights.items()))


def contrast_rows(
    name: str, rows: Columns, *, resamples: int = 1000, seed: int = 0, confidence: float = 0.95
) -> Contrasted:
    """A contrast of a result, its difference with an interval from a bootstrap of the pairs of each paradigm.

    Args:
        name: one of `CONTRASTS`.
        rows: of one method.
        resamples, seed, confidence: as for `blimpgen.analysis.intervals.cluster_bootstrap`.

    Raises:
        UsageError: an unknown name. DataError: a paradigm of the contrast is missing.
    """
    contrasted = contrast(name, rows.accuracies())
    selected = rows.of(contrasted.contrast.uids)
    interval = cluster_bootstrap(
        selected.credit,
        selected.record.astype(str),
        groups=selected.uid.astype(str),
        weights=_weights(contrasted.contrast),
        resamples=resamples,
        seed=seed,
        confidence=confidence,
    )
    return replace(contrasted, interval=interval)


def _named(name: str, accuracies: Mapping[str, float]) -> Contrast:
    if name not in CONTRASTS:
        raise UsageError(f"no contrast {name!r}; {nearest(name, CONTRASTS)}")
    missing = [uid for uid in CONTRASTS[name].uids if uid not in accuracies]
    if missing:
        raise DataError(f"the contrast {name!r} needs {listing(missing)}, which the result does not have")
    return CONTRASTS[name]


def _mean(accuracies: Mapping[str, float], uids: Collection[str]) -> float:
    return sum(accuracies[uid] for uid in uids) / len(uids)


def _weights(named: Contrast) -> dict[str, float]:
    """What each paradigm contributes to the difference."""
    baseline, *others = named.groups.values()
    rest = [uid for uids in others for uid in uids]
    return {**dict.fromkeys(baseline, 1 / len(baseline)), **dict.fromkeys(rest, -1 / len(rest))}
