# benchmarks: a program of a package made again in another way: the same compilations and the same link, with other words.
import itertools
import json
import os
import subprocess
from dataclasses import dataclass, field

from harness.rounds import Failed
from harness.variants import CLANG, CLANGXX

# What goes on the command line of a compilation with a word of its own behind it.
OPTIONS_WITH_VALUE = ("-o", "-MF", "-MT", "-MQ", "-include", "-isystem", "-idirafter", "-I", "-D", "-x")
# Of the package's own: what the variants decide.
NOT_REPEATED = ("-flto", "-fprofile", "-fuse-ld", "-O")
DEPENDENCY_OPTIONS = ("-MF", "-MT", "-MQ")


@dataclass
class Command:
    folder: str
    words: list
    compiler: str
    output: str = ""
    inputs: list = field(default_factory=list)

    def path(self, name):
        return os.path.normpath(os.path.join(self.folder, name))


def parsed(line):
    """The commands of one line of the log: of a compilation of several files one for each."""
    entry = json.loads(line)
    compiler = CLANGXX if entry["cxx"] else CLANG
    whole = command_of(entry["folder"], entry["words"], compiler)
    if "-c" not in whole.words or len(whole.inputs) < 2:
        return [whole]
    several = set(whole.inputs)
    return [command_of(whole.folder, [word for word in whole.words if whole.path(word) == one or whole.path(word) not in several], compiler)
            for one in whole.inputs]


def command_of(folder, words_of_it, compiler):
    """The command with its output and what it is made of, as whole paths."""
    command = Command(folder, words_of_it, compiler)
    words = iter(command.words)
    for word in words:
        if word == "-o":
            command.output = command.path(next(words, ""))
        elif word in OPTIONS_WITH_VALUE:
            next(words, None)
        elif not word.startswith("-"):
            command.inputs.append(command.path(word))
    if not command.output and "-c" in command.words and command.inputs:
        command.output = command.path(os.path.splitext(os.path.basename(command.inputs[-1]))[0] + ".o")
    return command


def library_of(link, word):
    """The archive that -lNAME means, if it was made here: in one of the link's folders; one of the system's is left as it is."""
    places = [link.path(os.path.join(folder[2:], f"lib{word[2:]}.a")) for folder in link.words if folder.startswith("-L") and folder != "-L"]
    return next(filter(os.path.exists, places), None)


def holds(path, content):
    if not os.path.exists(path):
        return False
    with open(path, "rb") as file:
        return file.read() == content


class Log:
    """What a package's build has compiled and linked; of an output that was made several times the last."""

    def __init__(self, path):
        self.compilations, self.links = {}, {}
        with open(path, encoding="utf-8") as lines:
            for command in itertools.chain.from_iterable(map(parsed, lines)):
                (self.compilations if "-c" in command.words else self.links)[command.output] = command

    def link_of(self, program):
        if program in self.links:
            return self.links[program]
        # Some makefiles link in a folder of their own, and copy.
        same = [link for path, link in self.links.items() if os.path.basename(path) == os.path.basename(program)]
        if len(same) != 1:
            raise Failed(f"{program} was linked by no command in the log; there are {', '.join(sorted(self.links))[:500]}")
        return same[0]

    def members(self, archive):
        """The compilations of an archive's members: those of the same name, and of several the same file, or else the nearest to it."""
        names = subprocess.run(["ar", "t", archive], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
        found = []
        for name in names:
            near = [path for path in self.compilations if os.path.basename(path) == name]
            if not near:
                raise Failed(f"{archive}: {name} was compiled by no command in the log")
            if len(near) > 1:
                member = subprocess.run(["ar", "p", archive, name], stdout=subprocess.PIPE, check=True).stdout
                near = [path for path in near if holds(path, member)] or near
            found.append(max(near, key=lambda path: (len(os.path.commonpath([path, archive])), path)))
        return found

    def objects(self, link):
        """[(word's place in the link, whether it is an archive, [compilations])] of all that was compiled here. Of an archive that is named again
        there is nothing more: lld takes from each what is needed, wherever it stands."""
        found, archives = [], set()
        for place, word in enumerate(link.words):
            if (word.startswith("-") and not word.startswith("-l")) or (place > 0 and link.words[place - 1] == "-o"):
                continue
            path = library_of(link, word) if word.startswith("-l") else link.path(word)
            if path in self.compilations:
                found.append((place, False, [path]))
            elif path and path.endswith(".a") and os.path.exists(path) and not path.startswith("/usr/"):
                found.append((place, True, [] if path in archives else self.members(path)))
                archives.add(path)
        return found


def compile_words(command, output, flags):
    """The compilation with an output of its own and the variant's flags, without the package's own of their kind."""
    words, skip = [], False
    for before, word in zip([""] + command.words, command.words):
        if skip:
            skip = False
        elif word == "-o" or word in DEPENDENCY_OPTIONS:
            skip = True
        elif word in ("-MD", "-MMD", "-MP") or (word.startswith(NOT_REPEATED) and before not in OPTIONS_WITH_VALUE):
            continue
        else:
            words.append(word)
    return [*words, *flags, "-o", output]


def link_words(link, places, program, flags):
    """The link with other objects in the old ones' places."""
    words = []
    replaced = dict(places)
    for place, word in enumerate(link.words):
        if place in replaced:
            words += replaced[place]
        elif place > 0 and link.words[place - 1] == "-o":
            words.append(program)
        elif not word.startswith(NOT_REPEATED):
            words.append(word)
    return [*words, *flags]
