#!/usr/bin/env python3
# tests: plans that were changed by hand. Whatever stands in a plan, the optimised program shows what the original shows, or the plan is refused
# in words.
#
#   edited.py --build BUILD [--edits N] [--seed N] [--rows N] [--programs NAME,...]
#
# Of each program's plan: every refused row is turned into one that applies, alone (--rows: at most so many) and all together; and N plans in
# which fields of decisions, facts and targets have other values. A row that was turned round is applied or says why not, and the plan stays
# readable. Exit 0: all alike; 1: a difference, which is shown.
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SLOWEST_S = 120
# What is recorded, and what is compared besides.
PROGRAMS = {
    "changed_lists": (["changed_lists.c"], "thalweg-cc", ["-O2", "-g"], ["1", "3000"], [["2", "2000"], ["0", "500"]]),
    "layered": (["layered.c"], "thalweg-cc", ["-O2", "-g"], [], [["other"]]),
    "by_call": (["by_call.c"], "thalweg-cc", ["-O2", "-g", "-mllvm", "-inline-threshold=-100000"], [], [["swapped"]]),
    "kept": (["kept.c"], "thalweg-cc", ["-O2", "-g"], ["300", "1"], [["100", "40"]]),
    "recorded": (["recorded.cc"], "thalweg-c++", ["-O2", "-g", "-std=c++20", "-pthread"], ["plain", "3000"], [["throw", "300"]]),
    "declared": (["declared.cc"], "thalweg-c++", ["-O2", "-g", "-std=c++20", f"-I{ROOT}/include", "-pthread"], [], [["wild"]]),
    "system_calls": (["system_calls.c"], "thalweg-cc", ["-O2", "-g", "-pthread"], ["copy"], []),
}


class Different(Exception):
    pass


def call(command, allowed=(0,)):
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=SLOWEST_S)
    except subprocess.TimeoutExpired as error:
        raise Different(f"{' '.join(command)} did not end within {SLOWEST_S} s") from error
    if allowed and done.returncode not in allowed:
        raise Different(f"{' '.join(command)}\nended with {done.returncode}\n{(done.stdout + done.stderr).decode(errors='replace')[-3000:]}")
    return done


def split(plan):
    head, *decisions = re.split(r"(?m)^(?=\[\[decision\]\])", plan)
    return head, decisions


def turned_round(decision):
    return re.sub(r'(?m)^verdict = "refuse"', 'verdict = "apply"', decision)


def other_value(pick, value, plan):
    """Some other value that may stand in the place of this one."""
    if value in ("true", "false"):
        return pick.choice(("true", "false"))
    if value.startswith('"0x'):
        return pick.choice(('"0x0000000000000000"', '"0x0000000000000001"', *re.findall(r'"0x[0-9a-f]+"', plan)[:50]))
    if value.startswith('"'):
        return pick.choice(('""', '"main"', '"printf"', *re.findall(r'= ("[^"\n]*")', plan)))
    return pick.choice(("0", "1", "2", "3", "4", "7", "8", "40", "4096", "4294967295"))


def with_other_fields(pick, plan):
    """One to four fields of a decision have other values, and some of the user's word is in it."""
    head, decisions = split(plan)
    text = head + "".join(turned_round(one) if pick.random() < 0.2 else one for one in decisions)
    if pick.random() < 0.3:
        text = text.replace("trusted = false", "trusted = true")
    for _ in range(pick.randint(1, 4)):
        fields = list(re.finditer(r'(?<=[{ ,\n])(?!format|version|build_id|id\b)(\w+) = ("[^"\n]*"|-?\d+(?:\.\d+)?|true|false)(?=[ ,}\n])', text))
        field = pick.choice(fields)
        text = text[: field.start(2)] + other_value(pick, field[2], text) + text[field.end(2):]
    return text


class Program:
    def __init__(self, name, build, folder):
        self.name, self.folder, self.tool = name, folder, os.path.join(build, "bin", "thalweg")
        sources, compiler, flags, recorded, more = PROGRAMS[name]
        self.runs = [recorded, *more]
        self.path = os.path.join(folder, name)
        compiler, objects = os.path.join(build, "bin", compiler), []
        for one in sources:
            objects.append(os.path.join(folder, one + ".o"))
            call([compiler, *flags, "-c", os.path.join(HERE, one), "-o", objects[-1]])
        call([compiler, *objects, os.path.join(build, "lib", "thalweg", "libthalweg.a"), "-pthread", "-o", self.path])
        profile, plan = self.path + ".profile", self.path + ".plan"
        call([self.tool, "record", "-o", profile, "--", self.path, *recorded])
        call([self.tool, "plan", profile, "--all", "-o", plan])
        with open(plan, encoding="utf-8") as file:
            self.plan = file.read()
        self.shown = [self.show(self.path, run) for run in self.runs]

    @staticmethod
    def show(program, run):
        done = call([program, *run], allowed=None)
        return done.returncode, done.stdout

    def check(self, what, plan, readable):
        """Optimises by the plan and compares; gives what the optimiser said of each decision."""
        path, output = self.path + ".edited.plan", self.path + ".opt"
        with open(path, "w", encoding="utf-8") as file:
            file.write(plan)
        if os.path.exists(output):
            os.remove(output)
        done = call([self.tool, "optimize", self.path, "--plan", path, "-o", output], allowed=(0, 4))
        said = done.stdout.decode(errors="replace")
        nothing = b"NOTHING WAS APPLIED" in done.stderr  # then there is no program, and what became of each decision is told all the same
        if not os.path.exists(output) and not nothing:
            if readable:
                raise Different(f"{self.name}, {what}: the plan is refused as a whole:\n{done.stderr.decode(errors='replace')}")
            return None
        for run, shown in () if nothing else zip(self.runs, self.shown):
            if self.show(output, run) != shown:
                raise Different(f"{self.name}, {what}: the optimised program shows something else for {run}:\n{said}\n{plan}")
        states = dict(re.findall(r"(?m)^ *(\d+)  (applied|not applied|refused|left out) ", said))
        for number, words in re.findall(r"(?m)^ *(\d+)  not applied +\S+ .*? at [^ ]*(.*)$", said):
            if len(words.strip(": ")) == 0:
                raise Different(f"{self.name}, {what}: decision {number} is not applied, and nothing says why:\n{said}")
        return states

    def turn_rows_round(self, pick, most):
        head, decisions = split(self.plan)
        refused = [i for i, one in enumerate(decisions) if re.search(r'(?m)^verdict = "refuse"', one)]
        before = self.check("as it is", self.plan, True)
        rows = pick.sample(refused, min(most, len(refused)))
        for row in rows:
            plan = head + "".join(turned_round(one) if i == row else one for i, one in enumerate(decisions))
            states = self.check(f"row {row + 1} turned round", plan, True)
            number = re.search(r"(?m)^id = (\d+)", decisions[row])[1]
            if states.get(number) not in ("applied", "not applied"):
                raise Different(f"{self.name}: decision {number} was turned round, and is {states.get(number)}")
            if sum(state == "applied" for state in states.values()) < sum(state == "applied" for state in before.values()) - 1:
                raise Different(f"{self.name}: with decision {number} turned round {states} are left of {before}")
        if refused:
            self.check("all rows turned round", head + "".join(map(turned_round, decisions)), True)
        return len(rows)

    def edit_fields(self, seed, count):
        unreadable = 0
        for number in range(count):
            plan = with_other_fields(random.Random(f"{seed} {self.name} {number}"), self.plan)
            unreadable += self.check(f"edit {number} of seed {seed}", plan, False) is None
        return unreadable


def main():
    parser = argparse.ArgumentParser(description="plans changed by hand")
    parser.add_argument("--build", required=True)
    parser.add_argument("--edits", type=int, default=3, help="plans with other fields, of each program")
    parser.add_argument("--rows", type=int, default=2, help="refused rows that are turned round alone, of each program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", default=",".join(PROGRAMS))
    options = parser.parse_args()
    os.environ["XDG_CACHE_HOME"] = "/nonexistent"  # what this user measured of the machine plays no part
    try:
        for name in options.programs.split(","):
            with tempfile.TemporaryDirectory() as folder:
                program = Program(name, options.build, folder)
                rows = program.turn_rows_round(random.Random(options.seed), options.rows)
                unreadable = program.edit_fields(options.seed, options.edits)
                print(f"{name}: {rows} rows turned round, {options.edits} plans with other fields, {unreadable} of them refused in words", flush=True)
    except Different as different:
        print(different, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
