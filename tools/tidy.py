#!/usr/bin/env python3
"""Runs clang-tidy 19 with .clang-tidy over the sources of a build folder, in parallel.

    tools/tidy.py [--build BUILD] [FILE...]      without FILE: every source under src/ that BUILD compiles, tests left out

A file whose text, headers, command and rules are as they were when it last passed is not looked at again (BUILD/tidy/).
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CLANG_TIDY = "clang-tidy-19"


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


def tidy(file, build):
    done = subprocess.run([CLANG_TIDY, "--quiet", "-p", build, file], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + ("" if done.returncode == 0 else done.stderr)


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
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        running = {pool.submit(tidy, file, build): file for file in todo}
        for number, done in enumerate(concurrent.futures.as_completed(running), 1):
            file = running[done]
            code, words = done.result()
            print(f"[{number}/{len(todo)}] {file.relative_to(ROOT)}", flush=True)
            if code:
                failures += 1
                print(words, flush=True)
            else:
                todo[file].touch()
    print(f"tidy: {len(files)} files, {len(files) - len(todo)} unchanged since they passed, {failures} with findings")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
