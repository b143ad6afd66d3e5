"""What moderators send, and what players send to them."""
