#!/usr/bin/env python3
"""The table of the C library's functions (src/knowledge/libc.def) against the C library of this machine: whatever has the name of one of the
kernel's calls has a row, and so has what is newer than the glibc that the table was held against.

    tests/house/libc_rows.py [ROOT]
"""
import re
import subprocess
import sys
from pathlib import Path

COMPILER = "clang-19"
FEWEST = 200  # functions with a call's name; glibc 2.36 has 288


def output_of(*command, text=""):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def names_of_calls():
    macros = output_of(COMPILER, "-E", "-dM", "-x", "c", "-", text="#include <asm/unistd.h>\n")
    return set(re.findall(r"^#define __NR_(\w+)", macros, re.M))


def functions_of_libc():
    """(name, version) of each; a symbol without one is of no version."""
    library = output_of(COMPILER, "-print-file-name=libc.so.6").strip()
    symbols = output_of("nm", "-D", "--defined-only", library)
    for name, version in re.findall(r"^\S+ [TWi] (\w+)@{1,2}GLIBC_([\d.]+)$", symbols, re.M):
        yield name, tuple(int(part) for part in version.split("."))


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2]
    table = (root / "src/knowledge/libc.def").read_text(encoding="utf-8")
    header = (root / "src/knowledge/function.h").read_text(encoding="utf-8")
    held = (2, int(re.search(r"glibc_minor = (\d+)", header).group(1)))
    rows = {name for words in re.findall(r'"([^"]*)"', re.sub(r"^//[^\n]*", "", table, flags=re.M)) for name in words.split()}
    functions = dict(functions_of_libc())
    calls = names_of_calls() & functions.keys()
    if len(calls) < FEWEST:
        sys.exit(f"only {len(calls)} functions of the C library have the name of a call: that cannot be")
    missing = {name: "it enters the kernel" for name in calls - rows}
    missing |= {name: f"it is new in glibc {'.'.join(map(str, version))}"
                for name, version in functions.items() if version > held and name not in rows}
    for name, why in sorted(missing.items()):
        print(f"{name} has no row in src/knowledge/libc.def: {why}. docs/HACKING.md says how to add one")
    print(f"libc_rows: {len(calls)} functions have the name of a call, {len(missing)} of all have no row")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
