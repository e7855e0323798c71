# benchmarks: SecComm's figures (the paper's Figure 12); examples/seccomm/table measures them.
from harness.example import run_table

DESCRIPTION = "SecComm: push and pop by message size, code size"


def run(project, options):
    return run_table("seccomm", project, options)
