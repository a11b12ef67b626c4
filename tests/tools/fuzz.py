"""Fuzzing: damaged files go into every command, and none may answer with a traceback.

Each input is a small folder of good files of which one is damaged (`mutate`), and a command that reads it.
The command runs in a process that is forked from one in which everything is loaded, so an input costs milliseconds. It
must end by itself with exit code 0, 1 or 2, within ten seconds of processor time and two gigabytes, write nothing but
its output, leave no unfinished file, and print no warning and no control character.

``python tests/tools/fuzz.py -n 50000`` tries that many inputs; ``--seed`` makes others, ``--kind`` one kind of them,
``--only N`` the one input of that number, ``--keep DIR`` keeps the folders of those that failed. A line for each place
that failed, with one of its inputs, is printed at the end.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

from blimpgen.exports import FORMATS
from mutate import mutated

__all__ = ["KINDS", "Failure", "Family", "Kind", "attempt", "exit_code", "fuzz", "fuzz_apart", "main", "summary"]

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "golden"
SECONDS, BYTES = 10, 2 << 30
HANGS = 120
"""Seconds after which a command that uses no time of the processor is taken to wait for something."""
_ARGUMENT = 100_000  # bytes that an argument may have
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\x80-\x9f\u2028\u2029\u202a-\u202e]")
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_GOLDEN_SUITE = ("changes", "lists", "tables", "triples", "twins")
_SHIPPED = ("transitive", "adjunct_island", "filler_gap_2x2", "anaphor_gender_agreement", "npi_present_1")


@dataclass(frozen=True)
class Family:
    """Files that are damaged in the same way, and the commands that read them.

    Attributes:
        files: glob patterns within the folder of the kind.
        commands: ``{file}`` and ``{uid}`` stand for the damaged file, ``{content}`` for what it says; the output goes
            to ``out``.
        in_folder: the commands look for the file in its folder, so that its name and sort may change too.
    """

    files: Sequence[str]
    commands: Sequence[str]
    in_folder: bool = False


@dataclass(frozen=True)
class Kind:
    """A folder of good files.

    Attributes:
        write: writes the folder.
        families: what is damaged in it.
        golden: the folder ``data`` in it is the library, instead of the shipped one.
        cached: compiled paradigms are kept in the folder ``cache`` in it.
    """

    write: Callable[[Path], None]
    families: Sequence[Family]
    golden: bool = False
    cached: bool = False


@dataclass(frozen=True)
class Failure:
    """A command that did what it must not do.

    Attributes:
        number: the input.
        kind: its kind.
        file: what was damaged.
        command: the command line.
        what: what happened: the last line of the traceback, or what else was wrong.
        where: the innermost place in the package, for a traceback.
    """

    number: int
    kind: str
    file: str
    command: str
    what: str
    where: str = ""


def _run(*arguments: str, folder: Path | None = None) -> None:
    """Run a command that must end well, or with problems found."""
    environment = {**os.environ, "BLIMPGEN_CACHE": "off"}
    call = [sys.executable, "-m", "blimpgen", *arguments]
    done = subprocess.run(call, cwd=folder, capture_output=True, text=True, env=environment, check=False)
    if done.returncode > 1:
        raise RuntimeError(f"{' '.join(arguments)}: {done.stderr}")


def _golden_data(folder: Path) -> None:
    """The golden library, with a frequency for each of its lexemes."""
    for part in ("lexicon", "grammars", "paradigms"):
        shutil.copytree(GOLDEN / part, folder / "data" / part)
    tables = [path.read_text(encoding="utf-8").splitlines() for path in (folder / "data" / "lexicon").glob("*.tsv")]
    ids = {row.split("\t")[0] for table in tables if table[0].startswith("id\t") for row in table[1:]}
    zipf = (ROOT / "lexicon" / "zipf.tsv").read_text(encoding="utf-8").splitlines()
    rows = [zipf[0], *(row for row in zipf[1:] if row.split("\t")[0] in ids)]
    (folder / "data" / "lexicon" / "zipf.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")


def _shipped_paradigms(folder: Path) -> None:
    (folder / "paradigms").mkdir()
    for path in sorted((ROOT / "paradigms").rglob("*.yaml")):
        if path.name != "suite.yaml":
            shutil.copy(path, folder / "paradigms")


def _set(folder: Path) -> None:
    _run("generate", *_SHIPPED, "-n", "4", "-o", str(folder / "set"))
    _run("generate", *_SHIPPED, "-n", "4", "--metadata", "-o", str(folder / "full"))


def _unfinished(folder: Path) -> None:
    """A finished set, and one whose run was ended before its manifest was written."""
    _run("generate", *_SHIPPED[:2], "-n", "4", "-o", str(folder / "set"))
    _end_before_manifest(folder, "generate", *_SHIPPED[:2], "-n", "4", "-o", "unfinished")


def _end_before_manifest(folder: Path, *call: str) -> None:
    code = (
        "import os, sys; sys.addaudithook(lambda event, a: os._exit(0) if event == 'open' and 'manifest' in str(a[0])"
        " and a[2] & os.O_WRONLY else None); from blimpgen.cli import main; main(sys.argv[1:])"
    )
    subprocess.run([sys.executable, "-c", code, *call], cwd=folder, check=True, capture_output=True)
    if not (folder / call[-1] / "run.json").exists():
        raise RuntimeError("the run ended before it could be interrupted")


def _results(folder: Path) -> None:
    (folder / "out").mkdir()
    _run("generate", *_SHIPPED[:3], "-n", "4", "-o", str(folder / "set"))
    for model in ("length", "unigram"):
        _run("verify", str(folder / "set"), "--family", "baseline", "--model", model, "-o", str(folder / model))


def _answers(folder: Path) -> None:
    """Answers of the kinds that are read, of people who choose the first sentence in two trials of three."""
    sys.path.append(str(ROOT))
    judged = import_module("tests.test_exports_judgements")
    _run("generate", *_SHIPPED[:2], "-n", "8", "-o", str(folder / "set"))
    for name in ("pcibex", "jspsych", "mturk"):
        _run("export", str(folder / "set"), "--to", name, "-o", str(folder / name), "--list-size", "4")
        trials = judged.read_key(folder / name / "key.csv")
        chosen = {(int(shown), int(item)): 1 + k % 3 // 2 for k, (shown, item) in enumerate(trials)}
        judged.FILES[name](folder / name, chosen, folder / name / "answers.csv")
    rows = ["UID,pair_id,good_position,worker,answer", *(f"u,{k},{1 + k % 2},w{k % 3},1" for k in range(12))]
    (folder / "long.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")


def _lists(folder: Path) -> None:
    words = (ROOT / "lexicon" / "nouns.tsv").read_text(encoding="utf-8").splitlines()[1:]
    nouns = [row.split("\t")[1] for row in words]
    contents = {
        "vocab.txt": "".join(f"{word}\t{k}\n" for k, word in enumerate([*nouns, "the", "a", "not"], 1)),
        "text.txt": "The dog sees some cats. Nobody has ever left the boys' house, they say.\n" * 20,
        "nonce.tsv": "class\tlemma\n"
        + "".join(f"{c}\t{w}{k}a\n" for c in ("noun", "verb", "adj") for k, w in enumerate(("blick", "dax", "fep"))),
        "nouns.txt": "dog\ncat\nmouse\tmice\ntable\n",
        "verbs.txt": "see\tsees\nlike\tlikes\nhurt\n",
        "past.txt": "saw\nliked\nhurt\n",
        "unigrams.tsv": "the\t100\ndog\t10\ncat\t5\n",
    }
    for name, text in contents.items():
        (folder / name).write_text(text, encoding="utf-8")
    _run("generate", "transitive", "-n", "3", "-o", str(folder / "set"))


def _corpora(folder: Path) -> None:
    """A parsed corpus, plain and compressed, all filters with their lists, and finished and killed runs of a filter."""
    (folder / "out").mkdir()
    uids = ("distractor_agreement_relative_clause", "npi_present_1", "passive_1", "principle_A_case_1")
    _run("generate", *uids, "-n", "6", "--metadata", "-o", str(folder / "full"))
    _run("export", str(folder / "full"), "--to", "conllu", "-o", str(folder / "corpus.conllu"))
    shutil.rmtree(folder / "full")
    text = (folder / "corpus.conllu").read_text(encoding="utf-8")
    (folder / "corpus.conllu.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
    shutil.copytree(ROOT / "grammars" / "filters", folder / "filters")
    (folder / "words.txt").write_text("any\never\n", encoding="utf-8")
    call = ("filter", "corpus.conllu", "--filter", "rel-cl", "--filter", "passive", "--rejected", "-o")
    _run(*call, "done", folder=folder)
    _end_before_manifest(folder, *call, "killed")


def _sentences(folder: Path) -> None:
    for name, text in {
        "relative": "The teacher that the boys like sleeps.",
        "question": "What has nobody ever told John's friends about?",
        "clauses": "Mary thinks that the boys who weren't there had been seen by themselves.",
        "quantified": "Most of the old women didn't buy any of those three books.",
    }.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")


def _studies(folder: Path) -> None:
    """Texts, tiny models of words trained on them, their results, and a table of such results."""
    sizes = "words: 60\nlayers: 1\nwidth: 8\nfeedforward: 8\nheads: 2\npositions: 16\n"
    (folder / "tiny.yaml").write_text(f"model: lstm\n{sizes}", encoding="utf-8")
    for name, text in {
        "full": "The boy likes cats.\nThe boys like John's cat.\n",
        "rel-cl": "The boys sleep.\n",
    }.items():
        (folder / f"{name}.txt").write_text(text * 4, encoding="utf-8")
    uid = "distractor_agreement_relative_clause"
    _run("generate", uid, "-n", "6", "-o", str(folder / "set"))
    for name in ("full", "rel-cl"):
        texts = (str(folder / f"{name}.txt"), "--vocabulary", str(folder / "full.txt"))
        _run("train", *texts, "--arch", str(folder / "tiny.yaml"), "--epochs", "1", "-o", str(folder / "models" / name))
    for name in ("full", "rel-cl"):
        _run("verify", "set", "--model", f"models/{name}", "-o", f"results/{name}", folder=folder)
    rows = ["corpus,arch,seed,test_ppl,blimp_benchmark,blimp_acc,filter_target,corpus_tokens"]
    for corpus in ("full", "rel-cl", "npi-only"):
        for seed in range(3):
            rows += [f"{corpus},lstm,{seed},5{seed},{uid},0.{seed + 5},{str(corpus == 'rel-cl').upper()},1000"]
    (folder / "runs.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")


def _cache(folder: Path) -> None:
    environment = {**os.environ, "BLIMPGEN_CACHE": str(folder / "cache")}
    command = [sys.executable, "-m", "blimpgen", "generate", "transitive", "adjunct_island", "-n", "2"]
    subprocess.run([*command, "-o", str(folder / "made")], env=environment, check=True, capture_output=True)
    shutil.rmtree(folder / "made")


_LIBRARY = (
    *(f"generate {uid} -n 5 -o out" for uid in _GOLDEN_SUITE),
    *(f"{command} {uid}" for uid in _GOLDEN_SUITE for command in ("count", "show -n 2", "explain --row 1")),
    *("check", "check", "check", "generate golden -n 3 -o out", "lexicon N", "lexicon V", "list"),
)
_OF_SET = (
    "audit {dir}",
    "audit {dir} --released --json",
    "diff {dir} set",
    "verify {dir} --family baseline --model length -o out",
    "verify {dir} --family baseline --model unigram -o out",
    *(f"export {{dir}} --to {format} -o out/x" for format in FORMATS),
)

KINDS: dict[str, Kind] = {
    "grammars": Kind(_golden_data, [Family(["data/grammars/**/*.cfg"], _LIBRARY, True)], golden=True),
    "tables": Kind(
        _golden_data,
        [
            Family(
                ["data/lexicon/*.tsv"],
                (
                    *_LIBRARY,
                    "generate golden -n 3 --zipf 1:6 -o out",
                    "generate twins -n 3 --match-zipf 1 -o out",
                    "generate triples -n 3 --nonce noun -o out",
                    "why triples smile laugh",
                ),
                True,
            )
        ],
        golden=True,
    ),
    "suites": Kind(
        _golden_data,
        [
            Family(
                ["data/paradigms/**/*.yaml"],
                (*("generate {uid} -n 5 -o out", "check {file}", "count {uid}", "show {file}"), *_LIBRARY[-6:]),
                True,
            )
        ],
        golden=True,
    ),
    "paradigms": Kind(
        _shipped_paradigms,
        [
            Family(
                ["paradigms/*.yaml"],
                (
                    "check {file}",
                    "generate {file} -n 5 -o out",
                    "generate {file} -n 2 --metadata",
                    "show {file} -n 2",
                    "count {file}",
                    "explain {file} --row 1",
                    "new mine --like {file} --data out",
                ),
            ),
            Family(
                ["paradigms/transitive.yaml"],
                ("why {file} verb sleep", "why {file} subj dog", "explain {file} --row 0"),
            ),
        ],
    ),
    "sets": Kind(
        _set,
        [
            Family(["set/*.jsonl"], _OF_SET, True),
            Family(
                ["full/*.jsonl"],
                (*_OF_SET, "export {dir} --to conllu -o out/x", "export {dir} --to trees -o out/x"),
                True,
            ),
            Family(["set/*.jsonl"], ("export {file} --to csv -o out/x", "verify {file} --model length -o out")),
        ],
    ),
    "side-files": Kind(
        _unfinished,
        [
            Family(
                ["set/manifest.json"],
                (
                    "generate --from-manifest {file} -o out",
                    "generate transitive -n 3 --overwrite -o {dir}",
                    "generate transitive -n 4 --update -o {dir}",
                    "diff {dir} unfinished",
                    "audit {dir}",
                    "export {dir} --to croissant -o out",
                    "verify {dir} --family baseline --model length -o out",
                ),
                True,
            ),
            Family(
                ["unfinished/run.json"],
                (
                    "generate transitive adjunct_island -n 4 -o {dir}",
                    "generate transitive -n 3 --overwrite -o {dir}",
                    "audit {dir}",
                ),
                True,
            ),
        ],
    ),
    "results": Kind(
        _results,
        [
            Family(
                ["length/*"],
                (
                    "report {dir} -o out/report.html",
                    "report {dir} unigram -o out/report.html",
                    *4 * ("verify set --family baseline --model length -o {dir}",),
                    *4 * ("verify set --family baseline --model unigram -o {dir} --overwrite",),
                ),
                True,
            )
        ],
    ),
    "answers": Kind(
        _answers,
        [
            Family(["long.csv"], ("judgements {file}", "judgements {file} --pairs", "judgements {file} --json")),
            Family(["*/answers.csv"], ("judgements {file} --key {dir}/key.csv", "judgements {file}")),
            Family(["*/key.csv"], ("judgements {dir}/answers.csv --key {file}",)),
            Family(["*/export.json"], ("export set --to {parent} --overwrite -o {dir}",)),
        ],
    ),
    "lists": Kind(
        _lists,
        [
            Family(
                ["vocab.txt", "text.txt"],
                (
                    "generate transitive -n 3 --vocab {file} -o out",
                    "generate adjunct_island -n 3 --vocab {file} -o out",
                ),
            ),
            Family(["nonce.tsv"], ("generate transitive -n 3 --nonce noun,verb --nonce-list {file} -o out",)),
            Family(["nouns.txt"], ("nouns --samples 1 --nouns {file} -o out",)),
            Family(["nouns.txt"], ("nouns --target {file} --samples 1 -o out",)),
            Family(
                ["verbs.txt", "past.txt"],
                (
                    "nouns --target artist --samples 1 --verbs {file} -o out",
                    "nouns --target artist --samples 1 --past-verbs {file} -o out",
                ),
            ),
            Family(
                ["unigrams.tsv", "text.txt"],
                (
                    "verify set --family baseline --model unigram --unigrams {file} -o out",
                    "verify set --family ngram --model {file} -o out",
                ),
            ),
        ],
    ),
    "corpora": Kind(
        _corpora,
        [
            Family(
                ["corpus.conllu", "corpus.conllu.gz"],
                (
                    "filter {file} --filter all -o out/x",
                    "filter {file} --filter all --rejected --tokenized -o out/x",
                    "filter {file} --filter rel-cl --lines 3 -o out/x",
                ),
            ),
            Family(
                ["filters/*.yaml"],
                (
                    "filter corpus.conllu --filter {file} --rejected -o out/x",
                    "filter corpus.conllu --filter {file} -o out/x --json",
                ),
            ),
            Family(["words.txt"], ("filter corpus.conllu --filter npi-only --words npi={file} -o out/x",)),
            Family(
                ["done/*", "killed/*"],
                2 * ("filter corpus.conllu --filter rel-cl --filter passive --rejected -o {dir}",),
                True,
            ),
        ],
    ),
    "sentences": Kind(
        _sentences,
        [
            Family(
                ["*.txt"],
                ("parse {content}", "parse {content} --reading open", "parse {content} --reading open --all --json"),
            )
        ],
    ),
    "studies": Kind(
        _studies,
        [
            *2 * (Family(["runs.csv"], ("compare {file}", "compare {file} --json")),),
            Family(
                ["results/*/*.json*", "models/*/training.json"],
                ("compare results/full results/rel-cl", "compare results/full results/rel-cl --json"),
            ),
            Family(
                ["full.txt", "rel-cl.txt", "tiny.yaml"],
                (
                    "train full.txt --arch tiny.yaml --vocabulary rel-cl.txt --epochs 1 -o out/x",
                    "train rel-cl.txt --arch tiny.yaml --vocabulary full.txt --epochs 1 -o out/x",
                    "train rel-cl.txt --arch tiny.yaml --test full.txt --epochs 1 -o out/x",
                ),
            ),
            Family(["models/full/*.json"], ("verify set --model models/full --limit 2 -o out/x",)),
        ],
    ),
    "kept-plans": Kind(
        _cache, [Family(["cache/*"], ("generate transitive adjunct_island -n 3 -o out",), True)], cached=True
    ),
}


def fuzz(
    kind: str, numbers: Iterator[int] | Sequence[int], seed: int = 0, keep: Path | None = None
) -> Iterator[Failure]:
    """Try inputs of one kind.

    Args:
        kind: one of `KINDS`.
        numbers: which inputs; each is made from the seed and its number alone.
        seed: another one makes other inputs.
        keep: a folder for the folders of inputs that failed.

    Yields:
        What failed, in order.
    """
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        folder = Path(name)
        good, temporary = folder / "good", folder / "tmp"
        good.mkdir()
        temporary.mkdir()
        KINDS[kind].write(good)
        yield from _warm(kind, good, temporary)
        for number in numbers:
            sandbox = folder / "box"
            yield from attempt(kind, number, seed, good, sandbox, temporary)
            if keep and (sandbox / ".failed").exists():
                shutil.copytree(sandbox, keep / f"{kind}-{seed}-{number}", symlinks=True, dirs_exist_ok=True)
            shutil.rmtree(sandbox)


def _warm(kind: str, good: Path, temporary: Path) -> Iterator[Failure]:
    """Load what the commands need by running each on good files, which it must not refuse."""
    os.environ |= {
        "OMP_NUM_THREADS": "1",  # threads do not outlive a fork
        "TOKENIZERS_PARALLELISM": "false",
        "BLIMPGEN_CACHE": "off",
        "MPLCONFIGDIR": str(temporary),
        "TMPDIR": str(temporary),
        "HF_HUB_OFFLINE": "1",
        "COLUMNS": "200",
    }
    sys.dont_write_bytecode = True
    tempfile.tempdir = str(temporary)
    libraries = import_module("blimpgen.library")
    if KINDS[kind].golden:
        libraries.load_library = libraries.default_library = _golden_library
    before = Path.cwd()
    called = [(family, command) for family in KINDS[kind].families for command in dict.fromkeys(family.commands)]
    for family, command in called:
        file = next(path for pattern in family.files for path in sorted(good.glob(pattern))).relative_to(good)
        box, what, where = temporary / "warm", "", ""
        shutil.copytree(good, box)
        os.chdir(box)
        with _redirected(box / ".out", box / ".err"):
            try:
                if _called(_arguments(command, file, box)) > 1:
                    what = "the good file is refused"
            except Exception as error:  # it is to be told like any other
                what, where = repr(error), _place(error)
        os.chdir(before)
        if what:
            yield Failure(-1, kind, str(file), command, f"{what} {(box / '.err').read_text()}".strip(), where)
        shutil.rmtree(box)


def _golden_library(folder: str | Path | None = None, *, profile: str | None = None) -> Any:
    return import_module("blimpgen.library").Library([Path(folder or "data").resolve()], profile)


def _arguments(command: str, file: Path, folder: Path) -> list[str]:
    """The words of a command line for a file of a folder."""
    uid = file.name.split(".")[0]
    place = {"file": str(file), "dir": str(file.parent), "uid": uid, "parent": file.parent.name}
    if "{content}" in command:
        place["content"] = (folder / file).read_bytes()[:_ARGUMENT].decode(errors="surrogateescape")
    return [part.format_map(place) for part in command.split()]


def _called(arguments: Sequence[str]) -> int:
    """Run a command in this process; its exit code."""
    from blimpgen.cli import main

    return exit_code(partial(main, arguments))


def exit_code(call: Callable[[], object]) -> int:
    """The exit code of a call that may leave the program."""
    try:
        call()
    except SystemExit as left:
        return left.code if isinstance(left.code, int) else 0
    return 0


@contextmanager
def _redirected(out: Path, err: Path) -> Iterator[None]:
    """Send what is printed to two files."""
    before, streams = [os.dup(1), os.dup(2)], (sys.stdout, sys.stderr)
    try:
        for number, path in ((1, out), (2, err)):
            opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            os.dup2(opened, number)
            os.close(opened)
        sys.stdout, sys.stderr = (os.fdopen(number, "w", encoding="utf-8", closefd=False) for number in (1, 2))
        yield
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        sys.stdout, sys.stderr = streams
        for number, old in enumerate(before, start=1):
            os.dup2(old, number)
            os.close(old)


def attempt(kind: str, number: int, seed: int, good: Path, sandbox: Path, temporary: Path) -> Iterator[Failure]:
    """Try one input, in a copy of the folder of good files; what failed."""
    chance = Random(f"{kind}/{seed}/{number}")
    family = chance.choice(KINDS[kind].families)
    shutil.copytree(good, sandbox, symlinks=True)
    files = [path for pattern in family.files for path in sorted(sandbox.glob(pattern))]
    file = chance.choice(files)
    _damage(file, files, chance, family.in_folder)
    command = chance.choice(family.commands)
    arguments = _arguments(command, file.relative_to(sandbox), sandbox)
    allowed = [sandbox / "out", temporary, *([file.parent] if "-o {dir}" in command else [])]
    if KINDS[kind].cached:
        allowed.append(sandbox / "cache")
        os.environ["BLIMPGEN_CACHE"] = str(sandbox / "cache")
    ours = _resident()
    child = os.fork()
    if child == 0:
        _child(sandbox, arguments, allowed)
    _, status, usage = os.wait4(child, 0)
    for what, where in _wrong(sandbox, status, usage, arguments, ours):
        (sandbox / ".failed").touch()
        yield Failure(number, kind, str(file.relative_to(sandbox)), " ".join(arguments), what, where)


def _damage(file: Path, files: Sequence[Path], chance: Random, in_folder: bool) -> None:
    """Damage a file: mostly what it says, seldom its name or what sort of file it is."""
    if in_folder and chance.random() < 0.04:
        match chance.randrange(6):
            case 0:
                file.rename(file.with_name(f".{file.name}"))
            case 1:
                shutil.copy(file, os.fsencode(file.parent) + b"/caf\xe9\xff" + os.fsencode(file.suffix))
            case 2:
                file.unlink()
                file.mkdir()
            case 3:
                file.unlink()
                file.symlink_to(file.name)
            case 4:
                shutil.copy(file, file.with_name(f".#{file.name}"))
            case _:
                shutil.copy(file, file.with_name(f"a b\x1b[31m;{file.name}"))
        return
    others = [path.read_bytes() for path in chance.sample(files, min(3, len(files)))]
    is_json = file.suffix in (".json", ".jsonl")
    file.write_bytes(mutated(file.read_bytes(), chance, is_json=is_json, others=others))


def _child(sandbox: Path, arguments: Sequence[str], allowed: Sequence[Path]) -> None:
    """Run a command under limits, in the process of a child, and end it."""
    code = 99
    try:
        os.chdir(sandbox)
        signal.alarm(HANGS)
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS + 1, SECONDS + 2))
        size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (size + BYTES, size + BYTES))
        warnings.simplefilter("default")
        with _redirected(sandbox / ".out", sandbox / ".err"):
            outside: list[str] = []
            sys.addaudithook(partial(_note_writes, [os.path.realpath(path) for path in allowed], outside))
            try:
                code = _called(arguments)
            except BaseException as error:  # what a fuzzer looks for
                code = 98
                sys.stderr.write(f"\n<<<{_place(error)}>>>{type(error).__name__}: {str(error)[:200]}\n")
                traceback.print_exc()
            sys.stderr.writelines(f"<<<outside>>>{path}\n" for path in outside)
    finally:
        os._exit(code)


def _note_writes(allowed: Sequence[str], outside: list[str], event: str, arguments: tuple[Any, ...]) -> None:
    """Note every path that a command writes, moves or removes outside its output."""
    paths: list[tuple[Any, Any]] = []
    if event == "open" and isinstance(arguments[2], int) and arguments[2] & _WRITING:
        paths = [(arguments[0], -1)]
    elif event in ("os.remove", "os.rmdir", "os.mkdir"):
        paths = [(arguments[0], arguments[-1])]
    elif event in ("os.truncate", "os.chmod"):
        paths = [(arguments[0], -1)]
    elif event == "os.rename":
        paths = [(arguments[0], arguments[2]), (arguments[1], arguments[3])]
    elif event in ("os.link", "os.symlink"):
        paths = [(arguments[1], -1)]
    for path, opened in paths:
        if isinstance(path, (str, bytes, os.PathLike)):
            full = os.path.realpath(os.path.join(f"/proc/self/fd/{opened}" if opened >= 0 else "", os.fsdecode(path)))
            ours = any(full == folder or full.startswith((f"{folder}/", _partial(folder))) for folder in allowed)
            parent = event == "os.mkdir" and os.path.isdir(full)
            if not (ours or parent or full.startswith("/dev/")):
                outside.append(f"{event} {full}")


def _partial(folder: str) -> str:
    """How the names of files begin that are to be moved to an output when they are whole."""
    return f"{os.path.dirname(folder)}/.{os.path.basename(folder)}."


def _place(error: BaseException) -> str:
    """The innermost line of the package in a traceback."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "/blimpgen/" in f.filename]
    inner = [f for f in frames if "/cli/__init__" not in f.filename] or frames
    return f"{inner[-1].filename.rpartition('/blimpgen/')[2]}:{inner[-1].lineno} {inner[-1].name}" if inner else "?"


def _resident() -> int:
    """Bytes of memory that this process has: a child begins with as many."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def _wrong(
    sandbox: Path, status: int, usage: resource.struct_rusage, arguments: Sequence[str], before: int
) -> Iterator[tuple[str, str]]:
    """What is wrong with how a command ended, each with its place; `before` are the bytes that it began with."""
    out, err = (_text(sandbox / name) for name in (".out", ".err"))
    told = re.findall(r"^<<<(.*)>>>(.*)$", err, re.MULTILINE)
    for where, what in told:
        yield (f"writes {what}", arguments[0]) if where == "outside" else (what, where)
    ended = [
        *_limits(status, usage, before),
        *([] if told else _manners(sandbox, os.waitstatus_to_exitcode(status), out, err)),
    ]
    yield from ((what, arguments[0]) for what in ended)


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""


def _limits(status: int, usage: resource.struct_rusage, before: int) -> Iterator[str]:
    """What a command used too much of."""
    seconds, code = usage.ru_utime + usage.ru_stime, os.waitstatus_to_exitcode(status)
    if seconds > SECONDS:
        yield f"{seconds:.0f} seconds"
    elif code < 0:
        yield f"killed by {signal.Signals(-code).name}"
    if usage.ru_maxrss * 1024 > BYTES + before:
        yield f"{usage.ru_maxrss >> 20} GB"


def _manners(sandbox: Path, code: int, out: str, err: str) -> Iterator[str]:
    """What a command that ended by itself printed or left, and should not have."""
    if code not in (0, 1, 2) and code >= 0:
        yield f"exit code {code}"
    if code in (1, 2) and not out and not 1 <= len(err.splitlines()) <= 2:
        yield f"{len(err.splitlines())} lines for an error: {err[:100]!r}"
    yield from (line for line in err.splitlines() if "Warning" in line)
    for name, text in (("error", err), ("output", out)):
        if control := _CONTROL.search(text):
            yield f"control character {control[0]!r} on standard {name}"
    if code in (1, 2) and [*sandbox.rglob("*.partial")]:
        yield "leaves an unfinished file"


def fuzz_apart(kind: str, n: int, seed: int = 0, keep: Path | None = None) -> list[Failure]:
    """Try the first inputs of a kind in a process of its own."""
    call = [sys.executable, __file__, "--json", "--kind", kind, "-n", str(n), "--seed", str(seed)]
    call += ["--keep", str(keep)] if keep else []
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode > 1 or (done.returncode and not done.stdout):
        raise RuntimeError(f"{kind}: {done.stderr}")
    return [Failure(**json.loads(line)) for line in done.stdout.splitlines()]


def summary(failures: Sequence[Failure]) -> list[str]:
    """A line for each place that failed, with how often and the first input."""
    places: dict[tuple[str, str, str], list[Failure]] = {}
    for failure in failures:
        what = re.sub(r"'.*?'|\".*?\"|\d+", "_", failure.what)[:40]
        places.setdefault((failure.kind, failure.where, what), []).append(failure)
    return [
        f"{len(same)} x {same[0].kind} {same[0].number} ({same[0].file}): {same[0].where}: {same[0].what}"
        f" [blimpgen {same[0].command}]"
        for same in places.values()
    ]


def main() -> None:
    """Try inputs of all kinds, and print what failed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("-n", type=int, default=2000, help="inputs, over all kinds")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kind", choices=KINDS, action="append", help="only this kind; may be repeated")
    parser.add_argument("--only", type=int, help="only the input of this number")
    parser.add_argument("--keep", type=Path, help="keep the folders of inputs that failed here")
    parser.add_argument("--jobs", type=int, default=1, help="kinds that are tried at once")
    parser.add_argument("--json", action="store_true", help="print every failure as a line of JSON")
    options = parser.parse_args()
    kinds = options.kind or list(KINDS)
    n = max(1, options.n // len(kinds))
    if len(kinds) == 1:
        numbers = range(n) if options.only is None else [options.only]
        failures = list(fuzz(kinds[0], numbers, options.seed, options.keep))
    else:
        with ThreadPoolExecutor(options.jobs) as pool:
            tried = pool.map(lambda kind: fuzz_apart(kind, n, options.seed, options.keep), kinds)
            failures = [failure for found in tried for failure in found]
    for line in map(json.dumps, map(asdict, failures)) if options.json else summary(failures):
        print(line)
    raise SystemExit(bool(failures))


if __name__ == "__main__":
    main()
