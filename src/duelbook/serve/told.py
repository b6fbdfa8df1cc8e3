"""The table as a viewer sees it: what lies on it, what was said, whom it waits for and what can be done.

Who draws this needs to know no rule; a terminal that has Duelbook itself makes the same of the events, and our own
pages are drawn from the game (`pages/sight.py`). It is made as text, in parts: what never changes in a game is written
once, what a position looks like once for all games that come by, and what is the same for everybody once for all of
them.
"""

from __future__ import annotations

from functools import lru_cache

from duelbook.core import BOTH, LUCK, SomeRules, SomeState
from duelbook.games import load
from duelbook.match import last_picks
from duelbook.scene import Scene, scene_in_play, scene_of
from duelbook.serve.events import Json
from duelbook.serve.online import Online
from duelbook.serve.writing import written

GAMES = 8192
"""Of which it is remembered who sits there."""
POSITIONS = 4096
"""Of which it is remembered how they look."""


def table_text(online: Online, viewer: int | None) -> str:
    """Everything there is to show, as JSON; `viewer` is a seat, or None for somebody who watches."""
    return f'{standing(online, viewer)[:-1]},"story":{written(story(online))}}}'


def story(online: Online, start: int = 0) -> list[Json]:
    """The game so far in its book's words, from a line on."""
    return [{"text": line.text, "tone": line.tone} for line in online.story.lines(online.match)[start:]]


def standing(online: Online, viewer: int | None, shared: str = "") -> str:
    """The table without its story, as JSON; `shared` is what `for_everybody` has made of the same moment."""
    return f"{(shared or for_everybody(online))[:-1]},{_for_one(online, viewer)[1:]}"


def for_everybody(online: Online) -> str:
    """What all viewers see alike."""
    match = online.match
    state = online.duel.start(online.rules, online.first) if match is None else match.state
    picks = last_picks(match.steps) if match is not None and hasattr(online.duel.rules_file, "resolve") else None
    place = _place(online.duel.id, online.rules, state, picks, match is not None)
    return f"{_fixed(online)[:-1]},{place[1:-1]},{written(_moving(online))[1:]}"


def _fixed(online: Online) -> str:
    """What is known when both have sat down."""
    one, two = online.seats
    names, kinds = (one.name, two.name), (one.kind, two.kind)
    return _fixed_text(online.id, online.duel.id, online.differs, names, kinds, online.toss, online.links, online.pace)


@lru_cache(GAMES)
def _fixed_text(
    game: str,
    id: str,
    rules: tuple[str, ...],
    names: tuple[str, str],
    kinds: tuple[str, str],
    toss: bool,
    links: int,
    pace: float,
) -> str:
    duel = load(id)
    return written(
        {
            "game": game,
            "duel": duel.id,
            "title": duel.name,
            "rules": rules,
            "names": names,
            "kinds": kinds,
            "face": duel.chance.face if duel.faces else "",
            "verb": duel.chance.draw if duel.faces else "",
            "luck": bool(duel.faces) or toss,
            "links": links,
            "pace": pace,
        }
    )


@lru_cache(POSITIONS)
def _place(id: str, rules: SomeRules, state: SomeState, picks: tuple[int, int] | None, begun: bool) -> str:
    """What a position looks like, for every game that comes by."""
    duel = load(id)
    scene = scene_in_play(duel, rules, state, picks) if begun else scene_of(duel, rules, state)
    return written({"position": duel.write_position(rules, state), "scene": _scene(scene)})


def _moving(online: Online) -> dict[str, object]:
    """What changes with every event."""
    match = online.match
    return {
        "taken": [seat.is_taken for seat in online.seats],
        "programs": [seat.program or not seat.is_person for seat in online.seats],
        "seq": online.last.seq if online.last else 0,
        "begun": match is not None,
        "due": online.due(),
        "asks": asks(online),
        "turn": match.turns + 1 if match else 0,
        "drawer": match.next_seat() if match and match.turn == LUCK else None,
        "draw": online.draws + 1,
        "since": online.asked_at,
        "over": online.over,
        "result": match.outcome.result if match and match.outcome else "*",
        "again": [seat.again for seat in online.seats],
        "next": online.next_game,
    }


def asks(online: Online) -> str:
    """What the seats that are due owe: `link`, `move`, `seal` or `open`; nothing while it waits for nobody."""
    match = online.match
    if not online.due():
        return ""
    if match is None or match.turn == LUCK:
        return "link"
    if match.turn == BOTH:
        return "open" if all(seat.seal for seat in online.seats) else "seal"
    return "move"


def _scene(scene: Scene) -> dict[str, object]:
    sides = [
        {
            "gauge": {
                "name": side.gauge.name,
                "value": side.gauge.value,
                "top": side.gauge.top,
                "shape": side.gauge.shape,
            },
            "notes": side.notes,
            "pick": side.pick,
        }
        for side in scene.sides
    ]
    pile = scene.pile and {"cards": scene.pile.cards, "left": sorted(scene.pile.left), "drawn": scene.pile.drawn}
    return {"sides": sides, "pile": pile, "picks": scene.picks}


def _for_one(online: Online, viewer: int | None) -> str:
    """What only this viewer sees: who they are, and what they are asked."""
    match = online.match
    if match is None or viewer is None or match.outcome is not None or match.turn not in (viewer, BOTH):
        return f'{{"you":{"null" if viewer is None else viewer},"prompt":"","moves":[]}}'
    prompt = str(match.game.dialogue.prompt(match.rules, match.state, viewer, match.names)).strip()
    moves = _moves(match.game.id, match.rules, match.state, viewer)
    return f'{{"you":{viewer},"prompt":{written(prompt)},"moves":{moves}}}'


@lru_cache(POSITIONS)
def _moves(id: str, rules: SomeRules, state: SomeState, seat: int) -> str:
    """What the book lists now, each with what it would do, or why it cannot be played."""
    game, where = load(id), (rules, state, seat)
    found = []
    words = game.dialogue.words(rules)
    for move, label in game.menu(*where).items():
        legal, foul = game.legal(*where, move), game.foul(*where, move)
        about = game.dialogue.effect(*where, move) if legal or foul else game.dialogue.why_not(*where, move)
        found.append({"word": words[move], "label": label, "about": about, "legal": legal, "foul": bool(foul)})
    return written(found)
