"""The lobby: the duels, and everything else that can be done here."""

from __future__ import annotations

from math import inf

from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container, Vertical
from textual.content import Content
from textual.widgets import Static

from duelbook.core import Game
from duelbook.games import load_all
from duelbook.tui.background import in_background
from duelbook.tui.keybar import KeyBar
from duelbook.tui.leftover import now
from duelbook.tui.menu import QUIET, WALKING, Choosable, Item, Lines, Row, key_cap, wrapped
from duelbook.tui.naming import Name, Named
from duelbook.tui.preview import BREAKPOINTS, SCROLLING, TALL_BREAKPOINTS, WIDE, Glimpse

LETTERS = (
    "█▀▄ █ █ █▀▀ █   █▀▄ █▀█ █▀█ █ █",
    "█ █ █ █ █▀▀ █   █▀▄ █ █ █ █ █▀▄",
    "▀▀  ▀▀▀ ▀▀▀ ▀▀▀ ▀▀  ▀▀▀ ▀▀▀ ▀ ▀",
)


def title(*words: str) -> Content:
    """The name in large letters, with words beside it and two swords below them."""
    beside = [*(Content(f"    {line}") for line in words), Content.styled("    ▬▬╋━━━━━━━▶ ◀━━━━━━━╋▬▬", "$accent")]
    drawn = zip(LETTERS, beside, strict=True)
    return Content("\n").join(Content.assemble((row, "bold $primary"), line) for row, line in drawn)


TITLE = title("Two-player duels,", "exactly by the book, and solved.")
FOR_TITLE = 70
"""Columns from which on there is room for all of it."""
NARROW_TITLE = title("Two-player duels,", "by the book and solved.")
PLAIN_EMBLEM = (
    "┌────┐",
    "│ vs │",
    "└────┘",
)
"""For a duel that brings no picture of its own."""
WITH_PICTURES = 54
"""A card that is narrower leaves its picture out, so that its sentence has room."""
LOOKING = "looking for an unfinished game ..."
NOTHING_TO_RESUME = "no unfinished game"
HELP = (
    "Up and down walk, Enter chooses, Esc goes back; Tab, left and right walk too. Everything can be clicked as well.",
    "",
    "{keys:<4} A duel. There Enter starts a game, against whom you are on or have chosen.",
    "R    Go on with the game that you left last.",
    "L    Your games, to go on with or to look at again, and those of the rule books. Files that others send you are "
    "opened there.",
    "O    Play online: somebody who is elsewhere, by a link or on a server.",
    "W    Watch two opponents; you can take over a seat at any time.",
    "P    Puzzles, a new one every day.",
    "M    Your record: how you have done, against whom and when.",
    "S    Your name, colours, motion, the coach.",
    "",
    "Every game is on disk after every move, so you can leave at any time; only a secret pick that waits is forgotten. "
    "Ctrl-C leaves from anywhere.",
)


WORDS = (
    (("resume", "go on"), "resume", "go on with the game that you left last"),
    (("games", "games & replays", "replays"), "shelf", "games & replays"),
    (("online", "play online"), "online", "play somebody who is elsewhere"),
    (("watch", "watch a duel"), "watch", "watch two opponents"),
    (("puzzles", "puzzle"), "puzzles", "puzzles"),
    (("me", "record", "your record"), "me", "your record"),
    (("settings",), "settings", "settings"),
    (("help", "help me"), "help", "help"),
    (("rules",), "rules", "the rule book of the duel that is highlighted"),
    (("play",), "play", "the duel that is highlighted"),
    (("quit", "exit", "leave"), "app.quit_game", "leave Duelbook"),
)
"""What can be typed for each way on, besides the duels' names."""


def emblem(game: Game) -> tuple[str, ...]:
    return tuple(getattr(game.scene, "EMBLEM", PLAIN_EMBLEM))


class Card(Choosable, Row):
    """A duel: its key, its picture, its name and its sentence."""

    BINDINGS = [Binding("enter,space", "choose", "Play", key_display="Enter")]

    def __init__(self, game: Game, number: int) -> None:
        super().__init__(classes="card")
        self.game, self.number, self.does = game, number, f"duel({number})"

    def lines(self, width: int) -> list[Content]:
        key = key_cap(str(self.number)) if self.number < 10 else Content("   ")
        name = Content.styled(self.game.name, "bold")
        if self.has_class("brief"):
            most = None if self.has_class("current") else 1  # whole where one is, so that everything can be read
            pitch = wrapped(self.game.pitch, width - 5, QUIET, most=most, before="     ")
            return [Content.assemble(" ", key, " ", name), *pitch]
        if self.has_class("single"):
            return [Content.assemble(" ", key, " ", name, "  ", (self.game.pitch, QUIET))]
        keys = (Content("   "), key, Content("   "))
        picture, room = (9, width - 15) if width >= WITH_PICTURES else (0, width - 5)
        words = [name, *wrapped(self.game.pitch, room, QUIET, most=2), Content(), Content()]
        return [
            Content.assemble(" ", cap, " ", (f"{drawn:9}"[:picture], "bold $accent"), line)
            for cap, drawn, line in zip(keys, emblem(self.game), words, strict=False)
        ]


class Cards(Lines):
    """All duels. Where they are too many to be seen at once each takes less room, so that none begins out of sight."""

    def on_resize(self) -> None:
        cards = self.query(Card)
        rows, count = self.size.height, len(cards)
        room = {"usual": 4 * count - 1, "close": 3 * count, "brief": 2 * count, "single": 0}
        size = next(name for name, needed in room.items() if rows >= needed)
        for card in cards:
            for name in room:
                card.set_class(name == size, name)
            card.draw()


class Lobby(Named[None]):
    lasting = ("resume",)
    HORIZONTAL_BREAKPOINTS = [(0, "-small"), (80, "-narrow"), *BREAKPOINTS[1:]]
    VERTICAL_BREAKPOINTS = [*TALL_BREAKPOINTS[:2], (30, "-roomy"), *TALL_BREAKPOINTS[2:]]
    BINDINGS = [
        WALKING[0],
        Binding("up", "walk_back", "Walk back", show=False),
        *SCROLLING,
        Binding("right", "to_the_menu", "Menu", key_display="→"),
        Binding("left", "to_the_duels", "Duels", key_display="←"),
        Binding("r", "resume", "Resume", show=False),
        Binding("l", "shelf", "Games", show=False),
        Binding("o", "online", "Online", show=False),
        Binding("w", "watch", "Watch", show=False),
        Binding("p", "puzzles", "Puzzles", show=False),
        Binding("m", "me", "Your record", show=False),
        Binding("s", "settings", "Settings", show=False),
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("q", "app.quit_game", "Quit"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.games = load_all()
        self._was_left, self._came = False, -inf
        """Whether, and when, one came back here from elsewhere."""
        self._left_over = False
        """Whether the last key was one more Q of somebody who has just left another screen with it."""
        self.current = 0
        """The card that was highlighted last: what is watched, and where one comes back to from the menu."""

    def compose(self) -> ComposeResult:
        yield Static(TITLE, id="title")
        with Container(id="lobby"):
            with Cards(id="duels"):
                for number, game in enumerate(self.games, 1):
                    yield Card(game, number)
            if self.app.size.width >= WIDE:
                yield Glimpse()
            with Vertical(id="menu"):
                yield Item("resume", "R", "Resume", id="resume")
                yield Item("shelf", "L", "Games & replays")
                yield Item("online", "O", "Play online ...")
                yield Item("watch", "W", "Watch a duel")
                yield Item("puzzles", "P", "Puzzles")
                yield Item("me", "M", "Your record")
                yield Item("settings", "S", "Settings")
                yield Item("help", "?", "Help")
                yield Item("app.quit_game", "Q", "Quit")
        yield KeyBar()

    def on_mount(self) -> None:
        last = self.duelbook.preferences.duel
        self.current = next((at for at, game in enumerate(self.games) if game.id == last), 0)
        self.query_one("#resume", Item).tell(LOOKING, possible=False)
        self.action_to_the_duels()

    def on_screen_resume(self) -> None:
        """See which game waits, whenever one comes here; the first screen does not wait for that."""
        if self._was_left:
            self._came = now()
        self.call_after_refresh(self._find_unfinished)

    def on_screen_suspend(self) -> None:
        self._was_left = True

    @work(group="unfinished", exclusive=True)
    async def _find_unfinished(self) -> None:
        from duelbook.table.shelf import latest_unfinished

        waiting = await in_background(latest_unfinished)
        for item in self.query("#resume").results(Item):  # none, where the lobby was left meanwhile
            item.tell(waiting or NOTHING_TO_RESUME, possible=waiting is not None)

    def on_resize(self) -> None:
        self.write("title", TITLE if self.size.width >= FOR_TITLE else NARROW_TITLE)
        self.call_after_refresh(self._show_glimpse)

    async def _show_glimpse(self) -> None:
        """In a wide window only, and there only once there is one: a small one opens faster without it."""
        if self.size.width < WIDE:
            return
        if not self.query(Glimpse):
            await self.query_one("#lobby").mount(Glimpse(), after="#duels")
        glimpse = self.query_one(Glimpse)
        if self.games and glimpse.game is not self.games[self.current]:
            glimpse.show(self.games[self.current])

    # Walking about

    async def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        if isinstance(event.widget, Card):
            for card in self.query(Card):
                card.set_class(card is event.widget, "current")
                card.draw()
            self.current = event.widget.number - 1
            await self._show_glimpse()

    def action_walk_back(self) -> None:
        """To the line before. Before the first there is none: the last is Quit, where a stray Enter ends everything."""
        if self.query(Card) and self.focused is self.query(Card).first():
            self.answer("This is the first duel.")
        else:
            self.focus_previous()

    def action_to_the_duels(self) -> None:
        cards = self.query(Card)
        if cards:
            cards[self.current].focus()

    def action_to_the_menu(self) -> None:
        next(item for item in self.query(Item) if item.can_focus).focus()

    # What can be done

    def names(self) -> dict[str, Name]:
        """A duel can be called by its whole name, too."""
        known = {word: Name(runs, about) for words, runs, about in WORDS for word in words}
        for number, game in enumerate(self.games, 1):
            known |= dict.fromkeys((game.id.lower(), game.name.lower()), Name(f"duel({number})", game.name))
        return known

    def lasts(self, key: str) -> str:
        """To go on with a game, where there is one."""
        return super().lasts(key) if self.query_one("#resume", Item).can_focus else ""

    def take_key(self, key: str) -> bool:
        number = int(key) if key.isascii() and key.isdigit() else 0
        if 1 <= number <= len(self.games):
            self.action_duel(number)
            return True
        return False

    def before_key(self, event: events.Key) -> bool:
        self._left_over = event.key.lower() == "q" and event.time < self._came + self.duelbook.left_over.held
        return False

    async def _press(self, key: str) -> None:
        if self._left_over and key.lower() == "q":
            self.answer("You have just come back here. Q once more, and it leaves Duelbook.")
        else:
            await super()._press(key)

    def action_duel(self, number: int) -> None:
        from duelbook.tui.setup import Setup

        self.query(Card)[number - 1].focus()
        self.app.push_screen(Setup(self.games[number - 1]))

    def action_play(self) -> None:
        self.action_duel(self.current + 1)

    def action_rules(self) -> None:
        """Of the duel that is highlighted, or was last."""
        from duelbook.tui.dialogs import RulePage

        self.app.push_screen(RulePage(self.games[self.current]))

    def action_resume(self) -> None:
        if self.query_one("#resume", Item).can_focus:
            self.duelbook.take_up(None)
        else:
            self.duelbook.say("There is no unfinished game to go on with. A duel's number starts a new one.")

    def action_shelf(self) -> None:
        from duelbook.tui.shelf import Shelf

        self.app.push_screen(Shelf())

    def action_online(self) -> None:
        from duelbook.tui.going_online import ask_where

        ask_where(self.duelbook)

    def action_watch(self) -> None:
        from duelbook.tui.watch import Watch

        self.app.push_screen(Watch(self.games, self.current))

    def action_puzzles(self) -> None:
        from duelbook.tui.puzzles import PuzzleScreen

        self.app.push_screen(PuzzleScreen(None))

    def action_me(self) -> None:
        from duelbook.tui.me import Me

        self.app.push_screen(Me())

    def action_settings(self) -> None:
        from duelbook.tui.settings import Settings

        self.app.push_screen(Settings())

    def action_help(self) -> None:
        from duelbook.tui.dialogs import Page

        keys = f"1-{min(9, len(self.games))}"
        self.app.push_screen(Page("Duelbook", [line.format(keys=keys) for line in HELP]))
