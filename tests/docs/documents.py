"""What the documents' tests share: which documents there are, and the fenced blocks of one."""
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^```(?P<info>.*)$")


@dataclass
class Block:
    line: int  # of its first line of text
    info: str  # what stands behind the opening fence: "sh run"
    text: str


def documents(root=ROOT):
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"],
                            cwd=root, capture_output=True, text=True, check=True).stdout.splitlines()
    return [path for path in sorted(set(listed)) if (root / path).is_file()]


def blocks(text):
    found, start, info, lines = [], None, "", []
    for number, line in enumerate(text.split("\n"), 1):
        fence = FENCE.match(line)
        if fence and start is None:
            start, info, lines = number + 1, fence["info"].strip(), []
        elif fence:
            found.append(Block(start, info, "\n".join(lines) + "\n"))
            start = None
        elif start is not None:
            lines.append(line)
    return found


def without_blocks(text):
    """The text with fenced blocks emptied, each line still on its line."""
    inside, lines = False, []
    for line in text.split("\n"):
        if FENCE.match(line):
            inside = not inside
            lines.append("")
        else:
            lines.append("" if inside else line)
    return "\n".join(lines)
