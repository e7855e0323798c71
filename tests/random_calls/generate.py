# tests: writes a random program that enters the kernel: files read, copied, written in pieces, looked at, and changed by others meanwhile.
import random

HEADER = '// tests: generated; see tests/random_calls/generate.py\n#include "support.h"\n\n'

# Functions that stand between a program and its calls in many programs: they are unfolded or not, as LLVM likes.
WRAPPERS = """
static void *ask(size_t alignment, size_t size) {
    void *block = alignment ? aligned_alloc(alignment, size) : malloc(size);
    if (!block)
        abort();
    return block;
}
static void give_back(void *block) { free(block); }
static ssize_t safe_read(int fd, char *bytes, size_t size) {
    for (;;) {
        const ssize_t count = read(fd, bytes, size);
        if (count >= 0 || errno != EINTR)
            return count;
    }
}
static void put_all(int fd, const char *bytes, size_t size) {
    while (size > 0) {
        const ssize_t now = write(fd, bytes, size);
        if (now <= 0)
            break;
        bytes += now;
        size -= (size_t)now;
    }
}
static int close_on_exec(int fd) { return fcntl(fd, F_SETFD, FD_CLOEXEC); }
static int do_not_wait(int fd) {
    const int flags = fcntl(fd, F_GETFL);
    return flags < 0 ? -1 : fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}
static int put(int fd, const void *bytes, size_t size) { return write(fd, bytes, size) == (ssize_t)size ? 0 : -1; }
static int put_at(int fd, const void *bytes, size_t size, off_t at) { return pwrite(fd, bytes, size, at) == (ssize_t)size ? 0 : -1; }
"""

FLAGS = ("O_RDONLY", "O_RDONLY", "O_RDONLY", "O_RDWR", "O_RDWR", "O_WRONLY | O_CREAT | O_TRUNC", "O_RDWR | O_APPEND", "O_RDWR | O_CREAT")
SIZES = (1, 7, 512, 4096, 4096, 65536, 131072)
OPEN = """    if (fds[{a}] >= 0)
        note_call(close(fds[{a}]));
    fds[{a}] = open(names[draw(FILES)], {flags}, 0644);
    note(fds[{a}] >= 0);
"""
END = "while ((got = {read}(fds[{a}], buffer, {size})) > 0)"
# Descriptors whose flags are set behind, on some ways only, or not at once.
MAKES = ("socket(AF_UNIX, SOCK_STREAM, 0)", "socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)", "eventfd(0, 0)", "eventfd(0, EFD_NONBLOCK)", "dup(fds[{a}])",
         "fcntl(fds[{a}], F_DUPFD, 20)", "open(names[draw(FILES)], {flags}, 0644)", "open(names[draw(6)], O_RDONLY | (draw(2) ? O_CLOEXEC : 0))",
         "socket(draw(3) ? AF_UNIX : -1, SOCK_STREAM | (draw(2) ? SOCK_NONBLOCK : 0), 0)")
PAIRS = ("pipe(ends)", "pipe2(ends, 0)", "pipe2(ends, O_CLOEXEC)", "socketpair(AF_UNIX, SOCK_STREAM, 0, ends)")
BETWEEN = ("", "", "note(fd);", "made_last = fd;", 'if (draw(3) == 0) show("between");', "if (draw(3) == 0) made_last += 1;",
           "if (draw(4) == 0) note_call(close(dup(fd)));", "note_call(fcntl(fd, F_GETFD));", "char *some = malloc(100 + draw(100)); memset(some, 1, 100); free(some);")
FLAGGED = ("note_call(close_on_exec(fd));", "note_call(do_not_wait(fd));", "close_on_exec(fd); note_call(do_not_wait(fd));",
           "note_call(fcntl(fd, F_SETFD, FD_CLOEXEC)); note_call(fcntl(fd, F_GETFL));", "fcntl(fd, F_SETFL, O_NONBLOCK);",
           "if (draw(2)) close_on_exec(fd); else do_not_wait(fd);", "if (draw(5)) do_not_wait(fd);", "{{ int on = 1; note_call(ioctl(fd, FIONBIO, &on)); }}",
           "{{ int on = 0; note_call(ioctl(fd, FIONBIO, &on)); }}", "fcntl(fd, F_SETFD, fcntl(fd, F_GETFD) | FD_CLOEXEC);",
           "fcntl(fd, F_SETFD, FD_CLOEXEC); fcntl(fd, F_SETFD, 0);", "fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK); close_on_exec(fd);",
           "fcntl(fd, F_SETFL, O_APPEND);")
FLAGGED_PAIRS = ("close_on_exec(ends[0]); close_on_exec(ends[1]);", "do_not_wait(ends[0]); do_not_wait(ends[1]);", "close_on_exec(fd);",
                 "for (int i = 0; i < 2; ++i) {{ note_call(close_on_exec(ends[i])); note_call(do_not_wait(ends[i])); }}")
MADE = ("    {{\n        const int fd = {make};\n        if (fd >= 0) {{\n            {between}\n            {flagged}\n            note_flags(fd);\n"
        "            note_call(close(fd));\n        }} else {{\n            note(errno);\n        }}\n    }}\n")
STEPS = {
    "open": OPEN,
    "open_once": "    if (fds[{a}] < 0)\n        fds[{a}] = open(names[{name}], {flags}, 0644);\n    note(fds[{a}] >= 0);\n",
    "read_all": "    " + END + "\n        note_bytes(buffer, got);\n    note_call(got);\n",
    "read_quietly": "    " + END + "\n        note(got);\n    note_call(got);\n",
    "read_some": "    note_call(got = {read}(fds[{a}], buffer, {size}));\n    if (got > 0)\n        note_bytes(buffer, got);\n",
    "copy": "    {{\n        char block[{block}];\n        while ((got = read(fds[{a}], block, sizeof block)) > 0)\n"
            "            write(fds[{b}], block, got);\n        note_call(got);\n    }}\n",
    "copy_checked": "    {{\n        char block[{block}];\n        while ((got = read(fds[{a}], block, sizeof block)) > 0)\n"
                    "            if (write(fds[{b}], block, got) != got) {{\n                note(errno);\n                break;\n            }}\n"
                    "        note_call(got);\n    }}\n",
    "copy_kept": "    while ((got = read(fds[{a}], buffer, {size})) > 0)\n        if (write(fds[{b}], buffer, got) < 0)\n            break;\n"
                 "    note_bytes(buffer, 64);\n",
    "copy_range": "    while ((got = copy_file_range(fds[{a}], NULL, fds[{b}], NULL, {size}, 0)) > 0)\n        note(got);\n    note_call(got);\n",
    "copy_file": "    {{\n        char block[{block}];\n        const int from = open(names[draw(FILES)], O_RDONLY);\n"
                 "        const int to = open(names[draw(6)], O_WRONLY | O_CREAT | O_TRUNC, 0644);\n"
                 "        while ((got = read(from, block, sizeof block)) > 0)\n            if (write(to, block, got) != got)\n"
                 "                break;\n        note_call(got);\n        note_call(close(from));\n        note_call(close(to));\n    }}\n",
    "parts": "    {{\n        const uint32_t head = draw(1000), tail = (uint32_t)notes;\n"
             "        if (write(fds[{a}], &head, 4) != 4)\n            note(-1);\n        else if (write(fds[{a}], buffer, {size}) != {size})\n"
             "            note(-2);\n        else if (write(fds[{a}], &tail, 4) != 4)\n            note(-3);\n        else\n            note(4);\n    }}\n",
    "parts_put": "    {{\n        uint32_t head = draw(1000);\n        int result = put(fds[{a}], &head, 4);\n"
                 "        if (result == 0)\n            result = put(fds[{a}], buffer, {size});\n        head += 1;\n"
                 "        if (result == 0)\n            result = put(fds[{a}], &head, 4);\n        note_call(result);\n    }}\n",
    "parts_at": "    {{\n        const uint32_t head = draw(1000), tail = head * 31;\n        const off_t at = draw(9000);\n"
                "        int result = put_at(fds[{a}], &head, 4, at);\n        if (result == 0)\n"
                "            result = put_at(fds[{a}], buffer, {size}, at + 4);\n        if (result == 0)\n"
                "            result = put_at(fds[{a}], &tail, 4, at + 4 + {size});\n        note_call(result);\n    }}\n",
    # What lies between is read from memory that shows the file.
    "parts_mapped": "    {{\n        char bytes[4] = {{(char)draw(256), (char)draw(256), 3, 4}};\n        const int fd = open(names[draw(6)], O_RDWR);\n"
                    "        const char *shown = mmap(NULL, 4096, PROT_READ, {mapping}, fd, 0);\n"
                    "        if (write(fd, bytes, 3) == 3) {{\n            bytes[0] = shown[0] + 1;\n            bytes[1] = shown[1] + 1;\n"
                    "            note_call(write(fd, bytes, 2));\n        }}\n        note_call(close(fd));\n    }}\n",
    # A handler that comes where a limit is reached looks at how far it is.
    "parts_seen": "    {{\n        size_t done = 0;\n        const int fd = open(names[draw(6)], O_WRONLY);\n        progress = &done;\n"
                  "        note_call(lseek(fd, draw(9000), SEEK_SET));\n        limit_files(draw(9000));\n        if (write(fd, buffer, 7) == 7) {{\n"
                  "            done += 7;\n            if (write(fd, buffer, {size}) == {size})\n                done += {size};\n        }}\n"
                  "        limit_files_no_more();\n        note((long)done);\n        note((long)seen);\n        note_call(close(fd));\n    }}\n",
    "copy_by_functions": "    {{\n        char *block = malloc({block});\n        const int from = open(names[draw(FILES)], O_RDONLY);\n"
                         "        const int to = open(names[draw(6)], O_WRONLY | O_CREAT | O_TRUNC, 0644);\n"
                         "        while ((got = safe_read(from, block, {block})) > 0)\n            put_all(to, block, (size_t)got);\n"
                         "        note_call(got);\n        note_call(close(from));\n        note_call(close(to));\n        free(block);\n    }}\n",
    "make": MADE,
    "make_other": MADE,
    "make_pair": "    {{\n        int ends[2] = {{-1, -1}};\n        if ({pair} == 0) {{\n            const int fd = ends[{end}];\n            {between}\n"
                 "            {flags_of_pair}\n            note_flags(fd);\n            note_flags(ends[1 - {end}]);\n"
                 "            note_call(close(ends[0]));\n            note_call(close(ends[1]));\n        }}\n    }}\n",
    "look": "    {{\n        struct stat found;\n        note_status(fstat(fds[{a}], &found), &found);\n    }}\n",
    "look_twice": "    {{\n        struct stat found, again;\n        note_status(fstat(fds[{a}], &found), &found);\n"
                  "        note_status(fstat(fds[{a}], &again), &again);\n    }}\n",
    "advise": "    posix_fadvise(fds[{a}], 0, 0, POSIX_FADV_SEQUENTIAL);\n",
    "advise_noted": "    note(posix_fadvise(fds[{a}], 0, 0, POSIX_FADV_SEQUENTIAL));\n",
    "seek": "    note_call(lseek(fds[{a}], {offset}, {whence}));\n",
    "where": "    note_call(lseek(fds[{a}], 0, SEEK_CUR));\n",
    "dup": "    if (fds[{a}] >= 0 && fds[{b}] < 0)\n        fds[{b}] = dup(fds[{a}]);\n",
    "close": "    if (fds[{a}] >= 0)\n        note_call(close(fds[{a}]));\n    fds[{a}] = -1;\n",
    "block": "    {{\n        char *block = ask({alignment}, {large});\n        memset(block, (int)draw(256), {large});\n"
             "        got = read(fds[{a}], block, {size});\n        note_call(got);\n        if (got > 0)\n            note_bytes(block, got);\n"
             "        give_back(block);\n    }}\n",
    "block_here": "    {{\n        char *block = malloc({large});\n        if (block) {{\n            block[draw({large})] = 1;\n"
                  "            got = read(fds[{a}], block, {size});\n            if (got > 0)\n                note_bytes(block, got);\n        }}\n"
                  "        free(block);\n    }}\n",
    "others": "    others_append(names[draw(6)], 1 + draw(3));\n",
    "shrink": "    note_call(truncate(names[draw(6)], draw(5000)));\n",
    # Numbers of which some are open, up, down and with gaps; the program's own four stay, or are noted as gone.
    "close_up": "    for (int number = SPARE; number < SPARE + {numbers}; ++number)\n        close(number);\n    note(errno);\n",
    "close_down": "    for (int number = SPARE + {numbers}; --number >= SPARE;)\n        if (close(number) == 0)\n            ++got;\n    note(got);\n",
    "mark": "    for (int number = SPARE; number < SPARE + {numbers}; ++number)\n        if (fcntl(number, F_SETFD, FD_CLOEXEC) == 0)\n"
            "            ++got;\n    note(got);\n",
    "spare": "    for (unsigned i = draw(4); i > 0; --i)\n        note_call(dup2(0, SPARE + (int)draw({numbers})));\n",
    "becomes_socket": "    become_socket({a}, {become});\n",
    # As often as files are left alone after one that took no joined writes, and once more.
    "turns": OPEN + "    for (unsigned turn = 0; turn < 40; ++turn) {{\n        uint32_t head = draw(1000);\n"
             "        if (turn == draw(40))\n            become_socket({a}, {become});\n        if (put(fds[{a}], &head, 4) == 0)\n"
             "            note_call(put(fds[{a}], buffer, {small}));\n    }}\n    note_messages({a});\n",
    "messages": "    note_messages({a});\n",
    "show": "    show(\"{name}\");\n",
    # What cat, wc and grep do for each file.
    "file": OPEN + "    if (fds[{a}] >= 0) {{\n        struct stat found;\n        note_status(fstat(fds[{a}], &found), &found);\n"
            "        posix_fadvise(fds[{a}], 0, 0, POSIX_FADV_SEQUENTIAL);\n        while ((got = {read}(fds[{a}], buffer, {size})) > 0)\n"
            "            note_bytes(buffer, got);\n        note_call(got);\n        note_call(close(fds[{a}]));\n        fds[{a}] = -1;\n    }}\n",
    "file_grows": OPEN + "    if (fds[{a}] >= 0) {{\n        struct stat found;\n        note_status(fstat(fds[{a}], &found), &found);\n"
                  "        unsigned rounds = 0;\n        while ((got = {read}(fds[{a}], buffer, {size})) > 0) {{\n"
                  "            note_bytes(buffer, got);\n            if (++rounds < 3)\n                others_append(names[draw(6)], 1);\n        }}\n"
                  "        note_call(got);\n    }}\n",
}
# What faults between two writes: a field of a record that may not be there, a divisor of 0, an index, a string without end, a page that is gone.
FAULTY = {
    "parts_of_record": "    {{\n        const struct record *record = some_record();\n        const uint32_t head = draw(1000);\n"
                       "        if (put(fds[{a}], &head, 4) == 0)\n            note_call(put(fds[{a}], buffer, (size_t)record->size));\n    }}\n",
    "parts_of_seen_record": "    {{\n        const struct record *record = some_record();\n        char head[8] = {{(char)record->kind}};\n"
                            "        if (write(fds[{a}], head, 8) == 8) {{\n            const long size = record->size & 4095;\n"
                            "            note_call(write(fds[{a}], buffer, (size_t)size));\n        }}\n    }}\n",
    "parts_divided": "    {{\n        const uint32_t head = draw(1000);\n        const int parts = (int)draw(4);\n"
                     "        if (write(fds[{a}], &head, 4) == 4)\n            note_call(write(fds[{a}], buffer, (size_t)(60 / parts)));\n    }}\n",
    "parts_by_index": "    {{\n        static const short sizes[16] = {{1, 2, 3, 4}};\n        const uint32_t head = draw(1000);\n"
                      "        const long place = draw(5) ? draw(16) : draw(2) ? 1l << 40 : -(1l << 40);\n"
                      "        if (write(fds[{a}], &head, 4) == 4)\n            note_call(write(fds[{a}], buffer, 1 + (size_t)sizes[place]));\n    }}\n",
    "parts_named": "    {{\n        const char *name = some_name();\n        const char first[4] = {{name[0], 'n'}};\n"
                   "        if (write(fds[{a}], first, 4) == 4)\n            note_call(write(fds[{a}], name, strlen(name)));\n    }}\n",
    "parts_of_page": "    {{\n        const char *shown = pages + 8192 + draw(100);\n        uint32_t head = draw(2) ? *shown : 1;\n"
                     "        if (draw(3) == 0)\n            change_page();\n        if (write(fds[{a}], &head, 4) == 4)\n"
                     "            note_call(write(fds[{a}], buffer, 1 + (size_t)*shown % 60));\n    }}\n",
    "copy_to_page": "    got = read(fds[{a}], pages + 8192, {small});\n    note_call(got);\n",
}
STEPS.update(FAULTY)
COPYING = ("copy", "copy_checked", "copy_file", "copy_by_functions")
HANDLERS = ("handler_of_c", "handler_of_bsd", "handler_of_posix", "handler_of_long")
# Others that act meanwhile, and descriptors that share an offset: not in every program, for they rule out much.
OF_OTHERS = ("others", "file_grows", "dup", "becomes_socket", "messages", "turns")
# Memory that shows a file, or that a handler looks at where a limit is, rules out much, too.
OF_MEMORY = ("parts_mapped", "parts_seen")
USES_DUP2 = ("spare",)
OFTEN = ("spare", "close_up", "copy_file", "open", "open", "file", "file", "copy", "copy_checked", "parts", "parts_put", "parts_at", "block", "block_here")


class Program:
    """acts: it has a handler that does something; faults: something may fault between its calls."""

    def __init__(self, seed, acts=False, faults=False):
        self.pick = random.Random(seed)
        self.acts, self.faults = acts, faults
        # Its handler puts other files in descriptors' places; and where other processes have them, too, no loop of copying is the kernel's.
        self.replaces = seed % 2 == 0
        self.functions = self.pick.randint(3, 6)
        has_others = self.pick.random() < 0.6 and (self.replaces or not acts)
        has_memory = self.pick.random() < 0.3
        left_out = (() if has_others else OF_OTHERS) + (() if has_memory else OF_MEMORY) + (() if faults else tuple(FAULTY))
        left_out += () if self.replaces or not acts else USES_DUP2
        self.often = [name for name in OFTEN if name not in left_out]
        self.steps = [name for name in sorted(STEPS) if name not in left_out] + 3 * [name for name in OF_MEMORY if has_memory]
        self.steps += 3 * sorted(FAULTY) if faults else []
        self.steps += 3 * list(COPYING) if acts else []

    def step(self):
        pick = self.pick
        a, b = pick.sample(range(4), 2)
        name = pick.choice(self.often) if pick.random() < 0.4 else pick.choice(self.steps)
        flags = pick.choice(FLAGS)
        made = {"make": pick.choice(MAKES).format(a=a, flags=flags), "pair": pick.choice(PAIRS), "between": pick.choice(BETWEEN),
                "flagged": pick.choice(FLAGGED).format(), "flags_of_pair": pick.choice(FLAGGED_PAIRS).format(), "end": pick.randrange(2),
                "mapping": pick.choice(("MAP_PRIVATE", "MAP_PRIVATE", "MAP_SHARED"))}
        return STEPS[name].format(a=a, b=b, name=pick.randrange(6), flags=flags, size=pick.choice(SIZES), **made,
                                  block=pick.choice((512, 4096, 4096, 16384)), read=pick.choice(("read", "safe_read")),
                                  offset=pick.choice((0, 0, 100, -5, 5000)), whence=pick.choice(("SEEK_SET", "SEEK_CUR", "SEEK_END")),
                                  numbers=pick.choice((30,) if self.acts else (30, 200, 700)), small=pick.choice((1, 7, 512)), become=pick.choice(("by_dup2", "by_pointer", "by_stream")),
                                  alignment=pick.choice((0, 4096)), large=pick.choice((135168, 200704, 262144)))

    def function(self, number):
        attribute = self.pick.choice(("", "__attribute__((noinline)) "))
        steps = "".join(self.step() for _ in range(self.pick.randint(2, 6)))
        return f"static {attribute}void part_{number}(void) {{\n    ssize_t got = 0;\n{steps}    note(got);\n}}\n"

    def source(self):
        parts = "".join(self.function(i) for i in range(self.functions))
        cases = "".join(f"        case {i}:\n            part_{i}();\n            break;\n" for i in range(self.functions))
        begin = "    begin(argc, argv);\n"
        turn = f"        switch (draw({self.functions})) {{\n{cases}        }}\n"
        if not self.acts and not self.faults:
            return (HEADER + WRAPPERS + parts + "int main(int argc, char **argv) {\n" + begin
                    + f"    for (int round = 0; round < 24; ++round) {{\n{turn}    }}\n    show(\"end\");\n    return 0;\n}}\n")
        # Where it is jumped to is a function of its own: calls of one that is returned to are left alone.
        turn = f"        getppid();\n{turn}        note_files();\n" if self.acts else turn
        begin += f"    begin_to_act((handler){self.pick.choice(HANDLERS)});\n" if self.acts else ""
        begin += "    begin_to_fault();\n" if self.faults else ""
        header = HEADER.replace('#include "support.h"', ("#define FAULTS\n" if self.faults else "") +
                                ("#define KEEPS_DESCRIPTORS\n" if self.acts and not self.replaces else "") + '#include "acts.h"')
        return (header + WRAPPERS + parts
                + f"__attribute__((noinline)) static void turn(void) {{\n{turn}}}\nint main(int argc, char **argv) {{\n{begin}"
                "    for (volatile int round = 0; round < 24; ++round)\n        if (sigsetjmp(next_turn, 1) == 0)\n            turn();\n"
                "    show(\"end\");\n    return 0;\n}\n")


# ---- plans that know nothing of the program but where its calls are ----

ASKS = ("malloc", "aligned_alloc")
TELLS = ("open", "fstat", "read", "lseek", "copy_file_range", "close")
LEFT_OUT = ("read", "read", "posix_fadvise", "fstat", "lseek", "copy_file_range", "close", "fcntl", "fcntl64")


MAKERS = ("socket", "socketpair", "pipe", "pipe2", "eventfd", "dup", "fcntl", "open")


def of(sites, *callees):
    return [site for site in sites if site["callee"] in callees]


def some(pick, sites, most):
    return pick.sample(sites, min(len(sites), pick.randint(1, most))) if sites else []


def flags_behind(pick, first, sites):
    """Some of what sets flags: of the same function behind the maker, or of those that are there for it."""
    setting = of(sites, "fcntl", "ioctl")
    behind = [site for site in setting if site["function"] == first["function"] and site["ordinal"] > first["ordinal"]]
    helpers = [site for site in setting if site["function"] in ("close_on_exec", "do_not_wait")]
    return (behind[:pick.randint(1, 4)] or helpers[:pick.randint(1, 3)]) if pick.random() < 0.8 else some(pick, behind + helpers, 3)


def group_for(pick, kind, first, sites):
    if pick.random() < 0.1:
        return some(pick, sites, 4)
    if kind == "hoist":
        return of(sites, "free")
    if kind == "fuse" and first["callee"] in MAKERS:
        return flags_behind(pick, first, sites)
    if kind == "fuse":
        # The next one, as in a loop, or another.
        behind = [site for site in of(sites, "write") if site["function"] == first["function"] and site["ordinal"] > first["ordinal"]]
        behind = behind or of([site for site in sites if site["function"] == "put_all"], "write")
        return behind[:1] if behind and pick.random() < 0.8 else some(pick, of(sites, "write"), 1)
    if kind == "elide":
        return of(sites, *TELLS) if pick.random() < 0.7 else some(pick, of(sites, *TELLS), 5)
    alike = [site for site in of(sites, first["callee"]) if site["function"] == first["function"] and site["ordinal"] >= first["ordinal"]]
    return alike[1:pick.randint(2, 3)] if len(alike) > 1 else [first] * pick.randint(1, 2)


def decisions(pick, sites):
    firsts = {"hoist": of(sites, *ASKS), "fuse": of(sites, "read", *MAKERS), "elide": of(sites, *LEFT_OUT), "coalesce": of(sites, "write", "pwrite")}
    made = []
    for kind, candidates in firsts.items():
        for first in candidates:
            if pick.random() < 0.8:
                made.append((kind, first, group_for(pick, kind, first, sites)))
    if sites and pick.random() < 0.3:
        made.append((pick.choice(sorted(firsts)), pick.choice(sites), some(pick, sites, 3)))
    pick.shuffle(made)
    return made


def site_text(site):
    return (f'{{ function = "{site["function"]}", ordinal = {site["ordinal"]}, body_hash = "{site["body_hash"]}", kind = "call", '
            f'callee = "{site["callee"]}" }}')


def plan_text(made):
    text = 'format = "thalweg-plan"\nversion = 1\n'
    for number, (kind, first, group) in enumerate(made, 1):
        members = "".join(f"    {site_text(site)},\n" for site in group)
        text += (f'\n[[decision]]\nid = {number}\nkind = "{kind}"\nverdict = "apply"\nsite = {site_text(first)}\n'
                 f"group = [\n{members}]\n")
    return text
