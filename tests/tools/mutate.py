"""Mutations of data files: a file that somebody damaged, mistyped, or made up in bad faith.

`mutated` takes the bytes of a good file and changes one to three things: lines and tokens of a text are dropped,
doubled, exchanged, or replaced by what is known to be difficult; values and keys of JSON likewise; and now and then
bytes change without regard to what they say. The same random generator gives the same bytes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

__all__ = ["mutated"]

_TOKEN = re.compile(rb"[A-Za-z_]+|[0-9.]+|\s+|.", re.DOTALL)

TEXTS = (
    *("", " ", "-", ".", "..", "../x", "/etc", "\\", "~", "null", "true", "nan", "inf", "-inf", "x", "None", "id"),
    *("0", "1", "-1", "0.5", "²", "１", "1e20", "1e400", "99999", "9999999999", "9" * 5000, "0x10", "1_0", "1/0"),
    *("[", "]", "{", "}", "(", ")", "|", "&", "=", ":", ";", ",", "#", "!x", "&x", "*x", "'", '"', "->", "*", "?"),
    *("[" * 3000, "(" * 3000, "(" * 200 + "N" + ")" * 200, "{x}", "{{ x }}", "{% x %}", "{n:>9999999999}", "%s"),
    *("=1+1", "@x", "+x", "__proto__", "<b>", "</script>", "x" * 10_000, "a b", "a, b", "not x", "x=y", "x=y/z"),
    *("\x00", "\x1b[31mred", "\x07", "\r", "\u2028", "\ufeff", "\u202e", "é", "e\u0301", "🙂", "\\ud83d"),
    *("cat", "is", "Number", "Plur", "form", "fin", "N", "V", "DP", "VP", "subj", "verb", "frame", "same", "like"),
)
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 0.5, 1e308, 10**30, 5, [], {}, [[]], [None], {"": ""}, {"a": 1}, ["a", "b"], [1]),
    *("", " ", "x", "\x00", "\x1b[31m", "../x", "/etc/passwd", "=1+1", "nan", "1", "é", "x" * 10_000, "a\nb", "😀"),
)


def mutated(data: bytes, chance: Random, *, is_json: bool = False, others: Sequence[bytes] = ()) -> bytes:
    """Change one to three things in the content of a file.

    Args:
        data: the content.
        chance: what is changed, and how.
        is_json: the file is JSON, or JSON Lines.
        others: contents of files of the same kind, from which tokens and lines are taken.
    """
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        if is_json and chance.random() < 0.75:
            data = _json(data, chance)
        else:
            data = chance.choice(_TEXT if chance.random() < 0.9 else _BYTES)(data, chance, others)
    return data


_Mutation = Callable[[bytes, Random, Sequence[bytes]], bytes]


def _lines(data: bytes, chance: Random, others: Sequence[bytes]) -> bytes:
    """Drop, double, exchange, move, join, repeat, indent or borrow a line, or cut the file short."""
    lines = data.split(b"\n")
    at = chance.randrange(len(lines))
    other = chance.randrange(len(lines))
    match chance.randrange(9):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[at])
        case 2:
            lines[at], lines[other] = lines[other], lines[at]
        case 3:
            lines.insert(other, lines[at])
        case 4:
            lines[at] = lines[at] + lines[other]
        case 5:
            lines[at:at] = [lines[at]] * chance.choice((10, 300))
        case 6:
            lines[at] = chance.choice((b" ", b"  ", b"\t")) + lines[at]
        case 7:
            source = chance.choice([*others, data]).split(b"\n")
            lines.insert(at, chance.choice(source))
        case _:
            del lines[at:]
    return b"\n".join(lines)


def _tokens(data: bytes, chance: Random, others: Sequence[bytes]) -> bytes:
    """Drop, double, exchange or replace a token."""
    tokens = _TOKEN.findall(data) or [b""]
    at = chance.randrange(len(tokens))
    match chance.randrange(6):
        case 0:
            del tokens[at]
        case 1:
            tokens.insert(at, tokens[at])
        case 2:
            other = chance.randrange(len(tokens))
            tokens[at], tokens[other] = tokens[other], tokens[at]
        case 3:
            tokens[at] = chance.choice(_TOKEN.findall(chance.choice([*others, data])) or [b""])
        case 4:
            tokens[at] += chance.choice(TEXTS).encode()
        case _:
            tokens[at] = chance.choice(TEXTS).encode()
    return b"".join(tokens)


def _bytes(data: bytes, chance: Random, others: Sequence[bytes]) -> bytes:
    """Change bytes, whatever they say."""
    at = chance.randrange(len(data) + 1)
    match chance.randrange(5):
        case 0:
            return data[:at]
        case 1:
            return data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]
        case 2:
            return data[:at] + chance.randbytes(chance.choice((1, 8, 64))) + data[at:]
        case 3:
            return data[:at] + data[at + chance.randrange(1, 64) :]
        case _:
            return chance.choice((b"", b"\n", b"\xef\xbb\xbf" + data, data.replace(b"\n", b"\r\n"), data * 2))


_TEXT: tuple[_Mutation, ...] = (_lines, _tokens, _tokens)
_BYTES: tuple[_Mutation, ...] = (_bytes,)


def _json(data: bytes, chance: Random) -> bytes:
    """Replace, drop, rename or add a value in a JSON document, or in one line of a file of them."""
    try:
        document = json.loads(data)
    except ValueError:
        lines = data.split(b"\n")
        at = chance.randrange(len(lines))
        try:
            lines[at] = _dumped(_changed(json.loads(lines[at]), chance))
        except (ValueError, RecursionError):
            return _tokens(data, chance, ())
        return b"\n".join(lines)
    except RecursionError:
        return data
    return _dumped(_changed(document, chance), indent=1)


def _dumped(value: Any, indent: int | None = None) -> bytes:
    return json.dumps(value, indent=indent).encode()


def _changed(value: Any, chance: Random) -> Any:
    """The document with one value changed somewhere."""
    places = list(_places(value))
    if not places or chance.random() < 0.03:
        return chance.choice(VALUES)
    container, key = chance.choice(places)
    match chance.randrange(6):
        case 0:
            del container[key]
        case 1 if isinstance(container, dict):
            container[chance.choice(TEXTS)] = container.pop(key)
        case 2:
            source, name = chance.choice(places)
            container[key] = json.loads(json.dumps(source[name])) if name in source or isinstance(source, list) else 0
        case 3 if isinstance(container, list):
            container.append(container[key])
        case 4 if isinstance(container[key], str):
            container[key] = _tokens(container[key].encode(errors="replace"), chance, ()).decode(errors="replace")
        case _:
            container[key] = chance.choice(VALUES)
    return value


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Every container and key in a document."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, item in items for place in [(value, key), *_places(item)]]
