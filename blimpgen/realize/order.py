"""The order of the word places of a phrase whose rules put different daughters in different places."""

from __future__ import annotations

from blimpgen.plan import Leaf

__all__ = ["leaf_items", "merge_orders"]


def leaf_items(leaf: Leaf) -> list[str]:
    """List what stands in a phrase with this leaf, in order: ``head:``, ``role:ROLE`` and ``literal:WORD``."""
    items = ["head:"]
    for rule in reversed(leaf.rules):
        around: list[str] = []
        for d in rule.daughters:
            if d.head:
                around += items
            else:
                around.append(f"literal:{d.category}" if d.literal else f"role:{d.role}")
        items = around
    return items


def merge_orders(orders: list[list[str]]) -> list[str]:
    """Merge orders into one in which every item stands after all that precede it in some order.

    Where two orders contradict each other, the item that comes first stands first. Items that no order relates stand
    as they come.
    """
    before = {
        item: {a for order in orders if item in order for a in order[: order.index(item)]}
        for item in dict.fromkeys(item for order in orders for item in order)
    }
    result: list[str] = []
    while before:
        ready = next((item for item, earlier in before.items() if not earlier & before.keys()), next(iter(before)))
        result.append(ready)
        del before[ready]
    return result
