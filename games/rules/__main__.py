"""`python -m games.rules`: answers lines of JSON from standard input (see `program`)."""

import sys

from games.rules.program import run

if __name__ == "__main__":
    run(sys.stdin.buffer, sys.stdout)
