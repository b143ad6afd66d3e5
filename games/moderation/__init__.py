"""What moderators work with: signals, reports, cases, and the trail of what staff did."""
