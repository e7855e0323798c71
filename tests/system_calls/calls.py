# tests: the system calls of a run, as strace tells them, and which calls of two runs are the same.
import difflib
import re
from collections import Counter
from dataclasses import dataclass

LINE = re.compile(r"^(?:\d+ +)?(?P<name>\w+)\((?P<arguments>.*)\) += (?P<result>-?\w+)(?P<rest>.*)$")
PATH = re.compile(r"<([^>]*)>")
QUOTED = re.compile(r'"([^"]*)"')
# The dynamic loader gives its cache back when it has loaded everything: what follows is the program's.
LOADED = "munmap"
# Whose results differ from process to process.
TELLS_WHO = ("getpid", "getppid", "gettid", "set_tid_address")


@dataclass(frozen=True)
class Call:
    name: str
    which: int  # the which-th of this name, from execve on
    about: str  # what it is about: descriptor's path or name, and its result
    line: str

    def __str__(self):
        return self.line[:110]


def about(name, arguments, result, folder):
    """No address, no descriptor's number, nothing else that may differ between programs that do the same."""
    named = QUOTED.search(arguments)
    names = named.group(1) if named and not arguments[:1].isdigit() else ""
    paths = PATH.findall(arguments)
    what = paths[0] if paths else ""
    if result.startswith("0x") or name in TELLS_WHO:
        return f"{names} some"
    # A message with the program's name in it is as long as that.
    return what.partition(":[")[0] if ":[" in what else f"{what.replace(folder, '')} {names} {result}"


def parse(text, folder):
    counts = Counter()
    calls = []
    for line in text.splitlines():
        match = LINE.match(line)
        if match is None:
            continue
        name = match["name"]
        counts[name] += 1
        calls.append(Call(name, counts[name], about(name, match["arguments"], match["result"], folder), line))
    # A child that runs on in the program that its parent loaded loads nothing.
    loads = bool(calls) and calls[0].name == "execve"
    first = next((i for i, call in enumerate(calls) if call.name == LOADED), -1) if loads else -1
    return calls[first + 1:]


def names_in(text):
    return {match["name"] for match in map(LINE.match, text.splitlines()) if match}


# A call may come somewhat earlier or later than in the original.
MOVED_BY = 8


def aligned(original, optimised):
    """(pairs of calls that both make, [(calls only of the original, calls only of the optimised, the original's beside these) a gap])."""
    first, second = ([(call.name, call.about) for call in calls] for calls in (original, optimised))
    matcher = difflib.SequenceMatcher(None, first, second, autojunk=False)
    codes = matcher.get_opcodes()
    pairs = [(i, c + i - a) for kind, a, b, c, _ in codes if kind == "equal" for i in range(a, b)]
    gaps = [(list(range(a, b)), list(range(c, d))) for kind, a, b, c, d in codes if kind != "equal"]
    place = {}  # of an optimised call: where in the original it would stand
    for kind, a, b, c, d in codes:
        place.update({j: a + min(j - c, b - a) for j in range(c, d)})
    moved = {}
    gone = [i for before, _ in gaps for i in before]
    for j in (j for _, after in gaps for j in after):
        same = next((i for i in gone if first[i] == second[j] and abs(i - place[j]) <= MOVED_BY), None)
        if same is not None:
            moved[j] = same
            gone.remove(same)
    pairs += [(i, j) for j, i in moved.items()]
    left = []
    for before, after in gaps:
        new = [j for j in after if j not in moved]
        # A signal that comes at a new call comes between two old ones.
        beside = [original[i] for j in new[:1] for i in (place[j] - 1, place[j]) if 0 <= i < len(original)]
        left.append(([original[i] for i in before if i in gone], [optimised[j] for j in new], beside))
    return [(original[i], optimised[j]) for i, j in sorted(pairs)], [gap for gap in left if gap[0] or gap[1]]
