"""Type nonsense at every prompt and read nonsense as files.

    python tests/torture/fuzz.py --lines 100000 --files 100000 --seed 1

Lines: games of all five duels are played while most of what is typed is noise. Nothing may escape but the session's
own ways of leaving; a line that is refused changes nothing and is answered with a sentence; nothing that could steer
a terminal is ever shown. Files: records with mistakes in them, and noise. Reading one raises BadRecord with a place
inside the text, or gives games that are the same when they are written and read again.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any, NamedTuple

from duelbook.core import Game, Turn, variant
from duelbook.games import ROOMS, load
from duelbook.line.console import Console, EndOfInput, Quit
from duelbook.line.session import Session
from duelbook.match import Match, Player
from duelbook.players.random import RandomPlayer
from duelbook.record import BadRecord, Record, reads, writes
from duelbook.saves import SaveError
from duelbook.speech import plain, plain_lines
from duelbook.table.host import Host
from duelbook.table.keeper import Keeper

PATIENCE = 600
"""Seconds after which a game or a file that does not come to an end counts as hanging."""


class Broken(Exception):
    """What must not happen did. The message says with what."""


@contextmanager
def no_longer_than(seconds: int, what: Callable[[], str]) -> Iterator[None]:
    def ring(number: int, frame: FrameType | None) -> None:
        raise Broken(f"hangs: {what()}")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


# Noise

COMMANDS = ("help", "?", "rules", "status", "undo", "save", "resign", "quit", "q", "exit")
CHANGE_NOTHING = ("help", "?", "rules", "status", "save")
STRANGE = (
    *("", " ", "\t", "\x00", "\x1b[A", "\x1b[31mred", "\x07", "\x08\x08", "\x7f", "\x0c", "\x85", "\u2028", "\ufeff"),
    *("\u200b", "\u202e", "\u0301", "e\u0301", "👍🏽", "👨‍👩‍👧", "🇨🇭", "\U0001f3f4\U000e0067", "\U0010ffff", "\ufffd"),
    *("٣", "३", "４", "②", "²", "Ⅳ", "½", "四", "߃", "𝟜", "٤ ", "build ４", "b²", "1²", "¹", "𝟙"),
    *("0", "-1", "+4", "4.0", "4,", "1e1", "0x4", "1_0", "4 4", "00", "1" * 30, "9" * 5000, "-0", "∞", "NaN", "None"),
    *("build", "build -4", "build 3", "build 4 4", "b 40", "buildd 4", "4 build", "attackk", "ATTACK!", "atta ck"),
    *("a a", "d.", "1)", "1. 2", "2.attack", "4. pass", "heal me", "(A)", "[A]", "enter 7", "draw 7", "press enter"),
    *("help me", "quit now", "/ quit", "undo undo", "status 1", "rules tower", "save\tx", "\\quit", "q", ":q!", "^C"),
    *("%s %d %n", "{0} {names}", "{", "}", "${HOME}", "`id`", "$(id)", "[bold red]x[/]", "<b>", "'", '"', "';--", "\\"),
    *("ſ", "K", "ı", "İ", "ß", "ﬁ", "attac\u212a", "re\u017fign", "pa\u017f\u017f", "bu\u0131ld 4", "BU\u0130LD 4"),
    *("yes?", "ja", "nope", "y e s", "../../etc", "x" * 199, "x" * 200, "x" * 201, "a" * 100_000, " " * 300 + "a"),
)
FILES = ("x.duel", "x.duel", "\x00", "a\x00b", "n" * 300, "é" * 200, "~nobody-has-this-name/x", "no/such/folder/x")
"""What `save` is told to write to: names that nobody can write, and a few that one can."""


def noise(random: Random, words: list[str]) -> str:
    """A line that nobody would type, or that somebody nearly would."""
    kind = random.randrange(8)
    if kind == 0:
        text = random.randbytes(random.randrange(1, 20)).decode(errors="replace")
    elif kind == 1:
        text = "".join(map(any_letter, [random] * random.randrange(1, 12)))
    elif kind == 2:
        text = random.choice(STRANGE) + random.choice(STRANGE[:40])
    elif kind == 3:
        text = str(random.randrange(-(10 ** random.randrange(1, 40)), 10 ** random.randrange(1, 40)))
    elif kind == 4:
        text = random.choice(STRANGE)
    else:
        text = mutated(random, random.choice([*words, *words, *COMMANDS]))
    return text.replace("\n", " ").replace("\r", " ")


def any_letter(random: Random) -> str:
    highest = random.choice((0x20, 0x7F, 0xFF, 0x7FF, 0xD7FF, 0x1FFFF, 0x10FFFF))
    code = random.randrange(highest + 1)
    return chr(code) if not 0xD800 <= code <= 0xDFFF else "\ufffd"


def mutated(random: Random, text: str, letters: str = "") -> str:
    """The text with a few letters gone, doubled, swapped or replaced."""
    for _ in range(random.randrange(1, 4)):
        at = random.randrange(len(text) + 1)
        extra = random.choice(letters) if letters and random.random() < 0.7 else any_letter(random)
        start, letter, following, rest = text[:at], text[at : at + 1], text[at + 1 : at + 2], text[at + 2 :]
        text = random.choice(
            (
                start + following + rest,
                start + extra + letter + following + rest,
                start + extra + following + rest,
                start + letter + letter + following + rest,
                start + following + letter + rest,
                text.upper(),
                text.title(),
            )
        )
    return text


# What may count as a move or a command. This list is written by hand, from the rule books, not taken from the program.


def begun(word: str, least: int = 3) -> str:
    """A word, and its beginnings of three letters and more, which are enough where no other move begins so."""
    return "|".join(re.escape(word[:length]) for length in range(least, len(word) + 1))


ATTACK, DEFEND, HEAL, PASS = (f"{begun(word)}|{word[0]}" for word in ("attack", "defend", "heal", "pass"))
NUMBERED = "|".join(begun(f"{number}. {word}") for number, word in enumerate(("attack", "defend", "pass"), 1))
MOVES = {
    "conquer": rf"{ATTACK}|{DEFEND}|{HEAL}",
    "deck": rf"{ATTACK}|{HEAL}|{begun('(a)ttack')}|{begun('(h)eal')}|draw|enter|",
    "energy": rf"(?:1\.? ?)?(?:{ATTACK})|(?:2\.? ?)?(?:{DEFEND})|(?:3\.? ?)?(?:{PASS})|{NUMBERED}|[123]\.?",
    "secret": r"0*(?:[1-9]|10)",
    "tower": rf"(?:b|build)? ?0*(?:1|2|4)(?: units?)?\.?|{ATTACK}",
}
MARKS = "'\"`"
UNDER_OTHER_RULES = {"tower": rf"(?:b|build)? ?0*\d\d?(?: units?)?\.?|{ATTACK}"}


def understood(match: Match, line: str) -> bool:
    """Whether the line may do something: a move in one of its spellings, a command, an answer to yes or no. Quotation
    marks around it and a full stop behind it do no harm."""
    words = " ".join(line.lower().replace("_", " ").split())
    bare = words.strip(MARKS).rstrip(". ").strip(MARKS) or words
    command = line.strip().lower().lstrip("/")
    spellings = MOVES[match.game.id]
    if match.rules != match.game.book:
        spellings = UNDER_OTHER_RULES.get(match.game.id, spellings)
    return bool(
        command in COMMANDS
        or command.startswith("save ")
        or bare.lstrip("/") in COMMANDS
        or words in ("y", "yes", "n", "no")
        or re.fullmatch(spellings, words, re.ASCII)
        or re.fullmatch(spellings, bare, re.ASCII)
    )


# Lines


class Sink(io.StringIO):
    """Takes what is shown. It may say that it is a terminal, to get colours and bars."""

    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal

    def take(self) -> str:
        shown = self.getvalue()
        self.seek(0)
        self.truncate()
        return re.sub(r"\x1b\[[0-9;]*m", "", shown) if self.terminal else shown


class Keyboard(Console):
    """A console at which a person seems to type."""

    def __init__(self, source: io.StringIO, sink: Sink) -> None:
        super().__init__(source=source, sink=sink)
        self.typing = True

    def _typed(self, prompt: str) -> str:
        self.sink.write(prompt)
        line = self.source.readline()
        if not line:
            raise EndOfInput
        self.sink.write("\n")
        return line.rstrip("\n")


class Typist(io.StringIO):
    """Types at the prompts of one match, and looks at what each line did before typing the next."""

    def __init__(self, match: Match, sink: Sink, random: Random, lines: int, terminal: int) -> None:
        """`terminal` is a real one, with nobody at it, for a console that changes its settings."""
        super().__init__()
        self.match, self.sink, self.random, self.left, self.terminal = match, sink, random, lines, terminal
        self.line = ""
        self.expected = "anything"
        self.before = self.standing()
        self.typed = self.refused = 0
        self.words = list(match.game.dialogue.words(match.rules))
        self.words += ["attack", "defend", "heal", "pass", "build 4", "7", "draw"]

    def standing(self) -> tuple[Any, ...]:
        """Everything that a refused line must leave as it is."""
        match = self.match
        return (match.state, tuple(match.steps), match.turns, match.draws, match.outcome, match.to_act())

    def isatty(self) -> bool:
        return False

    def fileno(self) -> int:
        return self.terminal

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        shown = self.sink.take()
        if self.typed:
            self.check(shown)
        if self.left == 0:
            return ""
        self.left -= 1
        self.typed += 1
        self.line, self.expected = self.next_line(shown)
        self.before = self.standing()
        return self.line + "\n"

    def check(self, shown: str) -> None:
        """Hold the answer to the last line against what it had to be."""
        if plain_lines(shown) != shown:
            raise Broken(f"{self.line!r} was answered with letters that cannot be seen: {shown!r}")
        if self.expected == "anything":
            return
        if self.standing() != self.before:
            raise Broken(f"{self.line!r} had to change nothing, and did: {self.before} became {self.standing()}")
        answer = shown.partition("\n")[2]
        if not re.search(r"\w.*[.?!)] *\n", answer):
            raise Broken(f"{self.line!r} was not answered with a sentence: {shown!r}")
        self.refused += 1

    def next_line(self, shown: str) -> tuple[str, str]:
        """What is typed now, and whether it must change nothing."""
        match, random, game = self.match, self.random, self.match.game
        chance = random.random()
        if shown.endswith("(yes/no) ") and chance < 0.5:
            return random.choice(("yes", "no", "Y", " n ")), "anything"
        if chance < 0.2:
            return self.good_line(), "anything"
        if chance < 0.25 and match.to_act():
            seat = random.choice(match.to_act())
            view = (match.rules, match.state, seat)
            words = game.dialogue.words(match.rules)
            barred = [
                word for move, word in enumerate(words) if not (game.legal(*view, move) or game.foul(*view, move))
            ]
            if barred and len(match.to_act()) == 1:
                return random.choice(barred), "nothing"
        if chance < 0.28:
            return random.choice((*COMMANDS[:7], "UNDO", "/status", " Help ")), "anything"
        if chance < 0.285:
            return f"save {random.choice(FILES)}", "nothing"
        if chance < 0.286:
            return random.choice(("quit", "EXIT")), "anything"
        line = noise(random, self.words)
        command = line.strip().lower().lstrip("/")
        if command in CHANGE_NOTHING:
            return line, "nothing"
        return line, "anything" if understood(match, line) else "nothing"

    def good_line(self) -> str:
        match, random = self.match, self.random
        if match.turn == Turn.LUCK:
            return random.choice(("", " ", "draw", "Enter"))
        seats = match.to_act() or (0,)
        move = random.choice(match.game.legal_moves(match.rules, match.state, seats[0]) or [0])
        word: str = match.game.dialogue.words(match.rules)[move]
        return random.choice((word, word.upper(), f"  {word.replace(' ', '   ')} "))


def some_match(random: Random) -> Match:
    """A match of any duel, half of the time by its book."""
    game = load(random.choice(list(ROOMS)))
    settings: list[str] = []
    if random.random() < 0.5:
        settings = [some_setting(random, game) for _ in range(random.randrange(1, 4))]
    max_turns = random.choice((200, 200, 5, 1))
    return Match(
        game,
        variant(game, settings),
        first=random.randrange(2),
        seed=random.randrange(10**6),
        max_turns=max_turns,
        names=random.choice(
            (None, None, ("Ann", "Bo"), ("Zoë [bold]", "{names} %s"), ("[@click=app.quit]x[/]", "$x$"))
        ),
    )


def some_setting(random: Random, game: Game) -> str:
    name, knob = random.choice(list(game.knobs.items()))
    default = getattr(game.book, name)
    if knob.choices:
        return f"{name}={random.choice(knob.choices)}"
    if isinstance(default, tuple):
        return f"{name}={','.join(map(str, random.sample(range(knob.low, knob.high + 1), len(default))))}"
    return f"{name}={random.choice((knob.low, knob.high, random.randint(knob.low, knob.high)))}"


class KeepOnlyHere(Keeper):
    """Saving as it is, except that noise cannot write files anywhere else."""

    def keep(self, target: str | None) -> str:
        if target is not None and target not in FILES and ("/" in target or target.startswith("~")):
            raise SaveError("Not there.")
        return super().keep(target)


def type_at_a_game(random: Random, lines: int, terminal: int) -> Typist:
    """One game with a typist at the prompts."""
    match = some_match(random)
    sink = Sink(terminal=random.random() < 0.3)
    typist = Typist(match, sink, random, lines, terminal)
    console = Keyboard(typist, sink) if random.random() < 0.5 else Console(source=typist, sink=sink)
    sit_down(random, match, console, lambda: f"{typist.line!r} in {match.game.id} at {match.state}")
    if match.outcome is not None and typist.typed and typist.expected == "nothing":
        raise Broken(f"{typist.line!r} had to change nothing, and ended the game: {match.outcome}")
    return typist


def pipe_a_game(random: Random) -> int:
    """One game that is a script: moves in many spellings with noise among them, as bytes that may be no text."""
    match = some_match(random)
    words = [*match.game.dialogue.words(match.rules), "", "draw", "help", "status", "undo", "yes", "yes"]
    script = [
        noise(random, words).encode() if random.random() < 0.3 else random.choice(words).encode()
        for _ in range(random.randrange(1, 120))
    ]
    if random.random() < 0.3:
        script.insert(random.randrange(len(script) + 1), random.randbytes(random.randrange(1, 200)))
    text = random.choice((b"\n", b"\n", b"\r\n")).join(script)
    source = io.TextIOWrapper(io.BytesIO(text), encoding="utf-8")
    sink = Sink(terminal=False)
    sit_down(random, match, Console(source=source, sink=sink), lambda: f"the script {text!r} in {match.game.id}")
    shown = sink.take()
    if plain_lines(shown) != shown:
        raise Broken(f"the script {text!r} was answered with letters that cannot be seen: {shown!r}")
    return len(script)


def sit_down(random: Random, match: Match, console: Console, what: Callable[[], str]) -> None:
    """Play until somebody leaves or the game is over; the record of it must then be a record."""
    other = RandomPlayer(match.luck.seat_seed(0))
    players: tuple[Player | None, Player | None] = random.choice(
        ((None, None), (None, None), (None, other), (other, None))
    )
    record = Record(match)
    session = Session(Host(KeepOnlyHere(record, None, None), players), console)
    try:
        with no_longer_than(PATIENCE, what):
            session.run()
    except EndOfInput:
        pass
    except Quit:
        if isinstance(console.source, Typist) and console.source.expected == "nothing":
            raise Broken(f"{what()} had to change nothing, and quit the game") from None
    except Broken as error:
        raise Broken(f"{match.game.id}, {match.rules}: {error}") from None
    except Exception as error:
        raise Broken(f"{type(error).__name__}: {error}, after {what()}") from error
    match.unseal()
    (again,) = reads(writes(record))
    if essence(again) != essence(record):
        raise Broken(f"the record of a game is another game: {writes(record)}")


# Files


def essence(record: Record) -> dict[str, Any]:
    """All that makes two records the same."""
    match = record.match
    return {
        "game": match.game.id,
        "rules": match.rules,
        "start": match.start,
        "luck": match.luck.stretches(over=match.outcome is not None),
        "shown": match.shown,
        "deck": match.stacked,
        "max_turns": match.max_turns,
        "names": match.names,
        "steps": match.steps,
        "state": match.state,
        "turns": match.turns,
        "draws": match.draws,
        "outcome": match.outcome,
        "seats": record.seats,
        "date": record.date,
        "extra": record.extra,
        "comments": record.comments,
    }


def some_record(random: Random) -> Record:
    """A good record: any duel, any length, any ending."""
    match = some_match(random)
    if random.random() < 0.2 and match.game.id == "deck":
        match = Match(match.game, stacked=random.sample(range(1, 11), random.randrange(1, 11)))
    players = (RandomPlayer(match.luck.seat_seed(0)), RandomPlayer(match.luck.seat_seed(1)))
    stop = random.choice((0, 1, 5, 30, 400))
    while match.outcome is None and len(match.steps) < stop:
        if match.turn == Turn.LUCK:
            match.deal()
            continue
        for seat in match.to_act():
            match.play(seat, players[seat].choose(match.view(seat)))
    if match.outcome is None and random.random() < 0.2:
        match.resign(random.randrange(2))
    comments = {random.randrange(len(match.steps) + 1): "well played" for _ in range(random.randrange(3))}
    extra = random.choice(({}, {"Event": 'The "Cup"'}, {"Note": "a\\b"}))
    return Record(match, random.choice((("human", "human"), ("human", "random"))), "2026.01.31", extra, comments)


def good_text(random: Random, broken: dict[str, str]) -> str:
    """The text of a good record, which must give the same record back."""
    record = some_record(random)
    text = writes(record)
    (again,) = reads(text)
    if essence(again) != essence(record):
        note(broken, f"a good record comes back as another: {differences(record, again)}\n{text}")
    return text


TAGS = (
    "Game",
    "Player1",
    "Player2",
    "Seat1",
    "Date",
    "Result",
    "Termination",
    "Rules",
    "RulesHash",
    "Position",
    "MaxTurns",
)
TOKENS = (
    *(
        "1.",
        "1...",
        "2.",
        "0.",
        "999999.",
        "9999999.",
        "1..",
        "*",
        "1-0",
        "0-1",
        "1/2-1/2",
        "2-0",
        "7:",
        "7:attack",
        "11:",
    ),
    *(
        "attack",
        "defend",
        "heal",
        "pass",
        "build 4",
        "build",
        "7/5",
        "7/7",
        "0/0",
        "10/1",
        "7/",
        "/5",
        "7/5/3",
        "７/５",
    ),
    *("{", "}", "{}", "{x}", "{ 7: }", ";", "; x\n", "[", "]", '"', "\\", "\n\n", "\r\n", "\r", "\t", "\x00", "\ufeff"),
    *(
        "pa\u017fs",
        "bu\u0131ld 4",
        "BU\u0130LD 4",
        "attac\u212a",
        "ATTACK",
        "٣.",
        "٣:",
        "\u2028",
        "\x85",
        "\x1b[31m",
        "\x9b2J",
        "{\u202e\ufe0f}",
        "x" * 300,
        "1. {x} " * 200,
        "{" * 300,
    ),
    *('[Game "tower"]', '[Result "1-0"]', '[Result "*"]', '[Termination "Tired."]', '[Deck "7,7"]', '[Deck "1,2"]'),
    *('[MaxTurns "1"]', '[MaxTurns "0"]', '[MaxTurns "99999999999999999999"]', '[Seed "-5"]', '[Seed "1e3"]'),
    *('[Position "5 8 1"]', '[Position "10r 8d 1"]', '[Position "20 13 2 1-6,8-10"]', '[Position "20 20 2 1-10"]'),
    *(
        '[Position "98 96 9 7"]',
        '[Position "0 5 1"]',
        '[Position "8 6d 1"]',
        '[Rules "goal=7"]',
        '[Rules "goal=\x1b[2J"]',
    ),
    *(
        '[Player1 ""]',
        '[Player1 "a\tb"]',
        '[Player2 "\x1b]0;x\x07"]',
        '[X "\\""]',
        '[X "\\\\"]',
        "; a } b\n",
        "{a ; b}",
    ),
    *('[Seat1 "nobody"]', '[Date "\u202e"]', '[Termination " "]', '[RulesHash ""]', '[Rules ""]', '[Game " TOWER "]'),
)


def broken_record(random: Random, good: str, other: str) -> str:
    """A good record with something done to it that may make it a bad one."""
    text = good
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        lines = text.split("\n")
        at = random.randrange(len(text) + 1)
        row = random.randrange(len(lines))
        kind = random.randrange(12)
        if kind == 0:
            text = text[:at]
        elif kind == 1:
            text = text[at:]
        elif kind == 2:
            text = mutated(random, text, letters='[]{}";:/.*-0123456789 \n\\abdehkltu')
        elif kind == 3:
            other_row = random.randrange(len(lines))
            lines[row], lines[other_row] = lines[other_row], lines[row]
            text = "\n".join(lines)
        elif kind == 4:
            lines.insert(random.randrange(len(lines) + 1), lines[row])
            text = "\n".join(lines)
        elif kind == 5:
            del lines[row]
            text = "\n".join(lines)
        elif kind == 6:
            text = text[:at] + random.choice(TOKENS) + text[at:]
        elif kind == 7:
            lines.insert(random.randrange(len(lines) + 1), random.choice(TOKENS))
            text = "\n".join(lines)
        elif kind == 8:
            words = re.split(r"(\s+)", text)
            words[random.randrange(len(words))] = random.choice((*TOKENS, random.choice(words)))
            text = "".join(words)
        elif kind == 9:
            tag = f'[{random.choice(TAGS)} "{tag_value(random)}"]'
            lines[row] = tag
            text = "\n".join(lines)
        elif kind == 10:
            text = re.sub(r"\d+", lambda found: str(int(found[0]) + random.choice((0, 0, 0, 1, -1, 10**20))), text)
        else:
            text = random.choice(
                (text + other, text + "\n" + other, text[:at] + other[at:], text.replace("\n", "\r\n"))
            )
    return text


def tag_value(random: Random) -> str:
    choice = random.randrange(4)
    if choice == 0:
        return "".join(any_letter(random) for _ in range(random.randrange(6))).replace('"', "")
    if choice == 1:
        return str(random.randrange(-(10 ** random.randrange(1, 35)), 10 ** random.randrange(1, 35)))
    if choice == 2:
        return random.choice(
            ("1-0", "0-1", "*", "1/2-1/2", "tower", "secret", "goal=9", "10 10 1", "20 20 2 1-10", "- -")
        )
    return random.choice(("\\\\", '\\"', "\\", "\t", "\x1b[2J", "a  b", " ", "ſ", "\u2028", "\u200b", "ünï"))


def file_noise(random: Random) -> str:
    if random.random() < 0.5:
        return random.randbytes(random.randrange(200)).decode(errors="replace")
    start = random.choice(("", '[Game "tower"]\n', '[Game "deck"]\n', '[Game "secret"]\n', '[Game "energy"]\n'))
    return start + random.choice((" ", "\n", "")).join(random.choices(TOKENS, k=random.randrange(12)))


def read_it(text: str) -> bool:
    """Read a text as a file. True when games were in it, False when it was refused as it should be."""
    try:
        with no_longer_than(PATIENCE, lambda: repr(text)):
            games = reads(text)
    except BadRecord as error:
        check_place(text, error)
        return False
    except Broken:
        raise
    except Exception as error:
        raise Broken(f"{type(error).__name__}: {error}") from error
    for game in games:
        told = [*game.match.names, *game.seats, game.date, *game.extra.values(), *game.comments.values()]
        told += [game.match.outcome.reason] if game.match.outcome else []
        if not all(plain(part) == part for part in told):
            raise Broken(f"letters that cannot be seen came through: {told}")
        once = writes(game)
        try:
            (again,) = reads(once)
        except (BadRecord, ValueError) as error:
            raise Broken(f"what was written of it cannot be read: {error}\n{once}") from None
        if essence(again) != essence(game):
            raise Broken(f"written and read again it is another game: {differences(game, again)}\n{once}")
    return True


def check_place(text: str, error: BadRecord) -> None:
    lines = text.removeprefix("\ufeff").split("\n")
    if not (1 <= error.line <= len(lines) and 1 <= error.column <= len(lines[error.line - 1]) + 1):
        raise Broken(f"line {error.line}, column {error.column} is not in the text: {error}")
    if not error.sentence.strip() or plain_lines(error) != str(error):
        raise Broken(f"the refusal cannot be shown: {str(error)!r}")


def differences(one: Record, two: Record) -> str:
    first, second = essence(one), essence(two)
    return "; ".join(f"{key}: {first[key]!r} and {second[key]!r}" for key in first if first[key] != second[key])


def smaller(text: str, kind: str) -> str:
    """A shorter text with the same kind of fault, for people to look at."""
    size = len(text)
    while size > 0:
        at = 0
        while at < len(text):
            shorter = text[:at] + text[at + size :]
            if kind_of(is_broken(shorter)) == kind:
                text = shorter
            else:
                at += size if size > 8 else 1
        size = size // 2 if size > 16 else size - 1
    return text


def is_broken(text: str) -> str:
    try:
        read_it(text)
    except Broken as error:
        return str(error)
    return ""


# All of it


class Report(NamedTuple):
    lines: int
    refused: int
    files: int
    readable: int
    broken: list[str]


def kind_of(sentence: str) -> str:
    """The same fault in other words is the same fault."""
    return re.sub(r"'.*|\d+|\"[^\"]*\"", "", sentence.split("\n")[0])[:60]


def fuzz(lines: int, files: int, seed: int, progress: bool = False) -> Report:
    """Until so many lines were typed and so many files read. Every kind of fault is told once."""
    broken: dict[str, str] = {}
    typed, refused = fuzz_lines(lines, Random(seed), broken, progress)
    readable = fuzz_files(files, Random(seed + 1), broken, progress)
    return Report(typed, refused, files, readable, list(broken.values()))


def fuzz_lines(lines: int, random: Random, broken: dict[str, str], progress: bool) -> tuple[int, int]:
    typed = refused = 0
    told = 0
    before = Path.cwd()
    keyboard, terminal = os.openpty()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            while typed < lines:
                Path("x.duel").unlink(missing_ok=True)
                try:
                    if random.random() < 0.1:
                        typed += pipe_a_game(random)
                    else:
                        typist = type_at_a_game(random, min(random.randrange(1, 150), lines - typed), terminal)
                        typed += typist.typed
                        refused += typist.refused
                except Broken as error:
                    typed += 1
                    note(broken, str(error))
                if progress and typed // 10_000 > told:
                    told = typed // 10_000
                    print(f"{typed} lines, {len(broken)} faults", flush=True)
        finally:
            os.chdir(before)
            os.close(keyboard)
            os.close(terminal)
    return typed, refused


def fuzz_files(files: int, random: Random, broken: dict[str, str], progress: bool) -> int:
    readable = 0
    good = [good_text(random, broken) for _ in range(40)]
    for count in range(1, files + 1):
        if count % 10 == 0:
            good[random.randrange(len(good))] = good_text(random, broken)
        if random.random() < 0.8:
            text = broken_record(random, random.choice(good), random.choice(good))
        else:
            text = file_noise(random)
        try:
            readable += read_it(text)
        except Broken as error:
            kind = kind_of(str(error))
            if kind not in broken:
                if not kind.startswith("hangs"):
                    text = smaller(text, kind)
                note(broken, f"{is_broken(text)} in the file {text!r}", kind)
        if progress and count % 10_000 == 0:
            print(f"{count} files, {len(broken)} faults", flush=True)
    return readable


def note(broken: dict[str, str], sentence: str, kind: str = "") -> None:
    kind = kind or kind_of(sentence)
    if kind not in broken:
        broken[kind] = sentence
        print(f"BROKEN: {sentence}", file=sys.stderr, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description="Noise at every prompt and in every file.")
    parser.add_argument("--lines", type=int, default=100_000)
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    started = time.perf_counter()
    report = fuzz(options.lines, options.files, options.seed, progress=True)
    print(
        f"{report.refused} lines were refused and changed nothing, {report.readable} files were games; "
        f"{time.perf_counter() - started:.0f} seconds"
    )
    print(f"{report.lines} lines and {report.files} files, {len(report.broken)} kinds of fault")
    return 1 if report.broken else 0


if __name__ == "__main__":
    sys.exit(main())
