# benchmarks: the command line of ./bench.
import argparse
import importlib
import json
import os
import sys

from harness.project import Missing, Project
from harness.rounds import Failed

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
# A benchmark is a folder here with a bench.py: DESCRIPTION and run(project, options) -> rows.
NAMES = ("dispatch", "signals", "marshalled", "recording", "video", "seccomm", "rpc", "accuracies", "shapes", "layers", "waits", "web", "figure7", "figure9",
         "figure13", "paths", "machine", "copy", "blocks", "programs", "remote", "book", "tour", "board", "cost")

EXIT_FAILED, EXIT_USAGE, EXIT_ENVIRONMENT = 1, 2, 7


def arguments(words):
    parser = argparse.ArgumentParser(prog="./bench", description="Runs one benchmark on the built project.")
    parser.add_argument("name", nargs="?", choices=NAMES, help="which benchmark")
    parser.add_argument("--list", action="store_true", help="name the benchmarks")
    parser.add_argument("--json", action="store_true", help="one JSON object a line instead of a table")
    parser.add_argument("--html", metavar="FILE", help="the table, and bars, as a page for a browser as well (tour)")
    parser.add_argument("--toy", action="store_true", help="the size that the tests run: everything once, no true timing")
    parser.add_argument("--build", default=os.path.join(ROOT, "build"), help="the build folder (default: build)")
    parser.add_argument("--rounds", type=int, default=11, help="interleaved repetitions (default: 11)")
    parser.add_argument("--variants", help="only these, separated by commas (the one compared against is always added)")
    parser.add_argument("--cases", help="only these, separated by commas")
    return parser, parser.parse_args(words)


def module_of(name):
    return importlib.import_module(f"{name}.bench")


def table(rows):
    header = ("case", "variant", "metric", "value", "unit", "ratio", "95 % interval")
    cells = [header]
    for row in rows:
        ratio = "" if row["ratio"] is None else f"{row['ratio']:.2f}"
        spread = "" if row["spread"] is None else f"{row['spread'][0]:.2f} to {row['spread'][1]:.2f}"
        cells.append((row["case"], row["variant"], row["metric"], f"{row['value']:.4g}", row["unit"], ratio, spread))
    widths = [max(len(line[i]) for line in cells) for i in range(len(header))]
    right = {3, 5}
    for line in cells:
        print("  ".join(cell.rjust(w) if i in right else cell.ljust(w) for i, (cell, w) in enumerate(zip(line, widths)))
              .rstrip())


def show(rows):
    against = list(dict.fromkeys(row["against"] for row in rows))
    for i, other in enumerate(against):
        print("\n" if i > 0 else "", end="")
        table([row for row in rows if row["against"] == other])
        print(f"\nratio: against {other}, median of {rows[0]['n']} interleaved repetitions")


def main(words):
    parser, options = arguments(words)
    if options.list:
        for name in NAMES:
            print(json.dumps({"bench": name, "about": module_of(name).DESCRIPTION}) if options.json
                  else f"{name:12} {module_of(name).DESCRIPTION}")
        return 0
    if options.name is None:
        parser.print_usage(sys.stderr)
        return EXIT_USAGE
    if options.html and not hasattr(module_of(options.name), "html"):
        print(f"bench: {options.name} makes no page: --html is for tour", file=sys.stderr)
        return EXIT_USAGE
    if options.toy:
        options.rounds = 1
    code = 0
    try:
        rows = module_of(options.name).run(Project(ROOT, options.build), options)
    except Missing as problem:
        print(f"bench: {problem}", file=sys.stderr)
        return EXIT_ENVIRONMENT
    except Failed as problem:
        print(f"bench: {problem}", file=sys.stderr)
        code, rows = EXIT_FAILED, problem.rows
        if not rows:
            return code
    if options.json:
        for row in rows:
            print(json.dumps(row))
    else:
        getattr(module_of(options.name), "show", show)(rows)
    if options.html:
        with open(options.html, "w", encoding="utf-8") as file:
            file.write(module_of(options.name).html(rows))
        print(f"bench: wrote {options.html}: open it in a browser", file=sys.stderr)
    return code
