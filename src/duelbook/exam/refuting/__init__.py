"""The proof that a player can be beaten, or that nobody can do better against it than the duel is worth."""
