#!/usr/bin/env python3
# tests: random programs of events or of coroutines, original against optimised: every digest of every script must be the same.
#
#   run.py --build BUILD [--kind events|waits] [--programs N] [--first SEED] [--scripts N] [--few] [--sabotage] [--jobs N] [--keep]
#
# Each program is optimised from an honest profile, from a profile of another kind of run, with random subsets of the
# decisions, from plans that lie, from a foreign profile and from a damaged one. Exit 0: no difference; 1: a difference
# (it is shown) or a tool that crashed; 2: wrong usage.
import argparse
import collections
import concurrent.futures
import json
import os
import random
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path[:0] = [os.path.dirname(os.path.realpath(__file__)), os.path.dirname(os.path.dirname(os.path.realpath(__file__)))]
import generate  # noqa: E402
import generate_waits  # noqa: E402
import hostile  # noqa: E402
import seeds  # noqa: E402

HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
FLAGS = ["-std=c++20", "-O2", "-g1", f"-I{HERE}", f"-I{ROOT}/include"]
KINDS = {"events": generate, "waits": generate_waits}
# Scripts of the recorded runs: a calm run, as profiles come from; and a wild one.
TRAINING_SCRIPTS = 150
CALM, WILD = (0.0, 0.0, 0.01), generate.TURBULENCE
# Lying plans tried for each program, of those that hostile.py knows; over all programs each comes up often.
HOSTILE_EACH = 3
LYING_PROFILES = 2
# 0: optimised; 4: said in words that the profile or plan does not fit.
REFUSED_IN_WORDS = (0, 4)
SLOWEST_RUN_S = 120
# A program whose original ends itself is replaced by the next one, and where hardly any of them shows what is to be shown,
# more are tried, until so many times what was asked for were drawn.
DRAWN_AT_MOST = 4
# But so many where few are asked for: four of the waits' in a row may all show no trigger that leads on (--first 481503000).
DRAWN_IN_ANY_CASE = 16


class Different(Exception):
    pass


def call(command, stdin=None, allowed=(0,)):
    source = open(stdin, "rb") if stdin else subprocess.DEVNULL
    try:
        done = subprocess.run(command, stdin=source, capture_output=True, check=False, timeout=SLOWEST_RUN_S)
    except subprocess.TimeoutExpired as error:
        raise Different(f"{' '.join(command)} did not end within {SLOWEST_RUN_S} s") from error
    finally:
        if stdin:
            source.close()
    if done.returncode not in allowed:
        said = done.stderr.decode(errors="replace")[-3000:]
        raise Different(f"{' '.join(command)} < {stdin}\nended with {done.returncode}\n{said}")
    return done


class Case:
    """One program, from its seed to the last of its variants."""

    def __init__(self, seed, options):
        self.seed, self.options = seed, options
        self.writer = KINDS[options.kind]
        self.folder = os.path.join(options.build, "differential", options.kind, str(seed))
        self.tool = os.path.join(options.build, "bin", "thalweg")
        self.program = self.path("program")
        self.compared = 0
        self.left_out = False
        self.optimised = collections.Counter()
        self.refused = collections.Counter()
        self.through_pointers = 0  # decisions whose layer leads on through a pointer, as a trigger to who waits

    def path(self, name):
        return os.path.join(self.folder, name)

    def make(self, sabotage=False):
        folder = self.path("sabotaged") if sabotage else self.folder
        compiler = os.path.join(self.options.build, "bin", "thalweg-c++")
        sources = [os.path.join(folder, name) for name in self.writer.write_program(self.seed, folder, sabotage)]
        objects = []
        for source in [*sources, os.path.join(HERE, self.writer.SUPPORT)]:
            objects.append(os.path.join(folder, os.path.basename(source) + ".o"))
            call([compiler, *FLAGS, f"-I{folder}", "-c", source, "-o", objects[-1]])
        program = os.path.join(folder, "program")
        call([compiler, *objects, os.path.join(self.options.build, "lib", "thalweg", "libthalweg.a"), "-o", program])
        return program

    def run(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.make()
        self.writer.write_scripts(self.seed, self.options.scripts, self.path("scripts"))
        self.writer.write_scripts(self.seed + 1000003, TRAINING_SCRIPTS, self.path("calm"), CALM)
        self.writer.write_scripts(self.seed + 2000003, TRAINING_SCRIPTS, self.path("wild"), WILD)
        done = call([self.program], self.path("scripts"), allowed=range(-64, 256))
        if done.returncode != 0:
            # A wild script may throw where nobody can catch, as in a destructor: such a program shows nothing of its later scripts.
            self.left_out = True
            print(f"SKIPPED: program {self.seed} is left out: the original itself ends with {done.returncode}", flush=True)
            return
        self.expected = done.stdout
        if self.options.sabotage:
            self.compare("sabotaged", self.make(sabotage=True))
            return
        calm = self.record("calm")
        self.try_variant("honest", calm)
        if self.options.few and self.options.kind == "waits" and not self.through_pointers:
            return  # it shows little: the time is for the next program
        self.other_honest(calm)
        if self.options.few:
            self.lying_plans(1)
            return
        self.lying_plans(HOSTILE_EACH)
        self.lying_profile()
        self.damaged_profile()

    def other_honest(self, calm):
        self.try_variant("other-run", self.record("wild"))
        decisions = self.decisions_of(calm)
        if decisions:
            pick = random.Random(self.seed)
            some = sorted(pick.sample(decisions, pick.randint(1, len(decisions))))
            self.try_variant("some-decisions", calm, ["--only-decisions=" + ",".join(map(str, some))])

    def lying_plans(self, number):
        if not os.path.exists(self.path("calm.plan")):
            return
        with open(self.path("calm.plan"), encoding="utf-8") as file:
            plans = hostile.hostile_plans(self.seed, file.read())
        pick = random.Random(self.seed)
        for name, text in pick.sample(plans, number):
            with open(self.path(name + ".plan"), "w", encoding="utf-8") as file:
                file.write(text)
            self.try_variant(name, self.path("calm.profile"), ["--plan", self.path(name + ".plan")], REFUSED_IN_WORDS)
            self.check_outcome(name, text)

    def check_outcome(self, name, plan):
        """Each decision of the plan is told of once, with a reason; unless the plan was refused as a whole."""
        if not os.path.exists(self.path(name + ".outcome")):
            return
        with open(self.path(name + ".outcome"), encoding="utf-8") as file:
            decisions = json.load(file)["decisions"]
        told = [decision["decision"] for decision in decisions]
        if told != sorted(int(number) for number in re.findall(r"(?m)^id = (\d+)$", plan)):
            raise Different(f"program {self.seed}, variant {name}: the outcome tells of decisions {told}, the plan has others")
        if not all(decision["reason"] for decision in decisions):
            raise Different(f"program {self.seed}, variant {name}: a decision has no reason: {decisions}")

    def damaged_profile(self):
        with open(self.path("calm.profile"), "rb") as file:
            data = hostile.damaged(self.seed, file.read())
        with open(self.path("damaged.profile"), "wb") as file:
            file.write(data)
        self.try_variant("damaged", self.path("damaged.profile"), allowed=REFUSED_IN_WORDS)

    def lying_profile(self):
        for number in range(LYING_PROFILES):
            profile = shutil.copy(self.path("calm.profile"), self.path("lying.profile"))
            hostile.lying_profile(self.seed * LYING_PROFILES + number, profile)
            self.try_variant("lying-profile", profile, allowed=REFUSED_IN_WORDS)

    def foreign(self, other):
        """Another program's profile. Runs when all programs are there."""
        self.try_variant("foreign", other.path("calm.profile"), allowed=REFUSED_IN_WORDS)

    def record(self, scripts):
        profile = self.path(scripts + ".profile")
        call([self.tool, "record", "-o", profile, "--", self.program], self.path(scripts))
        return profile

    def decisions_of(self, profile):
        if b"\n  plan " not in call([self.tool, "--help"]).stdout:
            return []
        call([self.tool, "plan", profile, "-o", self.path("calm.plan")])
        with open(self.path("calm.plan"), encoding="utf-8") as file:
            found = re.findall(r'(?m)^id = (\d+)\n(?:kind = .*\n)verdict = "apply"', file.read())
        return [int(number) for number in found]

    def try_variant(self, name, profile, more=(), allowed=(0, 4)):
        program = self.path("program." + name)
        command = [self.tool, "optimize", self.program, "--profile", profile, "--outcome", self.path(name + ".outcome"), *more, "-o", program]
        done = call(command, allowed=allowed)
        self.optimised[name] += done.returncode == 0
        self.refused[name] += done.returncode != 0
        self.through_pointers += len(re.findall(rb"applied +specialize .* [1-9]\d* of them through pointers", done.stdout))
        if not os.path.exists(program):
            return
        self.compare(name, program)
        if not self.options.keep:
            os.remove(program)

    def compare(self, name, program):
        found = call([program], self.path("scripts")).stdout
        self.compared += self.options.scripts
        if found == self.expected:
            return
        lines = zip(self.expected.splitlines() + [b"(end)"], found.splitlines() + [b"(end)"])
        number = next((i for i, (one, other) in enumerate(lines) if one != other), 0)
        raise Different(f"program {self.seed}, variant {name}: script {number} goes another way\n"
                        + "".join(f"  {one} {number} < {self.path('scripts')}\n" for one in (self.program, program))
                        + self.first_difference(program, number))

    def first_difference(self, program, number):
        traces = [call([one, str(number)], self.path("scripts"), allowed=range(-64, 256)).stdout.decode().splitlines()
                  for one in (self.program, program)]
        for i, (one, other) in enumerate(zip(*(trace + ["(end)"] for trace in traces))):
            if one != other:
                before = "".join(f"    {line}\n" for line in traces[0][max(0, i - 5):i])
                return f"{before}    expected {one}\n    found    {other}\n"
        return "    (the trace of this script alone is the same)\n"


def problem_in(work, *arguments):
    """What went wrong, or None."""
    try:
        work(*arguments)
    except Different as difference:
        return str(difference)
    return None


def tidy(case):
    for name in os.listdir(case.folder):
        if name.endswith(".o") or "twin" in name:
            os.remove(case.path(name))


def too_little(cases, options):
    """Why these cases, all without a difference, would show nothing; None where they show enough."""
    if options.sabotage:
        return None
    if sum(case.optimised["honest"] for case in cases) < options.programs / 2:
        return "hardly anything was optimised"
    if options.kind == "waits" and sum(case.through_pointers for case in cases) < options.programs / 2:
        return "hardly any trigger leads on to who waits"
    return None


def check_all(options, report):
    """The cases that were tried."""
    cases = []
    most = max(DRAWN_AT_MOST * options.programs, DRAWN_IN_ANY_CASE)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        while True:
            missing = options.programs - sum(not case.left_out for case in cases)
            if missing <= 0 and too_little(cases, options):
                missing = options.jobs
            first = options.first + len(cases)
            some = [Case(seed, options) for seed in range(first, min(first + missing, options.first + most))]
            if not some:
                break
            for case, problem in zip(some, pool.map(lambda case: problem_in(case.run), some)):
                report(case, problem)
            cases += some
        if options.sabotage or options.few:
            return cases
        recorded = [case for case in cases if os.path.exists(case.path("calm.profile"))]
        pairs = list(zip(recorded, recorded[1:] + recorded[:1]))
        for (case, _), problem in zip(pairs, pool.map(lambda pair: problem_in(pair[0].foreign, pair[1]), pairs)):
            report(case, problem)
    return cases


def main():
    parser = argparse.ArgumentParser(description="original against optimised, on random event programs")
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--kind", choices=sorted(KINDS), default="events")
    parser.add_argument("--programs", type=int, default=18)
    parser.add_argument("--first", type=int, default=seeds.first_program(), help="the first program's seed")
    parser.add_argument("--scripts", type=int, default=600, help="for each program")
    parser.add_argument("--few", action="store_true", help="only honest profiles, and one plan that lies: more programs in the same time")
    parser.add_argument("--sabotage", action="store_true", help="compare with a program whose handler was changed")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", action="store_true", help="keep objects and variants")
    options = parser.parse_args()
    options.build = os.path.abspath(options.build)
    print(f"programs from --first {options.first}", flush=True)
    failed = set()

    def report(case, problem):
        if problem:
            failed.add(case.seed)
            print(f"FAILED: {problem}", flush=True)

    cases = check_all(options, report)
    optimised = sum((case.optimised for case in cases), collections.Counter())
    refused = sum((case.refused for case in cases), collections.Counter())
    left_out = sum(case.left_out for case in cases)
    led_on = sum(case.through_pointers for case in cases)
    for name in sorted(optimised | refused):
        print(f"  {name:16} optimised {optimised[name]:3}, refused in words {refused[name]:3}")
    print(f"{len(cases)} programs, {len(cases) * options.scripts} scripts, {optimised.total()} optimised variants, "
          f"{sum(case.compared for case in cases)} runs of scripts compared, "
          f"{led_on} layers applied that lead on through pointers; programs that failed: {sorted(failed) or 'none'}")
    if not options.keep:
        for case in cases:
            tidy(case)
    if reason := too_little(cases, options):
        print(f"FAILED: {reason}: this run shows nothing")
        return 1
    if len(cases) - left_out < options.programs:
        print(f"FAILED: {left_out} of {len(cases)} originals end with an error: this run shows too little")
        return 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
