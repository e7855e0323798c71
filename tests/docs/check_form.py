#!/usr/bin/env python3
"""Every page of docs/decisions answers its question by the same headings, is short, and stands in the index.

    check_form.py [ROOT]
"""
import re
import sys
from pathlib import Path

from documents import ROOT, documents

DECISIONS = "docs/decisions/"
HEADINGS = ["Question", "Tried", "Seen", "Decided", "Ask again"]
LONGEST_PAGE = 45  # lines: one screen, so that the index stays a table of contents and not of books
HEADING = re.compile(r"^## (.*)$", re.M)


def check_decision(page, text, index):
    if HEADING.findall(text) != HEADINGS:
        yield f"{page}: has not the headings {', '.join(HEADINGS)}, in this order"
    if text.count("\n") > LONGEST_PAGE:
        yield f"{page}: has {text.count(chr(10))} lines, {LONGEST_PAGE} at most"
    if f"]({Path(page).name})" not in index:
        yield f"{page}: does not stand in {DECISIONS}README.md"


def problems(root):
    pages = {page: (root / page).read_text(encoding="utf-8") for page in documents(root) if page.startswith(DECISIONS)}
    index = pages.pop(DECISIONS + "README.md", "")
    for page, text in pages.items():
        yield from check_decision(page, text, index)


def main():
    found = list(problems(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT))
    print(*found, f"check_form: {len(found)} problems", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
