# benchmarks: what recording costs a loop that does nothing but dispatch, and one that does nothing but system calls.
from dispatch.builder import Builder
from harness.timed import build, chosen, measure

DESCRIPTION = "loops that do nothing but dispatch (W1) or read one byte (system-calls), plain and while they are recorded"

CASES = ("typed", "c", "vector", "system-calls")
VARIANTS = ("plain", "recorded")
AGAINST = "plain"
# A thread's first 16,384 dispatches are all noted, some 2 ms once (src/recorder/thread.h); a run is as long as a short real one.
TIMED_S = 1.0


def reader(project, ninja):
    """A loop of nothing but system calls."""
    project.need_tool()
    return ninja.edge(f"{ninja.folder}/system_calls", f"{project.cc} -O2 -g $in -o $out",
                      [project.source("recording", "system_calls.c")], [project.cc])


def run(project, options):
    builder = Builder(project, "dispatch")
    cases = chosen(options.cases, CASES)
    variants = chosen(options.variants, VARIANTS, (AGAINST,))
    library = [project.library]
    recipes = [
        ("typed", lambda: builder.ours("typed", library, library)[0], True),
        ("c", lambda: builder.ours("c", library, library)[0], True),
        ("vector", lambda: builder.ours("vector")[0], True),
        ("system-calls", lambda: reader(project, builder.ninja), True),
    ]
    programs = build(builder.ninja, [recipe for recipe in recipes if recipe[0] in cases])

    def command_for(variant, case, count):
        workload = "calls" if case == "system-calls" else "W1"
        command = [programs[case], workload, str(count), *(builder.names if workload == "W1" else [])]
        if variant == "recorded":
            command = [project.tool, "record", "-o", project.scratch("recording.profile"), "--", *command]
        return command, workload

    return measure("recording", cases, variants, AGAINST, options, command_for, TIMED_S, same_count=True)
