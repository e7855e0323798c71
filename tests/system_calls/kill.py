#!/usr/bin/env python3
# tests: kill -9 at random moments of programs that write: what they have told is there, and what is there is whole.
"""usage: kill.py [--build BUILD] [--subjects copy,sqlite] [--times N] [--seed S] [--original]

An optimised program (--original: the original) is run until N runs of it were killed, each at a moment chosen by lot between its start
and its usual end. `sqlite` tells each commit on its standard output: all that it told is in the database, at most one commit more, and the
database is whole. `copy` makes one file after the other: all but the last are complete, the last is the beginning of one."""

import argparse
import glob
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import time

sys.path.append(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
import seeds  # noqa: E402

ROWS = 100
COPIES = 60
BYTES = 947_200
# A machine has more to do at one time than at another.
RUNS_UNTIL_MEASURED_AGAIN = 20
MOST_RUNS_A_KILL = 20


class Sqlite:
    name = "sqlite"

    def __init__(self, folder):
        self.folder = folder
        self.base = os.path.join(folder, "base.db")
        self.script = os.path.join(folder, "script.sql")
        with open(self.script, "w", encoding="ascii") as out:
            out.write("create table t(a integer primary key, b text);\n")
            out.write("".join(f"insert into t values({i}, '{'row ' * (i % 50)}');\nselect {i};\n" for i in range(ROWS)))

    def command(self, program):
        return [program, self.base]

    def places(self):
        return {"stdin": open(self.script, "rb"), "stdout": open(os.path.join(self.folder, "told"), "wb")}

    def wrong(self):
        """None, or what is not as it must be."""
        with open(os.path.join(self.folder, "told"), encoding="ascii") as out:
            told = [int(line) for line in out.read().splitlines()]
        with sqlite3.connect(self.base) as base:
            state = base.execute("pragma integrity_check").fetchall()
            there = base.execute("select count(*) from sqlite_master where name = 't'").fetchone()[0]
            rows = [row[0] for row in base.execute("select a from t order by a")] if there else []
        base.close()
        if state != [("ok",)]:
            return f"the database is not whole: {state[:3]}"
        if rows != list(range(len(rows))) or not len(told) <= len(rows) <= len(told) + 1:
            return f"{len(told)} commits were told, {len(rows)} rows are there"
        return None

    def clean(self):
        for path in glob.glob(f"{self.base}*"):
            os.unlink(path)


class Copy:
    name = "copy"

    def __init__(self, folder):
        self.folder = folder
        self.source = os.path.join(folder, "source")
        self.data = random.Random(BYTES).randbytes(BYTES)
        with open(self.source, "wb") as out:
            out.write(self.data)

    def command(self, program):
        return [program, self.source, os.path.join(self.folder, "to"), str(COPIES)]

    def places(self):
        return {}

    def wrong(self):
        count = len(glob.glob(os.path.join(self.folder, "to.*")))
        for i in range(count):
            path = os.path.join(self.folder, f"to.{i}")
            if not os.path.exists(path):
                return f"{count} files, and none is to.{i}"
            with open(path, "rb") as copy:
                found = copy.read()
            if found != self.data[:len(found)] or (i + 1 < count and len(found) != BYTES):
                return f"to.{i} of {count} has {len(found)} bytes, and is no copy of the source's {BYTES} or of their beginning"
        return None

    def clean(self):
        for path in glob.glob(os.path.join(self.folder, "to.*")):
            os.unlink(path)


def run(writer, program, after_s):
    """Whether it was killed: it may have ended before."""
    writer.clean()
    process = subprocess.Popen(writer.command(program), cwd=writer.folder, stderr=subprocess.DEVNULL, **writer.places())
    try:
        process.wait(timeout=after_s)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return True
    return False


def usual_s(writer, program):
    start = time.monotonic()
    run(writer, program, None)
    problem = writer.wrong()
    if problem:
        sys.exit(f"kill: {writer.name}: {program}, not killed: {problem}")
    return time.monotonic() - start


def check(writer, program, times, seed):
    random_ = random.Random(seed)
    runs = killed = failures = 0
    while killed < times:
        if runs == MOST_RUNS_A_KILL * times:
            sys.exit(f"kill: {writer.name}: of {runs} runs only {killed} could be killed")
        if runs % RUNS_UNTIL_MEASURED_AGAIN == 0:
            end = usual_s(writer, program)
        runs += 1
        after = random_.uniform(0, end)
        killed += run(writer, program, after)
        problem = writer.wrong()
        if problem:
            failures += 1
            print(f"{writer.name}: killed after {after:.4f} s: {problem}")
    writer.clean()
    print(f"{writer.name}: {runs} runs, {killed} killed, {failures} with something lost or broken")
    return failures


def main():
    import subjects
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=os.path.join(subjects.ROOT, "build"), help="the build folder (default: build)")
    parser.add_argument("--subjects", default="copy,sqlite", help="separated by commas (default: copy,sqlite)")
    parser.add_argument("--times", type=int, default=1000, help="kills of each (default: 1000)")
    parser.add_argument("--seed", type=int, default=seeds.seed(), help="of the lot")
    parser.add_argument("--original", action="store_true", help="the original programs, which must hold it too")
    parser.add_argument("--program", help="this program in place of the built one")
    options = parser.parse_args()
    names = options.subjects.split(",")
    chosen = [subject for subject in subjects.SUBJECTS if subject.name in names]
    programs = {} if options.program else subjects.built(chosen, options.build)
    failures = 0
    for kind in (kind for kind in (Copy, Sqlite) if kind.name in names):
        folder = os.path.join(os.path.abspath(options.build), "bench", f"kill-{kind.name}")
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        program = os.path.abspath(options.program) if options.program else programs[kind.name][0 if options.original else 1]
        failures += check(kind(folder), program, options.times, options.seed)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
