"""A review as people read it: what was worst and why, the sum that makes the result, the averages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from duelbook.coach.decision import Decision
from duelbook.coach.review import Average, Review
from duelbook.coach.words import SAME, SEEN, adding_up, chance, fall, percent
from duelbook.core import DRAW
from duelbook.players import people_in
from duelbook.players.whose import who_met, who_played, who_won, why_over
from duelbook.speech import Line, amount, either

MOST_NAMED = 3
MOST_REASONS = 3


def heading(review: Review, *, yours: bool = False) -> str:
    """Which game it is and how it ended; with `yours` to the person who played it."""
    match, seats = review.match, review.record.seats
    if yours and match.outcome is not None and len(people_in(seats)) == 1:
        won = who_won(seats, match.names, match.outcome.winner)
        why = why_over(match.outcome, match.names, people_in(seats))
        return f"{match.game.name}: {who_played(seats, match.names)}, {won}. {why}"
    ended = "unfinished." if match.outcome is None else f"{match.outcome.result}. {match.outcome.reason}"
    return f"{match.game.name}: {who_met(seats, match.names, match.game.seats)}, {ended}"


def two_numbers(review: Review, *, yours: bool = False) -> list[str]:
    """What the two chances of the table are, and how the second one went; with `yours` to the person who played."""
    odds = review.odds
    if odds is None:
        return []
    name = "you" if yours and odds.alone else review.match.names[odds.whose]
    wins = [one if odds.whose == 0 else 1 - one for one in review.met]
    low, last = min(wins), f"{percent(wins[-1])} when {name} resigned" if _gave_up(review, odds.whose) else ""
    if percent(low) == percent(wins[0]):  # what looks the same is not told twice
        went = last or "never less"
    elif wins[-1] == 0:  # the least is the loss itself, which everybody knows: what matters is when it came
        turn = max(range(1, len(wins)), key=lambda turn: wins[turn - 1] - wins[turn])
        whole = _all_that_happens_in_a_turn(review)
        went = f"it fell furthest in turn {turn}, from {percent(wins[turn - 1])} to {percent(wins[turn])}{whole}"
    else:
        went = f"{percent(low)} at the least, after turn {wins.index(low)}{f', and {last}' if last else ''}"
    playing = f"for {name}, who would play perfectly from there" if odds.alone else f"for {name}"
    playing += ", and what the move cost of that" if odds.alone else ""
    return [
        "Wins: with perfect play on both sides from there; what nobody wins counts as half, here and below.",
        f"{odds.heading}: {odds.label.lower()}, {playing}.",
        f"{odds.label} {name} had {percent(wins[0])} at the start, and {went}.",
    ]


def _gave_up(review: Review, seat: int) -> bool:
    outcome = review.match.outcome
    return outcome is not None and outcome.kind == "resignation" and outcome.winner == 1 - seat


def _all_that_happens_in_a_turn(review: Review) -> str:
    """What a chance falls by, where that is more than one decision, whose own part is told beside it."""
    game = review.match.game
    if hasattr(game.rules_file, "resolve"):
        return " (both picks together)"
    return f" (the {game.chance.face} and the move together)" if game.faces else ""


def in_words(moves: Sequence[str], most: int = MOST_NAMED) -> str:
    """`build 2`, `8, 9 or 10`, `10, 9, 8 or others` where a perfect player picks among many."""
    if len(moves) > most:
        return f"{', '.join(moves[:most])} or others"
    return either(moves) if moves else ""


def reasons(review: Review) -> list[Line]:
    """Why the worst slips of a game were slips, said to whoever made them; nothing where there were none."""
    slips = slips_and_why(review)
    if not slips:
        return []
    lines = [f"The worst slip{'s' if len(slips) > 1 else ''}, and why:"]
    for slip, why in slips:
        lines += [f"  {slip}", *(f"    {sentence}" for sentence in why)]
    return [Line(line, "" if at else "title") for at, line in enumerate(lines)]


def slips_and_why(review: Review) -> list[tuple[str, tuple[str, ...]]]:
    """The worst slips in the order of the game, each with the sentences that say why."""
    slips = worst(each for each in review.decisions if each.mark or each.sooner)[:MOST_REASONS]
    found = []
    for each in sorted(slips, key=lambda each: (each.turn, each.seat)):
        name, played = review.match.names[each.seat], f"{each.cards}{each.move}"
        slip = f"Turn {each.turn}, {name}: {played} (better: {in_words(each.better)}). Said to {name}:"
        found.append((slip, tuple(review.why(each).lines())))
    return found


def worst(decisions: Iterable[Decision]) -> list[Decision]:
    """Those that were worse than needed, the worst first; a lost game that ended sooner only where nothing else is."""
    found = sorted((each for each in decisions if each.worse), key=lambda each: each.weight, reverse=True)
    return [each for each in found if each.weight[0] > 0] or found


def cost(review: Review, each: Decision) -> str:
    """`lost 18 %`; `lost 91 % against level 2`, where nothing was lost under perfect play; `lost 8 plies sooner`."""
    here = each.lost_here or 0.0
    against = (
        f"{fall(each.here or 0.0, (each.here or 0.0) - here)[2]} {review.odds.label.lower()}" if review.odds else ""
    )
    if each.lost > SAME:
        both = f" ({against})" if here >= SEEN else ""
        return f"lost {fall(each.before, each.after)[2]}{both}"
    return f"lost {against}" if here >= SEEN else f"lost {amount(each.sooner, 'move')} sooner"


def sum_terms(review: Review) -> list[tuple[str, int]]:
    """The terms of the sum in hundredths of a percent, the start first, rounded so that what is shown adds up too."""
    match, sums = review.match, review.accounting
    one, two = match.names
    terms = [("at the start", chance(sums.start))]
    if match.game.faces:
        terms.append((f"luck of the {match.game.chance.face}s", sums.luck / 2))
    terms += [(f"{one}'s decisions", sums.player1 / 2), (f"{two}'s decisions", sums.player2 / 2)]
    if hasattr(match.game.rules_file, "resolve"):
        terms.append(("the guess", sums.guess / 2))
    if review.cut_short:
        terms.append((review.cut_short, sums.ended / 2))
    shown = adding_up([part for _, part in terms])
    return [(words, hundredths) for (words, _), hundredths in zip(terms, shown, strict=True)]


def accounting(review: Review, *, yours: bool = False) -> list[str]:
    """The sum, a line for every term; with `yours` to the person who played."""
    terms = sum_terms(review)
    result = ("the last position", "not over yet") if review.unfinished else ("the result", _verdict(review, yours))
    width = max(len(words) for words, _ in [*terms, result])
    lines = [f"From the start to {result[0]}, in win probability of {review.match.names[0]}:"]
    for at, (words, hundredths) in enumerate(terms):
        sign, unit = ("", " %") if at == 0 else ("+" if hundredths > 0 else "", "")
        lines.append(f"  {words:<{width}}  {sign + f'{hundredths / 100:.2f}':>8}{unit}")
    lines.append(f"  {result[0]:<{width}}  {sum(part for _, part in terms) / 100:>8.2f} %  ({result[1]})")
    return lines


def _verdict(review: Review, yours: bool) -> str:
    match, seats = review.match, review.record.seats
    assert match.outcome is not None
    if match.outcome.winner is None:
        return "no result, which counts as half"
    if match.outcome.winner == DRAW:
        return "nobody wins"
    if yours and len(people_in(seats)) == 1:
        return who_won(seats, match.names, match.outcome.winner)
    return f"{match.names[match.outcome.winner]} wins"


def flawless(review: Review, *, yours: bool = False) -> str:
    """What to say of a finished or unfinished game in which no decision was worse than the best; with `yours` to the
    person who played.

    Who had lost already could not give anything away: that is no praise, and is not said as one. Nor had somebody
    nothing to lose who resigned.
    """
    you = people_in(review.record.seats) if yours else ()
    names = ["you" if you == (seat,) else name for seat, name in enumerate(review.match.names)]
    made = [[decision for decision in review.decisions if decision.seat == seat] for seat in (0, 1)]
    hopeless = [bool(mine) and all(decision.already_lost for decision in mine) for mine in made]
    ended = _ended(review, names)
    if any(hopeless):
        loser = hopeless.index(True)
        who = "You" if you == (loser,) else names[loser]
        whose = "Your" if you == (1 - loser,) else f"{names[1 - loser]}'s"
        lost = f"{who} had nothing to give away: against perfect play this was lost from the first decision on."
        said = f"{whose} decisions gave nothing away. {lost}" if made[1 - loser] else lost
    elif not any(made):
        said = "Nobody decided anything."
    elif ended:
        said = "No decision gave anything away: each was as good as the best there was."
    else:
        said = "Nobody gave anything away: every decision was as good as the best there was."
    return f"{said} {ended}".rstrip()


def _ended(review: Review, names: Sequence[str]) -> str:
    """What an end from outside the rules cost, and whom."""
    change = review.accounting.ended / 2
    if abs(change) <= SAME:
        return ""
    return f"{review.cut_short.capitalize()} cost {names[0 if change < 0 else 1]} {percent(abs(change))}."


def average_lines(averages: Iterable[Average]) -> list[str]:
    lines = ["Average loss per decision, in points of win probability:"]
    for each in averages:
        decisions = f"{amount(each.decisions, 'decision')} in {amount(each.games, 'game')}"
        if not each.decisions:
            lines.append(f"  {each.name}: no decision yet")
            continue
        found = each.interval
        span = "" if found is None else f" ({100 * found.low:.2f} to {100 * found.high:.2f}, 95 %)"
        marks = [amount(count, name) for name, count in each.marks.items() if count]
        counts = f": {either(marks, 'and')}" if marks else ""
        lines.append(
            f"  {each.name}: {100 * each.mean:.2f}{span}, {decisions}{had_lost(each)}{counts}{_here_too(each)}"
        )
    return lines


def had_lost(each: Average) -> str:
    """How often there was nothing to lose any more: an average over that says little."""
    if not each.already_lost:
        return ""
    many = "all" if each.already_lost == each.decisions else str(each.already_lost)
    return f" ({many} when it was lost to perfect play already)"


def _here_too(each: Average) -> str:
    """The second number beside the first: what was lost against those who sat there."""
    if each.mean_here is None:
        return ""
    whom = "this very opponent" if each.games == 1 else "these very opponents"
    return f"; against {whom} {100 * each.mean_here:.2f}"
