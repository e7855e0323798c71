# benchmarks: what the programs are asked to do. A row a job: on which files, where its output goes, what it leaves behind.
import glob
import hashlib
import os
import shlex
import shutil
import subprocess
from dataclasses import dataclass
from typing import Callable

from harness.processes import cpu_seconds, crossings
from harness.project import debian_source

from programs.files import inserts, small_files, track

OUT = "out"  # standard output, where it is a file


@dataclass(frozen=True)
class Size:
    files: int
    rows: int
    music: float  # of what a job plays, so much


REAL = Size(files=3000, rows=500, music=1)
TOY = Size(files=60, rows=20, music=0.02)
TRAINING = Size(files=300, rows=100, music=0.1)


class Place:
    """A folder with the files of one size; every job runs in it."""

    def __init__(self, project, folder, size, seed):
        self.folder = folder
        self.size = size
        self.seed = seed
        os.makedirs(folder, exist_ok=True)
        self.small = small_files(os.path.join(folder, "small"), size.files, seed)
        inserts(self.path("inserts.sql"), size.rows)
        self.project = project

    def path(self, name):
        return os.path.join(self.folder, name)

    def zipped(self):
        """A tree of its own to be compressed, without what was compressed of it."""
        if not os.path.exists(self.path("zipped")):
            shutil.copytree(self.path("small"), self.path("zipped"))
        for path in glob.glob(self.path("zipped/**/*.gz"), recursive=True):
            os.unlink(path)

    def play(self, name, megabytes):
        track(self.path(name), megabytes * self.size.music)

    def remove(self, *names):
        for name in names:
            for path in glob.glob(self.path(name)):
                shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)


def file_arguments(*options):
    return lambda place: [*options, *place.small]


def tar_arguments(place):
    """A real source tree: large files and small ones."""
    package, folder = ("gzip", "tests") if place.size.files <= TRAINING.files else ("coreutils", "src")
    return ["cf", "archive.tar", "-C", os.path.dirname(debian_source(place.project, package)), f"{package}/lib", f"{package}/{folder}"]


@dataclass(frozen=True)
class Job:
    name: str
    program: str
    arguments: Callable
    results: tuple = ()  # what it leaves behind, as patterns, besides its standard output
    reset: Callable = lambda place: None  # besides removing the results
    stdin: str = os.devnull
    stdout: object = os.devnull
    items: Callable = lambda place: place.size.files
    toy: bool = False  # of all packages the one that is configured soonest

    def places(self, place):
        stdout = self.stdout if self.stdout in (os.devnull, subprocess.PIPE) else place.path(self.stdout)
        return {"folder": place.folder, "stdin": os.path.join(place.folder, self.stdin), "stdout": stdout}

    def prepare(self, place):
        place.remove(*self.results, OUT)
        self.reset(place)

    def shell(self, place, command):
        """The same for a shell; command: what stands in the program's place."""
        files = "$(find small -name '*.txt' | sort)"
        words = [shlex.quote(word) for word in self.arguments(place) if word not in place.small]
        if place.small[0] in self.arguments(place):
            words.append(files)
        return f"{command} {' '.join(words)} < {self.stdin} " + ("| cat > /dev/null" if self.stdout is subprocess.PIPE else f"> {self.stdout}")

    def cpu_seconds(self, place, program):
        return cpu_seconds([program, *self.arguments(place)], **self.places(place))

    def crossings(self, place, program, counts):
        return crossings([program, *self.arguments(place)], counts, **self.places(place))

    def shown(self, place, program):
        """A digest of all that the program shows: exit code, both outputs, files."""
        self.prepare(place)
        with open(place.path(self.stdin), "rb") as source:
            done = subprocess.run([program, *self.arguments(place)], cwd=place.folder, stdin=source, capture_output=True, check=False)
        errors = done.stderr.replace(program.encode(), b"PROGRAM").replace(os.path.basename(program).encode(), b"PROGRAM")
        told = hashlib.sha256(done.stdout + b"\n" + errors).hexdigest()
        files = tree_digest(place, self.results)
        self.prepare(place)
        return done.returncode, told, files


def player(case, name, megabytes, *options, **rest):
    return Job(f"mpg123-{case}", "mpg123", lambda place: ["-q", *options, name], reset=lambda place: place.play(name, megabytes),
               items=lambda place: 1, **rest)


JOBS = (
    Job("cat-null", "cat", file_arguments()),
    Job("cat-pipe", "cat", file_arguments(), stdout=subprocess.PIPE),
    Job("cat-file", "cat", file_arguments(), stdout=OUT),
    Job("wc", "wc", file_arguments(), stdout=OUT),
    Job("wc-lines", "wc", file_arguments("-l"), stdout=subprocess.PIPE),
    Job("grep", "grep", file_arguments("-n", "deep thalweg deep"), stdout=OUT),
    Job("grep-tree", "grep", lambda place: ["-r", "deep thalweg deep", "small"], stdout=OUT),
    Job("tar", "tar", tar_arguments, results=("archive.tar",), items=lambda place: 1),
    Job("gzip", "gzip", lambda place: ["-kr", "zipped"], results=("zipped/*/*.gz",), reset=Place.zipped, toy=True),
    Job("gzip-pipe", "gzip", file_arguments("-c"), stdout=subprocess.PIPE, toy=True),
    Job("cp", "cp", lambda place: ["-r", "small", "copied"], results=("copied",)),
    Job("rsync", "rsync", lambda place: ["-a", "small/", "copied"], results=("copied",)),
    Job("sqlite", "sqlite3", lambda place: ["base.db"], results=("base.db*",), stdin="inserts.sql",
        items=lambda place: place.size.rows),
    Job("sqlite-nosync", "sqlite3", lambda place: ["-cmd", "pragma synchronous=off", "quick.db"], results=("quick.db*",), stdin="inserts.sql",
        items=lambda place: place.size.rows),
    # Sizes of paper cassyopia's Table 3.
    player("4.7M", "short.mp3", 4.7, "-s"),
    player("9.5M", "middle.mp3", 9.5, "-s"),
    player("15.1M", "long.mp3", 15.1, "-s"),
    player("mp2", "middle.mp2", 9.5, "-s"),
    player("wav", "short.mp3", 4.7, "-w", "short.wav", results=("short.wav",)),
    player("pipe", "short.mp3", 4.7, "-s", stdout=subprocess.PIPE),
    player("test", "short.mp3", 4.7, "-t"),
)


def tree_digest(place, patterns):
    """Names, modes and bytes of all files that match, and below."""
    digest = hashlib.sha256()
    found = [path for pattern in patterns for path in glob.glob(place.path(pattern))]
    below = [os.path.join(folder, name) for path in found for folder, folders, names in os.walk(path) for name in folders + names]
    for path in sorted(found + below):
        digest.update(f"{path} {os.stat(path).st_mode:o}\n".encode())
        if os.path.isfile(path):
            with open(path, "rb") as content:
                digest.update(content.read())
    return digest.hexdigest()
