#!/usr/bin/env python3
"""Random programs that print by random formats, into streams in random states and into memory, and read: original against optimised, all that they write.

    random_formats.py --build BUILD [--programs N] [--first SEED] [--sabotage]

--sabotage changes a program's text before it is built the second time: the difference must be found.
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

CALLS = 24
ROUNDS = 60
LENGTHS = {"hh": "int", "h": "int", "": "int", "l": "long", "ll": "long long", "z": "size_t", "j": "intmax_t", "t": "ptrdiff_t"}
LITERALS = ["", "", "x", ", ", "%%", "\\n", "a longer text with a line's end\\n", "\\303\\244", "0"]
# What is left to the library must come out as it was, too.
OTHERS = [("%f", "number / 3.0"), ("%+d", "(int)number"), ("%#x", "(unsigned)number"), ("%.3d", "(int)number"), ("%p", "(void *)0"), ("%o", "(unsigned)number"),
          ("% d", "(int)number"), ("%e", "number * 1e9"), ("%lc", "L'w'")]

HEAD = r"""
#define _GNU_SOURCE
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static uint64_t seen;
static void see(long value) { seen = seen * 1000003 + (uint64_t)value; }
static const long numbers[] = {0, 1, -1, 7, 10, -10, 99, 100, 101, 999999, 1000000, 255, 256, -129, 32768, 65535, INT_MAX, INT_MIN, LONG_MAX, LONG_MIN, 4294967296};
static const char *const texts[] = {"", "a", "words", 0, "a line\nand one more", "0123456789012345678901234567890123456789012345678901234567890123456789"};
static char place[4096];
static char *line;
static size_t room;
static long of_line(long length) {
    for (long i = 0; i < length; ++i)
        see(line[i]);
    return length;
}
"""


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def size(self, arguments):
        """A width or a precision, as a number or as an argument."""
        if self.random.random() < 0.3:
            arguments.append(f"(int)(round % {self.random.randint(1, 14)}) - {self.random.randint(0, 2)}")
            return "*"
        return str(self.random.randint(1, 24))

    def conversion(self, arguments):
        kind = self.random.choice("ddiuxXssc")
        if self.random.random() < 0.03:
            text, argument = self.random.choice(OTHERS)
            arguments.append(argument)
            return text
        text = "%"
        if self.random.random() < 0.3:
            text += self.random.choice(["-", "0", "-0"] if kind in "diuxX" else ["-"])
        if self.random.random() < 0.3:
            text += self.size(arguments)
        if kind == "s":
            if self.random.random() < 0.3:
                text += "." + (self.size(arguments) if self.random.random() < 0.8 else "")
            arguments.append(f"texts[(round + {self.random.randint(0, 5)}) % 6]")
            return text + "s"
        if kind == "c":
            arguments.append("'a' + round % 26")
            return text + "c"
        length = self.random.choice(list(LENGTHS))
        arguments.append(f"({'unsigned ' if kind in 'uxX' and 'int' == LENGTHS[length] else ''}{LENGTHS[length]})number")
        return text + length + kind

    def format(self):
        arguments = []
        parts = [self.random.choice(LITERALS)]
        for _ in range(self.random.randint(0, 5)):
            parts += [self.conversion(arguments), self.random.choice(LITERALS)]
        return "".join(['"' + "".join(parts) + '"'] + [", " + one for one in arguments])

    def call(self):
        stream = self.random.choice(["stdout", "file", "file", "file", "stderr"])
        memory = self.random.randint(0, 2000)
        return self.random.choice([
            lambda: f"fprintf({stream}, {self.format()})", lambda: f"fprintf({stream}, {self.format()})", lambda: f"printf({self.format()})",
            lambda: f"sprintf(place + {memory}, {self.format()})", lambda: f"snprintf(place + {memory}, {self.random.choice(['0', '1', '8', 'round', '2000'])}, {self.format()})",
            lambda: f"fputs(texts[round % 3], {stream})", lambda: f"fputc((int)number, {stream})", lambda: "puts(texts[round % 3])",
            lambda: f"(long)fwrite(texts[2], round % 3, round % 4, {stream})", lambda: f"putc('c', {stream})",
            *[self.reading(memory)] * 8,
            lambda: f"fputs_unlocked(texts[round % 3], {stream})", lambda: f"(long)fwrite_unlocked(texts[4], 1, round % 9, {stream})"])()

    def reading(self, memory):
        """Of a stream that is only read: what is read behind what was written, without a seek between them, C leaves undefined."""
        return self.random.choice([
            lambda: "getc(input)", lambda: "fgetc(input)", lambda: f"ungetc({self.random.choice(['place[0]', 'EOF', 'getc(input)', 'round'])}, input)",
            lambda: f"(long)fread(place + {memory}, round % {self.random.randint(1, 9)}, {self.random.randint(0, 12)}, input)", lambda: "(long)fread(place, 8, 1, input)",
            lambda: f"fgets(place + {memory}, {self.random.choice(['round', '2', '80', '1'])}, input) != NULL", lambda: "of_line(getline(&line, &room, input))",
            lambda: f"of_line(getdelim(&line, &room, {self.random.choice(['32', '0', 'round'])}, input))"])

    def moment(self):
        """What happens to a stream between two calls."""
        return self.random.choice([
            "fflush(file);", "setvbuf(file, NULL, _IOLBF, 0);", "setvbuf(file, NULL, _IONBF, 0);", "fseek(file, 0, SEEK_END);", "rewind(file); see(getc(file)); fseek(file, 0, SEEK_CUR);",
            "fclose(file); file = fopen(words[1], \"a+\");", "fclose(file); file = fopen(words[1], \"w+\");", "setvbuf(file, NULL, _IOFBF, 100);", "see(ftell(file));", "fflush(NULL);",
            "fclose(file); file = fopen(\"/dev/full\", \"w\");", f"fclose(input); input = fopen(\"input\", \"r\"); {self.random.choice(['', 'setvbuf(input, NULL, _IONBF, 0);', 'setvbuf(input, NULL, _IOFBF, 100);'])}",
            "rewind(input);", "fseek(input, round % 50, SEEK_SET);", "see(feof(input));", "fclose(file); file = fopen(words[1], \"r\");", "clearerr(file);"])

    def source(self):
        calls = "".join(f"        see({self.call()});\n" + (f"        if (round % {self.random.randint(3, 40)} == 2) {{ {self.moment()} }}\n" if self.random.random() < 0.3 else "")
                        for _ in range(CALLS))
        return (HEAD + "int main(int count, char **words) {\n    FILE *file = fopen(words[1], \"w+\"), *input = fopen(\"input\", \"w\");\n"
                "    for (int i = 0; i < 900; ++i)\n        putc(i % (i / 90 + 7) == 0 ? '\\n' : i * i % 101 + 27, input);\n    fclose(input);\n    input = fopen(\"input\", \"r\");\n"
                f"    for (int round = 0; round < {ROUNDS}; ++round) {{\n        const long number = numbers[round % 21] + count;\n{calls}"
                "        for (size_t i = 0; i < sizeof place; ++i)\n            see(place[i]);\n        see(ferror(file));\n    }\n"
                "    fclose(file);\n    printf(\"%llu\\n\", (unsigned long long)seen);\n    return 0;\n}\n")


def run(command, folder, **more):
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=120, **more)
    return done.returncode, done.stdout, done.stderr


def must(command, folder):
    code, out, err = run(command, folder)
    if code != 0:
        raise RuntimeError(f"{command} ended with {code}: {(out + err).decode(errors='replace')[-2000:]}")
    return (out + err).decode(errors="replace")


def shown(program, folder):
    """All that it writes, and how it ends."""
    result = run([program, "written"], folder)
    with open(os.path.join(folder, "written"), "rb") as file:
        return result, file.read()


def ask_for_all(plan):
    """Also for calls that are made too seldom to be worth it."""
    with open(plan, encoding="utf-8") as file:
        text = file.read()
    with open(plan, "w", encoding="utf-8") as file:
        file.write(re.sub(r'kind = "expand"\nverdict = "refuse"', 'kind = "expand"\nverdict = "apply"', text))


def differs(seed, build, sabotage):
    tool = os.path.join(build, "bin", "thalweg")
    with tempfile.TemporaryDirectory() as folder:
        source = Program(seed).source()
        for name, text in (("program", source), ("spoiled", source.replace("texts[2]", "texts[1]", 1).replace("'a' +", "'b' +", 1).replace("see(getc(input))", "see(getc(input) + 1)", 1))):
            with open(os.path.join(folder, name + ".c"), "w", encoding="utf-8") as file:
                file.write(text)
            must([tool + "-cc", "-O2", "-w", name + ".c", "-o", name], folder)
        # LLVM makes puts of printf("%s\\n", 0), which ends the program.
        if run(["./program", "written"], folder)[0] < 0:
            return False, 0
        must([tool, "record", "-o", "profile", "--", "./program", "written"], folder)
        must([tool, "plan", "profile", "--all", "-o", "plan"], folder)
        ask_for_all(os.path.join(folder, "plan"))
        told = must([tool, "optimize", "./program", "--profile", "profile", "--plan", "plan", "-o", "optimized"], folder)
        applied = sum("applied" in line and " expand " in line and "not applied" not in line for line in told.splitlines())
        original = shown("./spoiled" if sabotage else "./program", folder)
        return original != shown("./optimized", folder), applied


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True)
    parser.add_argument("--programs", type=int, default=6)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--sabotage", action="store_true")
    options = parser.parse_args()
    failed, all_applied = [], 0
    for seed in range(options.first, options.first + options.programs):
        different, applied = differs(seed, os.path.realpath(options.build), options.sabotage)
        all_applied += applied
        if different:
            failed.append(seed)
    print(f"{options.programs} programs, {all_applied} calls in place; programs that failed: {failed}")
    if all_applied < options.programs * CALLS // 4:
        sys.exit("too few calls are written in place for this to say anything")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
