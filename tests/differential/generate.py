# tests: writes a random event program: events of several kinds, handlers in several translation units, nested raises.
import os
import random

TYPED = ("typed-optional", "typed-heap", "typed-sum")
C = ("c", "c-locked", "c-declared", "c-locked-declared")
LISTS = ("vector-index", "vector-range", "function-snapshot", "virtual", "linked", "array")
FAMILIES = (TYPED, C, LISTS, TYPED + C, TYPED + LISTS, TYPED + C + LISTS)

SUPPORT = "support.cc"
HEADER = "// tests: generated; see tests/differential/generate.py\n"


def declarations(program):
    lines = [HEADER, "#pragma once\n#include \"support.h\"\n\n"]
    for handler in range(program.handlers):
        lines.append(f"extern Context context_{handler};\n"
                     f"int64_t handler_{handler}(Context &context, int64_t argument);\n")
    for event in range(len(program.kinds)):
        lines.append(f"int64_t raise_{event}(int64_t argument);\nextern const EventOps ops_{event};\n")
    return "".join(lines)


class Program:
    """What is random of a program, decided by its seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        family = FAMILIES[seed % len(FAMILIES)]
        self.kinds = [self.random.choice(family) for _ in range(self.random.randint(3, 6))]
        self.handlers = self.random.randint(6, 14)
        self.units = self.random.randint(2, 3)
        # Most events have handlers from the start: [(handler, order)].
        self.bound = [[(self.random.randrange(self.handlers), self.random.choice((0, 0, 0, 1)))
                       for _ in range(self.random.choice((0, 1, 2, 2, 3, 3, 4, 4, 5)))] for _ in self.kinds]

    def handler_source(self, handler):
        pick = self.random
        steps = [f"    context.value = (context.value * {pick.choice((3, 5, 31))} + argument * {pick.randint(1, 9)} + "
                 f"{handler}) % 1000003;\n",
                 f"    trace({handler}, argument, context.value);\n"]
        if pick.random() < 0.5:
            steps.append(f"    if (context.value % {pick.randint(2, 5)} == 0)\n        ++context.count;\n")
        if pick.random() < 0.4:
            event = pick.randrange(len(self.kinds))
            condition = pick.choice(("", "", f"context.value % {pick.randint(2, 3)} == 0 && "))
            steps.insert(pick.randint(1, len(steps)),
                         f"    if ({condition}may_raise()) {{\n        const Depth depth;\n"
                         f"        context.count += raise_{event}(argument + {pick.randint(0, 3)});\n    }}\n")
        if pick.random() < 0.8:
            steps.insert(pick.randint(1, len(steps)), f"    act({handler});\n")
        return (f"Context context_{handler};\nint64_t handler_{handler}(Context &context, int64_t argument) {{\n"
                + "".join(steps) + "    return context.value;\n}\n")


def by_handler(program, case):
    """A switch with a case a handler. WHERE is its context: its own, or with order 2 its neighbour's, so that a function
    stands in a list with now this and now that context."""
    cases = ""
    for handler in range(program.handlers):
        where = f"(order == 2 ? &context_{(handler + 1) % program.handlers} : &context_{handler})"
        cases += f"    case {handler}: {case.format(h=handler).replace('WHERE', where)} break;\n"
    return f"    switch (handler) {{\n{cases}    }}\n"


def typed_event(program, event, kind):
    returns = kind == "typed-sum"
    signature = "int64_t(int64_t), thalweg::Sum<int64_t>" if returns else "int64_t"
    heap = kind == "typed-heap"
    storage = (f"std::unique_ptr<Typed> event;\n" if heap else "std::optional<Typed> event;\n")
    make = f'event = std::make_unique<Typed>("Event{event}")' if heap else f'event.emplace("Event{event}")'
    adapters = "" if returns else "".join(
        f"void void_{h}(Context &context, int64_t argument) {{ handler_{h}(context, argument); }}\n"
        for h in range(program.handlers))
    function = "handler_{h}" if returns else "void_{h}"
    bind = by_handler(program, f"bindings[{{h}}].push_back(event->bind<&{function}>(WHERE, {{{{order}}}}));")
    raise_it = "return event->raise(argument);" if returns else "event->raise(argument);\n    return 0;"
    return f"""#include <memory>
#include <optional>
#include <vector>
#include <thalweg/event.h>
#include "program.h"
namespace {{
using Typed = thalweg::Event<{signature}>;
{storage}std::vector<thalweg::Binding> bindings[{program.handlers}];
{adapters}bool exists() {{ return event != {'nullptr' if heap else 'std::nullopt'}; }}
void destroy() {{
    for (auto &list : bindings)
        list.clear();
    event.reset();
}}
void create() {{
    if (!exists())
        {make};
}}
void bind(int handler, int order) {{
    if (!exists())
        return;
{bind}}}
void unbind(int handler) {{
    if (bindings[handler].empty())
        return;
    thalweg::Binding last = bindings[handler].back();
    bindings[handler].pop_back();
    last.unbind();
}}
void block(int handler, bool blocked) {{
    if (bindings[handler].empty())
        return;
    blocked ? bindings[handler].back().block() : bindings[handler].back().unblock();
}}
void halt() {{
    if (exists())
        event->halt();
}}
}}  // namespace
int64_t raise_{event}(int64_t argument) {{
    if (!exists())
        return 0;
    {raise_it}
}}
"""


# A declared event's raises are now and then of a wrong type, or of too many arguments; and its declaration changes.
DECLARED_RAISE = """    if (!exists())
        return 0;
    if (argument % 13 == 6)
        declare(THALWEG_REAL);
    if (argument % 13 == 7)
        declare(THALWEG_INTEGER);
    if (argument % 7 == 3)
        return THALWEG_RAISE(event, thalweg_real(static_cast<double>(argument)));
    if (argument % 11 == 5)
        return THALWEG_RAISE(event, thalweg_integer(argument), thalweg_integer(argument));
    return THALWEG_RAISE(event, thalweg_integer(argument));"""


def c_event(program, event, kind):
    composite = "composite" if kind.startswith("c-locked") else "nullptr"
    declared = kind.endswith("declared")
    raise_it = DECLARED_RAISE if declared else "    return exists() ? THALWEG_RAISE(event, thalweg_integer(argument)) : 0;"
    declare = "    declare(THALWEG_INTEGER);\n" if declared else ""
    bind = by_handler(program, "status = thalweg_bind(event, on_event<handler_{h}>, WHERE, order, &id);")
    return f"""#include <vector>
#include <thalweg/thalweg.h>
#include "program.h"
namespace {{
thalweg_composite *composite = thalweg_composite_create();
thalweg_event *event = nullptr;
std::vector<thalweg_binding_id> bindings[{program.handlers}];
template <auto handler>
void on_event(void *context, thalweg_event *, const thalweg_value *arguments, size_t count) {{
    int64_t argument = 0;
    if (thalweg_get_integer(arguments, count, 0, &argument))
        handler(*static_cast<Context *>(context), argument);
}}
bool exists() {{ return event != nullptr; }}
void destroy() {{
    for (auto &list : bindings)
        list.clear();
    if (exists())
        thalweg_event_destroy(event);
    event = nullptr;
}}
[[maybe_unused]] void declare(thalweg_type type) {{ thalweg_event_declare(event, &type, 1); }}
void create() {{
    if (exists())
        return;
    thalweg_event_create({composite}, "Event{event}", &event);
{declare}}}
void bind(int handler, int order) {{
    thalweg_binding_id id = 0;
    thalweg_status status = THALWEG_NOT_BOUND;
    if (!exists())
        return;
{bind}    if (status == THALWEG_OK)
        bindings[handler].push_back(id);
}}
void unbind(int handler) {{
    if (bindings[handler].empty())
        return;
    const thalweg_binding_id last = bindings[handler].back();
    bindings[handler].pop_back();
    thalweg_unbind(event, last);
}}
void block(int handler, bool blocked) {{
    if (!bindings[handler].empty())
        blocked ? thalweg_block(event, bindings[handler].back()) : thalweg_unblock(event, bindings[handler].back());
}}
void halt() {{
    if (exists())
        thalweg_halt(event);
}}
}}  // namespace
int64_t raise_{event}(int64_t argument) {{
{raise_it}
}}
"""


# Hand-written lists as programs have them. Each says what an entry is, and how a raise goes through them; all of them
# are well defined when a handler appends, erases or clears while the raise goes on.
CALLBACK = "struct Entry {\n    int handler;\n    int64_t (*function)(Context &, int64_t);\n    Context *context;\n};\n"
VECTOR = CALLBACK + "std::vector<Entry> entries;\n"
ERASE_LAST = """    for (size_t i = entries.size(); i-- > 0;)
        if (entries[i].handler == handler) {
            entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(i));
            return;
        }
"""
LIST_KINDS = {
    # The list is asked for its size before each handler.
    "vector-index": (VECTOR, "entries.push_back({{{h}, handler_{h}, WHERE}});", ERASE_LAST, "entries.clear();",
                     """    for (size_t i = 0; i < entries.size() && !halted; ++i)
        sum += entries[i].function(*entries[i].context, argument);
"""),
    # A raise works on a copy.
    "vector-range": (VECTOR, "entries.push_back({{{h}, handler_{h}, WHERE}});", ERASE_LAST, "entries.clear();",
                     """    const std::vector<Entry> copy = entries;
    for (const Entry &entry : copy) {
        sum += entry.function(*entry.context, argument);
        if (halted)
            break;
    }
"""),
    "function-snapshot": (
        "struct Entry {\n    int handler;\n    std::function<int64_t(int64_t)> call;\n};\n"
        "std::vector<std::shared_ptr<Entry>> entries;\n",
        "entries.push_back(std::make_shared<Entry>(Entry{{{h}, [](int64_t argument) {{ "
        "return handler_{h}(context_{h}, argument); }}}}));",
        ERASE_LAST.replace("entries[i].handler", "entries[i]->handler"), "entries.clear();",
        """    for (size_t i = 0; i < entries.size() && !halted; ++i) {
        const std::shared_ptr<Entry> entry = entries[i];
        sum += entry->call(argument);
    }
"""),
    "virtual": (
        "struct Listener {\n    virtual ~Listener() = default;\n    virtual int64_t on(int64_t argument) = 0;\n"
        "    int handler = 0;\n};\n"
        "template <auto function>\nstruct ListenerOf final : Listener {\n"
        "    explicit ListenerOf(int number, Context &own) : context(own) { handler = number; }\n"
        "    int64_t on(int64_t argument) override { return function(context, argument); }\n    Context &context;\n};\n"
        "std::vector<std::shared_ptr<Listener>> entries;\n",
        "entries.push_back(std::make_shared<ListenerOf<handler_{h}>>({h}, *WHERE));",
        ERASE_LAST.replace("entries[i].handler", "entries[i]->handler"), "entries.clear();",
        """    const auto copy = entries;
    for (const auto &listener : copy)
        if (!halted)
            sum += listener->on(argument);
"""),
    # A linked list whose nodes are never freed while the script runs; erased ones lead on to the rest.
    "linked": (
        "struct Entry {\n    int handler;\n    int64_t (*function)(Context &, int64_t);\n    Context *context;\n"
        "    Entry *next = nullptr;\n    bool dead = false;\n};\n"
        "std::deque<Entry> nodes;\nEntry *first = nullptr;\n"
        "void append(int handler, int64_t (*function)(Context &, int64_t), Context *context) {\n"
        "    nodes.push_back({handler, function, context});\n    Entry **at = &first;\n"
        "    while (*at != nullptr)\n        at = &(*at)->next;\n    *at = &nodes.back();\n}\n",
        "append({h}, handler_{h}, WHERE);",
        """    Entry **found = nullptr;
    for (Entry **at = &first; *at != nullptr; at = &(*at)->next)
        if ((*at)->handler == handler)
            found = at;
    if (found != nullptr) {
        (*found)->dead = true;
        *found = (*found)->next;
    }
""",
        "first = nullptr;",
        """    for (Entry *entry = first; entry != nullptr; entry = entry->next) {
        if (!entry->dead)
            sum += entry->function(*entry->context, argument);
        if (halted)
            break;
    }
"""),
    # An array that ends with a null.
    "array": (
        CALLBACK + "Entry entries[65];\nsize_t used = 0;\n",
        "if (used < 64) entries[used++] = {{{h}, handler_{h}, WHERE}};",
        """    for (size_t i = used; i-- > 0;)
        if (entries[i].handler == handler) {
            std::copy(entries + i + 1, entries + used + 1, entries + i);
            --used;
            return;
        }
""",
        "used = 0;\n    entries[0] = {};",
        """    for (const Entry *entry = entries; entry->function != nullptr; ++entry) {
        sum += entry->function(*entry->context, argument);
        if (halted)
            break;
    }
"""),
}


def list_event(program, event, kind):
    entry, append, erase, clear, loop = LIST_KINDS[kind]
    return f"""#include <algorithm>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <vector>
#include "program.h"
namespace {{
{entry}bool there = false;
bool halted = false;
bool exists() {{ return there; }}
void destroy() {{
    {clear}
    there = false;
}}
void create() {{ there = true; }}
void bind(int handler, [[maybe_unused]] int order) {{
    if (!there)
        return;
{by_handler(program, append)}}}
void unbind(int handler) {{
{erase}}}
void block(int, bool blocked) {{
    if (blocked) {{
        {clear}
    }}
}}
void halt() {{ halted = true; }}
}}  // namespace
int64_t raise_{event}(int64_t argument) {{
    if (!there)
        return 0;
    int64_t sum = 0;
    halted = false;
{loop}    halted = false;
    return sum;
}}
"""


def event_source(program, event):
    kind = program.kinds[event]
    make = typed_event if kind in TYPED else c_event if kind in C else list_event
    return (HEADER + make(program, event, kind)
            + f"const EventOps ops_{event} = {{create, destroy, exists, bind, unbind, block, halt, raise_{event}}};\n")


def main_source(program):
    events = range(len(program.kinds))
    binds = "".join(f"    ops_{event}.bind({handler}, {order});\n"
                    for event in events for handler, order in program.bound[event])
    return f"""{HEADER}#include "program.h"
const int event_count = {len(program.kinds)};
const int handler_count = {program.handlers};
const EventOps event_ops[] = {{{', '.join(f'ops_{event}' for event in events)}}};
Context *const handler_contexts[] = {{{', '.join(f'&context_{h}' for h in range(program.handlers))}}};
void bind_at_start() {{
{binds}}}
"""


def write_program(seed, folder, sabotage=False):
    """The program of this seed. Sabotaged, two of its handlers have changed their bodies."""
    program = Program(seed)
    handlers = [program.handler_source(handler) for handler in range(program.handlers)]
    files = {"program.h": declarations(program), "main.cc": main_source(program)}
    for event in range(len(program.kinds)):
        files[f"event_{event}.cc"] = event_source(program, event)
    if sabotage:
        handler = next(handler for bound in program.bound for handler, _ in bound)
        handlers[handler] = handlers[handler].replace("argument *", "1 + argument *")
    for unit in range(program.units):
        files[f"handlers_{unit}.cc"] = HEADER + '#include "program.h"\n' + "".join(handlers[unit::program.units])
    os.makedirs(folder, exist_ok=True)
    for name, text in files.items():
        write_if_changed(os.path.join(folder, name), text)
    return [name for name in files if name.endswith(".cc")]


def write_if_changed(path, text):
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            if file.read() == text:
                return
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


# Chances that a handler does something out of the ordinary, from never to nearly always.
TURBULENCE = (0.0, 0.0, 0.01, 0.05, 0.2, 0.6)
OPERATIONS = 12
RAISE = 5


def token(pick, operation):
    return operation + 16 * pick.randrange(16) + 256 * pick.randrange(256) + 65536 * pick.randrange(100)


def write_scripts(seed, count, path, turbulence=TURBULENCE):
    """Lines of "top-level tokens / handlers' tokens". Most top-level tokens are raises."""
    pick = random.Random(seed)
    with open(path, "w", encoding="utf-8") as file:
        for _ in range(count):
            wild = pick.choice(turbulence)
            top = [token(pick, RAISE if pick.random() >= wild / 2 else pick.randrange(OPERATIONS))
                   for _ in range(pick.randint(4, 14))]
            inner = [token(pick, pick.randrange(OPERATIONS)) if pick.random() < wild else 0 for _ in range(60)]
            file.write(" ".join(map(str, top)) + " / " + " ".join(map(str, inner)) + "\n")
