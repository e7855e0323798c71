#!/usr/bin/env python3
# tests: Ctrl-C and kill at a verb's work: the process ends by that signal, what is half done is gone, what is done is kept, no process is
# left, and files that the compared programs write are as they were. A signal that whoever starts the verb ignores interrupts nothing.
#
#   interrupted.py --build BUILD
import argparse
import json
import os
import pty
import re
import signal
import subprocess
import sys
import tempfile
import time

SLOWEST_S = 60
GONE_S = 5
PROGRAM = r"""
#include <cstdio>
#include <cstdlib>
using Handler = void (*)(long &);
static void add(long &value) { value += 3; }
static void turn(long &value) { value ^= value << 7; }
Handler volatile handlers[2] = {add, turn};
int main(int count, char **words) {
    long value = 1;
    for (long i = 0, end = count > 1 ? std::atol(words[1]) : 100; i < end; ++i)
        for (int j = 0; j < 2; ++j)
            handlers[j](value);
    std::printf("%ld\n", value);
}
"""


class Case:
    """One verb at work in a folder of its own."""

    def __init__(self, folder, words, ignored=None, terminal=None):
        self.scratch = os.path.join(folder, "scratch")
        os.makedirs(self.scratch, exist_ok=True)
        self.folder = folder
        before = (lambda: signal.signal(ignored, signal.SIG_IGN)) if ignored else None
        self.process = subprocess.Popen(words, cwd=folder, env=os.environ | {"TMPDIR": self.scratch}, stdin=subprocess.DEVNULL, text=True,
                                        stdout=subprocess.PIPE, stderr=terminal or subprocess.PIPE, start_new_session=True, preexec_fn=before)

    def when(self, ready):
        end = time.monotonic() + SLOWEST_S
        while not ready():
            assert time.monotonic() < end, "what is waited for did not happen"
            assert self.process.poll() is None, f"it ended by itself: {self.process.communicate()}"
            time.sleep(0.01)
        return self

    def end(self, number, expected):
        """Sends the signal to the verb alone; its words, once it has ended as expected and left nothing."""
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=SLOWEST_S)
        assert self.process.returncode == expected, (self.process.returncode, out, err)
        # What was killed is gone when it next has a processor, which on a busy machine takes a moment.
        end = time.monotonic() + GONE_S
        while session_of(self.process.pid) and time.monotonic() < end:
            time.sleep(0.05)
        assert not session_of(self.process.pid), f"left running: {session_of(self.process.pid)}"
        assert not os.listdir(self.scratch), f"left behind: {os.listdir(self.scratch)}"
        return out, err


def session_of(leader):
    listed = subprocess.run(["ps", "-s", str(leader), "-o", "pid=,stat=,args="], stdout=subprocess.PIPE, text=True, check=False).stdout
    return [line for line in listed.splitlines() if line.split()[1][0] != "Z"]


def write(path, text, mode=0o644):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, mode)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def lines(path):
    return len(read(path).splitlines()) if os.path.exists(path) else 0


def compares(thalweg, folder, number, ignored=None):
    """A comparison of two scripts that write a file and take a fifth of a second."""
    os.mkdir(folder)
    for name in ("a", "b"):
        write(f"{folder}/{name}", f"#!/bin/sh\necho run >> {folder}/runs\necho mine > written\nsleep 0.2\n", 0o755)
    write(f"{folder}/written", "the user's\n")
    case = Case(folder, [thalweg, "compare", "./a", "./b", "--file", "written", "--runs", "3"], ignored)
    case.when(lambda: lines(f"{folder}/runs") >= 5)
    if ignored:
        out, err = case.end(number, 0)
        assert "interrupted" not in err and "verdict" in out, (out, err)
        assert lines(f"{folder}/runs") == 9
        return
    out, err = case.end(number, -number)
    assert "interrupted: this is what 1 rounds tell" in err and "outputs    equal" in out, (out, err)
    assert read(f"{folder}/written") == "the user's\n"


def first_round(thalweg, folder):
    os.mkdir(folder)
    write(f"{folder}/a", f"#!/bin/sh\necho run >> {folder}/runs\nsleep 30\n", 0o755)
    case = Case(folder, [thalweg, "compare", "./a", "./a"]).when(lambda: lines(f"{folder}/runs") >= 1)
    out, err = case.end(signal.SIGTERM, -signal.SIGTERM)
    assert "thalweg compare: error: interrupted while the first round ran" in err and not out, (out, err)


def links(thalweg, folder):
    """An `optimize` whose linker is at work."""
    program(thalweg, folder)
    subprocess.run([thalweg, "record", "-o", "p.profile", "--", "./prog", "1000"], cwd=folder, check=True, capture_output=True)
    case = Case(folder, [thalweg, "optimize", "./prog", "--profile", "p.profile"])
    case.when(lambda: len(session_of(case.process.pid)) > 1)
    out, err = case.end(signal.SIGTERM, -signal.SIGTERM)
    assert "interrupted while" in err and not out, (out, err)
    assert not os.path.exists(f"{folder}/prog.opt")


def program(thalweg, folder):
    os.mkdir(folder)
    write(f"{folder}/prog.cc", PROGRAM)
    subprocess.run([f"{thalweg}-c++", "-O2", "-g", "prog.cc", "-o", "prog"], cwd=folder, check=True)


def goes_all_the_way(thalweg, folder):
    """`auto`, first interrupted while it records, then while it measures."""
    program(thalweg, folder)
    case = Case(folder, [thalweg, "auto", "./prog", "--", "100000000000"])
    case.when(lambda: any("thalweg" not in line.split()[2] for line in session_of(case.process.pid) if "./prog" in line))
    time.sleep(1)
    _, err = case.end(signal.SIGINT, 130)
    assert "interrupted: the profile of the run until then is in ./prog.profile" in err, err
    told = subprocess.run([thalweg, "report", "prog.profile", "--json"], cwd=folder, check=True, capture_output=True).stdout
    assert json.loads(told)["profile"]["coverage"]["dispatches"], told
    case = Case(folder, [thalweg, "auto", "./prog", "--runs", "1000", "--", "10000"]).when(lambda: os.path.exists(f"{folder}/prog.plan"))
    _, err = case.end(signal.SIGINT, -signal.SIGINT)
    assert "kept: the profile in ./prog.profile" in err, err
    assert not os.path.exists(f"{folder}/prog.comparison")


def shows_progress(thalweg, folder):
    """What goes on stands on a terminal, and is gone at the end."""
    os.mkdir(folder)
    write(f"{folder}/a", "#!/bin/sh\nsleep 0.3\n", 0o755)
    ours, theirs = pty.openpty()
    case = Case(folder, [thalweg, "compare", "./a", "./a", "--runs", "1"], terminal=theirs)
    os.close(theirs)
    shown = b""
    while True:
        try:
            shown += os.read(ours, 4096)
        except OSError:
            break
    assert case.process.wait(SLOWEST_S) == 0
    case.process.stdout.close()
    assert re.search(rb"comparing: round 1, \d+ s", shown) and shown.endswith(b"\r\x1b[K"), shown


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--build", required=True)
    thalweg = os.path.join(os.path.realpath(options.parse_args().build), "bin/thalweg")
    with tempfile.TemporaryDirectory(prefix="thalweg-interrupted-") as place:
        compares(thalweg, f"{place}/ctrl-c", signal.SIGINT)
        compares(thalweg, f"{place}/ignored", signal.SIGHUP, ignored=signal.SIGHUP)
        first_round(thalweg, f"{place}/first")
        links(thalweg, f"{place}/links")
        goes_all_the_way(thalweg, f"{place}/auto")
        shows_progress(thalweg, f"{place}/progress")
    print("six verbs at work, interrupted or not: all ended as they should")


if __name__ == "__main__":
    sys.exit(main())
