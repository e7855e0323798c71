#!/usr/bin/env python3
"""Runs the commands of one document, as a reader would type them at the top of a checkout that has been built.

    run_docs.py BUILD DOCUMENT

The blocks fenced ```sh run are one shell session, in a scratch copy of the checkout whose build/ is BUILD and whose
build/bin is on PATH. The first command that fails ends it, and its line in the document is named.
"""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from documents import ROOT, blocks


def copy_of_checkout(folder, build):
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
                            cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    for path in listed:
        if path and (ROOT / path).is_file():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / path, folder / path)
    (folder / "build").symlink_to(build)


def session(document, text):
    lines = ["set -euo pipefail", 'here="the start"',
             f"""trap 'echo "FAILED: a command of {document}, in the block at line $here" >&2' ERR"""]
    for block in blocks(text):
        if block.info == "sh run":
            lines += [f"here={block.line}", f'printf "\\n---- {document}:{block.line}\\n"', block.text]
    return "\n".join(lines)


def compiler_cache(scratch):
    """The user's, in which the same sources are the same wherever the scratch copy lies."""
    place = os.environ.get("CCACHE_DIR", os.path.join(os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache")), "ccache"))
    return {"CCACHE_DIR": place, "CCACHE_BASEDIR": scratch, "CCACHE_NOHASHDIR": "1"}


def main():
    build, document = Path(sys.argv[1]).resolve(), sys.argv[2]
    text = (ROOT / document).read_text(encoding="utf-8")
    if not any(block.info == "sh run" for block in blocks(text)):
        sys.exit(f"{document} has no block fenced ```sh run")
    with tempfile.TemporaryDirectory() as scratch:
        copy_of_checkout(Path(scratch), build)
        environment = os.environ | {"PATH": f"{build}/bin:{os.environ['PATH']}", "HOME": scratch} | compiler_cache(scratch)
        done = subprocess.run(["bash", "-c", session(document, text)], cwd=scratch, env=environment, check=False,
                              stdin=subprocess.DEVNULL)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
