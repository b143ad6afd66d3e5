"""Bots against each other, over whole series on mirrored deals: how their strength is measured.

Needs no Django: `manage.py arena` is one way in, a script another.
"""
