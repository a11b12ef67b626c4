"""Who may see a page: what asks in the wrong name, from another page, too much, or without the key is refused.

A participant of a study comes by a link with a token, and reaches the page of that link and nothing else.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import re
import secrets
import socket
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from dataclasses import dataclass, field
from html import escape
from http.cookies import CookieError, SimpleCookie
from typing import Any, TypeAlias
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

__all__ = ["MOST_BYTES", "TAKE", "Access", "Guard"]

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

MOST_BYTES = 1_000_000
"""Bytes of one request or message."""
_DELAY = 1.0
"""Seconds that a wrong password costs; one is tried at a time."""
_LOGIN = "/login"
TAKE = "/take"
"""Where the pages of participants are: followed by the name of a study and the token of one of them."""
_PARTICIPANT = "-participant"
# What every page needs of the framework: its files, which hold no data, and the socket, on which a page is named by a
# number that only its own browser was told.
_FILES = re.compile(r"/_nicegui/\d[^/]*/(static|libraries|components|resources|esm)/.+|/favicon\.ico")
_SOCKET = "/_nicegui_ws/"

# The framework writes its modules and styles into the page; nothing is loaded from elsewhere.
_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self' data:; object-src 'none'; base-uri 'self'; form-action 'self'; "
    "frame-ancestors 'none'"
)
_HEADERS = (
    (b"content-security-policy", _POLICY.encode()),
    (b"referrer-policy", b"same-origin"),
    (b"x-content-type-options", b"nosniff"),
)


@dataclass(frozen=True)
class Access:
    """The way into a studio.

    Attributes:
        host: the address that it listens on.
        port: its port.
        password: what opens it instead of the key in the link; empty on this machine alone.
        key: stands in the link.
        session: what a browser that came by the link, or with the password, is known by.
    """

    host: str
    port: int
    password: str = field(default="", repr=False)
    key: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)
    session: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)

    @property
    def link(self) -> str:
        """The link to the first page."""
        return f"{self.address}/" + ("" if self.password else f"?key={self.key}")

    @property
    def address(self) -> str:
        """The address to which links lead, without a path."""
        host = socket.gethostname() if _is_any(self.host) else self.host
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    @property
    def cookie(self) -> str:
        """The name of the cookie; browsers do not tell the ports of one machine apart."""
        return f"blimpgen-studio-{self.port}"

    def names(self, host: str) -> bool:
        """Whether a ``Host`` names this machine: a page of another name may be made to lead here (DNS rebinding)."""
        try:
            split = urlsplit(f"//{host}")
            name, port = split.hostname or "", split.port or 80
        except ValueError:
            return False
        if port != self.port:
            return False
        own = {self.host, "127.0.0.1", "localhost", "::1"}
        if not self.password:
            return name in own
        return name in own | {socket.gethostname().lower(), socket.getfqdn().lower()} or _is_address(name)


def _is_any(host: str) -> bool:
    return _is_address(host) and ipaddress.ip_address(host).is_unspecified


def _is_address(name: str) -> bool:
    """Whether a name is a bare address, which no name server can turn elsewhere."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class Guard:
    """Stands before an ASGI application, its web sockets included.

    Args:
        app: the application.
        access: the way in.
        admits: whether a study (its name) has a participant (a token).
    """

    def __init__(self, app: App, access: Access, admits: Callable[[str, str], bool]) -> None:
        self.app, self.access, self.admits = app, access, admits
        self._trying = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what may pass, and answer the rest."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        if refusal := self._refusal(scope, headers):
            await _refuse(scope, send, *refusal)
            return
        participant = self._participant(scope, headers)
        if participant is not None and scope["path"].startswith(TAKE):
            await self.app(scope, _bounded(receive), _guarded(send, self._cookie(_PARTICIPANT, participant)))
        elif participant is not None or self._is_author(headers):
            await self.app(scope, _bounded(receive), _guarded(send))
        elif scope["type"] == "http":
            await self._let_in(scope, receive, send)
        else:
            await _refuse(scope, send, 403, "no key")

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str] | None:
        """Why a request is refused whoever asks: status and text."""
        if not self.access.names(headers.get("host", "")):
            return 421, "this is not the name of the studio; use the link that it printed"
        origin = headers.get("origin")
        own = urlsplit(origin).netloc == headers["host"] if origin else scope["type"] == "http"
        if not own or (headers.get("sec-fetch-site") == "cross-site" and scope.get("method") != "GET"):
            return 403, "asked by a page of another site"
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > MOST_BYTES:
            return 413, f"more than {MOST_BYTES:,} bytes"
        return None

    def _is_author(self, headers: dict[str, str]) -> bool:
        return _same(_cookies(headers).get(self.access.cookie, ""), self.access.session)

    def _participant(self, scope: Scope, headers: dict[str, str]) -> str | None:
        """Study and token of the participant who asks for the page of their link, or for what it needs."""
        path, is_get = scope["path"], scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
        if is_get and path.startswith(f"{TAKE}/"):
            participant = path.removeprefix(f"{TAKE}/")
        elif path.startswith(_SOCKET) or (is_get and _FILES.fullmatch(path)):
            participant = _cookies(headers).get(self.access.cookie + _PARTICIPANT, "")
        else:
            return None
        name, _, token = participant.partition("/")
        return participant if self.admits(name, token) else None

    def _cookie(self, kind: str, value: str) -> tuple[bytes, bytes]:
        cookie = f"{self.access.cookie}{kind}={value}; Path=/; HttpOnly; SameSite=Strict"
        return b"set-cookie", cookie.encode()

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a browser in that has the key or the password."""
        query = parse_qsl(scope["query_string"].decode("latin-1"))
        if not self.access.password:
            if scope["method"] == "GET" and _same(dict(query).get("key", ""), self.access.key):
                rest = urlencode([(name, value) for name, value in query if name != "key"])
                await self._welcome(send, f"{_local(scope['path'])}{'?' if rest else ''}{rest}")
            else:
                await _refuse(scope, send, 403, "open the studio with the link that it printed when it was started")
        elif scope["path"] == _LOGIN and scope["method"] == "POST":
            async with self._trying:
                form = parse_qs((await _body(_bounded(receive))).decode("utf-8", "replace"))
                if _same(form.get("password", [""])[0], self.access.password):
                    await self._welcome(send, "/")
                    return
                await asyncio.sleep(_DELAY)
            await _answer(send, 403, _form("This is not the password."))
        else:
            await _answer(send, 401, _form(""))

    async def _welcome(self, send: Send, path: str) -> None:
        await _answer(send, 303, "", ((b"location", path.encode()), self._cookie("", self.access.session)))


def _local(path: str) -> str:
    """A path of this site: two slashes at its beginning would name another."""
    return "/" + urlencode({"": path}, safe="/")[1:].lstrip("/")


def _cookies(headers: dict[str, str]) -> dict[str, str]:
    """The cookies of a request; none where they cannot be read."""
    try:
        return {name: cookie.value for name, cookie in SimpleCookie(headers.get("cookie", "")).items()}
    except CookieError:
        return {}


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())


def _bounded(receive: Receive) -> Receive:
    """What a request sends, cut off where it is too much."""
    size = 0

    async def bounded() -> Message:
        nonlocal size
        message = await receive()
        if message["type"] == "http.request":
            size += len(message.get("body", b""))
            if size > MOST_BYTES:
                return {"type": "http.disconnect"}
        return message

    return bounded


def _guarded(send: Send, *more: tuple[bytes, bytes]) -> Send:
    """What is answered, with the headers that tell a browser to load and embed nothing else, and some more."""

    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", ()), *_HEADERS, *more]
        await send(message)

    return guarded


async def _body(receive: Receive) -> bytes:
    parts = []
    while (message := await receive())["type"] == "http.request":
        parts.append(message.get("body", b""))
        if not message.get("more_body"):
            break
    return b"".join(parts)


async def _refuse(scope: Scope, send: Send, status: int, text: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 4000 + status})
    else:
        await _answer(send, status, _page(f"<p>{escape(text)}</p>"))


async def _answer(send: Send, status: int, body: str, more: Iterable[tuple[bytes, bytes]] = ()) -> None:
    headers = [(b"content-type", b"text/html; charset=utf-8"), (b"cache-control", b"no-store"), *_HEADERS, *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body.encode()})


def _page(body: str) -> str:
    style = "body{font:16px/1.5 system-ui,sans-serif;max-width:30rem;margin:4rem auto;padding:0 1rem}"
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>blimpgen studio</title>'
    return f'<!DOCTYPE html><html lang="en"><head>{head}<style>{style}</style></head><body>{body}</body></html>'


def _form(problem: str) -> str:
    """The page that asks for the password."""
    said = f'<p role="alert">{escape(problem)}</p>' if problem else ""
    field = '<label>Password <input type="password" name="password" autofocus></label>'
    return _page(
        f'<h1>blimpgen studio</h1>{said}<form method="post" action="{_LOGIN}">{field} <button>Open</button></form>'
    )
