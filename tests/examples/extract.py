#!/usr/bin/env python3
# tests: the examples in the headers' comments and in the documents, each as a file that a test includes
"""usage: extract.py FOLDER FILE... -- TEST...

Of a header: lines of a comment that are indented by five spaces or more. Of a document: fenced blocks of C++, and what stands in the column
`here` of a table, where that is several lines of code. The TESTs must include each example once, so that none is left out."""

import collections
import os
import re
import sys


def of_header(lines):
    """(line, text) of each."""
    begin, code = 0, []
    for number, line in enumerate([*lines, ""], 1):
        found = re.fullmatch(r"\s*//     (.*)", line)
        if found:
            begin = begin or number
            code.append(found.group(1))
        elif code:
            yield begin, code
            begin, code = 0, []


def of_document(lines):
    fence, is_here = None, False
    for number, line in enumerate(lines, 1):
        if fence is not None:
            if line == "```":
                yield fence
                fence = None
            else:
                fence[1].append(line)
        elif line == "```cpp":
            fence = number + 1, []
        elif line.startswith("| Tame | here |"):
            is_here = True
        elif not line.startswith("|"):
            is_here = False
        elif is_here:
            cell = line.rstrip("| ").rsplit(" | ", 1)[-1]
            if re.fullmatch(r"`[^`]+`(<br>`[^`]+`)+", cell):
                yield number, re.findall(r"`([^`]+)`", cell)


def main():
    split = sys.argv.index("--")
    folder, files, tests = sys.argv[1], sys.argv[2:split], sys.argv[split + 1:]
    made = set()
    for path in files:
        with open(path, encoding="utf-8") as file:
            lines = file.read().split("\n")
        found = of_document(lines) if path.endswith(".md") else of_header(lines)
        for count, (number, code) in enumerate(found, 1):
            name = os.path.basename(path).replace(".", "_")
            if "/tame/" in path:
                name = f"tame_{name}"
            made.add(f"{name}_{count}.inc")
            with open(os.path.join(folder, f"{name}_{count}.inc"), "w", encoding="utf-8") as file:
                file.write(f'#line {number} "{path}"\n' + "\n".join(code) + "\n")
    used = collections.Counter()
    for path in tests:
        with open(path, encoding="utf-8") as file:
            used.update(re.findall(r'^\s*#include "(\w+_\d+\.inc)"', file.read(), re.MULTILINE))
    wrong = [f"{name}: no test includes this example" for name in sorted(made - set(used))]
    wrong += [f"{name}: there is no such example" for name in sorted(set(used) - made)]
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
