# benchmarks: the paper's Figure 13: events of an X program: what the program itself costs for each.
import contextlib
import glob
import os
import re
import shutil
import sys

from harness.instructions import need_valgrind, without_debug_information
from harness.ninja import Ninja
from harness.project import Missing
from harness.rounds import Failed, interleaved, output_of, rows_of
from harness.statistics import median
from harness.timed import chosen

from figure13.builds import PROGRAMS, XProgram
from figure13.display import settled

DESCRIPTION = "the paper's Figure 13: xterm's menu and gvim's scrollbar: the program's CPU time and instructions per event; against pgo+lto"

AGAINST = "pgo+lto"
VARIANTS = ("original", "pgo+lto", "optimized", "optimized-decisions-off")
CASES = tuple(program.gesture for program in PROGRAMS)
EVENTS, TOY_EVENTS = 250, 5
# Measurements of 250 events in a session; a round is their median.
BATCHES = 7
# The first event makes what the next ones use; it is not measured.
WARM_UP_EVENTS = 2
# valgrind makes the program slow.
COUNTED_EVENTS = 60
# What an event executes depends a little on where the program sleeps within it.
MOST_COUNTED_ROUNDS = 5
HEADERS = {"/usr/include/X11/extensions/XTest.h": "libxtst-dev", "/usr/include/X11/Xaw/SimpleMenu.h": "libxaw7-dev",
           "/usr/include/term.h": "libncurses-dev", "/usr/include/X11/bitmaps/gray": "xbitmaps"}


def need_x():
    missing = [package for header, package in HEADERS.items() if not os.path.exists(header)]
    missing += ["xvfb"] if shutil.which("Xvfb") is None else []
    if missing:
        raise Missing(f"{', '.join(missing)}: not installed (tools/setup, or apt-get install --no-install-recommends {' '.join(missing)})")
    need_valgrind()


def build_driver(project):
    ninja = Ninja(project.scratch("figure13"))
    compiled = ninja.compile(project.source("figure13", "drive.c"), "drive", "clang-19", ["-O2"])
    driver = ninja.edge(os.path.join(ninja.folder, "drive"), "clang-19 $in -lXtst -lX11 -o $out", [compiled])
    if ninja.build([driver]):
        raise Missing("the driver could not be built: libxtst-dev and libx11-dev are needed (tools/setup)")
    return driver


def check_same(built, programs, events):
    """The screens in the middle of an event and after it are the same in all variants, before and after the events."""
    shown = {}
    for variant, program in programs.items():
        with built.session([program]) as user:
            first = user.pictures()
            user.repeat(events)
            shown[variant] = first + user.pictures()
    for variant, pictures in shown.items():
        if pictures != shown["original"]:
            raise Failed(f"{variant} shows another picture than original: {pictures}, {shown['original']}")


def microseconds(user, events):
    """Processor time of the program for one event."""
    before = settled(user.pid)
    user.repeat(events)
    return (settled(user.pid) - before) / 1e3 / events


def timed_round(built, programs, batches, events):
    """{variant: microseconds of an event}. All variants have a session at the same time, so that one can be measured right after the other: what the machine does
    besides changes within seconds."""
    with contextlib.ExitStack() as sessions:
        users = {variant: sessions.enter_context(built.session([program], f"session-{variant}")) for variant, program in programs.items()}
        for user in users.values():
            user.repeat(WARM_UP_EVENTS)
        case = built.program.gesture
        found = interleaved(list(users), [case], batches, lambda variant, _: microseconds(users[variant], events))
        return {variant: median(found[case, variant]) for variant in users}


def instructions(built, program, events):
    """Instructions of one event, those in shared libraries included. callgrind counts anew at each dump, the second of which is that of the events. The process that
    the program starts is not counted."""
    counts = os.path.join(built.folder, "counts")
    for old in glob.glob(f"{counts}.*"):
        os.unlink(old)
    # The words of valgrind go to a file for each process.
    counting = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={counts}.%p", f"--log-file={counts}.%p.log", program]
    with built.session(counting) as user:
        user.repeat(WARM_UP_EVENTS)
        for work in (lambda: None, lambda: user.repeat(events)):
            work()
            settled(user.pid)
            output_of(["vgdb", f"--pid={user.pid}", "dump"])
        path = f"{counts}.{user.pid}.2"
    if not os.path.exists(path):
        raise Failed(f"valgrind did not count the instructions of {program}")
    with open(path, encoding="utf-8") as dump:
        return int(re.search(r"^totals: (\d+)", dump.read(), re.MULTILINE)[1]) / events


def measured(built, variants, options):
    case = built.program.gesture
    programs = built.programs(variants)
    if "optimized" in programs:
        summary, applied = built.decisions("optimized")
        print(f"bench: figure13: {case}: {summary}: {'; '.join(applied) or 'none'}", file=sys.stderr)
    events = TOY_EVENTS if options.toy else EVENTS
    check_same(built, programs, events)
    bare = {variant: without_debug_information(program) for variant, program in programs.items()}
    rounds = [timed_round(built, programs, 1 if options.toy else BATCHES, events) for _ in range(options.rounds)]
    timed = {(case, variant): [one[variant] for one in rounds] for variant in programs}
    exact = interleaved(list(programs), [case], min(options.rounds, MOST_COUNTED_ROUNDS),
                        lambda variant, _: instructions(built, bare[variant], min(events, COUNTED_EVENTS)))
    return rows_of("figure13", timed, AGAINST, "cpu", "us per event") + rows_of("figure13", exact, AGAINST, "instructions", "per event")


def run(project, options):
    cases = chosen(options.cases, CASES)
    variants = chosen(options.variants, VARIANTS, ("original", AGAINST))
    need_x()
    project.need_tool()
    project.need(project.cc, "thalweg-cc")
    driver = build_driver(project)
    return [row for program in PROGRAMS if program.gesture in cases
            for row in measured(XProgram(project, project.scratch("figure13"), driver, program), variants, options)]
