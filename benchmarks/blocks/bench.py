# benchmarks: small blocks of memory that are asked for and given back: by the C library, by lists of the thread, and by hand.
from harness.ninja import Ninja
from harness.timed import build, check_agreement, chosen, measure
from harness.variants import FULL_LTO, CLANG, Source, Variants, check_applied

DESCRIPTION = "small blocks by malloc, realloc and free: kept by their thread; against lto+pgo and hand"

CASES = ("few", "many", "mixed", "texts", "bulk")
AGAINST = ("lto+pgo", "hand")
VARIANTS = ("hand", "original", "lto", "lto+pgo", "optimized")
TRAINING = 30000
TOY_COUNT = 4000
REUSED = ("malloc", "realloc", "free")


def recipes(project):
    main, library, hand = (Source(project.source("blocks", name), "-Wall", "-Wextra") for name in ("main.c", "blocks.c", "hand.c"))
    variants = Variants(project, Ninja(project.scratch("blocks")), [main, library], f"all {TRAINING}")
    return variants.ninja, [
        ("hand", lambda: variants.program("hand", CLANG, ["-O3", *FULL_LTO], [main, hand]), True),
        ("original", variants.original, False),
        ("lto", variants.lto, False),
        ("lto+pgo", variants.lto_pgo, True),
        ("optimized", variants.optimized, True),
    ]


def run(project, options):
    wanted = chosen(options.variants, VARIANTS, AGAINST)
    ninja, rows = recipes(project)
    programs = build(ninja, [row for row in rows if row[0] in wanted])
    check_agreement(programs, (), "hand")
    if "optimized" in programs:
        check_applied("blocks", "reuse", REUSED, programs["optimized"])

    def command_for(variant, case, count):
        return [programs[variant], case, str(count)], case

    return measure("blocks", chosen(options.cases, CASES), list(programs), AGAINST, options, command_for, unit="ns/block", toy_count=TOY_COUNT)
