"""What can be computed from the rules: the same functions that people read, run over every position there is."""
