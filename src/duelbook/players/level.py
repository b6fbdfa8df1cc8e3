"""How the levels of the ladder are named."""

from __future__ import annotations

from duelbook.core import DuelError
from duelbook.policies.levels import LEVELS


def level_number(text: str) -> int:
    """The rung that `level:3` or `level:club player` names, from 1."""
    names = [level.name for level in LEVELS]
    wanted = text.strip().lower()
    if wanted in names:
        return names.index(wanted) + 1
    if wanted.isascii() and wanted.isdigit() and len(wanted) < 4 and 1 <= int(wanted) <= len(LEVELS):
        return int(wanted)
    known = ", ".join(f"{number} ({name})" for number, name in enumerate(names, 1))
    raise DuelError(f"There is no level '{text}'. The levels are {known}.")
