"""Pages of moderation: thin doors that call one service."""
