"""A recorded game, looked through step by step: the position, the marks, the curve, and what else could be tried."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Grid, Vertical, VerticalScroll
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static

from duelbook.coach.hint import hint
from duelbook.coach.review import Review
from duelbook.coach.words import percent
from duelbook.core import DuelError, settings
from duelbook.match import last_picks
from duelbook.players import people_in
from duelbook.players.whose import who_played, who_won
from duelbook.record import Record
from duelbook.scene import scene_in_play
from duelbook.solving.library import solution_at
from duelbook.speech import Line
from duelbook.tui.background import in_background, keep_busy
from duelbook.tui.board import Board
from duelbook.tui.course import Course
from duelbook.tui.dialogs import Ask, ChooseOpponent, Page, RulePage
from duelbook.tui.heading import Heading
from duelbook.tui.keybar import KeyBar
from duelbook.tui.moves import Moves, rows_of
from duelbook.tui.naming import Name, Named
from duelbook.tui.people import described
from duelbook.tui.recorded import LookingBack, clip, worst_marks
from duelbook.tui.story import styled
from duelbook.tui.value import ValueGraph

LEAP = 10
"""Turns that Page Up and Page Down go."""
HELP = (
    "← → or ↑ ↓        one step back, one step on",
    "Page Up or Down   ten turns",
    "Home, End         the start, the end",
    "P or Space        play by itself, or pause; + and - change the speed",
    "M, B              the next mark, the mark before",
    "T                 try another move from here, against anybody; after a marked move, in its place",
    "H or I            what is best here, and why; after a slip, why it was one",
    "S, D              save the screen as a picture, the game as .duel",
    "Shift+↑ or ↓      scroll the story",
    "Q or Escape       back",
    "",
    "Words can be typed, too, with Enter behind them: hint, mark, try, next, back, start, end, save, rules, leave.",
    "A click on a move, or on the curve, goes there.",
    "?? blunder, ? mistake, ?! inaccuracy; losses in points of win probability.",
)


WORDS = (
    (("hint", "why"), "hint", "what is best here, and why"),
    (("play", "pause"), "play", "play by itself, or pause"),
    (("back",), "step(-1)", "one step back"),
    (("next", "on", "step"), "step(1)", "one step on"),
    (("mark", "next mark", "next mistake"), "mark(1)", "the next mark"),
    (("try", "try again", "try another move"), "attempt", "try another move; after a marked one, in its place"),
    (("start",), "go(0)", "the start"),
    (("end",), "end", "the end"),
    (("picture", "svg"), "picture", "save the screen as a picture"),
    (("save", "record", "duel"), "keep", "save the game as a .duel file"),
    (("rules",), "rules", "the rule book"),
    (("help",), "help", "every key"),
    (("quit", "leave", "exit"), "leave", "back to where you came from"),
)
"""What can be typed, what it runs, and what that is."""


class Position(Static):
    """Where one is, in as many words as there is room for: that is known when it has its size."""

    def on_resize(self) -> None:
        if isinstance(self.screen, Replay):
            self.update(self.screen.position())


class Replay(LookingBack, Named[None]):
    """Stands at one position of the game: the start, or after one of its steps."""

    BINDINGS = [
        Binding("left,up", "step(-1)", "Back", key_display="←"),
        Binding("right,down", "step(1)", "On", key_display="→"),
        Binding("p,space", "play", "Play"),
        Binding("m", "mark(1)", "Mark"),
        Binding("b", "mark(-1)", "Mark before", show=False),
        Binding("t", "attempt", "Try"),
        Binding("h,i", "hint", "Hint"),  # I as at the table, where H heals
        Binding("s", "picture", ".svg"),
        Binding("d", "keep", ".duel"),
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("q,escape", "leave", "Leave"),
        Binding("home", "go(0)", show=False),
        Binding("end", "end", show=False),
        Binding("pageup", f"leap({-LEAP})", show=False),
        Binding("pagedown", f"leap({LEAP})", show=False),
        Binding("plus,equals_sign", "pace(-1)", show=False),
        Binding("minus", "pace(1)", show=False),
        Binding("shift+up", "scroll(-1)", show=False),
        Binding("shift+down", "scroll(1)", show=False),
    ]

    def __init__(self, record: Record, turn: int = 0, *, yours: bool = False) -> None:
        """`turn` is where to begin: right after this turn, 0 for the start. `yours` is a game of whoever looks on."""
        super().__init__(record)
        self.yours = yours and len(people_in(record.seats)) == 1
        self.course = Course(record, people_in(record.seats) if self.yours else ())
        self.at, self.last = self.course.after_turn(turn), len(self.course.frames)
        self._playing: Timer | None = None

    # What it looks like

    def compose(self) -> ComposeResult:
        yield Heading()
        with Grid(id="replay"):
            yield Board(id="board")
            yield Moves(id="replay-moves")
            with Vertical(id="replay-telling"):
                with VerticalScroll(id="replay-words", can_focus=False):
                    yield Static(id="replay-story")
                yield Position(id="replay-position")
            yield ValueGraph(names=self.match.names, id="curve")
        yield KeyBar()

    def on_mount(self) -> None:
        board = self.query_one(Board)
        board.names = self.match.names
        one, two = (described(kind, alone=self.yours) for kind in self.record.seats)
        board.tags = (one, two)
        self._list_moves()
        self._show(at_once=True)

    async def show_review(self, found: Review) -> None:
        self.course.review = found
        self._list_moves()
        self._show(at_once=True)

    def _list_moves(self) -> None:
        told = (self.match, self.course.frames, self.review)
        self.query_one(Moves).fill(*(rows_of(*told, brief=brief) for brief in (False, True)))

    def on_resize(self) -> None:
        self.call_after_refresh(self._make_room)

    def _make_room(self) -> None:
        self.write("replay-position", self.position())
        self.write("replay-story", self._story())

    @property
    def state(self) -> object:
        return self.course.states[self.at]

    @property
    def turn(self) -> int:
        return self.course.turns[self.at]

    def _show(self, *, at_once: bool = False) -> None:
        board = self.query_one(Board)
        picks = last_picks(self.match.steps[: self.at])
        board.show(scene_in_play(self.match.game, self.match.rules, self.state, picks), at_once=at_once)
        board.turn = frozenset(self.course.to_decide(self.at))
        self.query_one(Moves).current = self.at
        self.query_one(ValueGraph).cursor = self.turn
        self.write("replay-story", self._story())
        self.query_one("#replay-words", VerticalScroll).scroll_home(animate=False)
        self.write("replay-position", self.position())
        self._show_heading()

    def _story(self) -> Content:
        """What is said of the step that led here, with the reasons of a slip where there is room for all of it."""
        said = Content("\n").join(map(styled, self.course.words(self.at)))
        reasons = self.course.reasons(self.at) if self.review is not None else []
        room = self.query_one("#replay-words").size
        if not reasons or not room.width:
            return said
        whole = Content("\n").join([said, *map(styled, reasons)])
        return whole if whole.get_height({}, room.width) <= room.height else said

    def _show_heading(self) -> None:
        match = self.match
        ended = match.outcome.result if match.outcome is not None else "unfinished"
        date = f"   {self.record.day}" if self.record.day else ""
        pace = f" ▶ playing, {self.duelbook.preferences.pace:g} s a step" if self._playing else ""
        turn = f"   turn {self.course.turn_shown(self.at)} of {self.course.turn_shown(self.last)}"
        head = Content.assemble((match.game.name, "bold"), (turn, "bold $accent"), (pace, "$accent"))
        who = f"{match.names[0]} against {match.names[1]}"  # the board has the names, too
        if self.yours:
            who = who_played(self.record.seats, match.names)
            ended = who_won(self.record.seats, match.names, match.outcome.winner) if match.outcome else ended
        result = f"   {who}, {ended}"
        brief = Content.assemble(head, f"   {ended}")
        self.query_one(Heading).say(
            Content.assemble(head, result, (date, "$text-muted")), Content.assemble(head, result), brief, head
        )

    def position(self) -> Content:
        """The position as it is typed, and what it is worth."""
        match = self.match
        text = match.game.write_position(match.rules, self.state)
        wins = self.course.wins(self.at)
        worth = "" if wins is None else f"   {clip(match.names[0], 12)} {percent(wins)}"
        room = self.query_one("#replay-position").content_size.width
        brief = "" if wins is None else f"  {percent(wins)}"
        whose = worth.replace("   ", "   Perfect play: ", 1)
        ways = (("Position ", whose), ("", whose), ("Position ", worth), ("", worth), ("", brief))
        fits = [way for way in ways if len(text) + sum(map(len, way)) <= room or not room]
        label, worth = (fits or ways[-1:])[0]
        return Content.assemble((label, "$text-muted"), (text, "bold"), (worth, "$text-muted"))

    # Walking

    def before_a_key(self) -> Callable[[], Awaitable[None]]:
        at, playing = self.at, self._playing is not None

        async def set_back() -> None:
            self.action_go(at)
            if playing and at < self.last:
                self.action_play()

        return set_back

    def _go(self, at: int) -> None:
        at = max(0, min(self.last, at))
        if at != self.at:
            self.at = at
            self.duelbook.let_old_notes_go()  # they were of where one was
            self._show()

    def action_go(self, at: int) -> None:
        self._pause()
        self._go(at)

    def action_step(self, by: int) -> None:
        self.action_go(self.at + by)

    def action_end(self) -> None:
        self.action_go(self.last)

    def action_leap(self, turns: int) -> None:
        self.action_go(self.course.after_turn(max(0, self.turn + turns)))

    def on_moves_chosen(self, event: Moves.Chosen) -> None:
        self.action_go(event.row)

    def on_value_graph_chosen(self, event: ValueGraph.Chosen) -> None:
        self.action_go(self.course.after_turn(event.turn))

    def action_mark(self, way: int) -> None:
        """Go to the next decision that lost something worth a mark, or to the one before."""
        if self.review is None:
            self.duelbook.complain("There are no marks without a review.")
            return
        marked = sorted(map(self.course.after_turn, worst_marks(self.review)))
        ahead = [at for at in (marked if way > 0 else marked[::-1]) if (at - self.at) * way > 0]
        if ahead:
            self.action_go(ahead[0])
        elif not marked:
            self.duelbook.say("No decision of this game lost enough to be marked.")
        else:
            self.duelbook.say(f"There is no mark {'after' if way > 0 else 'before'} this.")

    # Playing by itself

    def action_play(self) -> None:
        if self._playing:
            self._pause()
            return
        if self.at == self.last:
            self._go(0)
        self._playing = self.set_interval(self.duelbook.preferences.pace, self._tick)
        self._show_heading()

    def _tick(self) -> None:
        self._go(self.at + 1)
        if self.at == self.last:
            self._pause()

    def _pause(self) -> None:
        if self._playing:
            self._playing.stop()
            self._playing = None
            self._show_heading()

    def action_pace(self, by: int) -> None:
        liked = self.duelbook.preferences
        liked.change_pace(by)
        if self._playing:
            self._pause()
            self.action_play()
        else:
            self.duelbook.say(f"P plays at {liked.pace:g} s a step.")

    # Asking and trying

    def action_hint(self) -> None:
        self._pause()
        seats = self.course.to_decide(self.at)
        if seats:
            keep_busy(self, "hint", self._hint, self.at, seats)
        elif self.review is not None and (reasons := self.course.reasons(self.at)):
            self.app.push_screen(Page("The last move", reasons))
        else:
            self.duelbook.complain("The game is over here: there is nothing left to choose.")

    async def _hint(self, at: int, seats: tuple[int, ...]) -> None:
        match, state = self.match, self.course.states[at]
        try:
            solution = await in_background(solution_at, match.game, match.rules, match.start)
            lines: list[Line | str] = []
            if self.review is not None and (reasons := self.course.reasons(at)):
                lines += [*reasons, ""]
            for seat in seats:
                lines += [Line(match.names[seat], "turn"), *hint(solution, state, seat).lines()]
        except DuelError as error:
            self.duelbook.complain(f"There is no hint here. {error}")
            return
        self.app.push_screen(Page("A hint", lines))

    def action_attempt(self) -> None:
        """Play on from this position, as the player whose turn it is; after a slip from before it, as who made it."""
        self._pause()
        at, seats = self.course.to_try(self.at)
        if not seats:
            self.duelbook.complain("The game is over here. Step back to a position where a move can be tried.")
        elif len(seats) == 1:
            self._choose_opponent(at, seats[0])
        else:
            answers = [(str(seat + 1), self.match.names[seat]) for seat in seats]
            when = "Both picks are marked; you go back to before them." if at < self.at else "Both pick at once here."
            self.app.push_screen(
                Ask(f"{when} Whose seat do you take?", [*answers, ("b", "Back")], grave=True),
                lambda said: self._choose_opponent(at, int(said) - 1) if said in ("1", "2") else None,
            )

    def _choose_opponent(self, at: int, seat: int) -> None:
        match = self.match
        where = match.game.write_position(match.rules, self.course.states[at])
        instead = f", in place of the marked {self.course.decided(self.at, seat)}" if at < self.at else ""
        question = f"You play {match.game.seats[seat]} from {where}{instead}, against:"
        liked = self.duelbook.preferences

        def begin(kind: str | None) -> None:
            if kind is not None:
                wish = liked.against(match.game, seat, kind)
                rules = tuple(settings(match.game, match.rules))
                self.duelbook.begin(wish._replace(rules=rules, position=where))

        self.app.push_screen(ChooseOpponent(question, liked.opponent), begin)

    # The rest

    def names(self) -> dict[str, Name]:
        return {word: Name(runs, about) for words, runs, about in WORDS for word in words}

    def action_rules(self) -> None:
        self._pause()
        self.app.push_screen(RulePage(self.match.game))

    def action_help(self) -> None:
        self._pause()
        self.app.push_screen(Page("Looking through a game", HELP))

    def action_scroll(self, by: int) -> None:
        self.query_one("#replay-words", VerticalScroll).scroll_relative(y=by, animate=False)

    def action_leave(self) -> None:
        self._pause()
        self.dismiss()
