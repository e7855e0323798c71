# tests: what runs of random programs share: their options, a folder and a seed for each program, and what is said at the end.
import argparse
import collections
import concurrent.futures
import os
import re
import shutil
import sys

import transform

sys.path.append(os.path.dirname(transform.HERE))
import seeds  # noqa: E402


def options_of(description, programs):
    """The seed of the first program is printed, so that the run can be had again."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--build", required=True)
    parser.add_argument("--programs", type=int, default=programs)
    parser.add_argument("--seed", type=int, default=seeds.first_program(), help="of the first program")
    parser.add_argument("--sabotage", action="store_true")
    options = parser.parse_args()
    print(f"seed {options.seed}: programs {options.seed} to {options.seed + options.programs - 1}", flush=True)
    return options


def new_folder(options, kind, seed):
    """Of one program; what is left in it by a run before is gone."""
    folder = os.path.join(options.build, "tests", kind, str(seed))
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    return folder


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def decisions_in(outcome):
    """How many of them were applied, and refused."""
    return {word: len(re.findall(rf"decision \d+ {word}:", outcome)) for word in ("applied", "refused")}


class Results:
    """What `check` gave of all programs: for a seed, counts by name and the words in which original and optimised differ, or none."""

    def __init__(self, check, options):
        def in_words(seed):
            try:
                return check(seed)
            except (transform.Failed, transform.Refused, OSError, ValueError) as problem:
                return {}, f"program {seed}: {problem}\n"

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(in_words, range(options.seed, options.seed + options.programs)))
        self.programs = options.programs
        self.counts = collections.Counter()
        for counts, _ in results:
            self.counts.update(counts)
        self.differ = [words for _, words in results if words]

    def tell(self, counted):
        """In one line; `counted` is what is said of the counts."""
        print("".join(self.differ) + f"{self.programs} programs, {counted}; {len(self.differ)} programs differ")

    def exit_code(self, shows_nothing=None):
        """`shows_nothing`: why the run is none, though no program differs."""
        if shows_nothing:
            print(f"{shows_nothing}: this run shows nothing")
        return 1 if shows_nothing or self.differ else 0
