#!/usr/bin/env python3
# tests: runs the plug-in on one small program, with the plan that stands in the program's own comments.
#
#   transform.py --build BUILD probe FILE            the instrumented module
#   transform.py --build BUILD optimize FILE         the optimised module, then what became of each decision, as comments
#   transform.py --build BUILD object FILE           the specialised function alone, under the name "alone", and what is told of it
#   transform.py --build BUILD run FILE              original and optimised program run; they must show the same, and end with 0
#                                                    or with the code of a line "EXIT: CODE"
#
# FILE is .ll, .c or .cc. A line "PLAN: ID merge FUNCTION/ORDINAL = TARGET..." or
# "PLAN: ID subsume FUNCTION/ORDINAL in PARENT.POSITION = TARGET..." is a decision. A target is FUNCTION or
# FUNCTION@CONTEXT+OFFSET, TARGET#N the one that the loop's call N has called, TARGET*N is N of it; a name with * in it is the one symbol that matches. The hash of a site's body comes
# from a probe run, unless hash=NUMBER stands before the "="; refusal=NAME there makes it a refused one, gain=NUMBER is what it is expected
# to gain. "FLAGS: ..." are more
# flags for the compiler.
#
# A line "PLAN: ID specialize FUNCTION : FACT ; FACT..." is a decision to specialise FUNCTION. A FACT is one of
#   argument FUNCTION/N[:WIDTH] = VALUE | VALUE...             argument N on entry
#   load FUNCTION/N[:WIDTH] = VALUE...                         load instruction N, in block order
#   load FUNCTION/N[:WIDTH] from CALLER/M = VALUE...           the same where call M of CALLER, intrinsics not counted, led there
#   memory FUNCTION/N[:WIDTH] OFFSET... = VALUE...             behind pointer argument N
# WIDTH is in bytes, 8 where it is not given. A VALUE is a number or @SYMBOL or @SYMBOL+OFFSET. The word "trusted" before the "="
# makes it the user's word; hash=NUMBER there stands in for the body's hash from the probe run. growth=NUMBER after FUNCTION: the
# instructions that the plan allows; without it the facts are the user's. parent=ID there: only where that decision can't be made. gain=NUMBER:
# as above.
#
# A line "PLAN: ID reuse FUNCTION/0" is a decision about all calls of a function of the C library.
# A line "PLAN: ID elide|hoist|coalesce|fuse|overlap|expand FUNCTION/N FUNCTION/N..." is a decision about system calls: call N of FUNCTION (those of
# src/model/system_call.h alone are counted), and the others of its group. One of kind overlap has independent=PROGRAM:VERSION:PROCEDURE,...
# behind them.
#
# A line "PLACE: FUNCTION OFFSET" tells where in a cache line a function of the program that was built begins.
#
# A line "PLAN: ID cache FUNCTION" is a decision to keep FUNCTION's results; hash=NUMBER and refusal=NAME may stand behind it.
import argparse
import fnmatch
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SLOWEST_S = 120
# Value names are what the checks read; the rest is how thalweg-cc compiles.
FRONT_END = ["-O2", "-flto", "-fno-discard-value-names", f"-I{HERE}/inputs", f"-I{ROOT}/include"]


REMARKS = [f"-pass-remarks{kind}=thalweg" for kind in ("", "-missed")]


# In a build under the sanitizers: a program that does what opt-19 does and holds the plug-in's code (opt.cc).
SANITIZED_OPT = os.path.join("bin", "thalweg_opt")
PLUG_IN = os.path.join("lib", "thalweg", "ThalwegPasses.so")
UNIT_PLUG_IN = os.path.join("lib", "thalweg", "ThalwegUnit.so")


class Failed(Exception):
    pass


class Refused(Exception):
    """The plug-in ended the run and said why."""


def call(command, environment=None, allowed=(0,)):
    done = subprocess.run(command, capture_output=True, check=False, timeout=SLOWEST_S,
                          env={**os.environ, **(environment or {})})
    if done.returncode not in allowed:
        raise Failed(f"{shlex.join(command)}\nended with {done.returncode}\n{done.stderr.decode(errors='replace')[-4000:]}")
    return done


def is_sanitized(build):
    return os.path.exists(os.path.join(build, SANITIZED_OPT))


def opt_of(build):
    """The command that runs the plug-in's passes."""
    if is_sanitized(build):
        return [os.path.join(build, SANITIZED_OPT)]
    return ["opt-19", f"-load-pass-plugin={os.path.join(build, PLUG_IN)}", "-S"]


def lines_of(outcome):
    """The binding times of the source, a row for each line and for each reason."""
    rows = []
    for function in (function for one in outcome["decisions"] for function in one.get("functions", [])):
        for line in function["lines"]:
            counts = " ".join(f"{word} {line.get(word, 0)}" for word in ("evaluated", "residual", "tested", "trusted"))
            rows.append(f"; line {function['function']}:{line['line']}: {counts}\n")
            rows += [f";   why: {reason}\n" for reason in line.get("reasons", [])]
    return "".join(rows)


def check_outcome(planned, outcome):
    """Each decision of the plan is told of once, with a reason."""
    told = [one["decision"] for one in outcome["decisions"]]
    if sorted(planned) != told:
        raise Failed(f"the plan has the decisions {sorted(planned)}, the outcome {told}")
    silent = [one["decision"] for one in outcome["decisions"] if not one["reason"]]
    if silent:
        raise Failed(f"no reason is given for {silent}")


class Decision:
    """One PLAN line."""

    def __init__(self, line):
        left, right = line.split(" =", 1)
        words = shlex.split(left)
        self.id, self.kind = int(words[0]), words[1]
        self.function, ordinal = words[2].rsplit("/", 1)
        self.ordinal = int(ordinal)
        self.keys = dict(word.split("=", 1) for word in words[3:] if "=" in word)
        self.parent, self.position = 0, 0
        if "in" in words:
            self.parent, self.position = map(int, words[words.index("in") + 1].split("."))
        self.targets = [target for word in shlex.split(right) for target in self.parse_target(word)]

    @staticmethod
    def parse_target(word):
        times = re.fullmatch(r"(.*)\*(\d+)", word)
        word, count = (times[1], int(times[2])) if times else (word, 1)
        word, _, call = word.partition("#")
        function, _, context = word.partition("@")
        context, _, offset = context.partition("+")
        return [(function, int(call or 0), context, int(offset or 0))] * count

    def toml(self, table):
        def name(glob):
            return json.dumps(table.name_of(glob))
        site = table.name_of(self.function)
        body_hash = self.keys.get("hash") or table.hash_of(site, self.ordinal)
        targets = ", ".join(f"{{ function = {name(function)}, ordinal = {call}"
                            + (f", context = {name(context)}, context_offset = {offset}" if context else "") + " }"
                            for function, call, context, offset in self.targets)
        nested = f"parent = {self.parent}\nposition = {self.position}\n" if self.kind == "subsume" else ""
        refusal = self.keys.get("refusal")
        verdict = f'"refuse"\nrefusal = "{refusal}"' if refusal else '"apply"'
        return (f'[[decision]]\nid = {self.id}\nkind = "{self.kind}"\nverdict = {verdict}\n'
                f"weight = {self.keys.get('weight', 1000)}\npredicted_gain_total_ms = {self.keys.get('gain', 0)}\n"
                f'site = {{ function = {json.dumps(site)}, ordinal = {self.ordinal}, body_hash = "{body_hash}" }}\n'
                f"targets = [{targets}]\n{nested}")


class Fact:
    """One of the facts of a PLAN line."""

    def __init__(self, text):
        left, right = text.split("=", 1) if "hash=" not in text else re.fullmatch(r"(.*hash=\S+[^=]*)=(.*)", text).groups()
        kind, what, *rest = left.split()
        self.kind, self.trusted = kind, "trusted" in rest
        self.function, ordinal = what.rsplit("/", 1)
        ordinal, _, width = ordinal.partition(":")
        self.ordinal, self.width = int(ordinal), int(width or 8)
        self.hash = dict(word.split("=", 1) for word in rest if "=" in word).get("hash")
        self.call = rest[rest.index("from") + 1] if "from" in rest else None
        self.path = [int(word) for word in rest if re.fullmatch(r"-?\d+", word)]
        self.values = [word.strip() for word in right.split("|")]

    def value(self, word, table):
        if word.startswith("@"):
            symbol, _, offset = word[1:].partition("+")
            return f"{{ symbol = {json.dumps(table.name_of(symbol))}, bits = {int(offset or 0)} }}"
        return f'{{ bits = "{int(word, 0) & ((1 << (8 * self.width)) - 1):#x}" }}'

    def toml(self, table):
        function = table.name_of(self.function)
        path = f", path = {self.path}" if self.path else ""
        if self.call:
            caller, ordinal = self.call.rsplit("/", 1)
            path += (f', call = {{ caller = "{caller}", ordinal = {ordinal}, '
                     f'body_hash = "{table.hash_of_body(caller)}" }}')
        return (f'{{ kind = "{self.kind}", function = {json.dumps(function)}, ordinal = {self.ordinal}, width = {self.width}, '
                f'body_hash = "{self.hash or table.hash_of_body(function)}"{path}, '
                f'values = [{", ".join(self.value(word, table) for word in self.values)}], '
                f'trusted = {str(self.trusted).lower()} }}')


class Specialization:
    """A PLAN line of kind specialize."""

    def __init__(self, line):
        left, right = line.split(" :", 1)
        words = shlex.split(left)
        self.id, self.function = int(words[0]), words[2]
        self.keys = dict(word.split("=", 1) for word in words[3:])
        self.facts = [Fact(fact.strip()) for fact in right.split(";")]

    def toml(self, table):
        function = table.name_of(self.function)
        body_hash = self.keys.get("hash") or table.hash_of_body(function)
        refusal = self.keys.get("refusal")
        verdict = f'"refuse"\nrefusal = "{refusal}"' if refusal else '"apply"'
        return (f'[[decision]]\nid = {self.id}\nkind = "specialize"\nverdict = {verdict}\n'
                f"weight = {self.keys.get('weight', 1000)}\npredicted_gain_total_ms = {self.keys.get('gain', 0)}\n"
                f"growth_instructions = {self.keys.get('growth', 0)}\n"
                f"parent = {self.keys.get('parent', 0)}\n"
                f'site = {{ function = {json.dumps(function)}, ordinal = 0, body_hash = "{body_hash}" }}\n'
                f"facts = [{', '.join(fact.toml(table) for fact in self.facts)}]\n")


class Cache:
    """A PLAN line of kind cache."""

    def __init__(self, line):
        words = shlex.split(line)
        self.id, self.function = int(words[0]), words[2]
        self.keys = dict(word.split("=", 1) for word in words[3:])

    def toml(self, table):
        function = table.name_of(self.function)
        body_hash = self.keys.get("hash") or table.hash_of_body(function)
        refusal = self.keys.get("refusal")
        verdict = f'"refuse"\nrefusal = "{refusal}"' if refusal else '"apply"'
        return (f'[[decision]]\nid = {self.id}\nkind = "cache"\nverdict = {verdict}\nweight = 1000\n'
                f'site = {{ function = {json.dumps(function)}, ordinal = 0, body_hash = "{body_hash}" }}\n')


class SystemCalls:
    """A PLAN line of one of the kinds that are about system calls."""

    def __init__(self, line):
        words = shlex.split(line)
        self.id, self.kind = int(words[0]), words[1]
        self.calls = [word.rsplit("/", 1) for word in words[2:] if "=" not in word]
        self.keys = dict(word.split("=", 1) for word in words[2:] if "=" in word)

    def toml(self, table):
        def site(function, ordinal):
            function = table.name_of(function)
            # What is about all calls of a function names the function, which has no place.
            body_hash = self.keys.get("hash") or ("0x0" if self.kind == "reuse" else None) or table.hash_of(function, int(ordinal), "call")
            return f'{{ kind = "call", function = {json.dumps(function)}, ordinal = {ordinal}, body_hash = "{body_hash}" }}'

        first, *others = [site(*call) for call in self.calls]
        independent = ""
        if "independent" in self.keys:
            program, version, procedures = self.keys["independent"].split(":")
            independent = f"independent = [{{ program = {program}, version = {version}, procedures = [{procedures}] }}]\n"
        group = "" if self.kind in ("expand", "reuse") else f"group = [{', '.join(others)}]\n"
        return (f'[[decision]]\nid = {self.id}\nkind = "{self.kind}"\nverdict = "apply"\nweight = 1000\n'
                f"site = {first}\n{group}{independent}")


KINDS = {"specialize": Specialization, "cache": Cache} | dict.fromkeys(("elide", "hoist", "coalesce", "fuse", "overlap", "expand", "reuse"), SystemCalls)


def parse_plan_line(line):
    return KINDS.get(line.split()[1], Decision)(line)


class SiteTable:
    def __init__(self, text):
        self.table = json.loads(text)
        self.names = [symbol["name"] for symbol in self.table["symbols"]]
        self.names += [site["function"] for site in self.table["sites"]]
        self.bodies = [body["name"] for body in self.table["functions"]]

    def name_of(self, glob):
        if "*" not in glob:
            return glob
        # What can be a target comes first: a function that is only called has often a name that holds another's.
        found = next(filter(None, (sorted({name for name in names if fnmatch.fnmatchcase(name, glob)})
                                   for names in (self.names, self.bodies))), [])
        if len(found) != 1:
            raise Failed(f"{glob} matches {found or 'nothing'} of {self.names}")
        return found[0]

    def hash_of(self, function, ordinal, kind=None):
        for site in self.table["sites"]:
            if site["function"] == function and site["ordinal"] == ordinal and kind in (None, site.get("kind")):
                return site["body_hash"]
        return "0x0000000000000000"

    def hash_of_body(self, function):
        for body in self.table["functions"]:
            if body["name"] == function:
                return body["body_hash"]
        return "0x0000000000000000"


class Program:
    """One input file, in a folder of its own for what is made of it."""

    def __init__(self, path, build, folder):
        self.path, self.build, self.folder, self.count_guards, self.passes = path, build, folder, False, "thalweg"
        self.only, self.remarks, self.lines, self.instructions = [], False, False, False
        with open(path, encoding="utf-8") as file:
            self.text = file.read()
        self.plan_lines = re.findall(r"^\W*PLAN: (.*)$", self.text, re.MULTILINE)
        self.places = [{"function": name, "offset": int(offset)} for name, offset in re.findall(r"^\W*PLACE: (\S+) (\d+)$", self.text, re.MULTILINE)]
        self.exit_code = int(next(iter(re.findall(r"^\W*EXIT: (\d+)$", self.text, re.MULTILINE)), 0))
        self.flags = shlex.split(" ".join(re.findall(r"^\W*FLAGS: (.*)$", self.text, re.MULTILINE)))
        self.module = path if path.endswith(".ll") else self.file("module.ll")
        if self.module != path:
            language = ["clang-19", "-std=c11"] if path.endswith(".c") else ["clang++-19", "-std=c++20"]
            call([*language, *FRONT_END, f"-fpass-plugin={os.path.join(build, UNIT_PLUG_IN)}", *self.flags, "-S", "-emit-llvm", path, "-o", self.module])

    def file(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.file(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.file(name)

    def read(self, name):
        with open(self.file(name), encoding="utf-8", errors="replace") as file:
            return file.read()

    def transform(self, job, output):
        name = self.write("job.json", json.dumps({"format": "thalweg-job", "version": 1, **job}))
        done = call([*opt_of(self.build), f"-passes={self.passes}", self.module, "-o", self.file(output),
                     *(REMARKS if self.remarks else [])],
                    {"THALWEG_TRANSFORM_JOB": name}, allowed=range(-64, 256))
        said = done.stderr.decode(errors="replace")
        if done.returncode == 0:
            sys.stderr.write(said if self.remarks else "")
            return
        if done.returncode != 1 or "LLVM ERROR: thalweg: " not in said or "our bug" in said:
            raise Failed(f"the plug-in failed on {self.path}, code {done.returncode}:\n{said[-4000:]}")
        raise Refused(said.strip())

    def probe(self):
        self.transform({"mode": "probe", "site_table_path": self.file("sites.json")}, "twin.ll")
        return SiteTable(self.read("sites.json"))

    def optimize(self, decisions=None, table=None, mode="optimize"):
        """What became of each decision, in words. The table: of another build of the program."""
        table = table or self.probe()
        decisions = decisions or [parse_plan_line(line) for line in self.plan_lines]
        plan = self.write("plan.toml", 'format = "thalweg-plan"\nversion = 1\n\n'
                          + "\n".join(decision.toml(table) for decision in decisions))
        self.transform({"mode": mode, "plan_path": plan, "outcome_path": self.file("outcome.json"), "object_symbol": "alone",
                        "count_guards": self.count_guards, "only_decisions": self.only, "places": self.places}, "optimised.ll")
        outcome = json.loads(self.read("outcome.json"))
        check_outcome([decision.id for decision in decisions], outcome)
        return (lines_of(outcome) if self.lines else "") + "".join(f"; decision {one['decision']} {'applied' if one['applied'] else 'refused'}: {one['reason']}\n"
                       for one in outcome["decisions"]) + "".join(
                           f"; {key}: {value}\n" for key, value in outcome.get("object", {}).items()) + (
                               f"; {outcome['instructions_after'] - outcome['instructions_before']} instructions more\n" if self.instructions else "")

    def link(self, module, output):
        runtime = [os.path.join(self.build, "lib", "thalweg", f"libthalweg{room}.a") for room in ("", "_crossing")]
        # The runtime of a build under the sanitizers wants theirs.
        more = ["-fsanitize=address,undefined"] if is_sanitized(self.build) else []
        call(["clang++-19", "-O2", "-Wno-override-module", "--ld-path=/usr/lib/llvm-19/bin/ld.lld", *more, module, *runtime, "-o",
              self.file(output)])

    def exchange(self, one, other):
        """The optimised module's functions `one` and `other` each get the other's body."""
        def other_name(found):
            return found[1] + {one: other, other: one}[found[2]] + "("
        text, count = re.subn(rf"(?m)^(define .*@)({one}|{other})\(", other_name, self.read("optimised.ll"))
        if count != 2:
            raise Failed(f"{count} of the functions {one} and {other} are there")
        self.write("optimised.ll", text)

    def compare(self, exchanged=None):
        """The outcome, and the words in which the two programs differ, or None."""
        outcome = self.optimize()
        if exchanged:
            self.exchange(*exchanged.split(","))
        self.link(self.module, "original")
        self.link(self.file("optimised.ll"), "optimised")
        return outcome, self.difference("original", "optimised")

    def difference(self, one, other):
        # Under the sanitizers, too, malloc says with NULL that there is no memory.
        environment = {"ASAN_OPTIONS": "allocator_may_return_null=1"}
        shown = [call([self.file(name)], environment, range(-64, 256)) for name in (one, other)]
        said = [(done.returncode, done.stdout.decode(errors="replace")) for done in shown]
        # Two programs that crash alike show nothing.
        if said[0][0] != self.exit_code:
            raise Failed(f"{self.path}: the original ended with {said[0][0]}, not with {self.exit_code}:\n{said[0][1]}"
                         + shown[0].stderr.decode(errors="replace")[-1000:])
        if said[0] == said[1]:
            return None
        return "".join(f"--- {name} ended with {code} and wrote\n{text}" for name, (code, text) in zip((one, other), said))


def main():
    parser = argparse.ArgumentParser(description="runs the plug-in on one small program")
    parser.add_argument("--build", required=True)
    parser.add_argument("--keep", help="a folder for what is made of the program")
    parser.add_argument("--exchange", metavar="ONE,OTHER", help="run: exchange two functions' bodies in the optimised program")
    parser.add_argument("--count-guards", action="store_true", help="optimize: as a program that is to be recorded")
    parser.add_argument("--remarks", action="store_true", help="optimize: what the plug-in says to -Rpass and -Rpass-missed, too")
    parser.add_argument("--lines", action="store_true", help="optimize: what became of each line of the source, too")
    parser.add_argument("--instructions", action="store_true", help="optimize: how many instructions the module has more, too")
    parser.add_argument("--passes", default="thalweg", help="LLVM's name of the passes to run")
    parser.add_argument("verb", choices=("probe", "optimize", "object", "run"))
    parser.add_argument("file")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        if options.keep:
            os.makedirs(options.keep, exist_ok=True)
        program = Program(options.file, options.build, options.keep or temporary)
        program.count_guards, program.passes = options.count_guards, options.passes
        program.lines, program.instructions = options.lines, options.instructions
        program.remarks = options.remarks and options.verb == "optimize"
        if options.verb == "probe":
            program.probe()
            print(program.read("twin.ll"), program.read("sites.json"))
            return 0
        if options.verb in ("optimize", "object"):
            outcome = program.optimize(mode=options.verb)
            sys.stdout.write(program.read("optimised.ll") + outcome)
            return 0
        outcome, difference = program.compare(options.exchange)
        sys.stdout.write(outcome + (difference or "; the same\n"))
        return 1 if difference else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Refused as refused:
        print(f"; refused as a whole: {refused}")
        sys.exit(0)
    except Failed as failed:
        print(failed, file=sys.stderr)
        sys.exit(1)
