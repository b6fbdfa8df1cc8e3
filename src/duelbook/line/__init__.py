"""Line mode: the duels as a conversation, for terminals, pipes and screen readers."""
