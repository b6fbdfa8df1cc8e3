"""The table: a match being played or watched. It asks the match what comes next and lets the dialogue speak."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from duelbook.coach.coach import Coach
from duelbook.core import BOTH, LUCK, OVER, DuelError
from duelbook.match import Ended, Event, Player, PlayerFault, Revealed, TakenBack
from duelbook.players import HUMAN, seat_player
from duelbook.record import Record, move_text
from duelbook.saves import Save
from duelbook.scene import scene_of
from duelbook.speech import Line, amount, plain_lines
from duelbook.table.keeper import NOT_SAVED, Keeper, let_go
from duelbook.table.telling import count_to_take_back, in_words, last_decision, tell, timeline
from duelbook.tui import book
from duelbook.tui.actions import DRAW_MOVE, Action, ActionButton, Actions, actions_of
from duelbook.tui.background import in_background, keep_busy
from duelbook.tui.board import Board
from duelbook.tui.curtain import Curtain, Reveal
from duelbook.tui.dialogs import Ask, Page
from duelbook.tui.keybar import KeyBar
from duelbook.tui.menu import app_of
from duelbook.tui.one_answer import close
from duelbook.tui.pace import Pace
from duelbook.tui.people import described
from duelbook.tui.story import Story
from duelbook.tui.table_help import decider, help_page
from duelbook.tui.value import ValueBar

THINKING = 0.7
"""Seconds that a program seems to think when a person plays it, where motion is wanted."""
CURTAIN_MOVE, LOOK_BACK = -2, -3


class Table(Screen[None]):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("h", "hint", "Hint"),
        Binding("H", "hint_with_shift", "Hint", key_display="H"),
        Binding("u", "undo", "Undo"),
        Binding("r", "rules", "Rules"),
        Binding("c", "coach", "Coach"),
        Binding("s", "save", "Save"),
        Binding("p", "pause", "Pause"),
        Binding("n", "step", "Step"),
        Binding("plus,equals_sign", "faster", "Faster", key_display="+"),
        Binding("minus", "slower", "Slower", key_display="-"),
        Binding("t", "take_over", "Take over"),
        Binding("x", "resign", "Resign"),
        Binding("pageup", "turn_page(-1)", "Scroll", show=False),
        Binding("pagedown", "turn_page(1)", "Scroll", show=False),
        Binding("q,escape", "leave", "Leave"),
    ]

    def __init__(
        self, record: Record, save: Save | None, copy: Save | None = None, *, coaching: bool = False, preface: str = ""
    ) -> None:
        super().__init__()
        match = self.match = record.match
        self.keeper = Keeper(record, save, copy, self._disk_failed)
        self.players: list[Player | None] = [
            seat_player(kind, match.luck.seat_seed(seat)) for seat, kind in enumerate(record.seats)
        ]
        self.keeper.players = self.players
        self.coaching = coaching
        self.coach = Coach(match)
        self.preface = preface
        self.coach_is_awake = False
        """Before that the coach would have to solve the duel first, and nobody waits for that."""
        self.put_aside = False
        self.lost = False
        """Whether the game could not be written when it was put aside."""
        self.curtain_drawn = False
        self.pace = Pace()
        self._pending: list[Line] = []
        """What is told once the curtain has gone."""
        match.listen(self._hear)

    # What it looks like

    def compose(self) -> ComposeResult:
        yield Static(id="heading")
        yield ValueBar(id="value")
        with Horizontal(id="middle"):
            yield Board(id="board")
            yield Story(id="story")
        yield Static(id="thoughts")
        yield Static(id="prompt")
        yield Actions()
        yield KeyBar()

    def on_mount(self) -> None:
        match = self.match
        board = self.query_one(Board)
        board.names = self.query_one(ValueBar).names = match.names
        self.query_one(ValueBar).display = self.coaching
        story = self.query_one(Story)
        opening: list[Line] = match.game.dialogue.opening(match.rules, match.start, match.names)
        story.tell(line for line in opening if not line.gauge)
        story.tell([Line(self.preface, "calm")] if self.preface else [])
        for frame in timeline(self.keeper.record):
            story.tell(frame.lines)
        self._show_position(at_once=True)
        self.keeper.write()
        self._go_on()

    @property
    def kinds(self) -> tuple[str, str]:
        return self.keeper.record.seats

    @property
    def people(self) -> tuple[int, ...]:
        return tuple(seat for seat in (0, 1) if self.players[seat] is None)

    @property
    def watching(self) -> bool:
        return not self.people

    def _show_position(self, *, at_once: bool = False) -> None:
        match, board = self.match, self.query_one(Board)
        board.show(scene_of(match.game, match.rules, match.state), at_once=at_once)
        acting = match.to_act() or ((match.next_seat(),) if match.outcome is None else ())
        board.turn = frozenset(acting)
        alone = len(self.people) == 1
        board.tags = (
            described(self.kinds[0], alone=alone),
            described(self.kinds[1], alone=alone),
        )
        self._show_heading()
        self._show_value()

    def _show_heading(self) -> None:
        match = self.match
        if match.outcome is not None:
            whose = match.verdict()
        elif match.turn == BOTH:
            whose = "both pick"
        else:
            whose = f"{match.names[match.next_seat()]} to move"
        turn = f"turn {match.turns + 1}" if match.outcome is None else f"after {amount(match.turns, 'turn')}"
        state = (
            f"  [{'paused' if self.pace.paused else 'watching'}, {self.app_pace:g} s a move]" if self.watching else ""
        )
        self.query_one("#heading", Static).update(
            Content.assemble(
                (match.game.name, "bold"), f"   {turn}   ", (whose, "bold $accent"), (state, "$text-muted")
            )
        )

    def _show_value(self) -> None:
        if self.coaching and self.coach_is_awake:
            self.query_one(ValueBar).show(self.coach.solution.value(self.match.state))
        elif self.coaching:
            keep_busy(self, "coach", self._wake_the_coach)

    async def _wake_the_coach(self) -> None:
        """Have the solution at hand. Under unusual rules that takes a while, and the game goes on meanwhile."""
        try:
            await in_background(lambda: self.coach.solution)
        except DuelError as error:
            self.coaching = False
            self.query_one(ValueBar).display = False
            self.app.notify(f"The coach has nothing to say here. {error}", severity="warning", markup=False)
            return
        self.coach_is_awake = True
        self._show_value()

    # What comes next

    def _go_on(self) -> None:
        """Let whoever is next act; called after everything that changes the position."""
        keep_busy(self, "drive", self._drive)

    async def _drive(self) -> None:
        match = self.match
        while match.outcome is None:
            seat = match.next_seat()
            if match.turn == BOTH:
                if len(self.people) == 2:
                    self._offer_the_curtain()
                    return
                if self.people:
                    self._ask(self.people[0])
                    return
                await self._wait_a_moment()
                for each in match.to_act():
                    await self._let_choose(each)
            elif seat in self.people:
                if match.turn == LUCK:
                    self._offer_a_card()
                else:
                    self._ask(seat)
                return
            else:
                await self._wait_a_moment()
                if match.turn == LUCK:
                    self._before_a_card()
                    match.deal()
                else:
                    await self._let_choose(seat)
        self._offer_to_look_back()

    async def _let_choose(self, seat: int) -> None:
        """Have a program decide, off the screen's own thread: a slow one must not freeze the keys.

        One that fails loses the game; but who leaves while it thinks has ended it, and that is no fault.
        """
        match, player = self.match, self.players[seat]
        if player is None or match.outcome is not None:
            return
        try:
            move = await in_background(player.choose, match.view(seat))
        except PlayerFault as fault:
            if not self.put_aside:
                match.fault(seat, fault.kind, fault.sentence)
            return
        if self.watching:  # at a table with people it could tell of a pick that is not revealed
            self._show_thoughts(seat, getattr(player, "thoughts", ""))
        match.play(seat, move)

    def _show_thoughts(self, seat: int, words: str) -> None:
        """What a program says of its thinking, below the board; those who say nothing take no room for it."""
        line = self.query_one("#thoughts", Static)
        if words:
            line.update(Content(f"{self.match.names[seat]}: {words}"))
            line.display = True

    @property
    def app_pace(self) -> float:
        return app_of(self).preferences.pace

    async def _wait_a_moment(self) -> None:
        """So long that people can follow; as long as they like while they watch."""
        self._nothing_to_choose()
        await self.pace.wait(self._usual_pause)

    def _usual_pause(self) -> float:
        if self.watching:
            return self.app_pace
        return THINKING if self.app.animation_level != "none" else 0.0

    def _nothing_to_choose(self) -> None:
        match = self.match
        if self.watching:
            words = "P pauses, N makes one step, + and - change the speed, T takes over a seat."
        else:
            words = f"{match.names[match.next_seat()]} is thinking ..."
        self._prompt(words)
        if self.query_one(Actions).offered:
            self.query_one(Actions).offer([])

    def _prompt(self, words: str, tone: str = "bold") -> None:
        self.query_one("#prompt", Static).update(Content.styled(words, tone))

    def _ask(self, seat: int) -> None:
        match, voice = self.match, self.match.game.dialogue
        where = (match.rules, match.state)
        if match.turn == BOTH:
            self._head(voice.round_heading(*where, match.turns + 1))
        else:
            self._head(line for line in voice.ask(*where, seat, match.names) if line.tone in ("turn", "calm"))
        self._prompt(voice.prompt(*where, seat, match.names).strip())
        self.query_one(Actions).offer(actions_of(match, seat))

    def _head(self, lines: Iterable[Line]) -> None:
        """Begin a turn in the story, once."""
        story, heading = self.query_one(Story), list(lines)
        if heading and [line.text for line in story.told[-len(heading) :]] != [line.text for line in heading]:
            story.tell([Line(), *heading])

    def _before_a_card(self) -> None:
        match = self.match
        self._head(match.game.dialogue.before_draw(match.rules, match.state, match.names))

    def _offer_a_card(self) -> None:
        match = self.match
        self._before_a_card()
        prompt = match.game.dialogue.draw_prompt(match.rules, match.state, match.names)
        self._prompt(prompt)
        draw = Action(DRAW_MOVE, "draw", ("enter", "d", "space"), "you choose once you have seen your card", True)
        self.query_one(Actions).offer([draw])

    def _offer_the_curtain(self) -> None:
        match = self.match
        self._head(match.game.dialogue.round_heading(match.rules, match.state, match.turns + 1))
        first = match.names[match.to_act()[0]]
        self._prompt("Both pick in secret, one after the other.")
        about = f"{first} picks first, {match.names[1 - match.to_act()[0]]} looks away"
        draw = Action(CURTAIN_MOVE, "draw the curtain", ("enter", "d", "space"), about, True)
        self.query_one(Actions).offer([draw])

    def _offer_to_look_back(self) -> None:
        match = self.match
        assert match.outcome is not None
        self._prompt(f"{match.verdict()} {match.outcome.reason}", "bold $accent")
        look = Action(LOOK_BACK, "look back", ("enter", "l"), "who won and why, and the decisions that mattered", True)
        self.query_one(Actions).offer([look])

    # What people do

    def on_action_button_highlighted(self, event: ActionButton.Highlighted) -> None:
        """Show on the board what the action would do."""
        match, action = self.match, event.action
        board = self.query_one(Board)
        if action is None or not action.legal or action.move < 0 or match.turn == BOTH:
            board.preview = None
        else:
            board.preview = scene_of(match.game, match.rules, match.game.apply(match.rules, match.state, action.move))
        if match.turn == BOTH and action.move >= 0:
            self._prompt(f"{action.word}: {action.about}.")

    def on_action_button_pressed(self, event: ActionButton.Pressed) -> None:
        self._do(event.action)

    def on_key(self, event: events.Key) -> None:
        """The keys of the actions on offer come before every other meaning of a key."""
        offered = self.query_one(Actions)
        action = offered.with_key(event.character or "") or offered.with_key(event.key)
        if action is not None:
            event.stop()
            event.prevent_default()
            self._do(action)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what makes sense now is offered at the foot of the screen."""
        if action in ("pause", "step", "faster", "slower", "take_over"):
            return self.watching and self.match.outcome is None
        if action in ("hint", "hint_with_shift"):
            taken = self._hint_is_taken()
            return self._may_ask() and taken == (action == "hint_with_shift")
        if action in ("undo", "resign"):
            return bool(self.people) and (action == "undo" or self.match.outcome is None)
        return True

    def _may_ask(self) -> bool:
        """Whether a person is to decide now."""
        return decider(self.match, self.people) is not None

    def _do(self, action: Action) -> None:
        """Do what a key or a click asks for, unless the game has moved on since it was offered: keys can come fast."""
        match = self.match
        if action.move == LOOK_BACK:
            self._look_back()
        elif action.move == CURTAIN_MOVE:
            self._draw_the_curtain()
        elif action.move == DRAW_MOVE:
            if match.turn == LUCK and match.next_seat() in self.people:
                match.deal()
                self._go_on()
        elif self._may_ask() and match.turn != LUCK:
            seat = self.people[0] if match.turn == BOTH else match.next_seat()
            if seat not in match.to_act():
                return
            question = (match.rules, match.state, seat)
            if match.game.foul(*question, action.move):
                warning = match.game.dialogue.foul_warning(*question)
                self.app.push_screen(
                    Ask(warning, [("y", "Forfeit"), ("n", "Choose another")], grave=True),
                    lambda said: self._play(seat, action.move) if said == "y" else None,
                )
            elif not action.legal:
                self.app.notify(match.game.dialogue.why_not(*question, action.move), severity="warning", markup=False)
            else:
                self._play(seat, action.move)

    def _play(self, seat: int, move: int) -> None:
        """Play a person's move; at a turn of both, the program picks as well, without having seen it."""
        rounds = self.match.turn == BOTH
        try:
            self.match.play(seat, move)
        except DuelError as error:
            self.app.notify(str(error), severity="warning", markup=False)
            return
        if rounds:
            keep_busy(self, "drive", self._answer_a_pick, 1 - seat)
        elif not self._coach_speaks(may_take_back=True):
            self._go_on()

    async def _answer_a_pick(self, seat: int) -> None:
        """Have the program pick as well; it is told the position, and nothing of what is sealed."""
        self.query_one(Actions).offer([])
        await self._let_choose(seat)
        if not self._coach_speaks(may_take_back=False):
            self._go_on()

    def _coach_speaks(self, *, may_take_back: bool) -> bool:
        """Say what the last move gave away. True while the player is being asked whether to take it back."""
        if not (self.coaching and self.coach_is_awake):
            return False
        remarks = [remark for remark in self.coach.remarks() if remark.seat in self.people]
        self.query_one(Story).tell(Line(f"Coach: {remark.sentence}", "calm") for remark in remarks)
        if not remarks or not may_take_back:
            return False

        def answered(said: str | None) -> None:
            if said == "t":
                self.match.take_back()
            self._go_on()

        self.app.push_screen(Ask(remarks[0].sentence, [("t", "Take it back"), ("k", "Keep it")], "The coach"), answered)
        return True

    def _draw_the_curtain(self) -> None:
        if not self.curtain_drawn and self.match.turn == BOTH and self.match.outcome is None:
            self.curtain_drawn = True
            keep_busy(self, "curtain", self._behind_the_curtain)

    async def _behind_the_curtain(self) -> None:
        try:
            await self._pick_in_secret()
        finally:
            self.curtain_drawn = False

    async def _pick_in_secret(self) -> None:
        """One player after the other picks; then both picks are shown at once."""
        match = self.match
        for seat in match.to_act():
            pick = await self.app.push_screen_wait(Curtain(match, seat))
            if pick is None:
                match.unseal()
                self._leave()
                return
            match.play(seat, pick)
        step = match.steps[-1]
        words = move_text(match, step.turn, step.play).split("/")
        suspense = self.app.animation_level != "none"
        told, self._pending = self._pending, []
        await self.app.push_screen_wait(Reveal(match.names, (words[0], words[1]), told, suspense=suspense))
        self.query_one(Story).tell(told)
        self._show_position()
        self._coach_speaks(may_take_back=False)
        self._go_on()

    # What happened

    def _hear(self, event: Event) -> None:
        if self.put_aside or not self.is_mounted:
            return
        lines = tell(self.match, event, self.people)
        behind = len(self.people) == 2 and self.match.turn in (BOTH, OVER)
        if behind and (isinstance(event, Revealed) or (isinstance(event, Ended) and self._pending)):
            self._pending += lines
            return
        self.query_one(Story).tell(lines)
        self._show_position(at_once=isinstance(event, TakenBack))
        if not isinstance(event, Ended):
            self.refresh_bindings()

    def _disk_failed(self, sentence: str) -> None:
        self.app.notify(plain_lines(sentence), severity="error", timeout=10, markup=False)

    # Keys that work at every turn

    def action_help(self) -> None:
        hint_key = "H" if self._hint_is_taken() else "h"
        lines = help_page(self.match, decider(self.match, self.people), hint_key, watching=self.watching)
        self.app.push_screen(Page(self.match.game.name, lines))

    def _hint_is_taken(self) -> bool:
        """Where a move has this letter in its book, the hint gives way to it."""
        return any("h" in action.keys for offered in self.query(Actions) for action in offered.offered)

    def action_hint(self) -> None:
        match = self.match
        if self._may_ask():
            keep_busy(self, "hint", self._give_a_hint, match.state)

    async def _give_a_hint(self, state: object) -> None:
        """Look it up, or work it out beside the screen; a hint for a position that has gone helps nobody."""
        match = self.match
        seats = self.people if match.turn == BOTH else (match.next_seat(),)
        if not self.coach_is_awake and match.rules != match.game.book:
            self.app.notify("The coach is thinking ...", timeout=3)
        try:
            told = [(seat, await in_background(self.coach.hint, seat)) for seat in seats]
        except DuelError as error:
            self.app.notify(f"There is no hint here. {error}", severity="warning", markup=False)
            return
        self.coach_is_awake = True
        if match.state != state or not self.is_current:
            return
        lines: list[str] = []
        for seat, hint in told:
            heading = [f"{match.names[seat]}:"] if len(seats) > 1 else []
            lines += [*([""] if lines else []), *heading, *hint]
        self.app.push_screen(Page("A hint", lines))

    def action_hint_with_shift(self) -> None:
        self.action_hint()

    def action_undo(self) -> None:
        match = self.match
        seat = self.people[0] if len(self.people) == 1 else match.next_seat()
        try:
            count = count_to_take_back(match, self.people, seat)
        except DuelError as error:
            self.app.notify(str(error), severity="warning", markup=False)
            return

        def undo(said: str | None = "y") -> None:
            if said == "y":
                for _ in range(count):
                    match.take_back()
                self.refresh_bindings()
                self._go_on()

        if len(self.people) == 2:
            ended = match.outcome is not None and match.outcome.kind == "resignation"
            what = "the resignation" if ended else in_words(match, last_decision(match))
            self.app.push_screen(Ask(f"Do both of you agree to take back {what}?", [("y", "Yes"), ("n", "No")]), undo)
        else:
            undo()

    async def action_rules(self) -> None:
        """Show the rule book beside the game, in the place of the story; once more brings the story back."""
        story = self.query_one(Story)
        if book.is_open(self):
            await book.close_book(self, story)
        else:
            await book.open_book(self, self.match.game, story)

    def action_turn_page(self, by: int) -> None:
        """Scroll the rule book, or the story where no book is open, whatever has the focus."""
        page = self.query("#rulebook") or self.query(Story)
        for each in page.results(VerticalScroll):
            each.scroll_relative(y=by * max(1, each.size.height - 2), animate=False)

    def action_coach(self) -> None:
        self.coaching = not self.coaching
        self.query_one(ValueBar).display = self.coaching
        self._show_value()
        self.app.notify(f"The coach {'watches and speaks up' if self.coaching else 'is silent'}.", timeout=2)

    def action_save(self) -> None:
        self.app.notify(plain_lines(self.keeper.keep(None)), timeout=6, markup=False)

    def action_resign(self) -> None:
        """Ask first; where both are to decide, also which of two people it is."""
        match = self.match
        seats = self.people if match.turn == BOTH or len(self.people) == 1 else (match.next_seat(),)
        keys = {("y" if len(seats) == 1 else str(seat + 1)): seat for seat in seats}

        def resign(said: str | None) -> None:
            if said in keys and match.outcome is None:
                match.resign(keys[said])
                self._go_on()

        if len(seats) == 1:
            question = f"{match.names[seats[0]]}, resign and lose this game?"
            answers = [("y", "Resign")]
        else:
            question = "Who resigns and loses this game?"
            answers = [(key, match.names[seat]) for key, seat in keys.items()]
        self.app.push_screen(Ask(question, [*answers, ("n", "Play on")], grave=True), resign)

    # Watching

    def action_pause(self) -> None:
        self.pace.pause_or_go_on()
        self._show_heading()

    def action_step(self) -> None:
        self.pace.step()
        self._show_heading()

    def action_faster(self) -> None:
        self._change_pace(-1)

    def action_slower(self) -> None:
        self._change_pace(1)

    def _change_pace(self, by: int) -> None:
        app_of(self).preferences.change_pace(by)
        self.pace.changed()
        self._show_heading()

    def action_take_over(self) -> None:
        match = self.match
        answers = [(str(seat + 1), match.names[seat]) for seat in (0, 1)]

        def sit(said: str | None) -> None:
            if said in ("1", "2") and match.outcome is None:
                self._sit(int(said) - 1)

        self.app.push_screen(Ask("Whose seat do you take over?", [*answers, ("k", "Keep watching")]), sit)

    def _sit(self, seat: int) -> None:
        self.match.unseal()  # a round that was under way is picked anew
        self.players[seat] = None
        kinds = (HUMAN, self.kinds[1]) if seat == 0 else (self.kinds[0], HUMAN)
        self.keeper.record = self.keeper.record._replace(seats=kinds)
        self.keeper.write()
        self.pace.paused = False
        self.query_one(Story).tell([Line(f"You are {self.match.names[seat]} from here on.", "calm")])
        self._show_position()
        self.refresh_bindings()
        self._go_on()

    # Leaving

    def _look_back(self) -> None:
        from duelbook.tui.aftermath import Aftermath

        if self.put_aside or self.match.outcome is None:
            return
        self._put_away_and_tell()
        self.app.switch_screen(Aftermath(self.keeper.record, self.keeper.kept()))

    def action_leave(self) -> None:
        if book.is_open(self):
            self.call_later(self.action_rules)
            return
        self._leave()

    def _leave(self) -> None:
        """Back to where one came from. The lobby offers to go on with the game, so nothing need be said."""
        self._put_away_and_tell()
        close(self)

    def _put_away_and_tell(self) -> None:
        said = self.put_away()
        if self.lost:
            self._disk_failed(said)

    def put_away(self) -> str:
        """Close the game's file. What comes back says how to go on with it, if it can be gone on with."""
        if self.put_aside:
            return ""
        self.put_aside = True
        self.workers.cancel_node(self)
        safe = self.keeper.close()
        let_go(self.players)
        if not safe and (self.keeper.save or self.keeper.copy):
            self.lost = True
            return NOT_SAVED
        if self.match.outcome is not None or not safe:
            return ""
        return f"The game is saved. {self.keeper.how_to_go_on()}"

    def on_unmount(self) -> None:
        with suppress(OSError):
            self.put_away()
