# benchmarks: the paper's Figures 8 and 9: what its primitive operations cost, with what they are built of and other ways to wait.
from harness.ninja import Ninja
from harness.rounds import Failed, interleaved, output_of, rows_of
from harness.timed import build, chosen, measure

from waits.bench import told
from waits.variants import VARIANTS

DESCRIPTION = "the paper's Figures 8 and 9: calls, closures, timers of no time, threads: CPU time, allocations, bytes; against bare"

AGAINST = "bare"
TOY_COUNT = 200  # threads are slow
AGREEMENT_COUNT = 1007
SHOWN_DIGITS = 1

# The programs are those of `waits`. Figure 8, then Figure 9, then the memory of what is blocked.
CASES = {
    "function": ("bare", "go"),
    "allocation": ("bare", "go"),
    "null": ("bare", "thalweg", "asio", "boost-asio", "go", "tokio", "pthread"),
    "closure": ("bare",),
    "system-call": ("bare",),
    "poll": ("bare",),
    "timer0-callback": ("bare", "thalweg", "asio", "boost-asio", "libuv"),
    "timer0": ("bare", "thalweg", "asio", "boost-asio", "go", "tokio", "pthread"),
    "timer0-gather": ("bare", "thalweg"),
    "timer0-rendezvous": ("bare", "thalweg"),
    "fork-join": ("bare", "thalweg", "asio", "boost-asio", "go", "tokio", "pthread"),
    "thread": ("asio", "boost-asio", "go", "tokio", "pthread"),
    "elsewhere": ("thalweg", "asio", "boost-asio", "libuv", "tokio"),
    "blocked": ("bare", "thalweg", "asio", "boost-asio", "go", "tokio", "pthread"),
}
MEMORY = ("blocked",)


def digest(program, case):
    lines = [line.split() for line in output_of([program, case, str(AGREEMENT_COUNT)]).splitlines()]
    found = [words[3] for words in lines if words[0] == case and words[2:3] == ["ns"]]
    if len(found) != 1:
        raise Failed(f"{program} has no case {case}")
    return found[0]


def check_agreement(programs, cases):
    for case in (case for case in cases if case not in MEMORY):
        found = {name: digest(programs[name], case) for name in CASES[case] if name in programs}
        if len(set(found.values())) > 1:
            raise Failed(f"{case}: not the same is computed: {found}")


def run(project, options):
    cases = chosen(options.cases, CASES)
    variants = chosen(options.variants, VARIANTS, (AGAINST,))
    ninja = Ninja(project.scratch("waits"))
    programs = build(ninja, [(name, lambda name=name: VARIANTS[name].make(project, ninja, name), True) for name in variants])
    check_agreement(programs, cases)
    rows = []

    def having(case, flag=None):
        return [name for name in CASES[case] if name in programs and (flag is None or getattr(VARIANTS[name], flag))]

    def counted(case, names, metric, unit, run_one):
        rows.extend(rows_of("figure9", interleaved(names, [case], 1, run_one), AGAINST, metric, unit))

    timed = [case for case in cases if case not in MEMORY]
    for case in timed:
        rows += measure("figure9", [case], having(case), AGAINST, options,
                        lambda variant, case, count: ([programs[variant], case, str(count)], case), metric="time",
                        unit="ns of CPU", toy_count=TOY_COUNT)
    for case in timed:
        counted(case, having(case, "counts_allocations"), "allocations", "per operation",
                lambda variant, case: round(told(programs[variant], case, AGREEMENT_COUNT, "allocations"), SHOWN_DIGITS))
    for case in (case for case in cases if case in MEMORY):
        counted(case, having(case), "bytes", "per task", lambda variant, case: told(programs[variant], case, 1, "bytes"))
    return rows
