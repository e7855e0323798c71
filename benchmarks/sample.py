#!/usr/bin/env python3
"""Some of the benchmarks at toy size: those whose turn it is by the commit's number.

    sample.py --build BUILD --of N "NAME [OPTION...]" ...      N of the benchmarks named, one after the other

Over some commits each has its turn; ./test --all runs them all.
"""
import argparse
import os
import random
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tests"))
from seeds import seed  # noqa: E402


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--of", type=int, required=True)
    parser.add_argument("benchmarks", nargs="+")
    options = parser.parse_args()
    failed = []
    for words in random.Random(seed()).sample(options.benchmarks, options.of):
        print(f"==== ./bench {words}", flush=True)
        if subprocess.run([os.path.join(ROOT, "bench"), *words.split(), "--toy", "--build", options.build], check=False).returncode != 0:
            failed.append(words)
    sys.exit(f"failed: {', '.join(failed)}" if failed else 0)


main()
