#!/usr/bin/env python3
"""What comes late, or seldom, is recorded: lists and events that run in phases, beside what the program itself counted.

phases.py BUILD [LISTS]: lists of their own place, lists of one place and unnamed events of one array; default 150 of each."""
import json
import os
import random
import subprocess
import sys
import tempfile

PHASE = (200, 2000)
# More than the recorder notes in full of a thread: what comes after that is sampled.
BUSY = 300000
# Events of one array are raised at one site, whose dispatches are sampled together: of more, some that ran 100 times are never met.
MANY_SAMPLED = 2000


def lists_of_their_own_place(count):
    """Each list has a loop of its own, some raise a later one inside; at the end the program prints how often each ran."""
    pick = random.Random(1)
    out = ["#include <cstdio>", "#include <vector>", "using Handler = void (*)(int); unsigned long sum = 1;",
           f"std::vector<Handler> lists[{count}]; long ran[{count}];"]
    out += [f"void raise{i}(int);" for i in range(count)]
    for i in range(count):
        handlers = pick.randint(1, 4)
        for h in range(handlers):
            inside = ""
            if h == 0 and i + 1 < count and pick.random() < 0.6:
                inside = f" if ((v & 3) == 0) raise{min(count - 1, i + pick.randint(1, 3))}(v + 1);"
            out.append(f"static void handler{i}_{h}(int v) {{ sum = sum * {pick.randint(3, 9)} + v + {i};{inside} }}")
        names = ", ".join(f"handler{i}_{h}" for h in range(handlers))
        out.append(f"__attribute__((noinline)) void raise{i}(int v) {{ ++ran[{i}]; for (Handler h : lists[{i}]) h(v); }}")
        out.append(f"__attribute__((noinline)) static void bind{i}() {{ lists[{i}] = {{{names}}}; }}")
        out.append(f"__attribute__((noinline)) static void run{i}() "
                   f"{{ for (int k = 0; k < {pick.randint(*PHASE)}; ++k) raise{i}(k); }}")
    out += ["int main() {", *(f"bind{i}();" for i in range(count)),
            f"for (int k = 0; k < {BUSY}; ++k) raise{count - 1}(1);", *(f"run{i}();" for i in reversed(range(count))),
            'for (long one : ran) std::printf("%ld\\n", one);', 'std::fprintf(stderr, "%lu\\n", sum); }']
    return "\n".join(out)


def lists_of_one_place(count):
    """One loop runs through all of them."""
    pick = random.Random(2)
    out = ["#include <cstdio>", "#include <vector>", "using Handler = void (*)(int);", f"long ran[{count}];",
           f"std::vector<Handler> lists[{count}];",
           "__attribute__((noinline)) void fire(const std::vector<Handler> &list, int v) { for (Handler h : list) h(v); }"]
    out += [f"static void handler{i}(int v) {{ ran[{i}] += v; }}" for i in range(count)]
    out += ["int main() {", *(f"lists[{i}] = {{handler{i}}};" for i in range(count)),
            f"for (int k = 0; k < {BUSY}; ++k) fire(lists[0], 1);",
            *(f"for (int k = 0; k < {pick.randint(*PHASE)}; ++k) fire(lists[{i}], 1);" for i in range(1, count)),
            'for (long one : ran) std::printf("%ld\\n", one); }']
    return "\n".join(out)


def events_of_one_array(count):
    """Nobody gave them names."""
    return f"""#include <cstdio>
#include <thalweg/event.h>
static thalweg::Event<int> bus[{count}];
static long ran[{count}];
int main() {{
    for (int i = 0; i < {count}; ++i)
        bus[i].bind([i](int v) {{ ran[i] += v; }});
    for (int k = 0; k < {BUSY}; ++k)
        bus[0].raise(1);
    for (int i = 1; i < {count}; ++i)
        for (int k = 0; k < 100 + i % 400; ++k)
            bus[i].raise(1);
    for (long one : ran)
        std::printf("%ld\\n", one);
}}"""


def check(good, words):
    if not good:
        sys.exit(f"FAILED: {words}")


class Recorded:
    """A program's own counts, and what a recording tells."""

    def __init__(self, build, name, source, *options, flags=()):
        tool = os.path.join(build, "bin", "thalweg")
        with open(f"{name}.cc", "w", encoding="utf-8") as file:
            file.write(source)
        if not os.path.exists(name):
            subprocess.run([os.path.join(build, "bin", "thalweg-c++"), "-std=c++20", "-O1", f"{name}.cc", "-o", name, *flags],
                           check=True)
        run = subprocess.run([tool, "record", *options, "-o", f"{name}.profile", "--", f"./{name}"], check=True,
                             capture_output=True, text=True)
        self.truth = [int(line) for line in run.stdout.split()]
        self.said = run.stderr
        self.text = subprocess.run([tool, "report", "--all", f"{name}.profile"], check=True, capture_output=True, text=True).stdout
        shown = subprocess.run([tool, "report", "--json", f"{name}.profile"], check=True, capture_output=True, text=True).stdout
        self.profile = json.loads(shown)["profile"]
        check("WARNING" not in self.said + self.text, f"{name}: {self.said}")

    def counts_by_function(self):
        """Of each first handler: how often its sequences ran, and how far that may be off."""
        counts = {}
        for one in self.profile["sequences"]:
            for target in one["targets"][:1]:
                count, error = counts.get(target["function"], (0, 0))
                counts[target["function"]] = (count + one["count"], error + one["error"])
        return counts


def within(what, found, truth):
    count, error = found
    check(abs(count - truth) <= error, f"{what}: {count} +-{error} is not {truth}")


def check_own_places(recorded, name):
    events = {event["name"].split("#")[0].split(" ")[-1]: event for event in recorded.profile["events"]}
    check(len(events) == len(recorded.truth), f"{name}: {len(events)} events of {len(recorded.truth)}")
    for i, truth in enumerate(recorded.truth):
        event = events[f"_Z{len(f'raise{i}')}raise{i}i"]
        check((event["raises"], event["error"]) == (truth, 0), f"{name}: list {i} ran {truth} times: {event}")
    for function, found in recorded.counts_by_function().items():
        number = int(function.split("handler")[1].split("_")[0])
        within(f"{name}: {function}", found, recorded.truth[number])


def check_array(recorded, many, most_error=None):
    events = recorded.profile["events"]
    check(len(events) == many, f"{len(events)} events of an array of {many}")
    for i, event in enumerate(events):
        within(f"event {i} of the array", (event["raises"], event["error"]), recorded.truth[i])
        check(most_error is None or event["error"] <= most_error, f"event {i} of the array has an error of {event['error']}")


def main():
    build = os.path.abspath(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 150
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        source = lists_of_their_own_place(count)
        sampled = Recorded(build, "own", source)
        check_own_places(sampled, "lists of their own place")
        check("~" in sampled.text and "\u00b1" in sampled.text, "no estimate is marked as one")
        exact = Recorded(build, "own", source, "--exact")
        check_own_places(exact, "--exact")
        counts = exact.text.split("\nEvents\n")[1].split("\nEvent graph")[0]  # times, before them, are estimated always
        check("~" not in counts + exact.said and "all counts are exact" in exact.said, exact.said)
        check(all(one["error"] == 0 for one in exact.profile["sequences"] + exact.profile["edges"]), "--exact has errors")

        shared = Recorded(build, "shared", lists_of_one_place(count))
        counts = shared.counts_by_function()
        check(len(counts) == count, f"lists of one place: {len(counts)} of {count} were seen")
        for i, truth in enumerate(shared.truth):
            within(f"lists of one place: list {i}", counts[f"_ZL{len(f'handler{i}')}handler{i}i"], truth)

        runtime = [f"-I{os.path.join(os.path.dirname(__file__), '../../include')}", os.path.join(build, "lib/thalweg/libthalweg.a")]
        many = min(count * 8, MANY_SAMPLED)
        check_array(Recorded(build, "array", events_of_one_array(many), flags=runtime), many)
        all_of_them = count * 8
        check_array(Recorded(build, "larger_array", events_of_one_array(all_of_them), "--exact", flags=runtime), all_of_them, 0)
    print(f"{count} lists of their own place, {count} of one place, {many} events of one array: all seen, all within their errors; "
          f"of {all_of_them} each count exact")


if __name__ == "__main__":
    main()
