# benchmarks: what is to be built, as a ninja file, so that only what changed is built again.
import os
import subprocess
import sys


class Ninja:
    def __init__(self, folder):
        self.folder = folder
        self.edges = []
        self.outputs = set()
        os.makedirs(folder, exist_ok=True)

    def edge(self, output, command, inputs=(), needs=(), depfile=False):
        """One file, the command that makes it, what it is made of, what else it depends on. Returns the file."""
        if output not in self.outputs:
            self.outputs.add(output)
            self.edges.append((output, command, tuple(inputs), tuple(needs), depfile))
        return output

    def compile(self, source, name, compiler, flags, needs=()):
        """An object of a source file, built again when a header changes."""
        output = os.path.join(self.folder, name + ".o")
        command = f"{compiler} -MMD -MF $out.d {' '.join(flags)} -c $in -o $out"
        return self.edge(output, command, [source], [*needs, *([compiler] if "/" in compiler else [])],
                         depfile=True)

    def build(self, targets):
        """Builds what can be built. Returns {target: what went wrong} of those that could not."""
        path = os.path.join(self.folder, "build.ninja")
        with open(path, "w", encoding="utf-8") as out:
            self.write(out)
        command = ["ninja", "-C", self.folder, "-f", path, "-k", "0", *targets]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode == 0:
            return {}
        print(done.stdout, file=sys.stderr)
        return {target: "not built" for target in targets if not self.up_to_date(path, target)}

    def up_to_date(self, path, target):
        command = ["ninja", "-C", self.folder, "-f", path, "-n", target]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        return "no work to do" in done.stdout

    def write(self, out):
        for number, (output, command, inputs, needs, depfile) in enumerate(self.edges):
            out.write(f"rule r{number}\n  command = {command}\n  description = {os.path.relpath(output, self.folder)}\n")
            if depfile:
                out.write("  depfile = $out.d\n  deps = gcc\n")
            implicit = f" | {' '.join(needs)}" if needs else ""
            out.write(f"build {output}: r{number} {' '.join(inputs)}{implicit}\n\n")
