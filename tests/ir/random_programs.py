#!/usr/bin/env python3
# tests: random programs with lists of callbacks, each optimised with right, half right and wrong plans; original and optimised
# must show the same.
#
#   random_programs.py --build BUILD [--programs N] [--seed S] [--sabotage]
#
# The seed is printed; a program that differs stays in BUILD/tests/ir-random/SEED. With --sabotage a handler of each optimised
# program is exchanged first: then every program has to differ. Exit code 0: all the same; 1: not.
import collections
import os
import random
import shutil
import sys

sys.dont_write_bytecode = True
import random_runs  # noqa: E402
import transform  # noqa: E402

# How a handler's symbol is named where it stands in a list of this kind.
KINDS = {"VectorList": "handler_{}", "ArrayList": "handler_{}", "RangeList": "handler_{}", "BlockedList": "handler_{}", "GatedList": "handler_{}",
         "LinkedList": "handler_{}", "CountedList": "handler_{}", "PairList": "handler_{}", "QueueList": "handler_{}",
         "AskedQueue": "handler_{}", "LivingList": "handler_{}",
         "FunctionList": "*FunctionsIvJEE*Call*handler_{}E*_M_invoke*",
         "ArgumentList": "*FunctionsIiJiEE*Call*handler_{}E*_M_invoke*",
         "PointerList": "*handlerIFiP7MessageE*Call*handler_{}E*_M_invoke*",
         "StructureList": "*handlerIFi7MessageE*Call*handler_{}E*_M_invoke*", "VirtualList": "*ListenerOf*handler_{}E*2onE*"}
ATTRIBUTES = ("", "", "", "", "[[gnu::noinline]] ", "[[clang::optnone, gnu::noinline]] ")
PLANS_EACH = 2
ROUNDS = 250


class Writer:
    """What is random of a program, decided by its seed."""

    def __init__(self, seed):
        self.pick = random.Random(seed)
        self.handlers = self.pick.randint(3, 8)
        self.kinds = [self.pick.choice(list(KINDS)) for _ in range(self.pick.randint(1, 3))]
        self.lists = [[self.pick.randrange(self.handlers) for _ in range(self.pick.choice((0, 1, 2, 2, 3, 3, 4, 5, 8)))]
                      for _ in self.kinds]
        self.lists[0] = self.lists[0] or [0]  # so that something runs
        self.raised_by = {}  # handler: the list whose raise is part of it

    def handler(self, number):
        pick = self.pick
        steps = [f"    context = (context * {pick.choice((1, 3, 31))} + argument * {pick.randint(1, 9)} + {number}) % 10007;\n",
                 f"    note({number}, context);\n"]
        if pick.random() < 0.3:
            steps.append(f"    counts[{pick.randrange(4)}] += argument;\n")
        if pick.random() < 0.3:
            steps.append(f"    if (context % {pick.randint(2, 5)} == 0)\n        note(50, counts[{pick.randrange(4)}]);\n")
        if pick.random() < 0.3:
            steps.append(f"    {{\n        volatile int own[{pick.randint(2, 9)}];\n        own[1] = argument;\n"
                         f"        own[0] = own[1] + {number};\n        context ^= own[0] & 63;\n    }}\n")
        if pick.random() < 0.4:
            raised = pick.randrange(len(self.kinds))
            inside = pick.random() < 0.7
            if inside:
                self.raised_by[number] = raised
            call = f"list_{raised}.raise" if inside else f"raise_{raised}"
            steps.insert(pick.randint(0, len(steps)), f"    if (depth < 3) {{\n        ++depth;\n"
                         f"        context ^= {call}(argument + 1) & 255;\n        --depth;\n    }}\n")
        if pick.random() < 0.6:
            steps.insert(pick.randint(0, len(steps)), "    act();\n")
        if pick.random() < 0.2:
            steps.append("    if (next_random() % 16 < wildness)\n        throw context;\n")
        attribute = pick.choice(ATTRIBUTES)
        return f'extern "C" {attribute}int handler_{number}(int &context, int argument) {{\n{"".join(steps)}    return context;\n}}\n'

    def source(self, sabotage):
        handlers = [self.handler(number) for number in range(self.handlers)]
        lists = range(len(self.kinds))
        if sabotage:
            handlers = [text.replace("note(", "note(1 + ") for text in handlers]
        cases = "".join(f"    case {4 * handler + one}:\n        list_{one}.append<handler_{handler}>(&contexts[which % 8]);\n"
                        "        break;\n" for one in lists for handler in range(self.handlers))
        either = [f"    if (which % {len(self.kinds)} == {one})\n        list_{one}" for one in lists]
        binds = "".join(f"    append({4 * handler + one}, {place});\n"
                        for one in lists for place, handler in enumerate(self.lists[one]))
        return "".join([
            "// tests: generated; see tests/ir/random_programs.py\n#include \"random_lists.h\"\n\n",
            "int contexts[8], counts[4];\n",
            *(f'extern "C" int raise_{one}(int argument);\n{kind} list_{one};\n' for one, kind in enumerate(self.kinds)),
            "[[gnu::noinline]] void act();\n", *handlers,
            *(f'extern "C" [[gnu::noinline]] int raise_{one}(int argument) {{\n    return list_{one}.raise(argument);\n}}\n'
              for one in lists),
            f"void append(unsigned what, unsigned which) {{\n    switch (what) {{\n{cases}    default:\n        break;\n    }}\n}}\n",
            "void erase(unsigned which, size_t at) {\n", *(f"{text}.erase(at);\n" for text in either), "}\n",
            "void clear(unsigned which) {\n", *(f"{text}.clear();\n" for text in either), "}\n",
            "void set_context(unsigned which, size_t at, unsigned context) {\n",
            *(f"{text}.set_context(at, &contexts[context % 8]);\n" for text in either), "}\n",
            "void act() {\n    if (next_random() % 16 >= wildness)\n        return;\n"
            "    const unsigned what = next_random() % 6, which = next_random();\n"
            f"    if (what < 2)\n        append(4 * (which % {self.handlers}) + next_random() % {len(self.kinds)}, which);\n"
            "    else if (what == 2)\n        erase(which, next_random() % 4);\n"
            "    else if (what < 5)\n        set_context(which, next_random() % 4, next_random());\n    else\n        clear(which);\n}\n",
            "void bind_all() {\n", *(f"    clear({one});\n" for one in lists), binds, "}\n",
            f"int main() {{\n    for (int round = 0; round < {ROUNDS}; ++round) {{\n        wildness = unsigned(round) % 5;\n"
            "        if (round % 8 < 2)\n            bind_all();\n        depth = 0;\n        try {\n"
            "            switch (next_random() % 3) {\n",
            *(f"            case {one}:\n                note(60, raise_{one}(round));\n                break;\n" for one in lists),
            "            default:\n                note(61, raise_0(round));\n            }\n"
            "        } catch (int value) {\n            note(70, value);\n        }\n"
            '        printf("%d %u\\n", round, digest);\n    }\n}\n'])

    def targets(self, one):
        """What a plan says of a list: the truth, or something like it."""
        truth = list(self.lists[one])
        how = self.pick.choice(("right", "right", "right", "permuted", "truncated", "extended", "other"))
        if how == "permuted":
            self.pick.shuffle(truth)
        if how == "truncated":
            truth = truth[:-1]
        if how == "extended":
            truth.append(self.pick.randrange(self.handlers))
        if how == "other":
            truth = [self.pick.randrange(self.handlers) for _ in range(self.pick.randint(1, 6))]
        return truth or [self.pick.randrange(self.handlers)]

    def names(self, one, targets):
        return " ".join(KINDS[self.kinds[one]].format(target) for target in targets)

    def calls(self, one, names):
        """Which call of its loop a target belongs to: a pair's second call is made in every other round."""
        if self.kinds[one] != "PairList":
            return names
        return " ".join(f"{name}#0" + (f" {name}#1" if (place % 2 == 1) != (self.pick.random() < 0.1) else "")
                        for place, name in enumerate(names.split(" ")))

    def with_foreign(self, names):
        """Now and then one of them is said to be a library's."""
        names = names.split(" ")
        if self.pick.random() < 0.2:
            names[self.pick.randrange(len(names))] = "elsewhere"
        return " ".join(names)

    def names_with_contexts(self, one, targets):
        """As a profile knows them: the context at each place when the list is first built, or none, or a wrong one."""
        known = self.pick.choice((0, 0.5, 1, 1))
        names = self.names(one, targets).split(" ")
        if KINDS[self.kinds[one]] != "handler_{}":
            return " ".join(names)
        return " ".join(name + (f"@contexts+{4 * (place % 8 if self.pick.random() < 0.95 else self.pick.randrange(10))}"
                                if self.pick.random() < known else "") for place, name in enumerate(names))

    def plan(self):
        lines = []
        while not lines:
            self.nest(lines, None, 0)
        return [f"{number} {text}" for number, text in enumerate(lines, 1)]

    def nest(self, lines, parent, level):
        """Decisions for each list, or for those that the handlers of `parent` (number, list, targets) raise."""
        if parent is None:
            places = [(one, f"merge raise_{one}/0") for one in range(len(self.kinds)) if self.pick.random() < 0.85]
        else:
            number, around, targets = parent
            places = [(self.raised_by[target], f"subsume {self.names(around, [target])}/0 in {number}.{position}")
                      for position, target in enumerate(targets) if target in self.raised_by and self.pick.random() < 0.6]
        for one, where in places:
            for _ in range(self.pick.choice((1, 1, 1, 2))):
                targets = self.targets(one)
                verdict = " refusal=by-hand" if self.pick.random() < 0.1 else ""
                lines.append(f"{where} weight={self.pick.randint(1, 99)}{verdict} = {self.with_foreign(self.calls(one, self.names_with_contexts(one, targets)))}")
                if level < 2 and len(lines) < 12:
                    self.nest(lines, (len(lines), one, targets), level + 1)


def check(seed, options, headers):
    """Plans tried, decisions applied, refused, and the differences found."""
    folder = random_runs.new_folder(options, "ir-random", seed)
    writer = Writer(seed)

    def program_of(name, source):
        path = random_runs.write(folder, name, f"// FLAGS: -include-pch {headers}\n{source}")
        return transform.Program(path, options.build, folder)

    program = program_of("program.cc", writer.source(False))
    program.passes = writer.pick.choice(("thalweg", "lto<O2>"))
    program.link(program.module, "original")
    table = program.probe()
    if options.sabotage:
        program = program_of("sabotaged.cc", Writer(seed).source(True))
    counts = collections.Counter()
    for number in range(1 if options.sabotage else PLANS_EACH):
        lines = writer.plan()
        # Now and then only some of them are asked for.
        program.only = [one for one in range(1, len(lines) + 1) if writer.pick.random() < 0.5] if writer.pick.random() < 0.2 else []
        outcome = program.optimize([transform.Decision(line) for line in lines], table)
        program.link(program.file("optimised.ll"), "optimised")
        counts.update(plans=1, **random_runs.decisions_in(outcome))
        difference = program.difference("original", "optimised")
        if difference:
            random_runs.write(folder, "plan.txt", "\n".join(lines) + "\n")
            return counts, f"program {seed}, plan {number}: see {folder}\n" + first_lines(difference)
    if not options.sabotage:
        shutil.rmtree(folder)
    return counts, None


def first_lines(difference):
    """The first line in which the two say something else."""
    one, other = (part.splitlines() for part in difference.split("--- optimised", 1))
    for left, right in zip(one[1:], other[1:]):
        if left != right:
            return f"  original {left}\n  optimised {right}\n"
    return "  one stopped earlier, or with another code: " + one[0] + " / optimised" + other[0] + "\n"


def main():
    options = random_runs.options_of("random programs, original against optimised", 50)
    folder = os.path.join(options.build, "tests", "ir-random")
    os.makedirs(folder, exist_ok=True)
    headers = os.path.join(folder, "random_lists.pch")
    transform.call(["clang++-19", "-std=c++20", *transform.FRONT_END, "-x", "c++-header",
                    os.path.join(transform.HERE, "inputs", "random_lists.h"), "-o", headers])
    results = random_runs.Results(lambda seed: check(seed, options, headers), options)
    counts = results.counts
    results.tell(f"{counts['plans']} plans, {counts['applied']} decisions applied, {counts['refused']} refused")
    return results.exit_code("hardly anything was applied" if counts["applied"] < options.programs else None)


if __name__ == "__main__":
    sys.exit(main())
