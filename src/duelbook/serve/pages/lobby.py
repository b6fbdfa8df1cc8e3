"""The lobby: which duel, against whom and by which rules; one's own games, and who waits."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from duelbook.contract import Knob, Setting
from duelbook.core import Game
from duelbook.games import load_all
from duelbook.policies.characters import CHARACTERS
from duelbook.policies.levels import LEVELS
from duelbook.serve.desk import Desk, NoGame, NotYours, Offer
from duelbook.serve.opening import LINKS
from duelbook.serve.pages.document import document
from duelbook.serve.pages.forms import FRIEND, OPEN
from duelbook.serve.pages.markup import Node, Part, node
from duelbook.serve.pages.sight import Sight, seats_in
from duelbook.serve.pages.words import left_words, standing
from duelbook.serve.visitor import cookie_name
from duelbook.speech import how_long

PACES = (
    ("0", "as long as it takes"),
    ("60", "a minute"),
    ("300", "five minutes"),
    ("86400", "a day"),
    ("259200", "three days"),
)
FIRST = (("1", "I do"), ("2", "they do"), ("toss", "a toss decides"))
MOST_MINE = 20
"""Games of one's own that are shown."""


async def lobby(desk: Desk, request: Request) -> Response:
    games = load_all()
    duels = [_duel(game, checked=at == 0) for at, game in enumerate(games)]
    mine = await _mine(desk, request)
    own = {each.online.id for each in mine}
    waiting = [each for each in await desk.offers() if each.online.id not in own]
    form = node(
        "form",
        node("fieldset", node("legend", "Which duel?"), node("div", *duels, class_="duels")),
        node(
            "div",
            node("fieldset", node("legend", "Against whom?"), _against(desk)),
            node("p", node("button", "Sit down", type="submit", class_="primary large"), class_="go"),
            node("p", id="sending", role="status"),
            class_="partner",
        ),
        id="new-game",
        method="post",
        action="/new",
        data_links=LINKS,
    )
    return document(
        "Duelbook: duels for two",
        node("h1", "Play a duel"),
        node("p", "Small duels for two, by the book: against a friend, whoever comes, or a program.", class_="lead"),
        *_your_games(mine),
        form,
        node("section", node("h2", "Somebody waits"), _waiting(waiting), aria_label="Open games"),
        script="lobby.js",
        here="/",
    )


def _duel(game: Game, *, checked: bool) -> Node:
    """A duel to choose, with its one sentence, and what of its rules can be changed."""
    id = f"duel-{game.id}"
    choice = node("input", type="radio", name="duel", value=game.id, id=id, checked=checked)
    emblem = "\n".join(getattr(game.scene, "EMBLEM", ()))
    return node(
        "div",
        choice,
        node(
            "label",
            node("span", emblem, class_="emblem", aria_hidden="true") if emblem else None,
            node("strong", game.name),
            node("span", game.pitch, class_="pitch"),
            for_=id,
        ),
        node("p", node("a", "Rules", node("span", f" of {game.name}", class_="unseen"), href=f"/rules/{game.id}")),
        _knobs(game) if game.knobs else None,
        class_="duel",
    )


def _knobs(game: Game) -> Node:
    """Seen where the duel is chosen."""
    rows = [_knob(game, name, knob) for name, knob in game.knobs.items()]
    return node("details", node("summary", "Other rules"), *rows, class_="knobs")


def _knob(game: Game, name: str, knob: Knob) -> Node:
    id, book = f"{game.id}.{name}", getattr(game.book, name)
    field = _options(id, knob, book) if knob.choices else _number_of(id, knob, book)
    words = node("label", node("strong", name.replace("_", " ")), f" {knob.meaning}", for_=id)
    return node("div", words, field, class_="knob")


def _options(id: str, knob: Knob, book: Setting) -> Node:
    usual = knob.show(book)
    return node("select", *(node("option", word, selected=word == usual) for word in knob.choices), id=id, name=id)


def _number_of(id: str, knob: Knob, book: Setting) -> Node:
    if isinstance(book, tuple):
        return node("input", id=id, name=id, value=knob.show(book), inputmode="numeric", autocomplete="off")
    return node("input", id=id, name=id, type="number", value=knob.show(book), min=knob.low, max=knob.high)


def _against(desk: Desk) -> Node:
    fields: list[Part] = []
    for id, words, field in (
        ("opponent", "Opponent", node("select", *_opponents(desk), id="opponent", name="opponent")),
        ("name", "Your name", node("input", id="name", name="name", maxlength=30, autocomplete="nickname")),
        ("first", "Who begins", _select("first", FIRST)),
        ("pace", "Time for a move", _select("pace", PACES)),
    ):
        fields += [node("label", words, for_=id), field]
    return node("div", *fields, class_="row")


def _select(id: str, choices: tuple[tuple[str, str], ...]) -> Node:
    return node("select", *(node("option", words, value=value) for value, words in choices), id=id, name=id)


def _opponents(desk: Desk) -> list[Node]:
    levels = [(f"level:{number}", f"Level {number}, {level.name}") for number, level in enumerate(LEVELS, 1)]
    characters = [(kind, f"The {kind}: {about}") for kind, about in CHARACTERS.items()]
    ends = [("perfect", "Perfect: never gives anything away"), ("random", "Random: any move at all")]
    programs = [(kind, kind.partition(":")[2]) for kind in sorted(desk.engines)]
    groups = (
        ("People", [(FRIEND, "A friend, by a link that I send"), (OPEN, "Whoever comes")]),
        ("Levels", levels),
        ("Characters", characters),
        ("Others", [*ends, *programs]),
    )
    return [
        node("optgroup", *(node("option", words, value=kind) for kind, words in some), label=label)
        for label, some in groups
    ]


# Games that are there


async def _mine(desk: Desk, request: Request) -> list[Sight]:
    """The games that this browser sits in, as it sees each; those that wait for it first."""
    found = []
    for id in seats_in(request):
        try:
            seat = await desk.seat_of(id, request.cookies[cookie_name(id)])
            online = await desk.online(id)
        except (NoGame, NotYours):
            continue
        found.append(Sight(online, seat, desk.clock(), desk.away(id, 1 - seat), f"/game/{id}", ""))
    running = [each for each in found if not each.online.over or _asked(each)]
    return sorted(running, key=lambda each: (not each.mine, -each.online.asked_at))[:MOST_MINE]


def _asked(seen: Sight) -> bool:
    """Whether the other one would like another game, or has got one, that whoever looks has not answered to."""
    online, seat = seen.online, seen.viewer or 0
    return bool(online.seats[1 - seat].again and not online.seats[seat].again and not online.next_game)


def _your_games(mine: list[Sight]) -> list[Node]:
    if not mine:
        return []
    rows = []
    for seen in mine:
        told = f"{seen.other} would like another game." if _asked(seen) else standing(seen)
        left = seen.time_left
        clock = f" {left_words(left).capitalize()}." if left is not None and seen.mine else ""
        way = node("a", f"{seen.online.duel.name} against {seen.other}", href=f"/game/{seen.online.id}")
        rows.append(node("li", way, " ", node("span", f"{told}{clock}", class_="due" if seen.mine else "quiet")))
    heading = node("h2", "Your games")
    return [node("section", heading, node("ul", *rows, class_="games"), aria_label="Your games", class_="mine")]


def _waiting(waiting: list[Offer]) -> Node:
    if not waiting:
        return node(
            "p", "Nobody waits just now. Choose “Whoever comes” as your opponent, and somebody may.", class_="quiet"
        )
    rows = []
    for offer in waiting:
        online, who = offer.online, offer.online.seats[offer.seat]
        name = f"{who.name} (a program)" if who.program else who.name
        rules = f" with {', '.join(online.differs)}" if online.differs else ""
        way = node("a", f"{name} waits at {online.duel.name}{rules}", href=f"/game/{online.id}")
        away = node("span", f" away for {how_long(offer.away)}", class_="quiet") if offer.is_away else None
        rows.append(node("li", way, away))
    return node("ul", *rows, class_="games", id="waiting")
