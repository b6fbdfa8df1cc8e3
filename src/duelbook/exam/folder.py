"""The folder of an exam: every answer on the disk before the next question is asked, one line of JSON each.

Lines are only ever added. Whatever ends the program, what was answered stays, at worst with half a line behind it,
which is cut off; whoever goes on asks only what is not there. Each line says which question it answers, so that answers
to another paper are never taken for these.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from duelbook import folders
from duelbook.core import SaveError
from duelbook.disk import PUBLIC, read_bytes, write_atomically
from duelbook.exam.editions import Edition
from duelbook.exam.examinee import Answer, Usage
from duelbook.exam.marks import FAULTS, mark, mark_plan
from duelbook.locks import claim
from duelbook.speech import plain

ANSWERS, ABOUT, REPORT = "answers.jsonl", "exam.json", "report.html"
FORMAT = 1
LARGEST = 1 << 30
"""Bytes of a file of answers that are read."""

Answers = dict[tuple[str, str], list[Answer]]
"""By edition and name of the candidate."""


class About(NamedTuple):
    """What a folder's exam is of, for whoever goes on with it or compares it."""

    editions: tuple[str, ...]
    duels: tuple[str, ...]
    questions: int
    repeats: int
    players: tuple[tuple[str, str], ...]
    """Name and kind of each."""


class Folder:
    """One exam's folder, held by one program at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.torn = False
        """Whether the end of the file was half a line and had to be cut off."""
        self._file: int | None = None

    def open(self, about: About, editions: Sequence[Edition], *, resume: bool) -> Answers:
        """Take the folder, and say what was answered already."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
            self._file = os.open(self.path / ANSWERS, flags, PUBLIC)
            with suppress(OSError):  # a folder that cannot hold a lock can still hold answers
                if not claim(self._file):
                    raise SaveError(f"Another exam is writing to {plain(self.path)} at this moment.")
            data = read_bytes(self.path / ANSWERS, LARGEST)
        except OSError as error:
            raise SaveError(f"The answers cannot be kept in {plain(self.path)}: {error.strerror}.") from None
        if data and not resume:
            raise SaveError(
                f"{plain(self.path)} holds answers already. Go on with them by --resume, or choose another."
            )
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            os.truncate(self._file, whole)
            self.torn = True
        joined = about if not data else _joined(about, self.path)
        found = answers_in(self.path / ANSWERS, data[:whole], editions)
        write_about(self.path, joined)
        return found

    def append(self, edition: Edition, name: str, answers: Iterable[Answer]) -> None:
        """Write down answers; when this returns they are on the disk."""
        if self._file is None:
            raise SaveError(f"{plain(self.path)} is not open.")
        lines = (json.dumps(_row(edition, name, answer), ensure_ascii=False) for answer in answers)
        text = "".join(f"{line}\n" for line in lines).encode()
        try:
            while text:
                text = text[os.write(self._file, text) :]
            os.fsync(self._file)
        except OSError as error:
            raise SaveError(f"An answer could not be written to {plain(self.path)}: {error.strerror}.") from None

    def close(self) -> None:
        if self._file is not None:
            with suppress(OSError):
                os.close(self._file)
            self._file = None


def _row(edition: Edition, name: str, answer: Answer) -> dict[str, Any]:
    """One line: what was asked, what was answered, what that loses, and what would have been best."""
    question = edition.questions[answer.question]
    words = question.subject.solution.game.dialogue.words(question.subject.rules)
    row: dict[str, Any] = {
        "edition": edition.name,
        "player": name,
        "question": answer.question,
        "ask": answer.ask,
        "asked": question.line,
    }
    if answer.plan is not None:
        row |= {"plan": list(answer.plan), "lost": mark_plan(question, answer.plan).lost}
    elif answer.move is not None:
        row |= {"move": answer.move, "word": words[answer.move], "lost": mark(question, answer.move).lost}
    else:
        row |= {"fault": answer.fault, "sentence": answer.sentence}
        row |= {"reply": answer.reply} if answer.reply else {}
    row["best"] = [words[option.move] for option in question.options if not option.lost]
    if answer.usage != Usage():
        row["usage"] = answer.usage._asdict()
    return row


def answers_in(path: Path, data: bytes, editions: Sequence[Edition]) -> Answers:
    """What the lines of a file answer. A line that is none of ours, or answers another paper, is refused."""
    known = {each.name: each for each in editions}
    found: Answers = {}
    for number, line in enumerate(data.splitlines(), 1):
        try:
            row = json.loads(line)
            edition = known.get(row["edition"])
            if edition is None or not row["question"] < len(edition.questions):
                continue  # of an edition, or of more questions, that nobody asks for now
            if edition.questions[row["question"]].line != row["asked"]:
                raise SaveError(
                    f"{plain(path)}, line {number}, answers another paper: question {row['question'] + 1} was "
                    f"{row['asked']}. Were other duels asked for, or was it another version?"
                )
            found.setdefault((row["edition"], row["player"]), []).append(_answer(row))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            if isinstance(error, SaveError):
                raise
            raise SaveError(f"{plain(path)}, line {number}, is damaged: it is not an answer of ours.") from None
    return found


def kept_answers(folder: str | Path, paper: Edition) -> Answers:
    """What a folder holds of this paper; half a line at its end counts for nothing."""
    path = folders.named(folder) / ANSWERS
    try:
        data = read_bytes(path, LARGEST)
    except OSError as error:
        raise SaveError(f"{plain(path)} cannot be read: {error.strerror}.") from None
    return answers_in(path, data[: data.rfind(b"\n") + 1], [paper])


def _answer(row: Mapping[str, Any]) -> Answer:
    plan = tuple(map(float, row["plan"])) if "plan" in row else None
    fault = str(row.get("fault", ""))
    if fault and fault not in FAULTS:
        raise ValueError(fault)
    used = row.get("usage") or {}
    money = None if used.get("money") is None else float(used["money"])
    usage = Usage(int(used.get("tokens_in", 0)), int(used.get("tokens_out", 0)), money)
    move = int(row["move"]) if "move" in row else None
    if not fault and plan is None and move is None:
        raise ValueError("no answer")
    said = [str(row.get(key, "")) for key in ("sentence", "reply")]
    return Answer(int(row["question"]), int(row["ask"]), move, plan, fault, said[0], usage, said[1])


# What it is of


def write_about(path: Path, about: About) -> None:
    players = [{"name": name, "kind": kind} for name, kind in about.players]
    text = json.dumps({"format": FORMAT, **about._asdict(), "players": players}, ensure_ascii=False, indent=1)
    write_atomically(path / ABOUT, f"{text}\n", mode=PUBLIC)


def read_about(path: Path) -> About:
    try:
        row = json.loads(read_bytes(path / ABOUT, LARGEST))
        if row["format"] != FORMAT:
            raise SaveError(f"{plain(path / ABOUT)} was written by another version of the exam.")
        players = tuple((str(each["name"]), str(each["kind"])) for each in row["players"])
        editions, duels = (tuple(map(str, row[key])) for key in ("editions", "duels"))
        return About(editions, duels, int(row["questions"]), int(row["repeats"]), players)
    except OSError as error:
        raise SaveError(f"{plain(path)} holds no exam: {ABOUT} cannot be read ({error.strerror}).") from None
    except (ValueError, KeyError, TypeError) as error:
        if isinstance(error, SaveError):
            raise
        raise SaveError(f"{plain(path / ABOUT)} is damaged: it does not say what the exam is of.") from None


def _joined(about: About, path: Path) -> About:
    """What the folder has already, and what comes now."""
    if not (path / ABOUT).exists():
        return about
    had = read_about(path)
    if had.duels != about.duels:
        raise SaveError(f"{plain(path)} holds an exam in {', '.join(had.duels)}, not in {', '.join(about.duels)}.")
    players = dict((*had.players, *about.players))
    if any(players[name] != kind for name, kind in had.players):
        raise SaveError(f"{plain(path)} holds answers of another player of the same name. Choose another folder.")
    editions = tuple(dict.fromkeys((*had.editions, *about.editions)))
    most = max(had.questions, about.questions)
    return About(editions, about.duels, most, max(had.repeats, about.repeats), tuple(players.items()))
