# benchmarks: unmodified programs, by package: what LTO, PGO + LTO and Thalweg make of each, recorded on one input and measured on another.
import glob
import json
import math
import os
import re
import shutil
import subprocess
import sys

from harness.processes import cpu_seconds
from harness.project import Missing
from harness.rounds import Failed, in_a_line, interleaved, rows_of
from harness.timed import chosen

from board.builds import BOLT, Built
from board.rows import MEASURED, ROWS, TRAINING

DESCRIPTION = "unmodified programs by package: instructions and CPU time of LTO, PGO + LTO and ours, on another input than the recorded one; against pgo+lto"
AGAINST = "pgo+lto"
VARIANTS = ("original", "lto", "pgo+lto", "optimized", "optimized-decisions-off")
# What costs a build or two more, when it is asked for by name.
BY_HAND = ("pgo+lto+cs", "pgo+lto+bolt", "pgo+thinlto", "optimized-thinlto")
TOY = ("bzip2", "cjson")
STRIP = "llvm-objcopy-19"
# A job whose processor time is measured takes so long, where its input can be made longer: the start of a process, some milliseconds, is not the program.
TIMED_S, SHORTEST_S = 0.3, 0.001
# Of the recorded job, some milliseconds on some rows, for one measured time.
REPEATED = 8
COUNTING = "valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null --log-file={} "


def instructions(built, program):
    """Of the measured job, all processes together."""
    for old in glob.glob(os.path.join(built.folder, "counted.*")):
        os.unlink(old)
    # Valgrind 3.19 can't read all of clang 19's debug information.
    bare = f"{program}.bare"
    subprocess.run([STRIP, "--strip-debug", program, bare], check=True)
    built.run(bare, MEASURED, COUNTING.format(os.path.join(built.folder, "counted.%p")))
    total = 0
    for path in glob.glob(os.path.join(built.folder, "counted.*")):
        with open(path, encoding="utf-8", errors="replace") as log:
            counts = re.findall(r"I *refs: *([0-9,]+)", log.read())
        total += sum(int(count.replace(",", "")) for count in counts)
    if total == 0:
        raise Failed(f"{built.row.name}: cachegrind counted nothing")
    return total


def check_same(built, programs, length=1):
    shown = {variant: built.shown(program, length) for variant, program in programs.items()}
    for variant, own in shown.items():
        if own != shown["original"]:
            raise Failed(f"{built.row.name}: {variant} shows something else than original")


def job_seconds(built, program, length=1):
    """Processor time of the measured job, in the folder of the last run."""
    job = built.job(program, MEASURED, length=length)
    return cpu_seconds(["sh", "-c", f"({job}) || true"], folder=os.path.join(built.folder, "place"))


def foretold_ms(built):
    """What the plan of the recorded run says that it saves of it."""
    profile = os.path.join(built.folder, "profile")
    plan = subprocess.run([built.project.tool, "plan", profile, "--json"], capture_output=True, text=True, check=True).stdout
    return sum(decision["predicted_gain_total_ms"] for decision in json.loads(plan)["decisions"] if decision["verdict"] == "apply")


def gains(built, programs, options):
    """Of the recorded run: what its plan says is saved, beside what is, against the same program without decisions."""
    foretold = foretold_ms(built)
    if foretold == 0:
        return []
    times = 1 if options.toy else REPEATED
    jobs = {variant: built.job(programs[variant], TRAINING) for variant in ("optimized", "optimized-decisions-off")}
    place = os.path.join(built.folder, "place")
    timed = interleaved(list(jobs), [built.row.name], options.rounds,
                        lambda variant, case: cpu_seconds(["sh", "-c", f"for i in $(seq {times}); do ({jobs[variant]}); done || true"], folder=place) * 1e3 / times)
    saved = [off - on for on, off in zip(*(timed[built.row.name, variant] for variant in jobs))]
    name = built.row.name
    return rows_of("board", {(name, "foretold"): [foretold] * len(saved), (name, "saved"): saved}, "saved", "gain", "ms of the recorded run")


def measured(built, programs, options):
    check_same(built, programs)
    name = built.row.name
    counted = {(name, variant): [instructions(built, program)] for variant, program in programs.items()}
    rows = rows_of("board", counted, AGAINST, "instructions", "per run")
    if not options.toy:
        length = math.ceil(TIMED_S / max(job_seconds(built, programs["original"]), SHORTEST_S))
        check_same(built, programs, length)
        timed = interleaved(list(programs), [name], options.rounds, lambda variant, case: job_seconds(built, programs[variant], length) * 1e3)
        rows += rows_of("board", timed, AGAINST, "cpu", "ms")
    if {"optimized", "optimized-decisions-off"}.issubset(programs):
        rows += gains(built, programs, options)
    return rows


def of_row(built, variants, options):
    programs = built.programs(variants)
    if built.row.suite and "optimized" in variants and not options.toy:
        built.suite()
    return measured(built, programs, options)


def means(rows):
    """The geometric mean of each variant's ratios, as rows of a case `mean`."""
    found = {}
    for row in rows:
        if row["ratio"] and row["against"] == AGAINST:
            found.setdefault((row["variant"], row["metric"], row["unit"]), []).append(row["ratio"])
    return [{"bench": "board", "case": "mean", "variant": variant, "metric": metric, "value": float(len(ratios)), "unit": "rows",
             "ratio": math.exp(sum(map(math.log, ratios)) / len(ratios)), "against": AGAINST, "n": len(ratios), "spread": None}
            for (variant, metric, unit), ratios in found.items()]


def run(project, options):
    for tool in ("valgrind", "llvm-profdata-19"):
        if shutil.which(tool) is None:
            raise Missing(f"{tool} is not installed (tools/setup)")
    project.need_tool()
    names = [row.name for row in ROWS if row.name in TOY or not options.toy]
    cases = chosen(options.cases, names)
    variants = chosen(options.variants, (*VARIANTS, *BY_HAND), ("original", AGAINST)) if options.variants else VARIANTS
    if "pgo+lto+bolt" in variants and shutil.which(BOLT) is None:
        raise Missing(f"{BOLT} is not installed (Debian's bolt-19)")
    rows, failed = [], []
    for row in ROWS:
        if row.name not in cases:
            continue
        missing = [need for need in row.needs if shutil.which(need) is None]
        if missing:
            raise Missing(f"{row.name} is built with {', '.join(missing)}, which is not installed (tools/setup)")
        # A run of all rows takes half an hour: what one of them fails at is told, and the others' figures stay.
        try:
            of_this = of_row(Built(project, row, project.scratch("board")), variants, options)
            rows += of_this
            print(f"bench: board: {in_a_line(of_this)}", file=sys.stderr)
        except Failed as problem:
            failed.append(row.name)
            print(f"bench: board: {row.name}: {problem}", file=sys.stderr)
    rows += means(rows)
    if failed:
        raise Failed(f"board: no figures of {', '.join(failed)}", rows)
    return rows
