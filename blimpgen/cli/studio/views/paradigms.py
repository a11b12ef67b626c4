"""Paradigms as the pages show them: the list of all, and one each with its pairs, slots and proof."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from blimpgen.base.errors import DataError, UsageError, nearest
from blimpgen.cli.studio.views.workspace import Workspace

if TYPE_CHECKING:
    from blimpgen.base.records import Record
    from blimpgen.generation.compiled import CompiledParadigm
    from blimpgen.paradigm import Paradigm

__all__ = ["MARKS", "Drawn", "Entry", "Pair", "ParadigmView", "audited", "catalogue", "pair_of", "paradigm", "view_of"]

MARKS = ("\ue000", "\ue001")
"""Stand around the words that differ until a sentence is escaped; characters of private use."""
PAIRS = 10
"""Pairs of a paradigm that are shown."""
AUDITED = 100
"""Pairs of a paradigm that are audited."""
_AS_BUILT = ": as its template builds it; the grammar derives no such sentence"


@dataclass(frozen=True)
class Pair:
    """A good and a bad sentence with `MARKS` around what differs; in a design, with the name of their comparison."""

    label: str
    good: str
    bad: str


@dataclass(frozen=True)
class Entry:
    """A paradigm in the list of all, with a worked pair of its file if it has one; whether it is the user's own."""

    uid: str
    suite: str
    term: str
    summary: str
    pair: Pair | None
    searched: str
    own: bool


@dataclass(frozen=True)
class Drawn:
    """A tree: the name of its sentence, in brackets, and as SVG."""

    name: str
    brackets: str
    svg: str


@dataclass(frozen=True)
class ParadigmView:
    """A paradigm as `blimpgen show` and `explain` tell it.

    Attributes:
        uid, suite, term, field, summary, differs, derivable: as its file says.
        methods: the methods by which its pairs can be scored.
        path: its file; text: what is in it.
        capacity: how many assignments it has.
        cells: the names of its cells; one without a name if it has only one.
        templates: name of a sentence to its template.
        slots: name, number of candidates, and what the file asks.
        pairs: pairs drawn with a seed.
        trees: those of the first pair.
        fault: what the proof found to be wrong; empty if its labels hold.
        own: whether it stands in the user's folder.
    """

    uid: str
    suite: str
    term: str
    field: str
    summary: str
    differs: str
    derivable: str
    methods: tuple[str, ...]
    path: str
    text: str
    capacity: str
    cells: tuple[str, ...]
    templates: dict[str, str]
    slots: tuple[tuple[str, str, str], ...]
    pairs: tuple[Pair, ...]
    trees: tuple[Drawn, ...]
    fault: str
    own: bool


def catalogue(workspace: Workspace) -> list[Entry]:
    """All paradigms by suite and phenomenon; one that cannot be read says so in the place of its summary."""
    workspace.library.relist(workspace.data)
    return list(_entries(workspace))


def _entries(workspace: Workspace) -> Iterator[Entry]:
    for suite in workspace.library.suites.values():
        for uid, path in suite.files.items():
            own = path.is_relative_to(workspace.data)
            try:
                paradigm = workspace.library.paradigm(path)
            except DataError as error:
                yield Entry(uid, suite.name, path.parent.name, str(error), None, uid, own)
                continue
            examples = paradigm.model.examples
            pair = pair_of("", examples[0].good, examples[0].bad) if examples else None
            sentences = (text for example in examples for text in (example.good, example.bad))
            searched = "\n".join((uid, suite.name, paradigm.term, paradigm.model.summary, *sentences)).casefold()
            yield Entry(uid, suite.name, paradigm.term, paradigm.model.summary, pair, searched, own)


def paradigm(workspace: Workspace, uid: str, seed: int) -> ParadigmView:
    """A paradigm with pairs that are drawn with a seed.

    Args:
        workspace: the data.
        uid: a paradigm.
        seed: the seed.

    Raises:
        BlimpgenError: there is none, or it cannot be compiled.
    """
    from blimpgen.base.sources import read_text

    paradigm = _named(workspace, uid)
    return view_of(workspace, paradigm, read_text(paradigm.document.path), seed)


def _named(workspace: Workspace, uid: str) -> Paradigm:
    workspace.library.relist(workspace.data)
    uids = list(workspace.library.uids())
    if uid not in uids:  # a path is none: only what stands in the data folders is read
        raise UsageError(f"no paradigm {uid!r}; {nearest(uid, uids)}")
    return workspace.library.paradigm(uid)


def view_of(workspace: Workspace, paradigm: Paradigm, text: str, seed: int) -> ParadigmView:
    """What a paradigm makes, whether its labels hold or not.

    Args:
        workspace: the data.
        paradigm: the paradigm.
        text: of its file.
        seed: of the pairs.

    Raises:
        BlimpgenError: it cannot be compiled.
    """
    from blimpgen.authoring.display import slot_table
    from blimpgen.cli.facts import shown_place
    from blimpgen.cli.show import ROUGH
    from blimpgen.generation.prepare import prepare

    faults: list[DataError] = []
    compiled = prepare(paradigm, workspace.library, unproven=faults.append)
    model = paradigm.model
    pairs, trees = _pairs(compiled, seed)
    return ParadigmView(
        uid=paradigm.uid,
        suite=paradigm.suite,
        term=paradigm.term,
        field=model.field or "",
        summary=model.summary,
        differs=model.differs or "",
        derivable=model.derivable or "",
        methods=tuple(model.methods),
        path=shown_place(paradigm.place()).rpartition(":")[0],
        text=text,
        capacity=str(compiled.counted(ROUGH)),
        cells=tuple(cell.plan.cell.name for cell in compiled.cells),
        templates={name: template for name, template in paradigm.sentences.items() if template},
        slots=tuple(slot_table(compiled)),
        pairs=pairs,
        trees=trees,
        fault=faults[0].message if faults else "",
        own=paradigm.document.path.is_relative_to(workspace.data),
    )


def _pairs(compiled: CompiledParadigm, seed: int) -> tuple[tuple[Pair, ...], tuple[Drawn, ...]]:
    from blimpgen.authoring import explain_row
    from blimpgen.cli.count import rows_available
    from blimpgen.cli.studio.tree_svg import tree_svg
    from blimpgen.generation.records import generate_records

    records = list(generate_records(compiled, min(PAIRS, rows_available(compiled)), seed))
    explained = explain_row(compiled, 0, seed)
    sentences = explained.record.sentences
    paradigm = compiled.paradigm
    underived = compiled.fault is None and not paradigm.model.derivable
    captions = {bad: f"{bad}{_AS_BUILT}" for _, bad in paradigm.pairs.values() if underived}
    trees = (
        Drawn(captions.get(name, name), tree, tree_svg(tree, f"Tree of: {sentences.get(name, name)}"))
        for name, tree in explained.trees.items()
    )
    return tuple(pair for record in records for pair in _pairs_of(record)), tuple(trees)


def _pairs_of(record: Record) -> Iterator[Pair]:
    from blimpgen.base.records import MinimalPair

    if isinstance(record, MinimalPair):
        yield pair_of(record.id, record.good, record.bad)
    else:
        for name, better, worse in record.pairs:
            yield pair_of(f"{record.id} {name}", record.sentences[better], record.sentences[worse])


def audited(workspace: Workspace, uid: str, seed: int) -> tuple[str, ...]:
    """What `blimpgen audit` says of pairs of a paradigm, as lines: guards, cheap rules, the spread of the words.

    Args:
        workspace: the data.
        uid: the paradigm.
        seed: of the pairs.

    Raises:
        BlimpgenError: there is none, or its labels do not hold.
    """
    from blimpgen.audit.audited_sets import audit_rows
    from blimpgen.audit.findings import pair_rows
    from blimpgen.cli.audit import audited_lines
    from blimpgen.cli.count import rows_available
    from blimpgen.generation.prepare import prepare
    from blimpgen.generation.records import generate_records

    compiled = prepare(_named(workspace, uid), workspace.library)
    records = generate_records(compiled, min(AUDITED, rows_available(compiled)), seed)
    rows = [row for record in records for row in pair_rows(record)]
    return tuple(line.strip() for line in audited_lines(audit_rows(rows, workspace.library, frequencies={})))


def pair_of(label: str, good: str, bad: str) -> Pair:
    """A pair with its difference marked.

    Args:
        label: what stands before it.
        good, bad: its sentences.
    """
    from blimpgen.authoring.display import marked

    return Pair(label, *marked(good, bad, MARKS))
