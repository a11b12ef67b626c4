"""Sets for many machines: Parquet, ranges of rows, and rows without files."""

from __future__ import annotations

import io
import json
import pickle
from pathlib import Path
from typing import Any

import pytest

import blimpgen as bg
from blimpgen.base.errors import DataError
from blimpgen.dataset import Arguments, open_set, read_jsonl, write_set
from blimpgen.dataset.iterable import _Rows
from blimpgen.dataset.parquet import parquet_chunks, parquet_lines
from blimpgen.library import Library
from blimpgen.variants.record import Variant
from tests.conftest import Call

SETS = {
    "pairs": Arguments(targets=("transitive", "adjunct_island"), n=9),
    "metadata": Arguments(targets=("transitive", "filler_gap_2x2"), n=5, metadata=True),
    "sets": Arguments(targets=("filler_gap_2x2", "npi_across_anim"), n=7, canary=True),
    "sets as pairs": Arguments(targets=("filler_gap_2x2",), n=7, pairs=True),
    "made-up words": Arguments(targets=("determiner_noun_agreement_1",), n=8, variant=Variant(nonce=("noun",))),
    "enumerated": Arguments(targets=("simple_agrmt",)),
}


@pytest.mark.parametrize(
    "name", [*list(SETS)[:2], *(pytest.param(name, marks=pytest.mark.slow) for name in [*SETS][2:])]
)
def test_parquet_has_the_rows_of_the_lines(name: str, library: Library, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    write_set(library, SETS[name], tmp_path / "lines")
    write_set(library, SETS[name].model_copy(update={"format": "parquet"}), tmp_path / "columns")
    lines, columns = open_set(tmp_path / "lines"), open_set(tmp_path / "columns")
    assert [path.stem for path in lines.files] == [path.stem for path in columns.files]
    for path, other in zip(lines.files, columns.files, strict=True):
        assert list(parquet_lines(other)) == path.read_bytes().splitlines()
        assert [record.to_dict() for record in read_jsonl(other)] == [record.to_dict() for record in read_jsonl(path)]


def test_parquet_is_written_in_blocks_and_read_by_pyarrow(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = [{"sentence_good": f"A {k} b.", "one_prefix_method": k % 2 == 0, "pairID": str(k)} for k in range(10_000)]
    chunks = list(parquet_chunks(rows))
    assert [count for count, _ in chunks] == [4096, 4096, 1808, 0]
    with parquet.ParquetFile(io.BytesIO(b"".join(chunk for _, chunk in chunks))) as file:
        assert file.num_row_groups == 3
        assert file.read().to_pylist() == rows


def test_rows_with_other_keys_have_no_columns() -> None:
    pytest.importorskip("pyarrow")
    with pytest.raises(DataError, match=r"u: a row has other keys than the first; write JSON Lines"):
        list(parquet_chunks([{"UID": "u"}, {"UID": "u", "zipf": {}}]))


@pytest.mark.parametrize("content", [b"", b"PAR1", b'{"sentence_good": "A.", "sentence_bad": "B."}\n'])
def test_a_file_that_is_no_parquet(content: bytes, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    path = tmp_path / "a.parquet"
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"a\.parquet: not a Parquet file of sentences: "):
        read_jsonl(path)


def test_a_parquet_file_of_something_else(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.table({"blob": [b"\x00"]}), tmp_path / "a.parquet")
    with pytest.raises(DataError, match=r"a\.parquet: not a Parquet file of sentences: "):
        read_jsonl(tmp_path / "a.parquet")


def test_shards_are_the_set(call: Call, tmp_path: Path) -> None:
    whole = call("generate", "transitive", "-n", "20").out
    shards = [call("generate", "transitive", "-n", "20", "--shard", f"{k}/3") for k in (1, 2, 3)]
    assert "".join(shard.out for shard in shards) == whole
    assert [shard.out.count("\n") for shard in shards] == [6, 7, 7]
    done = call("generate", "transitive", "-n", "20", "--shard", "2/3", "-o", tmp_path / "out")
    assert done.code == 0
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_bytes())
    assert (manifest["arguments"]["shard"], manifest["sets"]["transitive"]["count"]) == ("2/3", 7)
    assert call("generate", "--from-manifest", tmp_path / "out", "-o", tmp_path / "again").code == 0
    assert (tmp_path / "again" / "transitive.jsonl").read_text() == shards[1].out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("transitive", "--shard", "4/3"), "no shard '4/3': write I/K, such as 3/8"),
        (("transitive", "--shard", "0/3"), "no shard '0/3'"),
        (("transitive", "--shard", "1/2/3"), "no shard '1/2/3'"),
        (("transitive", "--shard", "²/3"), "no shard '²/3'"),
        (("transitive", "--shard", "9" * 5000 + "/3"), "no shard '999"),
        (("transitive", "-n", "2", "--shard", "1/3"), "no row of 2 for the shard 1/3; take fewer shards"),
        (("simple_agrmt", "--shard", "1/3"), "simple_agrmt is enumerated and has no shards"),
    ],
)
def test_shards_that_are_none(arguments: tuple[str, ...], said: str, call: Call) -> None:
    done = call("generate", *arguments)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


@pytest.mark.slow
def test_rows_of_a_worker_are_those_of_the_file(library: Library) -> None:
    arguments = Arguments(targets=("transitive",), n=9)
    rows = pickle.loads(pickle.dumps(_Rows(library.folders, library.profile, arguments)))
    assert list(rows(["1/3", "2/3", "3/3"])) == [record.to_dict() for record in bg.generate("transitive", n=9)]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ({"num_shards": 0}, "num_shards=0: from 1 to n=3"),
        ({"num_shards": 4}, "num_shards=4: from 1 to n=3"),
        ({"targets": ("transitif",)}, "did you mean 'transitive'"),
    ],
)
def test_datasets_that_cannot_be(call: dict[str, Any], said: str) -> None:
    pytest.importorskip("datasets")
    with pytest.raises(bg.UsageError, match=said):
        bg.to_iterable_dataset(*call.pop("targets", ("transitive",)), n=3, **call)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, library: Library) -> Path:
    pytest.importorskip("pyarrow")
    folder = tmp_path_factory.mktemp("set") / "columns"
    targets = ("transitive", "filler_gap_2x2", "npi_across_anim")
    write_set(library, Arguments(targets=targets, n=50, format="parquet"), folder)
    return folder


@pytest.mark.slow
class TestConsumers:
    def test_datasets(self, folder: Path) -> None:
        datasets = pytest.importorskip("datasets")
        path = str(folder / "transitive.parquet")
        rows = datasets.load_dataset("parquet", data_files=path, split="train", cache_dir=str(folder / "cache"))
        assert [*rows] == [record.to_dict() for record in bg.generate("transitive", n=50)]

    def test_duckdb(self, folder: Path) -> None:
        duckdb = pytest.importorskip("duckdb")
        path = folder / "filler_gap_2x2.parquet"
        found = duckdb.sql(f"SELECT itemID, sentences.that_full FROM '{path}' WHERE len(pairs) > 1").fetchall()
        assert found == [(r.id, r.sentences["that_full"]) for r in bg.generate("filler_gap_2x2", n=50)]

    def test_polars(self, folder: Path) -> None:
        polars = pytest.importorskip("polars")
        table = polars.read_parquet(folder / "npi_across_anim.parquet")
        assert table.height == len(read_jsonl(folder / "npi_across_anim.parquet"))
        assert table["sentences"].to_list() == [r.sentences for r in read_jsonl(folder / "npi_across_anim.parquet")]

    @pytest.mark.parametrize("workers", [0, 2])
    def test_a_loader_with_workers(self, workers: int) -> None:
        pytest.importorskip("datasets")
        data = pytest.importorskip("torch.utils.data")
        rows = bg.to_iterable_dataset("transitive", "adjunct_island", n=10, num_shards=4)
        loaded = [
            (row["UID"], int(row["pairID"])) for row in data.DataLoader(rows, batch_size=None, num_workers=workers)
        ]
        assert sorted(loaded) == [(uid, number) for uid in ("adjunct_island", "transitive") for number in range(10)]
