#!/usr/bin/env python3
"""What `thalweg export` makes of a run's functions, read by the programs that it is made for.

    consumers.py THALWEG

One program runs under callgrind, and its own callgrind_annotate says what is right: each file has to give the same costs in the
hands of a program that is not ours.
"""
import csv
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = """
static volatile unsigned sink;
__attribute__((noinline)) void leaf(unsigned n) { for (unsigned i = 0; i < n; ++i) sink += i; }
__attribute__((noinline)) void hot(unsigned n) { leaf(9 * n); sink += 1; }
__attribute__((noinline)) void cold(unsigned n) { leaf(n); sink += 1; }
__attribute__((noinline)) unsigned again(unsigned n) { leaf(10); return n == 0 ? 0 : 1 + again(n - 1); }
int main(void) { for (int i = 0; i < 100; ++i) { hot(100); cold(100); } return again(50) == 50 ? 0 : 1; }
"""
WANTED = ("main", "hot", "cold", "leaf", "again")


# Go compiles pprof when it is asked for the first time, which took two minutes on a busy machine.
LONGEST_S = 600


def run(*words, **more):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=LONGEST_S, **more)
    if done.returncode != 0:
        sys.exit(f"FAILED: {' '.join(map(str, words))}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def costs_by_annotate(file, inclusive):
    """callgrind_annotate's table: costs by function."""
    text = run("callgrind_annotate", "--threshold=100", f"--inclusive={'yes' if inclusive else 'no'}", file)
    costs = {}
    for cost, name in re.findall(r"^\s*([\d,]+) \(.*?\)\s+[^:\n]*:([^\s]+)", text, re.MULTILINE):
        outermost = name.split("'")[0]  # "again'2": called by itself, inside the cost of `again` already
        if outermost == name or not inclusive:
            costs[outermost] = costs.get(outermost, 0) + int(cost.replace(",", ""))
    return costs


def inclusive_by_name(stacks):
    """Of stacks with costs: each function's cost with all that it called, counted once for each stack."""
    sums = {}
    for names, cost in stacks:
        for name in set(names):
            sums[name] = sums.get(name, 0) + cost
    return sums


def check(what, got, right):
    for name in WANTED:
        if got.get(name) != right[name]:
            sys.exit(f"FAILED: {what}: {name} costs {got.get(name)}, not {right[name]}")
    print(f"{what}: the same costs")


def check_all(thalweg):
    Path("p.c").write_text(PROGRAM)
    run("cc", "-O1", "-o", "p", "p.c")
    run(thalweg, "functions", "--with", "callgrind", "-o", "run", "--", "./p")

    def export(form, *more):
        run(thalweg, "export", "run", "--format", form, "-o", f"run.{form}", *more)
        return f"run.{form}"

    run("valgrind", "-q", "--tool=callgrind", "--callgrind-out-file=original", "./p")
    right_self = costs_by_annotate("original", False)
    ours = export("callgrind")
    check("callgrind_annotate, self", costs_by_annotate(ours, False), right_self)
    right = costs_by_annotate(ours, True)
    original = costs_by_annotate("original", True)
    for name in WANTED:
        # The loader's first call of a function is in the caller's cost, and differs by some instructions with the environment's length.
        if abs(right[name] - original[name]) > 0.001 * original[name]:
            sys.exit(f"FAILED: callgrind_annotate, inclusive: {name} costs {right[name]}, not {original[name]}")

    lines = Path(export("folded")).read_text().splitlines()
    stacks = [(line.rsplit(" ", 1)[0].split(";"), int(line.rsplit(" ", 1)[1])) for line in lines]
    check("folded stacks", inclusive_by_name(stacks), right)

    export("pprof")
    top = run("go", "tool", "pprof", "-top", "-nodefraction=0", "run.pprof")
    rows = re.findall(r"^\s*(\d+)\s+\S+%\s+\S+%\s+(\d+)\s+\S+%\s+(.+?)$", top, re.MULTILINE)
    check("go tool pprof, self", {name: int(flat) for flat, _, name in rows}, right_self)
    check("go tool pprof, inclusive", {name: int(cum) for _, cum, name in rows}, right)

    events = [e for e in json.loads(Path(export("trace")).read_text())["traceEvents"] if e["ph"] == "X"]
    # A function's box inside one of the same function is not counted again.
    boxes = {}
    for event in sorted(events, key=lambda e: (e["ts"], -e["dur"])):
        end, sum_ns = boxes.get(event["name"], (-1.0, 0.0))
        if event["ts"] >= end - 1e-6:
            boxes[event["name"]] = (event["ts"] + event["dur"], sum_ns + event["dur"] * 1000)
    check("trace as JSON", {name: round(cost) for name, (_, cost) in boxes.items()}, right)

    plain = run("dot", "-Tplain", export("dot"))
    number = {name: node for node, name in re.findall(r'^node (f\d+) .*"(\w+)\\nself', plain, re.MULTILINE)}
    edges = dict(re.findall(r'^edge (f\d+ f\d+) .*"(\S+) %"', plain, re.MULTILINE))
    share = edges.get(f"{number.get('hot')} {number.get('leaf')}")
    if share is None or abs(float(share) - 90 * right["leaf"] / sum(right_self.values())) > 1:
        sys.exit(f"FAILED: dot: hot calls leaf with {share} %:\n{plain}")
    print("dot: draws it")

    with open(export("csv"), newline="") as file:
        rows = list(csv.DictReader(file))
    check("csv, self", {row["function"]: int(row["self_instructions"]) for row in rows}, right_self)
    check("csv, inclusive", {row["function"]: int(row["inclusive_instructions"]) for row in rows}, right)
    with open(export("csv", "--graph", "calls"), newline="") as file:
        rows = list(csv.DictReader(file))
    calls = {(row["caller"], row["callee"]): int(row["calls"]) for row in rows}
    if (calls["main", "hot"], calls["hot", "leaf"], calls["again", "leaf"], calls["again", "again"]) != (100, 100, 51, 50):
        sys.exit(f"FAILED: csv of calls: {calls}")
    print("csv of calls: the program's own numbers")


def main():
    thalweg = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        check_all(thalweg)
        os.chdir("/")


main()
