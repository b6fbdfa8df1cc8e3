"""Puzzles on the full screen: a position, one right move, and why the others are wrong."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import date

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from duelbook.core import BOTH, DuelError, Game
from duelbook.games import load_all
from duelbook.match import Match
from duelbook.players import HUMAN
from duelbook.puzzles import memory
from duelbook.puzzles.puzzle import Puzzle, Verdict, choices, clues, judge
from duelbook.puzzles.source import daily, daily_game, random_puzzle
from duelbook.puzzles.streak import Progress, answered, tally
from duelbook.scene import scene_of
from duelbook.speech import either
from duelbook.table.invitation import Invitation
from duelbook.tui.actions import MOST_IN_A_LIST, Action, ActionButton, Actions, actions_of
from duelbook.tui.background import in_background, keep_busy
from duelbook.tui.board import Board
from duelbook.tui.book import ROOM_FOR_ALL, close_book, is_open, open_book
from duelbook.tui.dialogs import Ask, Page
from duelbook.tui.giving_way import GivesWay, with_shift
from duelbook.tui.keybar import KeyBar
from duelbook.tui.standing import (
    DuelTab,
    DuelTabs,
    Record,
    how_often_found,
    in_a_line,
    is_solved,
    short_name,
    streak_in_words,
)

NEXT, LOOK, OTHER_DUEL = -1, -2, -3
"""What can be done once a puzzle is answered; none of it is a move."""
TOO_SOON = 4
"""A random puzzle does not come again while it is among the last so many."""
TRIES = 20
PRICE = "With a clue the puzzle no longer counts as solved. Do you want one all the same?"


def new_seed() -> int:
    return int.from_bytes(os.urandom(6), "big")


def in_words(day: date) -> str:
    return f"{day.day} {day:%B} {day.year}"


class PuzzleScreen(GivesWay):
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (116, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-short"), (23, "-usual"), (34, "-tall")]
    AUTO_FOCUS = ""
    BINDINGS = with_shift(
        [
            Binding("question_mark", "help", "Help", key_display="?"),
            Binding("t,D", "today", "Today's", key_display="t"),
            Binding("n", "another", "Another"),
            Binding("enter", "go_on", "Next", show=False),
            Binding("g", "turn_duel(1)", "Duel"),
            Binding("G", "turn_duel(-1)", "Duel before", show=False),
            Binding("down,right", "walk(0)", show=False),
            Binding("up,left", "walk(-1)", show=False),
            Binding("h", "clue", "Clue"),
            Binding("v", "look", "Play on"),
            Binding("r", "rules", "Rules"),
            Binding("pagedown", "scroll_words(1)", show=False),
            Binding("pageup", "scroll_words(-1)", show=False),
            Binding("q,escape", "leave", "Back"),
        ]
    )

    def __init__(self, game: Game | None = None, today: date | None = None) -> None:
        """Opens with today's puzzle of a duel, or of the one whose turn it is; `today` stops the calendar."""
        super().__init__()
        self._fixed = today
        self.games = load_all()
        wanted = game or daily_game(self.today)
        self.game = next((each for each in self.games if each.id == wanted.id), wanted)
        if self.game is wanted and wanted not in self.games:
            self.games.append(wanted)
        self.puzzle: Puzzle | None = None
        """What is being asked; None while the next one is sought."""
        self.daily_of: date | None = None
        self.verdict: Verdict | None = None
        self.progress: Progress = {}
        self.given = 0
        """So many clues were given."""
        self.highlighted: Action | None = None
        self._recent: dict[str, list[str]] = {}

    @property
    def today(self) -> date:
        return self._fixed or date.today()

    # What it looks like

    def compose(self) -> ComposeResult:
        yield Static(id="heading")
        yield DuelTabs(self.games)
        yield Static(id="standing")
        with Horizontal(id="middle"):
            yield Board(id="board")
            with Vertical(id="beside"):
                with VerticalScroll(id="words", can_focus=False):
                    yield Static(id="said")
                yield Record(id="record")
        yield Static(id="about")
        yield Actions()
        yield KeyBar()

    def on_mount(self) -> None:
        self._recall()
        self._seek(self.today)

    def on_screen_resume(self) -> None:
        self._show_standing()

    def _recall(self) -> None:
        self.progress, complaint = memory.load()
        if complaint:
            self.duelbook.complain(complaint)

    def _show_heading(self) -> None:
        day = self.daily_of
        what = f"Puzzle of the day, {in_words(day)}" if day else "Another puzzle"
        rated = f"rated {self.puzzle.rating}" if self.puzzle else "..."
        self.write("heading", Content.assemble((what, "bold $accent"), "   ", (self.game.name, "bold"), f"   {rated}"))

    def _show_standing(self) -> None:
        self.query_one(DuelTabs).show(self.progress, self.today, self.game)
        self.write("standing", in_a_line(self.progress, self.game, self.today))
        self.query_one(Record).show(self.progress, self.games, self.today)

    def _say(self, parts: Sequence[Content]) -> None:
        self.write("said", Content("\n").join(parts))
        self.query_one("#words").scroll_home(animate=False)

    def _show_about(self) -> None:
        """A line above the actions: what the highlighted number does, or the question while the book hides it."""
        words = self._about()
        line = self.query_one("#about", Static)
        line.update(Content(words))
        line.display = bool(words)
        line.set_class(self.query_one(Actions).has_class("row"), "numbers")

    def _about(self) -> str:
        puzzle, action = self.puzzle, self.highlighted
        if puzzle is None or self.verdict:
            return ""
        if not self.query_one("#beside").display:
            return puzzle.question
        if action is None or len(self.query_one(Actions).offered) <= MOST_IN_A_LIST:
            return ""
        why_not = puzzle.game.dialogue.why_not
        about = action.about if action.legal else why_not(puzzle.rules, puzzle.state, puzzle.seat, action.move)
        return f"{action.word}: {about}"

    # Which puzzle

    def _seek(self, day: date | None) -> None:
        """Find a puzzle, a day's or any, without keeping the keys waiting."""
        self.puzzle, self.verdict, self.highlighted = None, None, None
        self.daily_of, self.given = day, 0
        self._show_heading()
        self._show_standing()
        keep_busy(self, "puzzle", self._find, self.game, day)

    async def _find(self, game: Game, day: date | None) -> None:
        try:
            found = await in_background(daily, game, day) if day else await in_background(self._any, game)
        except DuelError as error:
            self._say([Content(str(error))])
            self.query_one(Actions).offer([])
            return
        self._recent.setdefault(game.id, []).append(found.position)
        await self._pose(found)

    def _any(self, game: Game) -> Puzzle:
        """One about as hard as the player is good, and not one of the last few."""
        wished = round(tally(self.progress, game.id).rating)
        recent = self._recent.get(game.id, [])[-TOO_SOON:]
        for _ in range(TRIES):
            found = random_puzzle(game, new_seed(), wished)
            if found.position not in recent:
                break
        return found

    async def _pose(self, puzzle: Puzzle) -> None:
        game, seat = puzzle.game, puzzle.seat
        board = self.query_one(Board)
        board.names, board.turn = game.seats, frozenset((seat,))
        board.tags = ("you", "") if seat == 0 else ("", "you")
        board.show(scene_of(game, puzzle.rules, puzzle.state), at_once=True)
        offered = actions_of(Match(game, puzzle.rules, start=puzzle.state), seat)
        await close_book(self, self.query_one("#beside"))
        self.query_one(Actions).offer(offered)
        self.puzzle = puzzle
        self._show_heading()
        self._make_room()
        self._say_question()
        self.refresh_bindings()
        self.app.call_later(self._highlight_nothing)

    def _highlight_nothing(self) -> None:
        """An Enter too many must not be an answer: the player has to walk to one first."""
        self.set_focus(None)
        self.query_one(Board).preview = self.highlighted = None
        self._show_about()

    def _say_question(self) -> None:
        puzzle = self.puzzle
        assert puzzle is not None
        mine = tally(self.progress, self.game.id).rating
        rated = f"Rated {puzzle.rating}: {how_often_found(mine, puzzle.rating)}"
        parts = [Content.styled(puzzle.question, "bold"), Content()]
        again = self._went()
        if again is not None:
            once = "solved" if again else "tried"
            parts += [Content.styled(f"You have {once} this one already; only the first try counts.", "$warning")]
        parts += [Content.styled(rated, "$text-muted"), Content.styled(f"Position: {puzzle.position}", "$text-muted")]
        for clue in clues(puzzle)[: self.given]:
            parts += [Content(), Content.assemble(("Clue: ", "bold $warning"), clue)]
        self._say(parts)

    def _went(self) -> bool | None:
        """How the daily puzzle on the screen went when it was first tried; None if this is the first time."""
        return None if self.daily_of is None else is_solved(self.progress, self.game, self.daily_of)

    # Answering

    def on_action_button_highlighted(self, event: ActionButton.Highlighted) -> None:
        """Show what the action would do at once, which anybody can see, and nothing that comes after."""
        puzzle, action = self.puzzle, event.action
        button = next((each for each in self.query(ActionButton) if each.action is action), None)
        chosen = button is not None and (self.focused is button or button.is_mouse_over)
        if puzzle is None or self.verdict or not chosen:
            return
        question = (puzzle.rules, puzzle.state)
        apart = puzzle.game.turn(*question) != BOTH
        after = puzzle.game.apply(*question, action.move) if apart and action.legal else None
        self.query_one(Board).preview = None if after is None else scene_of(puzzle.game, puzzle.rules, after)
        self.highlighted = action
        self._show_about()

    def on_action_button_pressed(self, event: ActionButton.Pressed) -> None:
        self._do(event.action)

    def on_key(self, event: events.Key) -> None:
        """The keys of the actions on offer come before every other meaning of a key."""
        action = self.query_one(Actions).with_key(event.character or "")
        if action is not None:
            event.stop()
            event.prevent_default()
            self._do(action)

    def _do(self, action: Action) -> None:
        if self.puzzle is None or not any(each is action for each in self.query_one(Actions).offered):
            return
        if action.move == NEXT:
            self.action_another()
        elif action.move == LOOK:
            self.action_look()
        elif action.move == OTHER_DUEL:
            self.action_turn_duel(1)
        elif not action.legal:
            game, rules, state, seat = self.puzzle[:4]
            why = game.dialogue.why_not(rules, state, seat, action.move)
            self.duelbook.complain(f"{why} Nothing was counted.")
        elif self.verdict is None:
            self._answer(self.puzzle, action.move)

    def _answer(self, puzzle: Puzzle, move: int) -> None:
        verdict = self.verdict = judge(puzzle, move)
        before, again = self._remember(puzzle, solved=verdict.right and not self.given)
        self._show_standing()
        self._show_about()
        judged, counted = self._judged(puzzle, verdict, move), self._counted(before, again)
        self._say([*judged, Content(), *counted, *_others(puzzle, move)])
        if puzzle.game.turn(puzzle.rules, puzzle.state) != BOTH:
            after = puzzle.game.apply(puzzle.rules, puzzle.state, puzzle.answer)
            self.query_one(Board).preview = scene_of(puzzle.game, puzzle.rules, after)
        keep_busy(self, "puzzle", self._offer_what_follows)

    def _remember(self, puzzle: Puzzle, *, solved: bool) -> tuple[Progress, bool | None]:
        """Write it down. What comes back is how things stood before, and how this puzzle went then, if it did."""
        self.progress, after, complaint = memory.remember(
            lambda known: answered(known, puzzle.game.id, puzzle.rating, solved, today=self.today, daily=self.daily_of)
        )
        before, again = self.progress, self._went()
        self.progress = after
        if complaint:
            self.duelbook.complain(complaint)
        return before, again

    @staticmethod
    def _judged(puzzle: Puzzle, verdict: Verdict, move: int) -> list[Content]:
        """Right or wrong, and why: a mark and words, with the colour only beside them."""
        mark, tone = ("✓", "bold $success") if verdict.right else ("✗", "bold $error")
        first, second = verdict.lines
        parts = [Content.assemble((f"{mark} ", tone), (first, tone)), Content(second)]
        if not verdict.right and len(puzzle.wrong) > 1 and move == puzzle.wrong[0].move:
            parts.append(Content.styled("It was the most tempting of all.", "$text-muted"))
        return parts

    def _counted(self, before: Progress, again: bool | None) -> list[Content]:
        """What the answer changed for rating and streak."""
        id = self.game.id
        if again is not None:
            return [Content.styled("You had answered this one before, so nothing changes.", "$text-muted")]
        parts = []
        if self.given and self.verdict and self.verdict.right:
            parts.append(Content.styled("With a clue it does not count as solved.", "$warning"))
        was, now = (tally(each, id).rating for each in (before, self.progress))
        parts.append(Content.assemble("Your rating: ", (f"{was:.0f} → {now:.0f}", "bold")))
        if self.daily_of == self.today:
            parts.append(Content.assemble("Your streak: ", (streak_in_words(self.progress, id, self.today), "bold")))
        elif self.daily_of is not None:
            parts.append(Content("For the streak a daily puzzle counts only on its own day."))
        return parts

    async def _offer_what_follows(self) -> None:
        follow = self._duel_beside(1)
        state = {True: "solved", False: "missed", None: "still open"}[is_solved(self.progress, follow, self.today)]
        assert self.puzzle is not None
        seat = self.puzzle.game.seats[self.puzzle.seat]
        await close_book(self, self.query_one("#beside"))
        self._make_room()
        self.query_one(Actions).offer(
            [
                Action(NEXT, "next", ("n",), "another puzzle of this duel, about as hard as you are good", True),
                Action(LOOK, "play on", ("v",), f"from here as {seat}, against a perfect opponent", True),
                Action(OTHER_DUEL, short_name(follow).lower(), ("g",), f"its puzzle of the day is {state}", True),
            ]
        )
        self.refresh_bindings()

    # Keys that work at every time

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what makes sense now is offered at the foot of the screen."""
        meant = self.works(action, parameters)
        if meant == "clue":
            return self.puzzle is not None and self.verdict is None
        if meant in ("look", "go_on"):
            return self.verdict is not None
        return meant is not None

    def action_walk(self, to: int) -> None:
        """Step into the actions, from above or from below; there they walk by themselves."""
        buttons = list(self.query(ActionButton))
        if buttons:
            buttons[to].focus()

    def action_today(self) -> None:
        self._seek(self.today)

    def action_another(self) -> None:
        self._seek(None)

    def action_go_on(self) -> None:
        self._seek(None)

    def on_duel_tab_chosen(self, event: DuelTab.Chosen) -> None:
        self._turn_to(event.game)

    def action_turn_duel(self, by: int) -> None:
        self._turn_to(self._duel_beside(by))

    def _duel_beside(self, by: int) -> Game:
        return self.games[(self.games.index(self.game) + by) % len(self.games)]

    def _turn_to(self, game: Game) -> None:
        self.game = game
        self._seek(self.today)

    def action_clue(self) -> None:
        """Give away a little. The first clue has its price, which is said before."""
        if self.given or self._went() is not None:
            self._give_a_clue()
            return

        def answered(said: str | None) -> None:
            if said == "c":
                self._give_a_clue()

        self.app.push_screen(Ask(PRICE, [("c", "A clue"), ("n", "No clue")], grave=True), answered)

    def _give_a_clue(self) -> None:
        if self.puzzle is None or self.verdict is not None:
            return
        if self.given >= len(clues(self.puzzle)):
            self.duelbook.say("There are no more clues: two choices are left.")
            return
        self.given += 1
        self._say_question()
        self.query_one("#words").scroll_end(animate=False)

    def action_look(self) -> None:
        """Play the position on, to see with one's own eyes what the answer comes to."""
        if self.puzzle is None:
            return
        game, seat = self.puzzle.game, self.puzzle.seat
        mine = self.duelbook.preferences.name or None
        wish = Invitation(game, (HUMAN, "perfect"), (mine, None), position=self.puzzle.position)
        if seat == 1:
            wish = wish._replace(kinds=("perfect", HUMAN), names=(None, mine))
        self.duelbook.begin(wish)

    async def action_rules(self) -> None:
        beside = self.query_one("#beside")
        if is_open(self):
            self.set_focus(None)
            await close_book(self, beside)
            if self.verdict:
                self.action_walk(0)
        else:
            await open_book(self, self.game, beside)
        self._make_room()

    def on_resize(self) -> None:
        self.call_after_refresh(self._make_room)

    def _make_room(self) -> None:
        """An open book takes the place of the words, or only of the record where there is room."""
        self.query_one("#beside").display = not is_open(self) or self.size.width >= ROOM_FOR_ALL
        self.set_class(is_open(self), "reading")
        self._show_about()

    def action_scroll_words(self, by: int) -> None:
        words = self.query_one("#words")
        words.scroll_relative(y=by * max(1, words.size.height - 1), animate=False)

    def action_help(self) -> None:
        lines = [*choices(self.puzzle), ""] if self.puzzle and not self.verdict else []
        clue = "Shift+H" if "h" in self.taken() else "H"
        lines += [
            "A puzzle is a position where exactly one move is right. Find it.",
            "Arrow keys walk through the moves, Enter chooses.",
            "Everything can be clicked too.",
            "",
            "T        today's puzzle of this duel, the same for everybody",
            "N        another one, about as hard as you are good",
            "G        the next duel; Shift+G: the one before",
            f"{clue:7}  a clue; the puzzle then no longer counts as solved",
            "V        once it is answered: play on against a perfect opponent",
            "R        the rule book beside the puzzle",
            "Q, Esc   back; Page Up and Page Down scroll the words",
            "",
            "The streak counts the days whose puzzle you solved on the day itself,",
            "at the first try and without a clue.",
        ]
        self.app.push_screen(Page("Puzzles", lines))

    def action_leave(self) -> None:
        if is_open(self):
            self.call_later(self.action_rules)
        else:
            self.dismiss()


def _others(puzzle: Puzzle, move: int) -> list[Content]:
    """The wrong choices that the verdict has not named, those with the same fate together."""
    named = {move, puzzle.wrong[0].move} if move == puzzle.answer else {move}
    fates: dict[str, list[str]] = {}
    for wrong in sorted(puzzle.wrong):
        if wrong.move not in named:
            fates.setdefault(wrong.refuted, []).append(wrong.word)
    lines = [f"Not {either(words)}: it {fate}." for fate, words in fates.items()]
    return [Content(), *(Content.styled(line, "$text-muted") for line in lines)] if lines else []
