# benchmarks: what a raise costs, beside hand-merged code, other signal libraries and PGO + LTO.
from dispatch.builder import AGAINST, CASES, Builder
from harness.timed import build, check_agreement, chosen, measure

DESCRIPTION = "one raise: four handlers (W1), nested 4 + 4 (W2), a chain of five events (W3); against hand-merged code"


def recipes(builder):
    """[(variant's name, its program, whether the benchmark means nothing without it)]; each recipe may find that something
    is missing."""
    library = [builder.project.library]

    def original(name, *args):
        return lambda: builder.ours(name, *args)[0]

    def optimized(name, *args):
        return lambda: builder.ours(name, *args)[1]

    return [
        ("hand", builder.hand, True),
        ("original-typed", original("typed", library, library), True),
        ("optimized-typed", optimized("typed", library, library), True),
        ("original-c", original("c", library, library), True),
        ("optimized-c", optimized("c", library, library), True),
        ("vector", original("vector"), True),
        ("optimized-vector", optimized("vector"), True),
        ("vector+pgo+lto", lambda: builder.pgo("vector"), True),
        ("function", original("function"), True),
        ("optimized-function", optimized("function"), True),
        ("function+pgo+lto", lambda: builder.pgo("function"), True),
        ("virtual", original("virtual"), True),
        ("optimized-virtual", optimized("virtual"), True),
        ("virtual+pgo+lto", lambda: builder.pgo("virtual"), True),
        ("slots+pgo+lto", lambda: builder.pgo("slots"), True),
        ("signals2", lambda: builder.plain("signals2"), False),
        ("sigc++", lambda: builder.plain("sigc++2"), False),
        ("optimized-sigc++", optimized("sigc++2"), False),
        ("gobject", lambda: builder.plain("gobject"), False),
        ("qt5", lambda: builder.plain("qt5"), False),
    ]


def run(project, options):
    builder = Builder(project, "dispatch")
    everything = recipes(builder)
    wanted = chosen(options.variants, [name for name, _, _ in everything], (AGAINST,))
    cases = chosen(options.cases, CASES)
    programs = build(builder.ninja, [recipe for recipe in everything if recipe[0] in wanted])
    check_agreement(programs, builder.names, AGAINST)
    return measure("dispatch", cases, list(programs), AGAINST, options,
                   lambda variant, case, count: ([programs[variant], case, str(count), *builder.names], case))
