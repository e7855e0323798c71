# benchmarks: what recording and optimising cost: of the board's programs, over their size.
import glob
import os
import re
import sys

from harness.rounds import Failed, in_a_line, interleaved, rows_of
from harness.timed import chosen

from board.builds import Built
from board.inputs import LONG
from board.rows import ROWS, TRAINING

DESCRIPTION = "the board's programs: seconds and MiB of record's link, plan, optimize and PGO + LTO's two builds against the LTO link and PGO + LTO's own; a recorded run; sizes"
AGAINST = ("lto-link", "pgo-lto-link")
TOY = ("bzip2",)
REPEATED = 10  # of a job: the shell tells times in hundredths of a second
WHOLE_RUN_S = 1  # what a run takes that somebody would record, and not only a test of it
LONGEST = 200  # times the board's inputs
RUNS = ("original", "recorded", "pgo-generate")


def spent(work):
    """Seconds of processor time and MiB of the largest process, of what a function does and all that it starts."""
    child = os.fork()
    if child == 0:
        try:
            work()
        except Exception as problem:  # pylint: disable=broad-exception-caught
            print(f"bench: cost: {problem}", file=sys.stderr)
            os._exit(1)
        os._exit(0)
    _, status, used = os.wait4(child, 0)
    if status != 0:
        raise Failed("a command that is measured failed, see above")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def links(built):
    """{what is made: a function that makes it}: of the original's own objects each time."""
    tool, program = built.project.tool, built.original
    profile, plan, thin = (os.path.join(built.folder, name) for name in ("profile", "cost.plan", "cost-thinlto.profile"))
    optimize = [tool, "optimize", program, "-o", f"{program}.cost", "--profile", profile]
    # Without a word it does nothing to speak of, or says how it is used: what is measured is the twin's link.
    record = ["sh", "-c", f"{tool} record -o {built.folder}/cost.profile -- {program} --version || true"]
    # `optimize` makes the plan as well, where none is given; with one of no decision it is LLVM's own passes, with the counts.
    commands = {"lto-link": [tool, "relink", program, "-o", f"{program}.lto"], "record-link": record, "plan": [tool, "plan", profile, "-o", plan],
                "optimize-planned": [*optimize, "--plan", plan], "optimize-undecided": [*optimize, "--plan", built.empty_plan()], "optimize": optimize,
                "thinlto-record-link": ["sh", "-c", f"{tool} record --thinlto -o {thin} -- {program} --version || true"],
                "thinlto-optimize": [tool, "optimize", "--thinlto", program, "-o", f"{program}.cost", "--profile", thin]}
    made = {what: lambda words=words: built.command(built.folder, words) for what, words in commands.items()}
    # What `optimize` and record's link stand in the place of: the objects are compiled again, too.
    return made | {"pgo-generate-build": built.pgo_counting, "pgo-lto-build": built.pgo_using, "pgo-lto-link": built.pgo_linked}


def made_anew(built, make):
    """What `spent` says of it; a twin that is kept would not be linked again."""
    for twin in glob.glob(os.path.join(os.path.dirname(built.original), f".{os.path.basename(built.original)}.*")):
        os.unlink(twin)
    return spent(make)


def whole_links(built, rounds):
    made = links(built)
    # A plan that others are given, and objects that others link, come first.
    for what in ("plan", "pgo-lto-build"):
        made[what]()
    found = interleaved(list(made), [built.row.name], rounds, lambda what, case: made_anew(built, made[what]))
    seconds, memory = ({key: [one[i] for one in values] for key, values in found.items()} for i in (0, 1))
    return rows_of("cost", seconds, AGAINST, "processor time", "s") + rows_of("cost", memory, AGAINST, "memory", "MiB")


def run_seconds(built, variant, length=1, times=REPEATED):
    """Of the training job, by the shell that runs it: what `thalweg record` does before and after is not a part of the run."""
    program = {"original": built.original, "recorded": '"$THALWEG_PROGRAM"', "pgo-generate": os.path.join(built.folder, "pgo-generate", "program")}[variant]
    script = os.path.join(built.folder, "timed.sh")
    with open(script, "w", encoding="utf-8") as out:
        out.write(f"for round in $(seq {times}); do ({built.job(program, TRAINING, length=length)}) > /dev/null 2>&1; done\ntimes\n")
    record = f"{built.project.tool} record -o {built.folder}/cost.profile --program {built.original} -- " if variant == "recorded" else ""
    said = built.shell(f"{record}sh {script}", "timed.log", os.path.join(built.folder, "place"), LLVM_PROFILE_FILE=f"{built.folder}/cost.raw/%m-%p.profraw")
    with open(said, encoding="utf-8", errors="replace") as lines:
        found = re.findall(r"^(\d+)m([\d.]+)s (\d+)m([\d.]+)s$", lines.read(), re.MULTILINE)
    if len(found) != 2:
        raise Failed(f"{built.row.name}: the shell did not tell the times of its children")
    minutes, seconds, more_minutes, more_seconds = map(float, found[-1])
    return 60 * (minutes + more_minutes) + seconds + more_seconds


def whole_runs(built, rounds):
    """The same job with inputs that take the original a second: the board's, which are sized for a counting simulator, end while all is still exact."""
    once = max(run_seconds(built, "original") / REPEATED, 0.001)
    length = min(max(round(WHOLE_RUN_S / once), 1), LONGEST)
    runs = interleaved(list(RUNS), [built.row.name], rounds, lambda variant, case: run_seconds(built, variant, length, 1))
    return rows_of("cost", runs, "original", "a whole run's processor time", "s")


def measured(built, options):
    name = built.row.name
    rounds = 1 if options.toy else min(options.rounds, 7)
    rows = whole_links(built, rounds)
    runs = interleaved(list(RUNS), [name], rounds, lambda variant, case: run_seconds(built, variant))
    rows += rows_of("cost", runs, "original", "a run's processor time", "s")
    if LONG.intersection(built.row.inputs) and not options.toy:
        rows += whole_runs(built, rounds)
    sizes = {"original": built.original, "profile": os.path.join(built.folder, "profile"), "optimized": f"{built.original}.optimized"}
    rows += rows_of("cost", {(name, what): [os.path.getsize(path) / 1024] for what, path in sizes.items()}, "original", "size", "KiB")
    for left in glob.glob(os.path.join(built.folder, "cost*.p*")):
        os.unlink(left)
    print(f"bench: cost: {in_a_line(rows)}", file=sys.stderr)
    return rows


def run(project, options):
    project.need_tool()
    cases = chosen(options.cases, [row.name for row in ROWS if row.name in TOY or not options.toy])
    rows = []
    for row in ROWS:
        if row.name in cases:
            built = Built(project, row, project.scratch("board"))
            built.programs(("original", "pgo+lto", "optimized"))
            rows += measured(built, options)
    return rows
