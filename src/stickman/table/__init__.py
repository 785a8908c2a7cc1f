"""Who may do what at a table, and what is owed: pure, closed events, replayable."""
