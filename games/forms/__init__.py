"""What people send, read into values."""
