"""Puzzles on the full screen: a position, one right move, and why the others are wrong."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import date

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from duelbook.core import BOTH, DuelError, Game
from duelbook.games import load_all
from duelbook.match import Match
from duelbook.puzzles import memory
from duelbook.puzzles.puzzle import Puzzle, Verdict, choices, clues, judge
from duelbook.puzzles.source import daily, daily_game, random_puzzle, sides
from duelbook.puzzles.streak import Progress, answered, tally
from duelbook.scene import Scene, scene_of
from duelbook.speech import either
from duelbook.tui.actions import MOST_IN_A_LIST, NO_MOVE, Action, Actions, actions_of
from duelbook.tui.background import in_background, keep_busy
from duelbook.tui.board import Board
from duelbook.tui.book import ROOM_FOR_ALL
from duelbook.tui.command import CommandLine
from duelbook.tui.commanding import Commanded, Word
from duelbook.tui.dialogs import Ask, Page
from duelbook.tui.heading import Heading
from duelbook.tui.keybar import KeyBar
from duelbook.tui.puzzle_words import HELP, PRICE, TYPED, Answered, question, titles
from duelbook.tui.standing import WORDS, DuelTabs, Record, in_a_line, is_solved, short_name

TOO_SOON = 4
"""A random puzzle does not come again while it is among the last so many."""
TRIES = 20


def new_seed() -> int:
    return int.from_bytes(os.urandom(6), "big")


class Words(VerticalScroll):
    """What is said of the puzzle. A line that is typed takes room from it, and then there is more than can be seen."""

    def on_mount(self) -> None:
        for what in ("virtual_size", "size"):  # whatever decides whether more is below
            self.watch(self, what, self._more_or_less, init=False)

    def _more_or_less(self) -> None:
        """It is known once it is drawn."""
        self.call_after_refresh(self.screen.refresh_bindings)


class PuzzleScreen(Commanded):
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (116, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-short"), (23, "-usual"), (34, "-tall")]
    AUTO_FOCUS = ""
    gives_way = "#beside"
    BINDINGS = [
        Binding("question_mark,f1", "help", "Help", key_display="?"),
        Binding("t,f2", "today", "Today's"),
        Binding("n,f3", "another", "Another"),
        Binding("g,f5", "turn_duel(1)", "Duel"),
        Binding("comma,less_than_sign", "turn_duel(-1)", "Duel before", show=False),
        Binding("i,f6", "clue", "Clue"),
        Binding("v,f7", "look", "Play on"),
        Binding("o,f4", "rules", "Rules"),
        Binding("pagedown", "turn_page('#words', 1, 1)", "More", key_display="PgDn"),
        Binding("pageup", "turn_page('#words', -1, 1)", show=False),
        Binding("escape", "leave", "Back", key_display="Esc"),
    ]

    def __init__(self, game: Game | None = None, today: date | None = None) -> None:
        """Opens with today's puzzle of a duel, or of the one whose turn it is; `today` stops the calendar."""
        super().__init__()
        self._fixed = today
        self.games = load_all()
        wanted = game or daily_game(self.today)
        self.game = next((each for each in self.games if each.id == wanted.id), wanted)
        if self.game not in self.games:
            self.games.append(self.game)
        duels = {game.id.lower(): Word(f"duel({game.id!r})", f"today's puzzle of {game.name}") for game in self.games}
        self.words = TYPED | duels
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
        yield Heading()
        yield DuelTabs(self.games)
        yield Static(id="standing")
        with Horizontal(id="middle"):
            yield Board(id="board")
            with Vertical(id="beside"):
                with Words(id="words", can_focus=False):
                    yield Static(id="said")
                yield Record(id="record")
        yield CommandLine(id="about")
        yield Actions()
        yield KeyBar()

    def on_mount(self) -> None:
        self.progress, complaint = memory.load()
        if complaint:
            self.duelbook.complain(complaint)
        self.action_today()

    def on_screen_resume(self) -> None:
        self._show_standing()

    def _show_heading(self) -> None:
        rated = f"rated {self.puzzle.rating}" if self.puzzle else "..."
        rest = ("   ", (self.game.name, "bold"), f"   {rated}")
        ways = (Content.assemble((words, "bold $accent"), *rest) for words in titles(self.daily_of))
        self.query_one(Heading).say(*ways)

    def _show_standing(self) -> None:
        self.query_one(DuelTabs).show(self.progress, self.today, self.game)
        self.write("standing", in_a_line(self.progress, self.game, self.today))
        self.query_one(Record).show(self.progress, self.games, self.today)

    def _say(self, parts: Sequence[Content]) -> None:
        self.write("said", Content("\n").join(parts))
        self.query_one("#words").scroll_home(animate=False)
        self.call_after_refresh(self.refresh_bindings)  # whether there is more than can be seen

    def _show_about(self) -> None:
        """A line above the actions: what the highlighted number does, or the question while the book hides it."""
        line = self.query_one(CommandLine)
        words = "" if line.text else self._about()
        line.ask(words, "")
        line.display = bool(words or line.text)
        line.set_class(self.query_one(Actions).has_class("row"), "numbers")

    def _about(self) -> str:
        puzzle, action = self.puzzle, self.highlighted
        if puzzle is None or self.verdict:
            return ""
        if not self.query_one("#beside").display:
            return puzzle.question
        if action is None or len(self.query_one(Actions).offered) <= MOST_IN_A_LIST:
            return ""
        return f"{action.word}: {action.about if action.legal else _why_not(puzzle, action)}"

    # Which puzzle

    def _seek(self, day: date | None) -> None:
        """Find a puzzle, a day's or any, without keeping the keys waiting."""
        self.duelbook.let_old_notes_go()  # they were said of the puzzle before
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
        """One about as hard as the player is good, and not one of the last few, from neither side of the table. Where
        chance finds no such one, at least not the last, whose answer has just been shown."""
        wished = round(tally(self.progress, game.id).rating)
        recent = set(self._recent.get(game.id, [])[-TOO_SOON:])
        last = set(self._recent.get(game.id, [])[-1:])
        found = random_puzzle(game, new_seed(), wished)
        for _ in range(TRIES):
            if not sides(found) & recent:
                break
            other = random_puzzle(game, new_seed(), wished)
            found = other if not sides(other) & last else found
        return found

    async def _pose(self, puzzle: Puzzle) -> None:
        game, seat = puzzle.game, puzzle.seat
        board = self.query_one(Board)
        board.names, board.turn = game.seats, frozenset((seat,))
        board.tags = ("you", "") if seat == 0 else ("", "you")
        board.show(scene_of(game, puzzle.rules, puzzle.state), at_once=True)
        await self._offer(actions_of(Match(game, puzzle.rules, start=puzzle.state), seat))
        self.puzzle = puzzle
        self._show_heading()
        self._show_about()
        self._ask(puzzle)
        self.refresh_bindings()
        self.set_focus(None)

    async def _offer(self, actions: Sequence[Action]) -> None:
        await self.close_book()
        self._make_room()
        self.query_one(Actions).offer(actions)

    def _ask(self, puzzle: Puzzle) -> None:
        self._say(question(puzzle, tally(self.progress, self.game.id).rating, self._went(), self.given))

    def _went(self) -> bool | None:
        """How the daily puzzle on the screen went when it was first tried; None if this is the first time."""
        return None if self.daily_of is None else is_solved(self.progress, self.game, self.daily_of)

    # Answering

    def on_actions_highlighted(self, event: Actions.Highlighted) -> None:
        """Show what the action would do at once, which anybody can see, and nothing that comes after."""
        puzzle, action = self.puzzle, event.action
        if puzzle is None or self.verdict:
            return
        self.query_one(Board).preview = _scene_after(puzzle, action.move) if action and action.legal else None
        self.highlighted = action
        self._show_about()

    # What is typed

    def rules_here(self) -> object:
        return self.game.book if self.puzzle is None else self.puzzle.rules

    def asked(self) -> tuple[object, object, int] | None:
        puzzle = self.puzzle
        return None if puzzle is None or self.verdict else (puzzle.rules, puzzle.state, puzzle.seat)

    def instead(self) -> str:
        return "This puzzle is answered." if self.verdict else "There is no puzzle to answer."

    def not_now(self) -> str:
        return f"That cannot be done now. {self.instead() if self.verdict else ''}".strip()

    def choices(self) -> str:
        if self.asked() is None:
            return f"Enter or {self.key_for('another')}: another one."
        legal = [action.word for action in self.query_one(Actions).offered if action.legal]
        return f"You can answer {either(legal)}."

    def show_meaning(self) -> None:
        super().show_meaning()
        self._show_about()

    async def do(self, action: Action) -> None:
        puzzle = self.puzzle
        offered = self.query_one(Actions).offered
        if puzzle is None or (action.legal and not any(each is action for each in offered)):
            return
        if action.does:
            await self.run_action(action.does)
        elif not action.legal:
            self.duelbook.complain(f"{_why_not(puzzle, action)} Nothing was counted.")
        elif self.verdict is None:
            self._answer(puzzle, action.move)

    def _answer(self, puzzle: Puzzle, move: int) -> None:
        """Judge it, and write down how it went."""
        verdict = self.verdict = judge(puzzle, move)
        id, day, solved = puzzle.game.id, self.daily_of, verdict.right and not self.given
        self.progress, after, complaint = memory.remember(
            lambda known: answered(known, id, puzzle.rating, solved, today=self.today, daily=day)
        )
        done = Answered(puzzle, move, verdict, self.given > 0, day, self._went(), self.progress, after)
        self.progress = after
        if complaint:
            self.duelbook.complain(complaint)
        self._show_standing()
        self._show_about()
        self._say(done.told(self.today))
        self.query_one(Board).preview = _scene_after(puzzle, puzzle.answer)
        keep_busy(self, "puzzle", self._offer_what_follows, puzzle)

    async def _offer_what_follows(self, puzzle: Puzzle) -> None:
        follow = self._duel_beside(1)
        went = is_solved(self.progress, follow, self.today)
        other = (
            "its puzzle of the day is still open" if went is None else f"another one there; today's is {WORDS[went]}"
        )
        next_one = "or Enter: another one, about as hard as you are good"
        play_on = f"from here as {puzzle.game.seats[puzzle.seat]}, against a perfect opponent"
        await self._offer(
            [
                Action(NO_MOVE, "another", ("n", "enter"), next_one, does="another"),
                Action(NO_MOVE, "play on", ("v",), play_on, does="look"),
                Action(NO_MOVE, short_name(follow).lower(), ("g",), other, does="turn_duel(1)"),
            ]
        )
        self.refresh_bindings()

    # Keys that work at every time

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what makes sense now is offered at the foot of the screen."""
        if action == "clue":
            return self.puzzle is not None and self.verdict is None
        if action == "turn_page":
            return any(words.max_scroll_y for words in self.query("#words"))
        return self.verdict is not None if action == "look" else True

    def action_today(self) -> None:
        """Today's puzzle. One that is on the screen and waits for an answer stays, with its clues."""
        puzzle = self.puzzle
        if puzzle is None or self.verdict or puzzle.game.id != self.game.id or self.daily_of != self.today:
            self._seek(self.today)
        else:
            another, other = self.key_for("another"), self.key_for("turn_duel(1)")
            self.duelbook.say(f"This is today's puzzle. {another}: another one, {other}: the next duel.")

    def action_another(self) -> None:
        self._seek(None)

    def action_turn_duel(self, by: int) -> None:
        """To the next duel, or the one before: to its puzzle of the day, or, where that is answered, to another."""
        self.game = self._duel_beside(by)
        if is_solved(self.progress, self.game, self.today) is None:
            self.action_today()
        else:
            self.action_another()

    def _duel_beside(self, by: int) -> Game:
        return self.games[(self.games.index(self.game) + by) % len(self.games)]

    def action_duel(self, id: str) -> None:
        self.game = next(game for game in self.games if game.id == id)
        self.action_today()

    def action_clue(self) -> None:
        """Give away a little. The first clue has its price, which is said before."""
        if self.given or self._went() is not None:
            self._give_a_clue("c")
        else:
            self.app.push_screen(Ask(PRICE, [("c", "A clue"), ("n", "No clue")], final=True), self._give_a_clue)

    def _give_a_clue(self, said: str | None) -> None:
        if said != "c" or self.puzzle is None or self.verdict is not None:
            return
        if self.given >= len(clues(self.puzzle)):
            self.duelbook.say("There are no more clues: two choices are left.")
            return
        self.given += 1
        self._ask(self.puzzle)
        self.query_one("#words").scroll_end(animate=False)

    def action_look(self) -> None:
        """Play the position on, to see with one's own eyes what the answer comes to."""
        if self.puzzle is not None:
            wish = self.duelbook.preferences.against(self.puzzle.game, self.puzzle.seat, "perfect")
            self.duelbook.begin(wish._replace(position=self.puzzle.position))

    async def action_rules(self) -> None:
        if self.reading:
            self.set_focus(None)
        await super().action_rules()
        self._make_room()

    def on_resize(self) -> None:
        self.call_after_refresh(self._make_room)

    def _make_room(self) -> None:
        """An open book takes the place of the words, or only of the record where there is room."""
        self.query_one("#beside").display = not self.reading or self.size.width >= ROOM_FOR_ALL
        self.set_class(self.reading, "reading")
        self._show_about()
        self.call_after_refresh(self.refresh_bindings)

    def action_help(self) -> None:
        moves = [*choices(self.puzzle), ""] if self.puzzle and not self.verdict else []
        self.app.push_screen(Page("Puzzles", [*moves, *HELP]))


def _why_not(puzzle: Puzzle, action: Action) -> str:
    return puzzle.game.dialogue.why_not(puzzle.rules, puzzle.state, puzzle.seat, action.move)


def _scene_after(puzzle: Puzzle, move: int) -> Scene | None:
    """What a move leads to at once; nothing where both pick, and the other one's pick is not known."""
    game, rules, state = puzzle[:3]
    return None if game.turn(rules, state) == BOTH else scene_of(game, rules, game.apply(rules, state, move))
