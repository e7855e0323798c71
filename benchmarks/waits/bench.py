# benchmarks: functions that wait, against coroutines made by hand for exactly these waits.
import os
import re
import shutil
import subprocess

from harness.ninja import Ninja
from harness.rounds import Failed, interleaved, output_of, rows_of
from harness.timed import build, chosen, measure

DESCRIPTION = "functions that wait: CPU time, instructions, allocations, bytes; against bare coroutines"

CASES = ("null", "ready", "timer0", "fork-join", "timeout", "blocked")
VARIANTS = ("bare", "thalweg")
AGAINST = "bare"
COMPILER = "clang++-19"
FLAGS = ["-O3", "-std=c++20", "-Wall", "-Wextra"]
TOY_COUNT = 2000
# Instructions are counted in two runs; what starting costs is in both.
SHORT, LONG = 1000, 11000


def builder(project, ninja, variant):
    source = os.path.join(project.source("waits"), f"{variant}.cc")
    library = project.library if variant == "thalweg" else ""
    unit = ninja.compile(source, f"{variant}.o", COMPILER, [*FLAGS, f"-I{os.path.join(project.root, 'include')}"])
    program = os.path.join(ninja.folder, variant)
    return ninja.edge(program, f"{COMPILER} $in {library} -o $out", [unit], [library] if library else [])


def told(program, case, count, unit):
    output = output_of([program, case, str(count)])
    match = re.search(rf"^{re.escape(case)} ([0-9.]+) {unit}$", output, re.MULTILINE)
    if match is None:
        raise Failed(f"{program} {case} did not tell its {unit}")
    return float(match.group(1))


def instructions(program, case):
    counts = []
    for count in (SHORT, LONG):
        done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, case, str(count)],
                              capture_output=True, text=True, check=False)
        match = re.search(r"Collected : (\d+)", done.stderr)
        if done.returncode != 0 or match is None:
            raise Failed(f"valgrind could not count the instructions of {program}: {done.stderr[-500:]}")
        counts.append(int(match.group(1)))
    return (counts[1] - counts[0]) / (LONG - SHORT)


def check_agreement(programs):
    found = {name: [line.split()[-1] for line in output_of([program, "all", "10007"]).splitlines() if " ns " in line]
             for name, program in programs.items()}
    for name, digests in found.items():
        if digests != found[AGAINST]:
            raise Failed(f"{name} computes {digests}, {AGAINST} {found[AGAINST]}")


def run(project, options):
    cases = chosen(options.cases, CASES)
    variants = chosen(options.variants, VARIANTS, (AGAINST,))
    ninja = Ninja(project.scratch("waits"))
    programs = build(ninja, [(name, lambda name=name: builder(project, ninja, name), True) for name in variants])
    check_agreement(programs)
    timed = [case for case in cases if case != "blocked"]
    rows = measure("waits", timed, list(programs), AGAINST, options,
                   lambda variant, case, count: ([programs[variant], case, str(count)], case), metric="time",
                   unit="ns of CPU", toy_count=TOY_COUNT)

    def counted(chosen_cases, metric, unit, run_one):
        values = interleaved(list(programs), chosen_cases, 1, run_one)
        return rows_of("waits", values, AGAINST, metric, unit)

    rows += counted(timed, "allocations", "per operation",
                    lambda variant, case: told(programs[variant], case, TOY_COUNT, "allocations"))
    if shutil.which("valgrind"):
        stripped = {}
        for name, program in programs.items():
            stripped[name] = f"{program}.stripped"
            subprocess.run(["strip", "--strip-debug", "-o", stripped[name], program], check=True)
        rows += counted(timed, "instructions", "per operation", lambda variant, case: instructions(stripped[variant], case))
    if "blocked" in cases:
        rows += counted(["blocked"], "bytes", "per task", lambda variant, case: told(programs[variant], case, 1, "bytes"))
    return rows
