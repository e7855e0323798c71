#!/usr/bin/env python3
"""Runs clang-tidy 19 with .clang-tidy over the sources of a build folder, in parallel.

    tools/tidy.py [--build BUILD] [--changed | FILE...]      without FILE: every source under src/ that BUILD compiles, tests left out

--changed: those that the last commits touch, or that are not committed, the latest first and at most MOST_CHANGED compilations; a header stands
for the source of its name.

What is as it was when it last passed, in text, headers, command and rules, is not looked at again (BUILD/tidy/). Most of clang-tidy's
time goes into headers: files that BUILD compiles as one (cmake/Room.cmake) are looked at as one.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CLANG_TIDY = "clang-tidy-19"
# So many commits are what a change is made of; ./test --all looks at everything.
CHANGE_COMMITS = 3
# Compilations that --changed looks at: each takes 10 to 30 s of a core, the whole 5 minutes of two (measured).
MOST_CHANGED = 4
# How CMake's unity builds take in a source.
INCLUDED = re.compile(r'^#include "(.+)"$', re.MULTILINE)


def compiled(build):
    """{file: (what is compiled for it, with which command)}: itself, or a file that includes it and others."""
    path = build / "compile_commands.json"
    if not path.is_file():
        sys.exit(f"tidy: {path} is not there; configure first: cmake --preset dev")
    found = {}
    for entry in json.loads(path.read_text(encoding="utf-8")):
        unit = Path(entry["file"]).resolve()
        inside = [Path(name) for name in INCLUDED.findall(unit.read_text(encoding="utf-8"))] if is_unity(unit) else [unit]
        for file in inside:
            if file.is_relative_to(ROOT / "src"):
                found.setdefault(file, (unit, entry["command"]))
    return found


def changed(found):
    """The sources of `found` that the last commits or the working tree change, the latest changed first."""
    def lines(*command):
        done = subprocess.run(["git", *command], cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"tidy: git {command[0]} failed, so what has changed is not known: {done.stderr.strip()}")
        return done.stdout.splitlines()

    most = min(CHANGE_COMMITS, int(lines("rev-list", "--count", "HEAD")[0]) - 1)
    names = lines("ls-files", "--others", "--exclude-standard", "src")
    for depth in range(most + 1):
        names += lines("diff", "--name-only", f"HEAD~{depth}", "--", "src", "include")
    stems = list(dict.fromkeys((ROOT / name).with_suffix("") for name in names))
    return sorted((file for file in found if file.with_suffix("") in stems), key=lambda file: stems.index(file.with_suffix("")))


def is_unity(unit):
    return unit.parent.name == "Unity"


def own_headers():
    folders = [ROOT / "src", ROOT / "include"]
    return sorted(header for folder in folders for header in folder.rglob("*.h"))


def fingerprint(files, command, rules_and_headers):
    return hashlib.sha256(rules_and_headers + command.encode() + b"".join(file.read_bytes() for file in files)).hexdigest()


def tidy(unit, build):
    """(exit code, words)"""
    done = subprocess.run([CLANG_TIDY, "--quiet", "-p", build, unit], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + ("" if done.returncode == 0 else done.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--changed", action="store_true")
    parser.add_argument("files", nargs="*", type=Path)
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    found = compiled(build)
    asked = [file.resolve() for file in arguments.files] or (changed(found) if arguments.changed else list(found))
    if not arguments.files:
        asked = [file for file in asked if not file.stem.endswith(("_test", "_fuzz"))]
    if not asked and arguments.changed:
        print("tidy: no source has changed")
        return 0
    unknown = [str(file) for file in asked if file not in found]
    if unknown or not asked:
        sys.exit(f"tidy: {build} does not compile {', '.join(unknown) or 'anything under src/'}")

    shared = b"".join(file.read_bytes() for file in [ROOT / ".clang-tidy", *own_headers()])
    passed = build / "tidy"
    passed.mkdir(exist_ok=True)
    units = {}
    for file in asked if arguments.changed else sorted(asked):
        units.setdefault(found[file], []).append(file)
    left = len(units) - MOST_CHANGED if arguments.changed else 0
    if left > 0:
        print(f"tidy: {left} of {len(units)} compilations that the last commits change are left to tools/tidy.py without --changed (house.tidy_all)")
        units = dict(list(units.items())[:MOST_CHANGED])
    stamps = {unit: (files, passed / fingerprint(files, command, shared)) for (unit, command), files in units.items()}
    todo = {unit: both for unit, both in stamps.items() if not both[1].exists()}
    failures = looked_at = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        running = {pool.submit(tidy, unit, build): both for unit, both in todo.items()}
        for done in concurrent.futures.as_completed(running):
            files, stamp = running[done]
            code, words = done.result()
            looked_at += 1
            print(f"[{looked_at}/{len(todo)}] {', '.join(str(file.relative_to(ROOT)) for file in files)}", flush=True)
            if code:
                failures += 1
                print(words, flush=True)
            else:
                stamp.touch()
    print(f"tidy: {len(asked)} files, compiled as {len(units)}: {len(units) - len(todo)} unchanged since they passed, "
          f"{failures} with findings")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
