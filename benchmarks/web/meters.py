# benchmarks: what a request costs a web server: CPU time, instructions, system calls, memory of connections that wait.
import os
import re
import shutil
import signal
import subprocess
import time

from harness.project import Missing
from harness.rounds import Failed

from web import client

TICKS_PER_S = os.sysconf("SC_CLK_TCK")
# Requests before anything is measured: caches are filled, buffers touched.
WARM_UP = 2000


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
    client.requests(process.name, process.port, 1, size.warm_up)
    before = resident_bytes(process)
    with client.idle_connections(process.name, process.port, size.idle):
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
        total = re.search(r"^\S+ +\S+ +(?:\S+ +)?(\d+)(?: +\d+)? total$", table.read(), re.MULTILINE)
    if total is None:
        raise Failed(f"{counts} has no sum of its system calls")
    return int(total.group(1)) / answered


def instructions(site, name, program, size):
    """User instructions per request: the difference of two runs under callgrind, so that starting is in both."""
    if shutil.which("valgrind") is None:
        raise Missing("valgrind is not installed (tools/setup)")
    counted, answered = [], []
    for each in size.counted:
        with site.running(name, program, ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]) as process:
            answered.append(client.requests(name, process.port, size.counted_connections, each))
        match = re.search(r"Collected : (\d+)", process.words())
        if match is None:
            raise Missing(f"valgrind could not count its instructions: {process.words()[-300:]}")
        counted.append(int(match.group(1)))
    return (counted[1] - counted[0]) / (answered[1] - answered[0])
