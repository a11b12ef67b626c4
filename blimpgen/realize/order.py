"""The order of the word places of a phrase whose rules put different daughters in different places."""

from __future__ import annotations

from blimpgen.plan import Leaf

__all__ = ["items", "merged"]


def items(leaf: Leaf) -> list[str]:
    """The places of one leaf: roles, literals and the head, through its rules."""
    found = ["head:"]
    for rule in reversed(leaf.rules):
        own = []
        for d in rule.daughters:
            if d.head:
                own += found
            else:
                own.append(f"literal:{d.category}" if d.literal else f"role:{d.role}")
        found = own
    return found


def merged(orders: list[list[str]]) -> list[str]:
    """One order in which every item stands behind all that stand before it in some order.

    An item that would have to stand twice is kept at its first place. Items that no order relates stand as they come.
    """
    rest = {
        item: {a for order in orders if item in order for a in order[: order.index(item)]}
        for item in dict.fromkeys(item for order in orders for item in order)
    }
    result: list[str] = []
    while rest:
        ready = next((item for item, before in rest.items() if not before & rest.keys()), next(iter(rest)))
        result.append(ready)
        del rest[ready]
    return result
