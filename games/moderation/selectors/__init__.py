"""Reads of moderation; whose cases a moderator may know of, `games.moderation.access` says."""
