"""What happens in an online game because of what has happened, without anybody's act: cards, reveals, the end."""

from __future__ import annotations

from collections.abc import Sequence

from duelbook.core import BOTH, LUCK, rules_hash
from duelbook.honest.chains import Chain
from duelbook.honest.draws import drawn
from duelbook.match import Match
from duelbook.serve.events import Body, Json
from duelbook.serve.online import Online


def all_that_follows(online: Online, bodies: Sequence[Body], now: float) -> list[Body]:
    done: list[Body] = []
    while bodies:
        for body in bodies:
            online.happen(body, now)
        done += bodies
        bodies = _consequences(online)
    return done


def _consequences(online: Online) -> list[Body]:
    """What happens because of what has happened, without anybody's act."""
    match = online.match
    if online.over:
        return []
    if online.withdrawn is not None:
        return [_end(online, "*", f"{online.seats[online.withdrawn].name} withdrew before the game began.")]
    if match is None:
        return _beginning(online)
    if match.outcome is not None:
        return [_end(online, match.outcome.result, match.outcome.reason)]
    if match.turn == LUCK:
        return _links_of_programs(online) or ([] if online.due() else [_deal(online, match)])
    if match.turn == BOTH and all(seat.opening for seat in online.seats):
        return _reveal(online, match)
    return []


def _beginning(online: Online) -> list[Body]:
    if not all(seat.is_taken for seat in online.seats):
        return []
    if not online.toss:
        return [{"kind": "began", "first": online.first}]
    if waits := _links_of_programs(online):
        return waits
    return [] if online.due() else [{"kind": "began", "first": _drawn(online, (1, 1))}]


def _links_of_programs(online: Online) -> list[Body]:
    """A program on the server brings its link when the person has; its chain was promised like any other."""
    waits = online.without_link()
    if not all(map(online.brings, waits)):
        return []
    number = online.draws + 1
    return [
        {"kind": "link", "seat": seat, "number": number, "link": kept_chain(online, seat).link(number).hex()}
        for seat in waits
    ]


def kept_chain(online: Online, seat: int) -> Chain:
    """The chain of a program, or of somebody who left it to the server."""
    return Chain(online.secrets[seat], online.links)


def _drawn(online: Online, weights: Sequence[int]) -> int:
    number = online.draws + 1
    links = [seat.links[number - 1] for seat in online.seats]
    return drawn(online.secret, online.id, rules_hash(online.duel, online.rules), number, links, weights)


def _deal(online: Online, match: Match) -> Body:
    faces = match.game.faces
    weights = [match.game.odds(match.rules, match.state, face) for face in faces]
    face = faces[_drawn(online, weights)]
    # A browser knows no rule: with what could have come, and how likely, it computes the draw again all the same.
    return {"kind": "dealt", "number": online.draws + 1, "face": face, "faces": [*faces], "weights": [*weights]}


def _reveal(online: Online, match: Match) -> list[Body]:
    """Both picks at once. One that could not be picked is a fault, which only its opening shows."""
    words, openings = match.game.dialogue.words(match.rules), [seat.opening for seat in online.seats]
    for seat, opening in enumerate(openings):
        assert opening is not None, "both are opened"
        move = words.index(opening[0]) if opening[0] in words else None
        if move is None or not (
            match.game.legal(match.rules, match.state, seat, move)
            or match.game.foul(match.rules, match.state, seat, move)
        ):
            return [faulted(seat, "illegal", "What was promised is not a pick of this duel.")]
    picks: list[Json] = [opening[0] for opening in openings if opening]
    salts: list[Json] = [opening[1].hex() for opening in openings if opening]
    return [{"kind": "revealed", "turn": match.turns + 1, "picks": picks, "salts": salts}]


def _end(online: Online, result: str, reason: str) -> Body:
    """The end is told with every secret of the server's, so that all draws can be computed again."""
    return {"kind": "over", "result": result, "reason": reason, "key": online.secret.hex()}


def faulted(seat: int, fault: str, sentence: str) -> Body:
    return {"kind": "faulted", "seat": seat, "fault": fault, "sentence": sentence}
