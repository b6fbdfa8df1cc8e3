"""What the games of a tournament show: counts, ratings, losses, verdicts."""
