"""The table: a game on the full screen. Its host says what is due; people answer with keys, programs in a thread."""

from __future__ import annotations

from contextlib import suppress

from textual.binding import Binding

from duelbook.core import BOTH, DuelError
from duelbook.match import Ended, PlayerFault, TakenBack
from duelbook.record import Record
from duelbook.saves import Save
from duelbook.speech import Line, plain_lines
from duelbook.table.host import Advice, Due, Happening, TakeBack, What, sit_down
from duelbook.table.keeper import NOT_SAVED
from duelbook.table.standstill import Standstill, offer, too_early
from duelbook.table.telling import resigning, tell
from duelbook.tui.actions import Action, Actions
from duelbook.tui.background import in_background, keep_busy
from duelbook.tui.commanding import Word
from duelbook.tui.curtain import ask_about_foul, pick_in_secret
from duelbook.tui.dialogs import Ask, Page
from duelbook.tui.story import Story
from duelbook.tui.table_help import WORDS, help_page, standing
from duelbook.tui.table_screen import TableScreen

WATCHING = ("pause", "step", "pace", "faster", "slower", "take_over")
THINKING = 0.7
"""Seconds that a program seems to think when a person plays it, where motion is wanted."""


class Table(TableScreen):
    BINDINGS = [
        Binding("question_mark,f1", "help", "Help", key_display="?"),
        Binding("i,f2", "hint", "Hint"),
        Binding("z,f3", "undo", "Undo"),
        Binding("o,f4", "rules", "Rules"),
        Binding("k,f5", "coach", "Coach"),
        Binding("w,f6", "save", "Save"),
        Binding("space", "pause", "Pause"),
        Binding("n,f7", "step", "Step"),
        Binding("plus,equals_sign", "pace(-1)", "Faster", key_display="+"),
        Binding("minus", "pace(1)", "Slower", key_display="-"),
        Binding("t,f8", "take_over", "Take over"),
        Binding("x,f9", "resign", "Resign"),
        Binding("pageup", "read_on(-1)", "Scroll", show=False),
        Binding("pagedown", "read_on(1)", "Scroll", show=False),
        Binding("escape", "leave", "Quit", key_display="Esc"),
    ]
    words = WORDS
    lasting = ("undo",)

    def lasts(self, key: str) -> str:
        """To take back where nobody is asked first."""
        does = super().lasts(key)
        with suppress(DuelError):
            return does if does and not self._wish_to_take_back().agree else ""
        return ""

    def _wish_to_take_back(self) -> TakeBack:
        seat = self.people[0] if len(self.people) == 1 else self.match.next_seat()
        return self.host.may_take_back(seat)

    def __init__(
        self, record: Record, save: Save | None, copy: Save | None = None, *, coaching: bool = False, preface: str = ""
    ) -> None:
        super().__init__(sit_down(record, save, copy, self._disk_failed, coaching=coaching), preface)
        self.lost = False
        """Whether the game could not be written when it was put aside."""
        self.curtain_drawn = False

    def on_mount(self) -> None:
        self.show_the_game_so_far()
        self.host.keeper.write()
        self._go_on()

    # What comes next

    def _go_on(self) -> None:
        """Let whoever is next act; called after everything that changes the position."""
        keep_busy(self, "drive", self._drive)

    async def _drive(self) -> None:
        while due := self.host.due():
            ours = self.ours()
            if ours is not None:
                self.offer(ours)
                return
            if due[0].what is What.OVER:
                self.offer_to_look_back()
                return
            if self.match.turn == BOTH and self.people:  # a person has picked, and the answer to that comes at once
                self.query_one(Actions).offer([])
            else:
                self.offer_nothing()
                await self.pace.wait(self._usual_pause)
            for each in due:
                if await self._let_act(each):
                    return  # a person is being asked, and their answer goes on

    def _usual_pause(self) -> float:
        """So long that people can follow; as long as they like while they watch."""
        if self.watching:
            return self.duelbook.preferences.pace
        return THINKING if self.app.animation_level != "none" else 0.0

    async def _let_act(self, due: Due) -> bool:
        """Luck acts for a program, or it decides, off the screen's own thread: a slow one must not freeze the keys.

        True while a person is being asked about what came of it: the next turn does not begin before they answer.
        """
        if due.what is What.DRAW:
            self.begin_a_draw()
            return self._tell(self.host.draw(due))
        said = await in_background(self.host.question(due))
        if self.watching and not isinstance(said, PlayerFault):
            self.show_thoughts(due.seat)  # at a table with people it could tell of a pick that is not revealed
        return self._tell(self.host.answer(due, said))

    # What people do

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what makes sense now is offered at the foot of the screen."""
        if action in WATCHING:
            return self.watching and self.match.outcome is None
        if action == "hint":
            return self.ours() is not None
        if action == "look_back":
            return self.match.outcome is not None
        if action == "stop":
            return bool(self.people) and self.host.may_stop
        if action in ("undo", "resign"):
            return bool(self.people) and (action == "undo" or self.match.outcome is None)
        return True

    def why_not_now(self, word: Word) -> str:
        if self.people and self.match.outcome is None:
            if word.runs == "look_back":
                return "The game is not over yet: that comes after it."
            if word.runs == "stop":
                return too_early(self.match)
            if word.runs in WATCHING:
                return "That is for games of two programs that one watches."
        return super().why_not_now(word)

    def own_letters(self) -> set[str]:
        """The keys for watching are letters as all others where one plays."""
        return super().own_letters() - (set() if self.watching else {"n", "t"})

    async def do(self, action: Action) -> None:
        if action.does:
            await self.run_action(action.does)
        elif due := self.ours(What.ASK):
            self._choose(due, action)

    def action_draw(self) -> None:
        if due := self.ours(What.DRAW):
            self._tell(self.host.draw(due))
            self._go_on()

    def action_draw_the_curtain(self) -> None:
        if self.ours(What.CURTAIN) and not self.curtain_drawn:
            self.curtain_drawn = True
            keep_busy(self, "curtain", self._behind_the_curtain)

    def _choose(self, due: Due, action: Action) -> None:
        game, question = self.match.game, (self.match.rules, self.match.state, due.seat)
        if game.foul(*question, action.move):
            self.app.push_screen(
                ask_about_foul(self.match, due.seat),
                lambda said: self._play(due, action.move) if said == "y" else None,
            )
        elif not action.legal:
            self.app.notify(game.dialogue.why_not(*question, action.move), severity="warning", markup=False)
        else:
            self._play(due, action.move)

    def _play(self, due: Due, move: int) -> None:
        try:
            told = self.host.answer(due, move)
        except DuelError as error:
            self.app.notify(str(error), severity="warning", markup=False)
            return
        if told and not self._tell(told):
            self._go_on()

    async def _behind_the_curtain(self) -> None:
        try:
            told = await pick_in_secret(self.app, self.host)
        finally:
            self.curtain_drawn = False
        if told is None:
            self.leave()
        elif not self._tell(told):
            self._go_on()

    # What happened

    def _tell(self, happenings: list[Happening]) -> bool:
        """Show it. True while a player is being asked what to do about what the coach has spoken of."""
        if self.host.left or not self.is_mounted or not self.query(Story):  # it is being taken down
            return False
        advice = [each for each in happenings if isinstance(each, Advice)]
        for each in happenings:
            if isinstance(each, Advice):
                self.query_one(Story).tell([Line(f"{self._coach_to(each)}: {each.sentence}", "calm")])
                continue
            self.query_one(Story).tell(tell(self.match, each, self.people))
            self.show_position(at_once=isinstance(each, TakenBack))
            if not isinstance(each, Ended):
                self.refresh_bindings()
        if advice:
            self.prompt("The coach has a word.")
            self.query_one(Actions).offer([])  # they were those of the position before
            self._ask_about(advice)
        for each in happenings:
            if isinstance(each, Standstill) and not advice:
                self.ask_whether_to_stop(each)
                return True
        return bool(advice)

    def _ask_about(self, slips: list[Advice]) -> None:
        """Of one after the other: try again, see why, or leave it; a pick stands, since both have seen it."""
        advice, *others = slips
        again = [("t", "Try again")] if advice.may_take_back else []
        show, keep = ("s", "Show me"), ("g", "Keep it" if advice.may_take_back else "Go on")  # K turns the coach off
        coach = self._coach_to(advice)
        title = f"The {coach[0].lower()}{coach[1:]}"

        def answered(said: str | None) -> None:
            if said == "s":
                self.query_one(Story).tell([Line(f"{coach}: {line}", "calm") for line in advice.why])
                self.app.push_screen(Ask("\n".join(advice.why), [*again, keep], title), answered)
                return
            if said == "t":
                self._tell(self.host.take_back(self.host.may_take_back(advice.seat)))
            elif others:
                self._ask_about(others)
                return
            self._go_on()

        self.app.push_screen(Ask(advice.sentence, [*again, show, keep], title), answered)

    def _coach_to(self, advice: Advice) -> str:
        """Who speaks, and to whom where two people look at the screen and one of them is `you`."""
        return f"Coach, to {self.match.names[advice.seat]}" if len(self.people) > 1 else "Coach"

    def _disk_failed(self, sentence: str) -> None:
        self.app.notify(plain_lines(sentence), severity="error", timeout=10, markup=False)

    # Keys that work at every turn

    def action_help(self) -> None:
        due = self.ours()
        lines = help_page(self.match, None if due is None else due.seat, self.key_for, self.people)
        self.app.push_screen(Page(self.match.game.name, lines))

    def action_undo(self) -> None:
        self._begin_anew()
        try:
            wish = self._wish_to_take_back()
        except DuelError as error:
            self.app.notify(str(error), severity="warning", markup=False)
            return

        def undo(said: str | None = "y") -> None:
            if said == "y":
                self._tell(self.host.take_back(wish))
                self.refresh_bindings()
                self._go_on()

        if wish.agree:
            question = f"Do both of you agree to take back {wish.words}?"
            self.app.push_screen(Ask(question, [("y", "Yes"), ("n", "No")], grave=True), undo)
        else:
            undo()

    def action_status(self) -> None:
        self.app.push_screen(Page(self.match.game.name, standing(self.match)))

    def action_save(self, name: str | None = None) -> None:
        try:
            said = self.host.keeper.keep(name)
        except DuelError as error:
            self.duelbook.complain(str(error))
        else:
            self.app.notify(plain_lines(said), timeout=6, markup=False)

    def action_stop(self) -> None:
        self.ask_whether_to_stop(offer(self.match, len(self.people)))

    def ask_whether_to_stop(self, still: Standstill) -> None:
        """Offer to have the bell rung now, where that can be; a person who plays a program need not ask anybody."""
        both = "Do both of you agree to stop?" if len(self.people) == 2 else "Stop now?"

        def answered(said: str | None) -> None:
            if said == "s" and self.host.may_stop:
                self._tell(self.host.stop())
            self._go_on()

        self.prompt("Stop, or play on?" if still.may_stop else "")
        question = f"{still.why} {both if still.may_stop else still.how}"
        answers = [*([("s", "Stop, no result")] if still.may_stop else []), ("p", "Play on")]
        self.app.push_screen(Ask(question, answers, final=True), answered)

    def action_resign(self) -> None:
        """Ask first; where both are to decide, also which of two people it is."""
        match = self.match
        seats = self.people if match.turn == BOTH or len(self.people) == 1 else (match.next_seat(),)
        keys = {("y" if len(seats) == 1 else str(seat + 1)): seat for seat in seats}

        def resign(said: str | None) -> None:
            if said in keys and match.outcome is None:
                self._tell(self.host.resign(keys[said]))
                self._go_on()

        if len(seats) == 1:
            question = resigning(match, seats[0], self.people)
            answers = [("y", "Resign")]
        else:
            question = "Who resigns and loses this game?"
            answers = [(key, match.names[seat]) for key, seat in keys.items()]
        self.app.push_screen(Ask(question, [*answers, ("n", "Play on")], final=True), resign)

    # Watching

    def action_take_over(self) -> None:
        match = self.match
        answers = [(str(seat + 1), match.names[seat]) for seat in (0, 1)]

        def sit(said: str | None) -> None:
            if said in ("1", "2") and match.outcome is None:
                self._sit(int(said) - 1)

        self.app.push_screen(Ask("Whose seat do you take over?", [*answers, ("g", "Go on watching")], grave=True), sit)

    def _sit(self, seat: int) -> None:
        self.host.take_over(seat)
        self.pace.paused = False
        self.query_one(Story).tell([Line(f"You are {self.match.names[seat]} from here on.", "calm")])
        self.show_position()
        self.refresh_bindings()
        self._go_on()

    # Leaving

    def action_look_back(self) -> None:
        from duelbook.tui.aftermath import Aftermath

        if self.host.left or self.match.outcome is None:
            return
        self._put_away_and_tell()
        self.app.switch_screen(Aftermath(self.host.keeper.record, self.host.keeper.kept(), coaching=self.host.coaching))

    def leave(self) -> None:
        """Back to where one came from. The lobby offers to go on with the game, so nothing need be said."""
        self._put_away_and_tell()
        self.dismiss()

    def _put_away_and_tell(self) -> None:
        said = self.put_away()
        if self.lost:
            self._disk_failed(said)

    def put_away(self) -> str:
        """Close the game's file. What comes back says how to go on with it, if it can be gone on with."""
        if self.host.left:
            return ""
        self.workers.cancel_node(self)
        keeper, safe = self.host.keeper, self.host.leave()
        if not safe and (keeper.save or keeper.copy):
            self.lost = True
            return NOT_SAVED
        if self.match.outcome is not None or not safe:
            return ""
        return keeper.farewell()

    def on_unmount(self) -> None:
        with suppress(OSError):
            self.put_away()
