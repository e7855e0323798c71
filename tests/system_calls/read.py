#!/usr/bin/env python3
# tests: a signal at each call of a program that reads, whose handler acts on the very file: what comes of it could have come of the original.
"""usage: read.py --build BUILD

The signal is sent at the k-th call of each name, so that its handler runs behind that call. Whatever the optimised program prints and
leaves with a signal at one of its calls, the original does with a signal at one of its own."""

import argparse
import os
import re
import subprocess
import sys
from collections import Counter

HERE = os.path.dirname(os.path.realpath(__file__))
SKIPPED = 77
ACTIONS = ("nothing", "close", "replace", "step-back", "grow", "shrink", "jump", "read-another", "read-in-its-place")
CALL = re.compile(r"^(\w+)\(", re.M)
# What the handlers themselves call comes after the signal.
BEGINS = "rt_sigaction"


def written(path, size, byte):
    with open(path, "wb") as out:
        out.write(byte * size)


def content(path):
    with open(path, "rb") as file:
        return file.read()


class Program:
    def __init__(self, place, name):
        self.place, self.path = place, os.path.join(place, name)
        self.file, self.other = os.path.join(place, "file"), os.path.join(place, "other")
        written(self.other, 77, b"o")

    def run(self, action, before=()):
        written(self.file, 100, b"f")
        done = subprocess.run([*before, self.path, self.file, self.other, action], capture_output=True, timeout=60, check=False)
        return done.returncode, done.stdout, content(self.file)

    def calls(self):
        """(name, the which-th of that name) of each call behind that by which the handler is set."""
        told = os.path.join(self.place, "calls")
        self.run("nothing", ["strace", "-o", told])
        names = CALL.findall(content(told).decode(errors="replace"))
        first = names.index(BEGINS) + 1
        seen = Counter()
        numbered = []
        for name in names:
            seen[name] += 1
            numbered.append((name, seen[name]))
        return [call for call in numbered[first:] if call[0] not in ("exit_group", "brk", "getrandom")]

    def outcomes(self, action):
        """{outcome: a call at which the signal has it}"""
        found = {}
        for name, which in self.calls():
            signal = ["strace", "-o", "/dev/null", "-e", f"trace={name}", "-e", f"inject={name}:signal=SIGUSR1:when={which}"]
            found.setdefault(self.run(action, signal), f"{name} {which}")
        return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    options = parser.parse_args()
    place = os.path.join(os.path.abspath(options.build), "bench", "read")
    os.makedirs(place, exist_ok=True)
    subprocess.run([sys.executable, "-B", os.path.join(HERE, "..", "ir", "transform.py"), "--build", options.build, "--keep", place, "run",
                    os.path.join(HERE, "read.c")], check=True, stdout=subprocess.DEVNULL)
    original, optimised = (Program(place, name) for name in ("original", "optimised"))
    if len(optimised.calls()) >= len(original.calls()):
        print("nothing is left out here: the file system is on no list, or there is a filter of system calls")
        return SKIPPED
    wrong, seen = [], 0
    for action in ACTIONS:
        allowed = original.outcomes(action)
        got = optimised.outcomes(action)
        seen += len(allowed)
        wrong += [f"{action} at {call}: {outcome[:2]}, which is none of {[one[:2] for one in allowed]}"
                  for outcome, call in got.items() if outcome not in allowed]
    print(f"{len(ACTIONS)} actions, {seen} outcomes of the original, {len(wrong)} of the optimised program are none of them")
    print("\n".join(wrong))
    return 1 if wrong or seen < 2 * len(ACTIONS) else 0


if __name__ == "__main__":
    sys.exit(main())
