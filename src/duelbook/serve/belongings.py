"""What a terminal keeps of the online games it sits in, so that one can leave and come back: tokens and secrets."""

from __future__ import annotations

import json
import os
import secrets
from pathlib import Path
from typing import NamedTuple

from duelbook import folders
from duelbook.core import DuelError
from duelbook.honest.writing import LENGTH


class Belongings(NamedTuple):
    secret: bytes
    """That of the chain."""
    token: str = ""
    """Empty until somebody has sat down."""
    seat: int = -1
    pick: tuple[int, str, str] | None = None
    """A pick that is promised and not yet opened: its turn, its word and its salt."""


def _file(game: str) -> Path:
    return folders.state() / "online" / f"{game}.json"


def find(game: str) -> Belongings:
    """What is kept of a game, or a new secret for one that is not known here yet."""
    try:
        found = json.loads(_file(game).read_text(encoding="utf-8"))
        turn, word, salt = found["pick"] or (0, "", "")
        pick = (int(turn), str(word), str(salt)) if turn else None
        return Belongings(bytes.fromhex(found["chain"]), str(found["token"]), int(found["seat"]), pick)
    except FileNotFoundError:
        return Belongings(secrets.token_bytes(LENGTH))
    except (OSError, ValueError, KeyError, TypeError):
        raise DuelError(f"What was kept of this game in {_file(game)} cannot be read.") from None


def keep(game: str, mine: Belongings) -> None:
    """For this user's eyes alone: whoever has the token has the seat."""
    file = _file(game)
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    text = json.dumps({"chain": mine.secret.hex(), "token": mine.token, "seat": mine.seat, "pick": mine.pick})
    new = file.with_suffix(".new")
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as kept:
        kept.write(text)
        kept.flush()
        os.fsync(kept.fileno())
    new.replace(file)
