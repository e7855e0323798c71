#!/usr/bin/env python3
# tests: what start-stop-daemon costs until the daemon runs, original and optimised in pairs, at two limits of open files
"""usage: daemon.py ORIGINAL OPTIMISED [PAIRS]

Processor time of the program and of all that it leaves behind, which this one waits for; the median of the pairs' ratios, with its
95 % interval. The daemon is /bin/true."""

import ctypes
import os
import resource
import statistics
import subprocess
import sys

PR_SET_CHILD_SUBREAPER = 36
LIMITS = (1024, 20000)
PAIRS = 31


def cpu_ms(program):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([program, "--start", "--background", "--exec", "/bin/true"], stdout=subprocess.DEVNULL, check=True)
    while True:
        try:
            os.wait()
        except ChildProcessError:
            break
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1e3


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    original, optimised = (os.path.abspath(name) for name in sys.argv[1:3])
    pairs = int(sys.argv[3]) if len(sys.argv) > 3 else PAIRS
    if ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        sys.exit("daemon.py: the kernel lets nobody wait for daemons here")
    for limit in LIMITS:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
        taken = [(cpu_ms(original), cpu_ms(optimised)) for _ in range(pairs)]
        ratios = sorted(second / first for first, second in taken)
        # Order statistics of the median: its rank has a standard deviation of half the root of the count.
        reach = round(1.96 * pairs ** 0.5 / 2)
        middle = pairs // 2
        low, high = ratios[max(0, middle - reach)], ratios[min(pairs - 1, middle + reach)]
        print(f"{limit} files: original {statistics.median(one for one, _ in taken):.2f} ms, optimised "
              f"{statistics.median(two for _, two in taken):.2f} ms, ratio {statistics.median(ratios):.2f} ({low:.2f} to {high:.2f})")


main()
