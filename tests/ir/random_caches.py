#!/usr/bin/env python3
# tests: random functions whose last results are kept: they read and write what their callers change in place, what lies one over the
# other, variables, tables, in some cases only; original and optimised must show the same.
#
#   random_caches.py --build BUILD [--programs N] [--seed S] [--sabotage]
#
# The seed is printed; a program that differs stays in BUILD/tests/ir-caches/SEED. With --sabotage each guard believes that memory is what
# it was: then every program has to differ. Exit code 0: all the same; 1: not, or hardly any results were kept or handed out.
import random
import re
import shutil
import sys

sys.dont_write_bytecode = True
import random_runs  # noqa: E402
import transform  # noqa: E402

HEAD = """#include <stdint.h>
#include <stdio.h>
#include <string.h>
typedef uint32_t __attribute__((may_alias, aligned(1))) word;
typedef uint8_t byte;
static word pool[64];
static word v0[16], v1[16];
uint64_t last;
static const word table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
#define CALL __attribute__((noinline))
"""
MAIN = """
int main(void) {
    uint64_t seed = %d, sum = 0;
    for (int i = 0; i < 64; ++i) pool[i] = i * 2654435761u;
    for (int step = 0; step < %d; ++step) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        const unsigned r = seed >> 33;
        if (r %% 5 == 0) ((byte *)pool)[r / 5 %% sizeof pool] ^= 1 << r / 1280 %% 8;
        if (r %% 11 == 0) v0[r / 11 %% 16] += r;
        if (r %% 13 == 0) v1[r / 13 %% 16] += r;
        static const int places[6] = {0, 16, 32, 3, 17, 40};
        const unsigned q = seed >> 41;
        word *a = pool + places[q %% %d], *b = pool + places[q / 6 %% %d];
        const word x = q / 36 %% 2;
        switch (r / 7 %% %d) {
%s        }
        if (step %% 7 == 0) {
            for (int i = 0; i < 64; ++i) sum = sum * 31 + pool[i];
            for (int i = 0; i < 16; ++i) sum = sum * 31 + v0[i] + 7 * v1[i];
            printf("%%llx\\n", (unsigned long long)(sum + last));
        }
    }
    return 0;
}
"""
# Where an optimised program that is to be recorded counts, without a recorder: told at its end.
COUNTS = """
#include <stdint.h>
#include <stdio.h>
static uint64_t counted[200];
uint64_t *thalweg_probe_guards = counted;
__attribute__((destructor)) static void tell(void) {
    uint64_t hits = 0;
    for (int i = 0; i < 200; i += 2) hits += counted[i];
    fprintf(stderr, "%llu\\n", (unsigned long long)hits);
}
"""
STEPS = 3000
# Of all that was called, over all programs: a run in which hardly any function's results are kept, or ever handed out, shows nothing. Of 31
# runs of ten programs, far apart in their seeds, the least were 1.9 functions and 44 times a program, the most 3.9 and 12,320 times.
LEAST_APPLIED_EACH = 1
LEAST_HITS_EACH = 10


class Writer:
    """What is random of a program, decided by its seed."""

    def __init__(self, seed):
        self.pick = random.Random(seed)
        self.functions = self.pick.randint(3, 7)
        self.depth, self.loops = 0, 0

    def value(self, counters, level=0):
        """An expression without effects."""
        one = self.pick.randrange(12 if level < 3 else 4)
        inner = lambda: self.value(counters, level + 1)  # noqa: E731
        if one == 0:
            return str(self.pick.randrange(100)) + "u"
        if one in (1, 2):
            return self.pick.choice(["x", "s", *counters])
        if one in (3, 4, 5):
            return self.pick.choice(["a", "b", "b", "v0", "v1", "local"]) + f"[{self.index(counters)}]"
        if one == 6:
            return f"table[({inner()}) & 15]"
        if one == 7:
            return f"((const byte *)b)[{self.index(counters, 64)}]"
        if one == 8:
            return f"(({inner()}) & 1 ? {inner()} : {inner()})"
        operation = self.pick.choice(["+", "-", "*", "^", "|", "&", "<", ">> 7 &"])
        return f"({inner()} {operation} {inner()})"

    def index(self, counters, size=16):
        one = self.pick.randrange(8)
        if counters and one < 4:
            return f"({self.pick.choice(counters)} + {self.pick.randrange(size)}) & {size - 1}"
        if one == 7:
            return f"({self.pick.choice(['x', 's'])}) & {size - 1}"
        return str(self.pick.randrange(size))

    def place(self, counters):
        return self.pick.choice(["a", "a", "local", self.pick.choice(["v0", "v1", "b"])]) + f"[{self.index(counters)}]"

    def statement(self, counters, level):
        one = self.pick.randrange(12)
        if one < 4 or level > 2:
            return f"{self.place(counters)} {self.pick.choice(['=', '=', '=', '+=', '^='])} {self.value(counters)};"
        if one == 4:
            return f"s = s * 31 + {self.value(counters)};"
        if one == 5:
            return f"if ({self.value(counters)} & 1) {{ {self.block(counters, level + 1)} }}"
        if one == 6:
            return f"if ({self.value(counters)} & 2) {{ {self.block(counters, level + 1)} }} else {{ {self.block(counters, level + 1)} }}"
        if one == 7:
            return f"for (word n = ({self.value(counters)}) & 31; n; n >>= 1) s += n ^ {self.value(counters)};"
        if one == 8 and self.depth > 0:
            return f"s += f{self.pick.randrange(self.depth)}({self.pick.choice('ab')}, {self.pick.choice('ab')}, {self.value(counters)});"
        if one == 9:
            return self.pick.choice(["memmove(a, b, 64);", "memcpy(local, b, 32);", "memset(a + 4, 0, 16);", "memcpy(a + 2, local, 24);"])
        self.loops += 1
        name = f"i{self.loops}"
        leave = f" if ({self.value([*counters, name])} == 5) break;" if self.pick.randrange(4) == 0 else ""
        return (f"for (word {name} = 0; {name} < {self.pick.choice([2, 4, 16])}; ++{name}) {{ "
                f"{self.block([*counters, name], level + 1)}{leave} }}")

    def block(self, counters, level):
        return " ".join(self.statement(counters, level) for _ in range(self.pick.randint(1, 3)))

    def function(self, number):
        self.depth = number
        written = "for (word i = 0; i < 16; ++i) a[i] = b[i] * table[i];" if self.pick.randrange(2) else ""
        return (f"CALL static uint64_t f{number}(word *a, const word *b_, word x) {{ word *b = (word *)b_; word local[16] = {{x}}; "
                f"uint64_t s = x; (void)b; (void)a; {written} {self.block([], 0)} {self.block([], 0)} return s; }}\n")

    def source(self):
        functions = "".join(self.function(i) for i in range(self.functions))
        calls = "".join(f"        case {i}: sum = sum * 31 + f{i}(a, b, x); break;\n" for i in range(self.functions))
        plan = "".join(f"// PLAN: {i + 1} cache f{i}\n" for i in range(self.functions))
        return plan + HEAD + functions + MAIN % (self.pick.randrange(1 << 30), STEPS, self.pick.choice([1, 2, 6]),
                                                 self.pick.choice([2, 6]), self.functions, calls)


def check(seed, options):
    """Decisions applied and refused, results handed out, and the words in which the programs differ."""
    folder = random_runs.new_folder(options, "ir-caches", seed)
    program = transform.Program(random_runs.write(folder, "program.c", Writer(seed).source()), options.build, folder)
    program.count_guards = True
    outcome = program.optimize()
    if options.sabotage:
        program.write("optimised.ll", re.sub(r"= call i32 @memcmp\(.*", "= add i32 0, 0", program.read("optimised.ll")))
    counts = program.write("counts.c", COUNTS)
    shown = []
    for module, output in ((program.module, "original"), (program.file("optimised.ll"), "optimised")):
        transform.call(["clang-19", "-O2", "-Wno-override-module", module, counts, "-o", program.file(output)])
        shown.append(transform.call([program.file(output)]))
    hits = int(shown[1].stderr)
    difference = f"program {seed} differs: {folder}\n" if shown[0].stdout != shown[1].stdout else None
    if not difference:
        shutil.rmtree(folder)
    return {"hits": hits, **random_runs.decisions_in(outcome)}, difference


def main():
    options = random_runs.options_of("random functions whose results are kept, original against optimised", 40)
    results = random_runs.Results(lambda seed: check(seed, options), options)
    counts = results.counts
    results.tell(f"{counts['applied']} decisions applied, {counts['refused']} refused, results handed out {counts['hits']} times")
    why = None
    if counts["applied"] < options.programs * LEAST_APPLIED_EACH:
        why = "hardly anything was applied"
    elif counts["hits"] < options.programs * LEAST_HITS_EACH and not options.sabotage:
        why = "results were hardly ever handed out"
    return results.exit_code(why)


if __name__ == "__main__":
    sys.exit(main())
