# tests: the programs that are held to what their originals do, built as the benchmarks build them, and small jobs for them.
import importlib.util
import os
import shutil
import sys
from dataclasses import dataclass

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
sys.path.append(os.path.join(ROOT, "benchmarks"))

from harness.ninja import Ninja  # noqa: E402
from harness.project import Project  # noqa: E402
from programs import bench as programs  # noqa: E402
from programs.files import track  # noqa: E402
from programs.jobs import TRAINING, Place  # noqa: E402
from programs.packages import Builder  # noqa: E402

import asked  # noqa: E402

# An empty file, one that fits in every buffer, one of some blocks, one that is larger than cat's and grep's buffers.
INPUTS = {"in/empty": 0, "in/line": 30, "in/page": 5000, "in/record": 30_000, "in/large": 120_000}
FILES = list(INPUTS)
MUSIC, MEGABYTES = "short.mp3", 0.02
LONG_AGO = 1_000_000_000  # archives tell when a file was written


@dataclass(frozen=True)
class Subject:
    name: str
    arguments: tuple
    stdout: str = "pipe"  # or file, null
    stdin: str = os.devnull
    job: str = ""  # of the benchmark `programs`, whose programs these are
    racing: bool = False  # it has processes that work at once: how far each one comes when another fails differs from run to run
    server: object = None  # or who asks it. nginx writes no log for the rest of a second in which the disk was full
    undefined: tuple = ()  # calls after whose error the original itself reads what nobody wrote
    quick: bool = False  # of the sample that ctest takes: its package is built for the benchmark's toy size

    @property
    def varies(self):
        return self.racing or self.server is not None


def server(name, job, configuration):
    # It tells that fstat failed, and then takes the size out of what fstat didn't write (ngx_conf_parse).
    return Subject(name, ("-c", configuration, "-p", ".", "-e", "errors"), job=job, server=asked, undefined=(f"newfstatat /{configuration}",))


SUBJECTS = (
    Subject("copy", ("in/large", "to", "1"), quick=True),
    Subject("copy-page", ("in/page", "to", "2"), quick=True),
    Subject("cat-null", tuple(FILES), "null", job="cat-null"),
    Subject("cat-pipe", (*FILES, "in/none"), "pipe", job="cat-pipe"),
    Subject("cat-file", tuple(FILES), "file", job="cat-pipe"),
    Subject("wc", (*FILES, "in/none"), "file", job="wc"),
    Subject("sqlite", ("base.db",), stdin="in/sql", job="sqlite"),
    Subject("grep", ("-n", "line flow", *FILES, "in/none"), "pipe", job="grep"),
    Subject("grep-tree", ("-r", "line flow", "in"), "pipe", job="grep-tree"),
    Subject("tar", ("cf", "archive.tar", *FILES), job="tar"),
    Subject("gzip", ("-kr", "in"), job="gzip", quick=True),
    Subject("gzip-pipe", ("-c", *FILES), job="gzip-pipe", quick=True),
    Subject("cp", ("-r", "in", "copied"), job="cp"),
    Subject("rsync", ("-a", "in/", "copied"), job="rsync", racing=True),
    Subject("mpg123", ("-q", "-s", MUSIC), job="mpg123-4.7M"),
    Subject("mpg123-wav", ("-q", "-w", "music.wav", MUSIC), job="mpg123-wav"),
    server("nginx", "nginx", "nginx.conf"),
    server("nginx-read", "nginx-single", "nginx-read.conf"),
)


def write_inputs(folder):
    os.makedirs(os.path.join(folder, "in"), exist_ok=True)
    for name, size in INPUTS.items():
        with open(os.path.join(folder, name), "w", encoding="ascii") as out:
            out.write(("stream bed line flow water deep return\n" * (size // 39 + 1))[:size])
        os.utime(os.path.join(folder, name), (LONG_AGO, LONG_AGO))
    with open(os.path.join(folder, "in/sql"), "w", encoding="ascii") as out:
        out.write("create table t(a integer primary key, b text);\n")
        out.write("".join(f"insert into t values({i}, 'row {i}');\n" for i in range(4)) + "select count(*) from t;\n")
    os.utime(os.path.join(folder, "in/sql"), (LONG_AGO, LONG_AGO))
    os.utime(os.path.join(folder, "in"), (LONG_AGO, LONG_AGO))
    asked.write_configurations(folder)
    if shutil.which("ffmpeg"):  # without which mpg123 is not built here: it has nothing to be recorded with
        track(os.path.join(folder, MUSIC), MEGABYTES)


def copy_benchmark():
    """By its file: `copy` is a module of Python's too."""
    spec = importlib.util.spec_from_file_location("copy_bench", os.path.join(ROOT, "benchmarks", "copy", "bench.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def built(subjects, build):
    """{subject's name: (original, optimised)}"""
    project = Project(ROOT, build)
    pairs = {}
    own = [subject for subject in subjects if not subject.job]
    if own:
        copy = copy_benchmark()
        ninja = Ninja(project.scratch("copy"))
        recipes = {name: make for name, make, _ in copy.recipes(project, ninja, ninja.folder)}
        copy.write_file(os.path.join(ninja.folder, "80K.data"), copy.SIZES["80K"])
        pair = (recipes["original"](), recipes["optimized"]())
        require(ninja.build(pair))
        pairs.update({subject.name: pair for subject in own})
    ninja = Ninja(project.scratch("programs"))
    training = Place(project, os.path.join(ninja.folder, "training"), TRAINING, programs.TRAINING_SEED)
    builder = Builder(project, ninja)
    for subject in subjects:
        job = next((job for job in programs.ALL_JOBS if job.name == subject.job), None)
        if job:
            program = builder.program(job.program)
            pairs[subject.name] = (program, programs.optimised(project, ninja, program, job, training))
    targets = [path for subject in subjects if subject.job for path in pairs[subject.name]]
    if targets:
        require(ninja.build(targets))
    return pairs


def require(broken):
    if broken:
        sys.exit(f"inject: not built: {', '.join(broken)}")
