"""Whether a verb has a use that its bad sentence needs: one that it lists, or one that is known and never generated."""

from __future__ import annotations

from collections.abc import Iterator

from blimpgen.audit.guards.case import Case
from blimpgen.audit.guards.chunks import VerbGroup
from blimpgen.audit.guards.guard import Objection, Severity
from blimpgen.audit.guards.nominals import Nominal
from blimpgen.audit.guards.tokens import Readings
from blimpgen.audit.guards.verbs import fitting
from blimpgen.lexicon.verbs import VerbUse

__all__ = ["unexcluded", "used"]

_SEVERITIES = {"no": Severity.WRONG, "yes": Severity.DOUBTFUL}
"""What a use means for the label, by whether it is doubtful; a clause alone has none that wants a context."""


def unexcluded(
    case: Case, group: VerbGroup, frame: str, subject: Nominal | None = None, obj: Nominal | None = None
) -> Iterator[Objection]:
    """The verb of the bad sentence, if nothing excludes that it stands in a frame; graver where a use of it is known.

    Args:
        case: the pair.
        group: the verb.
        frame: the frame in which it stands.
        subject, obj: what stands beside it, where that is known.
    """
    readings = fitting(case, group)
    severity = used(case, readings, frame, subject, obj)
    if severity is not None or any(not case.vocabulary.asserts_not(r, frame) for r in readings):
        yield Objection(group.verb, severity or Severity.REMARK)


def used(case: Case, readings: Readings, frame: str, subject: Nominal | None, obj: Nominal | None) -> Severity | None:
    """What it means for the label that a verb stands in a frame.

    Args:
        case: the pair.
        readings: the readings of the verb.
        frame: the frame in which it stands.
        subject, obj: what stands beside it; None where that is not known, or the frame has no object.

    Returns:
        Wrong where a use of the verb admits subject and object, doubtful where that use is doubtful, None where no use
        is known.
    """
    severities = {_severity(case, use, subject, obj) for r in readings for use in case.vocabulary.uses(r, frame)}
    return min(filter(None, severities), key=lambda severity: severity.rank, default=None)


def _severity(case: Case, use: VerbUse, subject: Nominal | None, obj: Nominal | None) -> Severity | None:
    suits = _suits(case, subject, use.subjects) and _suits(case, obj, use.objects)
    return _SEVERITIES.get(use.doubtful) if suits else None


def _suits(case: Case, phrase: Nominal | None, restriction: str) -> bool:
    """Whether a noun phrase is what a verb admits; pronouns and what is not known are."""
    if phrase is None or phrase.kind == "pronoun" or not phrase.head or restriction == "any":
        return True
    return any(case.vocabulary.suits(r, restriction) for r in phrase.head)
