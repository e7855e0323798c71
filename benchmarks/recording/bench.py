# benchmarks: what recording costs a loop that does nothing but dispatch.
from dispatch.bench import Builder
from harness.timed import build, chosen, measure

DESCRIPTION = "a loop that does nothing but dispatch (W1), plain and while it is recorded"

CASES = {"typed": "typed", "c": "c", "vector": "vector"}
VARIANTS = ("plain", "recorded")
AGAINST = "plain"
# A thread's first 65,536 dispatches are all noted, some 5 ms once (src/recorder/thread.h); a run is as long as a short real one.
TIMED_S = 1.0


def run(project, options):
    builder = Builder(project)
    cases = chosen(options.cases, list(CASES))
    variants = chosen(options.variants, VARIANTS, (AGAINST,))
    library = [project.library]
    programs = build(builder.ninja, [
        ("typed", lambda: builder.ours("typed", library, library)[0], True),
        ("c", lambda: builder.ours("c", library, library)[0], True),
        ("vector", lambda: builder.ours("vector")[0], True),
    ])

    def command_for(variant, case, count):
        command = [programs[case], "W1", str(count), *builder.names]
        if variant == "recorded":
            command = [project.tool, "record", "-o", project.scratch("recording.profile"), "--", *command]
        return command, "W1"

    return measure("recording", cases, variants, AGAINST, options, command_for, TIMED_S, same_count=True)
