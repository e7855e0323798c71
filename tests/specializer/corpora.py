# tests: programs that nobody wrote for us: GCC's own execute tests for C and C++ (Debian's gcc-12-source), and random ones (csmith).
import glob
import os
import re
import subprocess
import tarfile

ARCHIVES = "/usr/src/gcc-12/gcc-12.*-dfsg.tar.xz"  # 12.2.0 in Debian 12, 12.4.0 in Debian 13
PARTS = {
    "c-torture": re.compile(r"[^/]*/gcc/testsuite/gcc\.c-torture/execute/(?:ieee/)?[^/]*\.c"),
    "c++": re.compile(r"[^/]*/gcc/testsuite/g\+\+\.(?:old-deja/g\+\+\.[a-z]*|dg/eh)/[^/]*\.C"),
}
NAMES = ("c-torture", "csmith", "c++")
CSMITH_HEADERS = "/usr/include/csmith"
C_DIALECT = ["-std=gnu89", "-w", "-fno-strict-aliasing", "-fwrapv"]
CXX_DIALECT = ["-std=gnu++98", "-w"]


class Missing(Exception):
    pass


class Subject:
    """One program of a corpus."""

    def __init__(self, corpus, path, flags):
        self.corpus, self.path, self.flags = corpus, path, flags
        self.name = os.path.basename(path)
        self.compiler = "clang++-19" if path.endswith(".C") else "clang-19"

    def __str__(self):
        return f"{self.corpus}/{self.name}"


def unpack(cache):
    """The test programs out of GCC's source, once."""
    stamp = os.path.join(cache, "complete")
    if os.path.exists(stamp):
        return
    found = sorted(glob.glob(ARCHIVES))
    if not found:
        raise Missing(f"{ARCHIVES} is not there; tools/setup installs it (Debian package gcc-12-source)")
    with tarfile.open(found[-1]) as tar:
        for member in tar:
            corpus = next((name for name, pattern in PARTS.items() if pattern.fullmatch(member.name)), None)
            if corpus is None or not member.isfile():
                continue
            # Folders of the old C++ tests hold files of the same names.
            name = "-".join(member.name.split("/")[5 if corpus == "c-torture" else 4:])
            os.makedirs(os.path.join(cache, corpus), exist_ok=True)
            with open(os.path.join(cache, corpus, name), "wb") as out:
                out.write(tar.extractfile(member).read())
    with open(stamp, "w", encoding="utf-8"):
        pass


def read(path):
    with open(path, encoding="latin-1") as file:
        return file.read()


def of_gcc(corpus, cache):
    unpack(cache)
    folder = os.path.join(cache, corpus)
    paths = [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
    if corpus == "c-torture":
        return [Subject(corpus, path, C_DIALECT) for path in paths]
    # Those that run everywhere; some are for one machine alone.
    return [Subject(corpus, path, CXX_DIALECT) for path in paths if re.search(r"dg-do\s+run\s*\}", read(path))]


def of_csmith(cache, count, first):
    folder = os.path.join(cache, "csmith")
    os.makedirs(folder, exist_ok=True)
    found = []
    for seed in range(first, first + count):
        path = os.path.join(folder, f"{seed}.c")
        if not os.path.exists(path):
            try:
                subprocess.run(["csmith", "--seed", str(seed), "--max-funcs", "6", "--output", path], check=True,
                               capture_output=True)
            except FileNotFoundError as error:
                raise Missing("csmith is not there; tools/setup installs it (Debian package csmith)") from error
        found.append(Subject("csmith", path, ["-std=gnu11", "-w", f"-I{CSMITH_HEADERS}"]))
    return found


def subjects(corpus, cache, csmith_count, first):
    return of_csmith(cache, csmith_count, first) if corpus == "csmith" else of_gcc(corpus, cache)
