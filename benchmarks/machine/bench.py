# benchmarks: what crossings cost on this machine, as `thalweg machine` measures them.
import json
import os
import subprocess

from harness.rounds import Failed
from harness.timed import chosen

DESCRIPTION = "the crossing costs of this machine: calls, system calls, switches, files, io_uring"

# What a case's other ways of doing the same are set against.
AGAINST = "call"


def row_of(cost, types):
    place = types.get(cost.get("folder"), "")
    case = cost.get("against") or cost["name"]
    variant = cost["name"] if cost.get("against") else AGAINST
    variant += f" x {cost['group']}" if cost.get("group") else ""
    seconds, ratio = cost["seconds"], cost.get("ratio")
    return {"bench": "machine", "case": f"{case} ({place})" if place else case, "variant": variant, "metric": cost["time"],
            "value": seconds["median"], "unit": "s", "ratio": ratio["median"] if ratio else 1.0, "against": AGAINST,
            "n": seconds["n"], "spread": [ratio["low"], ratio["high"]] if ratio else [1.0, 1.0]}


def file_systems(machine):
    """What a row's folder is called: its file system's type, with the folder where two are of one type."""
    systems = machine["file_systems"]
    types = [system["type"] for system in systems]
    return {system["folder"]: system["type"] if types.count(system["type"]) == 1 else f"{system['type']} {system['folder']}"
            for system in systems}


def run(project, options):
    project.need_tool()
    os.makedirs(project.scratch(""), exist_ok=True)
    command = [project.tool, "machine", "--json", "--rounds", str(options.rounds), "-o", project.scratch("machine.json")]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise Failed(f"{' '.join(command)} ended with {done.returncode}")
    machine = json.loads(done.stdout)["machine"]
    types = file_systems(machine)
    rows = [row_of(cost, types) for cost in machine["costs"]]
    cases = chosen(options.cases, list(dict.fromkeys(row["case"] for row in rows)))
    variants = chosen(options.variants, list(dict.fromkeys(row["variant"] for row in rows)), (AGAINST,))
    return [row for row in rows if row["case"] in cases and row["variant"] in variants]
