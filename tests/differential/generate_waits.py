# tests: writes a random program of coroutines: tamed functions that wait for each other and for events, and coroutines of another kind.
import os
import random

import generate

HEADER = '// tests: generated; see tests/differential/generate_waits.py\n#include "waits.h"\n\n'
SUPPORT = "waits.cc"
# tamed functions alone, tamed functions that await others' coroutines too, others' alone
FAMILIES = ("tamed", "tamed", "both", "tamed", "both", "foreign")
PLACES, FEW_PLACES = 8, 3
# Places from here on belong to no server.
SPARE = 5


class Program:
    """What is random of a program, decided by its seed."""

    def __init__(self, seed):
        self.pick = random.Random(seed)
        self.family = FAMILIES[seed % len(FAMILIES)]
        self.servers = 0 if self.family == "foreign" else self.pick.randint(1, 4)
        self.sessions = 0 if self.family == "tamed" else self.pick.randint(1, 3)
        self.tasks = self.pick.randint(2, 5)
        self.sources = self.pick.randint(1, 3)
        self.names = 0
        self.has_tamed = self.family != "foreign"
        self.has_foreign = self.family != "tamed"

    def chance(self, part):
        return self.pick.random() < part

    def name(self):
        self.names += 1
        return self.names

    def spare(self):
        return self.pick.randrange(SPARE, PLACES)

    def few(self):
        return self.pick.randrange(FEW_PLACES)

    # ---- what any code may do, a handler or a coroutine ----

    def action(self):
        place, other, few = self.pick.randrange(PLACES), self.pick.randrange(PLACES), self.few()
        common = ["if (wild())\n        at.ints[{place}] = {{}};\n", "if (wild())\n        throw v;\n",
                  "if (may_raise()) {{\n        const Depth depth;\n        raise_source({source}, v + 1);\n    }}\n"]
        tamed = ["fire(at.ints[{place}], v);\n", "fire_copy(at.ints[{place}], v);\n", "fire(at.plains[{place}]);\n",
                 "fire_copy(at.plains[{place}]);\n", "fire(at.pairs[{few}], v, long(v) * 3);\n",
                 "fire(at.texts[{few}], std::to_string(v));\n", "fire_first(at.queues[{few}], v);\n", "fire_first(at.queues[{few}], v);\n",
                 "if (wild())\n        std::swap(at.ints[{place}], at.ints[{other}]);\n",
                 "if (wild() && at.shared[{few}])\n        at.shared[{few}]->cancel();\n",
                 "if (wild())\n        std::make_unique<rendezvous<int>>().swap(at.shared[{few}]);\n",
                 "mkevent(*at.shared[{few}], int(v)).trigger();\n",
                 "if (at.plains[{place}])\n        timer(us(draw(90)), event<>(std::move(at.plains[{place}])));\n",
                 "if (goes_on() && (v % 8 == 0 || wild()))\n        guard_{task}(v);\n"]
        foreign = ["batons[{place}].hand(v);\n", "if (wild())\n        std::swap(batons[{place}], batons[{other}]);\n"]
        choice = common + tamed * self.has_tamed + foreign * (7 if self.family == "foreign" else self.has_foreign)
        return "    " + self.pick.choice(choice).format(place=place, other=other, few=few, source=self.pick.randrange(self.sources),
                                                         task=self.pick.randrange(self.tasks))

    def handler(self, number):
        """Of a source. It lets the servers that are its own go on, and does something else."""
        own = [f"    fire(at.ints[{k}], v + {k});\n" if self.chance(0.7) else f"    fire_copy(at.ints[{k}], v + {k});\n"
               for k in range(self.servers) if k % self.sources == number]
        own += [f"    batons[{k}].hand(v - {k});\n" for k in range(self.sessions) if k % self.sources == number]
        steps = own + [self.action() for _ in range(self.pick.randint(0, 2))]
        self.pick.shuffle(steps)
        attribute = self.pick.choice(("", "", "[[gnu::noinline]] "))
        return (f"{attribute}void handler_{number}([[maybe_unused]] int v) {{\n    trace(\"handler\", {number}, v);\n"
                f"    if (!goes_on())\n        return;\n{''.join(steps)}}}\n")

    # ---- what a tamed function waits for; `first` is the place that its server has for itself, or None ----

    def int_place(self, first, event):
        """Gives an event<int> to somebody."""
        if first is not None:
            return f"at.ints[wild() ? draw({PLACES}) : {first}] = {event};"
        few, task = self.few(), self.pick.randrange(self.tasks)
        return self.pick.choice((f"at.ints[{self.spare()}] = {event};", f"at.queues[{few}].push_back({event});",
                                 f"timer(us(draw(80)), bind(event<int>({event}), int(v + 1)));", f"tell_{task}({event}, v);",
                                 f"timer(us({self.pick.randint(0, 60)}), bind(event<int>({event}), 7));"))

    def wait_for_all(self, first, n):
        own = self.int_place(first, f"mkevent(all_{n}, a_{n})")
        more = self.pick.choice(("", "", f"timer(us(draw(60)), mkevent(all_{n}));",
                                 f"at.pairs[{self.few()}] = mkevent(all_{n}, b_{n}, c_{n});" if first is None else "",
                                 self.int_place(None, f"mkevent(all_{n}, b_{n})")))
        return (f"int a_{n} = 0, b_{n} = 0;\n    [[maybe_unused]] long c_{n} = 0;\n    gather all_{n};\n    {own}\n    {more}\n"
                f"    co_await all_{n};\n    v = mix(v, a_{n} + 3 * b_{n});\n")

    def wait_for_any(self, first, n):
        own = self.int_place(first, f"mkevent(r_{n}, 1, a_{n})")
        other = self.pick.choice((f"timer(us(100 + draw(400)), mkevent(r_{n}, 2));", f"at.plains[{self.spare()}] = mkevent(r_{n}, 2);",
                                  f"at.plains[{self.spare()}] = mkevent(r_{n}, 2);\n    timer(us(300), mkevent(r_{n}, 3));"))
        end = self.pick.choice((f"r_{n}.cancel();", f"if (wild())\n        r_{n}.cancel();",
                                f"if (wild())\n        v = mix(v, co_await r_{n});"))
        return (f"int a_{n} = 0;\n    rendezvous<int> r_{n};\n    {own}\n    {other}\n    v = mix(v, co_await r_{n});\n"
                f"    v = mix(v, a_{n});\n    {end}\n")

    def wait_for_one(self, first, n):
        own = self.int_place(first, f"mkevent(r_{n}, a_{n})")
        return f"int a_{n} = 0;\n    rendezvous<> r_{n};\n    {own}\n    co_await r_{n};\n    v = mix(v, a_{n});\n"

    def wait_with_two_ids(self, first, n):
        own = self.int_place(first, f"mkevent(r_{n}, 5, 'x', a_{n})")
        return (f"int a_{n} = 0;\n    rendezvous<int, char> r_{n};\n    {own}\n    timer(us(200), mkevent(r_{n}, 6, 'y'));\n"
                f"    const auto [id_{n}, letter_{n}] = co_await r_{n};\n    v = mix(v + id_{n}, a_{n} + letter_{n});\n    r_{n}.cancel();\n")

    def wait_with_limit(self, first, n):
        own = self.int_place(first, f"add_timeout(us({self.pick.randint(20, 400)}), event<bool, int>(mkevent(all_{n}, ok_{n}, a_{n})))")
        return (f"int a_{n} = 0;\n    bool ok_{n} = false;\n    gather all_{n};\n    {own}\n    co_await all_{n};\n"
                f"    v = mix(v, ok_{n} ? a_{n} : -1);\n")

    def wait_through_adapter(self, first, n):
        inner = self.pick.choice((f"map<int>(event<int>(mkevent(all_{n}, a_{n})), [](int x) {{ return 2 * x + 1; }})",
                                  f"unbind<int>(mkevent(all_{n}))", f"with_cancel(stop_{n}, event<int>(mkevent(all_{n}, a_{n})))",
                                  f"distribute(event<int>(mkevent(all_{n}, a_{n})), event<int>(mkevent(all_{n}, b_{n})))"))
        own = self.int_place(first, inner)
        stop = f"at.plains[{self.spare()}] = std::move(stop_{n});" if "stop_" in inner else ""
        return (f"int a_{n} = 0, b_{n} = 0;\n    event<> stop_{n};\n    gather all_{n};\n    {own}\n    {stop}\n    co_await all_{n};\n"
                f"    v = mix(v, a_{n} + b_{n});\n")

    def wait_in_child(self, first, n):
        place = first if first is not None else self.spare()
        return f"    v = mix(v, co_await receive(wild() ? draw({PLACES}) : {place}, v % 2 != 0));\n"

    def wait(self, first):
        n = self.name()
        how = self.pick.choice((self.wait_for_all, self.wait_for_all, self.wait_for_any, self.wait_for_one, self.wait_with_two_ids,
                                self.wait_with_limit, self.wait_through_adapter, self.wait_in_child))
        return how(first, n) + f"    trace(\"waited\", {n}, v);\n"

    # ---- steps of tamed functions; those below `own` are called, so that there is an end ----

    def child(self, own, n):
        call = f"task_{self.pick.randrange(own + 1, self.tasks)}(v + 1)"
        return self.pick.choice((
            f"v = mix(v, co_await {call});\n",
            f"int thrown_{n} = 0;\n    try {{\n    v = mix(v, co_await {call});\n    }} catch (int thrown) {{\n    thrown_{n} = thrown;\n    }}\n"
            f"    if (thrown_{n})\n        trace(\"caught\", {n}, thrown_{n});\n",
            f"tamed<int> held_{n} = {call};\n{self.step(own, 2)}    trace(\"held\", {n}, held_{n}.has_returned());\n"
            f"    v = mix(v, co_await held_{n});\n"))

    def locked(self, own, level, n):
        few = self.few()
        inner = self.step(own, level + 1)
        return self.pick.choice((
            f"const lock_hold hold_{n} = co_await at.locks[{few}]->scoped();\n{inner}",
            f"const lock_hold hold_{n} = co_await at.locks[{few}]->scoped_shared();\n{inner}",
            f"lock *own_{n} = at.locks[{few}];\n    gather all_{n};\n    own_{n}->acquire(mkevent(all_{n}));\n    co_await all_{n};\n"
            f"{inner}    own_{n}->release();\n"))

    def foreign_step(self, n):
        task = self.pick.randrange(self.tasks)
        return self.pick.choice((f"v = mix(v, co_await lazy_{task}(v));\n", f"v = mix(v, co_await lazy_{task}(v));\n", "co_await HandOn();\n",
                                 f"v = mix(v, co_await AwaitBaton{{batons[{self.spare()}]}});\n",
                                 f"Generator made_{n} = count_{task}(v);\n    while (made_{n}.next())\n        v = mix(v, made_{n}.value());\n"))

    def step(self, own, level=0):
        n = self.name()
        kinds = ["action", "action", "wait", "pause"]
        kinds += ["child"] * 2 if own + 1 < self.tasks else []
        kinds += ["lock", "loop", "shared"] if level < 2 else []
        kinds += ["foreign"] * 2 if self.has_foreign else []
        kind = self.pick.choice(kinds)
        if kind == "action":
            return self.action()
        text = {
            "wait": lambda: self.wait(None),
            "pause": lambda: f"co_await pause_for(us(draw({self.pick.randint(1, 80)})));\n",
            "child": lambda: self.child(own, n),
            "lock": lambda: self.locked(own, level, n),
            "loop": lambda: f"for (unsigned i_{n} = draw(3); i_{n} > 0; --i_{n}) {{\n    {self.step(own, 2)}    }}\n",
            "shared": lambda: (f"if (at.shared[{n % FEW_PLACES}] && !at.is_waited_for[{n % FEW_PLACES}]) {{\n"
                               f"    const Waiting waiting_{n}({n % FEW_PLACES});\n"
                               f"    v = mix(v, co_await *at.shared[{n % FEW_PLACES}]);\n    }}\n"),
            "foreign": lambda: self.foreign_step(n),
        }[kind]()
        return f"    {{\n    {text}    trace(\"{kind}\", {n}, v);\n    }}\n"

    def steps(self, own, most):
        return "".join(self.step(own) for _ in range(self.pick.randint(0, most)))

    def server(self, number):
        wait = self.wait(number)
        return (f"tamed<> server_{number}() {{\n    int v = {number};\n    while (goes_on()) {{\n    try {{\n{wait}"
                f"    trace(\"server\", {number}, v * 3L);\n{self.steps(self.pick.choice((-1, self.tasks)), 2)}    }} catch (int thrown) {{\n"
                f"    trace(\"thrown\", {number}, thrown);\n    }}\n    }}\n    trace(\"end\", {number}, v);\n}}\n")

    def task(self, number):
        throw = "    if (v % 16 == 3 || wild())\n        throw v;\n" if self.chance(0.4) else ""
        return (f"tamed<int> task_{number}(int v) {{\n    trace(\"task\", {number}, v);\n    if (!goes_on())\n        co_return v;\n"
                f"{self.steps(number, 3)}{throw}    co_return v;\n}}\n"
                f"tamed<> tell_{number}(event<int> done, int v) {{\n    co_await pause_for(us(draw(40)));\n    trace(\"tell\", {number}, v);\n"
                f"    done.trigger(v);\n}}\n"
                f"tamed<> guard_{number}(int v) {{\n    try {{\n    trace(\"guard\", {number}, co_await task_{number}(v));\n"
                f"    }} catch (int thrown) {{\n    trace(\"guarded\", {number}, thrown);\n    }}\n}}\n")

    def lazy(self, number):
        """Coroutines that are not ours: with a task that others await, a generator, and a session that nobody awaits."""
        inner = []
        for _ in range(self.pick.randint(1, 3)):
            kinds = ["co_await HandOn();\n", f"v = mix(v, co_await AwaitBaton{{batons[{self.spare()}]}});\n", self.action().lstrip(),
                     f"for (Generator made = count_{number}(v); made.next();)\n        v = mix(v, made.value());\n"]
            if number + 1 < self.tasks:
                kinds += [f"v = mix(v, co_await lazy_{self.pick.randrange(number + 1, self.tasks)}(v + 2));\n"] * 3
            inner.append("    " + self.pick.choice(kinds) + f"    trace(\"lazy\", {number}, v);\n")
        throw = "    if (v % 16 == 5 || wild())\n        throw v;\n" if self.chance(0.4) else ""
        return (f"Generator count_{number}(int v) {{\n    for (int i = 0; i < v % {self.pick.randint(2, 5)}; ++i)\n"
                f"        co_yield i * {self.pick.randint(1, 9)} + v;\n}}\n"
                f"Lazy lazy_{number}(int v) {{\n{''.join(inner)}{throw}    co_return v;\n}}\n")

    def session(self, number):
        wait = f"co_await AwaitBaton{{batons[wild() ? draw({PLACES}) : {number}]}}"
        return (f"Detached session_{number}() {{\n    int v = {number};\n    while (goes_on()) {{\n    try {{\n    v = mix(v, {wait});\n"
                f"    trace(\"session\", {number}, v * 3L);\n    v = mix(v, co_await lazy_{self.pick.randrange(self.tasks)}(v));\n"
                f"    trace(\"did\", {number}, v);\n"
                f"{self.action()}    }} catch (int thrown) {{\n    trace(\"thrown\", {number}, thrown);\n    }}\n    }}\n}}\n")

    def source(self, sabotage):
        tasks, sources = range(self.tasks), range(self.sources)
        declared = "".join(f"thalweg::Event<int> source_{k}{{\"source_{k}\"}};\n" for k in sources)
        tamed, foreign = "", ""
        if self.has_tamed:
            declared += "".join(f"tamed<int> task_{k}(int v);\ntamed<> tell_{k}(event<int> done, int v);\ntamed<> guard_{k}(int v);\n"
                                for k in tasks)
            declared += RECEIVE
        if self.has_foreign:
            declared += "".join(f"Lazy lazy_{k}(int v);\nGenerator count_{k}(int v);\n" for k in tasks)
            foreign = "".join(self.lazy(k) for k in tasks) + "".join(self.session(k) for k in range(self.sessions))
        if self.has_tamed:
            tamed = "".join(self.task(k) for k in tasks) + "".join(self.server(k) for k in range(self.servers))
        if sabotage:
            tamed, foreign = tamed.replace("v * 3L", "v * 4L"), foreign.replace("v * 3L", "v * 4L")
        handlers = "".join(self.handler(k) for k in sources)
        binds = "".join(f"        source_{k}.bind<&handler_{k}>();\n" for k in sources)
        begins = "".join(f"    server_{k}();\n" for k in range(self.servers)) + "".join(f"    session_{k}();\n" for k in range(self.sessions))
        raises = "".join(f"    if (number == {k})\n        return source_{k}.raise(value);\n" for k in sources)
        return (f"{HEADER}{declared}{foreign}{tamed}{handlers}const unsigned source_count = {self.sources};\n"
                f"void begin_all() {{\n    static bool is_bound = false;\n    if (!std::exchange(is_bound, true)) {{\n{binds}    }}\n{begins}}}\n"
                f"void raise_source(unsigned number, int value) {{\n{raises}}}\n")


RECEIVE = """tamed<int> receive(unsigned place, bool with_limit) {
    int value = 0;
    gather all;
    if (with_limit)
        at.ints[place] = with_timeout(us(500), event<int>(mkevent(all, value)));
    else
        at.ints[place] = mkevent(all, value);
    co_await all;
    co_return value;
}
"""


def write_program(seed, folder, sabotage=False):
    """The program of this seed. Sabotaged, what its servers and sessions show has changed."""
    os.makedirs(folder, exist_ok=True)
    generate.write_if_changed(os.path.join(folder, "coroutines.cc"), Program(seed).source(sabotage))
    return ["coroutines.cc"]


# Rounds of a script: long ones in the recorded run, so that what is hot is seen; short ones to compare, of which there are many.
LONG, SHORT = (200, 400), (20, 90)


def write_scripts(seed, count, path, turbulence=None):
    """Lines of "SEED WILDNESS ROUNDS". With a turbulence they are of a run that is recorded."""
    pick = random.Random(seed)
    rounds = LONG if turbulence else SHORT
    with open(path, "w", encoding="utf-8") as file:
        for _ in range(count):
            wildness = int(1000 * pick.choice(turbulence or generate.TURBULENCE))
            file.write(f"{pick.getrandbits(60)} {wildness} {pick.randint(*rounds)}\n")
