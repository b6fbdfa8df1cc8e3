"""`duelbook verify`: check records against the rules."""

from __future__ import annotations

from typing import Any

import click

from duelbook.cli.options import as_json, echo_json, say
from duelbook.core import DuelError
from duelbook.fairness import proof_of_luck
from duelbook.record import Record
from duelbook.speech import amount, plain
from duelbook.table.shelf import iter_file, locate_to_read


@click.command(short_help="check .duel files against the rules")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@as_json
def command(files: tuple[str, ...], as_json: bool) -> int:
    """Check .duel files against the rules and say exactly where a bad one goes wrong. Exit code 1 if any is bad.

    Where seeds were committed to, every card is computed anew from them.

    FILE can also be the id of a saved game, or the name of a duel for its rule book's worked example.
    """
    reports = [_report(name) for name in files]
    if as_json:
        echo_json(reports)
    else:
        for report in reports:
            if report["ok"]:
                for number, game in enumerate(report["games"], 1):
                    which = f", game {number}" if len(report["games"]) > 1 else ""
                    say(f"{plain(report['file'])}{which}: good. {game['summary']}")
            else:
                say(report["error"])
    return 0 if all(report["ok"] for report in reports) else 1


class BrokenPromise(Exception):
    """The cards of a game are not those that were committed to."""


def _report(name: str) -> dict[str, Any]:
    try:
        return {"file": name, "ok": True, "games": [_summary(record) for record in iter_file(locate_to_read(name))]}
    except BrokenPromise as error:
        return {"file": name, "ok": False, "error": f"{plain(name)}: {error}"}
    except DuelError as error:
        return {"file": name, "ok": False, "error": str(error)}


def _summary(record: Record) -> dict[str, Any]:
    match = record.match
    result = match.outcome.result if match.outcome else "*"
    reason = match.outcome.reason if match.outcome else "Unfinished."
    proof = proof_of_luck(match)
    if proof.broken:
        raise BrokenPromise(proof.broken)
    return {
        "game": match.game.id,
        "turns": match.turns,
        "result": result,
        "reason": reason,
        "position": match.game.write_position(match.rules, match.state),
        "cards": {"promised": proof.promised, "computed": proof.computed, "unknown": proof.unknown},
        "summary": f"{match.game.name}, {amount(match.turns, 'turn')}, {result}: {reason} {proof}".rstrip(),
    }
