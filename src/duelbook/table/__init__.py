"""What a match needs around it, whatever shows it: how it begins, how it is told, where it is kept."""
