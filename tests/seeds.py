# tests: the number that random tests begin with. ./test makes it from the commit, so that each commit meets programs of its own; --seed replays.
import os
import sys

# Programs of one run have consecutive numbers: runs of neighbouring seeds must not share them.
APART = 1000
# Of a run by hand.
DEFAULT = 1


def seed():
    """THALWEG_TEST_SEED, or DEFAULT."""
    words = os.environ.get("THALWEG_TEST_SEED", str(DEFAULT))
    if not words.isdecimal():
        sys.exit(f"THALWEG_TEST_SEED is '{words}'; it must be a number")
    return int(words)


def first_program():
    """The number of the first of a run's random programs."""
    return seed() * APART
