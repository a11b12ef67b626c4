"""The server of the pages: its addresses, and its end."""

from __future__ import annotations

import socket
from contextlib import suppress
from typing import Any

import uvicorn
from fastapi import FastAPI
from nicegui import app as pages
from nicegui import ui

from blimpgen.cli.studio import browse, judge, judge_take, parse, results, words, write
from blimpgen.cli.studio.desk import Desk
from blimpgen.cli.studio.frame import Studio
from blimpgen.cli.studio.guard import MOST_BYTES, Access, Guard
from blimpgen.cli.studio.scoring import Scoring
from blimpgen.exports import FORMATS
from blimpgen.exports.study import Studies

__all__ = ["PAGES", "application", "serve"]

PAGES = (browse, words, parse, write, results, judge, judge_take)
"""The modules of the pages."""

_IDLE = 120.0
"""Seconds after which the process that makes plots is ended."""


def application(studio: Studio) -> FastAPI:
    """The pages as one application, without the guard before it."""
    app = FastAPI(openapi_url=None)
    for page in PAGES:
        page.add_pages(studio)
    pages.on_shutdown(studio.close)
    # On a busy machine or a weak network a page is silent for seconds, and is still there afterwards.
    settings: dict[str, Any] = {"reconnect_timeout": 15.0, "language": "en-US", "tailwind": False}
    ui.run_with(app, title="blimpgen studio", show_welcome_message=False, **settings)
    return app


def serve(desk: Desk, access: Access, listener: socket.socket) -> None:
    """Serve the pages until Ctrl-C.

    Args:
        desk: does the work of the pages.
        access: the way in.
        listener: the socket.
    """
    folders = desk.folders
    studies = Studies(folders.studies)
    figures, scoring = Desk(folders, idle=_IDLE), Scoring(folders)
    studio = Studio(folders, desk, figures, scoring, studies, access.address, tuple(FORMATS))
    guard = Guard(application(studio), access, studies.admits)
    settings = uvicorn.Config(
        guard,
        log_level="warning",
        access_log=False,
        server_header=False,
        ws_max_size=MOST_BYTES,
        timeout_graceful_shutdown=1,
    )
    with suppress(KeyboardInterrupt):
        uvicorn.Server(settings).run(sockets=[listener])
