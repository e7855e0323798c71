# benchmarks: where the built project's parts are, and how programs are made with them.
import glob
import os
import shutil
import subprocess
import sys

# What `thalweg optimize` says when it made no program, which would have been the original's code.
NOTHING_APPLIED = "NOTHING WAS APPLIED"


class Missing(Exception):
    """Something that a variant needs is not there; the message says what, and what to do."""


# What programs are made and recorded with. A checkout in which only a part was built (./demo) has not all of a benchmark's needs.
TOOL_TARGETS = ("thalweg", "thalweg-cc", "thalweg-c++", "ThalwegPasses", "thalweg_runtime", "thalweg_recorder", "thalweg_crossing", "thalweg_audit")


class Project:
    def __init__(self, root, build):
        self.root = root
        self.build = os.path.abspath(build)
        self.tool = os.path.join(self.build, "bin", "thalweg")
        self.cc = os.path.join(self.build, "bin", "thalweg-cc")
        self.cxx = os.path.join(self.build, "bin", "thalweg-c++")
        self.include = os.path.join(root, "include")
        self.library = os.path.join(self.build, "lib", "thalweg", "libthalweg.a")

    def scratch(self, name):
        return os.path.join(self.build, "bench", name)

    def source(self, *parts):
        return os.path.join(self.root, "benchmarks", *parts)

    def need_tool(self):
        for path in (self.tool, self.cxx, self.library):
            self.need(path, *TOOL_TARGETS)

    def need(self, path, *targets):
        """Builds the targets if what they make is not there yet."""
        if os.path.exists(path):
            return
        if not os.path.exists(os.path.join(self.build, "CMakeCache.txt")):
            raise Missing(f"{path} is not there, and {self.build} is no build folder; ./demo makes one")
        command = ["cmake", "--build", self.build, "--target", *targets]
        print(f"bench: {' '.join(command)}", file=sys.stderr)
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0 or not os.path.exists(path):
            raise Missing(f"{path} could not be built: {' '.join(command)}\n{(done.stdout + done.stderr)[-2000:]}")

    def parts(self):
        """All that a program made by the tool depends on: a new tool makes the programs anew."""
        library = os.path.join(self.build, "lib", "thalweg", "*")
        return [path for path in [self.tool, self.cxx, *sorted(glob.glob(library))] if os.path.isfile(path)]

    def optimised(self, ninja, program, training, variant=""):
        """Edges that record the program while it runs with the training arguments, and optimise it. Returns the result."""
        profile = f"{program}{variant}.profile"
        result = f"{program}{variant}.opt"
        ninja.edge(profile, f"{self.tool} record -o $out -- {program} {training} > $out.log 2>&1 || (cat $out.log; false)",
                   [program], self.parts())
        return self.linked_again(ninja, program, profile, result)

    def linked_again(self, ninja, program, profile, result):
        # What nothing could be applied to is a result too: the user keeps the original.
        return ninja.edge(result, f"rm -f $out; {self.tool} optimize {program} --profile {profile} -o $out > $out.log 2>&1 || "
                          f"(grep -q '{NOTHING_APPLIED}' $out.log && cp {program} $out) || (cat $out.log; false)", [program, profile], self.parts())


def debian_source(project, package):
    """The folder with a Debian package's original sources (tools/debian-sources.json)."""
    done = subprocess.run([os.path.join(project.root, "tools", "debian-source"), package], stdout=subprocess.PIPE, text=True,
                          check=False)
    if done.returncode != 0:
        raise Missing(f"the sources of {package} are not there; why, stands above")
    return done.stdout.strip()


def package_flags(*names):
    """Compiler and linker flags of installed libraries."""
    if shutil.which("pkg-config") is None:
        raise Missing("pkg-config is not installed")
    done = subprocess.run(["pkg-config", "--cflags", "--libs", *names], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Missing(f"the library {' '.join(names)} is not installed")
    flags = done.stdout.split()
    linking = [flag for flag in flags if flag.startswith(("-l", "-L", "-Wl"))]
    return [flag for flag in flags if flag not in linking], linking
