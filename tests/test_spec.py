"""A spec is plain data: it round-trips, prints as it is written, and its shape is checked by field."""

import copy
import json
import pickle
from dataclasses import FrozenInstanceError
from typing import Any

import paddlewheel as pw
import pytest
from hypothesis import given
from hypothesis import strategies as st

WRITTEN = """{"version":1,"keys":["station"],"time":"started_at","levels":{"1 second":"2 days","1 hour":null},
"aggregates":{"rides":"count(*)"},"windows":{"1h":{"kind":"sliding","range":"1 hour","slide":"1 second"},
"day":{"kind":"tumbling","size":"1 day"},"visit":{"kind":"session","gap":"30 minutes"},
"grow":{"kind":"cumulative","size":"1 day","step":"1 hour"}},"allowed_lateness":"0 seconds","time_zone":"UTC",
"emission":"every"}"""


def spec(**changed: Any) -> pw.Spec:
    plain = {
        "keys": ["station"],
        "time": "started_at",
        "levels": {"1 second": "2 days", "1 hour": None},
        "aggregates": {"rides": "count(*)"},
        "windows": {
            "1h": pw.sliding("1 hour", "1 second"),
            "day": pw.tumbling("1 day"),
            "visit": pw.session("30 minutes"),
            "grow": pw.cumulative("1 day", "1 hour"),
        },
    }
    return pw.Spec(**plain | changed)


def faults(refused: pytest.ExceptionInfo[pw.SpecError]) -> dict[str, str]:
    return {fault.field: fault.condition for fault in refused.value.faults}


words = st.text(max_size=8)
windows = st.one_of(
    st.builds(pw.tumbling, words),
    st.builds(pw.sliding, words, words),
    st.builds(pw.session, words),
    st.builds(pw.cumulative, words, words),
)
specs = st.builds(
    pw.Spec,
    keys=st.lists(words, max_size=3),
    time=words,
    levels=st.dictionaries(words, st.none() | words, max_size=3),
    aggregates=st.dictionaries(words, words, max_size=3),
    windows=st.dictionaries(words, windows, max_size=3),
    allowed_lateness=words,
    time_zone=words,
    emission=st.sampled_from(["every", "latest", "changed"]),
)


@given(specs)
def test_json_round_trips_with_its_order(made: pw.Spec) -> None:
    read = pw.Spec.from_json(made.to_json())
    assert read == made
    for name in ("levels", "aggregates", "windows"):
        assert list(getattr(read, name).items()) == list(getattr(made, name).items())


@given(specs)
def test_repr_is_how_it_is_written(made: pw.Spec) -> None:
    assert eval(repr(made), vars(pw).copy()) == made


def test_the_json_form() -> None:
    assert json.loads(spec().to_json()) == json.loads(WRITTEN)
    assert list(json.loads(spec().to_json())) == list(json.loads(WRITTEN))
    assert pw.Spec.from_json(WRITTEN) == spec()


def test_json_leaves_out_what_has_a_default() -> None:
    plain = json.loads(WRITTEN)
    del plain["allowed_lateness"], plain["time_zone"], plain["emission"]
    assert pw.Spec.from_json(json.dumps(plain)) == spec()


def test_repr_has_one_entry_a_line_and_no_defaults() -> None:
    assert repr(spec(windows={"day": pw.tumbling("1 day")}, time_zone="Europe/Paris")) == (
        "Spec(\n"
        "    keys=['station'],\n"
        "    time='started_at',\n"
        "    levels={\n"
        "        '1 second': '2 days',\n"
        "        '1 hour': None,\n"
        "    },\n"
        "    aggregates={'rides': 'count(*)'},\n"
        "    windows={'day': tumbling('1 day')},\n"
        "    time_zone='Europe/Paris',\n"
        ")"
    )


def test_html_is_a_table_and_escaped() -> None:
    html = spec(aggregates={"<b>": "count_if(a < b)"}, keys=["x", "<script>"])._repr_html_()
    assert html.count("<tr>") == 8
    assert ">&lt;b&gt;: count_if(a &lt; b)<" in html
    assert ">x<br>&lt;script&gt;<" in html
    assert "1 hour: for ever" in html
    assert "<script>" not in html


@pytest.mark.parametrize(
    "changed",
    [
        {"keys": ["other"]},
        {"levels": {"1 hour": None, "1 second": "2 days"}},
        {"windows": {}},
        {"emission": "latest"},
    ],
)
def test_other_specs_are_not_equal(changed: dict[str, Any]) -> None:
    assert spec(**changed) != spec()


def test_a_spec_is_not_equal_to_its_json() -> None:
    assert spec() != spec().to_json()


def test_a_spec_can_be_copied_and_pickled() -> None:
    assert copy.deepcopy(spec()) == spec()
    assert pickle.loads(pickle.dumps(spec())) == spec()


def test_a_spec_does_not_change() -> None:
    levels: dict[str, str | None] = {"1 second": "2 days", "1 hour": None}
    keys = ["station"]
    made = spec(levels=levels, keys=keys)
    levels["1 day"] = None
    keys.append("line")
    assert made == spec()
    with pytest.raises(FrozenInstanceError):
        made.time = "other"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("changed", "field", "says"),
    [
        ({"keys": "station"}, "keys", "must be a list of columns, here ['station'], but is 'station'"),
        ({"keys": {"a"}}, "keys", "must be a list of columns"),
        ({"keys": ["a", 1]}, "keys.1", "must be the name of a column, but is 1"),
        ({"time": 3}, "time", "must be a string, but is 3"),
        (
            {"levels": ["1 second"]},
            "levels",
            "must be a mapping from names to a retention, but is",
        ),
        ({"levels": {1: "2 days"}}, "levels", "must be named by strings only, but is 1"),
        ({"levels": {"1 second": 3}}, "levels.1 second", 'such as "2 days", or None for ever, but is 3'),
        ({"aggregates": {"n": None}}, "aggregates.n", 'must be SQL such as "count(*)", but is None'),
        ({"windows": {"day": "1 day"}}, "windows.day", 'must be a window such as tumbling("1 day")'),
        ({"allowed_lateness": None}, "allowed_lateness", "must be a string, but is None"),
        ({"emission": True}, "emission", "must be a string, but is True"),
    ],
)
def test_a_wrong_shape_is_named(changed: dict[str, Any], field: str, says: str) -> None:
    with pytest.raises(pw.SpecError) as refused:
        spec(**changed)
    assert faults(refused) == {field: "WRONG_TYPE"}
    assert f"  {field}: " in str(refused.value)
    assert says in str(refused.value)


def test_all_wrong_shapes_are_named_at_once() -> None:
    with pytest.raises(pw.SpecError) as refused:
        spec(keys="station", time=None, windows={"a": 1, "b": pw.session("1 hour")})
    assert list(faults(refused)) == ["keys", "time", "windows.a"]
    assert len(str(refused.value).splitlines()) == 4


def test_a_window_takes_durations_as_strings() -> None:
    with pytest.raises(pw.SpecError) as refused:
        pw.sliding("1 hour", 60)  # type: ignore[arg-type]
    assert faults(refused) == {"sliding.slide": "WRONG_TYPE"}


@pytest.mark.parametrize(
    ("old", "new", "field", "condition"),
    [
        ('{"version"', '["version"', "spec", "NOT_JSON"),
        (WRITTEN, "[]", "spec", "WRONG_TYPE"),
        ('"version":1', '"version":2', "version", "UNKNOWN_VERSION"),
        ('"version":1,', "", "version", "UNKNOWN_VERSION"),
        ('"time":"started_at",', "", "time", "MISSING_FIELD"),
        ('"time"', '"tyme":0,"time"', "tyme", "UNKNOWN_FIELD"),
        ('"keys":["station"]', '"keys":"station"', "keys", "WRONG_TYPE"),
        ('"1 hour":null', '"1 second":null', "1 second", "DUPLICATE"),
        ('"kind":"session"', '"kind":"lunch"', "windows.visit.kind", "UNKNOWN_KIND"),
        ('"gap":"30 minutes"', '"gap":30', "windows.visit.gap", "WRONG_TYPE"),
        ('"gap":"30 minutes"', '"gap":"1 hour","size":"1 day"', "windows.visit.size", "UNKNOWN_FIELD"),
        (',"gap":"30 minutes"', "", "windows.visit.gap", "MISSING_FIELD"),
        ('{"kind":"tumbling","size":"1 day"}', '"1 day"', "windows.day", "WRONG_TYPE"),
    ],
)
def test_json_of_another_form_is_refused(old: str, new: str, field: str, condition: str) -> None:
    assert old in WRITTEN
    with pytest.raises(pw.SpecError) as refused:
        pw.Spec.from_json(WRITTEN.replace(old, new))
    assert faults(refused) == {field: condition}


def test_an_error_can_be_pickled() -> None:
    with pytest.raises(pw.SpecError) as refused:
        spec(keys="station")
    assert pickle.loads(pickle.dumps(refused.value)).faults == refused.value.faults
