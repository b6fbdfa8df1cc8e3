"""Tournaments between players of any kind: fair games, exact weights, and verdicts that say how sure they are."""
