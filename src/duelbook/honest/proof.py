"""What the record of an online game lets anybody compute again: every card, the toss, and that no pick was changed.

The tags: `Online` is the game's name on its server. `LuckPromise` was shown before the game and `LuckSecret` after it;
`LuckAnchors` are the ends of both chains, and `LuckLinks` the last link that each seat has shown, with its number: all
links before follow from it. `Toss` says that the first draw decided who begins. `Seals` and `Salts` have a pair for
every round of secret picks. `Kept` names the seats whose secrets the server kept: theirs rest on trust in it.

A game that is not over has what was promised before it, and nothing of what comes with its end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from duelbook.core import BOTH, LUCK, DuelError, rules_hash
from duelbook.honest.chains import LONGEST, before
from duelbook.honest.draws import drawn, promise
from duelbook.honest.seals import seal
from duelbook.honest.writing import LENGTH
from duelbook.match import Match
from duelbook.record import Record
from duelbook.speech import amount, quote

NAMES = ("Online", "LuckPromise", "LuckSecret", "LuckAnchors", "LuckLinks", "Toss", "Seals", "Salts", "Kept")
BEFORE = ("Online", "LuckPromise", "LuckAnchors", "Toss")
Pair = tuple[bytes, bytes]


class Evidence(NamedTuple):
    """What was promised and shown in an online game."""

    game: str
    promised: bytes
    secret: bytes
    anchors: Pair
    links: tuple[Sequence[bytes], Sequence[bytes]]
    """All that each seat has shown, the link of draw 1 first."""
    toss: bool
    seals: Sequence[Pair]
    salts: Sequence[Pair]
    kept: tuple[int, ...] = ()
    """Seats that left their secrets to the server, as a page without a script does."""


def tags(evidence: Evidence) -> dict[str, str]:
    """The evidence as tags of a record."""
    found = {
        "Online": evidence.game,
        "LuckPromise": evidence.promised.hex(),
        "LuckSecret": evidence.secret.hex(),
        "LuckAnchors": " ".join(anchor.hex() for anchor in evidence.anchors),
        "LuckLinks": " ".join(f"{len(shown)}:{shown[-1].hex() if shown else ''}" for shown in evidence.links),
    }
    if evidence.toss:
        found["Toss"] = "1"
    for name, pairs in (("Seals", evidence.seals), ("Salts", evidence.salts)):
        if pairs:
            found[name] = " ".join(f"{one.hex()}/{two.hex()}" for one, two in pairs)
    if evidence.kept:
        found["Kept"] = " ".join(str(seat + 1) for seat in evidence.kept)
    return found


def promised(evidence: Evidence) -> dict[str, str]:
    """The tags of a game that goes on: what was bound before its first move, and stays as it is until the end."""
    return {name: value for name, value in tags(evidence).items() if name in BEFORE}


def at_home(record: Record) -> Record:
    """The same for whoever goes on with it alone: from here on it is another game, of which no server knows."""
    return record._replace(extra={name: value for name, value in record.extra.items() if name not in NAMES})


def was_online(record: Record) -> bool:
    return "Online" in record.extra


def prove(record: Record) -> str:
    """What the evidence shows of this game, in a sentence. Raises DuelError where it does not fit."""
    if record.match.outcome is None and "LuckSecret" not in record.extra:
        return _not_yet(record)
    evidence, match = read(record.extra), record.match
    if promise(evidence.game, evidence.secret) != evidence.promised:
        raise DuelError("The server's secret is not the one that it promised.")
    if match.outcome is None:
        raise DuelError("Secrets are shown when a game is over, and this one is not: its end is missing.")
    draws = _check_draws(evidence, match)
    _check_end(evidence, match, draws)
    rounds = _check_picks(evidence, match)
    said = [
        f"{amount(draws, 'draw')} computed again from what all three promised" if draws else "",
        f"{amount(rounds, 'round')} of picks as they were promised" if rounds else "",
    ]
    hidden = list(filter(None, said))
    return f"Online: {' and '.join(hidden) or 'nothing in it was drawn or hidden'}.{_trusted(evidence, match, hidden)}"


def _not_yet(record: Record) -> str:
    """Of a game that goes on, or lies where both have left it: what its end will show, and what is known before."""
    turns = [step.turn for step in record.match.steps]
    draws, rounds = turns.count(LUCK) + ("Toss" in record.extra), turns.count(BOTH)
    hidden = [amount(draws, "draw") if draws else "", f"{amount(rounds, 'round')} of picks" if rounds else ""]
    found = " and ".join(filter(None, hidden))
    if not found:
        return "Online, and not over: nothing in it was drawn or hidden so far."
    return (
        f"Online, and not over: {found} can be proved when it is, for what was promised is published with the end, "
        "however it ends. Until then it is known that the rules allow every move."
    )


def _trusted(evidence: Evidence, match: Match, hidden: Sequence[str]) -> str:
    """What is not proved: who let the server keep their secrets had to trust it with them."""
    if not evidence.kept or not hidden:
        return ""
    whose = " and ".join(match.names[seat] for seat in evidence.kept)
    return f" The server kept the secrets of {whose}, who played without a script: that it used them fairly is trust."


def _check_draws(evidence: Evidence, match: Match) -> int:
    rules = rules_hash(match.game, match.rules)
    number = 0

    def draw(weights: Sequence[int]) -> int:
        if any(number > len(links) for links in evidence.links):
            raise DuelError(f"Draw {number} has no link from both seats.")
        links = [shown[number - 1] for shown in evidence.links]
        return drawn(evidence.secret, evidence.game, rules, number, links, weights)

    if evidence.toss:
        number += 1
        first = draw((1, 1))
        if match.start != match.game.start(match.rules, first):
            raise DuelError(f"The toss gives that {match.names[first]} begins, and in this game the other does.")
    for step in match.steps:
        if step.turn != LUCK:
            continue
        number += 1
        faces = match.game.faces
        face = faces[draw([match.game.odds(match.rules, step.before, face) for face in faces])]
        if face != step.play:
            what = match.game.chance.face
            raise DuelError(f"Draw {number} is a {what} {step.play}, but what was promised gives {face}.")
    return number


def _check_end(evidence: Evidence, match: Match, draws: int) -> None:
    """A link is shown for the next draw at most, and when both are there it is drawn: what more was shown belongs to
    an end that somebody has left out."""
    shown = [len(links) for links in evidence.links]
    waits = match.turn == LUCK and match.outcome is not None and match.outcome.kind != "bell"
    if max(shown) > draws + 1 or (waits and min(shown) > draws):
        raise DuelError(f"Links of draw {draws + 1} and later were shown, and it is not here: the end is missing.")


def _check_picks(evidence: Evidence, match: Match) -> int:
    words = match.game.dialogue.words(match.rules)
    rounds = [(turn, step) for turn, step in enumerate(match.steps, 1) if step.turn == BOTH]
    if not len(rounds) == len(evidence.seals) == len(evidence.salts):
        raise DuelError("There is not a pair of seals and a pair of salts for every round of picks.")
    for (turn, step), seals, salts in zip(rounds, evidence.seals, evidence.salts, strict=True):
        assert isinstance(step.play, tuple)
        for seat in (0, 1):
            if seal(evidence.game, turn, seat, words[step.play[seat]], salts[seat]) != seals[seat]:
                raise DuelError(f"The pick of {match.names[seat]} in round {turn} is not the one that was promised.")
    return len(rounds)


# Read


def read(extra: Mapping[str, str]) -> Evidence:
    """The evidence in the tags of a record. Raises DuelError where something is missing or is not what it should be."""
    for name in NAMES[:5]:
        if name not in extra:
            raise DuelError(f"An online game has a tag {name}, and this one has none.")
    anchors = _pair([_bytes(part) for part in extra["LuckAnchors"].split()], "LuckAnchors")
    shown = extra["LuckLinks"].split()
    if len(shown) != 2:
        raise DuelError("LuckLinks has a part for each seat.")
    return Evidence(
        extra["Online"],
        _bytes(extra["LuckPromise"]),
        _bytes(extra["LuckSecret"]),
        anchors,
        (_links(shown[0], anchors[0]), _links(shown[1], anchors[1])),
        "Toss" in extra,
        list(_pairs(extra.get("Seals", ""), "Seals")),
        list(_pairs(extra.get("Salts", ""), "Salts")),
        _kept(extra.get("Kept", "")),
    )


def _kept(text: str) -> tuple[int, ...]:
    seats = text.split()
    if not set(seats) <= {"1", "2"}:
        raise DuelError("Kept names seats, 1 or 2.")
    return tuple(int(seat) - 1 for seat in seats)


def _links(text: str, anchor: bytes) -> list[bytes]:
    """All links up to the last one, which must lead to the anchor."""
    digits, _, last = text.partition(":")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 7 and int(digits) <= LONGEST):
        raise DuelError(f"{quote(text[:40])} is not the number of a link and the link.")
    links = [_bytes(last)] if int(digits) else []
    while links and len(links) < int(digits):
        links.append(before(links[-1]))
    if links and before(links[-1]) != anchor:
        raise DuelError("A link does not belong to the chain that was promised.")
    return links[::-1]


def _pairs(text: str, name: str) -> Iterator[Pair]:
    for part in text.split():
        yield _pair([_bytes(piece) for piece in part.split("/")], name)


def _pair(parts: Sequence[bytes], name: str) -> Pair:
    if len(parts) != 2:
        raise DuelError(f"{name} has one part for each seat.")
    return parts[0], parts[1]


def _bytes(text: str) -> bytes:
    if len(text) != 2 * LENGTH or not set(text) <= set("0123456789abcdef"):
        raise DuelError(f"{quote(text[:70])} is not {2 * LENGTH} digits and letters from a to f.")
    return bytes.fromhex(text)
