#!/usr/bin/env python3
"""Runs the tests of one build folder with ctest, and adds what came of them to a file of results.

    tools/run_tests.py --build BUILD --results FILE [--mode default|quick|all] [--part NAME]... [--jobs N]

The mode chooses by label: `quick` leaves out those labelled slow, tidy or all, `default` those labelled all and those labelled again (which
the sanitized build makes too), `all` none. Of those BY_TURNS, `default` runs a third: which, the commit's number chooses (THALWEG_TEST_SEED), so
that each runs with every third commit or so. A part is a label, or what a test's name begins with ("flow", "benchmarks.full"). In the mode
`all`, tests that have passed on these very sources (commit and uncommitted changes) are not run again: it takes up where it was stopped
(BUILD/tests-passed/).

    tools/run_tests.py --summary FILE

Prints the ten slowest tests, each skipped one with its reason, and as the last line "N passed, N failed, N skipped".
Exit code 0: every test passed or was skipped; 1: not; 7: no test was chosen, or ctest could not run.
"""
import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXIT_FAILED, EXIT_ENVIRONMENT = 1, 7
LEFT_OUT = {"quick": {"slow", "tidy", "all"}, "default": {"all", "again"}, "all": set()}
# What is seldom broken alone, and takes a build or a minute each.
BY_TURNS = re.compile("|".join((
    r"\.(finds|content_with)_",  # programs spoiled so that a test must find it
    # The same thing by one more build system, compiler, dialect, loop or page of the report.
    r"^flow\.(wrapper_|linkers$|versions$|instrumented$|phases$|costs$)", r"^runtime\.outside_project\.",
    r"^house\.(runtime_alone|tidy|check_rooms)$", r"^benchmarks\.sample$",
    r"^examples\.ctp\.session\.", r"^tame\.\w+\.", r"^soak\.", r"^report\.(layers|tour)$", r"^compare\.verdicts$",
    # Random programs, others with each commit, and samples of other people's: fewer of each, of all kinds in three commits.
    r"^differential\.random_", r"^random_calls(\.acting)?$", r"^output\.random_formats$", r"^ir\.random", r"^specializer\.(c_torture|cxx|csmith)$",
    # Faults at the calls of one more shape; system_calls.faults and .killed stay.
    r"^system_calls\.(faults\.(fused|fused_apart|closed)|handled|read|forbidden|file_systems)$")))
TURNS = 3
SLOWEST_TEST_S = 900  # where a test states no limit of its own
SHOWN_SLOWEST = 10
# What of a passed test's output is kept: lines that name what was skipped stand anywhere in it.
KEPT_OUTPUT_BYTES = 1 << 20
# GoogleTest's line for a test that called GTEST_SKIP, and that of our own scripts.
SKIPPED_INSIDE = re.compile(r"^\[  SKIPPED \] (\S+) \(|^SKIPPED: (.+)$", re.MULTILINE)


def give_up(words):
    print(f"run_tests: {words}", file=sys.stderr)
    sys.exit(EXIT_ENVIRONMENT)


def listed(build):
    """[(number, name, labels)] of the folder's tests."""
    done = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        give_up(f"ctest could not list the tests of {build}: {done.stderr.strip()}")
    tests = json.loads(done.stdout)["tests"]
    found = []
    for number, test in enumerate(tests, 1):
        labels = next((one["value"] for one in test["properties"] if one["name"] == "LABELS"), [])
        found.append((number, test["name"], set(labels)))
    return found


def is_in_part(name, labels, parts):
    return not parts or any(part in labels or name == part or name.startswith(f"{part}.") for part in parts)


def sources_key():
    """Names these very sources: the commit, and what is not committed."""
    key = hashlib.sha256()
    for command in (["rev-parse", "HEAD"], ["diff", "HEAD"], ["ls-files", "--others", "--exclude-standard"]):
        done = subprocess.run(["git", *command], cwd=ROOT, capture_output=True, check=False)
        key.update(done.stdout if done.returncode == 0 else os.urandom(16))
        if command[0] == "ls-files":
            for name in done.stdout.decode().splitlines():
                key.update((ROOT / name).read_bytes() if (ROOT / name).is_file() else b"")
    return key.hexdigest()[:16]


class Passed:
    """The names of tests that passed on these sources, from run to run."""

    def __init__(self, build):
        self.path = Path(build) / "tests-passed" / sources_key()
        self.names = set(self.path.read_text(encoding="utf-8").split()) if self.path.exists() else set()

    def add(self, names):
        self.names |= names
        self.path.parent.mkdir(exist_ok=True)
        self.path.write_text("\n".join(sorted(self.names)) + "\n", encoding="utf-8")


def results_in(junit):
    """[{name, seconds, outcome, why}], outcome one of passed, failed, skipped."""
    found = []
    for case in ElementTree.parse(junit).getroot().iter("testcase"):
        output = case.findtext("system-out") or ""
        result = {"name": case.get("name"), "seconds": float(case.get("time") or 0), "inside": []}
        if case.find("skipped") is not None:
            lines = [line for line in output.splitlines() if line.strip()]
            result |= {"outcome": "skipped", "why": lines[-1] if lines else case.find("skipped").get("message", "")}
            # A test that ctest could not start is no skipped test.
            if case.get("status") == "notrun" and "SKIP" not in result["why"] + case.find("skipped").get("message", "") and not lines:
                result["outcome"] = "failed"
        else:
            result["outcome"] = "passed" if case.get("status") == "run" else "failed"
        if result["outcome"] == "passed":
            result["inside"] = sorted({one or other for one, other in SKIPPED_INSIDE.findall(output)})
        found.append(result)
    return found


def of_before(name):
    return {"name": name, "seconds": 0, "outcome": "passed", "inside": []}


def waiting_for_their_turn(names):
    """Of these, in the order of the alphabet, so that those of one kind are spread over the turns."""
    turn = int(os.environ.get("THALWEG_TEST_SEED", "0")) % TURNS
    by_turns = sorted(name for name in names if BY_TURNS.search(name))
    return {name for at, name in enumerate(by_turns) if at % TURNS != turn}


def run(options):
    tests = [test for test in listed(options.build)
             if not test[2] & LEFT_OUT[options.mode] and is_in_part(test[1], test[2], options.part)]
    if options.mode == "default" and not options.part:
        others = waiting_for_their_turn(name for _, name, _ in tests)
        tests = [test for test in tests if test[1] not in others]
        print(f"run_tests: by turns, not with this commit: {', '.join(sorted(others)) or 'none'}")
    if not tests:
        give_up(f"{options.build} has no test of mode {options.mode}" + (f" in {', '.join(options.part)}" if options.part else ""))
    passed = Passed(options.build) if options.mode == "all" else None
    todo = [test for test in tests if not passed or test[1] not in passed.names]
    if len(todo) < len(tests):
        print(f"run_tests: {len(tests) - len(todo)} of {len(tests)} passed before on these sources and are not run again")
    names = {test[1] for test in todo}
    results, code = [of_before(test[1]) for test in tests if test[1] not in names], 0
    # In the mode `all` a few at a time, so that what passed is known when the run is stopped.
    step = len(todo) if not passed else 4 * options.jobs
    for first in range(0, len(todo), step or 1):
        some, worst = run_some(options, todo[first:first + step])
        results += some
        code = max(code, worst)
        if passed:
            passed.add({one["name"] for one in some if one["outcome"] == "passed"})
    before = json.loads(options.results.read_text(encoding="utf-8")) if options.results.exists() else []
    folder = os.path.basename(options.build)
    before += [{"build": folder, **one} for one in results]
    options.results.write_text(json.dumps(before), encoding="utf-8")
    return code


def run_some(options, tests):
    junit = Path(options.build) / "Testing" / "results.xml"
    junit.parent.mkdir(exist_ok=True)
    junit.unlink(missing_ok=True)
    chosen = ",".join(str(number) for number, _, _ in tests)
    done = subprocess.run(["ctest", "--test-dir", options.build, "--parallel", str(options.jobs), "--timeout", str(SLOWEST_TEST_S),
                           "--output-junit", junit.resolve(), "--test-output-size-passed", str(KEPT_OUTPUT_BYTES), "--output-on-failure",
                           "-I", f"0,0,0,{chosen}"], check=False)
    if not junit.exists():
        give_up(f"ctest ended with {done.returncode} and left no results in {junit}")
    results = results_in(junit)
    missing = {name for _, name, _ in tests} - {one["name"] for one in results}
    results += [{"name": name, "seconds": 0, "outcome": "failed", "why": "ctest did not run it", "inside": []} for name in sorted(missing)]
    failed = done.returncode != 0 or any(one["outcome"] == "failed" for one in results)
    return results, EXIT_FAILED if failed else 0


def summarize(path):
    results = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    print(f"\n==== the {SHOWN_SLOWEST} slowest tests")
    for one in sorted(results, key=lambda one: -one["seconds"])[:SHOWN_SLOWEST]:
        print(f"{one['seconds']:8.1f} s  {one['build']}  {one['name']}")
    skipped = [(one, one["why"]) for one in results if one["outcome"] == "skipped"]
    skipped += [(one, part) for one in results for part in one["inside"]]
    if skipped:
        print("\n==== skipped")
        for one, why in skipped:
            print(f"{one['build']}  {one['name']}: {why}")
    failed = [one for one in results if one["outcome"] == "failed"]
    if failed:
        print("\n==== failed")
        for one in failed:
            print(f"{one['build']}  {one['name']}")
    passed = sum(one["outcome"] == "passed" for one in results)
    print(f"\n{passed} passed, {len(failed)} failed, {len(skipped)} skipped")
    return EXIT_FAILED if failed else 0 if results else EXIT_ENVIRONMENT


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build")
    parser.add_argument("--results", type=Path)
    parser.add_argument("--summary", type=Path)
    parser.add_argument("--mode", choices=sorted(LEFT_OUT), default="default")
    parser.add_argument("--part", action="append", default=[])
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    if options.summary:
        return summarize(options.summary)
    if not options.build or not options.results:
        parser.error("--build and --results are needed, or --summary")
    return run(options)


if __name__ == "__main__":
    sys.exit(main())
