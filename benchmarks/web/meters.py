# benchmarks: what a request costs a web server: CPU time, instructions, system calls, memory of connections that wait.
import itertools
import os
import re
import shutil
import signal
import statistics
import subprocess
import time

from harness.project import Missing
from harness.rounds import Failed

from web import client

CALLS = 3  # the column in strace's table
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
SETTLES_S = 0.02  # a thousand steps


def cpu_seconds(process):
    """User and system time of the process and all its threads, those that have ended too."""
    with open(f"/proc/{process.process.pid}/stat", encoding="utf-8") as stat:
        words = stat.read().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / TICKS_PER_S


def resident_bytes(process):
    """Counted page by page: the sums of /proc/PID/status may lag by some hundred kB."""
    with open(f"/proc/{process.process.pid}/smaps_rollup", encoding="utf-8") as rollup:
        return int(re.search(r"^Rss: +(\d+) kB", rollup.read(), re.MULTILINE).group(1)) * 1024


def under_load(process, size, close=False):
    """(CPU time in µs per request, requests per second)."""
    before = cpu_seconds(process)
    answered, seconds = client.load(process.name, process.port, size.connections, size.load_s, close)
    return (cpu_seconds(process) - before) * 1e6 / answered, answered / seconds


def idle_bytes(process, size):
    client.warm_up(process.name, process.port, size.warm_up)
    before = resident_bytes(process)
    with client.connected(process.name, process.port, size.idle):
        return (resident_bytes(process) - before) / size.idle


def wait_for_words(path, pattern, what):
    end = time.monotonic() + client.TIMEOUT_S
    while time.monotonic() < end:
        with open(path, encoding="utf-8", errors="replace") as log:
            text = log.read()
        if re.search(pattern, text):
            return text
        time.sleep(0.02)
    raise Failed(f"{what}: {text[-500:]}")


def system_calls(process, size, folder):
    """Per request, while the load is on. Traced, a server is slow: whatever it does for many at once, it does for very many."""
    if shutil.which("strace") is None:
        raise Missing("strace is not installed (tools/setup)")
    told, counts = os.path.join(folder, "strace"), os.path.join(folder, "strace.counts")
    with open(told, "w", encoding="utf-8") as out, subprocess.Popen(
            ["strace", "-c", "-f", "-o", counts, "-p", str(process.process.pid)], stdout=out, stderr=out) as strace:
        try:
            words = wait_for_words(told, r"attached|strace: ", "strace")
            if "attached" not in words:
                raise Missing(f"strace may not look at it: {words[-300:]}")
            answered, _ = client.load(process.name, process.port, size.connections, size.load_s)
        finally:
            strace.send_signal(signal.SIGINT)
            strace.wait(timeout=client.TIMEOUT_S)
    with open(counts, encoding="utf-8") as table:
        total = [line.split() for line in table if line.endswith(" total\n")]
    if len(total) != 1:
        raise Failed(f"{counts} has no sum of its system calls")
    return int(total[0][CALLS]) / answered


class Steps:
    """A process whose instructions are counted."""

    def __init__(self, counter, process, folder):
        self.told = os.path.join(folder, "steps")
        with open(self.told, "w", encoding="utf-8") as out:
            self.counter = subprocess.Popen(["taskset", "-c", str(client.SERVER_CPU), counter, str(process.process.pid)],
                                            stdout=out, stderr=out)
        self.answers = 0

    def __enter__(self):
        words = wait_for_words(self.told, r"counting|ptrace", "counting instructions")
        if "counting" not in words:
            self.__exit__()
            raise Missing(f"its instructions may not be counted: {words}")
        return self

    def __exit__(self, *_):
        self.counter.terminate()
        self.counter.wait(timeout=client.TIMEOUT_S)

    def so_far(self):
        """When no more are added: the process waits."""
        before = None
        while True:
            time.sleep(SETTLES_S)
            self.counter.send_signal(signal.SIGUSR1)
            self.answers += 1
            words = wait_for_words(self.told, rf"(\d+ so far\s+){{{self.answers}}}", "counting instructions")
            now = int(re.findall(r"(\d+) so far", words)[-1])
            if now == before:
                return now
            before = now


def instructions(process, size, counter, folder, are_all_different=False):
    """User instructions per request, step by step: valgrind knows neither all that processors can nor all that kernels do.

    The median of some counts: a server that is a thousand times as slow as ever does what it does once a second a thousand times as
    often, but not in most of them."""
    counts = []
    headers = (f"X-Request: {number}\r\n" for number in itertools.count(1000)) if are_all_different else None
    with client.connected(process.name, process.port, size.connections) as connections, Steps(counter, process, folder) as steps:
        for begin in range(0, len(connections), size.counted_together):
            before = steps.so_far()
            answered = client.ask(process.name, connections[begin:begin + size.counted_together], 1, headers)
            counts.append((steps.so_far() - before) / answered)
    return statistics.median(counts)
