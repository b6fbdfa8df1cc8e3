"""Transcripts: every question, the answer as it came, the move that was read, the best one, and what was lost.

One Markdown file for each game of each player, added to after every answer; one for all questions that belong to no
game, as those of an exam. The best move and the loss come from the solution of the duel, where it is at hand; nothing
is solved for a transcript.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from duelbook import folders
from duelbook.core import DuelError, SaveError
from duelbook.llm.keys import without_keys
from duelbook.llm.kind import Model
from duelbook.llm.prompt import Messages
from duelbook.llm.reply import Reply
from duelbook.match import PlayerFault, View
from duelbook.solving.library import solution_at_hand
from duelbook.speech import plain, plain_lines

MOST_FILES = 1_000_000
QUESTIONS = "questions"
"""What a file of questions is named by that belong to no game."""
LIKELY = 1e-6
"""A move of a perfect plan that is less likely is not told."""


class Decision(NamedTuple):
    """One question and what came of it."""

    view: View
    messages: Messages
    reply: Reply
    sample: str
    seconds: float
    cached: bool
    move: int | None
    fault: PlayerFault | None = None
    in_a_game: bool = True
    """Or asked by itself, as in an exam."""


class Transcript:
    """The file of one player's game; it is made with the first answer."""

    def __init__(self, folder: str, model: Model, url: str) -> None:
        self.folder, self.model, self.url = folder, model, url
        self._lock = Lock()
        self._file: Path | None = None

    def begin_anew(self) -> None:
        """What comes now is another game."""
        with self._lock:
            self._file = None

    def add(self, decision: Decision) -> None:
        with self._lock:
            head = ""
            if self._file is None:
                what = decision.view.game.id if decision.in_a_game else QUESTIONS
                self._file = _new_file(self.folder, f"{what}-{self.model.short_name}")
                head = self._head(decision)
            _append(self._file, without_keys(head + told(decision)))

    def _head(self, decision: Decision) -> str:
        game, seat = decision.view.game, decision.view.seat
        lines = [
            f"# {game.name if decision.in_a_game else 'Questions'}: {plain(self.model.kind)}",
            "",
            *([f"- seat: {game.seats[seat]}"] if decision.in_a_game else []),
            f"- asked at: {plain(self.url)}",
            f"- prompt: {plain(self.model.prompt)}",
            "",
            "",
        ]
        return "\n".join(lines)


def check_folder(folder: str) -> None:
    """Refuse a folder in which nothing can be written, before the first question is paid for."""
    try:
        path = folders.named(folder)
        path.mkdir(parents=True, exist_ok=True)
        if not os.access(path, os.W_OK):
            raise SaveError(f"Transcripts cannot be written to {plain(folder)}: nothing may be written there.")
    except OSError as error:
        raise SaveError(f"Transcripts cannot be written to {plain(folder)}: {error.strerror}.") from None


def _new_file(folder: str, name: str) -> Path:
    """The next free name, taken at once: other processes look for one, too."""
    tidy = re.sub(r"[^\w.-]+", "-", name).strip(".-") or "game"
    try:
        path = folders.named(folder)
        path.mkdir(parents=True, exist_ok=True)
        for number in range(1, MOST_FILES):
            file = path / f"{tidy}-{number:04}.md"
            with suppress(FileExistsError):
                os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
                return file
    except OSError as error:
        raise SaveError(f"Transcripts cannot be written to {plain(folder)}: {error.strerror}.") from None
    raise SaveError(f"{plain(folder)} holds too many transcripts of this name.")


def _append(file: Path, text: str) -> None:
    try:
        handle = os.open(file, os.O_WRONLY | os.O_APPEND)
        try:
            os.write(handle, text.encode("utf-8", "backslashreplace"))
        finally:
            os.close(handle)
    except OSError as error:
        raise SaveError(f"{plain(file)} could not be written: {error.strerror}.") from None


def told(decision: Decision) -> str:
    """A decision as it stands in a transcript."""
    view, messages, reply = decision.view, decision.messages, decision.reply
    where = view.game.write_position(view.rules, view.state)
    what = f"Turn {view.number + 1}" if decision.in_a_game else f"{view.game.name}, {view.game.seats[view.seat]}"
    parts = [f"## {what} at {where}", ""]
    for title, text in (("System", messages.system), ("Question", messages.user), ("Thinking", reply.thinking)):
        if text:
            parts += [f"{title}:", "", _fenced(text), ""]
    parts += [f"Answer ({_cost(decision)}):", "", _fenced(reply.refusal or reply.text), ""]
    parts += [*_verdict(decision), "", ""]
    return "\n".join(parts)


def _fenced(text: str) -> str:
    """A text as it came, between lines that it does not hold itself; what would steer a terminal as escapes."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{plain_lines(text)}\n{fence}"


def _cost(decision: Decision) -> str:
    reply = decision.reply
    said = [f"sample {decision.sample}", "from the cache" if decision.cached else f"{decision.seconds:.1f} s"]
    if reply.tokens_in is not None and reply.tokens_out is not None:
        said.append(f"{reply.tokens_in:,} tokens in, {reply.tokens_out:,} out")
    return ", ".join(said)


def _verdict(decision: Decision) -> list[str]:
    view, move, fault = decision.view, decision.move, decision.fault
    words = view.game.dialogue.words(view.rules)
    lines = [f"- fault ({fault.kind}): {plain(fault.sentence)}"] if fault is not None else []
    if move is not None:
        lines.append(f"- move: {words[move]}")
    try:
        solution = solution_at_hand(view.game, view.rules)
        if solution is None or not solution.holds(view.state):
            return [*lines, "- best: not known, for this is not solved here"]
        plan = solution.plan(view.state, view.seat)
        best = [f"{words[each]} ({chance:.1%})" for each, chance in enumerate(plan) if LIKELY < chance < 1 - LIKELY]
        lines.append(f"- best: {', '.join(best) or words[plan.index(max(plan))]}")
        if move is not None:
            lost = solution.loss(view.state, view.seat, move) / 2
            lines.append(f"- loss: {lost:.4f} of a win" if lost else "- loss: nothing")
    except DuelError as error:
        lines.append(f"- best: not known: {plain(error)}")
    return lines
