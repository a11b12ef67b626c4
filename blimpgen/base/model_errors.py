"""What pydantic finds wrong with a file, said in the words of YAML."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from pydantic import ValidationError

from blimpgen.base.errors import DataError, Place, nearest

__all__ = ["first_error"]

_EXPECTED = {
    "int_parsing": "a whole number",
    "float_parsing": "a number",
    "dict_type": "a mapping (key: value)",
    "model_type": "a mapping (key: value)",
    "list_type": "a list such as [a, b]",
    "tuple_type": "a list of two: [better, worse]",
    "string_type": "a text",
    "too_long": "a list of two: [better, worse]",
    "too_short": "a list of two: [better, worse]",
}


def first_error(
    error: ValidationError, keys_at: Callable[[tuple[str | int, ...]], Iterable[str]], place: Callable[..., Place]
) -> DataError:
    """The first problem of a file; an unknown key before anything else, because it explains a missing one.

    Args:
        error: what pydantic found.
        keys_at: gives the keys that there are at a path of keys.
        place: gives the position of a path of keys.
    """
    problems = sorted(error.errors(), key=lambda problem: problem["type"] != "extra_forbidden")
    problem: dict[str, Any] = dict(problems[0])
    keys = tuple(k for k in problem["loc"] if "[" not in str(k))
    path, name = ".".join(map(str, keys)), str(keys[-1]) if keys else ""
    match problem["type"]:
        case "extra_forbidden":
            return DataError(f"unknown key {name!r}; {nearest(name, keys_at(keys[:-1]))}", place(*keys), "key")
        case "missing" if isinstance(keys[-1], str):
            return DataError(f"the key {name!r} is missing", place(*keys), "key")
        case "missing":
            path, problem = ".".join(map(str, keys[:-1])), {**problem, "type": "too_short"}
        case "literal_error":
            expected = problem["ctx"]["expected"].replace("'", "").replace(" or ", ", ").split(", ")
            hint = nearest(str(problem["input"]), expected)
            return DataError(f"{path}: unknown value {problem['input']!r}; {hint}", place(*keys), "value")
    expected = _EXPECTED.get(problem["type"], problem["msg"].lower())
    return DataError(f"{path} must be {expected}, not {problem['input']!r}", place(*keys), "value")
