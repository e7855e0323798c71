#!/usr/bin/env python3
"""Nine programs that everybody knows, three of each class: `thalweg stat` puts them where the shell's `time` puts them.

    nine_programs.py THALWEG [--of-each N]      N: of each class only the first N

Each runs for about a second, twice: under stat, and under time. Which class a program is of follows from what it does;
`time` has to say the same: by s > u or not; and by r >> u + s or not where processors were free, for it does not know when they were not.
"""
import http.server
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

IDLE = 0.5  # "spend most of their time idle", as in src/plan/workload.h
CROWDED = 0.1  # of real time spent ready without a processor: then `time`'s r says nothing of the program
TRIES = 4
ALIKE = 2  # du of /usr takes four times as long where the kernel must read the folders from the disk again


class SlowServer(http.server.BaseHTTPRequestHandler):
    """A file of ten lines, one each tenth of a second."""

    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        for _ in range(10):
            self.wfile.write(b"a line\n")
            self.wfile.flush()
            time.sleep(0.1)

    def log_message(self, *words):
        pass


def make_inputs():
    Path("small").mkdir()
    for i in range(3000):
        Path(f"small/{i}").write_text(f"{i}\n")
    letters = random.Random(1)
    Path("text").write_bytes(bytes(letters.choices(b"abcdefgh \n", k=8_000_000)))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), SlowServer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_port


def programs(port):
    small = [str(path) for path in sorted(Path("small").iterdir())] * 12
    return {
        "I/O-bound": [
            ["sleep", "1"],
            ["wget", "-q", "--no-proxy", "-O", "-", f"http://127.0.0.1:{port}/"],
            ["dd", "if=/dev/zero", "of=out", "bs=4k", "count=2000", "oflag=dsync", "status=none"],
        ],
        "kernel-bound": [
            ["dd", "if=/dev/zero", "of=/dev/null", "bs=64k", "count=500000", "status=none"],
            ["cat", *small],
            ["du", "-s", "/usr", "/usr", "/usr", "-l"],
        ],
        "CPU-bound": [
            ["gzip", "-9c", "text"],
            ["sha256sum", *["text"] * 40],
            ["xz", "-1c", "text"],
        ],
    }


def times_of(command):
    """Real, user and system time as bash's `time` says them."""
    end = subprocess.run(["bash", "-c", 'TIMEFORMAT="%R %U %S"; time "$@" >/dev/null', "bash", *command],
                         capture_output=True, text=True, check=False)
    return [float(word) for word in end.stderr.split()[-3:]]


def workload_of(thalweg, command):
    subprocess.run([thalweg, "stat", "-o", "out.json", "--", *command], stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=True)
    return json.loads(Path("out.json").read_text())


def advice_words(workload):
    return " ".join(advice["text"] for advice in workload["advice"])


# What Table 4.1 tells somebody to do next, in a word of ours.
NEXT_STEP = {"I/O-bound": "caching", "kernel-bound": "system call tracing", "CPU-bound": "function profiling"}


def both(thalweg, command):
    """What stat and time say of the program, in runs that are alike: what was in memory may be gone when others are at work."""
    for _ in range(TRIES):
        workload = workload_of(thalweg, command)
        times = times_of(command)
        least, most = sorted([workload["real_us"] / 1e6, times[0]])
        if most <= ALIKE * least:
            break
    return workload, times


def check(thalweg, expected, command):
    workload, (real, user, system) = both(thalweg, command)
    ready = workload["ready_us"] / max(workload["real_us"], 1)
    problems = []
    if workload["class"] != expected:
        problems.append(f"stat says {workload['class']} ({workload['why']})")
    if expected != "I/O-bound" and (system > user) != (expected == "kernel-bound"):
        problems.append("time says otherwise of user and system time")
    if ready < CROWDED and (user + system < IDLE * real) != (expected == "I/O-bound"):
        problems.append("time says otherwise of r and u + s")
    if NEXT_STEP[expected] not in advice_words(workload):
        problems.append(f"'{NEXT_STEP[expected]}' is not advised: {advice_words(workload)}")
    name = " ".join(command[:4])
    print(f"{'FAILED' if problems else 'ok':7} {expected:13} time: {real:5.2f} {user:5.2f} {system:5.2f}  "
          f"ready {ready:4.0%}  {name}: {workload['why']}")
    for problem in problems:
        print(f"        {problem}")
    return not problems


def main():
    thalweg = os.path.abspath(sys.argv[1])
    of_each = int(sys.argv[3]) if sys.argv[2:3] == ["--of-each"] else None
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        classes = programs(make_inputs())
        held = [check(thalweg, expected, command) for expected, commands in classes.items() for command in commands[:of_each]]
        os.chdir("/")
    sys.exit(0 if all(held) else 1)


main()
