"""The table as a viewer sees it: what lies on it, what was said, whom it waits for and what can be done.

Pages draw this and know no rule; a terminal that has Duelbook itself makes the same of the events.
"""

from __future__ import annotations

from duelbook.core import BOTH, LUCK
from duelbook.match import Match, last_picks
from duelbook.record import Record
from duelbook.scene import Scene, scene_in_play, scene_of
from duelbook.serve.events import Json
from duelbook.serve.online import Online
from duelbook.speech import Line
from duelbook.table.telling import ending, timeline


def table(online: Online, viewer: int | None) -> dict[str, Json]:
    """Everything a page shows; `viewer` is a seat, or None for somebody who watches."""
    match = online.match
    taken: list[Json] = [seat.is_taken for seat in online.seats]
    again: list[Json] = [seat.again for seat in online.seats]
    names: list[Json] = [seat.name for seat in online.seats]
    kinds: list[Json] = [seat.kind for seat in online.seats]
    state = online.duel.start(online.rules, online.first) if match is None else match.state
    scene = (
        scene_of(online.duel, online.rules, state)
        if match is None
        else scene_in_play(online.duel, online.rules, state, last_picks(match.steps))
    )
    return {
        "game": online.id,
        "duel": online.duel.id,
        "title": online.duel.name,
        "rules": list(online.differs),
        "names": names,
        "kinds": kinds,
        "taken": taken,
        "you": viewer,
        "seq": online.last.seq if online.last else 0,
        "begun": match is not None,
        "due": list(online.due()),
        "asks": _asks(online),
        "turn": match.turns + 1 if match else 0,
        "drawer": match.next_seat() if match and match.turn == LUCK else None,
        "face": online.duel.chance.face if online.duel.faces else "",
        "verb": online.duel.chance.draw if online.duel.faces else "",
        "draw": online.draws + 1,
        "luck": bool(online.duel.faces) or online.toss,
        "links": online.links,
        "pace": online.pace,
        "since": online.asked_at,
        "position": online.duel.write_position(online.rules, state),
        "scene": _scene(scene),
        "story": [{"text": line.text, "tone": line.tone} for line in story(online)],
        "prompt": _prompt(match, viewer),
        "moves": _moves(match, viewer),
        "over": online.over,
        "result": match.outcome.result if match and match.outcome else "*",
        "again": again,
        "next": online.next_game,
    }


def _asks(online: Online) -> str:
    """What the seats that are due owe: `link`, `move`, `seal` or `open`; nothing while it waits for nobody."""
    match = online.match
    if not online.due():
        return ""
    if match is None or match.turn == LUCK:
        return "link"
    if match.turn == BOTH:
        return "open" if all(seat.seal for seat in online.seats) else "seal"
    return "move"


def _scene(scene: Scene) -> dict[str, Json]:
    sides: list[Json] = []
    for side in scene.sides:
        gauge = side.gauge
        notes: list[Json] = list(side.notes)
        shape: dict[str, Json] = {"name": gauge.name, "value": gauge.value, "top": gauge.top, "shape": gauge.shape}
        sides.append({"gauge": shape, "notes": notes, "pick": side.pick})
    pile: Json = None
    if scene.pile is not None:
        all_faces: list[Json] = list(scene.pile.cards)
        left: list[Json] = [*sorted(scene.pile.left)]
        pile = {"cards": all_faces, "left": left, "drawn": scene.pile.drawn}
    return {"sides": sides, "pile": pile, "picks": scene.picks}


def story(online: Online) -> list[Line]:
    """The game so far in its book's words, as somebody who watches hears it."""
    match = online.match
    if match is None:
        return []
    said = list(match.game.dialogue.opening(match.rules, match.start, match.names))
    for frame in timeline(Record(match)):
        said += frame.lines
    return said + (ending(match) if match.outcome is not None else [])


def _prompt(match: Match | None, viewer: int | None) -> str:
    if match is None or viewer is None or match.outcome is not None or match.turn == LUCK:
        return ""
    if match.turn not in (viewer, BOTH):
        return ""
    return str(match.game.dialogue.prompt(match.rules, match.state, viewer, match.names)).strip()


def _moves(match: Match | None, viewer: int | None) -> list[Json]:
    """What the book lists now, each with what it would do, or why it cannot be played."""
    if match is None or viewer is None or match.outcome is not None or match.turn not in (viewer, BOTH):
        return []
    game, where = match.game, (match.rules, match.state, viewer)
    found: list[Json] = []
    words = game.dialogue.words(match.rules)
    for move, label in game.menu(*where).items():
        legal, foul = game.legal(*where, move), game.foul(*where, move)
        about = game.dialogue.effect(*where, move) if legal or foul else game.dialogue.why_not(*where, move)
        found.append({"word": words[move], "label": label, "about": about, "legal": legal, "foul": bool(foul)})
    return found
