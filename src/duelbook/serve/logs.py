"""What a server says of itself while it runs: to people, or in JSON, one line for each thing.

Nothing that is asked for is among it: the address of a game lets anybody watch, and a token is a seat.
"""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime

log = logging.getLogger("duelbook")
_SPEAKERS = ("duelbook", "uvicorn.error", "websockets")


_NO_NEWS = ("Invalid HTTP request received.", "Unsupported upgrade request.")
"""What any stranger can have said as often as they like: it is their mistake, and would fill the disk."""


def _is_news(record: logging.LogRecord) -> bool:
    return record.getMessage() not in _NO_NEWS


class _Lines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        said: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
            "process": record.process,
        }
        said |= getattr(record, "facts", {})
        if record.exc_info and record.exc_info[0] is not None:
            said["error"] = self.formatException(record.exc_info)
        return json.dumps(said, ensure_ascii=False)


def speak(*, in_json: bool) -> None:
    """To standard error from now on: everything in JSON, or what should worry somebody in plain words."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Lines() if in_json else logging.Formatter("%(levelname)s: %(message)s"))
    handler.addFilter(_is_news)
    for name in _SPEAKERS:
        speaker = logging.getLogger(name)
        speaker.handlers, speaker.propagate = [handler], False
        speaker.setLevel(logging.INFO if in_json and name == "duelbook" else logging.WARNING)


def tell(message: str, **facts: object) -> None:
    """Something that an operator may want to know; the facts stand beside it in JSON."""
    log.info(message, extra={"facts": facts})
