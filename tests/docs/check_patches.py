#!/usr/bin/env python3
"""Whether the patches that a document has its reader apply fit the sources as they are.

    check_patches.py ROOT DOCUMENT...

Exit code 0: each fits, and there is one in each document; 1: not. Their commands run in ./test --all only, and a patch goes stale by any change beside it.
"""
import re
import subprocess
import sys
from pathlib import Path

PATCH = re.compile(r"^git apply --recount <<'PATCH'\n(.*?)^PATCH$", re.DOTALL | re.MULTILINE)


def misfits(root, document):
    text = (root / document).read_text(encoding="utf-8")
    found = list(PATCH.finditer(text))
    if not found:
        yield f"{document}: has no patch: the test would find nothing"
    for match in found:
        line = text.count("\n", 0, match.start()) + 1
        done = subprocess.run(["git", "apply", "--check", "--recount", "-"], input=match[1], text=True, cwd=root, capture_output=True, check=False)
        if done.returncode != 0:
            yield f"{document}:{line}: {done.stderr.strip()}"


def main():
    root = Path(sys.argv[1])
    problems = [problem for document in sys.argv[2:] for problem in misfits(root, document)]
    print("\n".join([*problems, f"check_patches: {len(sys.argv) - 2} documents, {len(problems)} problems"]))
    return 1 if problems or len(sys.argv) < 3 else 0


if __name__ == "__main__":
    sys.exit(main())
