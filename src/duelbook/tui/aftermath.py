"""After the game: who won and why, how the lead went back and forth, what mattered most, luck and skill."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Button, Static

from duelbook.coach.decision import Decision
from duelbook.coach.report import cost, flawless, had_lost, in_words, sum_terms, two_numbers, worst
from duelbook.coach.review import Average, Review, averages
from duelbook.coach.words import SIGNS
from duelbook.core import FIRST, SECOND, settings
from duelbook.players import people_in
from duelbook.players.whose import why_over
from duelbook.record import Record
from duelbook.saves import Save
from duelbook.speech import amount, plain
from duelbook.table.invitation import Invitation, has_first_player
from duelbook.table.telling import verdict
from duelbook.tui.actions import command_words
from duelbook.tui.background import keep_busy
from duelbook.tui.climb import Climb, against, look_for
from duelbook.tui.dialogs import Page
from duelbook.tui.menu import Choosable
from duelbook.tui.naming import Name, Named
from duelbook.tui.prose import broken
from duelbook.tui.recorded import LookingBack, clip
from duelbook.tui.themes import SEATS
from duelbook.tui.value import ValueGraph

MOST = 3
"""So many decisions are shown."""


class WayOn(NamedTuple):
    """Something that can be done now."""

    key: str
    action: str
    label: str
    about: str


# Each must fit behind the keys at the foot of the smallest window.
CHOICES = (
    WayOn("n", "rematch", "Rematch", "Once more, with seats swapped."),
    WayOn("g", "again", "Again", "Once more, with the same seats."),
    WayOn("v", "review", "Review", "Turn by turn, and try other moves."),
    WayOn("p", "picture", "Picture", "Save this page as a picture (SVG)."),
    WayOn("d", "keep", "Record", "Save the game as a .duel file."),
    WayOn("q", "dismiss", "Leave", "Back to where you came from."),
)

OVER = "The game is over: N plays once more with seats swapped, G with the same."

UPWARDS = "L     The next level: your record says that it is time for it."

HELP = (
    f"1-{MOST}   One of the decisions that mattered most: look at it.",
    "",
    "Page Up and Page Down scroll where the window is small. Arrows walk, Enter chooses; everything can be clicked.",
    "",
    "The curve shows who was ahead after every turn; a click on it goes there. ?? blunder, ? mistake, ?! inaccuracy. "
    "Luck and skill add up to the result.",
    "",
    "Lost 6 moves sooner: it was lost already, and another move would have held out 6 moves longer.",
    "Against level 2 or the like: your chance if you had played perfectly from there, and they as they do.",
)


def rematch(record: Record, *, swapped: bool) -> Invitation:
    """The same duel once more. Players take their names along to the other seat; what the seats are called stays."""
    match, game = record.match, record.match.game
    names = tuple(None if name in game.seats else name for name in match.names)
    kinds = record.seats
    if swapped:
        names, kinds = names[::-1], (kinds[1], kinds[0])
    starts = [game.start(match.rules, seat) for seat in (0, 1)]
    standard = match.start in starts
    return Invitation(
        game,
        kinds,
        (names[0], names[1]),
        first=str(starts.index(match.start) + 1) if standard and has_first_player(game) else None,
        rules=tuple(settings(game, match.rules)),
        position=None if standard else game.write_position(match.rules, match.start),
        max_turns=match.max_turns,
    )


class Aftermath(LookingBack, Named[None]):
    """The page that a finished game leads to."""

    lasting = ("rematch", "again", "climb")
    BINDINGS = [
        *(Binding(choice.key, choice.action, choice.label, show=False) for choice in CHOICES),
        Binding("question_mark", "help", "Help", show=False),
        Binding("escape", "dismiss", "Leave", show=False),
        Binding("l", "climb", "Next level", show=False),
        *(Binding(str(number), f"moment({number})", "Look at it", show=False) for number in range(1, MOST + 1)),
        Binding("right,down", "app.focus_next", show=False),
        Binding("left,up", "app.focus_previous", show=False),
        Binding("pagedown", "turn_page('#after-page', 1)", show=False),
        Binding("pageup", "turn_page('#after-page', -1)", show=False),
    ]

    ways_on: tuple[WayOn, ...] = CHOICES

    def __init__(self, record: Record, save: Save | None, *, coaching: bool | None = None) -> None:
        """`coaching` is whether the coach spoke at the table, and so does at the next one; None for as usual."""
        super().__init__(record)
        self.save, self.coaching = save, coaching
        self._answer = ""
        """What was said of the last key or word, until one walks on."""

    # What it looks like

    def compose(self) -> ComposeResult:
        match = self.match
        verdict = Static(_verdict(self.record), id="after-verdict")
        verdict.border_title = f"{match.game.name}, {amount(match.turns, 'turn')}"
        if self.save is not None:  # the name of a file is not markup, whatever it looks like
            verdict.border_subtitle = Content(f"kept as {plain(self.save.id)}")
        yield verdict
        with VerticalScroll(id="after-page", can_focus=False):
            yield ValueGraph(names=match.names, id="curve")
            with Horizontal(id="after-findings"):
                yield Vertical(id="after-moments")
                yield Sums(id="after-sums")
        yield Static(id="after-about")
        with Horizontal(id="after-choices"):
            for choice in self.ways_on:
                label = Content.assemble((f" {choice.key.upper()} ", "bold reverse"), f" {choice.label}")
                yield Button(label, name=choice.action)

    def on_mount(self) -> None:
        self.query(Button).first().focus()
        page = self.query_one("#after-page")
        for what in ("scroll_y", "virtual_size", "show_vertical_scrollbar"):  # whatever decides whether more is below
            self.watch(page, what, self._more_or_less, init=False)
        if self.save is not None:
            keep_busy(self, "climb", self._perhaps_climb)

    async def _perhaps_climb(self) -> None:
        offer = await look_for(self.record)
        if offer is not None:
            await self.query_one("#after-page").mount(offer, before=0)
            self.refresh_bindings()

    async def show_review(self, found: Review) -> None:
        self.query_one(Sums).show(found)
        moments = self.query_one("#after-moments")
        lost = worst(found.decisions)[:MOST]
        title = "What mattered most" if lost else "What mattered"
        rows = (Moment(number, each, found) for number, each in enumerate(lost, 1))
        await moments.mount(
            Static(Content.styled(title, "bold")), *rows if lost else [Static(flawless(found, yours=True))]
        )

    # What can be done

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        self.show_typed("")

    def _more_or_less(self) -> None:
        """What is below the window has changed, and is known once it is drawn."""
        self.call_after_refresh(self._look_again)

    def _look_again(self) -> None:
        """A word that is typed stays, and so does the answer to one, which can take a line more than what it covers."""
        if not self._answer:
            self._say_what_there_is()

    def _say_what_there_is(self) -> None:
        """What the highlighted button would do, and that there is more to read where the window is too small for it."""
        here = self.focused
        about = {choice.action: choice.about for choice in CHOICES}.get((here and here.name) or "", "")
        if isinstance(here, Moment):
            about = "Look at this moment of the game."
        elif isinstance(here, Climb):
            about = "The same against the next level."
        page = self.query_one("#after-page")
        more = Content.assemble(("PgDn", "bold $accent"), " More   ")
        more = more if page.scroll_y < page.max_scroll_y else Content()
        self.write("after-about", Content.assemble(("?", "bold $accent"), " Help   ", more, (about, "$text-muted")))

    def has_room_for(self, words: str) -> bool:
        return True  # the line about the ways on grows with its words

    def show_typed(self, words: str) -> None:
        self._answer = words
        if words:
            self.write("after-about", Content(words))
        else:
            self._say_what_there_is()

    def what_works(self) -> str:
        ways = ", ".join(f"{choice.key.upper()}: {choice.label}" for choice in self.ways_on)
        return f"{ways}, ?: Help."

    def names(self) -> dict[str, Name]:
        """The ways on by what they are called; and what was a command while the game went on, which is over."""
        words = command_words(self.match.game, self.match.rules)
        ways = {choice.label.lower(): Name(choice.action, choice.about) for choice in self.ways_on}
        also = {"look back": "review", "replay": "review", "save": "keep", "back": "dismiss", "quit": "dismiss"}
        abouts = {choice.action: choice.about for choice in self.ways_on}
        ways |= {word: Name(action, abouts[action]) for word, action in also.items() if action in abouts}
        ways["help"] = Name("help", "every key")
        return {word.lower(): Name("remind", OVER) for word in words if not word.isdigit()} | ways

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "climb" or bool(self.query(Climb))

    def refusal(self, typed: str, found: Sequence[Name]) -> str:
        """What begins like a command, too, is answered as the command: whoever typed it wanted to play on."""
        over = any(each.runs == "remind" for each in found)
        return OVER if over else super().refusal(typed, found)

    def action_remind(self) -> None:
        self.show_typed(OVER)

    async def on_button_pressed(self, event: Button.Pressed) -> None:
        await self.run_action(event.button.name or "")

    def on_value_graph_chosen(self, event: ValueGraph.Chosen) -> None:
        self.duelbook.open_replay(self.record, event.turn, yours=True)

    def action_help(self) -> None:
        ways = [f"{choice.key.upper()}     {choice.about}" for choice in self.ways_on]
        upwards = [UPWARDS] if self.query(Climb) else []
        self.app.push_screen(Page("After the game", [*ways, *upwards, *HELP]))

    def action_moment(self, number: int) -> None:
        for moment in self.query(Moment)[number - 1 : number]:
            self.duelbook.open_replay(self.record, moment.decision.turn, yours=True)

    def action_review(self) -> None:
        self.duelbook.open_replay(self.record, yours=True)

    def action_rematch(self, *, swapped: bool = True) -> None:
        self.duelbook.begin(rematch(self.record, swapped=swapped), coach=self.coaching, instead_of=self)

    def action_climb(self) -> None:
        """The same once more, against the next level, where that was offered."""
        for offer in self.query(Climb):
            wish = against(rematch(self.record, swapped=False), offer.said)
            self.duelbook.begin(wish, coach=self.coaching, instead_of=self)

    def action_again(self) -> None:
        self.action_rematch(swapped=False)


def _verdict(record: Record) -> Content:
    """Who won, and why, in two lines: to the people who have just played. A person who lost gets no stars."""
    match, people = record.match, people_in(record.seats)
    outcome, words = match.outcome, verdict(match, people)
    won = outcome is not None and outcome.winner in (people if len(people) == 1 else (FIRST, SECOND))
    words = f"★  {words}  ★" if won else words
    reason = f"The game is unfinished: turn {match.turns + 1}."
    if outcome is not None:
        reason = why_over(outcome, match.names, people)
    return Content.assemble((words, "bold $accent"), "\n", reason)


INDENT, BETTER = " " * 4, "better:"


class Moment(Choosable, Static):
    """A decision that cost a lot, with what would have been better. Its number, Enter or a click leads there."""

    def __init__(self, number: int, decision: Decision, found: Review) -> None:
        super().__init__(classes="moment")
        self.decision, self.does = decision, f"moment({number})"
        alone = people_in(found.record.seats) == (decision.seat,)
        name = "you" if alone else clip(found.match.names[decision.seat], 12)
        self.head = Content.assemble(
            (f" {number} ", "bold reverse"),
            f" Turn {decision.turn}, ",
            (name, SEATS[decision.seat]),
            ": ",
            (decision.move, "bold"),
            (f" {SIGNS.get(decision.mark, '')}", "bold $error"),
        )
        self.cost, self.better = cost(found, decision), in_words(decision.better)

    def on_resize(self) -> None:
        self.update(Content("\n").join([self.head, self._about(self.content_size.width)]))

    def _about(self, width: int) -> Content:
        """What it cost and what was better, below each other where they do not fit beside each other."""
        whole = f"{INDENT}{self.cost}, {BETTER} {self.better}"
        parts = [whole]
        if len(whole) > width:
            lost, bracket, against = f"{INDENT}{self.cost},".partition(" (")
            costs = [f"{lost}{bracket}{against}"]
            if len(costs[0]) > width and bracket:
                costs = [lost, f"{INDENT}({against}"]
            parts = [*costs, f"{INDENT}{BETTER} {self.better}"]
        text = "\n".join(piece for part in parts for piece in broken(part, max(width, 20)))
        return Content.styled(text, "$text-muted").stylize("bold $success", text.index(BETTER) + len(BETTER))


BAR_FROM = 54
"""Cells from which on the terms of the sum are drawn as well."""


class Sums(Static):
    """The result as a sum: where it began, what luck did, what each player's decisions gave away."""

    found: Review | None = None

    def show(self, found: Review) -> None:
        self.found = found
        self.on_resize()

    def on_resize(self) -> None:
        if self.found is not None:
            self.update(Content("\n").join(self._lines(self.found, self.content_size.width)))

    def _lines(self, found: Review, width: int) -> list[Content]:
        terms = sum_terms(found)
        room = width - 11 - (22 if width >= BAR_FROM else 0)
        people, names = people_in(found.record.seats), found.match.names
        yours = {f"{names[seat]}'s decisions": "your decisions" for seat in people} if len(people) == 1 else {}
        terms = [(yours.get(words, words), part) for words, part in terms]
        longest = min(room, max(20, *(len(words) for words, _ in terms)))
        if people == (SECOND,):  # to whom only their own chances mean something
            terms = [(words, 10_000 - part if at == 0 else -part) for at, (words, part) in enumerate(terms)]
        whose = "your wins" if len(people) == 1 else f"wins of {clip(found.match.names[0], 12)}"
        lines = [Content.assemble(("Luck and skill", "bold"), (f"  ({whose})", "$text-muted"))]
        for at, (words, hundredths) in enumerate(terms):
            lines.append(_term(words, hundredths, longest, total=at == 0, drawn=width >= BAR_FROM))
        end = "the last position" if found.unfinished else "the result"
        lines.append(_term(end, sum(part for _, part in terms), longest, total=True, drawn=width >= BAR_FROM))
        # Seen without scrolling.
        said = [piece for line in two_numbers(found, yours=bool(yours))[-1:] for piece in broken(line, max(width, 20))]
        lines += [Content.styled(piece, "bold") for piece in said]
        for each in averages([found]):
            you = bool(yours) and each.name == names[people[0]]
            told = _given_away(each, "" if found.odds is None else found.odds.label, you, width)
            lines += [Content.styled(piece, "$text-muted") for line in told for piece in broken(line, max(width, 20))]
        return lines


def _given_away(each: Average, against: str, you: bool, width: int) -> list[str]:
    """What a player gave away under perfect play, and against whom they met, where that is known.

    Who had lost under perfect play may have given away a lot against this opponent: then it is a sentence of its own.
    Decisions with nothing left to lose are counted: an average over them says little.
    """
    lost = bool(each.decisions) and each.already_lost == each.decisions
    loss = f"gave away {100 * each.mean:.2f} % a decision" if each.decisions else "decided nothing"
    loss = "had lost to perfect play before the first decision" if lost else loss
    who = "You" if you else clip(each.name, max(12, width - len(loss) - 1))
    partly = not lost and each.already_lost
    nothing_to_lose = [f"  in {amount(each.decisions, 'decision')}{had_lost(each)}"] if partly else []
    if each.mean_here is None or not against:
        return [f"{who} {loss}", *nothing_to_lose]
    here = f"{100 * each.mean_here:.2f}"
    if lost:
        return [f"{who} {loss}", f"{against} {'you' if you else who} gave away {here} % a decision"]
    return [f"{who} {loss}", *nothing_to_lose, f"  and {here} % {against.lower()}"]


def _term(words: str, hundredths: int, longest: int, *, total: bool, drawn: bool) -> Content:
    """One line of the sum; where there is room, with a bar of up to twenty cells."""
    figure = f"{hundredths / 100:.2f} %" if total else f"{hundredths / 100:+.2f}  "
    figure = "0.00  " if not total and hundredths == 0 else figure
    tone = "bold" if total else "$success" if hundredths > 0 else "$error" if hundredths < 0 else "$text-muted"
    bar = "█" * min(20, round(abs(hundredths) / 500)) if drawn else ""
    return Content.assemble(f"{clip(words, longest):<{longest}} ", (f"{figure:>10}", tone), ("  " + bar, tone))
