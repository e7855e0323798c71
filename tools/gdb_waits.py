# tools: for gdb: `thalweg-waits` shows which tamed functions wait for whom, in each thread, with lines; in a core file too.
#   gdb -x tools/gdb_waits.py PROGRAM
# In a program compiled with THALWEG_TAME_TRACE: all of them, with the lines where they wait. Else: those that wait for a time, or for events
# of which a timer has one, and who waits for these, with the lines where the functions begin. Both want debug information (-g).
import os

import gdb

PLAIN, CHECKED = "thalweg::tame::detail::", "thalweg::tame::checked::detail::"  # thalweg/variant.h
MARKS = 7  # in PromiseBase::other_: held by an object, ended, has thrown


def detail(name):
    """The whole name in the build that this program is of."""
    try:
        gdb.lookup_type(CHECKED + "Node")
    except gdb.error:
        return PLAIN + name
    return CHECKED + name


def pointer_to(name):
    return gdb.lookup_type(detail(name)).pointer()


def at(address, name):
    return gdb.Value(address).cast(pointer_to(name))


def place_of(location):
    impl = location["_M_impl"]
    if not int(impl):
        return "?"
    return f"{os.path.basename(impl['_M_file_name'].string())}:{int(impl['_M_line'])}"


def nodes_of(owner):
    what = int(owner["pending_"]["what_"])
    if what == 0:
        return []
    if what & 1 == 0:
        return [at(what, "Node")]
    count = int(at(what - 1, "Pending::Many")["count"])
    nodes = gdb.Value(what - 1 + 8).cast(pointer_to("Node").pointer())
    return [nodes[i] for i in range(count)]


def show_events(owner, depth):
    places = {}
    for node in nodes_of(owner):
        made = node["from_"]["place_"] if int(node["has_source"]) else node["place_"]
        places[place_of(made)] = places.get(place_of(made), 0) + 1
    for place, count in sorted(places.items()):
        print(f"{' ' * depth}{count} made at {place}")


# ---- what a program notes that is compiled for it ----

def traced():
    try:
        note = gdb.parse_and_eval(detail("blocked_functions"))
    except gdb.error:
        return None
    notes = []
    while int(note):
        notes.append(note.dereference())
        note = note["next"]
    return notes


def show_note(note, depth):
    function = note["place"]["_M_impl"]["_M_function_name"].string()
    print(f"{' ' * depth}{place_of(note['place'])} waits for {note['what'].string()}, in {function}")


def show_traced(notes):
    print(f"{len(notes)} functions wait")
    frames = {int(note["frame"]) for note in notes}
    parents = {int(note["child"]): note for note in notes if int(note["child"])}
    for note in notes:
        if int(note["child"]) in frames:
            continue
        show_note(note, 2)
        if int(note["events"]):
            show_events(note["events"].dereference(), 6)
        depth = 4
        while int(note["frame"]) in parents:
            note = parents[int(note["frame"])]
            show_note(note, depth)
            depth += 2


# ---- what can be found without that: from the loop's timers to the frames, and up ----

def function_of(frame):
    resume = int(gdb.Value(frame).cast(gdb.lookup_type("unsigned long").pointer()).dereference())
    block = gdb.block_for_pc(resume)
    while block and not block.function:
        block = block.superblock
    if not block:
        return f"frame {frame:#x}"
    symbol = block.function
    return f"{symbol.name} at {os.path.basename(symbol.symtab.filename)}:{symbol.line}"


def show_parents(frame):
    depth = 4
    other = int(at(frame + 16, "PromiseBase")["other_"])
    while other and other & MARKS == 0:
        print(f"{' ' * depth}{function_of(other)} waits for a function")
        other = int(at(other + 16, "PromiseBase")["other_"])
        depth += 2


def tasks_of(loop):
    for i in range(int(loop["timer_count"])):
        yield loop["timers"][i]
    task = loop["first"]
    while int(task):
        yield task
        task = task["next"]


def show_task(task):
    run = gdb.execute(f"info symbol {int(task['run']):#x}", to_string=True)
    if detail("Pause::") in run:
        waiter = int(task.cast(pointer_to("Pause"))["waiter_"]["_M_fr_ptr"])
        print(f"  {function_of(waiter)} waits for a time")
        show_parents(waiter)
    elif detail("Timer::") in run:
        node = task.cast(pointer_to("Timer"))["due"]["node_"]
        owner = node["owner"] if int(node) else None
        if owner is not None and int(owner) and int(owner["waiter_"]["_M_fr_ptr"]):
            waiter = int(owner["waiter_"]["_M_fr_ptr"])
            print(f"  {function_of(waiter)} waits for events")
            show_events(owner.dereference(), 6)
            show_parents(waiter)


def show_untraced():
    try:
        loop = gdb.parse_and_eval("thalweg::runtime::loop_of_thread")
    except gdb.error:
        loop = 0
    if not int(loop):
        print("no loop in this thread, or no debug information of the runtime library")
        return
    print("from the timers (compile with THALWEG_TAME_TRACE to see all that waits)")
    for task in tasks_of(loop):
        show_task(task)


class InCxx:
    """gdb reads names by the language of the selected frame: that of an idle process stands in the C library, where a :: is an error."""

    def __enter__(self):
        self.before = gdb.parameter("language")
        gdb.execute("set language c++", to_string=True)

    def __exit__(self, *_):
        gdb.execute(f"set language {self.before}", to_string=True)


class Waits(gdb.Command):
    """Which tamed functions wait for whom, in each thread."""

    def __init__(self):
        super().__init__("thalweg-waits", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        with InCxx():
            self.show()

    @staticmethod
    def show():
        selected = gdb.selected_thread()
        frame = gdb.selected_frame() if selected else None
        for thread in sorted(gdb.selected_inferior().threads(), key=lambda one: one.num):
            thread.switch()
            print(f"thread {thread.num}: ", end="")
            notes = traced()
            if notes is None:
                show_untraced()
            else:
                show_traced(notes)
        if selected:
            selected.switch()
            frame.select()


Waits()
