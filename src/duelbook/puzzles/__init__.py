"""Puzzles: find the only move (`puzzle`), where they come from (`source`), and how you have done so far (`streak`).

A puzzle is a position of a solved duel where exactly one choice keeps what the position is worth. It restates no rule:
the position comes from play, the answer from the solution, and the words from the duel and its coach.
"""
