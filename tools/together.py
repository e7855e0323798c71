#!/usr/bin/env python3
"""Groups sources that compile as one file: most of a compiler's time goes into the headers that they share.

    tools/together.py FILE...       a line a group of more than one: its files, separated by ";"

CMake's unity builds are made of the groups (cmake/Room.cmake). Files of a group are of one folder and have no name in common.
"""
import re
import sys
from pathlib import Path

# Eight files of src/transform compile in 10 s of CPU time, one by one in 29; the 35 of src/cli in two groups in 36, in five in 82 (measured).
LARGEST = 20
# What a line that begins without a blank defines or declares (our form indents nothing for a namespace), members of a class left out.
NAME = re.compile(r"(?!using |namespace |#|//)[A-Za-z][^(={;]*?(?<![:\w])(\w+) ?(?:[(={;\[]|: )")
# An alias, a macro, and what an unscoped enumeration names.
OTHER_NAMES = [re.compile(r"(?:using|namespace) (\w+) ="), re.compile(r"#define (\w+)")]
USED = re.compile(r"^using (?:\w+::)+(\w+);", re.MULTILINE)
UNSCOPED = re.compile(r"^enum (?:: \w+ )?\{([^}]*)\}", re.MULTILINE)


def parameters(match):
    """Of the function that a line begins to define, as far as they stand on the line."""
    return re.match(r"[^{]*", match.string[match.end() - 1:])[0].strip()


class Names:
    """What a group of files defines, so that another file's would clash with it, were both compiled as one."""

    def __init__(self, file):
        text = Path(file).read_text(encoding="utf-8")
        found = [match for kind in (NAME, *OTHER_NAMES) for match in map(kind.match, text.splitlines()) if match]
        # Functions of one name are overloads where their parameters differ. Tests call theirs with braces and defaults, which fit too many.
        is_function = lambda match: match.string[match.end() - 1] == "("
        self.functions = {match[1] for match in found if is_function(match)}
        is_test = Path(file).stem.endswith("_test")
        self.signatures = {match[1] + ("" if is_test else parameters(match)) for match in found if is_function(match)}
        self.others = {match[1] for match in found if not is_function(match)}
        # The same name of another's may be used in both; none of them may define it.
        self.used = set(USED.findall(text))
        self.others |= {name for body in UNSCOPED.findall(text) for name in re.findall(r"(\w+)(?: = [^,]*)?(?:,|$)", body)}

    def clash_with(self, other):
        mine, theirs = self.others | self.functions, other.others | other.functions
        return bool(self.others & theirs or mine & other.others or self.signatures & other.signatures or self.used & theirs or mine & other.used)

    def add(self, other):
        self.functions |= other.functions
        self.signatures |= other.signatures
        self.others |= other.others
        self.used |= other.used


def groups_of(files):
    groups = []
    for file in sorted(files):
        names, folder = Names(file), Path(file).parent
        for members, taken in groups:
            if len(members) < LARGEST and Path(members[0]).parent == folder and not names.clash_with(taken):
                members.append(file)
                taken.add(names)
                break
        else:
            groups.append(([file], names))
    return [members for members, _ in groups]


if __name__ == "__main__":
    for group in groups_of(sys.argv[1:]):
        if len(group) > 1:
            print(";".join(group))
