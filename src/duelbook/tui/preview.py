"""A duel at a glance, for wide windows: the table as it is laid, who wins with best play, what one needs to know."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from duelbook.core import DuelError, Game, settings
from duelbook.games import blame, example, rulebook
from duelbook.match import Match
from duelbook.scene import TOWER, scene_of
from duelbook.tui.background import in_background
from duelbook.tui.board import Board
from duelbook.tui.menu import QUIET

WIDE = 110
"""From so many columns on there is room for this beside a list."""
BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]
TALL_BREAKPOINTS = [(0, "-few-rows"), (24, "-rows"), (38, "-tall")]
_NOTHING = Content()
SCROLLING: list[BindingType] = [
    Binding("pagedown", "turn_page('Glimpse', 1, 4)", "Further", show=False),
    Binding("pageup", "turn_page('Glimpse', -1, 4)", "Back", show=False),
]
"""For the screens that show one."""


class Glimpse(VerticalScroll, can_focus=False):
    """Shows one duel or one position of it. What takes time comes after what is there at once."""

    def __init__(self) -> None:
        super().__init__(id="glimpse")
        self.game: Game | None = None
        self._again: Callable[[], None] | None = None
        """Shows once more what is shown."""

    def compose(self) -> ComposeResult:
        yield Static(id="glimpse-title")
        yield Board(id="glimpse-board")
        yield Static(id="glimpse-verdict")
        yield Static(id="glimpse-book")

    def show(self, game: Game, rules: object = None) -> None:
        """The duel under the book's rules, or as it begins under others."""
        try:
            self._show(game, game.book if rules is None else rules)
        except Exception as error:
            sentence = blame(error)
            if sentence is None:
                raise
            self.say(game.name, sentence)

    def _show(self, game: Game, rules: object) -> None:
        self.game, self._again = game, lambda: self.show(game, rules)
        by_the_book = rules == game.book
        self._lay(game, rules, midway(game) if by_the_book else game.start(rules, 0), game.seats)
        note = "  on the way, in the book's example" if by_the_book and example(game).exists() else ""
        changed = ", ".join(settings(game, rules))
        other = "" if by_the_book else f"Not by the book: {changed}. Best play may be another. The book itself says:"
        book = summary(game, self.scrollable_content_region.width)
        self._write(Content.assemble((game.name, "bold"), (note, QUIET)), Content.styled(other, "$warning"), book)
        if by_the_book:
            self._judge(game)

    def show_match(self, match: Match, words: str) -> None:
        """How a recorded game stands."""
        self.game, self._again = match.game, lambda: self._lay(match.game, match.rules, match.state, match.names)
        self._again()
        self._write(Content.styled(match.game.name, "bold"), Content(words))

    def say(self, title: str, words: str) -> None:
        """Words alone, where there is nothing to draw."""
        self.game, self._again = None, None
        self.query_one(Board).scene = None
        self._write(Content.styled(title, "bold"), Content(words))

    def _write(self, title: Content, verdict: Content, book: Content = _NOTHING) -> None:
        for name, words in (("title", title), ("verdict", verdict), ("book", book)):
            self.query_one(f"#glimpse-{name}", Static).update(words)

    def _lay(self, game: Game, rules: object, state: object, names: tuple[str, str]) -> None:
        board, scene = self.query_one(Board), scene_of(game, rules, state)
        board.names = names
        board.show(scene, at_once=True)
        tall = scene.sides[0].gauge.shape == TOWER
        wanted = 20 if tall else 14 + (6 if scene.pile else 0) + (2 if scene.picks else 0)
        board.styles.height = max(8, min(wanted, self.size.height // 2))

    def on_resize(self) -> None:
        """Break the lines anew, and let the picture be as large as it now can."""
        if self._again is not None:
            self._again()

    @work(group="glimpse", exclusive=True)
    async def _judge(self, game: Game) -> None:
        words = await in_background(judged, game)
        if self.game is game and self.is_mounted and words:
            line = Content.assemble(("Solved. ", "bold $success"), words)
            self.query_one("#glimpse-verdict", Static).update(line)


def midway(game: Game) -> object:
    """A position with something to see: two thirds through the worked example, or the start where there is none."""
    from duelbook.record import reads

    try:
        steps = reads(example(game).read_text(encoding="utf-8"))[0].match.steps
        return steps[len(steps) * 2 // 3].before
    except (OSError, ValueError, IndexError):
        return game.start(game.book, 0)


def judged(game: Game) -> str:
    """Who wins with best play; nothing where it cannot be said."""
    from duelbook.solving.library import solution_for
    from duelbook.solving.verdict import verdict

    try:
        return verdict(solution_for(game, game.book), game.start(game.book, 0))
    except DuelError:  # what is large is not solved unasked
        return ""
    except Exception as error:
        if blame(error) is None:
            raise
        return ""


def summary(game: Game, width: int) -> Content:
    """The rule book's sentence and what one needs to know, without marks of its markup and the command's options."""
    try:
        book = rulebook(game)
    except OSError:
        return Content(game.pitch)
    sections = {part.partition("\n")[0].strip(): part.partition("\n")[2] for part in book.split("\n## ")[1:]}
    sentence = " ".join(sections.get("In one sentence", game.pitch).split())
    known = sections.get("You need to know", "").replace("`", "").replace("**", "")
    facts = [re.sub(r" \([^)]*--[^)]*\)", "", " ".join(fact.split())) for fact in f"\n{known}".split("\n- ")[1:]]
    lines = [Content(sentence)]
    if facts:
        lines += [Content(), Content.styled("You need to know", "bold")]
        lines += [Content("\n  ".join(textwrap.wrap(f"• {fact}", max(20, width - 2)))) for fact in facts]
    return Content("\n").join(lines)
