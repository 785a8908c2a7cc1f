"""What the tables of a casino share: its journal, its staff, its terminals and its tickets."""
