#!/usr/bin/env python3
"""The form of documents that are read in a hurry.

    check_form.py [ROOT]

 - a page of docs/decisions answers its question by the same headings, is short, and stands in the index;
 - a paragraph of docs/ARCHITECTURE.md, or of a decision, is short;
 - a table of what the code has rows of has the same words;
 - a block fenced ```text calls of PLACE in FILE: what its lines begin with stands in this order in FILE's function or class PLACE.
"""
import re
import sys
from pathlib import Path

from documents import ROOT, blocks, documents, without_blocks

DECISIONS = "docs/decisions/"
HEADINGS = ["Question", "Tried", "Seen", "Decided", "Ask again"]
LONGEST_PAGE = 45  # lines: one screen, so that the index stays a table of contents and not of books
SHORT_PARAGRAPHS = (DECISIONS, "docs/ARCHITECTURE.md")
LONGEST_PARAGRAPH = 6  # lines: what a reader who looks for one thing still looks through
WIDEST_LINE = 150
HEADING = re.compile(r"^## (.*)$", re.M)
OTHERWISE = re.compile(r"[|#<]|    ")  # a table, a heading, a comment, a drawing
ITEM = re.compile(r"- |\d+\. ")
CALLS = re.compile(r"text calls of (?P<place>.+) in (?P<file>\S+)")
CALL = re.compile(r"(?:├─▶ )?([A-Za-z][\w.]*)")

# Of a page: under which heading the words stand, and in which file a row names each.
TABLES = {"docs/formats/plan.md": [("## Refusals", "src/model/refusal.h", re.compile(r'RefusalRow\{\s*RefusalKind::\w+,\s*"([a-z-]+)"'))]}
FIRST_CELL = re.compile(r"^\| (`.*?`) \|", re.M)


def check_tables(root, page, text):
    for heading, file, row in TABLES.get(page, []):
        table = text.partition(heading + "\n")[2].partition("\n#")[0]
        told = {word for cell in FIRST_CELL.findall(table) for word in re.findall(r"`([^`]+)`", cell)} - {"refusal"}
        made = set(row.findall((root / file).read_text(encoding="utf-8")))
        for word in sorted(told ^ made):
            yield f"{page}: '{word}' stands only in {'the page' if word in told else file}"


def check_decision(page, text, index):
    if HEADING.findall(text) != HEADINGS:
        yield f"{page}: has not the headings {', '.join(HEADINGS)}, in this order"
    if text.count("\n") > LONGEST_PAGE:
        yield f"{page}: has {text.count(chr(10))} lines, {LONGEST_PAGE} at most"
    if f"]({Path(page).name})" not in index:
        yield f"{page}: does not stand in {DECISIONS}README.md"


def check_paragraphs(page, text):
    length = 0
    for number, line in enumerate(without_blocks(text).split("\n"), 1):
        if not line or OTHERWISE.match(line):
            length = 0
            continue
        length = 1 if ITEM.match(line) else length + 1
        if length == LONGEST_PARAGRAPH + 1:
            yield f"{page}:{number}: a paragraph of more than {LONGEST_PARAGRAPH} lines"
        if len(line) > WIDEST_LINE:
            yield f"{page}:{number}: a line of {len(line)} columns, {WIDEST_LINE} at most"


def part_of(code, place):
    """From the line that has the place to the brace that closes at its indentation."""
    found = re.search(rf"^( *)\S?.*{re.escape(place)}.*\n(?s:.*?)^\1}}", code, re.M)
    return found[0] if found else ""


def check_calls(root, page, text):
    for block in blocks(text):
        calls = CALLS.fullmatch(block.info)
        if not calls:
            continue
        code, at = part_of((root / calls["file"]).read_text(encoding="utf-8"), calls["place"]), 0
        for name in filter(None, map(CALL.match, block.text.splitlines())):
            found = re.compile(rf"\b{re.escape(name[1])}\b").search(code, at)
            if not found:
                yield f"{page}:{block.line}: {name[1]} does not follow there in '{calls['place']}' of {calls['file']}"
            at = found.end() if found else at


def problems(root):
    pages = {page: (root / page).read_text(encoding="utf-8") for page in documents(root)}
    index = pages.get(DECISIONS + "README.md", "")
    for page, text in pages.items():
        if page.startswith(DECISIONS) and not page.endswith("/README.md"):
            yield from check_decision(page, text, index)
        if page.startswith(SHORT_PARAGRAPHS):
            yield from check_paragraphs(page, text)
        yield from check_calls(root, page, text)
        yield from check_tables(root, page, text)


def main():
    found = list(problems(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT))
    print(*found, f"check_form: {len(found)} problems", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
