#!/usr/bin/env python3
"""Groups sources that compile as one file: most of a compiler's time goes into the headers that they share.

    tools/together.py FILE...       a line a group of more than one: its files, separated by ";"

CMake's unity builds are made of the groups (cmake/Room.cmake). Files of a group are of one folder and have no name in common.
"""
import re
import sys
from pathlib import Path

# Eight files of src/transform compile in 10 s of CPU time, one by one in 29 (measured); more would leave a processor without work.
LARGEST = 8
# What a line that begins without a blank defines or declares (our form indents nothing for a namespace), members of a class left out.
NAME = re.compile(r"(?!using |namespace |#|//)[A-Za-z][^(={;]*?(?<![:\w])(\w+) ?(?:[(={;\[]|: )")
# An alias, a macro, and what an unscoped enumeration names.
OTHER_NAMES = [re.compile(r"(?:using|namespace) (\w+) ="), re.compile(r"#define (\w+)")]
UNSCOPED = re.compile(r"^enum (?:: \w+ )?\{([^}]*)\}", re.MULTILINE)


def names_in(file):
    """The names that would clash with those of another file, were both compiled as one."""
    text = Path(file).read_text(encoding="utf-8")
    names = {found[1] for kind in (NAME, *OTHER_NAMES) for found in map(kind.match, text.splitlines()) if found}
    return names | {name for body in UNSCOPED.findall(text) for name in re.findall(r"(\w+)(?: = [^,]*)?(?:,|$)", body)}


def groups_of(files):
    groups = []
    for file in sorted(files):
        names, folder = names_in(file), Path(file).parent
        for members, taken in groups:
            if len(members) < LARGEST and Path(members[0]).parent == folder and not names & taken:
                members.append(file)
                taken |= names
                break
        else:
            groups.append(([file], names))
    return [members for members, _ in groups]


if __name__ == "__main__":
    for group in groups_of(sys.argv[1:]):
        if len(group) > 1:
            print(";".join(group))
