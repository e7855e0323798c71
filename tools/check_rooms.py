#!/usr/bin/env python3
"""Holds the layout of docs/ARCHITECTURE.md: what each room of src/ may include and do, and how large a thing may grow.

    tools/check_rooms.py [ROOT]                  every rule on the source text; the rules are in tools/rooms.toml
    tools/check_rooms.py --libraries BUILD ROOT  no room's library holds mutable state (looks at the built objects)

One line a violation, "path:line: rule: what to do"; exit code 1 when there is one. The check is textual: a clock behind a
callback passes. The second guard is that each room is a library of its own.
"""
import argparse
import ast
import re
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

try:
    import lizard
except ImportError:
    sys.exit("check_rooms: the Python package lizard is missing; run tools/setup, then .venv/bin/python tools/check_rooms.py")

CODE = (".h", ".c", ".cc", ".cpp")
SIZED = CODE + (".py", ".js", ".mjs", ".ts", ".css", ".html", ".cmake", ".sh")
GENERATED = re.compile(r"(^|/)(package-lock\.json|LICENSE)$|/vendor/")
TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)|R"(?P<mark>[^()\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|(?<!\w)'(?:\\.|[^'\\\n])+'""",
    re.S,
)
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)[">]', re.M)


@dataclass(order=True)
class Violation:
    path: str
    line: int
    rule: str
    advice: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.rule}: {self.advice}"


@dataclass
class Source:
    path: str
    room: str | None  # None: not in a room (tests, examples, tools)
    text: str

    def __post_init__(self):
        self.is_test = bool(re.search(r"_(test|fuzz)\.(cc|h)$", self.path))
        self.is_code = self.path.endswith(CODE)
        self.no_comments = blank(self.text, keep_strings=True) if self.is_code else self.text
        self.code = blank(self.text, keep_strings=False) if self.is_code else self.text

    def line_at(self, offset):
        return self.text.count("\n", 0, offset) + 1


def blank(text, keep_strings):
    """Comments (and strings) turned into spaces, so that what is left is code and stands on its line."""

    def replace(match):
        if keep_strings and match.group("comment") is None:
            return match.group()
        return re.sub(r"[^\n]", " ", match.group())

    return TOKEN.sub(replace, text)


class Rules:
    def __init__(self, config):
        self.limits = config["limits"]
        self.star = config["star"]
        self.rooms = config["rooms"]
        self.capabilities = config["capabilities"]
        self.forbidden_text = config["forbidden_text"]
        self.once = config["once"]
        self.names = config["names"]
        self.wings = config["wings"]

    def folder(self, room):
        return self.rooms[room].get("folder", f"src/{room}")

    def room_of(self, path):
        return next((room for room in self.rooms if path.startswith(self.folder(room) + "/")), None)

    def wing_of(self, path):
        """The wing of the longest path in [wings.of] that `path` begins with, else its room's."""
        begins = [start for start in self.wings["of"] if path.startswith(start)]
        room = self.room_of(path)
        return self.wings["of"][max(begins, key=len)] if begins else room and self.rooms[room]["wing"]

    def may_include(self, room, included):
        """`included` is "room/file.h"."""
        allowed = self.rooms[room].get("includes", self.star["hub"])
        other = included.split("/")[0]
        if allowed == "all" or other == room:
            return True
        if other == "thalweg" and room in self.star["public"]:
            return True
        return other in allowed or included in allowed


def project_files(root):
    try:
        listed = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
            cwd=root, capture_output=True, text=True, check=True,
        ).stdout.splitlines()
    except (OSError, subprocess.CalledProcessError):  # not a clone: an unpacked archive
        listed = [str(p.relative_to(root)) for p in root.rglob("*") if p.is_file()]
    return sorted(p for p in set(listed) if (root / p).is_file() and not GENERATED.search(p))


def read_sources(root, rules):
    for path in project_files(root):
        try:
            yield Source(path, rules.room_of(path), (root / path).read_text(encoding="utf-8"))
        except UnicodeDecodeError:
            continue  # a picture, a recorded file


def includes_of(source, rules):
    """(line, "room/file.h") for every include that names a room."""
    for match in INCLUDE.finditer(source.no_comments):
        included = match.group(1)
        if "/" in included and included.split("/")[0] in rules.rooms:
            yield source.line_at(match.start(1)), included


def check_star(sources, rules):
    for source in sources:
        if source.room is None or not source.is_code:
            continue
        for line, included in includes_of(source, rules):
            if not rules.may_include(source.room, included):
                allowed = rules.rooms[source.room].get("includes", rules.star["hub"])
                yield Violation(source.path, line, "star",
                                f"{source.room} may not include {included}; it may include itself and {allowed or 'nothing'}")


def path_of(included, source, rules):
    """Where a file of the project that is included may stand: in a room, or beside the file that includes it."""
    room, _, rest = included.partition("/")
    return f"{rules.folder(room)}/{rest}" if rest and room in rules.rooms else f"{source.path.rpartition('/')[0]}/{included}"


# What a room's CMakeLists.txt calls another room's library, and the rooms that it names without that.
LINKED = re.compile(r"\b(?:thalweg_|Thalweg::)(\w+)\b")
DEPENDS = re.compile(r"\bDEPENDS\b([\s\w]*)")


def crossings_of(source, rules):
    """(line, name, path) of what a file includes, or a CMakeLists.txt links."""
    if source.is_code:
        for match in INCLUDE.finditer(source.no_comments):
            yield source.line_at(match.start(1)), match.group(1), path_of(match.group(1), source, rules)
    elif source.path.endswith("/CMakeLists.txt"):
        text = re.sub(r"#[^\n]*", lambda comment: " " * len(comment.group()), source.text)
        named = [(match.start(), match.group(), match.group(1)) for match in LINKED.finditer(text)]
        for match in DEPENDS.finditer(text):
            named += [(match.start(1) + word.start(), word.group(), word.group()) for word in re.finditer(r"\w+", match.group(1))]
        for start, name, room in sorted(named):
            if room in rules.rooms:
                yield source.line_at(start), name, rules.folder(room) + "/"


def check_wings(sources, rules):
    ground, doors = rules.wings["ground"], {(path, name) for path, names in rules.wings["doors"].items() for name in names}
    files, used = {source.path for source in sources}, set()
    for source in sources:
        own = source.room and rules.wing_of(source.path)
        for line, name, path in crossings_of(source, rules) if own else ():
            other = rules.wing_of(path)
            if other in (None, own, ground) or (path not in files and not path.endswith("/")):
                continue
            if (source.path, name) in doors:
                used.add((source.path, name))
            else:
                yield Violation(source.path, line, "wings", f"{own} may not include or link {name} of {other}")
    for path, name in sorted(door for door in doors - used if door[0] in files):
        yield Violation(path, 1, "wings", f"the door to {name} in tools/rooms.toml leads nowhere; take it out")


def check_known_rooms(sources, rules):
    folders = {"/".join(s.path.split("/")[:2]) for s in sources if s.path.startswith("src/") and s.path.count("/") > 1}
    known = {rules.folder(room) for room in rules.rooms}
    for folder in sorted(folders - known):
        yield Violation(folder, 1, "room", "this folder is no room of tools/rooms.toml; name it there or move its files")


def check_floors(sources, rules):
    for source in sources:
        floors = rules.rooms.get(source.room, {}).get("floors", [])
        floor = floor_of(source.path.removeprefix("src/"), source.room)
        if not floors or floor is None:
            continue
        if floor not in floors:
            yield Violation(source.path, 1, "floor", f"{floor} is no floor of {source.room} in tools/rooms.toml; name it there")
            continue
        for line, included in includes_of(source, rules) if source.is_code else ():
            if included.startswith(source.room + "/") and floor_of(included, source.room) not in floors[: floors.index(floor) + 1]:
                yield Violation(source.path, line, "floor",
                                f"{floor} may not include {included}: a floor stands on those before it in tools/rooms.toml")


def floor_of(path, room):
    """The folder inside of the room that a file stands in; None: beside the folders."""
    parts = path.split("/")
    return parts[1] if len(parts) > 2 and parts[0] == room else None


def check_cycles(sources, rules):
    edges = {}
    for source in sources:
        if source.room is None or not source.is_code:
            continue
        for line, included in includes_of(source, rules):
            other = included.split("/")[0]
            if other != source.room:
                edges.setdefault(source.room, {}).setdefault(other, (source.path, line))
    for room in sorted(edges):
        path = shortest_way_back(edges, room)
        if path and room == min(path):
            where, line = edges[room][path[1]]
            yield Violation(where, line, "cycle", "rooms include each other: " + " -> ".join(path))


def shortest_way_back(edges, start):
    ways = [[start]]
    seen = set()
    while ways:
        way = ways.pop(0)
        for other in sorted(edges.get(way[-1], {})):
            if other == start:
                return way + [start]
            if other not in seen:
                seen.add(other)
                ways.append(way + [other])
    return None


def check_capabilities(sources, rules):
    compiled = [(c, re.compile(c["pattern"])) for c in rules.capabilities]
    for source in sources:
        if source.room is None or not source.is_code:
            continue
        for capability, pattern in compiled:
            if source.room in capability["in"] or (source.is_test and capability.get("tests", True)):
                continue
            if source.path in capability.get("files", []):
                continue
            for line, words in uses_of(capability, pattern, source):
                yield Violation(source.path, line, "capability",
                                f"{capability['name']} ({words}) is for {', '.join(capability['in'])} only")


def uses_of(capability, pattern, source):
    text = source.no_comments if "include" in capability["pattern"] else source.code
    for match in pattern.finditer(text):
        yield source.line_at(match.start()), match.group().strip()
    for match in INCLUDE.finditer(source.no_comments):
        if match.group(1) in capability.get("headers", []):
            yield source.line_at(match.start(1)), match.group(1)


def check_first_lines(sources, rules):
    for source in sources:
        if source.room is None or not source.is_code:
            continue
        first = source.text.split("\n", 1)[0]
        name = "" if source.room == "thalweg" else re.escape(source.room) + ": "
        purpose = re.match(rf"(?://|/\*) {name}(.*)", first)
        if not purpose or len(purpose.group(1)) < rules.limits["purpose_characters"]:
            yield Violation(source.path, 1, "first line",
                            f"should be '// {source.room}: <purpose>', in words that say why this file exists")


def check_file_sizes(sources, rules):
    limit = rules.limits["file_lines"]
    for source in sources:
        lines = source.text.count("\n")
        if source.path.endswith(SIZED) and lines > limit:
            yield Violation(source.path, lines, "file size", f"{lines} lines, {limit} are the limit: one idea a file")


def check_room_sizes(sources, rules):
    for room, rule in rules.rooms.items():
        limit = rule.get("lines")
        lines = sum(s.text.count("\n") for s in sources if s.room == room and s.is_code and not s.is_test)
        if limit and lines > limit:
            yield Violation(rules.folder(room), 1, "room size",
                            f"{lines} lines of code, {limit} are the limit: what of it belongs to another room?")


def check_functions(sources, rules):
    limits = rules.limits
    for source in sources:
        for name, line, lines, nesting in functions_of(source):
            if lines > limits["function_lines"]:
                yield Violation(source.path, line, "function size",
                                f"{name} has {lines} lines, {limits['function_lines']} are the limit")
            if nesting > limits["nesting"]:
                yield Violation(source.path, line, "nesting", f"{name} nests {nesting} deep, {limits['nesting']} is the limit")


def functions_of(source):
    """(name, first line, number of lines, nesting) of every function."""
    if source.path.endswith(".py"):
        tree = ast.parse(source.text)
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield node.name, node.lineno, node.end_lineno - node.lineno + 1, python_nesting(node)
    if not source.path.endswith(CODE + (".js", ".mjs", ".ts")):
        return
    lines = source.code.split("\n")
    for function in lizard.analyze_file.analyze_source_code(source.path, source.text).function_list:
        body = "\n".join(lines[function.start_line - 1 : function.end_line])
        nesting = brace_nesting(body) if source.is_code else 0
        yield function.name, function.start_line, function.end_line - function.start_line + 1, nesting


# A brace that opens a block of statements, as against one that opens a list of values.
BLOCK = re.compile(r"(?:\)|\b(?:else|do|try|const|noexcept|mutable)|->\s*[\w:<>*& ]+)\s*$")


def brace_nesting(body):
    """How many blocks stand inside each other, the function's own not counted."""
    deepest, open_braces = 0, []
    for match in re.finditer(r"[{}]", body):
        if match.group() == "{":
            open_braces.append(bool(BLOCK.search(body, max(0, match.start() - 200), match.start())))
            deepest = max(deepest, sum(open_braces))
        elif open_braces:
            open_braces.pop()
    return deepest - 1


def python_nesting(node, depth=0):
    nests = ast.For | ast.While | ast.If | ast.With | ast.Try | ast.FunctionDef
    deepest = depth
    for child in ast.iter_child_nodes(node):
        is_elif = isinstance(node, ast.If) and isinstance(child, ast.If) and child in node.orelse
        deeper = isinstance(child, nests) and not is_elif
        deepest = max(deepest, python_nesting(child, depth + deeper))
    return deepest


def check_readmes(root, sources, rules):
    for room in sorted({s.room for s in sources if s.room and s.room != "thalweg"}):
        readme = root / rules.folder(room) / "README.md"
        path = f"{rules.folder(room)}/README.md"
        if not readme.is_file():
            yield Violation(path, 1, "readme", "missing; five lines: " + ", ".join(rules.star["readme"]))
            continue
        text = readme.read_text(encoding="utf-8")
        for key in rules.star["readme"]:
            if not re.search(rf"\b{key}\b", text):
                yield Violation(path, 1, "readme", f"does not say '{key}: …'")


def check_forbidden_text(sources, rules):
    for forbidden in rules.forbidden_text:
        pattern = re.compile(forbidden["pattern"])
        for source in sources:
            for match in pattern.finditer(source.text):
                yield Violation(source.path, source.line_at(match.start()), "text",
                                f"{forbidden['name']}: {match.group()}")


# A constant and its value: constexpr in any form, or a macro.
CONSTANT = re.compile(r"\bconstexpr\s[\w:<>\s]*?\b(\w+)(?:\[\w*\])?\s*=|^\s*#\s*define\s+(\w+)[ \t]+[^\s\\]", re.M)
ROOMS_PREFIX = re.compile(r"^(?:thalweg_(?:crossing_|probe_)?|THALWEG_)")


def bounds_of(source):
    """(line, name) of each constant, without what a room puts in front of its names. A name of one word says too little to be the same."""
    for match in CONSTANT.finditer(source.no_comments):
        name = ROOMS_PREFIX.sub("", match[1] or match[2]).lower()
        if "_" in name:
            yield source.line_at(match.start(match.lastindex)), name


def check_once(sources, rules):
    """Nothing that rooms share by src/abi or the like stands a second time: neither a name, spelt in a string, nor a bound."""
    once = rules.once
    is_home = lambda source: source.path.startswith(tuple(once["homes"]))
    code = [source for source in sources if source.room and source.is_code and not source.is_test]
    home_of = {name: source.path for source in code if is_home(source) for _, name in bounds_of(source)}
    names = re.compile(f'"((?:{once["names"]})[\\w.]*)')
    for source in code:
        included = {path for _, path in includes_of(source, rules)}
        if source.room == "abi" and not any(path == "thalweg/abi.h" or path.startswith("abi/") for path in included):
            yield Violation(source.path, 1, "once", "does not include <thalweg/abi.h>: its users would not say which version they know")
        if is_home(source) or source.room not in once["rooms"]:
            continue
        for match in names.finditer(source.no_comments) if source.room in once["names_in"] else ():
            yield Violation(source.path, source.line_at(match.start()), "once",
                            f"{match[1]} is shared: take it from its declaration (ABI_SYMBOL) or from src/abi/names.h")
        for line, name in bounds_of(source):
            if name in home_of:
                yield Violation(source.path, line, "once", f"{name} is a bound that stands in {home_of[name]}: take it from there")


def check_names(sources, rules):
    table = next((s for s in sources if s.path == rules.names["table"]), None)
    if table is None:
        yield Violation(rules.names["table"], 1, "names", "the table is missing")
        return
    rows = re.sub(r"^//[^\n]*", "", table.text, flags=re.M)
    known = {name for words in re.findall(r'"([^"]*)"', rows) for name in words.split() if re.fullmatch(r"[A-Za-z_]\w*", name)}
    for source in sources:
        if source.room not in rules.names["in"] or not source.is_code or source.is_test:
            continue
        allowed = rules.names["but"].get(source.path, [])
        found = [m for m in re.finditer(r'"([A-Za-z_]\w*)"', source.no_comments) if m.group(1) in known]
        for match in found:
            if match.group(1) not in allowed:
                yield Violation(source.path, source.line_at(match.start()), "names",
                                f"{match.group(1)} has a row in {table.path}: ask the table what it does")
        for name in sorted(set(allowed) - {m.group(1) for m in found}):
            yield Violation(source.path, 1, "names", f"{name} is allowed here and isn't there; take it out of tools/rooms.toml")


def check_sources(root, rules):
    sources = list(read_sources(root, rules))
    if not any(s.room for s in sources):
        sys.exit(f"check_rooms: {root} has no file in any room; is that the project's root?")
    found = [*check_known_rooms(sources, rules), *check_star(sources, rules), *check_wings(sources, rules), *check_floors(sources, rules),
             *check_cycles(sources, rules),
             *check_capabilities(sources, rules), *check_first_lines(sources, rules), *check_file_sizes(sources, rules),
             *check_room_sizes(sources, rules), *check_functions(sources, rules), *check_readmes(root, sources, rules),
             *check_forbidden_text(sources, rules), *check_once(sources, rules), *check_names(sources, rules)]
    return found, f"{len(sources)} files"


# `objdump -t`: address, flags, section, size, name. Constants that need relocation are in .data.rel.ro.
SYMBOL = re.compile(r"^[0-9a-f]+ .{7} (?P<section>\.(?:t?data|t?bss)\S*)\s+(?P<size>[0-9a-f]+)\s+(?:\.hidden )?(?P<name>.+)$")


def mutable_symbols(library):
    output = subprocess.run(["objdump", "-t", "-C", str(library)], capture_output=True, text=True, check=True).stdout
    member = library.name
    for line in output.splitlines():
        if line.endswith(":") is False and "file format" in line:
            member = line.split(":")[0]
        match = SYMBOL.match(line)
        if not match or match["section"].startswith(".data.rel.ro") or int(match["size"], 16) == 0:
            continue
        if match["name"].startswith("DW.ref."):  # the compiler's own, for exceptions; nothing writes to it
            continue
        yield member, match["name"]


def check_libraries(root, rules, build):
    found = []
    libraries = [(room, library) for room, rule in rules.rooms.items()
                 for folder in ("src", "lib")  # what the build made; copies that tests installed may be of yesterday
                 for library in sorted((build / folder).rglob(rule.get("library", f"libthalweg_{room}.a")))]
    if not libraries:
        sys.exit(f"check_rooms: no room's library under {build}; build first")
    for room, library in libraries:
        allowed = [re.compile(p) for p in rules.rooms[room].get("mutable_state", [])]
        for member, name in mutable_symbols(library):
            if not any(pattern.search(name) for pattern in allowed):
                found.append(Violation(f"{library.relative_to(build)}({member})", 1, "mutable state",
                                       f"'{name}' outlives its function and can change; pass a context instead"))
    return found, f"{len(libraries)} libraries"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", type=Path, default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--libraries", metavar="BUILD", type=Path)
    parser.add_argument("--rules", type=Path, default=Path(__file__).resolve().parent / "rooms.toml")
    arguments = parser.parse_args()
    rules = Rules(tomllib.loads(arguments.rules.read_text(encoding="utf-8")))
    if arguments.libraries:
        found, looked_at = check_libraries(arguments.root, rules, arguments.libraries)
    else:
        found, looked_at = check_sources(arguments.root, rules)
    for violation in sorted(found):
        print(violation)
    print(f"check_rooms: {looked_at}, {len(found)} violations")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
