# benchmarks: unmodified programs of Debian's, made by the tool's compiler, recorded and optimised: whole runs of realistic jobs.
import os

from harness.ninja import Ninja
from harness.rounds import Failed, interleaved, rows_of
from harness.timed import build, chosen

from programs.jobs import JOBS, REAL, TOY, TRAINING, Place
from programs.packages import Builder
from programs.servers import SERVER_JOBS

DESCRIPTION = "cat, wc, grep, tar, gzip, cp, sqlite3, rsync, nginx, mpg123, unmodified: CPU time and system calls of realistic jobs; against original"
ALL_JOBS = (*JOBS, *SERVER_JOBS)

AGAINST = "original"
VARIANTS = ("original", "optimized", "linked-again")
UNLESS_ASKED = "original,optimized"
EMPTY_PLAN = 'format = "thalweg-plan"\nversion = 1\n'
SEED, TRAINING_SEED = 1, 2


def optimised(project, ninja, program, job, training):
    """From one recorded run of the same job on other files."""
    job.prepare(training)
    base = os.path.join(ninja.folder, job.name)
    run = job.shell(training, f"{project.tool} record -o $out -- {program}")
    profile = ninja.edge(f"{base}.profile", f"cd {training.folder} && rm -rf {' '.join([*job.results, 'none'])} && ({run}) 2> $out.log || "
                         "(cat $out.log; false)".replace("$(", "$$("), [program], project.parts())
    return project.linked_again(ninja, program, profile, f"{base}.opt")


def linked_again(project, ninja, program):
    """Nothing is changed: what is measured is what another link alone does to a program."""
    plan = os.path.join(ninja.folder, "empty.plan")
    with open(plan, "w", encoding="ascii") as out:
        out.write(EMPTY_PLAN)
    return ninja.edge(f"{program}.again", f"{project.tool} optimize {program} --plan {plan} -o $out > $out.log 2>&1 || (cat $out.log; false)",
                      [program], project.parts())


def check_same(job, place, programs):
    found = {variant: job.shown(place, program) for variant, program in programs.items()}
    wanted = found[AGAINST]
    for variant, own in found.items():
        differing = [(a, b) for a, b in zip(own, wanted) if a != b] or ([(own, wanted)] if own != wanted or own[0] != 0 else [])
        if differing:
            raise Failed(f"{job.name}: {variant} (exit code, outputs, files) {differing[0][0]}, {AGAINST} {differing[0][1]}")


def run(project, options):
    names = [job.name for job in ALL_JOBS if job.toy or not options.toy]
    jobs = [job for job in ALL_JOBS if job.name in chosen(options.cases, names)]
    variants = chosen(options.variants or UNLESS_ASKED, VARIANTS, (AGAINST,))
    ninja = Ninja(project.scratch("programs"))
    size = TOY if options.toy else REAL
    place = Place(project, os.path.join(ninja.folder, f"work-{size.files}"), size, SEED)
    training = Place(project, os.path.join(ninja.folder, "training"), TRAINING, TRAINING_SEED)
    builder = Builder(project, ninja)
    recipes = []
    for job in jobs:
        program = builder.program(job.program)
        recipes.append(((job.name, AGAINST), lambda program=program: program, True))
        if "optimized" in variants:
            recipes.append(((job.name, "optimized"), lambda job=job, program=program: optimised(project, ninja, program, job, training), True))
        if "linked-again" in variants:
            recipes.append(((job.name, "linked-again"), lambda program=program: linked_again(project, ninja, program), True))
    programs = build(ninja, recipes)
    rows = []
    for job in jobs:
        own = {variant: programs[job.name, variant] for variant in variants}
        check_same(job, place, own)
        rows += measured(job, place, own, options.rounds, os.path.join(ninja.folder, "strace.counts"))
    return rows


def measured(job, place, programs, rounds, counts):
    def of(meter, variant):
        job.prepare(place)
        return meter(programs[variant])

    timed = interleaved(list(programs), [job.name], rounds, lambda variant, case: of(lambda program: job.cpu_seconds(place, program), variant) * 1e3)
    counted = interleaved(list(programs), [job.name], 1,
                          lambda variant, case: of(lambda program: job.crossings(place, program, counts), variant) / job.items(place))
    job.prepare(place)
    unit = "per run" if job.items(place) == 1 else "per item"
    return rows_of("programs", timed, AGAINST, "cpu", "ms") + rows_of("programs", counted, AGAINST, "crossings", unit)
