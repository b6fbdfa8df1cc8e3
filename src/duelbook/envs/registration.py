"""The names under which Gymnasium knows the duels: `duelbook/Tower-v0`, and so on for all that are installed.

Gymnasium looks for no environments by itself: importing `duelbook.envs.gymnasium` makes them known. Nothing is loaded
for it but the list of names.
"""

from __future__ import annotations

import re

from duelbook.games import game_ids

SPACE = "duelbook"


def name_of(id: str) -> str:
    """`duelbook/Tower-v0` for the duel tower."""
    return f"{SPACE}/{''.join(word.capitalize() for word in re.split(r'[^a-z0-9]+', id))}-v0"


def register() -> None:
    """Make every duel known that is not yet."""
    from gymnasium.envs.registration import register as make_known
    from gymnasium.envs.registration import registry

    for id in game_ids():
        if name_of(id) not in registry:
            make_known(
                id=name_of(id),
                entry_point="duelbook.envs.gymnasium:DuelEnv",
                vector_entry_point="duelbook.envs.vector:DuelVectorEnv",
                kwargs={"game": id},
            )
