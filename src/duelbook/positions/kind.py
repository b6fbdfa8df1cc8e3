"""Which of the three solvers a duel asks for."""

from __future__ import annotations

from duelbook.core import DuelError, Game


def kind_of(game: Game) -> str:
    """backwards, luck or picks: what the turns of the game ask for."""
    if hasattr(game.rules_file, "resolve"):
        if game.faces:
            raise DuelError(f"{game.name} has both luck and secret picks; such duels cannot be solved here yet.")
        return "picks"
    return "luck" if game.faces else "backwards"
