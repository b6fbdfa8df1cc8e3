"""The pages as they are asked for over HTTP: whole games by forms, what the coach keeps to itself, time, and rules."""

from __future__ import annotations

import asyncio
import re
import time
from html import unescape
from itertools import pairwise
from pathlib import Path

import pytest

from duelbook import game_ids, load
from duelbook.honest.proof import prove
from duelbook.match import Match
from duelbook.record import Record, reads, writes
from duelbook.serve.adviser import Adviser
from duelbook.serve.coaching import look_back
from duelbook.serve.events import Refused
from duelbook.serve.guard import Guard
from duelbook.serve.pages.advice import _hint as advised
from duelbook.serve.pages.graph import graph
from duelbook.serve.pages.markup import html
from duelbook.serve.pages.words import left_words
from duelbook.speech import amount
from guests_helper import GUESTS, arrive, install
from pages_helper import Clock, Form, Visitor, play_on, run
from slow_helper import one_of_each_kind, slow


@pytest.mark.parametrize("id", one_of_each_kind())
def test_two_people_play_a_whole_game_by_forms_alone(id: str, app: Guard) -> None:
    async def tale() -> None:
        ann, bo = Visitor(app), Visitor(app)
        await ann.get("/")
        await ann.post("/new", duel=id, opponent="friend", name="Ann", first="toss")
        assert re.fullmatch("/game/[0-9a-z]{16}", ann.way)
        link = re.search(r'value="(http://[^"]+#i=[^"]+)"', ann.page)
        assert link is not None
        await bo.get(ann.way)
        assert "The link that you were sent" in bo.page
        await bo.post(f"{bo.way}/sit", invitation=link[1], name="Bo")
        hides = bool(load(id).faces) or hasattr(load(id).rules_file, "resolve")
        assert "that it does not look is then a matter of trust" in bo.page or not hides
        await play_on([ann, bo], most=15)
        game = ann.way.rpartition("/")[2]
        (record,) = reads((await ann.http.get(f"/api/games/{game}/record")).text)
        assert record.match.outcome is not None
        assert "kept the secrets of Ann and Bo" in prove(record)
        await ann.press("rematch")
        assert "Bo has not answered yet" in ann.page
        await ann.post(f"{ann.way}/do", do="rematch", act="again")
        assert "You have said so already" in ann.page
        await bo.get(bo.way)
        await bo.press("rematch")
        for side in (ann, bo):
            await side.get(f"/game/{game}")
            forms = [form for form in Form(side.page).forms if str(form["way"]).endswith("/sit")]
            await side.post(str(forms[0]["way"]), after=game)
        assert "Ann" in ann.page
        assert bo.standing.startswith(("Your turn", "Waiting"))

    run(tale)


def test_what_was_typed_is_read_by_the_book(app: Guard) -> None:
    async def tale() -> None:
        ann = Visitor(app)
        await ann.post("/new", duel="tower", opponent="random", name="Ann")
        await ann.post(f"{ann.way}/do", do="move", said="b 4", act="1")
        assert "tower height is now 4" in ann.page
        way = ann.way
        await ann.post(f"{way}/do", do="move", said="dance", act="3")
        assert ann.code == 409
        assert "is not a move here. You can play: build 1" in ann.page
        assert 'id="table"' in ann.page  # and the table is there to go on

    run(tale)


def test_a_form_that_is_sent_twice_is_done_once(app: Guard) -> None:
    async def tale() -> None:
        ann, bo = Visitor(app), Visitor(app)
        await ann.post("/new", duel="tower", opponent="open", name="Ann")
        way = ann.way
        await bo.post(f"{way}/sit", name="Bo")
        for _ in range(2):
            await ann.post(f"{way}/do", do="move", move="build 4", act="the same")
            assert ann.code == 200
        assert ann.page.count("Ann builds 4 units.") == 1

    run(tale)


def test_looking_again_waits_for_news_and_then_shows_them(app: Guard) -> None:
    async def tale() -> None:
        ann, bo = Visitor(app), Visitor(app)
        await ann.post("/new", duel="tower", opponent="open", name="Ann")
        way = ann.way
        await bo.post(f"{way}/sit", name="Bo")
        again = re.search(r'href="([^"]*[?]after=[0-9]+)"', bo.page)
        assert again is not None
        looking = asyncio.ensure_future(bo.get(again[1]))
        await ann.post(f"{way}/do", do="move", move="build 4", act="1")
        assert "Ann builds 4 units." in await asyncio.wait_for(looking, 10)
        assert bo.standing == "Your turn."

    run(tale)


@pytest.mark.parametrize("id", GUESTS)
def test_duels_of_other_packages_are_in_the_lobby_and_played_as_ours(
    id: str, app: Guard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    site.mkdir()
    install(site, id)
    arrive(monkeypatch, site)

    async def tale() -> None:
        ann, bo = Visitor(app), Visitor(app)
        assert f'id="duel-{id}"' in await ann.get("/")
        await ann.post("/new", duel=id, opponent="open", name="Ann")
        await bo.post(f"{ann.way}/sit", name="Bo")
        await play_on([ann, bo], most=5)
        assert "To the next game" in ann.page or "Another game" in ann.page
        assert load(id).name in await bo.get(f"/rules/{id}")

    run(tale)


# The coach


def test_two_people_who_play_each_other_get_no_word_from_the_coach(app: Guard) -> None:
    """However they ask: with their seat, with none, by the page or by its script, for a hint or for a review."""

    async def tale() -> None:
        ann, bo, eve = Visitor(app), Visitor(app), Visitor(app)
        await ann.post("/new", duel="tower", opponent="open", name="Ann")
        way = ann.way
        await bo.post(f"{way}/sit", name="Bo")
        for visitor in (ann, bo, eve):
            for ask in (
                "?coach=hint",
                "?coach=ahead",
                "/coach",
                "/coach?coach=hint",
                "/aftermath",
                "/review",
                "/replay",
            ):
                page = await visitor.get(f"{way}{ask}")
                assert visitor.code == 409, ask
                assert "best" not in page
                assert "%" not in page
            assert 'data-act="hint"' not in await visitor.get(way)

    run(tale)


def test_whoever_plays_a_program_is_coached_and_nobody_else_in_their_place(app: Guard) -> None:
    async def tale() -> None:
        ann, eve = Visitor(app), Visitor(app)
        await ann.post("/new", duel="secret", opponent="level:1", name="Ann")
        way = ann.way
        page = await ann.get(f"{way}?coach=hint")
        assert "With perfect play from here on: Ann 50 %" in page
        assert "10: whatever they" in page
        await eve.get(f"{way}?coach=hint")
        assert eve.code == 409
        assert "whatever they do" not in eve.page
        await ann.post(f"{way}/do", do="move", move="1", act="1")
        told = (await ann.http.get(f"{way}/coach")).text
        assert "Your pick gave away 50 %" in told
        assert "Show me" in told
        await ann.post(f"{way}/do", do="resign", act="2", sure="1")
        assert (await ann.http.get(f"{way}/coach")).status_code == 409
        assert "lost" in (await ann.http.get(f"{way}/aftermath")).text
        page = await eve.get(f"{way}/review")  # what is over, everybody may look back at
        assert eve.code == 200
        for words in ("What mattered most", "Every decision", "What is proved", "duelbook verify", 'role="img"'):
            assert words in page
        page = await eve.get(f"{way}/replay?at=1")
        assert "attack: 1" in page
        assert 'rel="first"' in page

    run(tale)


def test_the_keys_are_explained_to_whoever_has_moves_and_the_coach_s_where_there_is_a_coach(app: Guard) -> None:
    async def tale() -> None:
        ann, bo, watcher = Visitor(app), Visitor(app), Visitor(app)
        await ann.post("/new", duel="tower", opponent="level:1", name="Ann", first="1")
        assert "The keys shown on moves" in ann.page
        assert "? to the coach" in ann.page
        await watcher.get(ann.way)
        assert "The keys shown on moves" not in watcher.page
        await bo.post("/new", duel="tower", opponent="friend", name="Bo", first="1")
        assert "The keys shown on moves" in bo.page
        assert "? to the coach" not in bo.page
        await ann.press("resign")
        await ann.press("sure")
        assert "You lost" in ann.page
        assert "The keys shown on moves" not in ann.page

    run(tale)


def test_no_mark_of_a_curve_is_written_over_another_and_the_worst_ones_stay() -> None:
    """Sixty turns in a row are marked: there is room for some of them, and on a narrow page for fewer."""
    marks = [(turn, "blunder" if turn % 7 == 0 else "mistake") for turn in range(1, 60)]
    drawn = html(graph([0.5] * 60, marks, ("Ann", "Bo")))
    found = [(float(x), kind) for x, kind in re.findall(r'<text x="([\d.]+)"[^>]* class="(sign[^"]*)"', drawn)]
    every, wide = sorted(x for x, _ in found), sorted(x for x, kind in found if kind == "sign")
    assert min(after - before for before, after in pairwise(every)) >= 16
    assert min(after - before for before, after in pairwise(wide)) >= 28
    assert drawn.count("??") == len([name for _, name in marks if name == "blunder"])


@pytest.mark.parametrize("moves", [0, 5, slow(1), slow(40), slow(150)])
def test_the_column_that_a_resignation_makes_is_the_end_and_no_turn(moves: int) -> None:
    duel = load("conquer")
    match = Match(duel, start=duel.read_position(duel.book, "1r 1r 1"))
    for at in range(moves):
        match.play(match.turn, 1 if at % 2 == 0 else 2)
    match.resign(match.turn)
    found = look_back(writes(Record(match)))
    drawn = html(graph(found.curve, found.marks, found.names, ended=found.ends_apart))
    numbers = re.findall(r'class="label[^"]*">(\w+)</text>', drawn)
    assert (numbers[0], numbers[-1]) == ("0", "end")
    assert str(moves + 1) not in numbers
    assert f"over {amount(moves, 'turn')}," in drawn
    places = [float(x) for x in re.findall(r'<text x="([\d.]+)" y="232', drawn)]
    assert len(places) == len(numbers)
    assert min(after - before for before, after in pairwise(places)) >= 24


def test_where_nothing_is_a_page_says_so_and_leads_back(app: Guard) -> None:
    async def tale() -> None:
        somebody = Visitor(app)
        for way, code in (("/nothing", 404), ("/new", 405)):
            found = await somebody.http.get(way)
            assert found.status_code == code
            assert "this address" in found.text.lower()
            assert 'href="/">To the lobby' in found.text
        found = await somebody.http.get("/api/nothing")
        assert (found.status_code, found.json()) == (404, {"refused": "There is nothing at this address."})

    run(tale)


def _forever() -> None:
    while True:
        time.sleep(60)


def _double(number: int) -> int:
    return 2 * number


def _breaks() -> None:
    raise ZeroDivisionError


@pytest.mark.slow
def test_what_takes_too_long_is_stopped_and_the_next_question_answered() -> None:
    async def tale() -> None:
        adviser = Adviser(longest=30)
        try:
            assert await adviser.ask(_double, 4) == 8
            adviser.longest = 0.2
            with pytest.raises(Refused, match="takes too long"):
                await adviser.ask(_forever)
            adviser.longest = 30
            assert await adviser.ask(_double, 5) == 10
            with pytest.raises(ValueError, match="The coach cannot say: ZeroDivisionError"):
                await adviser.ask(_breaks)
            adviser.most_waiting = 0
            with pytest.raises(Refused, match="Too many people ask"):
                await adviser.ask(_double, 6)
            assert await adviser.ask(_double, 5) == 10  # which is known
        finally:
            adviser.close()

    run(tale)


# Time


def test_time_left_is_said_by_the_server_and_a_game_is_claimed_only_when_it_may_be(app: Guard, clock: Clock) -> None:
    async def tale() -> None:
        ann, bo = Visitor(app), Visitor(app)
        await ann.post("/new", duel="tower", opponent="open", name="Ann", pace="259200")
        way = ann.way
        await bo.post(f"{way}/sit", name="Bo")
        clock.now += 3600
        page = await bo.get(way)
        assert "2 days left" in page
        assert "If Ann does not move in time, you may claim the game." in page
        assert "Claim the game" not in page
        await bo.post(f"{way}/do", do="claim", act="1")
        assert bo.code == 409
        clock.now += 259200
        page = await bo.get(way)
        assert "out of time" in page
        assert "Ann is out of time. You may claim the game, or go on waiting." in page
        assert "Claim the game" not in await ann.get(way)
        await bo.press("claim")
        assert bo.standing == "You won!"

    run(tale)


def test_without_a_clock_who_is_away_for_a_minute_can_be_claimed_against(app: Guard, clock: Clock) -> None:
    async def tale() -> None:
        ann, bo = Visitor(app), Visitor(app)
        await ann.post("/new", duel="tower", opponent="open", name="Ann")
        way = ann.way
        await bo.post(f"{way}/sit", name="Bo")
        await ann.get(way)
        clock.now += 40
        assert "Ann has been away for 40 seconds; after a minute you may claim the game." in await bo.get(way)
        await ann.get(way)  # she is there, and thinks
        clock.now += 30
        assert "Claim the game" not in await bo.get(way)
        clock.now += 31
        assert "Claim the game" in await bo.get(way)

    run(tale)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (200_000, "2 days left"),
        (90_000, "25 hours left"),
        (150, "2 minutes left"),
        (61.9, "61 seconds left"),
        (1, "1 second left"),
        (0, "out of time"),
    ],
)
def test_how_time_is_told(seconds: float, words: str) -> None:
    assert left_words(seconds) == words


# The lobby, rules and puzzles


def test_the_lobby_has_every_duel_with_its_sentence_and_its_rules(app: Guard) -> None:
    async def tale() -> None:
        ann = Visitor(app)
        page = await ann.get("/")
        for id in game_ids():
            game = load(id)
            assert f'value="{id}"' in page
            assert game.pitch.replace("'", "&#x27;") in page
            assert all(f'name="{id}.{knob}"' in page for knob in game.knobs)
        await ann.post("/new", **{"duel": "tower", "opponent": "random", "name": "Ann", "tower.goal": "9"})
        assert "With other rules: goal=9" in ann.page
        page = await ann.get("/")
        assert "Tower Defense Duel against Random" in page  # among her games
        await ann.post("/new", **{"duel": "tower", "opponent": "random", "tower.goal": "9999999"})
        assert ann.code == 400
        assert "is not allowed for goal" in ann.page

    run(tale)


def test_a_hint_is_prose_with_columns_that_stay_below_one_another() -> None:
    told = html(
        advised(["build 4: it wins.", "They are at 9.", "  build 4  100 %", "  attack     0 %", "Best play: build 4"])
    )
    assert told.count("<p>") == 3
    assert re.findall("<pre[^>]*>(.*?)</pre>", told, re.DOTALL) == ["build 4  100 %\nattack     0 %"]


def test_rule_books_are_pages_and_the_puzzle_of_the_day_is_answered_with_its_reason(app: Guard) -> None:
    async def tale() -> None:
        ann = Visitor(app)
        assert "<h1>Tower Defense Duel</h1>" in await ann.get("/rules/tower")
        assert "There is no duel called" in await ann.get("/rules/nothing")
        for id in game_ids():  # the book speaks of the page, and of no command line
            shown = unescape(re.sub("<[^>]*>", "", await ann.get(f"/rules/{id}")))
            assert not re.search(r"--\w|duelbook \w|every prompt|quit|undo", shown), id
            assert "under Other rules, below the duel." in shown
            for name in load(id).knobs:
                assert f"{name}=" in shown
        page = await ann.get("/puzzle/tower?day=1970-01-12")
        assert "only one" in page
        answers = re.findall('name="answer" value="([^"]*)"', page)
        told = [await ann.post("/puzzle/tower", answer=answer) for answer in answers]
        assert sum("Right! " in page for page in told) == 1
        assert sum("Not " in page for page in told) == len(answers) - 1
        assert "is not a move here" in await ann.post("/puzzle/tower", answer="dance")
        assert "The puzzle of the day" in await ann.get("/puzzle/tower?day=9999-12-31")  # none that is to come
        await ann.get("/puzzle/tower?day=never")
        assert ann.code == 400

    run(tale)
