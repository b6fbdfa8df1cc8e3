"""Kill the program, again and again, and see whether a move that it has answered is ever lost.

    python tests/torture/kill.py --kills 1000 --seed 1

Games of all five duels are played through pipes. At a random moment the program is killed with a signal that it cannot
catch: before it answers, while it writes, just after it answered, while it starts. Then its saved game must be whole
and hold every move that was answered, in order and nothing else; the next program goes on with it, until it is killed
too.
"""

from __future__ import annotations

import argparse
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from duelbook.core import Turn
from duelbook.games import ROOMS, load
from duelbook.match import BELL, Match, Step
from duelbook.record import BadRecord, reads

PATIENCE = 600.0
"""Seconds after which a program that does not answer counts as hanging."""


class Lost(Exception):
    """Something that was answered is not there any more, or the file is no game."""


class Action(NamedTuple):
    """Something to type, how the program will answer it, and the game as it is then."""

    lines: str
    answer: str
    steps: tuple[Step, ...]


class Program:
    """One run of `duelbook` behind pipes."""

    def __init__(self, home: Path, *words: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "duelbook", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, "XDG_STATE_HOME": str(home), "PYTHONUTF8": "1"},
            start_new_session=True,
        )
        self.said = ""
        self.ended = False

    def type(self, lines: str) -> None:
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):
            self.process.stdin.write(lines.encode())
            self.process.stdin.flush()

    def hear(self, patience: float) -> bool:
        """Take in what the program says next. False when nothing came in time, or nothing will come any more."""
        assert self.process.stdout is not None
        if self.ended or not select.select([self.process.stdout], [], [], patience)[0]:
            return False
        piece = os.read(self.process.stdout.fileno(), 65536)
        self.ended = not piece
        self.said += piece.decode(errors="replace")
        return bool(piece)

    def kill(self) -> bool:
        """End it at once, and hear what it had said until then. False when it had ended by itself."""
        self.process.send_signal(signal.SIGKILL)
        code = self.process.wait()
        while self.hear(PATIENCE):
            pass
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.stdout.close()
        return code == -signal.SIGKILL


class Tally(Counter[str]):
    """Where the kills fell.

    `kills` are all of them; `starting`: before the program had said a word; `unanswered`: while something typed had no
    answer yet; `ahead`: a move was on disk and not yet answered; `drafts`: in the middle of writing, with an unfinished
    draft left beside the game.
    """


class Torture:
    """One game that is played, killed and gone on with until it is over."""

    def __init__(self, id: str, random: Random, home: Path) -> None:
        self.random = random
        self.home = home
        self.game = load(id)
        self.deck = [card for _ in range(BELL // 10 + 1) for card in random.sample(range(1, 11), 10)]
        """Luck after a break is drawn afresh, and nobody can foretell it: only a stacked deck says what must come."""
        self.left_behind: set[Path] = set()
        """Drafts that lay there when the program was last killed."""
        self.match = self.new_match()
        self.typed: list[Action] = []
        """What this run of the program was told, in order."""
        self.sure: tuple[Step, ...] = ()
        """The game as far as the program has answered."""
        self.started = False
        self.latency = 0.002
        """How long the program took to answer, lately: kills are aimed at this time."""

    def new_match(self) -> Match:
        return Match(self.game, stacked=self.deck if self.game.faces else ())

    def over(self) -> bool:
        return self.match.outcome is not None

    def next_action(self) -> Action:
        """A move, a draw, two picks or now and then a take-back, played here as well."""
        match, random, voice = self.match, self.random, self.game.dialogue
        view = (match.rules, match.state)
        if match.turns and random.random() < 0.07:
            match.take_back()
            return Action("undo\nyes\nyes\n", "Taken back: ", tuple(match.steps))
        if match.turn == Turn.LUCK:
            before = match.state
            face = match.deal()
            told = voice.tell_draw(match.rules, before, face, match.state, match.names, True)
            return Action("\n", told[0].text, tuple(match.steps))
        if match.turn == Turn.BOTH:
            picks = [random.choice(self.game.legal_moves(*view, seat)) for seat in (0, 1)]
            for seat in (0, 1):
                match.play(seat, picks[seat])
            return Action(f"{picks[0] + 1}\n{picks[1] + 1}\n", "Result:", tuple(match.steps))
        move = random.choice(self.game.legal_moves(*view, match.turn))
        before = match.state
        match.play(match.turn, move)
        told = voice.tell(match.rules, before, move, match.state, match.names, True)
        return Action(f"{voice.words(match.rules)[move]}\n", told[0].text, tuple(match.steps))

    def file(self) -> Path | None:
        found = list((self.home / "duelbook" / "games").glob("*.duel"))
        if len(found) > 1:
            raise Lost(f"there are {len(found)} files where one game was played")
        return found[0] if found else None

    def run_once(self) -> Tally:
        """Start the program, play for a while, kill it and look at what it left."""
        file = self.file()
        if file is not None and not file.read_text(encoding="utf-8") and not self.started:
            file.unlink()  # Killed before the first word: there was no game yet.
            file = None
        words = (
            ["play", "--line", self.game.id, *(["--deck", ",".join(map(str, self.deck))] if self.game.faces else [])]
            if file is None
            else ["resume", "--line", file.stem]
        )
        program = Program(self.home, *words)
        killed = False
        try:
            self.play_until(program, self.random.random())
        finally:
            killed = program.kill()
        answered = self.answered(program)
        place = self.look(program, answered, resumed=file is not None)
        drafts = {*(self.home / "duelbook" / "games").glob(".*.draft")}
        if self.typed and answered and drafts & self.left_behind:  # it has written since, so it has looked around
            raise Lost(f"a draft of a killed program is still there: {drafts & self.left_behind}")
        new, self.left_behind = drafts - self.left_behind, drafts
        if not killed:
            return Tally()
        return Tally(
            kills=1,
            starting=int(not program.said),
            unanswered=int(answered < len(self.typed)),
            ahead=int(place > answered),
            drafts=len(new),
        )

    def play_until(self, program: Program, moment: float) -> None:
        """Play, and come back at the moment to kill."""
        random = self.random
        self.typed = []
        if moment < 0.1:
            linger(random.uniform(0, 0.2))  # while it starts
            return
        if not program.hear(PATIENCE):
            raise Lost("it does not start")
        told = 0
        for left in reversed(range(random.randrange(1, 8))):
            many = random.randrange(2, 6) if left == 0 and moment > 0.8 else 1
            while many and not self.over():
                self.typed.append(self.next_action())
                program.type(self.typed[-1].lines)
                many -= 1
            if left == 0 and (moment < 0.6 or moment > 0.8):
                linger(random.uniform(0, 1.3 * self.latency))  # while it reads, plays, writes or speaks
                return
            started = time.perf_counter()
            told = self.wait_for_answer(program, told)
            self.latency += 0.3 * (time.perf_counter() - started - self.latency)
            if self.over():
                return
        if moment > 0.7:
            linger(random.uniform(0, 0.002))  # a little after it answered

    def wait_for_answer(self, program: Program, told: int) -> int:
        """Wait until the last action is answered; say where in the program's words that was."""
        answer = self.typed[-1].answer
        while (at := program.said.find(answer, told)) < 0:
            if not program.hear(PATIENCE):
                raise Lost(f"no answer to {self.typed[-1].lines!r}; it said: {program.said[-300:]!r}")
        return at + len(answer)

    def answered(self, program: Program) -> int:
        """How many of the actions the program has answered."""
        at = 0
        for count, action in enumerate(self.typed):
            at = program.said.find(action.answer, at)
            if at < 0:
                return count
            at += len(action.answer)
        return len(self.typed)

    def look(self, program: Program, count: int, resumed: bool) -> int:
        """Read what is on disk and hold it against the `count` actions that were answered; say how many it holds."""
        histories = [self.sure, *(action.steps for action in self.typed)]
        self.started = self.started or bool(program.said)
        if resumed and program.said:
            turns = sum(step.turn != Turn.LUCK for step in self.sure)
            if not re.match(rf"Going on with \S+, turn {turns + 1}\.\n", program.said):
                raise Lost(f"it went on at another turn than {turns + 1}: {program.said[:80]!r}")
        file = self.file()
        text = file.read_text(encoding="utf-8") if file else ""
        if not text and not self.started:
            self.go_back_to(())
            return 0
        try:
            (record,) = reads(text)
        except (BadRecord, ValueError) as error:
            raise Lost(f"the file is no game: {error}\n{text}") from None
        kept = tuple(record.match.steps)
        if kept not in histories[count:]:
            raise Lost(
                f"{count} of {len(self.typed)} actions were answered, but the file is none of the games since:\n{text}"
            )
        self.sure = kept
        self.go_back_to(kept)
        return histories.index(kept, count)

    def go_back_to(self, steps: tuple[Step, ...]) -> None:
        """Have the match here stand where the file stands."""
        self.match = self.new_match()
        for step in steps:
            replay(self.match, step)


def replay(match: Match, step: Step) -> None:
    play: Any = step.play
    if step.turn == Turn.LUCK:
        match.deal(play)
    elif step.turn == Turn.BOTH:
        for seat in (0, 1):
            match.play(seat, play[seat])
    else:
        match.play(step.turn, play)


def linger(seconds: float) -> None:
    """Let this much time pass, to the microsecond: the system's own clock is too coarse for the moments that matter."""
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        pass


class Report(NamedTuple):
    tally: Tally
    lost: list[str]
    games: int
    steps: int
    """How many steps were on disk at the end of the games."""


def torture(kills: int, seed: int, progress: bool = False) -> Report:
    random = Random(seed)
    tally, lost, games, steps = Tally(), list[str](), 0, 0
    while tally["kills"] < kills:
        with tempfile.TemporaryDirectory() as folder:
            game = Torture(list(ROOMS)[games % len(ROOMS)], random, Path(folder))
            games += 1
            enough = min(kills, tally["kills"] + random.randrange(3, 13))
            while tally["kills"] < enough and not game.over():
                try:
                    tally.update(game.run_once())
                except Lost as error:
                    tally.update(kills=1)
                    lost.append(f"kill {tally['kills']}, {game.game.id}, seed {seed}: {error}")
                    print(lost[-1], file=sys.stderr, flush=True)
                    break
            steps += len(game.sure)
        if progress and games % 10 == 0:
            print(f"{tally['kills']} kills, {games} games, {len(lost)} lost", flush=True)
    return Report(tally, lost, games, steps)


def main() -> int:
    parser = argparse.ArgumentParser(description="Kill the program at random moments and look for lost moves.")
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    started = time.perf_counter()
    report = torture(options.kills, options.seed, progress=True)
    print(f"{report.games} games, {report.steps} steps on disk, {time.perf_counter() - started:.0f} seconds")
    tally = report.tally
    print(
        f"killed while starting: {tally['starting']}, with something unanswered: {tally['unanswered']}, "
        f"with a move on disk and unanswered: {tally['ahead']}, with a draft half written: {tally['drafts']}"
    )
    print(f"{tally['kills']} kills, {len(report.lost)} lost")
    return 1 if report.lost else 0


if __name__ == "__main__":
    sys.exit(main())
