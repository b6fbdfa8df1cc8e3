"""Draws the maps in the docs: for each duel what `duelbook map GAME --svg FILE` draws. Run by `make pictures`."""

from __future__ import annotations

from pathlib import Path

from duelbook.games import ROOMS, load
from duelbook.maps.atlas import survey
from duelbook.maps.image import draw

FOLDER = Path(__file__).parent


def draw_maps(folder: Path = FOLDER) -> None:
    for id in ROOMS:
        game = load(id)
        draw(survey(game, game.book, game.start(game.book, 0)), folder / f"map-{id}.svg", "svg")


if __name__ == "__main__":
    draw_maps()
