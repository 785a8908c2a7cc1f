"""The live table: where its dice come from, who may write to it, and what its screens are told."""
