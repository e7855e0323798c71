"""Runs a workflow of GitHub Actions here, as far as it is made of `run:` steps and of the three actions that move files.

Each job gets an empty workspace, at the same path as every other job's, and what it puts into another one travels as an artefact: without
permissions and without hidden files, as there.
"""
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import yaml


class Failed(Exception):
    pass


def in_order(jobs):
    """The names of the jobs, each after those that it needs."""
    done = []
    while len(done) < len(jobs):
        ready = [name for name, job in jobs.items() if name not in done and set(needs(job)) <= set(done)]
        if not ready:
            raise Failed(f"no job can be next of {', '.join(jobs)}: they need each other, or one that is not there")
        done += ready
    return done


def needs(job):
    wanted = job.get("needs", [])
    return [wanted] if isinstance(wanted, str) else wanted


@dataclass
class Runner:
    sources: Path  # what a checkout gives
    scratch: Path
    environment: dict

    @property
    def workspace(self):
        return self.scratch / "workspace"

    def artefact(self, step):
        return self.scratch / "artefacts" / step["with"]["name"]

    def checkout(self, _step):
        listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=self.sources, capture_output=True, text=True,
                                check=True).stdout.splitlines()
        for path in listed:
            (self.workspace / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(self.sources / path, self.workspace / path)

    def upload(self, step):
        path = step["with"]["path"]
        found = [file for file in self.workspace.glob(path) if file.is_file() and not file.name.startswith(".")]
        if not found:
            raise Failed(f"{path}, which is to be uploaded, is not there")
        self.artefact(step).mkdir(parents=True)
        for file in found:
            shutil.copyfile(file, self.artefact(step) / file.name)

    def download(self, step):
        if not self.artefact(step).is_dir():
            raise Failed(f"there is no artefact {step['with']['name']}")
        for file in self.artefact(step).iterdir():
            shutil.copyfile(file, self.workspace / file.name)

    def run(self, step, environment):
        if "uses" in step:
            action = step["uses"].partition("@")[0]
            actions = {"actions/checkout": self.checkout, "actions/upload-artifact": self.upload, "actions/download-artifact": self.download}
            if action not in actions:
                raise Failed(f"the action {action} is none of {', '.join(actions)}")
            actions[action](step)
            return ""
        done = subprocess.run(["bash", "-e", "-c", step["run"]], cwd=self.workspace, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False, env=self.environment | environment | step.get("env", {}))
        if done.returncode:
            raise Failed(f"'{step['run']}' ended with {done.returncode}:\n{done.stdout[-3000:]}")
        return done.stdout


def run(workflow, sources, scratch, path):
    """What the steps said, by the names of their jobs. `path`: where the programs are."""
    runner = Runner(sources, scratch, os.environ | {"PATH": f"{path}:{os.environ['PATH']}"})
    document = yaml.safe_load(workflow)
    said = {}
    for name in in_order(document["jobs"]):
        job = document["jobs"][name]
        shutil.rmtree(runner.workspace, ignore_errors=True)
        runner.workspace.mkdir()
        environment = document.get("env", {}) | job.get("env", {})
        said[name] = "".join(runner.run(step, environment) for step in job["steps"])
    return said
