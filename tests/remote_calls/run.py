#!/usr/bin/env python3
# tests: remote calls that go out together have the results and errors of those that follow each other, whatever server and network do.
#
#   run.py --build BUILD [--faults a,b]
#
# The client (client.c) is built with thalweg-cc on libtirpc, recorded, planned with the user's word for three procedures, and optimised. Then
# both run against a server that loses, exchanges and spoils (server.c). Their outputs must be the same; and of the server it is asked how many
# requests lay before it at once: one from the original, more from the optimised program, so that the test can't pass where nothing happens.
import argparse
import concurrent.futures
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
LIMIT_S = 240
AT_A_TIME = 4
# Each with what lies before the server at once in the optimised program; None: it depends on how fast it is.
FAULTS = {"plain": None, "gathered": 3, "exchanged": 3, "doubled": 3, "stray": 3, "lost": None, "denied": 2, "unavailable": 2,
          "failing": 2, "garbage": 2, "short": 2, "late": 3, "late-failing": 2, "silent": None, "dies": None, "credentials": 3, "stream": 1, "thread": 1, "no-wait": None}
# The server dies or is silent: rounds that fail take their time.
ROUNDS = {"silent": "2", "lost": "2", "no-wait": "2"}


def call(*command, **more):
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=LIMIT_S, **more)


def at_once_of(done):
    """Requests before the server at once, as it printed them."""
    words = done.stderr.split()
    return int(words[0]) if words else 0


def build_programs(build, folder):
    def tool(name):
        return os.path.join(build, "bin", name)
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "libtirpc"], check=True, capture_output=True, text=True).stdout.split()
    original = os.path.join(folder, "client")
    sources = [os.path.join(HERE, name) for name in ("client.c", "stubs.c", "server.c")]
    call(tool("thalweg-cc"), "-O2", "-D_GNU_SOURCE", *sources, *flags, "-o", original)
    profile, plan, optimised = (os.path.join(folder, name) for name in ("profile", "plan.toml", "optimised"))
    call(tool("thalweg"), "record", "-o", profile, "--", original, "plain", "300")
    undeclared = call(tool("thalweg"), "plan", profile, "--all").stdout
    if "not-declared" not in undeclared:
        raise SystemExit(f"without a declaration the plan doesn't say what to declare:\n{undeclared}")
    word = ("--independent", f"{0x20000777:#x}:3:1,2,3,11")
    call(tool("thalweg"), "plan", profile, *word, "-o", plan)
    done = call(tool("thalweg"), "optimize", original, "--profile", profile, "--plan", plan, *word, "-o", optimised)
    print(done.stdout, done.stderr)
    return original, optimised


def main():
    parser = argparse.ArgumentParser(description="remote calls that go out together, under faults")
    parser.add_argument("--build", required=True)
    parser.add_argument("--faults", default=",".join(FAULTS))
    parser.add_argument("--keep", help="a folder for the programs")
    options = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as temporary:
        original, optimised = build_programs(os.path.abspath(options.build), options.keep or temporary)
        faults = options.faults.split(",")
        # A client waits most of its time: for retries, for late replies, for a server that is dead.
        with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
            both = pool.map(lambda fault: [call(program, fault, ROUNDS.get(fault, "6")) for program in (original, optimised)], faults)
        for fault, (one, other) in zip(faults, both):
            expected = FAULTS[fault]
            at_once = [at_once_of(done) for done in (one, other)]
            is_right = one.stdout == other.stdout and (expected is None or at_once == [1, expected])
            print(f"{fault}: {len(one.stdout.splitlines())} lines, at once {at_once[0]} and {at_once[1]}: {'the same' if is_right else 'DIFFERENT'}")
            if not is_right:
                wrong += 1
                print(f"--- original\n{one.stdout}--- optimised\n{other.stdout}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
