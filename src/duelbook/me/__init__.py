"""A record of the person who plays here, found in their own saved games."""
