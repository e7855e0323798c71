#!/usr/bin/env python3
"""Prints the commands of one section of a document: its blocks fenced ```sh run.

    section.py DOCUMENT HEADING
"""
import sys
from pathlib import Path

from documents import blocks, without_blocks


def commands(text, heading):
    """Of the section's text up to the next heading of its level or above."""
    begin = end = level = 0
    lines = without_blocks(text).split("\n")
    for number, line in enumerate(lines + ["# the end"], 1):
        mark, _, words = line.partition(" ")
        if not mark or mark.strip("#"):
            continue
        if begin and len(mark) <= level:
            end = number
            break
        if words == heading:
            begin, level = number, len(mark)
    return "".join(block.text for block in blocks(text) if block.info == "sh run" and begin < block.line < end)


def main():
    document, heading = sys.argv[1:]
    found = commands(Path(document).read_text(encoding="utf-8"), heading)
    if not found:
        sys.exit(f"{document} has no section '{heading}' with a block fenced ```sh run")
    print(found, end="")


if __name__ == "__main__":
    main()
