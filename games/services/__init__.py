"""Use cases: one file a noun, each function owns its transaction."""
