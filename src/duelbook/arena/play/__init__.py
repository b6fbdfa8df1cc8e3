"""Games of a tournament: planned, given out, played and kept."""
