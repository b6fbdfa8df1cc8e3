"""Answers that were paid for once: kept by everything that matters, so that the same question is not asked again.

What was late, cut off on the way or failed is not kept.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from duelbook import folders
from duelbook.core import SaveError
from duelbook.disk import read_text, write_atomically
from duelbook.llm.reply import Reply

MOST_BYTES = 1 << 24


def key_of(asked: Mapping[str, Any]) -> str:
    """By which an answer is kept: provider, address, model, prompt, messages, parameters, the number of the sample."""
    return sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()


def _file(key: str) -> Path:
    return folders.cache() / "llm" / key[:2] / f"{key}.json"


def kept(key: str) -> Reply | None:
    """The answer to this question, if it is kept; what cannot be read any more is asked for anew."""
    with suppress(OSError, SaveError, ValueError, TypeError, KeyError):
        reply = Reply(**json.loads(read_text(_file(key), MOST_BYTES))["reply"])
        if isinstance(reply.text, str) and isinstance(reply.ended, str):
            return reply
    return None


def keep(key: str, asked: Mapping[str, Any], reply: Reply) -> None:
    """Keep an answer, with its question. A disk that fails costs nobody a game."""
    with suppress(OSError, SaveError):
        file = _file(key)
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_atomically(file, json.dumps({"asked": asked, "reply": reply._asdict()}, indent=1))
