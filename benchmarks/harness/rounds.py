# benchmarks: variants run in turn, round by round, and the rows that come of it.
import subprocess
import sys

from harness.statistics import interval, median, ratios


class Failed(Exception):
    """The benchmark's result would mean nothing; the message says why. `rows`: of other cases, which are as good as ever."""

    def __init__(self, message, rows=()):
        super().__init__(message)
        self.rows = list(rows)


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def output_of(command, timeout_s=600):
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=timeout_s)
    if done.returncode != 0:
        raise Failed(f"{' '.join(command)[:200]} ended with {done.returncode}: {done.stderr[-500:]}")
    return done.stdout


def interleaved(variants, cases, rounds, run):
    """{(case, variant): [a value a round]}; each round runs every variant of a case one after another, and each variant
    comes first in turn."""
    values = {(case, variant): [] for case in cases for variant in variants}
    for number in range(rounds):
        for case in cases:
            progress(f"round {number + 1} of {rounds}, {case}")
            for i in range(len(variants)):
                variant = variants[(i + number) % len(variants)]
                values[case, variant].append(run(variant, case))
    progress("")
    return values


def rows_of(bench, values, against, metric, unit):
    """One row a case and variant, in the form that the contract names; against several variants: one for each of them."""
    if not isinstance(against, str):
        return [row for other in against for row in rows_of(bench, values, other, metric, unit)]
    rows = []
    for (case, variant), samples in values.items():
        base = values.get((case, against))
        row = {"bench": bench, "case": case, "variant": variant, "metric": metric, "value": median(samples), "unit": unit,
               "ratio": None, "against": against, "n": len(samples), "spread": None}
        if base and all(base):  # no ratio to none at all
            relative = ratios(samples, base)
            row["ratio"] = median(relative)
            row["spread"] = list(interval(relative))
        rows.append(row)
    return rows


def in_a_line(rows):
    """What one case's rows say, told when it ends: a run of all cases that is stopped has not been for nothing then."""
    told = []
    for row in rows:
        spread = f" ({row['spread'][0]:.3f} to {row['spread'][1]:.3f})" if row["spread"] and row["n"] > 1 else ""
        ratio = f", {row['ratio']:.4f}{spread} of {row['against']}" if row["ratio"] else ""
        told.append(f"{row['variant']} {row['value']:.6g} {row['metric']}{ratio}")
    return f"{rows[0]['case']}: " + "; ".join(told)


def count_for(nanoseconds, target_s):
    """How many operations take about the target time."""
    return max(1, int(target_s * 1e9 / max(nanoseconds, 0.05)))
