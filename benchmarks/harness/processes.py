# benchmarks: what a process costs from its start to its end: CPU time, and the system calls that it makes.
import contextlib
import os
import shutil
import subprocess

from harness.project import Missing
from harness.rounds import Failed

CALLS = 3  # the column in strace's table


@contextlib.contextmanager
def started(command, folder=None, stdin=os.devnull, stdout=os.devnull, stderr=None):
    """The process. stdout: a file, or subprocess.PIPE, which is read to its end and thrown away."""
    with contextlib.ExitStack() as files:
        source = files.enter_context(open(stdin, "rb"))
        piped = stdout is subprocess.PIPE
        target = subprocess.PIPE if piped else files.enter_context(open(stdout, "wb"))
        told = files.enter_context(open(stderr, "wb")) if stderr else None
        process = subprocess.Popen(command, cwd=folder, stdin=source, stdout=target, stderr=told)
        if piped:
            while os.read(process.stdout.fileno(), 1 << 20):
                pass
            process.stdout.close()
        yield process


def cpu_seconds(command, wanted=0, **places):
    """User and system time of the process and of the children that it waited for. wanted: the exit code."""
    with started(command, **places) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != wanted:
        raise Failed(f"{' '.join(command)[:200]} ended with {process.returncode}")
    return used.ru_utime + used.ru_stime


def crossings(command, counts, wanted=0, **places):
    """System calls of the process and its children, from execve to the end. counts: where strace leaves its table."""
    if shutil.which("strace") is None:
        raise Missing("strace is not installed (tools/setup)")
    with started(["strace", "-f", "-c", "-o", counts, *command], **places) as process:
        process.wait()
    if process.returncode != wanted:
        raise Failed(f"strace {' '.join(command)[:200]} ended with {process.returncode}")
    return total_calls(counts)


def total_calls(counts):
    """The sum of the table that `strace -c` left."""
    with open(counts, encoding="utf-8") as table:
        total = [line.split() for line in table if line.endswith(" total\n")]
    if len(total) != 1:
        raise Failed(f"{counts} has no sum of its system calls")
    return int(total[0][CALLS])
