# benchmarks: how many instructions a program runs, counted by valgrind.
import re
import shutil
import subprocess

from harness.project import Missing
from harness.rounds import Failed


def need_valgrind():
    if shutil.which("valgrind") is None:
        raise Missing("valgrind is not installed (tools/setup)")


def without_debug_information(program):
    """A copy of the program. Debian's valgrind cannot read clang's."""
    subprocess.run(["strip", "--strip-debug", "-o", f"{program}.stripped", program], check=True)
    return f"{program}.stripped"


def instructions(command):
    """Of one run from its start to its end."""
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command], capture_output=True,
                          text=True, check=False)
    match = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or match is None:
        raise Failed(f"valgrind could not count the instructions of {' '.join(command)[:200]}: {done.stderr[-500:]}")
    return int(match.group(1))


def instructions_each(command_for, short, long):
    """Of one operation: command_for(count) runs so many. What starting costs is in both runs, and goes."""
    counts = [instructions(command_for(count)) for count in (short, long)]
    return (counts[1] - counts[0]) / (long - short)
