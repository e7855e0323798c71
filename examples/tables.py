# examples: what the tables of both programs share: the programs' variants, their code's size, rows and their printing
import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent
ROOT = EXAMPLES.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "benchmarks"))
from harness.rounds import interleaved, rows_of  # noqa: E402,F401

# How a program is called by interface: the suffix of its name, and of the variant's.
INTERFACES = {"typed": "", "c": "-c"}


def stop(message):
    print(f"table: {message}", file=sys.stderr)
    sys.exit(7)


def note(message):
    print(f"table: {message}", file=sys.stderr)


def parser(text, rounds):
    options = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--build", default=str(ROOT / "build"), help="the build folder (default: build)")
    options.add_argument("--rounds", type=int, default=rounds, help=f"interleaved repetitions (default: {rounds})")
    options.add_argument("--interface", choices=[*INTERFACES, "both"], default="both")
    options.add_argument("--json", action="store_true", help="one JSON object a line instead of tables")
    options.add_argument("--toy", action="store_true", help="the size that the tests run: everything once, no true timing")
    return options


def interfaces(options):
    return list(INTERFACES) if options.interface == "both" else [options.interface]


def checked(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        stop(f"'{' '.join(command)}' ended with {done.returncode}:\n{done.stdout[-1000:]}{done.stderr[-2000:]}")
    return done


class Programs:
    """The variants of an example's programs. Optimised ones exist where `thalweg record` and `thalweg optimize` do."""

    def __init__(self, build, names, interfaces):
        """names: the programs that are needed, in these interfaces, as they are and merged by hand."""
        self.build = Path(build).resolve()
        self.tool = self.build / "bin" / "thalweg"
        self.scratch = self.build / "bench" / "examples"
        self.scratch.mkdir(parents=True, exist_ok=True)
        self.can_optimise = self.tool.exists() and "optimize" in subprocess.run(
            [str(self.tool), "--help"], capture_output=True, text=True).stdout
        targets = [name + INTERFACES[interface] + hand for name in names for interface in interfaces for hand in ("", "-hand")]
        if self.can_optimise:
            self.folder = Path(checked([str(EXAMPLES / "build"), str(self.build), *targets]).stdout.strip())
        else:
            note(f"{self.tool} cannot optimise here: original and hand-merged programs only")
            self.folder = self.build / "bin"

    def path(self, name, interface, hand=False):
        path = self.folder / (name + INTERFACES[interface] + ("-hand" if hand else ""))
        if not path.exists():
            stop(f"{path} is not there; build the project first: cmake --build {self.build}")
        return str(path)

    def optimised(self, name, interface, driver):
        """Records the program while `driver` (a command with {} for the program) runs it, and optimises it."""
        original = self.path(name, interface)
        profile = str(self.scratch / f"{name}-{interface}.profile")
        result = str(self.scratch / f"{name}-{interface}.opt")
        newest = max(os.path.getmtime(original), os.path.getmtime(self.tool))
        if not (os.path.exists(result) and os.path.getmtime(result) >= newest):
            note(f"recording and optimising {os.path.basename(original)}")
            checked([str(self.tool), "record", "-o", profile, "--program", original, "--", *driver])
            checked([str(self.tool), "optimize", original, "--profile", profile, "-o", result])
        return result


def code_size(program):
    """Lines of `objdump -d`, as the paper counts, and bytes of .text."""
    lines = checked(["objdump", "-d", program]).stdout.count("\n")
    sections = checked(["size", "-A", program]).stdout.splitlines()
    text = next(int(line.split()[1]) for line in sections if line.startswith(".text "))
    return lines, text


def code_rows(bench, name, programs, against):
    """programs: {variant: path}."""
    sizes = {variant: code_size(path) for variant, path in programs.items()}
    rows = []
    for metric, unit, i in (("objdump-lines", "lines", 0), ("text", "bytes", 1)):
        rows += rows_of(bench, {(name, variant): [size[i]] for variant, size in sizes.items()}, against, metric, unit)
    return rows


def print_rows(title, rows, unit_header):
    """A table: a line a case, for each variant its value and what it is of the first variant's."""
    variants = list(dict.fromkeys(row["variant"] for row in rows))
    print(f"\n{title}")
    print(f"{unit_header:24}" + "".join(f"{variant:>32}" for variant in variants))
    for case in dict.fromkeys(row["case"] for row in rows):
        cells = ""
        for row in (row for row in rows if row["case"] == case):
            ratio = ""
            if row["variant"] != row["against"] and row["ratio"] is not None:
                ratio = f" {100 * row['ratio']:.1f} %"
                if row["n"] > 1:
                    ratio += f" ({100 * row['spread'][0]:.1f}-{100 * row['spread'][1]:.1f})"
            value = f"{row['value']:.0f}" if row["value"] >= 1000 else f"{row['value']:.4g}"
            cells += f"{value}{ratio}".rjust(32)
        print(f"{case:24}{cells}")


def show(sections, as_json):
    """sections: (title, header of the first column, rows)."""
    for title, header, rows in sections:
        if as_json:
            for row in rows:
                print(json.dumps(row))
        else:
            print_rows(title, rows, header)
    if not as_json:
        print("\n% of the original in the same run: median of the rounds, its 95 % interval in parentheses")
