"""The screen of a table: its heading, board, story, prompt and actions. What comes next is the host's business."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from itertools import chain

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from duelbook.core import BOTH, OVER, DuelError
from duelbook.match import last_picks
from duelbook.players.whose import why_over
from duelbook.scene import scene_in_play, scene_of
from duelbook.speech import Line, amount, quote
from duelbook.table.host import Due, Host, What
from duelbook.table.telling import timeline, verdict
from duelbook.tui.actions import NO_MOVE, Action, Actions, actions_of
from duelbook.tui.background import in_background, keep_busy, patiently
from duelbook.tui.board import Board
from duelbook.tui.command import CommandLine
from duelbook.tui.commanding import Commanded
from duelbook.tui.dialogs import Page
from duelbook.tui.heading import Heading
from duelbook.tui.keybar import KeyBar
from duelbook.tui.pace import Pace
from duelbook.tui.people import described
from duelbook.tui.story import Story
from duelbook.tui.value import ValueBar


class TableScreen(Commanded):
    gives_way = "#story"
    leaves_no_trace = False

    def __init__(self, host: Host, preface: str) -> None:
        super().__init__()
        self.host, self.match, self.game = host, host.match, host.match.game
        self.preface = preface
        self.pace = Pace()
        self.on_offer: Due | None = None
        """What a person has been asked for on the screen, and since when."""
        self.offered_at = 0.0

    @property
    def kinds(self) -> tuple[str, str]:
        return self.host.keeper.record.seats

    @property
    def people(self) -> tuple[int, ...]:
        return self.host.people

    @property
    def watching(self) -> bool:
        return not self.people

    @property
    def heeds_quick_clicks(self) -> bool:
        """Whoever watches decides nothing, and may step on or change the speed as fast as they like."""
        return self.watching

    def ours(self, *wanted: What) -> Due | None:
        """What is due from a person now, if it is wanted: keys can come fast, when the game has moved on already."""
        due = next((due for due in self.host.due() if due.seat in self.people), None)
        return due if due is not None and due.what in (wanted or What) else None

    def compose(self) -> ComposeResult:
        yield Heading()
        yield ValueBar(id="value")
        with Horizontal(id="middle"):
            yield Board(id="board")
            yield Story(id="story")
        yield Static(id="thoughts")
        yield CommandLine(id="prompt")
        yield Actions()
        yield KeyBar()

    def show_the_game_so_far(self) -> None:
        match = self.match
        self.query_one(Board).names = self.query_one(ValueBar).names = match.names
        self.query_one(ValueBar).display = self.host.coaching
        opening = match.game.dialogue.opening(match.rules, match.start, match.names)
        told = [line for line in opening if not line.gauge]
        told += [Line(self.preface, "calm")] if self.preface else []
        before = timeline(self.host.keeper.record, self.people)
        self.query_one(Story).tell(chain(told, *(frame.lines for frame in before)))
        self.show_position(at_once=True)

    # The position

    def show_position(self, *, at_once: bool = False) -> None:
        match, board = self.match, self.query_one(Board)
        picks = last_picks(match.steps)
        board.show(scene_in_play(match.game, match.rules, match.state, picks), at_once=at_once)
        acting = match.to_act() or ((match.next_seat(),) if match.outcome is None else ())
        board.turn = frozenset(acting)
        board.tags = (self.tag(0), self.tag(1))
        self.show_heading()
        self.show_value()

    def tag(self, seat: int) -> str:
        """What stands beside a name on the board."""
        return described(self.kinds[seat], alone=len(self.people) == 1)

    def show_heading(self) -> None:
        match = self.match
        if match.outcome is not None:
            whose = verdict(match, self.people)
        elif match.turn == BOTH:
            whose = "both pick"
        else:
            whose = f"{match.names[match.next_seat()]} to move"
        turn = f"turn {match.turns + 1}" if match.outcome is None else f"after {amount(match.turns, 'turn')}"
        speed = self.duelbook.preferences.pace
        pace = f"  [{'paused' if self.pace.paused else 'watching'}, {speed:g} s a move]" if self.watching else ""
        head = Content.assemble((match.game.name, "bold"), f"   {turn}   ", (whose, "bold $accent"))
        speed_only = Content.assemble((match.game.name, "bold"), f"   {turn}", (pace, "$text-muted"))
        self.query_one(Heading).say(
            Content.assemble(head, (pace, "$text-muted")), *([speed_only] if pace else []), head
        )

    def show_thoughts(self, seat: int) -> None:
        """What a program says of its thinking, below the board; those who say nothing take no room for it."""
        words = getattr(self.host.players[seat], "thoughts", "")
        if words:
            line = self.query_one("#thoughts", Static)
            line.update(Content(f"{self.match.names[seat]}: {words}"))
            line.display = True

    # What is to be done

    def prompt(self, words: str, tone: str = "bold") -> None:
        self.query_one(CommandLine).ask(words, tone)

    def offer(self, due: Due) -> None:
        """Ask a person for what is due, with every action that does it."""
        match, voice = self.match, self.match.game.dialogue
        where = (match.rules, match.state)
        keys = ("enter", "d", "space")
        if match.turn == BOTH:
            self._head(voice.round_heading(*where, match.turns + 1))
        if due.what is What.CURTAIN:
            about = f"{match.names[due.seat]} picks first, {match.names[1 - due.seat]} looks away"
            curtain = Action(NO_MOVE, "draw the curtain", keys, about, does="draw_the_curtain")
            self._offer("Both pick in secret, one after the other.", [curtain])
        elif due.what is What.DRAW:
            self.begin_a_draw()
            chance = match.game.chance
            about = f"you choose once you have seen your {chance.face}"
            draw = Action(NO_MOVE, chance.draw, keys, about, does="draw")
            self._offer(voice.draw_prompt(*where, match.names), [draw])
        else:
            if match.turn != BOTH:
                asked = voice.ask(*where, due.seat, match.names)
                self._head(line for line in asked if line.tone in ("turn", "calm"))
            self._offer(voice.prompt(*where, due.seat, match.names).strip(), actions_of(match, due.seat))

    def offer_to_look_back(self) -> None:
        match = self.match
        assert match.outcome is not None
        about = "who won and why, and the decisions that mattered"
        look = Action(NO_MOVE, "look back", ("enter", "l"), about, does="look_back")
        why = why_over(match.outcome, match.names, self.people)
        self._offer(f"{verdict(match, self.people)} {why}", [look], "bold $accent")

    def _offer(self, words: str, actions: list[Action], tone: str = "bold") -> None:
        self.prompt(words, tone)
        self.query_one(Actions).offer(actions)
        self.on_offer, self.offered_at = self.ours(), events.Event().time  # by the clock that keys carry
        self.query(KeyBar).first().answer("")  # of a key that meant nothing before this was asked
        self.show_meaning()  # of what was typed while somebody else had the turn

    def offer_nothing(self) -> None:
        """While a program thinks, or while people watch."""
        match = self.match
        if self.watching:
            words = "Space pauses, N makes one step, + and - change the speed, T takes over a seat."
        else:
            words = f"{match.names[match.next_seat()]} is thinking ..."
        self.prompt(words)
        if self.query_one(Actions).offered:
            self.query_one(Actions).offer([])

    def begin_a_draw(self) -> None:
        match = self.match
        self._head(match.game.dialogue.before_draw(match.rules, match.state, match.names))

    def _head(self, lines: Iterable[Line]) -> None:
        """Begin a turn in the story, once."""
        story, heading = self.query_one(Story), list(lines)
        if heading and [line.text for line in story.told[-len(heading) :]] != [line.text for line in heading]:
            story.tell([Line(), *heading])

    def on_actions_highlighted(self, event: Actions.Highlighted) -> None:
        """Show on the board what the action would do."""
        match, action, line = self.match, event.action, self.query_one(CommandLine)
        move = NO_MOVE if action is None else action.move
        board = self.query_one(Board)
        board.preview = None
        if match.turn == BOTH and not line.text:
            line.explain(f"{action.word}: {action.about}." if action is not None and move != NO_MOVE else "")
        elif action is not None and move != NO_MOVE and action.legal and match.turn != BOTH:
            board.preview = scene_of(match.game, match.rules, match.game.apply(match.rules, match.state, move))

    # What is typed

    def rules_here(self) -> object:
        return self.match.rules

    def ready(self, event: events.Key) -> bool:
        """A key for what came before says nothing about what is asked now, and was pressed before that was shown."""
        return self.ours() == self.on_offer and event.time >= self.offered_at

    def asked(self) -> tuple[object, object, int] | None:
        due = self.ours(What.ASK)
        return None if due is None or due != self.on_offer else (self.match.rules, self.match.state, due.seat)

    def instead(self) -> str:
        chance = self.game.chance
        if self.ours(What.DRAW):
            later = f"You choose once you have seen your {chance.face}."
            return f"First {chance.draw}: press Enter with nothing typed. {later}"
        if self.ours(What.CURTAIN):
            return "First draw the curtain: press Enter with nothing typed. You pick behind it."
        return self.not_now()

    def not_now(self) -> str:
        if self.match.outcome is not None:
            return "The game is over. Press Enter to look back on it."
        if self.watching:
            return "You watch this game; T takes over a seat."
        return "It is not your turn." if self.ours() is None else "That cannot be done now."

    def choices(self) -> str:
        where = self.asked()
        return "" if where is None else self.match.choices(where[2])

    # The coach: who is ahead, and a hint for whoever asks

    def show_value(self) -> None:
        bar, match = self.query_one(ValueBar), self.match
        # A game that was resigned or lost by a fault is over, whatever its position would be worth.
        bar.over = match.outcome is not None and match.game.turn(match.rules, match.state) != OVER
        if self.host.coaching and self.host.coach_is_awake:
            coach, state = self.host.coach, match.state
            whose = next(iter(self.people), 0)
            bar.show(coach.solution.value(state), coach.second_number(), whose, alone=len(self.people) == 1)
            if coach.odds_wanted:
                keep_busy(self, "odds", self._find_odds)
        elif self.host.coaching:
            keep_busy(self, "coach", self._wake_the_coach)

    async def _wake_the_coach(self) -> None:
        """Have the solution at hand. Under unusual rules that takes a while, and the game goes on meanwhile."""
        try:
            await in_background(self.host.wake_the_coach)
        except DuelError as error:
            self.host.coaching = self.query_one(ValueBar).display = False
            self.app.notify(f"The coach has nothing to say here. {error}", severity="warning", markup=False)
        self.show_value()

    async def _find_odds(self) -> None:
        """Have the chance against this very opponent at hand, too; until then the bar says that it is to come."""
        coach = self.host.coach
        await in_background(coach.find_odds)
        coach.odds_promised = coach.odds_take_a_while
        self.show_value()
        if coach.odds_promised:
            await in_background(coach.work_out_odds)
            self.show_value()

    def before_a_key(self) -> Callable[[], Awaitable[None]]:
        book, coaching = super().before_a_key(), self.host.coaching

        async def set_back() -> None:
            await book()
            if self.host.coaching != coaching:
                self.action_coach("on" if coaching else "off")

        return set_back

    def action_coach(self, wanted: str = "") -> None:
        """Turn the coach on or off; `wanted` says which, where that was typed."""
        if wanted and wanted.lower() not in ("on", "off"):
            self.duelbook.complain(f"The coach is on or off, and cannot be {quote(wanted)}.")
            return
        coaching = wanted.lower() == "on" if wanted else not self.host.coaching
        self.host.coaching = self.query_one(ValueBar).display = coaching
        self.show_value()
        self.app.notify(f"The coach {'watches and speaks up' if coaching else 'is silent'}.", timeout=2)

    def action_hint(self) -> None:
        if self.ours() is not None:
            keep_busy(self, "hint", self._give_a_hint, self.match.state)

    async def _give_a_hint(self, state: object) -> None:
        """Look it up, or work it out beside the screen; a hint for a position that has gone helps nobody."""
        match = self.match
        seats = self.people if match.turn == BOTH else (match.next_seat(),)
        try:
            if not self.host.coach_is_awake and match.rules != match.game.book:
                await patiently(self, "hint", "The coach works out these rules ...", self.host.wake_the_coach)
            told = [(seat, await in_background(self.host.hint, seat)) for seat in seats]
        except DuelError as error:
            self.app.notify(f"There is no hint here. {error}", severity="warning", markup=False)
            return
        if match.state != state or not self.is_current:
            return
        lines: list[str] = []
        for seat, hint in told:
            heading = [f"{match.names[seat]}:"] if len(seats) > 1 else []
            lines += [*([""] if lines else []), *heading, *hint]
        self.app.push_screen(Page("A hint", lines))

    # How fast it goes on where people watch

    def action_pause(self) -> None:
        self.pace.pause_or_go_on()
        self.show_heading()

    def action_step(self) -> None:
        self.pace.step()
        self.show_heading()

    def action_pace(self, by: int) -> None:
        self.duelbook.preferences.change_pace(by)
        self.pace.changed()
        self.show_heading()

    def action_faster(self) -> None:
        self.action_pace(-1)

    def action_slower(self) -> None:
        self.action_pace(1)

    def action_read_on(self, pages: int) -> None:
        """Scroll the rule book, or the story where no book is open."""
        self.action_turn_page("#rulebook" if self.reading else "#story", pages)
