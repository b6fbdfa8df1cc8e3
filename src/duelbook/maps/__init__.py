"""Maps: what a duel is worth at every pair of its two main numbers, drawn."""
