# benchmarks: X programs with their toolkits as static libraries, in the variants that are compared.
import os
import re
import shutil
from dataclasses import dataclass

from harness.project import debian_source
from harness.rounds import Failed
from harness.variants import CLANG

from board.builds import Built, content, digest
from board.rows import Row
from figure13.display import session

TRAINED_EVENTS = 250
LIBRARY = "make -s -j2 && make -s install"


@dataclass(frozen=True)
class Package:
    name: str  # Debian's
    configure: str  # what stands behind ./configure; {installed}: where the libraries before it are
    make: str = LIBRARY


@dataclass(frozen=True)
class Program:
    gesture: str  # of drive.c
    path: str  # behind its package's name
    arguments: tuple
    packages: tuple  # in the order in which they are built, its own last
    resources: str = ""  # a file of its package, and the class under whose name the toolkit looks for it
    resource_class: str = ""

    @property
    def name(self):
        return self.packages[-1].name


LIBXT = Package("libxt", "--disable-shared --enable-static --disable-specs")
LIBXMU = Package("libxmu", "--disable-shared --enable-static")
# Its widgets alone. It declares some of its functions nowhere.
MOTIF = Package("motif", "--disable-shared --enable-static --disable-printing --disable-xft --disable-jpeg --disable-png CC=\"$CC -std=gnu89\"",
                "make -s -C config && make -s -C lib/Xm && make -s -C lib/Xm install")
PROGRAMS = (
    # -ut: no entry in the system's list of users. The widgets (libXaw) are the system's shared library.
    Program("popup", "xterm", ("-ut", "-fn", "fixed", "-e", "cat"),
            (LIBXT, LIBXMU,
             Package("xterm", "--disable-setuid --disable-setgid --disable-full-tgetent --disable-tek4014 --disable-freetype --without-pcre --without-pcre2 "
                     "--without-xinerama --without-xpm", "make -s -j2 && make -s xterm")),
            "XTerm.ad", "XTerm"),
    # Without anything of a user's, in the foreground, in the server's own font.
    Program("scroll", "src/vim", ("-g", "-f", "-u", "NONE", "-U", "NONE", "-i", "NONE", "-n", "-font", "fixed", "-geometry", "80x24+0+0", "lines"),
            (LIBXT, LIBXMU, MOTIF,
             Package("vim", "--enable-gui=motif --with-motif-lib=\"-lXm -lXmu -lXt -lXext -lXpm\" --with-features=normal --disable-netbeans --disable-gpm "
                     "--disable-acl --disable-nls --disable-xsmp --disable-selinux --disable-libsodium --disable-canberra --enable-fail-if-missing "
                     "MOTIFHOME={installed} LDFLAGS=-L{installed}/lib", "make -s -j2 -C src vim"))),
)


class XProgram(Built):
    def __init__(self, project, folder, driver, program):
        # What is done to the program is a part of its job: a new driver trains it anew.
        user = digest(*(content(project.source("figure13", name)) for name in ("drive.c", "display.py")))
        job = f"{' '.join(program.arguments)}; {TRAINED_EVENTS} {program.gesture}; {user}"
        super().__init__(project, Row(program.name, program.name, f"{program.name}/{program.path}", (), job, in_source=True), folder)
        self.driver, self.program = driver, program
        self.sources = {package.name: debian_source(project, package.name) for package in program.packages}

    def key(self):
        pins = [content(os.path.join(source, ".debian-source")) for source in self.sources.values()]
        return digest(super().key(), *pins, *map(repr, self.program.packages))

    def make_original(self):
        shutil.rmtree(self.build, ignore_errors=True)
        installed = os.path.join(self.build, "installed")
        commands = os.path.join(self.folder, "commands")
        if os.path.exists(commands):
            os.unlink(commands)
        found = {"PKG_CONFIG_PATH": os.path.join(installed, "lib", "pkgconfig")}
        for package in self.program.packages:
            place = os.path.join(self.build, package.name)
            shutil.copytree(self.sources[package.name], place)
            # What configure compiles is not a part of the program.
            configuring = self.told(f"{commands}.configure", CLANG, CLANG) | found
            self.shell(f"./configure -q --prefix={installed} {package.configure.format(installed=installed)}", f"configure-{package.name}.log", place, **configuring)
            self.shell(package.make, f"make-{package.name}.log", place, **self.told(commands, self.project.cc, self.project.cxx) | found)
        resources = os.path.join(self.build, "app-defaults")
        os.makedirs(resources)
        if self.program.resources:
            shutil.copyfile(os.path.join(self.sources[self.program.name], self.program.resources), os.path.join(resources, self.program.resource_class))

    def session(self, words, name="session", **more):
        """A user's session with the program. words: the program, and what stands before it. name: of the session's folder."""
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C", "TERM": "xterm", "SHELL": "/bin/sh", "XENVIRONMENT": os.devnull,
                       "XFILESEARCHPATH": os.path.join(self.build, "app-defaults", "%N"), **more}
        return session(os.path.join(self.folder, name), self.driver, [*words, *self.program.arguments], environment, self.program.gesture)

    def train(self, words, **more):
        with self.session(words, **more) as user:
            user.repeat(TRAINED_EVENTS)

    def run(self, program, seed, prefix="", **more):
        self.train([program], **more)

    def recorded(self, profile, words=""):
        self.train([self.project.tool, "record", "-o", profile, *words.split(), "--", self.original])

    def decisions(self, variant):
        """What `thalweg optimize` reports of its decisions, and each applied one."""
        with open(os.path.join(self.folder, f"{variant}.log"), encoding="utf-8", errors="replace") as log:
            text = log.read()
        counted = re.search(r"(\d+) of (\d+) decisions applied", text)
        if counted is None:
            raise Failed(f"{variant}.log does not tell how many decisions were applied")
        return counted[0], re.findall(r"^ *\d+ +applied +(.*)$", text, re.MULTILINE)
