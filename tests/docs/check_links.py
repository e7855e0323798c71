#!/usr/bin/env python3
"""Every link of every document leads somewhere, and every piece of code it names is there.

    check_links.py [ROOT]

 - [text](path) and [text](path#heading): the file, and the heading, exist;
 - [`name`](path): `name` occurs in that file, so that a renamed function is noticed;
 - `src/…`, `docs/…`, `tools/…`, … in the text: the path exists (with * it matches something);
 - a block fenced ```sh is either "sh run", or says why not: "sh not-run: <reason>".
"""
import re
import sys
from pathlib import Path

from documents import ROOT, blocks, documents, without_blocks

LINK = re.compile(r"\[(?P<text>[^\]]+)\]\((?P<target>[^)\s]+)\)")
PATH_IN_TEXT = re.compile(r"`((?:src|include|docs|tools|tests|examples|benchmarks|cmake)/[\w./*-]+)`")
HEADING = re.compile(r"^#+\s+(.*)$", re.M)


def anchor(heading):
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


def check_link(root, document, text, target):
    path, _, heading = target.partition("#")
    file = (root / document).parent / path if path else root / document
    if not file.exists():
        return f"leads to {target}, which is not there"
    if heading and anchor(heading) not in {anchor(h) for h in HEADING.findall(file.read_text(encoding="utf-8"))}:
        return f"leads to the heading #{heading}, which {path or document} does not have"
    name = re.fullmatch(r"`([^`]+)`", text)
    if name and file.is_file() and "/" not in name[1] and file.name != name[1] and name[1] not in file.read_text(encoding="utf-8"):
        return f"names `{name[1]}`, which does not occur in {path}"
    return None


def check_document(root, document):
    full = (root / document).read_text(encoding="utf-8")
    text = without_blocks(full)
    for match in LINK.finditer(text):
        if re.match(r"[a-z]+:", match["target"]):
            continue  # another site; nothing here depends on the network
        problem = check_link(root, document, match["text"], match["target"])
        if problem:
            yield text.count("\n", 0, match.start()) + 1, problem
    for match in PATH_IN_TEXT.finditer(text):
        if not list(root.glob(match[1].rstrip("/"))):
            yield text.count("\n", 0, match.start()) + 1, f"names {match[1]}, which is not there"
    for block in blocks(full):
        if re.match(r"(sh|bash)\b", block.info) and not re.match(r"sh (run$|not-run: \w)", block.info):
            yield block.line, "a block of commands is fenced ```sh run, or ```sh not-run: <reason>"


def main():
    root = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT
    found = [(document, line, problem) for document in documents(root) for line, problem in check_document(root, document)]
    for document, line, problem in found:
        print(f"{document}:{line}: {problem}")
    print(f"check_links: {len(documents(root))} documents, {len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
