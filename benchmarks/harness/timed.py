# benchmarks: variants whose programs print "CASE nanoseconds ns checksum" a case and a digest of what they left behind.
import re
import sys

from harness.project import Missing
from harness.rounds import Failed, count_for, interleaved, output_of, progress, rows_of

# Long enough that starting the process and the clock's grain vanish, short enough for some twenty variants a round.
TIMED_S = 0.05
TOY_RAISES = 2000
DIGEST_RAISES = 10007


def chosen(asked, everything, always=()):
    """Those of `everything` that the option names; all of them without the option."""
    if asked is None:
        return list(everything)
    names = asked.split(",")
    unknown = [name for name in names if name not in everything]
    if unknown:
        raise Failed(f"there is no {', '.join(unknown)}; there are {', '.join(everything)}")
    return [name for name in everything if name in names or name in always]


def build(ninja, recipes):
    """recipes: [(variant, function that declares its program or raises Missing, whether all is void without it)].
    Returns {variant: program}."""
    programs, refused = {}, {}
    for name, make, _ in recipes:
        try:
            programs[name] = make()
        except Missing as problem:
            refused[name] = str(problem)
    progress(f"building {len(programs)} variants")
    broken = ninja.build(list(programs.values()))
    refused.update({name: "it could not be built, see above" for name, program in programs.items() if program in broken})
    for name, _, required in recipes:
        if name not in refused:
            continue
        if required:
            raise Failed(f"{name} is needed and is not there: {refused[name]}")
        print(f"bench: {name} left out: {refused[name]}", file=sys.stderr)
    return {name: program for name, program in programs.items() if name not in refused}


def check_agreement(programs, arguments, against):
    """Every variant leaves the same state behind and computes the same results."""
    found = {}
    for name, program in programs.items():
        lines = output_of([program, "all", str(DIGEST_RAISES), *arguments]).splitlines()
        found[name] = [line.split()[-1] for line in lines]
    for name, digest in found.items():
        if digest != found[against]:
            raise Failed(f"{name} computes {digest}, {against} computes {found[against]}")


def nanoseconds(command, case):
    match = re.search(rf"^{re.escape(case)} ([0-9.]+) ns ", output_of(command), re.MULTILINE)
    if match is None:
        raise Failed(f"{' '.join(command)[:200]} did not tell its time")
    return float(match.group(1))


def measure(bench, cases, variants, against, options, command_for, timed_s=TIMED_S, same_count=False, metric="time",
            unit="ns/raise", toy_count=TOY_RAISES):
    """command_for(variant, case, count) -> (command, the case's name in its output). same_count: all variants of a case run as
    often as `against` does in timed_s, for what costs something once and not at every raise."""

    def once(variant, case, count):
        return nanoseconds(*command_for(variant, case, count))

    def count(variant, case):
        return toy_count if options.toy else count_for(once(variant, case, toy_count * 10), timed_s)

    if same_count:
        counts = {(case, variant): number for case in cases for number in [count(against, case)] for variant in variants}
    else:
        counts = {(case, variant): count(variant, case) for case in cases for variant in variants}
    values = interleaved(variants, cases, options.rounds, lambda variant, case: once(variant, case, counts[case, variant]))
    return rows_of(bench, values, against, metric, unit)
