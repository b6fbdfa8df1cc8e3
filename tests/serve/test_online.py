"""An online game as its events tell it: what acts lead to, what is refused, and that the events are all there is."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from duelbook import game_ids
from duelbook.core import BOTH
from duelbook.serve import acts
from duelbook.serve.chain import unbroken
from duelbook.serve.events import Refused
from duelbook.serve.online import GONE, Act, Online
from duelbook.serve.public import SHOWN, public
from online_helper import Guest, begun, played, write


@pytest.mark.parametrize("id", game_ids())
@pytest.mark.parametrize("first", ["1", "2", "toss"])
def test_a_whole_game_and_the_same_from_its_events(id: str, first: str) -> None:
    online, log = played(id, first)
    again = Online(log)
    assert unbroken(log)
    assert again.match is not None
    assert online.match is not None
    assert (again.match.state, again.match.steps, again.match.outcome) == (
        online.match.state,
        online.match.steps,
        online.match.outcome,
    )
    assert [event.seq for event in log] == list(range(1, len(log) + 1))


def test_a_log_that_was_changed_is_noticed() -> None:
    _, log = played("tower")
    for at, event in enumerate(log):
        if event.kind == "moved":
            changed = [*log[:at], event._replace(body={**event.body, "seat": 1}), *log[at + 1 :]]
            assert unbroken(changed) is (event.body["seat"] == 1)
    assert not unbroken(log[1:])


@given(data=st.data())
@settings(deadline=None, max_examples=40)
def test_whatever_is_sent_in_whatever_order_the_game_stays_what_its_events_say(data: st.DataObject) -> None:
    """Acts of both seats at any moment, late ones, nonsense: a refusal changes nothing, and the rest is in the log."""
    id = data.draw(st.sampled_from(["tower", "deck", "secret"]))
    online, log, guests = begun(id, data.draw(st.sampled_from(["1", "toss"])))
    nonsense = st.sampled_from(
        [{"do": "open", "pick": "7", "salt": "00" * 32}, {"do": "link", "link": "00" * 32}, {"do": "claim"}, {},
         {"do": "move", "move": "attack"}, {"do": "seal", "seal": "x"}, {"do": ["move"]}, {"do": "rematch"}]
    )  # fmt: skip
    for _ in range(data.draw(st.integers(1, 25))):
        if online.over:
            break
        guest = guests[data.draw(st.integers(0, 1))]
        act = data.draw(st.one_of(st.just(None), nonsense))
        try:
            wanted: Act = guest.wants(online) if act is None else act  # type: ignore[assignment]  # as a network sends it
            bodies = acts.act(online, guest.seat, wanted, 1.0)
        except (Refused, IndexError):
            bodies = []
        if bodies:
            write(online, log, bodies)
        again = Online(log)
        assert again.due() == online.due()
        assert again.draws == online.draws
        assert [vars(seat) for seat in again.seats] == [vars(seat) for seat in online.seats]
        assert (again.match.state if again.match else None) == (online.match.state if online.match else None)


class TestRefused:
    def test_a_move_out_of_turn_or_not_legal(self) -> None:
        online, _, guests = begun("tower")
        with pytest.raises(Refused, match="It is not your turn"):
            acts.act(online, 1, guests[1].wants(online), 1.0)
        with pytest.raises(Refused, match="You cannot attack"):
            acts.act(online, 0, {"do": "move", "move": "attack"}, 1.0)
        with pytest.raises(Refused, match="'fly' is not a move of Tower"):
            acts.act(online, 0, {"do": "move", "move": "fly"}, 1.0)

    def test_a_pick_that_is_not_the_one_promised(self) -> None:
        online, log, guests = begun("secret")
        for guest in guests:
            write(online, log, acts.act(online, guest.seat, guest.wants(online), 1.0))
        word, salt = guests[0].promised
        other = "1" if word != "1" else "2"
        with pytest.raises(Refused, match="are not what you promised"):
            acts.act(online, 0, {"do": "open", "pick": other, "salt": salt.hex()}, 1.0)

    def test_opening_before_both_have_promised_and_promising_twice(self) -> None:
        online, log, guests = begun("secret")
        write(online, log, acts.act(online, 0, guests[0].wants(online), 1.0))
        with pytest.raises(Refused, match="when both are promised"):
            acts.act(online, 0, guests[0].wants(online), 1.0)
        with pytest.raises(Refused, match="it cannot be changed"):
            acts.act(online, 0, {"do": "seal", "seal": "00" * 32}, 1.0)

    def test_a_link_of_another_chain(self) -> None:
        online, _, _ = begun("deck")
        with pytest.raises(Refused, match="not the next link"):
            acts.act(online, 0, {"do": "link", "link": Guest(0, 9).chain(online).link(1).hex()}, 1.0)

    def test_a_link_ahead_of_time(self) -> None:
        online, log, guests = begun("deck")
        write(online, log, acts.act(online, 1, guests[1].wants(online), 1.0))
        with pytest.raises(Refused, match="is there already"):
            acts.act(online, 1, {"do": "link", "link": guests[1].chain(online).link(2).hex()}, 1.0)

    def test_anything_after_the_end_and_another_game_before_it(self) -> None:
        online, _ = played("tower")
        for do in ("resign", "claim", "move", "seal", "open"):
            with pytest.raises(Refused, match="over"):
                acts.act(online, 0, {"do": do, "salt": "00" * 32}, 1.0)
        with pytest.raises(Refused, match="after this one"):
            acts.act(begun("tower")[0], 0, {"do": "rematch"}, 1.0)

    def test_a_seat_that_is_taken(self) -> None:
        with pytest.raises(Refused, match="taken that seat"):
            acts.join(begun("tower")[0], 0, "Cy", bytes(32), "token")


class TestClaim:
    def test_with_a_clock(self) -> None:
        online, _, _ = begun("tower", pace=60)
        assert not online.may_claim(1, 61.0, 1000.0)
        assert online.may_claim(1, 61.5, 0.0)
        assert not online.may_claim(0, 1000.0, 1000.0)

    def test_without_one_only_when_the_other_is_gone(self) -> None:
        online, _, _ = begun("tower")
        assert not online.may_claim(1, 1000.0, GONE - 1)
        assert online.may_claim(1, 1000.0, GONE + 1)
        bodies = acts.act(online, 1, {"do": "claim"}, 1000.0, 1000.0)
        assert [body["kind"] for body in bodies] == ["faulted", "over"]
        assert online.match is not None
        assert online.match.outcome is not None
        assert online.match.outcome.winner == 1

    def test_who_has_promised_may_claim_from_who_has_not(self) -> None:
        online, log, guests = begun("secret", pace=60)
        write(online, log, acts.act(online, 0, guests[0].wants(online), 1.0))
        assert online.may_claim(0, 62.0, 0.0)
        assert not online.may_claim(1, 62.0, 0.0)


class TestPublic:
    def test_everybody_is_told_the_same_but_for_the_names_of_acts(self) -> None:
        _, log = played("deck", "toss")
        for event in log:
            watched = public(event)
            for viewer in (0, 1):
                mine = public(event, viewer)
                mine.pop("act", None)
                assert mine == watched

    @pytest.mark.parametrize("first", ["3", "10"])
    def test_before_the_reveal_nothing_that_is_told_depends_on_a_pick(self, first: str) -> None:
        """But for the seal itself, which has one length and fits nothing without its salt."""
        online, log, guests = begun("secret")
        match = online.match
        assert match is not None
        assert match.turn == BOTH
        told = []
        for guest, word in zip(guests, (first, "5"), strict=True):
            from duelbook.honest.seals import seal

            guest.promised = (word, bytes(32))
            sealed = seal(online.id, 1, guest.seat, word, bytes(32)).hex()
            write(online, log, acts.act(online, guest.seat, {"do": "seal", "seal": sealed}, 1.0), act=f"{guest.seat} x")
            told.append(sealed)
        write(online, log, acts.act(online, 0, {"do": "open", "pick": first, "salt": "00" * 32}, 1.0))
        shown = [public(event, 1) for event in log[-3:]]
        assert [each.pop("seal", None) for each in shown] == [*told, None]
        assert shown == [
            {"seq": 5, "at": 1.0, "kind": "sealed", "seat": 0, "turn": 1},
            {"seq": 6, "at": 1.0, "kind": "sealed", "seat": 1, "turn": 1, "act": "1 x"},
            {"seq": 7, "at": 1.0, "kind": "opened", "seat": 0},
        ]

    def test_no_secret_is_told_before_the_end(self) -> None:
        online, log = played("deck", "toss")
        secrets = {online.secret.hex(), *(seat.token for seat in online.seats), *online.invitations}
        for event in log[:-1]:
            assert not secrets & set(map(str, public(event).values())), event.kind
        assert log[-1].kind == "over"
        assert public(log[-1])["key"] == online.secret.hex()

    def test_every_kind_that_happens_has_its_list(self) -> None:
        seen = {event.kind for id in ("deck", "secret") for event in played(id, "toss")[1]}
        assert seen <= SHOWN.keys()
