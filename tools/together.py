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
# An alias, which two files may have alike; a macro, and what an unscoped enumeration names.
ALIAS = re.compile(r"^(?:using|namespace) (\w+) = .*$", re.MULTILINE)
MACRO = re.compile(r"#define (\w+)")
USED = re.compile(r"^using (?:\w+::)+(\w+);", re.MULTILINE)
UNSCOPED = re.compile(r"^enum (?:: \w+ )?\{([^}]*)\}", re.MULTILINE)


def parameters(match):
    """Of the function that a line begins to define, as far as they stand on the line."""
    return re.match(r"[^{]*", match.string[match.end() - 1:])[0].strip()


class Names:
    """What a group of files defines, so that another file's would clash with it, were both compiled as one."""

    def __init__(self, file):
        text = Path(file).read_text(encoding="utf-8")
        found = [match for kind in (NAME, MACRO) for match in map(kind.match, text.splitlines()) if match]
        # Functions of one name are overloads where their parameters differ. Tests call theirs with braces and defaults, which fit too many.
        is_function = lambda match: match.string[match.end() - 1] == "("
        self.functions = {match[1] for match in found if is_function(match)}
        is_test = Path(file).stem.endswith("_test")
        self.signatures = {match[1] + ("" if is_test else parameters(match)) for match in found if is_function(match)}
        self.others = {match[1] for match in found if not is_function(match)}
        self.aliases = {match[1]: match[0] for match in ALIAS.finditer(text)}
        # The same name of another's may be used in both; none of them may define it.
        self.used = set(USED.findall(text))
        self.others |= {name for body in UNSCOPED.findall(text) for name in re.findall(r"(\w+)(?: = [^,]*)?(?:,|$)", body)}

    def clash_with(self, other):
        if any(other.aliases.get(name, text) != text for name, text in self.aliases.items()):
            return True
        # Of one kind each may be there in both: overloads, the same alias, the same name of another's.
        kinds = [(self.others, other.others), (self.functions, other.functions), (set(self.aliases), set(other.aliases)), (self.used, other.used)]
        return bool(self.others & other.others or self.signatures & other.signatures
                    or any(mine & theirs for i, (mine, _) in enumerate(kinds) for j, (_, theirs) in enumerate(kinds) if i != j))

    def add(self, other):
        self.functions |= other.functions
        self.signatures |= other.signatures
        self.others |= other.others
        self.aliases |= other.aliases
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
