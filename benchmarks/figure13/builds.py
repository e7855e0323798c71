# benchmarks: xterm with libXt and libXmu as static libraries, in the variants that are compared.
import dataclasses
import os
import re
import shutil

from harness.project import debian_source
from harness.rounds import Failed
from harness.variants import CLANG

from board.builds import Built, content, digest
from board.rows import Row
from figure13.display import session

TRAINED_EVENTS = 250
PROGRAM = "xterm"
# In the order in which they are built. The widgets themselves (libXaw) are the system's shared library.
PACKAGES = {
    "libxt": "--disable-shared --enable-static --disable-specs",
    "libxmu": "--disable-shared --enable-static",
    "xterm": "--disable-setuid --disable-setgid --disable-full-tgetent --disable-tek4014 --disable-freetype --without-pcre --without-pcre2 "
             "--without-xinerama --without-xpm",
}
LIBRARIES = [package for package in PACKAGES if package != PROGRAM]
# -ut: no entry in the system's list of users. xterm ends when the program that it runs ends.
ARGUMENTS = ("-ut", "-fn", "fixed", "-e", "cat")
ROW = Row("xterm", PROGRAM, f"{PROGRAM}/{PROGRAM}", (), f"{' '.join(ARGUMENTS)}; {TRAINED_EVENTS} events", in_source=True)


class Terminal(Built):
    def __init__(self, project, folder, driver):
        # What is done to the program is a part of its job: a new driver trains it anew.
        user = digest(*(content(project.source("figure13", name)) for name in ("drive.c", "display.py")))
        super().__init__(project, dataclasses.replace(ROW, command=f"{ROW.command}; {user}"), folder)
        self.driver = driver
        self.sources = {package: debian_source(project, package) for package in PACKAGES}

    def key(self):
        pins = [content(os.path.join(source, ".debian-source")) for source in self.sources.values()]
        return digest(super().key(), *pins, *PACKAGES.values())

    def make_original(self):
        shutil.rmtree(self.build, ignore_errors=True)
        installed = os.path.join(self.build, "installed")
        commands = os.path.join(self.folder, "commands")
        if os.path.exists(commands):
            os.unlink(commands)
        found = {"PKG_CONFIG_PATH": os.path.join(installed, "lib", "pkgconfig")}
        for package, options in PACKAGES.items():
            place = os.path.join(self.build, package)
            shutil.copytree(self.sources[package], place)
            # What configure compiles is not a part of the program.
            configuring = self.told(f"{commands}.configure", CLANG, CLANG) | found
            self.shell(f"./configure -q --prefix={installed} {options}", f"configure-{package}.log", place, **configuring)
            target = "install" if package in LIBRARIES else PROGRAM
            self.shell(f"make -s -j2 && make -s {target}", f"make-{package}.log", place, **self.told(commands, self.project.cc, self.project.cxx) | found)
        # The resources that the package has for the program, under the name by which the toolkit looks for them.
        resources = os.path.join(self.build, "app-defaults")
        os.makedirs(resources)
        shutil.copyfile(os.path.join(self.sources[PROGRAM], "XTerm.ad"), os.path.join(resources, "XTerm"))

    def session(self, words, name="session", **more):
        """A user's session with the program. words: the program, and what stands before it. name: of the session's folder."""
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C", "TERM": "xterm", "SHELL": "/bin/sh", "XENVIRONMENT": os.devnull,
                       "XFILESEARCHPATH": os.path.join(self.build, "app-defaults", "%N"), **more}
        return session(os.path.join(self.folder, name), self.driver, [*words, *ARGUMENTS], environment)

    def train(self, words, **more):
        with self.session(words, **more) as user:
            user.popup(TRAINED_EVENTS)

    def run(self, program, seed, prefix="", **more):
        self.train([program], **more)

    def recorded(self):
        self.train([self.project.tool, "record", "-o", os.path.join(self.folder, "profile"), "--", self.original])

    def decisions(self, variant):
        """What `thalweg optimize` reports of its decisions, and each applied one."""
        with open(os.path.join(self.folder, f"{variant}.log"), encoding="utf-8", errors="replace") as log:
            text = log.read()
        counted = re.search(r"(\d+) of (\d+) decisions applied", text)
        if counted is None:
            raise Failed(f"{variant}.log does not tell how many decisions were applied")
        return counted[0], re.findall(r"^ *\d+ +applied +(.*)$", text, re.MULTILINE)
