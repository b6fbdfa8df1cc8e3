"""The reports: all there, true to the numbers, safe to open, and the same for the same games."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from duelbook import __version__
from duelbook.arena.held import Held
from duelbook.arena.judge.findings import Findings, findings, moves_of
from duelbook.arena.judge.sprt import Sprt
from duelbook.arena.judge.verdict import percent
from duelbook.arena.play.game_file import places_in
from duelbook.arena.play.results import Fault, pairs_of
from duelbook.arena.play.tournament import Finished
from duelbook.arena.report.data import as_json
from duelbook.arena.report.html import page
from duelbook.arena.report.html_numbers import _loss_mark
from duelbook.arena.report.plots import Line, Mark, dot_plot, shortened, ticks
from duelbook.arena.report.sections import better_than_the_next, loss_span
from duelbook.arena.report.table_text import number, table_lines, wrapped
from duelbook.arena.report.text import terminal_lines
from duelbook.core import DuelError
from duelbook.engine.limits import Limits
from duelbook.record import reads
from verdicts_helper import held

NASTY = '<script>alert("1")</script> & \' "'


@pytest.fixture
def finished() -> Finished:
    """Two bots, one with a name that no page should believe, and a ladder; one game lost by a fault."""
    known = held(("level:5", "level:3", "random", "perfect"), ("tower", "deck"), 12, bots=2)
    plan = known.programme.plan
    entrants = (plan.entrants[0]._replace(name=NASTY), *plan.entrants[1:])
    results = list(known.results)
    spoilt = next(at for at, each in enumerate(results) if each.task.seats == (1, 2))
    fault = Fault(0, "crash", f"It ended {NASTY}.", f"Traceback\n{NASTY}")
    results[spoilt] = results[spoilt]._replace(winner=1, fault=fault)
    return Finished(known.programme._replace(plan=plan._replace(entrants=entrants)), results)


@pytest.fixture
def found(finished: Finished, tmp_path: Path) -> Findings:
    file = tmp_path / "cup games.duel"
    file.write_text("".join(f"{result.record}\n" for result in reversed(finished.results)))
    test = Sprt(0, 60)
    for pair in pairs_of(result for result in finished.results if set(result.task.seats) == {0, 1}):
        test.judge(pair)
    return findings(finished, standing=test.ended(), file=file)


# What is found


@pytest.mark.slow
def test_a_game_is_found_by_its_place_in_the_file(found: Findings) -> None:
    games = reads(Path(found.file).read_text())
    for each in found.worth_a_look:
        command = found.replay(each.result)
        place = int(command.rpartition(" ")[2])
        assert command.startswith("duelbook replay '")
        assert games[place - 1].extra["ArenaTask"] == str(each.result.task.number)


@pytest.mark.slow
def test_the_games_worth_a_look_tell_what_to_look_for(found: Findings) -> None:
    assert 1 <= len(found.worth_a_look) <= 6
    blunders = [each for each in found.worth_a_look if each.title.endswith("blunders")]
    assert blunders
    for each in blunders:
        turn = int(re.findall(r"^Turn (\d+):", each.sentence)[0])
        assert 1 <= turn <= each.result.turns
        assert max(map(max, each.result.losses)) >= 0.2
        assert each.result.fault is None


def test_games_that_repeat_each_other_are_warned_of() -> None:
    twins = held(("perfect", "perfect"), ("tower",), 10, bots=2)
    assert len({moves_of(result.record) for result in twins.results}) < 10
    cautions = " ".join(findings(twins).cautions)
    assert "differ from each other" in cautions
    assert "too narrow" in cautions


def test_many_games_without_a_result_are_warned_of() -> None:
    twins = held(("perfect", "perfect"), ("conquer",), 3, bots=2)
    assert "In conquer 100 % of the games ended without a result" in " ".join(findings(twins).cautions)


def test_what_is_computed_is_not_sampled() -> None:
    """A tournament of the ladder alone: nothing is played, everything is exact, and the report says so."""
    exact = findings(held(("random", "level:3", "perfect"), ("tower", "deck"), 10))
    assert not exact.finished.results
    assert all(row.exact for row in exact.ratings.rows)
    assert [row.name for row in exact.ratings.rows] == ["perfect", "level:3", "random"]
    assert exact.ratings.rows[0].rating > exact.ratings.rows[1].rating > exact.ratings.rows[2].rating == 0
    assert not exact.ratings.notes
    assert all(each.overall is not None and each.overall.exact for each in exact.qualities)
    text = "\n".join(terminal_lines(exact))
    assert "No game was played. 6 meetings computed exactly." in text
    assert "computed and nothing is played" in page(exact)
    json.dumps(as_json(exact))


def test_a_file_without_our_tags_holds_no_places(tmp_path: Path) -> None:
    other = tmp_path / "other.duel"
    other.write_text('[Game "tower"]\n\n*\n')
    assert places_in(other) == {}


def test_where_nothing_connects_two_players_no_chance_is_named() -> None:
    """Bots that met nobody of the ladder: how they stand to each other is known, how to the ladder is not."""
    twins = findings(held(("level:5", "level:2"), ("tower",), 12, bots=2))
    one, two = (entrant.name for entrant in twins.plan.entrants)
    better = as_json(twins)["better"]
    assert better[one][two] > 0.5
    assert better[one]["random"] is better["perfect"][two] is None
    rows = [line for line in terminal_lines(twins) if "a guess, see below" in line]
    assert [row.split()[0] for row in rows] == [one.split()[0], two.split()[0]]
    assert "%" in rows[0]
    assert f"{one} (a guess)" in page(twins)


def test_who_is_best_is_not_clear_before_it_is() -> None:
    twins = findings(held(("level:3", "level:3"), ("energy",), 12, bots=2))
    assert "It is not clear which of the programs is best." in page(twins)
    apart = findings(held(("perfect", "random"), ("energy",), 12, bots=2))
    assert "It is not clear which of the programs is best." not in page(apart)


def test_the_page_says_how_to_hold_the_tournament_again() -> None:
    known = held(("level:5", "level:3"), ("tower",), 2, bots=2)
    plan = known.programme.plan
    limits = Limits(clock=(60.0, 0.5), cpu_seconds=9, options=(("Log File", "a b"),))
    program = plan.entrants[0]._replace(kind="engine:./bot --fast", limits=limits)
    ours = plan.entrants[1]._replace(kind="level:3")
    again = known.programme._replace(plan=plan._replace(entrants=(program, ours), seed=11))
    told = page(findings(Finished(again, known.results)))
    assert "<code>./bot --fast</code> with 60 s for a game and 0.5 s more for each move, 1,024 MB of memory" in told
    assert "9 s of processor time for a game and Log File set to a b." in told
    assert f"Duelbook {__version__}, seed 11, 2 pairs of games for each meeting in each duel." in told
    (first, second) = as_json(findings(Finished(again, known.results)))["players"]
    assert first["limits"]["clock"] == (60.0, 0.5)
    assert "limits" not in second


# On the terminal and for programs


def test_the_terminal_says_it_all(found: Findings) -> None:
    text = "\n".join(terminal_lines(found))
    assert text.startswith("Test cup: everybody meets everybody, in tower, deck\n")
    for words in ("240 games played, seed 1.", "95 % interval", "Loss per decision", "less luck", "by a fault (crash)"):
        assert words in text
    assert found.standing is not None
    counts = ", ".join(map(str, found.standing.counts))
    one, two = (entrant.name for entrant in found.plan.entrants[:2])
    for words in (
        f"The test: H0, {one} is 0 Elo above {two}, or H1, it is 60 above: which fits the games better? "
        "alpha 0.05, beta 0.05.",
        f"LLR {found.standing.llr:.2f}, bounds -2.94 and 2.94.",
        f"Pairs that scored 0, 0.5, 1, 1.5 and 2 points: {counts};",
        "The rounds were used up after 24 pairs",
    ):
        assert words in text
    assert "Games worth a look:" in text
    assert "The first seat in tower:" in text


@pytest.mark.parametrize("width", [None, 200, 100, 80, 60, 40])
def test_the_cross_table_is_there_however_wide_the_window_is(found: Findings, width: int | None) -> None:
    """In a pipe there is no width at all."""
    lines = list(table_lines(found.table, width))
    order = found.table.order()
    shown: dict[str, list[str]] = {}
    columns = 0
    for words in map(str.split, lines):
        if words and words[-1].startswith("#"):
            columns = sum(word.startswith("#") for word in words)
        elif words and words[0].startswith("#") and columns:
            shown.setdefault(words[0], []).extend(words[-columns:])
    for place, me in enumerate(order, 1):
        cells = [found.table.cells.get((me, foe)) for foe in order]
        expected = ["." if row is None else ("=" * row.exact) + number(row.points, row.exact) for row in cells]
        assert shown[f"#{place}"] == expected
    assert ("Points against each opponent:" in lines) == (width is not None and width < 130)


@pytest.mark.parametrize("width", [80, 60])
def test_nothing_but_commands_is_wider_than_the_window(found: Findings, width: int) -> None:
    for line in terminal_lines(found, width):
        assert len(line) <= width or line.strip().startswith("duelbook replay"), line


def test_a_number_and_its_sign_stay_together() -> None:
    assert list(wrapped("It comes with its 95 % interval", 20)) == ["It comes with its", "95 % interval"]


@pytest.mark.slow
def test_who_is_better_is_said_alike_everywhere() -> None:
    """From one computation: on the terminal, on the page, as data."""
    found = findings(held(("level:6", "level:2", "random"), ("tower",), 12, bots=2))
    one, two = (entrant.name for entrant in found.plan.entrants[:2])
    apart, better = found.ratings.difference(one, two), found.ratings.better(one, two)
    sentence = (
        f"{one} is better than {two} with a chance of {percent(better)}: "
        f"{apart.value:+.0f} Elo ({apart.low:+.0f} to {apart.high:+.0f})."
    )
    assert sentence in "\n".join(terminal_lines(found))
    assert sentence in "".join(Page(page(found)).text).replace("\N{NO-BREAK SPACE}", " ")
    said = as_json(found)
    assert said["verdict"] == {
        "name": one,
        "other": two,
        "chance": better,
        "difference": apart._asdict(),
        "sentence": sentence,
    }
    assert said["difference"][one][two] == apart._asdict()
    assert said["difference"][two][one]["value"] == pytest.approx(-apart.value)


def test_one_bot_beside_the_ladder_is_compared_with_nobody() -> None:
    found = findings(held(("level:5", "level:3"), ("tower",), 5, bots=1))
    assert found.verdict is None
    assert as_json(found)["verdict"] is None


def test_nothing_is_said_of_one_above_somebody_who_floats() -> None:
    """Perfect is better than random, but what stands between them on the scale is a guess."""
    twins = findings(held(("level:5", "level:2"), ("tower",), 12, bots=2))
    rows = twins.ratings.rows
    for row, below in pairwise(rows):
        said = better_than_the_next(twins, row)
        assert bool(said) == (row.floats == below.floats)
    assert any(row.floats != below.floats for row, below in pairwise(rows))


def test_programs_get_every_number(found: Findings) -> None:
    data = json.loads(json.dumps(as_json(found)))
    assert {"ratings", "better", "losses", "faults", "sprt", "table", "meetings", "first_seat"} <= data.keys()
    assert data["ratings"][0]["name"] == "perfect"
    assert data["better"]["perfect"]["random"] == 1
    assert data["faults"][0]["kind"] == "crash"
    assert data["faults"][0]["stderr"].startswith("Traceback")
    assert len(data["losses"][0]["parts"]) == 4
    assert data["losses"][0]["reduced_score"]["low"] < data["losses"][0]["reduced_score"]["high"]
    assert {name: data["sprt"][name] for name in ("elo0", "elo1", "alpha", "beta", "pairs", "stopped", "accepted")} == {
        "elo0": 0,
        "elo1": 60,
        "alpha": 0.05,
        "beta": 0.05,
        "pairs": 24,
        "stopped": "rounds used up",
        "accepted": None,
    }
    assert sum(data["sprt"]["counts"]) == 24
    assert data["sprt"]["lower"] < data["sprt"]["llr"] < data["sprt"]["upper"]


# The page


class Page(HTMLParser):
    """Checks that every tag is closed in its order, and collects what could load something."""

    ALONE = frozenset(("meta", "br", "rect", "circle", "path"))

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.outside: list[str] = []
        self.tags: set[str] = set()
        self.text: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.outside += [f"{name}={value}" for name, value in attributes if name in ("src", "href", "srcset", "data")]
        if tag not in self.ALONE:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_the_page_is_whole_loads_nothing_and_believes_nobody(found: Findings, tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    Held(found).write_report(target)
    text = target.read_text(encoding="utf-8")
    read = Page(text)
    assert read.outside == []
    assert not {"script", "link", "iframe", "img", "object"} & read.tags
    assert set(re.findall(r'[a-z]+://[^"<\s]+', text)) == {"http://www.w3.org/2000/svg"}
    assert "@import" not in text
    assert "url(" not in text
    words = "".join(read.text)
    assert NASTY in words  # shown as it is, and not run
    for heading in ("Ratings", "Cross table", "Loss per decision", "Games worth a look", "Faults", "What is exact"):
        assert heading in words
    assert "duelbook replay" in words
    assert "Number Duel (deck)" in words


def test_the_page_tells_what_the_test_was_asked(found: Findings) -> None:
    words = "".join(Page(page(found)).text)
    assert found.standing is not None
    assert found.standing.sentence in words
    for each in (
        "H0 at −2.94",
        "H1 at 2.94",
        "it is 60 above: which fits the games better? alpha 0.05, beta 0.05. Pairs that scored 0, 0.5,",
    ):
        assert each in words


def test_dashed_lines_are_random_and_perfect_wherever_bots_stand() -> None:
    """One that wins everything stands above perfect, one that loses everything below random."""
    bots = held(("level:6", "level:1", "level:3"), ("energy",), 12, bots=2)
    results = []
    for each in bots.results:
        one, two = each.task.seats
        results.append(each._replace(winner=int(two == 0 or one == 1)))  # the first beats all, the second loses to all
    found = findings(Finished(bots.programme, results))
    rows = found.ratings.rows
    assert (rows[0].entrant, rows[1].kind, rows[-2].kind, rows[-1].entrant) == (0, "perfect", "random", 1)
    wide = page(found).partition("</figure>")[0]
    dashed = [float(x) for x in re.findall(r'M([\d.]+) [^"]*" stroke="[^"]*" stroke-dasharray', wide)]
    diamonds = [float(x) for x in re.findall(r"M([\d.]+) [\d.]+l5.6 5.6", wide)]
    assert len(dashed) == 2
    assert dashed == [diamonds[0], diamonds[-1]]


def test_the_axis_of_ratings_says_what_its_zero_is(monkeypatch: pytest.MonkeyPatch) -> None:
    beside = findings(held(("level:5", "level:3"), ("tower",), 5, bots=1))
    among = findings(held(("level:5", "level:3"), ("tower",), 5, bots=2))
    assert ">Elo above random</text>" in page(beside)
    assert ">Elo above random, for some a guess</text>" in page(among)
    monkeypatch.setattr("duelbook.arena.judge.ratings.ladder", lambda shares: None)
    unknown = page(findings(held(("level:5", "level:3"), ("tower",), 5, bots=1)))
    assert ">Elo; only differences mean anything</text>" in unknown
    assert "above random" not in unknown
    assert "Dashed lines" not in unknown


def test_intervals_promise_no_more_than_they_hold(found: Findings) -> None:
    words = "".join(Page(page(found)).text)
    assert "95 times out of 100" not in words
    assert "say what chance alone can do. That strength is not really one number comes on top" in words


def test_what_does_not_vary_is_not_drawn_as_exact() -> None:
    """A program that always loses the same is measured; perfect is known."""
    same = held(("level:5", "perfect"), ("tower",), 12, bots=1)
    results = [each._replace(losses=((0.125, 0.125), (0.125, 0.125))) for each in same.results]
    bot, perfect = findings(Finished(same.programme, results)).qualities
    assert bot.overall is not None
    assert perfect.overall is not None
    assert (bot.overall.exact, loss_span(bot.overall)) == (False, "9.38 to 34.38")
    assert (perfect.overall.exact, loss_span(perfect.overall)) == (True, "exact")
    assert {_loss_mark(part, seat).shape for (_, seat), part in bot.parts.items()} == {"circle", "square"}
    assert {_loss_mark(part, seat).shape for (_, seat), part in perfect.parts.items()} == {"diamond"}


def test_every_picture_is_well_formed(found: Findings) -> None:
    pictures = re.findall(r"<svg .*?</svg>", page(found), re.DOTALL)
    assert len(pictures) >= 6
    for picture in pictures:
        ElementTree.fromstring(picture)


def test_the_same_games_make_the_same_page(finished: Finished) -> None:
    assert page(findings(finished)) == page(findings(finished))


def test_a_page_that_cannot_be_written_is_refused_in_a_sentence(found: Findings, tmp_path: Path) -> None:
    with pytest.raises(DuelError, match="could not be written"):
        Held(found).write_report(tmp_path / "no" / "such" / "folder.html")


# Plots


@pytest.mark.parametrize(
    ("low", "high", "most", "shown"),
    [
        (0, 10, 5, [0, 2, 4, 6, 8, 10]),
        (-30, 640, 7, [0, 100, 200, 300, 400, 500, 600]),
        (0, 0.9, 4, [0, 0.25, 0.5, 0.75]),
    ],
)
def test_ticks_are_round_numbers(low: float, high: float, most: int, shown: list[float]) -> None:
    assert ticks(low, high, most) == pytest.approx(shown)


@pytest.mark.parametrize("width", [370, 920])
def test_a_plot_keeps_everything_inside(width: int) -> None:
    lines = [
        Line("a very long name that does not fit into any column at all", (Mark(5.0, -3.0, 12.0),), "5 ± 7"),
        Line("b", (Mark(0.0, None, None, "diamond"), Mark(2.0, 2.0, 2.0, "square"))),
    ]
    picture = dot_plot(lines, "points", width, title="A <plot>", rules=[0.0])
    tree = ElementTree.fromstring(picture)
    room = "{http://www.w3.org/2000/svg}"
    for circle in tree.iter(f"{room}circle"):
        assert 0 < float(circle.attrib["cx"]) < width
    assert "…" in picture
    assert "A &lt;plot&gt;" in picture


def test_an_interval_that_nothing_measured_does_not_stretch_the_plot() -> None:
    """Of a bot that never lost anything in ten pairs: 0, and an interval up to 30 points."""
    usual = Line("usual", (Mark(2.0, 1.0, 3.0),))
    never = Line("never", (Mark(0.0, 0.0, 30.0, loose=True),))
    drawn = dot_plot([usual, never], "points", 480, title="", zero=True)
    ticks_shown = [float(tick) for tick in re.findall(r">(\d+(?:\.\d+)?)</text>", drawn)]
    assert max(ticks_shown) <= 3.5
    assert drawn.count("L") == 2, "one arrow"
    assert dot_plot([usual], "points", 480, title="", zero=True).count("L") == 0


def test_losses_that_are_all_alike_are_drawn_loosely() -> None:
    finished = held(("level:6", "perfect"), ("tower",), 12, bots=1)
    results = [each._replace(losses=((0.0, 0.0), (0.0, 0.0))) for each in finished.results]
    found = findings(Finished(finished.programme, results))
    bot, perfect = found.qualities
    assert {(part.alike, _loss_mark(part, seat).loose) for (_, seat), part in bot.parts.items()} == {(True, True)}
    assert {(part.alike, part.exact) for part in perfect.parts.values()} == {(False, True)}
    assert "it ends in an arrow" in page(found)
    assert "exact, not measured" in page(found)


def test_a_plot_of_one_value_or_none_can_be_drawn() -> None:
    assert ElementTree.fromstring(dot_plot([Line("a", (Mark(3.0, 3.0, 3.0),))], "x", 370, title="one")) is not None
    assert ElementTree.fromstring(dot_plot([], "x", 370, title="none", zero=True)) is not None


@pytest.mark.parametrize("llr", [-2.94, 0.0, 1.5, 3.4])
def test_the_page_shows_where_a_test_stands_between_its_bounds(found: Findings, llr: float) -> None:
    assert found.standing is not None
    drawn = page(found._replace(standing=found.standing._replace(llr=llr)))
    assert drawn.count(f"LLR {llr:.2f}".replace("-", "−") + "</text>") == 2, "on a wide screen and on a narrow one"
    assert "dashed: H0 at −2.94, H1 at 2.94</text>" in drawn


def test_names_are_shortened_only_where_they_must_be() -> None:
    assert shortened("level:3", 7) == "level:3"
    assert shortened("level:3 again", 7) == "level:…"
