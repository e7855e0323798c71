#!/usr/bin/env python3
"""Carries out the Dockerfile without Docker: each stage in a Debian of its own (minimal_debian), by chroot; then works in the last one's image.

    dockerfile.py BUILD

Exit code 77: this machine doesn't allow it (root, mount namespaces and Debian's packages are needed).
"""
import fnmatch
import glob
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SKIPPED = 77
IN_AN_IMAGE = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# How programs of this machine reach the network; what they name goes along.
NETWORK = re.compile(r"(https?_proxy|no_proxy|SSL_CERT_FILE|NODE_EXTRA_CA_CERTS|CURL_CA_BUNDLE)", re.I)


def skip(why):
    print(f"SKIPPED: installed.dockerfile: {why}")
    sys.exit(SKIPPED)


def instructions(text):
    """[(instruction, rest)]"""
    text = re.sub(r"^\s*#.*\n", "", text, flags=re.M).replace("\\\n", " ")
    return [(word, rest.strip()) for word, _, rest in (line.strip().partition(" ") for line in text.splitlines()) if word]


def ignored(name, patterns):
    """As .dockerignore has it, as far as ours goes: of the top by name, of all folders after **/."""
    return any(fnmatch.fnmatch(name if "/" not in pattern else Path(name).name, pattern.removeprefix("**/")) for pattern in patterns)


class Stage:
    def __init__(self, image, folder):
        release = platform.freedesktop_os_release()
        if image != f"{release['ID']}:{release['VERSION_ID']}":
            skip(f"the image {image} is not of this system's release")
        made = subprocess.run([HERE / "minimal_debian", folder], check=False).returncode
        if made:
            sys.exit(made)
        self.root, self.place = folder, Path("/")
        self.environment = {key: value for key, value in os.environ.items() if NETWORK.fullmatch(key)}
        for key, value in self.environment.items():
            if os.path.isfile(value):
                # Not where it lies here: packages of the image may have a file there.
                shutil.copyfile(value, folder / "srv" / key)
                self.environment[key] = f"/srv/{key}"
        subprocess.run(["mount", "-t", "proc", "proc", folder / "proc"], check=True)
        subprocess.run(["mount", "--rbind", "/dev", folder / "dev"], check=True)
        for file in ["/etc/resolv.conf", "/etc/hosts"]:
            shutil.copyfile(file, folder / file.lstrip("/"))

    def inside(self, path):
        return self.root / str(self.place / path).lstrip("/")

    def run(self, command):
        words = [f"{key}={value}" for key, value in self.environment.items()]
        done = subprocess.run(["chroot", self.root, "env", "-i", IN_AN_IMAGE, "HOME=/root", *words, "sh", "-c", f"cd '{self.place}' && {command}"],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode:
            sys.exit(f"FAILED: RUN {command} ended with {done.returncode}:\n{done.stdout[-3000:]}")
        return done.stdout

    def copy(self, sources, target, patterns):
        for source in sources:
            if source.is_dir():
                shutil.copytree(source, self.inside(target), dirs_exist_ok=True, symlinks=True,
                                ignore=lambda folder, names: [name for name in names if ignored(os.path.relpath(Path(folder, name), ROOT), patterns)])
            else:
                if target.endswith("/"):
                    self.inside(target).mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, self.inside(target))


def carry_out(text, scratch):
    """The last stage."""
    patterns = [line for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    stages, stage = {}, None
    for word, rest in instructions(text):
        if word == "FROM":
            image, _, name = rest.partition(" AS ")
            stage = stages[name or "the last"] = Stage(image, scratch / (name or "last"))
        elif word == "WORKDIR":
            stage.place = Path(rest)
            stage.inside("").mkdir(parents=True, exist_ok=True)
        elif word == "RUN":
            print(f"RUN {rest}", flush=True)
            stage.run(rest)
        elif word == "COPY" and rest.startswith("--from="):
            name, path, target = rest.removeprefix("--from=").split()
            found = [Path(file) for file in glob.glob(f"{stages[name].root}{path}")]
            if not found:
                sys.exit(f"FAILED: COPY {rest}: there is no such file")
            stage.copy(found, target, [])
        elif word == "COPY":
            *paths, target = rest.split()
            stage.copy([ROOT / path for path in paths], target, patterns)
        else:
            sys.exit(f"FAILED: the Dockerfile says {word}, which this test does not know")
    return stage


def try_image(stage):
    """An ordinary program is built, recorded, optimised and compared in it, and it holds nothing of the checkout."""
    if (stage.root / "thalweg").exists() or (stage.root / "packages").exists():
        sys.exit("FAILED: the image has the checkout or the packages in it")
    shutil.copytree(ROOT / "examples" / "book", stage.inside("."), dirs_exist_ok=True)
    stage.run("make clean && make CC=thalweg-cc CXX=thalweg-c++")
    stage.run("thalweg record -o day.profile -- ./book 300000")
    said = stage.run("thalweg optimize ./book --profile day.profile -o book.opt && thalweg compare ./book ./book.opt --runs 1 -- 300000")
    if "outputs equal" not in said or not re.search(r"[1-9]\d* of \d+ decisions applied", said):
        sys.exit(f"FAILED: nothing was applied, or the outputs differ: {said}")


def main():
    build = Path(sys.argv[1]).resolve()
    if os.geteuid() != 0:
        skip("only root can make a system in a folder")
    if os.environ.get("THALWEG_UNSHARED") != "1":
        if subprocess.run(["unshare", "-m", "true"], check=False).returncode:
            skip("there are no mount namespaces here")
        os.execvpe("unshare", ["unshare", "-m", "--propagation", "private", sys.executable, "-B", __file__, build], os.environ | {"THALWEG_UNSHARED": "1"})
    scratch = Path(tempfile.mkdtemp(prefix="dockerfile.", dir=build))
    try:
        try_image(carry_out((ROOT / "Dockerfile").read_text(encoding="utf-8"), scratch))
    finally:
        for folder in scratch.glob("*/*"):
            if folder.name in ("proc", "dev"):
                subprocess.run(["umount", "-qR", folder], check=False)
        subprocess.run(["rm", "-rf", "--one-file-system", scratch], check=False)
    print("passed: the Dockerfile's image")


if __name__ == "__main__":
    main()
