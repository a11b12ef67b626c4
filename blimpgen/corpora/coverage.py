"""What a filter covers: the share of the good sentences of the paradigms that it is about that it would remove."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from blimpgen.base.errors import UsageError, listing
from blimpgen.corpora.conllu import Block, parse_block
from blimpgen.corpora.filters import Filters

__all__ = ["Coverage", "covered"]


class Coverage(NamedTuple):
    """What a filter does to the good sentences of a paradigm.

    Attributes:
        filter, uid: the filter, and the paradigm.
        sentences: good sentences.
        rejected: how many of them the filter rejects.
    """

    filter: str
    uid: str
    sentences: int
    rejected: int

    @property
    def share(self) -> float:
        """The share that is rejected, from 0 to 1."""
        return self.rejected / self.sentences


def covered(filters: Filters, uids: Collection[str], parsed: Callable[[str], Block]) -> list[Coverage]:
    """Ask each filter about the paradigms that it targets.

    Args:
        filters: the filters.
        uids: the paradigms that there are.
        parsed: takes a UID, gives the good sentences of that paradigm as CoNLL-U.

    Raises:
        UsageError: no filter targets any of the paradigms.
    """
    shares = []
    for name, each in filters.filters.items():
        alone = Filters({name: each}, filters.lists)
        for uid in each.targets:
            if uid in uids:
                rejected = alone.rejected(parse_block(parsed(uid)))[name]
                shares.append(Coverage(name, uid, len(rejected), int(rejected.sum())))
    if not shares:
        targets = {uid for each in filters.filters.values() for uid in each.targets}
        raise UsageError(
            f"no paradigm of the set is targeted by these filters; they target: {listing(sorted(targets))}"
        )
    return shares
