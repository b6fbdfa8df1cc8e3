"""A recorded game, looked through step by step: the position, the marks, the curve, and what else could be tried."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Grid, Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.timer import Timer
from textual.widgets import Button, OptionList, Static
from textual.widgets.option_list import Option

from duelbook.coach.hint import hint
from duelbook.coach.review import Decision, Review
from duelbook.coach.words import SAME, SIGNS, chance, percent
from duelbook.core import BOTH, LUCK, OVER, DuelError, settings
from duelbook.match import last_picks
from duelbook.players import HUMAN
from duelbook.record import Record
from duelbook.scene import scene_in_play
from duelbook.solving.library import solution_at
from duelbook.speech import Line
from duelbook.table.invitation import Invitation
from duelbook.table.telling import ending, timeline
from duelbook.tui.background import in_background, keep_busy
from duelbook.tui.base import BaseScreen
from duelbook.tui.board import Board
from duelbook.tui.dialogs import Ask, Page
from duelbook.tui.keybar import KeyBar
from duelbook.tui.moves import Moves, rows_of
from duelbook.tui.people import described, opponents
from duelbook.tui.recorded import AT_WORK, LookingBack, clip, what_it_lost, worst_marks
from duelbook.tui.story import styled
from duelbook.tui.value import ValueGraph

LEAP = 10
"""Turns that Page Up and Page Down go."""
HELP = (
    "← → or ↑ ↓        one step back, one step on",
    "Page Up or Down   ten turns",
    "Home, End         the start, the end",
    "P or Space        play by itself, or pause; + and - change the speed",
    "M, Shift+M        the next mark, the mark before",
    "T                 try another move from here, against anybody",
    "H                 what is best here, and why",
    "S, D              save the screen as a picture, the game as .duel",
    "Shift+↑ or ↓      scroll the story",
    "Q or Escape       back",
    "",
    "A click on a move, or on the curve, goes there.",
    "?? blunder, ? mistake, ?! inaccuracy; losses in points of win probability.",
)


class Replay(LookingBack):
    """Stands at one position of the game: the start, or after one of its steps."""

    BINDINGS = [
        Binding("left,up", "step(-1)", "Back", key_display="←"),
        Binding("right,down", "step(1)", "On", key_display="→"),
        Binding("p,space", "play", "Play"),
        Binding("m", "mark(1)", "Mark"),
        Binding("M", "mark(-1)", "Mark before", show=False),
        Binding("t", "attempt", "Try"),
        Binding("h", "hint", "Hint"),
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

    def __init__(self, record: Record, turn: int = 0) -> None:
        """`turn` is where to begin: right after this turn, 0 for the start."""
        super().__init__(record)
        match = self.match
        self.frames = list(timeline(record))
        self.states = [*(step.before for step in match.steps), match.state]
        self.turns = [0]
        """How many turns have been played at every position."""
        for step in match.steps:
            self.turns.append(self.turns[-1] + (step.turn != LUCK))
        self.at = self._after_turn(turn)
        self._playing: Timer | None = None

    def _after_turn(self, turn: int) -> int:
        return min(bisect_left(self.turns, turn), len(self.turns) - 1)

    # What it looks like

    def compose(self) -> ComposeResult:
        match = self.match
        yield Static(id="heading")
        with Grid(id="replay"):
            yield Board(id="board")
            yield Moves(rows_of(match, self.frames, None), id="replay-moves")
            with Vertical(id="replay-telling"):
                with VerticalScroll(id="replay-words", can_focus=False):
                    yield Static(id="replay-story")
                yield Static(id="replay-position")
            yield ValueGraph(names=match.names, id="curve")
        yield KeyBar()

    def on_mount(self) -> None:
        board = self.query_one(Board)
        board.names = self.match.names
        one, two = (described(kind, alone=False) for kind in self.record.seats)
        board.tags = (one, two)
        self.query_one(ValueGraph).excuse = AT_WORK
        self._show(at_once=True)

    async def show_review(self, found: Review) -> None:
        self.query_one(Moves).fill(rows_of(self.match, self.frames, found))
        self.query_one(ValueGraph).show(found.curve, worst_marks(found))
        self._show(at_once=True)

    def on_resize(self) -> None:
        self.call_after_refresh(lambda: self.write("replay-position", self._position()))

    async def show_no_review(self, sentence: str) -> None:
        self.query_one(ValueGraph).excuse = sentence

    @property
    def state(self) -> object:
        return self.states[self.at]

    def _show(self, *, at_once: bool = False) -> None:
        game, rules, state = self.match.game, self.match.rules, self.state
        board = self.query_one(Board)
        picks = last_picks(self.match.steps[: self.at])
        board.show(scene_in_play(game, rules, state, picks), at_once=at_once)
        board.turn = frozenset(self._to_decide())
        self.query_one(Moves).current = self.at
        self.query_one(ValueGraph).cursor = self.turns[self.at]
        words = Content("\n").join(styled(line) for line in self._words())
        self.write("replay-story", words)
        self.query_one("#replay-words", VerticalScroll).scroll_home(animate=False)
        self.write("replay-position", self._position())
        self._show_heading()

    def _show_heading(self) -> None:
        match = self.match
        ended = match.outcome.result if match.outcome is not None else "unfinished"
        date = "" if "?" in self.record.date else f"   {self.record.date}"
        pace = f" ▶ playing, {self.duelbook.preferences.pace:g} s a step" if self._playing else ""
        self.write(
            "heading",
            Content.assemble(
                (match.game.name, "bold"),
                (f"   turn {self.turns[self.at]} of {match.turns}", "bold $accent"),
                (pace, "$accent"),
                f"   {match.names[0]} against {match.names[1]}, {ended}",
                (date, "$text-muted"),
            ),
        )

    def _to_decide(self) -> tuple[int, ...]:
        """The seats whose decision comes next at this position."""
        game, rules, state = self.match.game, self.match.rules, self.state
        turn = game.turn(rules, state)
        if turn in (BOTH, OVER):
            return (0, 1) if turn == BOTH else ()
        return (int(game.dialogue.drawer(state)),) if turn == LUCK else (turn,)

    # What is said of the position

    def _words(self) -> Iterator[Line]:
        """What the coach says of the step that led here, what the book says of it, and what the record says."""
        match, at = self.match, self.at
        decided = self.decisions()
        yield from self._losses(decided)
        if at == 0:
            told = match.game.dialogue.opening(match.rules, match.start, match.names)
            comment = self.record.comments.get(0, "")
        else:
            told, comment = self.frames[at - 1].lines, self.frames[at - 1].comment
        yield from briefly(told)
        if decided and all(each.lost <= SAME for each in decided):
            yield Line("As good as the best there was.", "gain")
        if comment:
            yield Line(f"“{comment}”", "quiet")
        if at == len(self.frames):
            yield from briefly(ending(match))

    def decisions(self) -> list[Decision]:
        """The decisions of the step that led to this position; none for a card, and without a review."""
        if self.review is None or self.at == 0 or self.match.steps[self.at - 1].turn == LUCK:
            return []
        return [each for each in self.review.decisions if each.turn == self.turns[self.at]]

    def _losses(self, decided: Sequence[Decision]) -> Iterator[Line]:
        """What a decision gave away comes before everything else: it must be seen in the smallest window."""
        for each in decided:
            if each.lost > SAME:
                sign = f"{SIGNS[each.mark]} " if each.mark else ""
                whose = f"{self.match.names[each.seat]}'s {each.move}"
                yield Line(f"{sign}{whose} {what_it_lost(each)}.", "hurt" if each.mark else "calm")

    def _position(self) -> Content:
        """The position as it is typed, and what it is worth."""
        match = self.match
        text = match.game.write_position(match.rules, self.state)
        wins = self._wins()
        worth = "" if wins is None else f"   {clip(match.names[0], 12)} {percent(wins)}"
        room = self.query_one("#replay-position").size.width
        label = "Position " if len(text) + len(worth) + 9 <= room or not room else ""
        return Content.assemble((label, "$text-muted"), (text, "bold"), (worth, "$text-muted"))

    def _wins(self) -> float | None:
        """The first player's chance here, the card on the table counted; None without a review."""
        found, turn = self.review, self.turns[self.at]
        if found is None:
            return None
        settled = chance(found.curve[turn])
        if self.at == 0 or self.match.steps[self.at - 1].turn != LUCK:
            return settled
        following = next((each for each in found.decisions if each.turn == turn + 1), None)
        if following is not None:
            return following.before if following.seat == 0 else 1 - following.before
        sign = 1 if self.match.next_seat() == 0 else -1
        return settled + sign * (found.waiting[1] if found.waiting else 0.0)

    # Walking

    def _go(self, at: int) -> None:
        at = max(0, min(len(self.frames), at))
        if at != self.at:
            self.at = at
            self._show()

    def action_go(self, at: int) -> None:
        self._pause()
        self._go(at)

    def action_step(self, by: int) -> None:
        self.action_go(self.at + by)

    def action_end(self) -> None:
        self.action_go(len(self.frames))

    def action_leap(self, turns: int) -> None:
        self.action_go(self._after_turn(max(0, self.turns[self.at] + turns)))

    def on_moves_chosen(self, event: Moves.Chosen) -> None:
        self.action_go(event.row)

    def on_value_graph_chosen(self, event: ValueGraph.Chosen) -> None:
        self.action_go(self._after_turn(event.turn))

    def action_mark(self, way: int) -> None:
        """Go to the next decision that lost something worth a mark, or to the one before."""
        if self.review is None:
            self.duelbook.complain("There are no marks without a review.")
            return
        marked = sorted(self._after_turn(turn) for turn in worst_marks(self.review))
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
        if self.at == len(self.frames):
            self._go(0)
        self._playing = self.set_interval(self.duelbook.preferences.pace, self._tick)
        self._show_heading()

    def _tick(self) -> None:
        if self.at < len(self.frames):
            self._go(self.at + 1)
        if self.at == len(self.frames):
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
        if not self._to_decide():
            self.duelbook.complain("The game is over here: there is nothing left to choose.")
            return
        keep_busy(self, "hint", self._hint, self.state, self._to_decide())

    async def _hint(self, state: object, seats: tuple[int, ...]) -> None:
        match = self.match
        try:
            solution = await in_background(solution_at, match.game, match.rules, match.start)
            lines: list[Line | str] = []
            for seat in seats:
                lines += [Line(match.names[seat], "turn"), *hint(solution, state, seat).lines()]
        except DuelError as error:
            self.duelbook.complain(f"There is no hint here. {error}")
            return
        self.app.push_screen(Page("A hint", lines))

    def action_attempt(self) -> None:
        """Play on from this position, as the player whose turn it is."""
        self._pause()
        seats = self._to_decide()
        if not seats:
            self.duelbook.complain("The game is over here. Step back to a position where a move can be tried.")
        elif len(seats) == 1:
            self._choose_opponent(seats[0])
        else:
            answers = [(str(seat + 1), self.match.names[seat]) for seat in seats]
            self.app.push_screen(
                Ask("Both pick at once here. Whose seat do you take?", [*answers, ("b", "Back")]),
                lambda said: self._choose_opponent(int(said) - 1) if said in ("1", "2") else None,
            )

    def _choose_opponent(self, seat: int) -> None:
        match = self.match
        where = match.game.write_position(match.rules, self.state)
        question = f"You play {match.game.seats[seat]} from {where}, against:"
        liked = self.duelbook.preferences.opponent

        def begin(kind: str | None) -> None:
            if kind is not None:
                self.duelbook.begin(self._invitation(seat, kind, where))

        self.app.push_screen(ChooseOpponent(question, liked), begin)

    def _invitation(self, seat: int, foe: str, where: str) -> Invitation:
        match, liked = self.match, self.duelbook.preferences
        mine, theirs = liked.name or None, (liked.guest or None) if foe == HUMAN else None
        return Invitation(
            match.game,
            (HUMAN, foe) if seat == 0 else (foe, HUMAN),
            (mine, theirs) if seat == 0 else (theirs, mine),
            rules=tuple(settings(match.game, match.rules)),
            position=where,
        )

    # The rest

    def action_help(self) -> None:
        self._pause()
        self.app.push_screen(Page("Looking through a game", HELP))

    def action_scroll(self, by: int) -> None:
        self.query_one("#replay-words", VerticalScroll).scroll_relative(y=by, animate=False)

    def action_leave(self) -> None:
        self._pause()
        self.dismiss()


def briefly(lines: Sequence[Line]) -> Iterator[Line]:
    """The story of a step without what the screen shows anyway: whose turn it is, and how full every bar is."""
    for at, line in enumerate(lines):
        heads_bars = line.text.endswith(":") and at + 1 < len(lines) and lines[at + 1].gauge is not None
        if line.text and line.gauge is None and line.tone not in ("turn", "extra") and not heads_bars:
            yield line


class ChooseOpponent(ModalScreen[str | None], BaseScreen[str | None]):
    """Everybody one can meet, with a word about the highlighted one."""

    BINDINGS = [Binding("escape,q", "dismiss", "Back", show=False)]

    def __init__(self, question: str, liked: str) -> None:
        super().__init__()
        self.question, self.liked = question, liked
        self.known = opponents()

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(Content.styled("Try another move", "bold"), classes="dialog-title")
            yield Static(Content(self.question), classes="dialog-text")
            yield OptionList(*(Option(each.label) for each in self.known), id="meet-list", compact=True)
            yield Static(id="meet-about")
            with Horizontal(classes="dialog-answers"):
                yield Button("Back (Esc)", name="back")

    def on_mount(self) -> None:
        choices = self.query_one(OptionList)
        choices.highlighted = next((at for at, each in enumerate(self.known) if each.kind == self.liked), 0)
        choices.focus()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        self.write("meet-about", Content(self.known[event.option_index].about))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self.known[event.option_index].kind)

    def on_button_pressed(self) -> None:
        self.dismiss()
