"""Contexts of the pages of moderation."""
