"""What dice do to a bet, and what a game is: pure, exact, without chance, clock or accounts."""
