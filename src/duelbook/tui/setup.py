"""Before a game: against whom, in which seat, who starts, by which rules."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from duelbook.core import Game, variant
from duelbook.table.invitation import Invitation, has_first_player
from duelbook.tui.keybar import KeyBar
from duelbook.tui.ladder import Ladder, key_of
from duelbook.tui.menu import WALKING, Dial, Item, Lines
from duelbook.tui.naming import Name, Named
from duelbook.tui.people import opponents
from duelbook.tui.preview import BREAKPOINTS, SCROLLING, TALL_BREAKPOINTS, WIDE, Glimpse

BY_THE_BOOK = "as the book has them"


class Arranging(Named[None]):
    """What every invitation has: a duel, its rules, who starts, and the moment when the game begins."""

    HORIZONTAL_BREAKPOINTS = BREAKPOINTS
    VERTICAL_BREAKPOINTS = TALL_BREAKPOINTS
    BINDINGS = [
        *WALKING,
        *SCROLLING,
        Binding("f", "turn_dial('first')", "Who starts", show=False),
        Binding("o", "options", "Rules", show=False),
        Binding("enter", "enter", "Start", key_display="Enter"),
        Binding("s", "start", "Start"),
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("q,escape", "back", "Back", key_display="Esc"),
    ]
    doing, beginning = "", ""
    """What one is about to do, and the words for beginning it."""
    coaching = False
    turning = "8, Space, left and right"
    """The keys for another character."""
    lasting = ("start",)
    entering = "Enter starts, from wherever you are; on the rules it opens them."

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game
        self.rules: list[str] = []
        """What differs from the book."""

    # What all of them show

    def compose(self) -> ComposeResult:
        yield Static(id="heading")
        with Horizontal(classes="beside"):
            with Lines(classes="page"):
                yield from self.choices()
                yield Item("options", "O", "", id="rules")
                yield Item("start", "S", self.beginning, id="start", classes="start gap")
            yield Glimpse()
        yield KeyBar()

    def choices(self) -> ComposeResult:
        raise NotImplementedError

    def who_can_start(self) -> list[tuple[str, str]]:
        one, two = self.game.seats
        return [("1", one), ("2", two), ("toss", "toss a coin")]

    def show_duel(self) -> None:
        """Everything on the screen that the duel and its rules decide."""
        self.write("heading", Content.assemble((self.doing, "bold $accent"), "  ", (self.game.name, "bold")))
        first, rules = self.query_one("#first", Dial), self.query_one("#rules", Item)
        first.offer(self.who_can_start(), first.value)
        first.display = has_first_player(self.game)
        changed = Content.styled(", ".join(self.rules), "bold $accent")
        rules.label = Content.assemble(("Rules, options ", "bold"), changed if self.rules else BY_THE_BOOK)
        rules.draw()
        self._show_glimpse()

    def _show_glimpse(self) -> None:
        if self.size.width >= WIDE:
            self.query_one(Glimpse).show(self.game, variant(self.game, self.rules))

    def on_resize(self) -> None:
        self.call_after_refresh(self._show_glimpse)

    # What can be done

    def ladder_here(self) -> Ladder:
        """The ladder that one is on, the first one if on none."""
        return self.query(Ladder).first()

    def names(self) -> dict[str, Name]:
        known: dict[str, Name] = {}
        ladder = self.ladder_here()
        for each in (*ladder.opponents, *ladder.characters):
            known |= dict.fromkeys(each.spellings(), Name(f"meet({each.kind!r})", f"against {each.label}"))
        asked = Name("nothing_asked", "nothing is asked here")  # and `no` is no novice
        return known | dict.fromkeys(("yes", "no"), asked) | self.words()

    def words(self) -> dict[str, Name]:
        """What else on the screen can be asked for by a word."""
        start, back = Name("start", self.beginning.lower()), Name("back", "back to where you came from")
        rules = Name("options", "other numbers and readings of the rules")
        known = {"help": Name("help", "every key"), **dict.fromkeys(("options", "rules", "rules, options"), rules)}
        known |= dict.fromkeys(("start", self.beginning.lower(), "begin", "play"), start)  # `begin` is no beginner
        known |= dict.fromkeys(("back", "leave", "quit", "exit"), back)
        if has_first_player(self.game):
            for value, words in self.who_can_start():
                known[f"first {value}"] = Name(f"set_dial('first', {value!r})", f"who starts: {words}")
                starter = words.removesuffix(" (you)").lower()
                known |= dict.fromkeys((f"who starts {starter}", f"{starter} starts"), known[f"first {value}"])
            known["toss"] = known["toss a coin"] = known.pop("first toss")
        return known

    def also_keys(self) -> str:
        ladder = self.ladder_here()
        return "".join({key_of(one.kind).lower() for one in (*ladder.opponents, *ladder.characters)})

    def take_key(self, key: str) -> bool:
        return self.ladder_here().choose_by_key(key)

    def action_meet(self, kind: str) -> None:
        ladder = self.ladder_here()
        ladder.choose(kind)
        ladder.rung.focus()

    def action_nothing_asked(self) -> None:
        self.show_typed("Nothing is asked here.")

    def before_a_key(self) -> Callable[[], Awaitable[None]]:
        dials = {dial: dial.value for dial in self.query(Dial)}
        chosen = {ladder: ladder.chosen for ladder in self.query(Ladder)}
        focused = self.focused

        async def set_back() -> None:
            self.set_focus(focused)
            for dial, value in dials.items():
                dial.choose(value)
            for ladder, kind in chosen.items():
                ladder.choose(kind)

        return set_back

    def action_turn_dial(self, id: str) -> None:
        dial = self.query_one(f"#{id}", Dial)
        if dial.display:
            dial.focus()
            dial.action_turn(1)
        else:
            self.answer(f"{self.game.name} has no first player.")

    def action_set_dial(self, id: str, value: str | int | bool) -> None:
        """Let one of the things that have several values have this one."""
        dial: Dial[str | int | bool] = self.query_one(f"#{id}", Dial)
        dial.focus()
        dial.choose(value)

    def action_options(self) -> None:
        from duelbook.tui.options import Options

        def chosen(rules: list[str] | None) -> None:
            self.rules = rules or []
            self.show_duel()

        self.app.push_screen(Options(self.game, self.rules), chosen)

    @property
    def first(self) -> str | None:
        return self.query_one("#first", Dial).value if has_first_player(self.game) else None

    def wish(self) -> Invitation:
        raise NotImplementedError

    def action_start(self) -> None:
        self.duelbook.begin(self.wish(), coach=self.coaching, instead_of=self)

    async def action_enter(self) -> None:
        """Enter starts from every line that does not need it for something else."""
        await self.run_action("start")

    def action_back(self) -> None:
        self.app.workers.cancel_group(self.app, "begin")  # whoever goes back while rules are worked out wants no game
        self.dismiss()

    def action_help(self) -> None:
        from duelbook.tui.dialogs import Page

        self.app.push_screen(Page(self.game.name, self.help()))

    def help(self) -> list[str]:
        return [
            "Up and down walk, Space chooses, left and right turn what has several values.",
            self.entering,
            "Everything can be clicked, and has its key in front of it.",
            "",
            "0 to 7  how strong an opponent is, from random through the six levels to perfect;",
            "        a level plays the best moves and makes mistakes: small ones often, large ones seldom",
            f"8       somebody with a style of their own; {self.turning} turn to the others",
            *self.keys_of_its_own(),
            *(["F       who starts"] if has_first_player(self.game) else []),
            "O       other numbers and readings of the rules",
            "S       start",
            "Q, Esc  back",
        ]

    def keys_of_its_own(self) -> list[str]:
        """What the keys do that only one of these screens has."""
        raise NotImplementedError


class Setup(Arranging):
    """A game for whoever sits here. Enter on an opponent starts it with everything as it is shown."""

    BINDINGS = [
        Binding("t", "turn_dial('seat')", "Your seat", show=False),
        Binding("c", "turn_dial('coach')", "Coach", show=False),
        Binding("l", "learn", "Learn", key_display="L"),
    ]
    doing, beginning = "Play", "Start the game"
    seat = 0

    def choices(self) -> ComposeResult:
        liked = self.duelbook.preferences
        yield Static(Content(self.game.pitch), classes="note")
        yield Static("Against whom?", classes="question airy")
        yield Ladder(opponents(), liked.opponent)
        yield Static("How?", classes="question gap")
        yield Dial("T", "You are", list(enumerate(self.game.seats)), 0, id="seat")
        yield Dial("F", "Who starts", self.who_can_start(), "1", id="first")
        coach = [(False, "off"), (True, "on: speaks up at every slip")]
        yield Dial("C", "Coach", coach, liked.coach, id="coach")

    def on_mount(self) -> None:
        self.show_duel()
        self.query_one(Ladder).rung.focus()
        self.call_after_refresh(self._offer_lesson)

    def _offer_lesson(self) -> None:
        from duelbook.tui.lesson import offer

        offer(self.duelbook, self.game)

    def words(self) -> dict[str, Name]:
        known = super().words()
        known |= {
            name.lower(): Name(f"set_dial('seat', {at})", f"you are {name}") for at, name in enumerate(self.game.seats)
        }
        known |= {f"you are {name.lower()}": known[name.lower()] for name in self.game.seats}
        known["coach"] = Name("turn_dial('coach')", "the coach on or off")
        for on in (True, False):
            state = "on" if on else "off"
            known[f"coach {state}"] = Name(f"set_dial('coach', {on})", f"the coach {state}")
        if self.game.lesson is not None:
            known["learn"] = Name("learn", "a guided game of a few turns")
        return known

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "learn" or self.game.lesson is not None

    def action_learn(self) -> None:
        from duelbook.tui.lesson import LessonScreen

        self.app.push_screen(LessonScreen(self.game))

    def who_can_start(self) -> list[tuple[str, str]]:
        """Beside the seats' names stands which of them is yours."""
        options = super().who_can_start()
        value, name = options[self.seat]
        options[self.seat] = (value, f"{name} (you)")
        return options

    def on_dial_turned(self, event: Dial.Turned) -> None:
        if event.dial.id == "seat":
            self.seat = event.dial.value
            self.show_duel()

    def wish(self) -> Invitation:
        wish = self.duelbook.preferences.against(self.game, self.seat, self.query_one(Ladder).chosen)
        return wish._replace(first=self.first, rules=tuple(self.rules))

    def action_start(self) -> None:
        """Start, and remember whom one met at which duel."""
        liked = self.duelbook.preferences
        liked.opponent, liked.duel = self.query_one(Ladder).chosen, self.game.id
        self.duelbook.remember()
        self.coaching = self.query_one("#coach", Dial).value
        super().action_start()

    def keys_of_its_own(self) -> list[str]:
        return [
            "P       a person at this keyboard",
            "T       your seat",
            "C       the coach",
            *(["L       a guided game of a few turns, for a first time"] if self.game.lesson else []),
        ]

    def help(self) -> list[str]:
        first = ", toss" if has_first_player(self.game) else ""
        words = f"Words do the same, with Enter: level 3, hoarder, person, coach on{first}, rules, start."
        return [*super().help(), "", words]
