# benchmarks: an example program's own tables, as rows.
import json
import os
import subprocess
import sys

from harness.project import Missing
from harness.rounds import Failed

# What the examples' tables exit with when something that they need is not there.
NOT_THERE = 7


def run_table(name, project, options):
    table = os.path.join(project.root, "examples", name, "table")
    if not os.path.exists(table):
        raise Missing(f"{table} is not there")
    if options.variants or options.cases:
        print(f"bench: {name} always runs all of its variants and cases", file=sys.stderr)
    command = [table, "--json", "--build", project.build]
    command += ["--toy"] if options.toy else ["--rounds", str(options.rounds)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode == NOT_THERE:
        raise Missing(f"{table} says what is missing, above")
    if done.returncode != 0:
        raise Failed(f"{table} ended with {done.returncode}")
    return [json.loads(line) for line in done.stdout.splitlines()]
