# benchmarks: the board's rows: a program of a package, how it is built, on what it is recorded, and on what else it is measured.
from dataclasses import dataclass

TRAINING, MEASURED = 1, 2  # seeds of the inputs


@dataclass(frozen=True)
class Row:
    name: str
    package: str
    program: str  # in the build folder
    inputs: tuple  # names in inputs.py
    command: str  # {program}, and {0}, {1}, ... the inputs; run by a shell, in a folder of its own
    configure: str = ""  # in the build folder; {source}
    make: str = "make -s -j2"
    in_source: bool = False  # it can be built in a copy of its sources only
    needs: tuple = ()  # programs that its build runs, besides a compiler and make
    suite: str = ""  # the package's own tests, or a part of them, in the build folder; {program} is in its place


AUTOTOOLS = "{source}/configure -q --disable-shared --disable-nls"

ROWS = (
    Row("lua", "lua5.4", "src/lua", ("lua_script",), "{program} {0}", make="make -s -j2 -C src CC=$CC AR='ar rcu' MYCFLAGS=-DLUA_USE_POSIX lua",
        in_source=True),
    Row("sqlite3", "sqlite3", "sqlite3", ("sql_script",), "{program} :memory: < {0}", "{source}/configure -q --disable-tcl --disable-readline "
        "--disable-shared", make="make -s -j2 sqlite3.c shell.c && $CC -O2 -g -w -I. -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION -c sqlite3.c "
        "-o sqlite3.o && $CC -O2 -g -w -I. -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION -c shell.c -o shell.o && "
        "$CC -O2 -g shell.o sqlite3.o -lm -o sqlite3", needs=("tclsh",)),
    Row("zlib", "zlib", "minigzip", ("text",), "{program} < {0} > packed && {program} -d < packed", "./configure --static", "make -s -j2 minigzip",
        in_source=True, suite="make -s test"),
    Row("expat", "expat", "xmlwf/xmlwf", ("xml",), "{program} -c -d out {0}; {program} -m -d out {0}",
        "cmake -S {source}/expat -B . -DCMAKE_C_COMPILER=$CC -DEXPAT_SHARED_LIBS=OFF -DEXPAT_BUILD_TESTS=OFF -DEXPAT_BUILD_DOCS=OFF "
        "-DEXPAT_BUILD_EXAMPLES=OFF -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS='-O2 -g'"),
    Row("pcre2", "pcre2", "pcre2grep", ("text",), "{program} -c '(?i)the\\s+\\w+ing\\b' {0}; {program} -o '[a-z]+([0-9]{{2,4}})' {0}; "
        "{program} -n '^(?:[A-Z]\\w* ){{2}}' {0}", AUTOTOOLS + " --disable-pcre2grep-callout", suite="make -s check"),
    Row("lz4", "lz4", "programs/lz4", ("text",), "{program} -q -c -1 {0} > packed && {program} -q -dc packed && {program} -q -c -9 {0}",
        make="make -s -j2 lz4 CC=$CC", in_source=True),
    Row("bzip2", "bzip2", "bzip2", ("text",), "{program} -c {0} > packed && {program} -dc packed", make="make -s -j2 bzip2 CC=$CC", in_source=True),
    Row("xz", "xz-utils", "src/xz/xz", ("text",), "{program} -c -T1 -2 {0} > packed && {program} -dc packed",
        AUTOTOOLS + " --disable-threads --disable-assembler --disable-sandbox"),
    Row("mawk", "mawk", "mawk", ("text", "awk_script"), "{program} -f {1} {0}", "./configure -q", in_source=True),
    Row("m4", "m4", "src/m4", ("m4_script",), "{program} {0}", AUTOTOOLS),
    Row("bc", "bc", "bc/bc", ("bc_script",), "{program} -lq {0}", "{source}/configure -q --without-readline", make="make -s -j2 MAKEINFO=:",
        needs=("ed",)),
    Row("grep", "grep", "src/grep", ("text",), "{program} -c 'ing the' {0}; {program} -Eo '[a-z]+[0-9]{{2,4}}' {0}; {program} -inw 'ab.*ti' {0}", AUTOTOOLS),
)
