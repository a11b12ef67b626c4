"""The studio without a browser: who is let in, what the pages are told, and what the desk does with trouble."""

from __future__ import annotations

import asyncio
import gc
import io
import re
import socket
import statistics
import time
import weakref
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from html import unescape
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs

import pytest

from blimpgen.analysis.results import read_summary
from blimpgen.base.errors import BlimpgenError, UsageError
from blimpgen.cli.studio.desk import PATIENCE, Desk
from blimpgen.cli.studio.guard import MOST_BYTES, Access, Guard
from blimpgen.cli.studio.scoring import Scoring
from blimpgen.cli.studio.tree_svg import tree_svg
from blimpgen.cli.studio.views import drafts, new_words, paradigms, results, sentences, words
from blimpgen.cli.studio.views.drafts import Finding, Opened
from blimpgen.cli.studio.views.new_words import AskedWord
from blimpgen.cli.studio.views.paradigms import MARKS
from blimpgen.cli.studio.views.workspace import Folders, Workspace
from blimpgen.dataset import Arguments, write_set
from blimpgen.library import Library
from blimpgen.report.material import with_interval
from tests.conftest import Call

LOCAL = Access("127.0.0.1", 8765)
OPEN = Access("0.0.0.0", 8765, password="mary had a lamb")


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: str


async def _inner(scope: Any, receive: Any, send: Any) -> None:
    """An application that reads everything, and says that it was reached."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        return
    size = 0
    while (message := await receive())["type"] == "http.request":
        size += len(message["body"])
        if not message.get("more_body"):
            break
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": f"reached {message['type']} {size}".encode()})


def request(
    access: Access,
    target: str = "/",
    headers: Mapping[str, str] | None = None,
    *,
    method: str = "GET",
    body: bytes = b"",
    kind: str = "http",
    guard: Guard | None = None,
) -> Answer:
    """What the guard answers; as a browser of this machine asks, unless the headers say otherwise."""
    path, _, query = target.partition("?")
    named = {"host": f"127.0.0.1:{access.port}", **(headers or {})}
    scope = {
        "type": kind,
        "method": method,
        "path": path,
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in named.items()],
    }
    pieces = [body[at : at + 65_536] for at in range(0, len(body), 65_536)] or [b""]
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": pieces.pop(0), "more_body": bool(pieces)}

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run((guard or Guard(_inner, access, admits))(scope, receive, send))
    if kind == "websocket":
        return Answer({"websocket.accept": 101, "websocket.close": 403}[sent[0]["type"]], {}, "")
    said = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return Answer(sent[0]["status"], said, b"".join(m.get("body", b"") for m in sent[1:]).decode())


def admits(study: str, token: str) -> bool:
    return (study, token) == ("first", "token-of-one")


def known(access: Access) -> dict[str, str]:
    return {"cookie": f"{access.cookie}={access.session}"}


class TestGuard:
    def test_the_link_lets_in_once_and_the_cookie_from_then_on(self) -> None:
        link = LOCAL.link.removeprefix("http://127.0.0.1:8765")
        answer = request(LOCAL, link)
        assert (answer.status, answer.headers["location"]) == (303, "/")
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        assert LOCAL.key not in cookie
        assert request(LOCAL, "/", {"cookie": cookie.partition(";")[0]}).body == "reached http.request 0"

    def test_the_page_that_was_asked_for_is_kept(self) -> None:
        assert request(LOCAL, f"/words?query=a%26b&key={LOCAL.key}").headers["location"] == "/words?query=a%26b"

    def test_the_link_leads_nowhere_else(self) -> None:
        for path in ("//evil.example/", "/\\evil.example/", "/a\r\nset-cookie: x=y"):
            location = request(LOCAL, f"{path}?key={LOCAL.key}").headers["location"]
            assert re.fullmatch(r"/(?![/\\])[\w.%/+-]*", location), location

    @pytest.mark.parametrize("headers", [{}, {"cookie": "blimpgen-studio-8765=guess"}, {"cookie": '"\\;=;;'}])
    def test_without_a_key_nothing_is_reached(self, headers: dict[str, str]) -> None:
        for target in ("/", "/?key=guess", "/?key=", "/words", "/_nicegui/auto"):
            answer = request(LOCAL, target, headers)
            assert answer.status == 403
            assert "link" in answer.body
        assert request(LOCAL, "/", {**headers, "origin": "http://127.0.0.1:8765"}, kind="websocket").status == 403

    @pytest.mark.parametrize(
        "host", ["evil.example:8765", "127.0.0.1.evil.example:8765", "127.0.0.1:80", "", "[::1", "a b"]
    )
    def test_another_name_is_refused(self, host: str) -> None:
        assert request(LOCAL, "/", {**known(LOCAL), "host": host}).status == 421

    def test_names_of_a_lab_network(self) -> None:
        own = f"{socket.gethostname()}:8765"
        assert request(OPEN, "/", {**known(OPEN), "host": "192.168.1.7:8765"}).status == 200
        assert request(OPEN, "/", {**known(OPEN), "host": own}).status == 200
        assert request(OPEN, "/", {**known(OPEN), "host": "evil.example:8765"}).status == 421
        assert request(LOCAL, "/", {**known(LOCAL), "host": "192.168.1.7:8765"}).status == 421

    @pytest.mark.parametrize(
        "origin", ["http://evil.example", "null", "http://127.0.0.1:8766", "http://localhost:8765"]
    )
    def test_another_site_is_refused(self, origin: str) -> None:
        headers = {**known(LOCAL), "origin": origin}
        assert request(LOCAL, "/", headers, method="POST").status == 403
        assert request(LOCAL, "/_nicegui_ws/socket.io/", headers, kind="websocket").status == 403

    def test_a_web_socket_says_where_it_comes_from(self) -> None:
        assert request(LOCAL, "/", known(LOCAL), kind="websocket").status == 403
        assert request(LOCAL, "/", {**known(LOCAL), "origin": "http://127.0.0.1:8765"}, kind="websocket").status == 101

    def test_ten_megabytes_are_refused(self) -> None:
        body = b"x" * 10_000_000
        headers = {**known(LOCAL), "origin": "http://127.0.0.1:8765"}
        said = request(LOCAL, "/", {**headers, "content-length": str(len(body))}, method="POST", body=body)
        assert (said.status, said.body.count("reached")) == (413, 0)
        # of a request that does not say its length, no more is read than is allowed
        silent = request(LOCAL, "/", headers, method="POST", body=body)
        assert silent.body.startswith("reached http.disconnect")
        assert int(silent.body.split()[-1]) <= MOST_BYTES
        assert request(LOCAL, "/", {**headers, "content-length": "-1"}, method="POST").status == 413

    def test_the_password_opens_and_nothing_else_does(self) -> None:
        assert "key" not in OPEN.link
        assert request(OPEN, f"/?key={OPEN.key}").status == 401
        assert 'type="password"' in request(OPEN, "/").body
        origin = {"origin": "http://127.0.0.1:8765"}
        answer = request(OPEN, "/login", origin, method="POST", body=b"password=mary+had+a+lamb")
        assert (answer.status, answer.headers["location"]) == (303, "/")
        assert OPEN.session in answer.headers["set-cookie"]

    def test_a_wrong_password_costs_time(self, monkeypatch: pytest.MonkeyPatch) -> None:
        waits = []

        async def sleep(seconds: float) -> None:
            waits.append(seconds)

        monkeypatch.setattr("blimpgen.cli.studio.guard.asyncio.sleep", sleep)
        for body in (b"password=guess", b"", b"\xff=\xff", b"password="):
            assert request(OPEN, "/login", method="POST", body=body).status == 403
        assert waits == [1.0] * 4

    @pytest.mark.parametrize("access", [LOCAL, OPEN])
    def test_a_participant_reaches_one_page_and_nothing_else(self, access: Access) -> None:
        page = request(access, "/take/first/token-of-one")
        assert page.body.startswith("reached")
        cookie, _, rest = page.headers["set-cookie"].partition(";")
        assert "HttpOnly" in rest
        assert "SameSite=Strict" in rest
        headers = {"cookie": cookie, "origin": f"http://127.0.0.1:{access.port}"}
        assert request(access, "/_nicegui/3.18.0/static/nicegui.js", headers).status == 200
        assert request(access, "/_nicegui_ws/socket.io/", headers, kind="websocket").status == 101
        refused = 401 if access.password else 403
        for path in (
            "/",
            "/words",
            "/write/x",
            "/judge",
            "/judge/first",
            "/take",
            "/take/first/",
            "/takeover",
            "/docs",
        ):
            assert request(access, path, headers).status == refused
            assert request(access, path, headers, kind="websocket").status == 403
        for path in ("/_nicegui/auto/static/x", "/_nicegui/client/x/upload/1", "/take/first/token-of-one/../../judge"):
            assert request(access, path, headers).status == refused
        for path in ("/take/first/token-of-one", "/_nicegui/3.18.0/static/nicegui.js"):
            assert request(access, path, headers, method="POST").status in (401, 403)
        assert request(access, f"/?key={cookie.partition('=')[2]}").status == refused

    def test_no_link_but_that_of_a_participant_opens_a_study(self) -> None:
        for path in ("/take/first/token-of-two", "/take/second/token-of-one", "/take//", "/take/first"):
            assert request(LOCAL, path).status == 403
        for value in ("first/token-of-two", "first", "", LOCAL.session, LOCAL.key):
            headers = {"cookie": f"{LOCAL.cookie}-participant={value}", "origin": "http://127.0.0.1:8765"}
            assert request(LOCAL, "/_nicegui_ws/socket.io/", headers, kind="websocket").status == 403
            assert request(LOCAL, "/_nicegui/3.18.0/static/nicegui.js", headers).status == 403
        headers = {"cookie": f"{LOCAL.cookie}=first/token-of-one"}
        assert request(LOCAL, "/judge", headers).status == 403

    def test_every_answer_forbids_frames_and_other_sites(self) -> None:
        for answer in (request(LOCAL), request(OPEN), request(LOCAL, "/", {"host": "x"})):
            assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]

    def test_secrets_are_not_shown(self) -> None:
        assert not any(secret in repr(OPEN) for secret in (OPEN.key, OPEN.session, OPEN.password))


class TestCommand:
    def test_without_the_extra_it_says_what_to_install(self, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(__import__("sys").modules, "nicegui", None)
        outcome = call("studio")
        assert outcome.code == 2
        assert outcome.err == "this needs nicegui, which is not installed; type: pip install 'blimpgen[studio]'\n"

    def test_a_port_in_use(self, call: Call) -> None:
        pytest.importorskip("nicegui")
        with socket.socket() as other:
            other.bind(("127.0.0.1", 0))
            other.listen()
            outcome = call("studio", "--port", other.getsockname()[1])
        assert outcome.code == 2
        assert "give another --port" in outcome.err
        assert outcome.err.count("\n") == 1

    def test_data_that_is_a_file(self, call: Call, tmp_path: Path) -> None:
        pytest.importorskip("nicegui")
        (tmp_path / "data").write_text("")
        outcome = call("studio", "--data", tmp_path / "data")
        assert (outcome.code, outcome.err.count("\n")) == (2, 1)


class TestTree:
    def test_words_and_lines(self) -> None:
        svg = tree_svg("(S (DP (D the) (N cat)) (VP sleeps) (. .))", "Tree of: <the> cat")
        assert re.findall(r'class="word"[^>]*>([^<]*)', svg) == ["the", "cat", "sleeps", "."]
        assert re.findall(r'class="category"[^>]*>([^<]*)', svg) == ["D", "N", "DP", "VP", ".", "S"]
        assert svg.count("<line") == 9
        assert 'aria-label="Tree of: &lt;the&gt; cat"' in svg

    def test_words_do_not_touch(self) -> None:
        svg = tree_svg("(S (Determiner a) (N elephants) (P of))", "")
        places = [float(x) for x in re.findall(r'class="word" x="([\d.]+)"', svg)]
        assert places == sorted(places)
        assert min(b - a for a, b in pairwise(places)) > 50

    def test_html_in_words_is_text(self) -> None:
        assert "<script" not in tree_svg("(S <script>alert(1)</script>)", "")


@pytest.fixture(scope="module")
def workspace(library: Library) -> Workspace:
    """A workspace of the shipped data alone, with the words that all tests read once."""
    workspace = Workspace(Folders(Path("there is no such folder")))
    workspace.library = library
    return workspace


class TestViews:
    def test_the_catalogue_has_every_paradigm(self, workspace: Workspace) -> None:
        entries = paradigms.catalogue(workspace)
        assert [entry.uid for entry in entries] == list(workspace.library.uids())
        assert all(MARKS[0] in entry.pair.bad for entry in entries if entry.pair)

    def test_a_paradigm(self, workspace: Workspace) -> None:
        view = paradigms.paradigm(workspace, "transitive", 0)
        assert len(view.pairs) == 10
        assert view.fault == ""
        assert [name for name, _, _ in view.slots] == ["verb", "iv", "subj", "obj"]
        good, bad = (tree.name for tree in view.trees)
        assert good == "good"
        assert "the grammar derives no such sentence" in bad
        assert view.pairs != paradigms.paradigm(workspace, "transitive", 1).pairs

    def test_a_design_of_several_sentences(self, workspace: Workspace) -> None:
        uid = next(uid for uid in workspace.library.uids() if not workspace.library.paradigm(uid).is_pair)
        view = paradigms.paradigm(workspace, uid, 0)
        assert len(view.pairs) >= 10
        assert all(pair.label for pair in view.pairs)

    @pytest.mark.parametrize("name", ["../../pyproject.toml", "../x.yaml", "nosuch", "/etc/passwd", "\0"])
    def test_names_that_lead_out_of_the_data(self, workspace: Workspace, name: str) -> None:
        with pytest.raises(BlimpgenError):
            paradigms.paradigm(workspace, name, 0)

    def test_a_file_elsewhere_is_not_read(self, workspace: Workspace, tmp_path: Path) -> None:
        path = tmp_path / "elsewhere.yaml"
        path.write_bytes(workspace.library.paradigm("transitive").document.path.read_bytes())
        with pytest.raises(UsageError, match="no paradigm"):
            paradigms.paradigm(workspace, str(path), 0)

    @pytest.mark.slow
    def test_memory_is_given_back_and_the_pages_stay_the_same(self, tmp_path: Path) -> None:
        """After an answer that took much, words are read anew, and not again before more was taken."""
        workspace = Workspace(Folders(tmp_path / "data"))
        before = paradigms.paradigm(workspace, "transitive", 0)
        languages = [workspace.library.language("")]
        for taken in (90e6, 120e6, 121e6, 135e6):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr("blimpgen.cli.studio.views.workspace._taken", lambda taken=taken: taken)
                workspace.settle()
            languages.append(workspace.library.language(""))
        assert [a is b for a, b in pairwise(languages)] == [True, False, True, False]
        assert paradigms.paradigm(workspace, "transitive", 0) == before

    @pytest.mark.slow
    def test_no_page_holds_on_to_words_that_are_given_back(self, tmp_path: Path) -> None:
        workspace = Workspace(Folders(tmp_path / "data"))
        lexicon = weakref.ref(workspace.library.language("").lexicon)
        paradigms.paradigm(workspace, "transitive", 0)
        paradigms.audited(workspace, "transitive", 0)
        sentences.parse(workspace, "The boy sleeps.", "closed")
        workspace.library.release()
        gc.collect()
        assert lexicon() is None

    def test_words(self, workspace: Workspace) -> None:
        found = words.words(workspace, "noun: human")
        assert found.count > len(found.rows) == 500
        with pytest.raises(UsageError, match="unknown category"):
            words.words(workspace, "noum: human")

    def test_a_lexeme_with_sentences(self, workspace: Workspace) -> None:
        lexeme = words.lexeme(workspace, "V", "admire.1")
        assert lexeme.forms["past"] == "admired"
        assert lexeme.sentences
        assert all("admir" in sentence for sentence, _ in lexeme.sentences)
        with pytest.raises(UsageError):
            words.lexeme(workspace, "N", "admire.1")

    def test_sentences(self, workspace: Workspace) -> None:
        good = sentences.parse(workspace, "The teacher that the boys like sleeps.", "closed")
        assert good.derived
        assert good.headline.startswith("derived in the closed reading: ")
        assert len(good.trees) >= 1
        bad = sentences.parse(workspace, "The teacher sleep.", "closed")
        assert not bad.derived
        assert any("Number" in reason for reason in bad.reasons)
        with pytest.raises(UsageError):
            sentences.parse(workspace, "", "closed")


class TestAddingAWord:
    @pytest.fixture
    def own(self, tmp_path: Path) -> Workspace:
        return Workspace(Folders(tmp_path / "data"))

    @pytest.mark.slow
    def test_it_is_looked_at_before_it_is_written_and_drawn_after(self, own: Workspace) -> None:
        assert "trumpet" in new_words.look(own, AskedWord("flumpet", like="trumpet")).rows[0][1].replace(
            "flumpet", "trumpet"
        )
        assert not own.data.exists()
        added = new_words.add(own, AskedWord("flumpet", like="trumpet", cells="tags=+playable\n"))
        assert added.written == (str(own.data / "lexicon" / "nouns.tsv"),)
        assert any(line.startswith("object of") for line in added.fits)
        assert added.sentences
        assert all("flumpet" in sentence.lower() for sentence in added.sentences)  # one may begin with it
        assert words.words(own, "flumpet").count == 1
        with pytest.raises(UsageError, match="is there already"):
            new_words.add(own, AskedWord("flumpet", like="trumpet"))

    def test_what_it_wants_is_said_and_nothing_written(self, workspace: Workspace) -> None:
        assert [name for name, _ in new_words.add(workspace, AskedWord("flumpet", "noun")).wanting] == ["types"]
        assert [name for name, _ in new_words.add(workspace, AskedWord("flumpet", "verb")).wanting] == ["frame"]
        assert not workspace.data.exists()

    @pytest.mark.parametrize(
        ("asked", "said"),
        [
            (AskedWord("flumpet"), "say what flumpet is"),
            (AskedWord("", "noun"), "'' is no word"),
            (AskedWord("../up", "noun"), "is no word"),
            (AskedWord("flumpet", like="trumpit"), "trumpet"),
            (AskedWord("flumpet", "noun", cells="types"), "'types' is no COLUMN=CELL"),
            (AskedWord("flumpet", "noun", cells="types=fud"), "unknown type 'fud'"),
            (AskedWord("flumpet", "noun", frames="V.NP"), "only verbs have rows"),
        ],
    )
    def test_mistakes(self, workspace: Workspace, asked: AskedWord, said: str) -> None:
        with pytest.raises(UsageError, match=re.escape(said)):
            new_words.add(workspace, asked)
        assert not workspace.data.exists()


class TestWriting:
    @pytest.fixture
    def own(self, tmp_path: Path) -> Workspace:
        return Workspace(Folders(tmp_path / "data"))

    @pytest.fixture
    def opened(self, own: Workspace) -> Opened:
        return drafts.begin(own, "my_first", "transitive")

    def checked(self, workspace: Workspace, opened: Opened) -> tuple[Finding, ...]:
        while (findings := drafts.check(workspace, opened)) is None:
            continue
        return findings

    @pytest.mark.slow
    def test_a_new_one_already_runs(self, own: Workspace, opened: Opened) -> None:
        draft = drafts.draft(own, opened, 0)
        assert draft.view is not None
        assert len(draft.view.pairs) == 10
        assert draft.findings == self.checked(own, opened) == ()
        assert not own.data.exists()

    @pytest.mark.slow
    def test_a_problem_stands_at_its_line(self, own: Workspace, opened: Opened) -> None:
        wrong = replace(opened, text=opened.text.replace("bad:  subj iv", "bad:  subj ivv"))
        line = next(k for k, text in enumerate(wrong.text.splitlines(), start=1) if text.startswith("bad:"))
        (finding,) = drafts.draft(own, wrong, 0).findings
        assert finding.line == line
        assert "did you mean 'iv'?" in finding.message
        assert self.checked(own, wrong)[0] == finding
        assert self.checked(own, opened) == ()

    @pytest.mark.slow
    def test_a_label_trap_is_told_with_its_tree(self, own: Workspace, opened: Opened) -> None:
        trap = replace(opened, text=opened.text.replace("frame: V, no_frame: V.NP", "frame: V.NP"))
        view = drafts.draft(own, trap, 0).view
        assert view is not None
        assert "(S " in view.fault
        assert any("(S " in finding.message for finding in self.checked(own, trap))
        saved = drafts.save(own, trap)
        with pytest.raises(BlimpgenError, match="derive"):
            drafts.pack(own, saved.uid, 10, 0, "")

    @pytest.mark.slow
    def test_a_word_that_is_dealt_and_always_wrong_does_not_hold_up(self, own: Workspace) -> None:
        opened = drafts.begin(own, "flow0", "transitive")
        intransitive = opened.text.replace("{cat: VG, frame: V.NP, is: words=1}", "{cat: VG, frame: V}")
        wrong = replace(opened, text=intransitive.replace("object_of: verb, ", ""))
        assert "verb: {cat: VG, frame: V}" in wrong.text
        assert "obj:  {cat: DP.det | DP.poss, every: {D: not lemma=some}, is:" in wrong.text
        started = time.process_time()
        view = drafts.draft(own, wrong, 0).view
        assert view is not None
        assert len(view.pairs) == 10
        assert "derive" in view.fault
        assert time.process_time() - started < 8

    @pytest.mark.parametrize(
        ("before", "typed", "offered"),
        [
            ("me", "me", ["methods: "]),
            ("  verb: {cat: VG, fram", "fram", ["frame: "]),
            ("    ca", "ca", ["cat: "]),
            ("  verb: {is: not Numb", "Numb", ["Number="]),
            ("  verb: {is: Number=", "", ["Sing", "Plur"]),
            ("  verb: {is: lemma=devou", "devou", ["devour"]),
            ("  verb: {frame: V.NP.wh", "V.NP.wh", []),
            ("summary: Only a fram", "fram", []),
            ("differs: 'Bad verbs, fram", "fram", []),
            ("  verb: {cat: VG}  # fram", "fram", []),
            ("  and so fram", "fram", []),
        ],
    )
    def test_what_can_be_typed_next(self, workspace: Workspace, before: str, typed: str, offered: list[str]) -> None:
        """Keys where a key can stand, values behind their keys, nothing in texts and comments."""
        said, every = drafts.completions(workspace, before)
        assert (said, [each.text for each in every]) == (typed, offered)

    @pytest.mark.slow
    def test_words_of_a_slot_and_why(self, own: Workspace, opened: Opened) -> None:
        fitting = drafts.candidates(own, opened, "iv")
        assert 10 < len(fitting) <= 60
        assert drafts.why(own, opened, "iv", fitting[0])[0] == f"{fitting[0]} (V) fits iv"
        assert any("kept out" in line for line in drafts.why(own, opened, "iv", "devour"))
        assert drafts.candidates(own, opened, "nosuch") == ()

    @pytest.mark.slow
    def test_saved_opened_again_and_packed(self, own: Workspace, opened: Opened) -> None:
        saved = drafts.save(own, opened)
        assert drafts.begin(own, "my_first", "") == saved
        path = own.data / "paradigms" / "mine" / "argument_structure" / "my_first.yaml"
        assert path.read_text(encoding="utf-8") == opened.text
        assert [entry.uid for entry in paradigms.catalogue(own) if entry.own] == ["my_first"]
        assert paradigms.paradigm(own, "my_first", 0).own
        packed = zipfile.ZipFile(io.BytesIO(drafts.pack(own, "my_first", 5, 0, "")))
        assert len(packed.read("my_first/my_first.jsonl").splitlines()) == 5
        assert "my_first/manifest.json" in packed.namelist()
        exported = zipfile.ZipFile(io.BytesIO(drafts.pack(own, "my_first", 5, 0, "lm-eval")))
        assert any(name.endswith(".yaml") for name in exported.namelist())

    def test_another_hand_is_not_overwritten(self, own: Workspace, opened: Opened) -> None:
        saved = drafts.save(own, opened)
        path = next(own.data.rglob("my_first.yaml"))
        path.write_text("summary: by another hand")
        with pytest.raises(UsageError, match="was changed"):
            drafts.save(own, replace(saved, text="summary: mine"))
        assert path.read_text() == "summary: by another hand"

    @pytest.mark.parametrize("uid", ["../evil", "..", "a/b", "/etc/x", "a b", "", ".x", "transitive", "a\0b"])
    def test_names_that_lead_elsewhere(self, own: Workspace, opened: Opened, uid: str, tmp_path: Path) -> None:
        with pytest.raises(BlimpgenError):
            drafts.begin(own, uid, "transitive")
        with pytest.raises(BlimpgenError):
            drafts.save(own, replace(opened, uid=uid))
        assert list(tmp_path.rglob("*")) == []

    @pytest.mark.parametrize("term", ["../../../evil", "..", "a/b", ""])
    def test_a_phenomenon_that_leads_elsewhere(self, own: Workspace, opened: Opened, term: str, tmp_path: Path) -> None:
        with pytest.raises(BlimpgenError):
            drafts.save(own, replace(opened, term=term))
        assert list(tmp_path.rglob("*")) == []

    def test_ten_megabytes_of_yaml(self, own: Workspace, opened: Opened, tmp_path: Path) -> None:
        large = replace(opened, text=opened.text + "# more\n" * 1_500_000)
        (finding,) = drafts.draft(own, large, 0).findings
        assert "at most 200,000" in finding.message
        with pytest.raises(UsageError, match="at most"):
            drafts.save(own, large)
        assert list(tmp_path.rglob("*")) == []

    @pytest.mark.slow
    def test_half_of_all_edits_show_in_less_than_a_third_of_a_second(self, own: Workspace) -> None:
        """Each shipped paradigm as its file stands, with another summary; the time of this process alone."""
        seconds = []
        for uid in own.library.uids("blimp"):
            paradigm = own.library.paradigm(uid)
            if paradigm.parent:
                continue
            text = paradigm.document.path.read_text(encoding="utf-8")
            opened = Opened(uid, paradigm.term, text, text)
            drafts.draft(own, opened, 0)
            started = time.process_time()
            assert drafts.draft(own, replace(opened, text=text.replace("summary: ", "summary: More. ")), 0).view
            seconds.append(time.process_time() - started)
        assert statistics.median(seconds) < 0.3


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory, library: Library) -> Workspace:
    """A set of two paradigms, scored by length, once whole and once its first rows."""
    home = tmp_path_factory.mktemp("studio")
    write_set(library, Arguments(targets=("transitive", "sentential_subject_island"), n=12), home / "sets" / "two")
    (home / "results").mkdir()
    told: list[tuple[int, int]] = []
    folders = Folders(home / "data", home / "results", home / "sets", home / "models")
    workspace = Workspace(folders, lambda done, total: told.append((done, total)))
    assert results.verify(workspace, "two", "length", None) == "two-length"
    assert (told[0], told[-1]) == ((0, 24), (24, 24))
    assert results.verify(workspace, "two", "length", 5) == "two-length-first-5"
    return workspace


class TestResults:
    def test_the_list_says_what_the_summaries_say(self, scored: Workspace) -> None:
        entries = results.listing(scored)
        assert [(entry.name, entry.pairs) for entry in entries] == [("two-length", 24), ("two-length-first-5", 10)]
        summary = read_summary(scored.folders.results / "two-length")  # type: ignore[operator]
        assert entries[0].signature == summary.signature
        shown = with_interval(summary.methods["full"].overall.accuracy, summary.methods["full"].overall.interval)
        assert entries[0].accuracies[0] == ("full", shown)
        (one, other) = results.of_paradigm(scored, "transitive")
        assert (one.name, other.name, one.model) == ("two-length", "two-length-first-5", "length")

    @pytest.mark.slow
    def test_figures_of_a_report_lead_to_their_pairs(self, scored: Workspace) -> None:
        pytest.importorskip("matplotlib")
        view = results.report(scored, ("two-length", "two-length-first-5"))
        assert view.lead.startswith("2 results on 2 paradigms")
        links = {unescape(link) for link in re.findall(r'href="/results/pairs[?]([^"]*)"', view.html)}
        assert "of=two-length&group=transitive&only=all" in links
        assert "of=two-length&of=two-length-first-5&group=island_effects&only=first" in links
        for link in links:
            query = parse_qs(link, keep_blank_values=True)
            (group,), (only,) = query["group"], query["only"]
            behind = results.pairs(scored, query["of"], group, only, "", 0)  # type: ignore[arg-type]
            assert behind.count or only != "all"

    @pytest.mark.slow
    def test_points_of_plots_lead_to_their_pairs(self, scored: Workspace) -> None:
        """Each point, cell and histogram has an address at its place, and there are its pairs."""
        pytest.importorskip("matplotlib")
        names = ("two-length", "two-length-first-5")
        html = results.report(scored, names).html
        spots = re.findall(r'<a href="([^"]+)" title="([^"]+)" tabindex="-1" style="([^"]+)">', html)
        assert html.count("<a href") > len(spots) > 12
        seen = set()
        for address, title, style in spots:
            query = parse_qs(unescape(address).partition("?")[2], keep_blank_values=True)
            (group,) = query["group"]
            of = tuple(query["of"])
            shown = results.pairs(scored, of, group, "all", "", 0)
            assert shown.count == {"two-length": 24, "two-length-first-5": 10}[of[0]] // (1 if not group else 2)
            assert title == f"{group.replace('_', ' ') or 'overall'}: {', '.join(of)}"
            left, top = (float(share) for share in re.findall(r"(?:left|top):([\d.]+)%", style))
            assert 0 < left < 100
            assert 0 < top < 100
            seen |= {(*of, group)}
        assert {("two-length", "transitive"), ("two-length", ""), (*names, "")} <= seen

    def test_pairs_stand_by_their_margins(self, scored: Workspace) -> None:
        view = results.pairs(scored, ("two-length",), "transitive", "all", "full", 0)
        margins = [pair.margins[0] for pair in view.pairs]
        assert (view.count, len(margins)) == (12, 12)
        assert margins == sorted(margins, key=lambda margin: margin or 0)
        wrong = results.pairs(scored, ("two-length",), "transitive", "wrong", "full", 0)
        assert wrong.count == sum(not margin or margin <= 0 for margin in margins)
        assert all(pair.uid == "transitive" and MARKS[0] in pair.pair.bad for pair in view.pairs)
        assert results.pairs(scored, ("two-length",), "transitive", "all", "full", 10).pairs == view.pairs[10:]

    def test_two_results_are_compared_on_the_pairs_that_both_have(self, scored: Workspace) -> None:
        pytest.importorskip("matplotlib")
        names = ("two-length", "two-length-first-5")
        both = results.pairs(scored, names, "", "all", "full", 0)
        assert both.count == 24
        assert sum(None not in pair.margins for pair in both.pairs) == 10
        assert [results.pairs(scored, names, "", only, "full", 0).count for only in ("differ", "first", "second")] == [
            0
        ] * 3

    @pytest.mark.parametrize("name", ["../sets/two", "/etc", "two-lengt", ".", "", "\0"])
    def test_names_that_lead_elsewhere(self, scored: Workspace, name: str) -> None:
        with pytest.raises(UsageError, match="no result"):
            results.pairs(scored, (name,), "", "all", "", 0)
        with pytest.raises(UsageError, match="no set"):
            results.verify(scored, name, "length", None)
        with pytest.raises(UsageError, match="or model"):
            results.verify(scored, "two", name, None)

    def test_links_that_lead_out_are_not_followed(self, scored: Workspace, tmp_path: Path) -> None:
        (tmp_path / "inside").mkdir()
        (tmp_path / "inside" / "link").symlink_to(scored.folders.results)  # type: ignore[arg-type]
        assert results.listing(Workspace(Folders(tmp_path, tmp_path / "inside"))) == []

    def test_damage_is_told_in_its_line(self, tmp_path: Path) -> None:
        for name in ("damaged", "unfinished"):
            (tmp_path / name).mkdir()
        (tmp_path / "damaged" / "items.jsonl").write_text("{}")
        (tmp_path / "damaged" / "summary.json").write_text("{}")
        (tmp_path / "unfinished" / "items.unfinished.jsonl").write_text("")
        damaged, unfinished = results.listing(Workspace(Folders(tmp_path, tmp_path)))
        assert "not a summary" in damaged.problem
        assert "not finished" in unfinished.problem

    @pytest.mark.slow
    def test_a_run_tells_how_far_it_is_and_can_be_stopped(self, scored: Workspace) -> None:
        async def session() -> None:
            scoring = Scoring(scored.folders)
            scoring.start("two", "length", 3)
            with pytest.raises(UsageError, match="is being scored"):
                scoring.start("two", "length", 3)
            while scoring.is_running:
                await asyncio.sleep(0.05)
            assert (scoring.outcome, scoring.done, scoring.total) == ("written: two-length-first-3", 6, 6)
            scoring.start("two", "length", 4)
            await asyncio.sleep(0.2)
            scoring.stop()
            while scoring.is_running:
                await asyncio.sleep(0.05)
            assert "stopped" in scoring.outcome
            assert not scoring.failed
            scoring.start("nosuch", "length", None)
            while scoring.is_running:
                await asyncio.sleep(0.05)
            assert scoring.failed
            assert "no set 'nosuch'" in scoring.outcome

        asyncio.run(session())


class TestDesk:
    @pytest.mark.slow
    def test_answers_errors_and_another_process_after_one_that_took_too_long(self, tmp_path: Path) -> None:
        async def session() -> None:
            asked = Desk(Folders(tmp_path))
            assert (await asked.ask(sentences.parse, "Dogs sleep.", "closed")).derived
            with pytest.raises(BlimpgenError, match="no letters"):
                await asked.ask(sentences.parse, "?", "closed")
            asked.patience = 0.001
            with pytest.raises(BlimpgenError, match="given up"):
                await asked.ask(paradigms.catalogue)
            asked.patience = PATIENCE
            assert (await asked.ask(sentences.parse, "Dogs sleep.", "closed")).derived
            asked.close()

        asyncio.run(session())
