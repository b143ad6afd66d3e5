"""What is done in moderation: one file per noun; each use case owns its transaction."""
