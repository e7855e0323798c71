# benchmarks: the files that the programs work on: many small texts, the same each time.
import os
import random
import shutil
import subprocess

from harness.project import Missing

WORDS = ("stream", "river", "bed", "line", "flow", "water", "deep", "#include", "return", "thalweg")
# About a page of text: of the C sources of a large program half are smaller.
MEAN_BYTES = 2000
PER_FOLDER = 100


def text(random_, size):
    lines, length = [], 0
    while length < size:
        lines.append(" ".join(random_.choice(WORDS) for _ in range(random_.randint(1, 12))) + "\n")
        length += len(lines[-1])
    return "".join(lines)[:size]


def small_files(folder, count, seed):
    """`count` files in folders of a hundred, and nothing else. Returns their paths relative to the folder that `folder` is in."""
    paths = [os.path.join(os.path.basename(folder), f"{i // PER_FOLDER:02}", f"{i:05}.txt") for i in range(count)]
    stamp = f"{folder}.{count}-{seed}"  # beside it: what is in it is what the programs work on
    if os.path.exists(stamp):
        return paths
    shutil.rmtree(folder, ignore_errors=True)
    random_ = random.Random(seed)
    for path in paths:
        full = os.path.join(os.path.dirname(folder), path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="ascii") as out:
            out.write(text(random_, int(random_.expovariate(1 / MEAN_BYTES)) + 1))
    with open(stamp, "w", encoding="ascii"):
        pass
    return paths


# Of music: two notes, and noise so that each block of it costs what a block of music does.
SOUND = ("sine=frequency=220:sample_rate=44100", "sine=frequency=3520:sample_rate=44100",
         "anoisesrc=color=pink:sample_rate=44100:amplitude=0.3:seed=7")
KILOBITS = 128  # a second


def track(path, megabytes):
    """Stereo of this size in the format of the path's ending, mp3 or mp2. The same encoder writes the same bytes each time."""
    if os.path.exists(path):
        return
    if shutil.which("ffmpeg") is None:
        raise Missing("ffmpeg, which makes the music that mpg123 plays, is not installed")
    sources = [word for source in SOUND for word in ("-f", "lavfi", "-i", source)]
    command = ["ffmpeg", "-v", "error", "-y", *sources, "-filter_complex", f"amix=inputs={len(SOUND)},aformat=channel_layouts=stereo",
               "-t", str(megabytes * 8000 / KILOBITS), "-b:a", f"{KILOBITS}k", "-bitexact", path]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)


def inserts(path, count):
    """SQL with a transaction for each row."""
    with open(path, "w", encoding="ascii") as out:
        out.write("create table t(a integer primary key, b text);\n")
        for i in range(count):
            out.write(f"insert into t values({i}, 'row number {i} of the table');\n")
    return path
