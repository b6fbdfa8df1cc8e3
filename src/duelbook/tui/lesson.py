"""A guided game on the full screen: the table, the coach's words beside it, and the moves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.widgets import Static

from duelbook.core import BOTH, DuelError, Game
from duelbook.scene import scene_of
from duelbook.speech import Line, either
from duelbook.table import newcomers
from duelbook.table.lesson import LEAVING, Guide
from duelbook.tui.actions import NO_MOVE, Action, Actions, actions_of
from duelbook.tui.board import Board
from duelbook.tui.command import CommandLine
from duelbook.tui.commanding import Commanded, Word
from duelbook.tui.dialogs import Ask, Page
from duelbook.tui.keybar import KeyBar
from duelbook.tui.story import styled

if TYPE_CHECKING:
    from duelbook.tui.app import DuelbookApp

EASY = "level:1"
"""Whom one meets after the lesson."""

HELP = Word("help", "what can be done now")
LEAVE = Word("leave", "leave the lesson")
WORDS = {
    "help": HELP,
    "?": HELP,
    "hint": Word("hint", "the move that is asked for"),
    "rules": Word("rules", "the rule book beside the lesson"),
    **dict.fromkeys(LEAVING, LEAVE),
}
"""What can be typed besides a move: the words of line mode."""


class Spoken(VerticalScroll):
    """What is told and asked, from its beginning; the foot says how one reads on where the window is too small."""

    _before = Size()
    """How large it was when it was drawn last."""

    def on_mount(self) -> None:
        for what in ("scroll_y", "virtual_size", "size"):  # whatever decides whether more is below
            self.watch(self, what, self._more_or_less, init=False)

    def _more_or_less(self) -> None:
        """It is known once it is drawn."""
        self.call_after_refresh(self.screen.refresh_bindings)

    def on_resize(self, event: events.Resize) -> None:
        """Where the question was in sight it stays there, although a note takes a line from it."""
        before, self._before = self._before, event.size
        if before.width == event.size.width and self.scroll_y + before.height >= self.virtual_size.height:
            self.call_after_refresh(self.scroll_end, animate=False)

    @property
    def has_more(self) -> bool:
        return self.scroll_y < self.max_scroll_y


class LessonScreen(Commanded):
    AUTO_FOCUS = ""
    gives_way = "#spoken"
    DEFAULT_CSS = """
    LessonScreen #lesson { height: 1; padding: 0 1; background: $panel; }
    LessonScreen #middle { height: 1fr; }
    LessonScreen CommandLine { height: auto; padding: 0 1; }
    LessonScreen #spoken { width: 1fr; padding: 0 1; }
    LessonScreen Board { width: 45%; height: 1fr; }
    """
    BINDINGS = [
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("i,f2", "hint", "Hint"),
        Binding("o,f4", "rules", "Rules"),
        Binding("pagedown", "turn_page('#spoken', 1, 1)", "More", key_display="PgDn"),
        Binding("pageup", "turn_page('#spoken', -1, 1)", show=False),
        Binding("escape", "leave", "Leave", key_display="Esc"),
    ]

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game, self.guide = game, Guide(game)
        self.words = {name: word for name, word in WORDS.items() if self.guide.is_free(name)}
        newcomers.was_offered(game)

    def compose(self) -> ComposeResult:
        yield Static(id="lesson")
        with Horizontal(id="middle"):
            yield Board()
            with Spoken(id="spoken", can_focus=False):
                yield Static(id="said")
        yield CommandLine()
        yield Actions()
        yield KeyBar()

    def on_mount(self) -> None:
        board, guide = self.query_one(Board), self.guide
        board.names = guide.match.names
        board.tags = ("you", "") if guide.seat == 0 else ("", "you")
        self._show([Line(guide.lesson.idea, "calm")])

    # What is seen

    def _show(self, told: Iterable[Line]) -> None:
        """What has just happened or was said, and below it what is asked now."""
        guide, match = self.guide, self.guide.match
        of = len(guide.lesson.tasks)
        turn = f"turn {guide.done + 1} of {of}" if guide.task else "done"
        self.write("lesson", Content.styled(f"{guide.game.name}: a guided game, {turn}", "bold"))
        board = self.query_one(Board)
        board.turn = frozenset((guide.seat,)) if guide.task else frozenset()
        board.show(scene_of(guide.game, match.rules, match.state), at_once=not self.duelbook.preferences.motion)
        lines = without_gaps(beside_the_board(list(told)))
        asked = [Line(), Line(guide.task.says, "turn")] if guide.task else [Line(), Line(guide.lesson.idea, "calm")]
        self.write("said", Content("\n").join(styled(line) for line in [*lines, *asked]))
        self.query_one(Actions).offer(actions_of(match, guide.seat) if guide.task else self._after())
        voice, where = guide.game.dialogue, (match.rules, match.state, guide.seat)
        self.query_one(CommandLine).ask(voice.prompt(*where, match.names) if guide.task else "And now?")
        self.query_one(Spoken).scroll_home(animate=False)
        self.refresh_bindings()

    def _after(self) -> list[Action]:
        return [
            Action(NO_MOVE, "play", ("p",), f"a game of your own, against {EASY.replace(':', ' ')}", does="play"),
            Action(NO_MOVE, "leave", ("q",), "back to where you came from", does="leave"),
        ]

    # What is done

    def asked(self) -> tuple[object, object, int] | None:
        match = self.guide.match
        return (match.rules, match.state, self.guide.seat) if self.guide.task else None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "turn_page" and parameters[1:2] == (1,):
            return any(spoken.has_more for spoken in self.query(Spoken))
        return self.guide.task is not None if action == "hint" else super().check_action(action, parameters)

    def instead(self) -> str:
        return "The guided game is over."

    def not_now(self) -> str:
        return f"That cannot be done now. {'' if self.guide.task else f'{self.instead()} {self.choices()}'}".strip()

    def choices(self) -> str:
        return f"You can choose {either(action.word for action in self.query_one(Actions).offered if action.legal)}."

    def on_actions_highlighted(self, event: Actions.Highlighted) -> None:
        """Show at once what an action would do; of a pick nobody knows it yet."""
        guide, action = self.guide, event.action
        preview = None
        if guide.task and action is not None and action.legal and action.move != NO_MOVE and guide.match.turn != BOTH:
            after = guide.game.apply(guide.match.rules, guide.match.state, action.move)
            preview = scene_of(guide.game, guide.match.rules, after)
        self.query_one(Board).preview = preview

    async def do(self, action: Action) -> None:
        if action.does:
            await self.run_action(action.does)
            return
        try:
            told = self.guide.answer(action.move)
        except DuelError as error:
            self.duelbook.complain(str(error))
            return
        await self._make_way()
        self._show(told.lines)

    async def _make_way(self) -> None:
        """Whoever plays on or asks wants to read what is told: the book lies over that, unless the window is wide."""
        if self.reading and not self.query_one(Spoken).display:
            await self.close_book()

    def action_play(self) -> None:
        wish = self.duelbook.preferences.against(self.guide.game, self.guide.seat, EASY)
        self.duelbook.begin(wish, instead_of=self)

    async def action_hint(self) -> None:
        if self.guide.task is not None:
            await self._make_way()
            self._show([Line(self.guide.hint(), "calm")])

    def action_help(self) -> None:
        task = [self.guide.task.says, ""] if self.guide.task else []  # who wants the move says hint
        keys = "Type a move, hint, rules or skip, or walk to a move with the arrows, and press Enter; or click it."
        nothing = "Esc leaves. Nothing of it is saved, and nothing can be lost."
        self.app.push_screen(Page("A guided game", [*task, keys, nothing]))


def beside_the_board(told: Sequence[Line]) -> list[Line]:
    """What is told, without the figures that the board draws, and without a heading under which nothing is left."""
    drawn = [line.gauge is not None or line.tone == "extra" for line in told]
    heads = [line.text.endswith(":") and after for line, after in zip(told, [*drawn, False][1:], strict=True)]
    return [line for line, *left_out in zip(told, drawn, heads, strict=True) if not any(left_out)]


def without_gaps(told: Sequence[Line]) -> list[Line]:
    """What is told with no empty line after another, nor at the end: what stood there has been left out."""
    texts = [*(line.text for line in told), ""]
    return [line for line, following in zip(told, texts[1:], strict=True) if line.text or following]


def offer(app: DuelbookApp, game: Game) -> None:
    """Ask once whether somebody wants to be shown a duel, above the screen that they came to."""
    if not newcomers.to_be_offered(game):
        return

    def answered(said: str | None) -> None:
        newcomers.was_offered(game)
        if said == "y":
            app.push_screen(LessonScreen(game))

    later = f"Y shows it, N or Enter leaves it for later: here by L, or with: duelbook learn {game.id}"
    answers = [("y", "Show it"), ("n", "No, thanks")]
    app.push_screen(Ask(f"{newcomers.question(game)} {later}", answers, grave=True), answered)
