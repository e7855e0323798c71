# benchmarks: functions that wait, against coroutines made by hand for exactly these waits.
import re
import shutil

from harness.instructions import instructions_each, without_debug_information
from harness.ninja import Ninja
from harness.rounds import Failed, interleaved, output_of, rows_of
from harness.timed import build, chosen, measure

from waits.variants import CASES, VARIANTS

DESCRIPTION = "functions that wait: CPU time, instructions, allocations, bytes; against bare coroutines, and beside five other ways"

AGAINST = "bare"
TOY_COUNT = 2000
# Instructions are counted in two runs; what starting costs is in both.
SHORT, LONG = 1000, 11000
# Of allocations: what is set up once for all of TOY_COUNT operations is none of theirs.
SHOWN_DIGITS = 1


def told(program, case, count, unit):
    output = output_of([program, case, str(count)])
    match = re.search(rf"^{re.escape(case)} ([0-9.]+) {unit}$", output, re.MULTILINE)
    if match is None:
        raise Failed(f"{program} {case} did not tell its {unit}")
    return float(match.group(1))


def digests(program):
    """{case: what it computed} of all the cases that a program has."""
    lines = [line.split() for line in output_of([program, "all", "10007"]).splitlines()]
    return {words[0]: words[3] for words in lines if words[2:3] == ["ns"]}


def check_agreement(programs):
    found = {name: digests(program) for name, program in programs.items()}
    for name, own in found.items():
        for case in (case for case in VARIANTS[name].cases if case != "blocked"):
            if own.get(case) != found[AGAINST][case]:
                raise Failed(f"{name} computes {own.get(case)} in {case}, {AGAINST} {found[AGAINST][case]}")


def run(project, options):
    cases = chosen(options.cases, CASES)
    variants = chosen(options.variants, VARIANTS, (AGAINST,))
    ninja = Ninja(project.scratch("waits"))
    programs = build(ninja, [(name, lambda name=name: VARIANTS[name].make(project, ninja, name), True) for name in variants])
    check_agreement(programs)
    rows = []

    def having(case, flag=None):
        return [name for name in programs if case in VARIANTS[name].cases and (flag is None or getattr(VARIANTS[name], flag))]

    def counted(case, flag, metric, unit, run_one):
        rows.extend(rows_of("waits", interleaved(having(case, flag), [case], 1, run_one), AGAINST, metric, unit))

    timed = [case for case in cases if case != "blocked"]
    for case in timed:
        rows += measure("waits", [case], having(case), AGAINST, options,
                        lambda variant, case, count: ([programs[variant], case, str(count)], case), metric="time",
                        unit="ns of CPU", toy_count=TOY_COUNT)
    for case in timed:
        counted(case, "counts_allocations", "allocations", "per operation",
                lambda variant, case: round(told(programs[variant], case, TOY_COUNT, "allocations"), SHOWN_DIGITS))
    if shutil.which("valgrind"):
        stripped = {name: without_debug_information(program) for name, program in programs.items() if VARIANTS[name].counts_instructions}
        for case in timed:
            counted(case, "counts_instructions", "instructions", "per operation",
                    lambda variant, case: instructions_each(lambda count: [stripped[variant], case, str(count)], SHORT, LONG))
    if "blocked" in cases:
        counted("blocked", None, "bytes", "per task", lambda variant, case: told(programs[variant], case, 1, "bytes"))
    return rows
