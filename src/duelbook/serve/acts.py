"""What an act leads to: whether it is allowed, and every event that follows from it.

The game is there afterwards, so whoever serves it writes the events down before anybody is told. An act that is refused
has changed nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hmac import compare_digest

from duelbook.core import BOTH, DuelError
from duelbook.honest.chains import leads_to
from duelbook.honest.seals import seal
from duelbook.honest.writing import LENGTH, digest
from duelbook.match import Match
from duelbook.serve.consequences import all_that_follows, faulted, kept_chain
from duelbook.serve.events import Body, Json, Refused
from duelbook.serve.online import Act, Online
from duelbook.speech import in_one_line, quote

LONGEST_FAULT = 300
"""Letters of what is told of a fault."""
MOST_OFFERS = 100
"""How often one seat of a game can be offered to another device."""
WITHDRAWN = "This game was withdrawn before it began."


def act(online: Online, seat: int, act: Act, now: float, away: float = 0.0) -> list[Body]:
    """Everything that an act leads to; `away` are seconds since the other seat was last heard of. Raises Refused."""
    do = act.get("do")
    if do == "claim":
        return all_that_follows(online, _claim(online, seat, now, away), now)
    if not isinstance(do, str) or do not in _DOING:
        raise Refused(f"There is no act {quote(str(do)[:40])}. There are {', '.join([*_DOING, 'claim'])}.")
    return all_that_follows(online, _DOING[do](online, seat, act), now)


def join(
    online: Online, seat: int, name: str, anchor: bytes, token: str, chain: bytes = b"", *, program: bool = False
) -> list[Body]:
    """Somebody sits down, or a `program` of theirs; `token` is the digest of what they will show.

    `chain` is the secret of their chain, where a page without a script leaves it to the server to keep.
    """
    if online.withdrawn is not None:
        raise Refused(WITHDRAWN)
    if online.seats[seat].is_taken:
        raise Refused("Somebody has taken that seat already.")
    body: dict[str, Json] = {"kind": "joined", "seat": seat, "name": name, "anchor": anchor.hex(), "token": token}
    if chain:
        body |= {"kept": True, "chain": chain.hex()}
    if program:
        body |= {"program": True}
    return all_that_follows(online, [body], online.asked_at)


def offer(online: Online, seat: int, offer: str, until: float, now: float) -> list[Body]:
    """Whoever sits here wants to go on elsewhere; `offer` is the digest of what lets them, until then.

    A game has an end, and so has what can be written in it: this is the one thing that could be done without one.
    """
    if online.seats[seat].offers >= MOST_OFFERS:
        raise Refused(f"This seat was offered to other devices {MOST_OFFERS} times already. Stay on this one.")
    return all_that_follows(online, [{"kind": "offered", "seat": seat, "offer": offer, "until": until}], now)


def hand_over(online: Online, offer: str, token: str, now: float) -> list[Body]:
    """Somebody goes on on another device: their seat is theirs by another token from now on, and by no other."""
    for seat, place in enumerate(online.seats):
        if place.offer and compare_digest(place.offer[0], offer) and now <= place.offer[1]:
            return all_that_follows(online, [{"kind": "handed", "seat": seat, "token": token}], now)
    raise Refused("That link has been used, or is too old. Make a new one on the device that you played on.")


def program_acts(online: Online, seat: int, move: int, salt: bytes, now: float) -> list[Body]:
    """What a program in a seat of the server has decided. It promises first, and its opening waits in the dark."""
    match = _running(online)
    word = match.game.dialogue.words(match.rules)[move]
    if match.turn != BOTH:
        return act(online, seat, {"do": "move", "move": word}, now)
    promised = seal(online.id, match.turns + 1, seat, word, salt).hex()
    return all_that_follows(online, [*_promise(online, seat, {"seal": promised}), _opened(seat, word, salt)], now)


def fail(online: Online, seat: int, fault: str, sentence: str, now: float) -> list[Body]:
    """A program on the server that failed loses by that."""
    _running(online)
    return all_that_follows(online, [faulted(seat, fault, sentence)], now)


def go_on_in(online: Online, game: str, now: float) -> list[Body]:
    """The game that both wanted after this one has been made."""
    return all_that_follows(online, [{"kind": "again", "game": game}], now)


def _running(online: Online) -> Match:
    if online.withdrawn is not None:
        raise Refused(WITHDRAWN)
    if online.match is None:
        raise Refused("The game has not begun: a seat is empty, or it is not known yet who begins.")
    if online.match.outcome is not None:
        raise Refused("The game is over.")
    return online.match


# Each act


def _show_link(online: Online, seat: int, act: Act) -> list[Body]:
    place = online.seats[seat]
    if online.match is not None or online.over:
        _running(online)
    if len(place.links) > online.draws:
        raise Refused("The link of the next draw is there already.")
    kept = place.kept and "link" not in act
    link = kept_chain(online, seat).link(online.draws + 1) if kept else _bytes(act, "link")
    if not leads_to(link, 1, place.links[-1] if place.links else place.anchor):
        raise Refused("That is not the next link of the chain that was promised.")
    return [{"kind": "link", "seat": seat, "number": len(place.links) + 1, "link": link.hex()}]


def _move(online: Online, seat: int, act: Act) -> list[Body]:
    match = _running(online)
    if match.turn == BOTH and online.seats[seat].kept:
        return _pick_for(online, seat, act)
    if match.turn != seat:
        raise Refused("It is not your turn.")
    move = _meant(match, seat, act)
    if not match.game.legal(match.rules, match.state, seat, move):
        why = match.game.dialogue.why_not(match.rules, match.state, seat, move)
        raise Refused(f"{why} {match.choices(seat)}")
    link = _show_link(online, seat, act) if act.get("link") else []
    return [*link, {"kind": "moved", "seat": seat, "move": match.game.dialogue.words(match.rules)[move]}]


def _meant(match: Match, seat: int, act: Act) -> int:
    """The move that an act names by the book's word, `move`, or as somebody typed it, `said`."""
    said = act.get("said")
    if isinstance(said, str):
        try:
            return int(match.game.dialogue.read(match.rules, match.state, seat, said))
        except DuelError as error:
            raise Refused(f"{error} {match.choices(seat)}") from None
    word, words = act.get("move"), match.game.dialogue.words(match.rules)
    if not isinstance(word, str) or word not in words:
        raise Refused(f"{quote(str(word)[:40])} is not a move of {match.game.name}. {match.choices(seat)}")
    return words.index(word)


def _pick_for(online: Online, seat: int, act: Act) -> list[Body]:
    """The pick of somebody whose secrets the server keeps: promised, and opened in the dark, as a program's is."""
    match = _running(online)
    move, turn = _meant(match, seat, act), match.turns + 1
    where = (match.rules, match.state, seat, move)
    if not (match.game.legal(*where) or match.game.foul(*where)):
        raise Refused(f"{match.game.dialogue.why_not(*where)} {match.choices(seat)}")
    word, salt = match.game.dialogue.words(match.rules)[move], digest("salt", online.secrets[seat], turn)
    promised = seal(online.id, turn, seat, word, salt).hex()
    return [*_promise(online, seat, {"seal": promised}), _opened(seat, word, salt)]


def _promise(online: Online, seat: int, act: Act) -> list[Body]:
    match = _running(online)
    if match.turn != BOTH:
        raise Refused("Nobody picks in secret now.")
    if online.seats[seat].seal:
        raise Refused("You have promised your pick already; it cannot be changed.")
    return [{"kind": "sealed", "seat": seat, "turn": match.turns + 1, "seal": _bytes(act, "seal").hex()}]


def _open(online: Online, seat: int, act: Act) -> list[Body]:
    match, place, salt, pick = _running(online), online.seats[seat], _bytes(act, "salt"), act.get("pick")
    if match.turn != BOTH or not all(each.seal for each in online.seats):
        raise Refused("Picks are opened when both are promised, and not before.")
    if place.opening is not None:
        raise Refused("You have opened your pick already.")
    if not isinstance(pick, str) or seal(online.id, match.turns + 1, seat, pick, salt) != place.seal:
        raise Refused("That pick and salt are not what you promised.")
    return [_opened(seat, pick, salt)]


def _resign(online: Online, seat: int, act: Act) -> list[Body]:
    _running(online)
    return [{"kind": "resigned", "seat": seat}]


def _withdraw(online: Online, seat: int, act: Act) -> list[Body]:
    """Before it has begun there is no game that anybody could lose: whoever sits there may close it."""
    if online.withdrawn is not None:
        raise Refused(WITHDRAWN)
    if online.match is not None:
        raise Refused("The game has begun, so it cannot be withdrawn; who gives it up resigns.")
    return [{"kind": "withdrawn", "seat": seat}]


def _fail(online: Online, seat: int, act: Act) -> list[Body]:
    """Whoever runs a program of their own says that it failed: that is its fault, and the game is lost by it."""
    _running(online)
    if not online.seats[seat].program:
        raise Refused("Only a program fails; a person resigns.")
    fault, sentence = (in_one_line(str(act.get(name, "")))[:LONGEST_FAULT] for name in ("fault", "sentence"))
    return [faulted(seat, fault or "failed", sentence or "It failed.")]


def _claim(online: Online, seat: int, now: float, away: float) -> list[Body]:
    _running(online)
    if not online.may_claim(seat, now, away):
        raise Refused("The game waits for you, or has not waited long enough for the other player.")
    return [faulted(1 - seat, "time", "No move came in time, and the game was claimed.")]


def _want_another(online: Online, seat: int, act: Act) -> list[Body]:
    if not online.over or online.match is None:
        raise Refused("Another game is for after this one.")
    if online.seats[seat].again or online.next_game:
        raise Refused("You have said so already.")
    return [{"kind": "rematch", "seat": seat}]


_DOING: Mapping[str, Callable[[Online, int, Act], list[Body]]] = {
    "link": _show_link,
    "move": _move,
    "seal": _promise,
    "open": _open,
    "resign": _resign,
    "withdraw": _withdraw,
    "fail": _fail,
    "rematch": _want_another,
}
"""Whether somebody may claim a game depends on the clock, so that is not among them."""
KINDS = (*_DOING, "claim")
"""Everything that can be done."""


def _opened(seat: int, pick: str, salt: bytes) -> Body:
    return {"kind": "opened", "seat": seat, "pick": pick, "salt": salt.hex()}


def _bytes(act: Act, name: str) -> bytes:
    """What an act holds under this name, as 64 digits and letters from a to f."""
    text = act.get(name)
    if isinstance(text, str) and len(text) == 2 * LENGTH and set(text) <= set("0123456789abcdef"):
        return bytes.fromhex(text)
    raise Refused(f"{name} must be {2 * LENGTH} digits and letters from a to f.")
