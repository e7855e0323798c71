# benchmarks: the board's rows: a program of a package, how it is built, on what it is recorded, and on what else it is measured.
from dataclasses import dataclass

TRAINING, MEASURED = 1, 2  # seeds of the inputs


@dataclass(frozen=True)
class Row:
    name: str
    package: str
    program: str  # in the build folder
    inputs: tuple  # names in inputs.py
    command: str  # {program}, {source}, {drivers}, and {0}, {1}, ... the inputs; run by a shell, in a folder of its own
    configure: str = ""  # in the build folder; {source}
    make: str = "make -s -j2"
    in_source: bool = False  # it can be built in a copy of its sources only
    needs: tuple = ()  # programs that its build runs, besides a compiler and make
    drivers: tuple = ()  # of drivers/, which is $DRIVERS while it is built: what stands around a library, or asks a server
    own: str = ""  # no package: a folder of the project's examples
    suite: str = ""  # the package's own tests, or a part of them, in the build folder, with the optimised program in its place; {source}


AUTOTOOLS = "{source}/configure -q --disable-shared --disable-nls"

ROWS = (
    Row("lua", "lua5.4", "src/lua", ("lua_script",), "{program} {0}", make="make -s -j2 -C src CC=$CC AR='ar rcu' MYCFLAGS=-DLUA_USE_POSIX lua",
        in_source=True),
    Row("sqlite3", "sqlite3", "sqlite3", ("sql_script",), "{program} :memory: < {0}", "{source}/configure -q --disable-tcl --disable-readline "
        "--disable-shared", make="make -s -j2 sqlite3.c shell.c && $CC -O2 -g -w -I. -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION -c sqlite3.c "
        "-o sqlite3.o && $CC -O2 -g -w -I. -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION -c shell.c -o shell.o && "
        "$CC -O2 -g shell.o sqlite3.o -lm -o sqlite3", needs=("tclsh",)),
    Row("zlib", "zlib", "minigzip", ("text",), "{program} < {0} > packed && {program} -d < packed", "./configure --static", "make -s -j2 minigzip",
        in_source=True, suite="make -s teststatic"),
    Row("expat", "expat", "xmlwf/xmlwf", ("xml",), "{program} -c -d out {0}; {program} -m -d out {0}",
        "cmake -S {source}/expat -B . -DCMAKE_C_COMPILER=$CC -DEXPAT_SHARED_LIBS=OFF -DEXPAT_BUILD_TESTS=OFF -DEXPAT_BUILD_DOCS=OFF "
        "-DEXPAT_BUILD_EXAMPLES=OFF -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS='-O2 -g'"),
    Row("pcre2", "pcre2", "pcre2grep", ("text",), "{program} -c '(?i)the\\s+\\w+ing\\b' {0}; {program} -o '[a-z]+([0-9]{{2,4}})' {0}; "
        "{program} -n '^(?:[A-Z]\\w* ){{2}}' {0}", AUTOTOOLS + " --disable-pcre2grep-callout",
        suite="make -s -j2 pcre2test && srcdir={source} sh {source}/RunGrepTest"),
    Row("lz4", "lz4", "programs/lz4", ("text",), "{program} -q -c -1 {0} > packed && {program} -q -dc packed && {program} -q -c -9 {0}",
        make="make -s -j2 lz4 CC=$CC", in_source=True, suite="make -s -C tests CC=$CC test-lz4-basic test-lz4-dict test-lz4-multiple "
        "test-lz4-skippable test-lz4-contentSize test-lz4-frame-concatenation"),
    Row("bzip2", "bzip2", "bzip2", ("text",), "{program} -c {0} > packed && {program} -dc packed", make="make -s -j2 bzip2 CC=$CC", in_source=True,
        suite="make -s test CC=$CC"),
    Row("xz", "xz-utils", "src/xz/xz", ("text",), "{program} -c -T1 -2 {0} > packed && {program} -dc packed",
        AUTOTOOLS + " --disable-threads --disable-assembler --disable-sandbox", suite="make -s -C tests check TESTS='test_files.sh "
        "test_compress_prepared_bcj_sparc test_compress_prepared_bcj_x86 test_compress_generated_abc test_compress_generated_random "
        "test_compress_generated_text test_scripts.sh'"),
    Row("mawk", "mawk", "mawk", ("text", "awk_script"), "{program} -f {1} {0}", "./configure -q", in_source=True, suite="make -s check"),
    Row("m4", "m4", "src/m4", ("m4_script",), "{program} {0}", AUTOTOOLS, suite="make -s -C checks check"),
    Row("bc", "bc", "bc/bc", ("bc_script",), "{program} -lq {0}", "{source}/configure -q --without-readline", make="make -s -j2 MAKEINFO=:",
        needs=("ed",)),
    # Without its suite: pattern_file_name is declared pure and stores, so that PGO + LTO, clang's own too, shows another line's number.
    Row("grep", "grep", "src/grep", ("text",), "{program} -c 'ing the' {0}; {program} -Eo '[a-z]+[0-9]{{2,4}}' {0}; {program} -inw 'ab.*ti' {0}",
        AUTOTOOLS),
    # Its makefile copies what it has linked in a folder of its own; a copy's objects are not found.
    Row("zstd", "libzstd", "programs/obj/zstd", ("text",), "{program} -q -c -3 {0} > packed && {program} -q -dc packed && {program} -q -c -9 {0} && "
        "{program} -q -c -17 {0}",
        make="make -s -j2 -C programs zstd BUILD_DIR=obj CC=$CC HAVE_THREAD=0 HAVE_ZLIB=0 HAVE_LZMA=0 HAVE_LZ4=0", in_source=True,
        suite="make -s -C tests datagen CC=$CC && cd tests/cli-tests && rm -f compression/adapt.sh compression/basic.sh "  # threads, zlib
        "compression/gzip-compat.sh compression/multi-threaded.sh && cd ../.. && python3 -B tests/cli-tests/run.py --zstd programs/obj/zstd"),
    Row("gawk", "gawk", "gawk", ("text", "awk_script"), "{program} -f {1} {0} {0} {0} {0} {0} {0} {0} {0} {0} {0}",
        AUTOTOOLS + " --disable-extensions --without-readline --without-mpfr",
        "make -s -j2 -C support && make -s -j2 gawk", suite="cd test && rm -f _* && make -s basic gawk-extensions && "
        # Three need other locales; `strftime` is asked again, for it fails where a second ends between `date`'s clock and its own.
        "rm -f _commas _mbstr1 _mbstr2 && { ! test -e _strftime || make -s strftime; } && make -s pass-fail"),
    # The parser itself is written by m4: bison's own work is a table's and a report's.
    Row("bison", "bison", "src/bison", ("grammar",), "export BISON_PKGDATADIR={source}/data && "
        "{program} -r itemsets,lookaheads,solved -o parser.c {0} 2> warnings && cat parser.c parser.output", AUTOTOOLS,
        "printf 'include Makefile\nbuilt-sources: $(filter-out examples/%%,$(BUILT_SOURCES))\n' > headers.mk && "
        "make -s -f headers.mk built-sources && make -s -j2 src/bison", needs=("m4",),
        suite="make -s tests/bison tests/atconfig tests/atlocal && {source}/tests/testsuite -C tests 1-150"),
    Row("cjson", "cjson", "driver", ("json_lines",), "{program} {0}", make="$CC $CFLAGS -c cJSON.c && $CC $CFLAGS -I. -c $DRIVERS/cjson.c && "
        "$CC $CFLAGS cjson.o cJSON.o -lm -o driver", in_source=True, drivers=("cjson.c",)),
    Row("protobuf-c", "protobuf-c", "driver", ("orders",), "{program} {0}", make="protoc-c -I$DRIVERS --c_out=. $DRIVERS/orders.proto && "
        "$CC $CFLAGS -I. -c protobuf-c/protobuf-c.c && $CC $CFLAGS -I. -c orders.pb-c.c && $CC $CFLAGS -I. -c $DRIVERS/orders.c && "
        "$CC $CFLAGS orders.o orders.pb-c.o protobuf-c.o -o driver", in_source=True, needs=("protoc-c",), drivers=("orders.c", "orders.proto")),
    Row("nettle", "nettle", "driver", ("text",), "{program} {0}", "./configure --disable-assembler --disable-shared --disable-public-key "
        "--disable-documentation --disable-openssl", "make -s -j2 libnettle.a && $CC $CFLAGS -I. -c $DRIVERS/nettle.c -o driver.o && "
        "$CC $CFLAGS driver.o libnettle.a -o driver", in_source=True, drivers=("nettle.c",)),
    Row("mpg123", "mpg123", "src/mpg123", ("music",), "{program} -q -s {0} && {program} -q -s -m -2 {0}",
        "{source}/configure -q --disable-shared --enable-modules=no --with-audio=dummy --enable-network=no --with-cpu=generic",
        "make -s -j2 src/mpg123"),
    Row("ninja", "ninja-build", "ninja", ("build_ninja",), "{program} -n -v -f {0} && {program} -f {0} -t compdb && "
        "{program} -f {0} -t commands && {program} -f {0} -t targets all",
        "cmake -S {source} -B . -DCMAKE_CXX_COMPILER=$CXX -DBUILD_TESTING=OFF -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS='-O2 -g'",
        "make -s -j2 ninja", suite="python3 -B {source}/misc/output_test.py"),
    # It writes down what it was called, which is another name for each variant.
    Row("gperf", "gperf", "src/gperf", ("keywords",), "{program} -C -t -N look -m 2 {0} > table && "
        "{program} -t --switch=2 --ignore-case {0} > switch && sed '/Command-line: /d' table switch",
        "CXXFLAGS='-O2 -g -std=gnu++14' {source}/configure -q", "make -s -j2 -C lib && make -s -j2 -C src", suite="make -s -C tests check"),
    Row("hunspell", "hunspell", "src/tools/hunspell", ("affixes", "dictionary", "misspelt"), "cp {0} own.aff && cp {1} own.dic && "
        "{program} -d ./own -l {2} && head -30 {2} | {program} -d ./own -a", AUTOTOOLS, "make -s -j2 -C src/hunspell && "
        "make -s -j2 -C src/parsers && make -s -j2 -C src/tools hunspell", suite="make -s -j2 -C src/tools && make -s -C tests check"),
    Row("brotli", "brotli", "brotli", ("text",), "{program} -c -q 5 {0} > packed && {program} -dc packed && {program} -c -q 9 {0}",
        "cmake -S {source} -B . -DCMAKE_C_COMPILER=$CC -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS='-O2 -g'", "make -s -j2 brotli",
        suite="ctest"),
    # What asks it is nobody's child, so that neither its instructions nor its time are counted.
    Row("redis", "redis", "src/redis-server", ("requests",), "(python3 -B {drivers}/ask_redis.py socket {0} > answers &); "
        "{program} --unixsocket socket --port 0 --save '' --logfile log > /dev/null && cat answers",
        make="make -s -j2 -C src redis-server CC=$CC MALLOC=libc OPTIMIZATION=-O2", in_source=True, drivers=("ask_redis.py", "asking.py"),
        suite="make -s -C src redis-cli redis-benchmark CC=$CC MALLOC=libc OPTIMIZATION=-O2 && ./runtest --single unit/type/string "
        "--single unit/type/hash --single unit/type/zset --single unit/scripting"),
    Row("nginx", "nginx", "objs/nginx", ("pages",), "rm -f prepared; "
        "(python3 -B {drivers}/ask_nginx.py prepare {0} && echo 0 > prepared || echo 1 > prepared &); until [ -s prepared ]; do sleep 0.1; done; "
        "[ $(cat prepared) = 0 ] || exit 3; (python3 -B {drivers}/ask_nginx.py ask {0} > answers &); {program} -p . -c nginx.conf && cat answers",
        "./configure --with-cc=$CC --with-cc-opt='-O2 -g' --without-http_rewrite_module --without-http_gzip_module --prefix=.",
        "make -s -j2", in_source=True, drivers=("ask_nginx.py", "asking.py")),
    # Of callbacks, which most of the others have few of.
    Row("book", "", "book", ("orders_count",), "{program} $(cat {0})", make="make -s -j2 CXX=$CXX CXXFLAGS='-O2 -g -std=c++20'", in_source=True,
        own="examples/book"),
)
