# benchmarks: an order book of callbacks (examples/book): std::function, std::bind, lambdas and virtual listeners, in files of their own.
import os

from harness.ninja import Ninja
from harness.processes import cpu_seconds
from harness.rounds import Failed, interleaved, output_of, rows_of
from harness.timed import build, chosen
from harness.variants import Source, Variants

DESCRIPTION = "an order book of callbacks, unmodified: processor time of a run; against lto+pgo"

AGAINST = "lto+pgo"
VARIANTS = ("original", "lto", "lto+pgo", "optimized")
UNITS = ("main", "book", "printer", "statistics")
# The market of another length than the one that is measured.
TRAINING_ORDERS = 300_000
# A quarter of a second: a process's start is a hundredth of it.
ORDERS, TOY_ORDERS = 10_000_000, 20_000


def run(project, options):
    wanted = chosen(options.variants, VARIANTS, (AGAINST,))
    chosen(options.cases, ("book",))
    folder = os.path.join(project.root, "examples", "book")
    sources = [Source(os.path.join(folder, f"{unit}.cc"), "-std=c++20") for unit in UNITS]
    ninja = Ninja(project.scratch("book"))
    variants = Variants(project, ninja, sources, str(TRAINING_ORDERS), is_cxx=True)
    recipes = [("original", lambda: variants.plain("stock", ["-O3"]), True), ("lto", variants.lto, True), ("lto+pgo", variants.lto_pgo, True),
               ("optimized", variants.optimized, True)]
    programs = build(ninja, [recipe for recipe in recipes if recipe[0] in wanted])
    orders = str(TOY_ORDERS if options.toy else ORDERS)
    shown = {name: output_of([program, orders]) for name, program in programs.items()}
    for name, text in shown.items():
        if text != shown[AGAINST]:
            raise Failed(f"{name} shows {text.strip()}, {AGAINST} {shown[AGAINST].strip()}")
    timed = interleaved(list(programs), ["book"], options.rounds, lambda variant, _: cpu_seconds([programs[variant], orders]) * 1e3)
    return rows_of("book", timed, AGAINST, "cpu", "ms")
