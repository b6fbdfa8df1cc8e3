"""Somebody who wants more than their share: games without end, rules that take for ever, a game that is not theirs."""

from __future__ import annotations

import asyncio
import threading

import httpx2 as httpx
import pytest

from duelbook import load, variant
from duelbook.core import DuelError
from duelbook.honest.chains import Chain
from duelbook.match import Match
from duelbook.serve import adviser, programs
from duelbook.serve.adviser import Adviser
from duelbook.serve.app import application
from duelbook.serve.callers import Deadlines
from duelbook.serve.desk import Desk, NoGame, Seated
from duelbook.serve.events import Busy, Refused
from duelbook.serve.limits import NONE, Limits
from duelbook.serve.makers import A_DAY, Makers
from duelbook.serve.names import cleaned, look_alike
from duelbook.serve.online import GONE
from duelbook.serve.opening import LINKS, Wish
from duelbook.serve.sqlite import Sqlite
from duelbook.serve.turns import Turns
from helpers import HANGING
from online_helper import Guest
from pages_helper import HOST, Clock

# Too many games


def test_one_address_makes_so_many_games_and_no_more(clock: Clock) -> None:
    makers = Makers(NONE._replace(games=3), clock)
    for game in "abc":
        makers.check("here", waits=False)
        makers.remember(game, "here", waits=False)
    with pytest.raises(Refused, match="finish one, or wait"):
        makers.check("here", waits=False)
    makers.check("there", waits=False)
    makers.is_over("a")
    with pytest.raises(Refused, match="finish one, or wait"):  # the rate has none left
        makers.check("here", waits=False)
    clock.now += 500
    makers.check("here", waits=False)


def test_games_that_are_never_played_do_not_count_for_ever(clock: Clock) -> None:
    makers = Makers(NONE._replace(all_games=2), clock)
    for game in "ab":
        makers.check(game, waits=False)
        makers.remember(game, game, waits=False)
    with pytest.raises(Refused, match="no other can begin"):
        makers.check("c", waits=False)
    clock.now += A_DAY + 1
    makers.check("c", waits=False)
    assert not makers._unfinished


def test_nobody_fills_the_lobby(clock: Clock) -> None:
    makers = Makers(NONE._replace(challenges=2), clock)
    for game in "ab":
        makers.check("here", waits=True)
        makers.remember(game, "here", waits=True)
    with pytest.raises(Refused, match="wait for somebody"):
        makers.check("here", waits=True)
    makers.check("here", waits=False)
    makers.has_begun("a")
    makers.has_begun("a")
    makers.check("here", waits=True)
    makers.is_over("b")
    assert makers._waiting["here"] == 0


@pytest.mark.parametrize("way", ["/api/games", "/new"])
def test_every_way_to_make_a_game_counts(way: str, store: Sqlite) -> None:
    async def tale() -> None:
        guard = application(Desk(store, limits=NONE._replace(games=2)), [HOST])
        transport = httpx.ASGITransport(app=guard)
        async with httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}") as http:
            codes = []
            for _ in range(3):
                asked = {"duel": "tower", "opponent": "random", "name": "Ann"}
                sent = await (http.post(way, json=asked) if way.startswith("/api") else http.post(way, data=asked))
                codes.append(sent.status_code)
            assert codes[2] == 409
            assert 409 not in codes[:2]

    asyncio.run(tale())


def test_a_game_that_is_over_makes_room(store: Sqlite) -> None:
    async def tale() -> None:
        desk = Desk(store, limits=NONE._replace(games=1))
        desk.makers._rate = desk.makers._rate.__class__(1e9, 1e9)
        made = await desk.make(Wish("tower"), "here")
        for seat, name in enumerate(("Ann", "Bo")):
            await desk.join(made.game, made.invitations[seat], name, Guest(seat).chain_of(LINKS).anchor)
        with pytest.raises(Refused):
            await desk.make(Wish("tower"), "here")
        await desk.act(made.game, 0, "1", {"do": "resign"})
        await desk.make(Wish("tower"), "here")

    asyncio.run(tale())


# Rules that take for ever


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", ["perfect", *(pytest.param(kind, marks=pytest.mark.slow) for kind in ("level:6", "brawler"))]
)
def test_a_player_of_rules_that_cannot_be_solved_in_time_is_refused_before_the_game(kind: str, store: Sqlite) -> None:
    """It was a program that failed at its first move, and so a game that was won by asking for it."""

    async def tale() -> None:
        desk = Desk(store)
        try:
            with pytest.raises(Refused, match=f"Nobody here can play {kind} by these rules"):
                await desk.make(Wish("deck", ("lp=99",), ("human", kind)), "here")
            assert store.games() == []
            await desk.make(Wish("deck", ("lp=99",), ("human", "random")), "here")
            await desk.make(Wish("deck", ("lp=99",)), "here")
        finally:
            desk.close()

    asyncio.run(tale())


def never() -> None:
    """What takes longer than anybody waits."""
    while True:
        pass


def never_but(number: int) -> None:
    """Many of them, for the same is asked once."""
    never()


@pytest.mark.slow
def test_what_takes_too_long_is_stopped_for_good_and_the_next_question_is_answered() -> None:
    async def tale() -> None:
        asked = Adviser(longest=0.5)
        try:
            with pytest.raises(Refused, match="too long"):
                await asked.ask(never)
            assert asked._process is None
            asked.longest = 60.0
            assert await asked.ask(abs, -7) == 7
        finally:
            asked.close()

    asyncio.run(tale())


def test_one_address_does_not_have_the_coach_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty questions that take long, from one place, kept everybody else from a hint or a puzzle."""

    async def tale() -> None:
        asked, done = Adviser(most_of_one=2), asyncio.Event()

        async def answer(
            address: str, gives_up: float, work: object, given: tuple[object, ...], named: object
        ) -> object:
            await done.wait()
            return given[0]

        monkeypatch.setattr(asked, "_asked", answer)
        waiting = [asyncio.ensure_future(asked.ask_for("here", abs, number)) for number in (1, 2)]
        await asyncio.sleep(0)
        with pytest.raises(Refused, match="asked of the coach from there"):
            await asked.ask_for("here", abs, 3)
        waiting.append(asyncio.ensure_future(asked.ask_for("here", abs, 2)))  # which is asked already
        waiting += [asyncio.ensure_future(asked.ask_for("there", abs, 4)), asyncio.ensure_future(asked.ask(abs, 5))]
        await asyncio.sleep(0)
        done.set()
        assert await asyncio.gather(*waiting) == [1, 2, 2, 4, 5]
        assert await asked.ask_for("here", abs, 3) == 3
        assert not asked._of_address

    asyncio.run(tale())


def test_whoever_asks_much_is_answered_in_turn_with_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six questions that take long were answered one after the other, and a hint for somebody else came a minute later.
    Now others wait for the one that is being answered, and for one of each address that was there before them."""
    answered: list[int] = []
    begun, go_on = threading.Event(), threading.Event()

    def answer(work: object, given: tuple[int, ...], named: object) -> int:
        begun.set()
        go_on.wait(HANGING)
        answered.append(given[0])
        return given[0]

    async def tale() -> None:
        asked = Adviser()
        monkeypatch.setattr(asked, "_answer", answer)
        flood = [asyncio.ensure_future(asked.ask_for("here", abs, number)) for number in range(1, 7)]
        await asyncio.to_thread(begun.wait, HANGING)
        others = [
            asyncio.ensure_future(asked.ask_for(address, abs, number))
            for address, number in (("there", 10), ("there", 11), ("elsewhere", 20))
        ]
        await asyncio.sleep(0)
        flood.append(asyncio.ensure_future(asked.ask_for("here", abs, 7)))
        await asyncio.sleep(0)
        go_on.set()
        await asyncio.gather(*flood, *others)
        assert answered == [1, 10, 20, 2, 11, 3, 4, 5, 6, 7]
        assert await asked.ask_for("here", abs, 8) == 8

    asyncio.run(tale())


def test_whoever_would_wait_too_long_for_their_turn_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was so: after a minute their connection was closed without a word."""
    go_on = threading.Event()

    def answer(work: object, given: tuple[int, ...], named: object) -> int:
        go_on.wait(HANGING)
        return given[0]

    async def tale() -> None:
        asked = Adviser(patience=0.0)
        monkeypatch.setattr(asked, "_answer", answer)
        first = asyncio.ensure_future(asked.ask_for("here", abs, 1))
        await asyncio.sleep(0)
        with pytest.raises(Refused, match="Others have asked before"):
            await asked.ask_for("there", abs, 2)
        go_on.set()
        assert await first == 1
        assert await asked.ask_for("there", abs, 2) == 2
        assert Deadlines().take > adviser.PATIENCE + adviser.LONGEST

    asyncio.run(tale())


def test_a_burst_of_questions_is_counted_while_it_comes() -> None:
    async def tale() -> None:
        asked = Adviser(most_waiting=3)
        burst = [asyncio.ensure_future(asked.ask_for(f"address {number}", abs, number)) for number in range(30)]
        await asyncio.sleep(0)
        refused = [task for task in burst if task.done()]
        assert len(refused) == 27
        for task in refused:
            with pytest.raises(Busy, match="Too many people"):
                task.result()
        asked.close()
        await asyncio.gather(*burst, return_exceptions=True)

    asyncio.run(tale())


def test_whoever_asks_what_another_has_asked_has_a_turn_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """They were refused when the other one's turn did not come in time."""
    go_on = threading.Event()

    def answer(work: object, given: tuple[int, ...], named: object) -> int:
        go_on.wait(HANGING)
        return given[0]

    async def tale() -> None:
        asked = Adviser(patience=0.01)
        monkeypatch.setattr(asked, "_answer", answer)
        first = asyncio.ensure_future(asked.ask_for("here", abs, 1))
        await asyncio.sleep(0)
        second = asyncio.ensure_future(asked.ask_for("here", abs, 2))
        await asyncio.sleep(0)
        asked.patience = HANGING
        joined = asyncio.ensure_future(asked.ask_for("there", abs, 2))
        with pytest.raises(Busy, match="Others have asked before"):
            await second
        go_on.set()
        assert (await first, await joined) == (1, 2)

    asyncio.run(tale())


def test_a_program_waits_while_others_ask_so_much_and_is_not_called_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    """After six times its game was lost to it."""
    monkeypatch.setattr(programs, "PAUSE", 0.0)
    times = iter(range(20))

    class Asked:
        async def ask(self, *_: object) -> int:
            if next(times) < 12:
                raise Busy("Too many people ask.")
            return 3

    class Games:
        adviser = Asked()

    game = load("tower")
    rules = variant(game, ["goal=9"])
    view = Match(game, rules).view(0)
    said = programs.Programs(Games())._said("perfect", view, 1)  # type: ignore[arg-type]  # nothing else is asked of them
    assert asyncio.run(said) == 3


def test_whoever_gives_up_waiting_for_their_turn_passes_it_on() -> None:
    async def tale() -> None:
        turns, had = Turns(), list[str]()

        async def wait(address: str) -> None:
            async with turns.of(address):
                had.append(address)

        async with turns.of("here"):
            waiting = [asyncio.ensure_future(wait(address)) for address in ("one", "two", "three")]
            await asyncio.sleep(0)
            waiting[0].cancel()  # before it is theirs
            await asyncio.sleep(0)
        waiting[1].cancel()  # when it is
        await asyncio.gather(*waiting, return_exceptions=True)
        assert had == ["three"]
        await wait("here")

    asyncio.run(tale())


@pytest.mark.slow
def test_who_has_other_rules_worked_out_holds_up_nobody_who_plays_by_the_book(store: Sqlite) -> None:
    async def tale() -> None:
        desk = Desk(store, limits=Limits())
        try:
            book, *_ = await seated(desk, "tower")
            made = await desk.create(Wish("tower", ("goal=16",)))
            flood = [asyncio.ensure_future(desk.solver.ask_for("here", never_but, number)) for number in range(6)]
            assert desk.coach_of(await desk.online(made.game)) is desk.solver
            coach = desk.coach_of(await desk.online(book))
            assert coach is desk.coach
            assert await coach.ask_for("here", abs, -7) == 7
            assert await desk.adviser.ask(abs, -8) == 8  # a program in somebody's seat
            with pytest.raises(Refused, match="asked of the coach from there"):
                await desk.solver.ask_for("here", abs, -9)
            assert not any(each.done() for each in flood)
        finally:
            desk.close()
            await asyncio.gather(*flood, return_exceptions=True)

    asyncio.run(tale())


def test_an_adviser_that_has_grown_heavy_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[object] = []

    class Talk:
        def poll(self, _: float) -> bool:
            return True

        def recv(self) -> object:
            return abs, (-7,), {}

        def send(self, answer: object) -> None:
            said.append(answer)

    monkeypatch.setattr(adviser, "HEAVY", 1)
    adviser.answer_questions(Talk())  # type: ignore[arg-type]  # a pipe's end that needs no process
    assert said == [7]


@pytest.mark.slow
def test_a_program_plays_by_other_rules_and_never_in_the_servers_own_process(
    store: Sqlite, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def tale() -> None:
        desk = Desk(store)
        monkeypatch.setattr(programs, "_decided", None)  # here: the adviser's process has its own
        try:
            made = await desk.make(Wish("tower", ("goal=7",), ("human", "perfect")), "here")
            await desk.join(made.game, made.invitations[0], "Ann", Chain(bytes(32), LINKS).anchor)
            await desk.act(made.game, 0, "1", {"do": "move", "move": "build 1"})
            await desk.rest()
            assert (await desk.online(made.game)).due() == (0,)
            assert store.read(made.game)[-1].body["kind"] == "moved"
        finally:
            desk.close()

    asyncio.run(tale())


def test_a_program_that_nobody_had_time_to_ask_has_not_failed(store: Sqlite, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise whoever keeps the coach busy wins against it."""

    class Busy(Adviser):
        times = 0

        async def ask(self, work: object, *given: object, **named: object) -> object:  # type: ignore[override]
            self.times += 1
            if work is programs.decide and self.times < 4:
                raise Refused("Too many people ask the coach just now.")
            return 0

    async def tale() -> None:
        monkeypatch.setattr(programs, "PAUSE", 0.0)
        desk = Desk(store)
        desk.adviser = Busy()
        made = await desk.make(Wish("tower", ("goal=7",), ("human", "perfect"), first="2"), "here")
        await desk.join(made.game, made.invitations[0], "Ann", Chain(bytes(32), LINKS).anchor)
        await desk.rest()
        desk.close()
        assert [event.kind for event in store.read(made.game)] == ["created", "joined", "began", "moved"]

    asyncio.run(tale())


# A claim that is not due, and one that is


async def seated(desk: Desk, duel: str, first: str = "1", pace: int = 0) -> tuple[str, list[Seated], list[Guest]]:
    made = await desk.create(Wish(duel, first=first, pace=pace))
    guests = [Guest(0), Guest(1)]
    seats = [
        await desk.join(made.game, made.invitations[seat], name, guests[seat].chain_of(LINKS).anchor)
        for seat, name in enumerate(("Ann", "Bo"))
    ]
    return made.game, seats, guests


def test_a_server_that_has_just_started_does_not_take_anybody_to_be_gone(store: Sqlite, clock: Clock) -> None:
    """It was so: whoever came back first after a restart could claim the game of somebody who thought for a minute."""

    async def tale() -> None:
        game, *_ = await seated(Desk(store, clock=clock), "tower")
        clock.now += GONE + 1
        again = Desk(store, clock=clock)
        with pytest.raises(Refused, match="not waited long enough"):
            await again.act(game, 1, "1", {"do": "claim"})
        clock.now += GONE + 1
        await again.act(game, 1, "2", {"do": "claim"})
        assert (await again.online(game)).over

    asyncio.run(tale())


def test_who_thinks_cannot_be_claimed_against(store: Sqlite, clock: Clock) -> None:
    async def tale() -> None:
        desk = Desk(store, clock=clock)
        game, *_ = await seated(desk, "tower")
        for _ in range(20):
            clock.now += GONE - 1
            desk.hear_from(game, 0)
            with pytest.raises(Refused, match="not waited long enough"):
                await desk.act(game, 1, "1", {"do": "claim"})
        with pytest.raises(Refused, match="waits for you"):
            await desk.act(game, 0, "1", {"do": "claim"})

    asyncio.run(tale())


@pytest.mark.parametrize("duel", ["secret", "deck"])
def test_who_is_there_and_withholds_what_needs_no_decision_can_be_claimed_against(
    duel: str, store: Sqlite, clock: Clock
) -> None:
    """To open a pick that is promised, or to bring a part of the other's draw: whoever stalls with that is to blame."""

    async def tale() -> None:
        desk = Desk(store, clock=clock)
        game, _, guests = await seated(desk, duel)
        number = 0
        while True:
            online = await desk.online(game)
            assert online.match is not None
            if online.needs_no_decision() or (duel == "deck" and online.due() == (0, 1)):
                break
            seat = online.due()[0]
            number += 1
            await desk.act(game, seat, str(number), guests[seat].wants(online))
        honest = 0
        await desk.act(game, honest, "mine", guests[honest].wants(online))
        online = await desk.online(game)
        assert online.due() == (1,)
        assert online.needs_no_decision()
        with pytest.raises(Refused, match="not waited long enough"):
            await desk.act(game, honest, "soon", {"do": "claim"})
        clock.now += GONE + 1
        desk.hear_from(game, 1)  # they are there, and only do not do it
        with pytest.raises(Refused, match="waits for you"):
            await desk.act(game, 1, "wrongly", {"do": "claim"})
        await desk.act(game, honest, "now", {"do": "claim"})
        online = await desk.online(game)
        assert online.match is not None
        assert online.match.outcome is not None
        assert online.match.outcome.winner == honest

    asyncio.run(tale())


# Names


@pytest.mark.parametrize(
    ("name", "seen"),
    [
        ("Z\u0321\u0330\u0310\u0340\u0350a", "Z\u0321\u0330a"),
        ("\u0301\u0301Ann", "Ann"),
        ("A\u200bnn", "A nn"),
        ("\u202eAnn\u2066", "Ann"),
        ("Ann\x1b[31m\x00", "Ann [31m"),
        ("\u115fAnn\u3164", "Ann"),
        ("Ann\u2028Bo\n", "Ann Bo"),
        ("x" * 500, "x" * 30),
        ("नमस्ते", "नमस्ते"),
        ("Zoë", "Zoë"),
        ("Zoe\u0308", "Zoë"),
        ("🎲", "🎲"),
    ],
)
def test_a_name_is_one_line_of_letters_that_can_be_seen(name: str, seen: str) -> None:
    assert cleaned(name) == seen


@pytest.mark.parametrize("name", ["", " ", "\u0301\u0302", "\u200b", "\u2066\u2069", "\ufe0f", "\u3164"])
def test_a_name_of_nothing_is_none(name: str) -> None:
    with pytest.raises(DuelError, match="visible characters"):
        cleaned(name)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Ann", "ANN"), ("Ann", "Аnn"), ("Ann", "A n n"), ("Ann", "Ann."), ("Ann", "Änn"), ("Bill", "BiII"),
        ("Bob", "B0b"), ("Ann", "Ａｎｎ"), ("Player 1", "P1ayer l"), ("Emma", "Ernma"), ("Рooр", "Poop"),
    ],
)  # fmt: skip
def test_nobody_takes_a_name_that_passes_for_the_others(name: str, other: str) -> None:
    assert look_alike(name, other)


@pytest.mark.parametrize(
    ("name", "other"),
    [("Ann", "Bo"), ("Player 1", "Player 2"), ("Anna", "Ann"), ("!", "?"), ("🎲", "🎯"), ("王", "李")],
)
def test_names_that_differ_are_two(name: str, other: str) -> None:
    assert not look_alike(name, other)


@pytest.mark.parametrize("game", ["", "\x00", "a\x00b", "../games", "x" * 65, "é", "a b", "%00", "a/b"])
def test_a_name_that_no_game_has_is_not_looked_for(game: str, store: Sqlite) -> None:
    async def tale() -> None:
        desk = Desk(store)
        with pytest.raises(NoGame):
            await desk.online(game)
        with pytest.raises(NoGame):
            await desk.join(game, "", "Ann", bytes(32))
        assert not desk._served

    asyncio.run(tale())
