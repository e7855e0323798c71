#!/usr/bin/env python3
# tests: on each file system the optimised program does what the original does, and leaves out, joins and copies what the list allows there.
"""usage: file_systems.py --build BUILD [NAME...]

ext4, XFS and Btrfs on loop devices, tmpfs, overlayfs above ext4 and above XFS, FUSE. What can't be mounted here is told; if nothing can, the
test is skipped. Then a file system is unmounted under the running program, and FUSE with the same device number mounted in its place."""

import argparse
import contextlib
import fcntl
import os
import random
import re
import shutil
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
SKIPPED = 77
BLOCK = 5000
SIZE = 3 * (1 << 20) + 123
PIECE = 4 << 20  # by which a disk is filled
DISK_BYTES = 400 << 20  # mkfs.xfs wants 300 MiB; the file has holes
# What src/crossing/file_system.cc says: reads of the end are left out, whole blocks are copied, writes are joined.
PROMISES = {"ext4": "rcj", "xfs": "rcj", "btrfs": "rcj", "tmpfs": "rcj", "overlay-ext4": "cj", "overlay-xfs": "cj"}
# Numbers without a device are given to whoever comes next: other mounts may come between.
TRIES = 20
FIEMAP, SHARED = 0xC020660B, 0x2000


class NotHere(Exception):
    """It can't be mounted."""


def run(*command, **more):
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120, **more)
    if done.returncode != 0:
        raise NotHere(f"{' '.join(command[:2])}: {done.stderr.strip().splitlines()[-1:]}")
    return done.stdout


def tried(*command):
    with contextlib.suppress(NotHere):
        run(*command)


class Mounts:
    """File systems of this test, in a mount name space of its own."""

    def __init__(self, place):
        self.place = place

    def folder(self, name):
        path = os.path.join(self.place, name)
        os.makedirs(path, exist_ok=True)
        return path

    def disk(self, kind):
        image = os.path.join(self.place, f"{kind}.image")
        with open(image, "wb") as out:
            out.truncate(DISK_BYTES)
        run(f"mkfs.{kind}", "-q", image)
        return image

    def on_disk(self, kind):
        folder = self.folder(kind)
        run("mount", "-o", "loop", self.disk(kind), folder)
        return folder

    def overlay(self, kind):
        below = self.on_disk(kind)
        parts = {name: os.path.join(below, name) for name in ("lower", "upper", "work")}
        for part in parts.values():
            os.makedirs(part, exist_ok=True)
        folder = self.folder(f"overlay-{kind}")
        run("mount", "-t", "overlay", "overlay", "-o", ",".join(f"{name}dir={path}" for name, path in parts.items()), folder)
        return folder

    def mount(self, name):
        if name == "tmpfs":
            folder = self.folder(name)
            run("mount", "-t", "tmpfs", "-o", "size=64m", "none", folder)
            return folder
        return self.overlay(name.removeprefix("overlay-")) if name.startswith("overlay-") else self.on_disk(name)

    def unmount(self, name):
        tried("umount", os.path.join(self.place, name))
        if name.startswith("overlay-"):
            tried("umount", os.path.join(self.place, name.removeprefix("overlay-")))


def content(path):
    with open(path, "rb") as file:
        return file.read()


def counts(place, program, arguments, kinds):
    """How often each of these calls was made, and with a result that isn't 0."""
    calls = os.path.join(place, "calls")
    subprocess.run(["strace", "-o", calls, "-e", f"trace={','.join(kinds)}", program, *arguments], check=True, capture_output=True)
    text = content(calls).decode(errors="replace")
    return {kind: len(re.findall(rf"^{kind}\(.*= [1-9]", text, re.M)) if kind == "sendfile" else len(re.findall(rf"^{kind}\(", text, re.M))
            for kind in kinds}


def shares_blocks(path):
    """Whether another file has some of its blocks (reflink)."""
    with open(path, "rb") as file:
        asked = bytearray(struct.pack("=QQLLLL", 0, ~0 & (2**64 - 1), 1, 0, 100, 0) + bytes(56 * 100))
        try:
            fcntl.ioctl(file, FIEMAP, asked)
        except OSError:
            return False
        extents = struct.unpack_from("=L", asked, 20)[0]
        return any(struct.unpack_from("=L", asked, 32 + 56 * i + 40)[0] & SHARED for i in range(extents))


def problems_on(name, folder, place, programs):
    """What differs, and what isn't as the list has it."""
    found = []
    source = random.Random(3).randbytes(SIZE)
    paths = {which: os.path.join(folder, which) for which in ("from", "small", "to", "joined")}
    for which, data in (("from", source), ("small", source[:100])):
        with open(paths[which], "wb") as out:
            out.write(data)
    jobs = {"read": ("read", paths["small"]), "copy": ("copy", paths["from"], paths["to"]), "put": ("put", paths["joined"])}
    seen = []
    for program in programs:
        told = [run(program, *job) for job in jobs.values()]
        seen.append((told, content(paths["to"]), content(paths["joined"])))
        if shares_blocks(paths["to"]):
            found.append(f"{name}: the copy shares its blocks with its source")
    if seen[0] != seen[1] or seen[1][1] != source:
        found.append(f"{name}: {seen[1][0]} for {seen[0][0]}")
    reads = [counts(place, program, jobs["read"], ("read",))["read"] for program in programs]
    copies = counts(place, programs[1], jobs["copy"], ("sendfile",))["sendfile"]
    joined = counts(place, programs[1], jobs["put"], ("writev",))["writev"]
    does = {"r": reads[0] - reads[1] > 10, "c": copies > 0, "j": joined > 10}
    found += [f"{name}: {part} is {'not ' if not done else ''}done, which the list has otherwise"
              for part, done in does.items() if done != (part in PROMISES[name])]
    return found + full_disk(name, folder, paths, programs)


def full_disk(name, folder, paths, programs):
    """The disk is filled up to a part of what is to be copied: how far each comes depends on the file system, but not on who copies."""
    os.unlink(paths["to"])
    filling = os.path.join(folder, "filling")
    with open(filling, "wb") as out:
        size = 0
        with contextlib.suppress(OSError):
            while True:
                os.posix_fallocate(out.fileno(), size, PIECE)
                size += PIECE
        out.truncate(size - SIZE // 2)
    os.sync()
    source, ended = content(paths["from"]), []
    for program in programs:
        told = run(program, "copy", paths["from"], paths["to"])
        target = content(paths["to"])
        ended.append((told, len(target) if name in ("ext4", "tmpfs") else 0))
        if not source.startswith(target):
            ended.append("no beginning of the source")
        os.unlink(paths["to"])
    os.unlink(filling)
    return [] if ended[0] == ended[1] and len(ended) == 2 else [f"{name}, where the disk is full: {ended}"]


def replaced(kind, mounts, programs, server):
    """What each program says of a file whose file system is FUSE when it looks again, with the same number."""
    folder = mounts.folder("replaced")
    told = []
    for program in programs:
        for _ in range(TRIES):
            image = mounts.disk("ext4") if kind == "fuseblk" else None
            device = run("losetup", "--find", "--show", image).strip() if image else "none"
            try:
                run("mount", *(() if image else ("-t", "tmpfs")), device, folder)
                with open(os.path.join(folder, "file"), "wb") as out:
                    out.write(b"x" * 10)
                told.append(with_another(program, folder, (server, folder, kind, device)))
            finally:
                tried("umount", folder)
                if image:
                    tried("losetup", "--detach", device)
            if "of the same device" in told[-1]:
                break
            told.pop()
        else:
            raise NotHere("the device's number was another's each time")
    return told


def with_another(program, folder, other):
    process = subprocess.Popen([program, "read", os.path.join(folder, "file"), "wait"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        process.stdout.readline()
        run("umount", folder)
        run(*other)
        return process.communicate("\n", timeout=60)[0]
    finally:
        process.kill()
        process.wait()


def built(build, place):
    subprocess.run([sys.executable, "-B", os.path.join(HERE, "..", "ir", "transform.py"), "--build", build, "--keep", place, "run",
                    os.path.join(HERE, "filed.c")], check=True, stdout=subprocess.DEVNULL)
    server = os.path.join(place, "server_of_files")
    subprocess.run(["clang-19", "-O1", os.path.join(HERE, "server_of_files.c"), "-o", server], check=True)
    return [os.path.join(place, name) for name in ("original", "optimised")], server


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    if os.environ.get("THALWEG_MOUNTS") != "own":
        if shutil.which("unshare") is None or subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False).returncode != 0:
            print("nothing may be mounted here: unshare -m fails")
            return SKIPPED
        own = ["unshare", "-m", "--propagation", "private", sys.executable, "-B", *sys.argv]
        return subprocess.run(own, check=False, env={**os.environ, "THALWEG_MOUNTS": "own"}).returncode
    place = os.path.join(os.path.abspath(options.build), "bench", "filed")
    os.makedirs(place, exist_ok=True)
    programs, server = built(options.build, place)
    mounts, wrong, tested = Mounts(place), [], []
    for name in options.names or [*PROMISES, "fuse", "fuseblk"]:
        try:
            if name in PROMISES:
                wrong += problems_on(name, mounts.mount(name), place, programs)
            else:
                told = replaced(name, mounts, programs, server)
                wrong += [] if told[0] == told[1] else [f"{name} in another's place: {told[1]!r} for {told[0]!r}"]
            tested.append(name)
        except NotHere as why:
            print(f"SKIPPED: {name} can't be mounted here: {why}")
        finally:
            mounts.unmount(name)
    print(f"tested: {', '.join(tested) or 'nothing'}; {len(wrong)} differ")
    print("\n".join(wrong))
    return 1 if wrong else SKIPPED if not tested else 0


if __name__ == "__main__":
    sys.exit(main())
