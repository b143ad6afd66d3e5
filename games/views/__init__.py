"""Pages: read, call one service or selector, render."""
