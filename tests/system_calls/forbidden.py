#!/usr/bin/env python3
# tests: under an inherited filter that ends the process at any one system call, the optimised program ends as the original does.
"""usage: forbidden.py --build BUILD [--all]

Programs with a decision of each kind. Those calls are forbidden that the optimised program makes more often without a filter than the
original; with --all every number that the kernel has. Under a filter that allows all, the optimised program must make the original's calls:
nothing is left out, joined or done in another way."""

import argparse
import os
import re
import subprocess
import sys
from collections import Counter

HERE = os.path.dirname(os.path.realpath(__file__))
RUNS = os.path.join(HERE, "..", "ir", "runs")
SKIPPED = 77
NO_FILTER = 125
# How often the C library asks for these depends on where the kernel has put the heap.
BY_CHANCE = ("brk", "getrandom")
# openat, one read or two, close: before the first constructor.
QUESTION = Counter({"openat": 1, "read": 1, "close": 1})
PROGRAMS = {
    "fused": (os.path.join(HERE, "fused.c"), ("from", "to")),
    "closed": (os.path.join(HERE, "closed.c"), ()),
    **{name: (os.path.join(RUNS, f"{name}.c"), ()) for name in (
        "descriptors_made_with_their_flags", "joined_writes_through_tables", "keep_large_blocks", "leave_out_what_is_known_of_files")},
}
# Those whose runs are long: with --all.
LONG = {name: (os.path.join(RUNS, f"{name}.c"), ()) for name in ("copy_files", "joined_writes")}
TOLD = re.compile(r"^(?:\d+ +)?(\w+)\(", re.M)
HEADERS = ("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "/usr/include/asm-generic/unistd.h")


def numbers():
    """{name: number} of this machine's system calls."""
    header = next((path for path in HEADERS if os.path.exists(path)), None)
    if header is None:
        return {}
    with open(header, encoding="ascii") as text:
        return {name: int(number) for name, number in re.findall(r"#define __NR_(\w+)\s+(\d+)", text.read())}


class Pair:
    def __init__(self, build, place, source, arguments):
        self.place, self.arguments = place, arguments
        os.makedirs(place, exist_ok=True)
        made = subprocess.run([sys.executable, "-B", os.path.join(HERE, "..", "ir", "transform.py"), "--build", build, "--keep", place, "run",
                               source], check=True, capture_output=True, text=True)
        self.is_applied = " applied" in made.stdout
        with open(os.path.join(place, "from"), "wb") as out:
            out.write(b"stream bed line flow\n" * 20_000)

    def run(self, name, before=()):
        """How it ended, what it said, what it left."""
        if os.path.exists(os.path.join(self.place, "to")):
            os.unlink(os.path.join(self.place, "to"))
        done = subprocess.run([*before, f"./{name}", *self.arguments], cwd=self.place, capture_output=True, timeout=60, check=False,
                              env={"PATH": "/usr/bin:/bin"})
        left = b""
        if os.path.exists(os.path.join(self.place, "to")):
            with open(os.path.join(self.place, "to"), "rb") as file:
                left = file.read()
        return done.returncode, done.stdout, left

    def calls(self, name, before=()):
        """Names of the calls that it makes, in order; those before it was executed are not told."""
        told = os.path.join(self.place, "calls")
        self.run(name, ["strace", "-f", "-o", told, *before])
        with open(told, encoding="utf-8", errors="replace") as text:
            names = TOLD.findall(text.read())
        return names[len(names) - 1 - names[::-1].index("execve"):]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    number_of = numbers()
    place = os.path.join(os.path.abspath(options.build), "bench", "forbidden")
    os.makedirs(place, exist_ok=True)
    forbidding = os.path.join(place, "forbidding")
    subprocess.run(["clang-19", "-O1", os.path.join(HERE, "forbidding.c"), "-o", forbidding], check=True)
    if not number_of or subprocess.run([forbidding, "-1", "/bin/true"], capture_output=True, check=False).returncode == NO_FILTER:
        print("no filter of system calls may be installed here")
        return SKIPPED
    wrong, cases = [], 0
    for name, (source, arguments) in (PROGRAMS | (LONG if options.all else {})).items():
        pair = Pair(options.build, os.path.join(place, name), source, arguments)
        if not pair.is_applied:
            wrong.append(f"{name}: no decision is applied")
        both = [pair.calls(program) for program in ("original", "optimised")]
        own = [call for call, often in own_calls(*both).items() if often > 0]
        if not own and not any(own_calls(*both).values()):
            print(f"{name}: both programs make the same calls here: nothing would be seen")
            return SKIPPED
        both = [pair.calls(program, [forbidding, "-1"]) for program in ("original", "optimised")]
        if own_calls(*both):
            wrong.append(f"{name}: under a filter that allows all it makes other calls: {own_calls(*both)}")
        for call in number_of if options.all else (*own, *QUESTION):
            if call in number_of and call not in ("execve", "exit_group"):
                cases += 1
                ended = [pair.run(program, [forbidding, str(number_of[call])]) for program in ("original", "optimised")]
                if ended[0] != ended[1]:
                    wrong.append(f"{name} where {call} is forbidden: {ended[1][0]} for {ended[0][0]}, {ended[1][1]!r} for {ended[0][1]!r}")
    print(f"{cases} cases, {len(wrong)} differ")
    print("\n".join(wrong))
    return 1 if wrong else 0


def own_calls(original, optimised):
    """How often which calls are made by one program alone, without those by which the other asks for a filter before it begins."""
    own = Counter(optimised)
    own.subtract(Counter(original))
    own.subtract(QUESTION)
    return {name: often for name, often in own.items() if name not in BY_CHANCE and often not in ((0, 1) if name == "read" else (0,))}


if __name__ == "__main__":
    sys.exit(main())
