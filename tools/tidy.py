#!/usr/bin/env python3
"""Runs clang-tidy 19 with .clang-tidy over the sources of a build folder, in parallel.

    tools/tidy.py [--build BUILD] [FILE...]      without FILE: every source under src/ that BUILD compiles, tests left out

A file whose text, headers, command and rules are as they were when it last passed is not looked at again (BUILD/tidy/). Most of
clang-tidy's time goes into headers: files of one folder are looked at together, and one by one only where that finds something.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CLANG_TIDY = "clang-tidy-19"
# Files that are looked at together. Eight of src/transform take 16 s of CPU time, one of them alone 7; eight of src/measure 6.5, one
# by one 39 (measured). More would leave some processors without work at the end.
TOGETHER = 8
# What a line that begins without a blank defines or declares (our form indents nothing for a namespace), members of a class left out.
NAME = re.compile(r"(?!using |namespace |#|//)[A-Za-z][^(={;]*?(?<![:\w])(\w+) ?(?:[(={;\[]|: )")


def compile_commands(build):
    path = build / "compile_commands.json"
    if not path.is_file():
        sys.exit(f"tidy: {path} is not there; configure first: cmake --preset dev")
    commands = {}
    for entry in json.loads(path.read_text(encoding="utf-8")):
        file = Path(entry["file"]).resolve()
        if file.is_relative_to(ROOT / "src"):
            commands.setdefault(file, entry["command"])
    return commands


def own_headers():
    folders = [ROOT / "src", ROOT / "include"]
    return sorted(header for folder in folders for header in folder.rglob("*.h"))


def fingerprint(file, command, rules_and_headers):
    return hashlib.sha256(rules_and_headers + command.encode() + file.read_bytes()).hexdigest()


def run_tidy(words):
    done = subprocess.run([CLANG_TIDY, "--quiet", *words], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + ("" if done.returncode == 0 else done.stderr)


def compiler_flags(file, command):
    """The flags of a command of CMake's, without the launcher, the compiler, the file and the output."""
    words = shlex.split(command)
    compiler = next(i for i, word in enumerate(words) if re.search(r"clang(\+\+)?(-\d+)?$", word))
    output = words.index("-o")
    return tuple(word for i, word in enumerate(words) if i > compiler and i not in (output, output + 1) and
                 word not in ("-c", str(file)))


def names_in(file):
    return {found[1] for found in map(NAME.match, file.read_text(encoding="utf-8").splitlines()) if found}


def without_same_names(files):
    """Groups of files of which no two have a name of their own in common: such would not compile together."""
    groups = []
    for file in files:
        names = names_in(file)
        for members, taken in groups:
            if len(members) < TOGETHER and not names & taken:
                members.append(file)
                taken |= names
                break
        else:
            groups.append(([file], names))
    return [members for members, _ in groups]


def groups_of(files, commands):
    """Files of one folder with the same flags, so many at once as is worth while."""
    alike = {}
    for file in files:
        alike.setdefault((file.parent, file.suffix, compiler_flags(file, commands[file])), []).append(file)
    groups = []
    for (_, _, flags), members in alike.items():
        groups += [(flags, group) for group in without_same_names(members)]
    return groups


def tidy(group, build, number):
    """[(file, exit code, words)] of a group."""
    flags, files = group
    if len(files) > 1:
        together = build / "tidy" / f"together-{number}{files[0].suffix}"
        together.write_text("".join(f'#include "{file}"\n' for file in files), encoding="utf-8")
        code, _ = run_tidy([together, "--", *flags])
        if code == 0:
            return [(file, 0, "") for file in files]
    return [(file, *run_tidy(["-p", build, file])) for file in files]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("files", nargs="*", type=Path)
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    commands = compile_commands(build)
    files = [file.resolve() for file in arguments.files] or sorted(f for f in commands if not f.stem.endswith(("_test", "_fuzz")))
    unknown = [str(file) for file in files if file not in commands]
    if unknown or not files:
        sys.exit(f"tidy: {build} does not compile {', '.join(unknown) or 'anything under src/'}")

    shared = b"".join(file.read_bytes() for file in [ROOT / ".clang-tidy", *own_headers()])
    passed = build / "tidy"
    passed.mkdir(exist_ok=True)
    todo = {file: passed / fingerprint(file, commands[file], shared) for file in files}
    todo = {file: stamp for file, stamp in todo.items() if not stamp.exists()}
    failures = looked_at = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        running = [pool.submit(tidy, group, build, number) for number, group in enumerate(groups_of(todo, commands))]
        for done in concurrent.futures.as_completed(running):
            for file, code, words in done.result():
                looked_at += 1
                print(f"[{looked_at}/{len(todo)}] {file.relative_to(ROOT)}", flush=True)
                if code:
                    failures += 1
                    print(words, flush=True)
                else:
                    todo[file].touch()
    print(f"tidy: {len(files)} files, {len(files) - len(todo)} unchanged since they passed, {failures} with findings")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
