"""OpenML: right problems from a server that answers as it does, or one sentence."""

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import OpenerDirector, Request

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bakeoff.basics.errors import DataError, DataNotice
from bakeoff.reading.catalog import openml
from bakeoff.reading.catalog.cache import data_folder
from bakeoff.reading.catalog.download import UnreachableError, unwatched
from bakeoff.reading.catalog.source import Source
from bakeoff.reading.options import Options
from tests import openml_server
from tests.openml_server import FOREVER, Fault, Server, all_paths, data_path, features_path

ARFF = """\
@relation weather
@attribute 'row' numeric
@attribute temperature numeric
@attribute Wind {calm,storm}
@attribute play {yes,no,maybe}
@attribute comment numeric
@data
1,20.5,calm,yes,7
2,-3,storm,no,8
3,?,calm,yes,9
"""


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    openml_server.without_waiting(monkeypatch)
    monkeypatch.setenv("BAKEOFF_CACHE", str(tmp_path))
    with openml_server.running() as server:
        monkeypatch.setenv(openml.VARIABLE, f"{server.base}/")
        server.add(61, ARFF, "play")
        yield server


def refusal_of(openml_id: int, options: Options | None = None) -> str:
    with pytest.raises(DataError) as refusal:
        openml.read(openml_id, options or Options())
    message = str(refusal.value)
    assert "\n" not in message
    return message


def files_of(openml_id: int) -> set[str]:
    folder = data_folder("openml", str(openml_id))
    return {path.name for path in folder.iterdir()} if folder.exists() else set()


# ---- what goes well


def test_a_dataset_is_read_with_openmls_target(server: Server) -> None:
    problem = openml.read(61, Options())

    assert repr(problem) == ("Problem('openml:61', multiclass, n=3, n_features=4, n_actions=2)")
    assert problem.openml_id == 61
    assert problem.class_names == ("yes", "no")


def test_a_dataset_is_asked_for_once(server: Server) -> None:
    first = openml.read(61, Options())
    second = openml.read(61, Options(name="mine"))

    assert server.asked == all_paths(61)
    assert second.name == "mine"
    assert second.digest == first.digest


def test_a_source_says_what_it_is_and_whether_it_is_here(server: Server) -> None:
    source = openml.source(61)
    before = source.is_here()
    assert source.fetch is not None
    source.fetch(unwatched)

    assert (source.name, source.origin, source.openml_id) == ("openml:61", "openml:61", 61)
    assert (before, source.is_here()) == (False, True)
    assert files_of(61) == {"description.json", "features.json", "data.arff"}


def test_the_users_target_comes_first(server: Server) -> None:
    problem = openml.read(61, Options(target="Wind"))

    assert problem.class_names == ("calm", "storm")


@pytest.mark.parametrize(
    "said",
    [
        {"row_id_attribute": "row", "ignore_attribute": "comment"},
        {"ignore_attribute": "row,comment"},
        {"ignore_attribute": "row, 'comment'"},
        {"ignore_attribute": ["row", "comment"]},
        {"row_id_attribute": ["row"], "ignore_attribute": ["comment"]},
        {"row_id_attribute": "ROW", "ignore_attribute": '"Comment"'},
        {"row_id_attribute": "row", "ignore_attribute": "row,comment"},
    ],
    ids=["strings", "commas", "quotes", "list", "lists", "other case", "twice"],
)
def test_columns_that_openml_ignores_are_left_out(server: Server, said: dict[str, Any]) -> None:
    server.add(62, ARFF, "play", **said)

    problem = openml.read(62, Options())

    assert problem.n_features == 2


@pytest.mark.parametrize("nothing", [None, "", [], "''", 5, {}])
def test_nothing_to_ignore_has_many_forms(server: Server, nothing: Any) -> None:
    server.add(
        62, ARFF, "play", row_id_attribute=nothing, ignore_attribute=nothing,
        md5_checksum=None if nothing == "''" else nothing,
    )  # fmt: skip

    assert openml.read(62, Options()).n_features == 4


def test_the_users_ignored_columns_are_left_out_too(server: Server) -> None:
    server.add(62, ARFF, "play", row_id_attribute="row")

    problem = openml.read(62, Options(ignore=("comment", "row")))

    assert problem.n_features == 2


def test_a_target_is_not_ignored(server: Server) -> None:
    server.add(62, ARFF, "play", ignore_attribute=["play", "row"])

    assert openml.read(62, Options()).n_features == 3


def test_a_name_with_a_comma_is_one_column(server: Server) -> None:
    arff = ARFF.replace("'row'", "'row,number'")
    server.add(62, arff, "play", row_id_attribute="row,number")

    assert openml.read(62, Options()).n_features == 3


def test_a_column_to_ignore_that_is_not_there_is_said(server: Server) -> None:
    server.add(62, ARFF, "play", ignore_attribute=["row", "rwo"])

    with pytest.warns(DataNotice, match="openml:62: OpenML says to ignore 'rwo', but"):
        problem = openml.read(62, Options())

    assert problem.n_features == 3


def test_features_that_are_no_list_but_one_are_understood(server: Server) -> None:
    server.files[features_path(61)] = b'{"data_features": {"feature": {"name": "x"}}}'

    assert openml.describe(61).features == ["x"]


def test_several_targets_are_labels_if_the_user_says_so(server: Server) -> None:
    arff = ARFF.replace("numeric", "{0,1}").split("@data")[0] + "@data\n"
    rows = "1,0,calm,yes,1\n0,1,storm,no,0\n"
    server.add(62, arff + rows, "row,temperature")

    problem = openml.read(62, Options(task="multilabel"))

    assert problem.class_names == ("row", "temperature")
    assert "OpenML names 2 targets; give one of them as target" in refusal_of(62)


def test_sparse_arff_is_read(server: Server) -> None:
    arff = "@relation s\n@attribute a numeric\n@attribute b {x,y}\n@data\n{0 2,1 y}\n{}"
    server.add(62, arff, "b", format="Sparse_ARFF")

    assert openml.read(62, Options()).n == 2


# ---- what goes wrong


def test_a_dataset_without_a_target_asks_for_one(server: Server) -> None:
    server.add(62, ARFF)

    assert refusal_of(62) == (
        "openml:62: OpenML names no target; give one of its 5 columns as target: "
        "row, temperature, Wind, play, comment"
    )
    assert openml.read(62, Options(target="play")).n_actions == 2


def test_a_target_that_is_no_column_is_refused(server: Server) -> None:
    server.add(62, ARFF, "played")

    assert refusal_of(62).startswith(
        "openml:62: OpenML names the target 'played', which is not among the columns"
    )


def test_another_format_is_refused(server: Server) -> None:
    server.add(62, ARFF, "play", format="CSV")

    message = refusal_of(62)

    assert message.startswith("openml:62: is kept as CSV at OpenML, and only ARFF is")
    assert data_path(62) not in server.asked


def test_an_unknown_number_is_refused(server: Server) -> None:
    assert refusal_of(99) == "openml:99: OpenML has no dataset with this number"
    assert files_of(99) == set()


@pytest.mark.parametrize("place", [0, 1, 2], ids=["description", "features", "data"])
@pytest.mark.parametrize("code", ["112", "272"])
def test_a_restricted_dataset_is_refused(server: Server, place: int, code: str) -> None:
    no_access = openml_server.openml_error(code, "No access granted")
    server.misbehave(all_paths(61)[place], no_access, times=FOREVER)

    assert refusal_of(61) == (
        "openml:61: access to it is restricted; if you have its file, put it into "
        "a folder with a manifest.csv that gives its openml_id, and pass that folder "
        "as data (--data) or name it in BAKEOFF_DATA"
    )


def test_another_error_is_told_in_openmls_words(server: Server) -> None:
    broken = openml_server.openml_error("274", "Dataset processed\nwith error.")
    server.misbehave(features_path(61), broken)

    assert refusal_of(61) == (
        "openml:61: OpenML refuses it with error 274: Dataset processed with error"
    )


@pytest.mark.parametrize("place", [0, 1, 2], ids=["description", "features", "data"])
def test_what_is_not_found_is_told_with_its_address(server: Server, place: int) -> None:
    path = all_paths(61)[place]
    server.misbehave(path, openml_server.NOT_FOUND)

    message = refusal_of(61)

    assert message == (
        f"{server.base}{path}: cannot be fetched: the server answers 404 Not Found; {openml.ADVICE}"
    )


@pytest.mark.parametrize(
    "body",
    [
        openml_server.GARBAGE.body,
        openml_server.CUT_JSON.body,
        b'{"data_set_description": {"id": 1e400, "url": "http://x/"}}',
        b"",
        b"null",
        b"[]",
        b"[" * 100_000,
        b'"data_set_description"',
        b'{"data_set_description": null}',
        b'{"data_set_description": {"id": "61"}}',
        b'{"data_set_description": {"id": "62", "url": "http://x"}}',
        b'{"data_set_description": {"id": [], "url": "http://x"}}',
        b'{"data_features": {"feature": [{}]}}',
        b'{"data_features": {"feature": [null]}}',
        b'{"data_features": {}}',
        b"\xff\xfe",
    ],
)
@pytest.mark.parametrize("place", [0, 1], ids=["description", "features"])
def test_an_answer_that_is_not_openmls_is_refused(server: Server, place: int, body: bytes) -> None:
    path = all_paths(61)[place]
    server.misbehave(path, Fault(body=body))

    message = refusal_of(61)

    assert message.startswith(f"{server.base}{path}: the answer is not one of OpenML's")
    assert openml.read(61, Options()).n == 3


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://x/y", "data.arff", "", "//host/x"])
def test_data_are_fetched_only_over_http(server: Server, url: str) -> None:
    server.add(62, ARFF, "play", url=url)

    assert "it is not an http or https address" in refusal_of(62)


@pytest.mark.parametrize(
    "fault",
    [openml_server.rate_limit(), openml_server.BROKEN, openml_server.HALF],
    ids=["rate limit", "500", "half a body"],
)
def test_passing_trouble_is_not_noticed(server: Server, fault: Fault) -> None:
    for path in all_paths(61):
        server.misbehave(path, fault)

    problem = openml.read(61, Options())

    assert problem.n == 3
    assert len(server.asked) == 6


def test_wrong_data_are_refused_and_not_kept(server: Server) -> None:
    server.misbehave(data_path(61), openml_server.WRONG, times=4)

    message = refusal_of(61)

    assert "its checksum is" in message
    assert "data.arff" not in files_of(61)
    assert openml.read(61, Options()).n == 3


def test_data_that_have_changed_are_described_anew(server: Server) -> None:
    openml.describe(61)
    server.add(61, ARFF + "4,1,calm,no,1\n", "play")
    refusal_of(61)

    assert openml.read(61, Options()).n == 4


def test_without_a_network_the_user_is_told_how_to_bring_files(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    with openml_server.running() as gone:
        monkeypatch.setenv(openml.VARIABLE, gone.base)

    with pytest.raises(UnreachableError) as refusal:
        openml.read(61, Options())

    assert str(refusal.value) == (
        f"{gone.base}/api/v1/json/data/61: cannot be fetched in 4 tries: no connection "
        f"(Connection refused); without a network, put its file into a folder with a "
        f"manifest.csv that gives its openml_id, and pass that folder as data (--data) "
        f"or name it in BAKEOFF_DATA"
    )


# ---- what is in the cache


@pytest.mark.parametrize("name", ["description.json", "features.json"])
@pytest.mark.parametrize("content", [b"", b'{"data_', b"{}", b"\xff"])
def test_a_damaged_answer_in_the_cache_is_asked_for_anew(
    server: Server, name: str, content: bytes
) -> None:
    openml.fetch(61, unwatched)
    server.asked.clear()
    (data_folder("openml", "61") / name).write_bytes(content)

    problem = openml.read(61, Options())

    assert problem.n == 3
    assert len(server.asked) == 1
    assert json.loads((data_folder("openml", "61") / name).read_bytes())


def test_data_in_the_cache_need_no_network(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    openml.fetch(61, unwatched)
    with openml_server.running() as gone:
        monkeypatch.setenv(openml.VARIABLE, gone.base)

    assert openml.read(61, Options()).n == 3


def test_a_cache_that_cannot_be_written_is_named(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "taken").write_bytes(b"")
    monkeypatch.setenv("BAKEOFF_CACHE", str(tmp_path / "taken"))

    message = refusal_of(61)

    assert message.startswith(str(tmp_path / "taken"))
    assert "set BAKEOFF_CACHE to a folder" in message


def fetch_all(sources: list[Source], interrupt_at: int | None = None) -> None:
    """Fetch as the command line does; Ctrl-C in the middle of a dataset's data."""
    for number, source in enumerate(sources):

        def progress(done: int, total: int | None, number: int = number) -> None:
            if number == interrupt_at and done:
                raise KeyboardInterrupt

        assert source.fetch is not None
        source.fetch(progress)


def test_an_interrupted_fetch_goes_on_where_it_stopped(server: Server) -> None:
    numbers = [61, 62, 63, 64]
    for number in numbers[1:]:
        server.add(number, ARFF, "play")
    sources = [openml.source(number) for number in numbers]

    with pytest.raises(KeyboardInterrupt):
        fetch_all(sources, interrupt_at=2)
    first = [*server.asked]
    server.asked.clear()
    fetch_all(sources)

    assert first == [*all_paths(61), *all_paths(62), *all_paths(63)]
    assert server.asked == [data_path(63), *all_paths(64)]
    assert files_of(63) == {"description.json", "features.json", "data.arff"}


def test_a_fetch_of_what_is_here_asks_nothing(server: Server) -> None:
    openml.fetch(61, unwatched)
    server.asked.clear()

    openml.fetch(61, unwatched)

    assert server.asked == []


def test_the_public_address_is_the_default(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(opener: Any, request: Request, timeout: float) -> None:
        raise URLError(OSError(f"asked for {request.full_url}"))

    monkeypatch.delenv(openml.VARIABLE)
    monkeypatch.setattr(OpenerDirector, "open", fail)

    assert "(asked for https://www.openml.org/api/v1/json/data/61)" in refusal_of(61)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["id", "url", "feature", "name"]), inner)
    ),
    max_leaves=12,
)


@given(said=JSON, listed=JSON)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_any_answer_is_understood_or_refused(server: Server, said: Any, listed: Any) -> None:
    answers = {"data_set_description": said, "data_features": listed}
    for path, (key, value) in zip(all_paths(61)[:2], answers.items(), strict=True):
        server.files[path] = json.dumps({key: value}).encode()

    with suppress(DataError):
        openml.describe(61)


@given(
    st.dictionaries(
        st.sampled_from(
            ["md5_checksum", "format", "row_id_attribute", "ignore_attribute",
             "default_target_attribute"],
        ),
        JSON,
    )
)  # fmt: skip
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_any_words_in_a_description_are_understood_or_refused(
    server: Server, said: dict[str, Any]
) -> None:
    server.add(62, ARFF, "play", **said)
    (data_folder("openml", "62") / "description.json").unlink(missing_ok=True)

    with suppress(DataError):
        description = openml.describe(62)

        assert set(description.ignored) <= set(description.features)
