"""The live table: the pit that runs it, and the server that connects its screens."""
