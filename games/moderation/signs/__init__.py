"""What may be a sign of something wrong: pure functions of what was played, a file for each.

Each gives a score and says from which on it is a signal. How often honest play comes so far is
measured (`manage.py false_alarms`) and told in docs/moderation.md.
"""
