# benchmarks: what a raise costs by signal libraries and by vectors of callables, as built, under PGO + LTO, and optimised.
import re
import sys

from dispatch.builder import AGAINST, CASES, Builder
from harness.instructions import instructions_each, need_valgrind, without_debug_information
from harness.project import NOTHING_APPLIED
from harness.rounds import progress, rows_of
from harness.timed import build, check_agreement, chosen, measure

DESCRIPTION = "one raise (W1, W2, W3) by signal libraries and callables: instructions, time; as built, PGO + LTO, optimised; against hand"

LIBRARIES = ("signals2", "signals2-mutex", "sigc++2", "sigc++3", "gobject", "qt5", "qt6")
CALLABLES = ("function", "function-by-pointer", "function-by-value", "move-only-function", "function-ref", "delegate", "bind")
# Raises in the two runs whose instructions are counted. Digits of the time that is printed differ: some hundred instructions.
SHORT, LONG = 200, 5200


def recipes(builder):
    """[(variant's name, its program, whether the benchmark means nothing without it)]"""

    def of(name, required):
        return [
            (name, lambda: builder.plain(name), required),
            (f"{name}+pgo+lto", lambda: builder.pgo(name), required),
            (f"optimized-{name}", lambda: builder.ours(name)[1], required),
        ]

    return [("hand", builder.hand, True), *(recipe for name in LIBRARIES for recipe in of(name, False)),
            *(recipe for name in CALLABLES for recipe in of(name, True))]


def check_other_bindings(programs, names):
    """Bound in another order, and with one left out, the handlers do something else, and in every variant the same. Only hand knows
    no other binding."""
    general = {name: program for name, program in programs.items() if name != AGAINST}
    for bound in (names[::-1], names[1:]) if general else ():
        check_agreement(general, bound, next(iter(general)))


def tell_applied(programs):
    """Where the decisions are none, what is measured as optimised is the original by link-time optimisation and the profile alone."""
    for name, program in programs.items():
        if name.startswith("optimized-"):
            with open(f"{program}.log", encoding="utf-8") as log:
                told = re.search(rf"\d+ of \d+ decisions applied|{NOTHING_APPLIED}", log.read())
            print(f"bench: {name}: {told.group(0) if told else 'no decisions'}", file=sys.stderr)


def counted(programs, cases, names):
    values = {}
    for variant, program in programs.items():
        progress(f"counting instructions of {variant}")
        stripped = without_debug_information(program)
        for case in cases:
            values[case, variant] = [instructions_each(
                lambda count, run=stripped, which=case: [run, which, str(count), *names], SHORT, LONG)]
    progress("")
    return rows_of("signals", {(case, variant): values[case, variant] for case in cases for variant in programs}, AGAINST,
                   "instructions", "per raise")


def run(project, options):
    need_valgrind()
    builder = Builder(project, "signals")
    everything = recipes(builder)
    wanted = chosen(options.variants, [name for name, _, _ in everything], (AGAINST,))
    cases = chosen(options.cases, CASES)
    programs = build(builder.ninja, [recipe for recipe in everything if recipe[0] in wanted])
    check_agreement(programs, builder.names, AGAINST)
    check_other_bindings(programs, builder.names)
    tell_applied(programs)
    return counted(programs, cases, builder.names) + measure(
        "signals", cases, list(programs), AGAINST, options,
        lambda variant, case, count: ([programs[variant], case, str(count), *builder.names], case))
