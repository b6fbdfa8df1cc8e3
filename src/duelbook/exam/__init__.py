"""The exam: positions put to a player one by one, and what each answer loses, exactly."""
