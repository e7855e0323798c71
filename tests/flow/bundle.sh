#!/usr/bin/env bash
# A program, its objects and its link in one file: optimised where none of them is, with the same result; a damaged file is refused.
source "$(dirname "$0")/common.sh"
mkdir -p origin/src origin/build/bin origin/build/lib
cd origin
cat > src/main.c <<'C'
#include <stdio.h>
void add(long *value);
void twice(long *value);
long shared(void);
typedef void handler(long *value);
static handler *list[8];
static int length;
static void bind(handler *one) { list[length++] = one; }
__attribute__((noinline)) static void handle(long *value) {
    for (int i = 0; i < length; ++i)
        list[i](value);
}
int main(int count, char **words) {
    (void)words;
    for (int i = 0; i < 2 * count; ++i)
        bind(i % 2 == 0 ? add : twice);
    long value = shared();
    for (int run = 0; run < 20000; ++run)
        handle(&value);
    printf("%ld\n", value);
}
C
echo 'void add(long *value) { *value = *value % 1000 + 3; }' > src/add.c
echo 'void twice(long *value) { *value *= 2; }' > src/twice.c
echo 'long shared(void) { return 5; }' > src/shared.c
echo '{ global: main; local: *; };' > src/exported.map
# An object above the folder of the link, one by an absolute name, a thin archive, a library that is loaded, a script, and zlib.
thalweg-cc -O2 -c src/main.c -o main.o
thalweg-cc -O2 -c src/twice.c -o "$scratch/twice.o"
cd build
thalweg-cc -O2 -c ../src/add.c -o lib/add.o
(cd lib && llvm-ar-19 rcsTD libadd.a add.o)
clang-19 -O2 -shared -fPIC ../src/shared.c -Wl,-soname,libshared.so -o lib/libshared.so
thalweg-cc ../src/../main.o "$scratch/twice.o" -Llib -ladd -lshared -lz -Wl,-rpath,'$ORIGIN/../lib' -Wl,--version-script=../src/exported.map -o bin/prog
cd "$scratch"

shown=$(origin/build/bin/prog)
thalweg record -o day.profile -- origin/build/bin/prog > out 2> said || die "record: $(cat said)"
thalweg plan day.profile -o day.plan > /dev/null 2>&1
thalweg optimize origin/build/bin/prog --profile day.profile --plan day.plan -o origin/build/bin/prog.opt > expected 2>&1 || die "optimize: $(cat expected)"
thalweg bundle origin/build/bin/prog -o prog.bundle > out 2> said || die "bundle: $(cat said)"
grep -q 'prog.bundle: 7 files' out || die "what is in it? $(cat out)"
llvm-ar-19 t prog.bundle > listed
grep -qx 'link/origin/build/lib/libadd.a' listed || grep -qx 'link/build/lib/libadd.a' listed || die "no archive: $(cat listed)"
same 600 "$(stat -c %a prog.bundle)" "who may read a bundle"
thalweg bundle origin/build/bin/prog -o again.bundle --json 2> /dev/null | grep -q '"bundle":"again.bundle"' || die "--json"
cmp prog.bundle again.bundle || die "the same program, another bundle"

# Elsewhere: nothing of the build is there.
export TMPDIR=$scratch/tmp && mkdir tmp
mkdir elsewhere && cp prog.bundle day.profile day.plan elsewhere/
mv origin/build/bin/prog.opt expected.opt && mkdir lib && cp origin/build/lib/libshared.so lib/
mv origin gone && mv twice.o gone/
cd elsewhere
thalweg optimize prog.bundle --profile day.profile --plan day.plan -o prog.opt > out 2> said || die "optimize the bundle: $(cat said)"
grep -q '^ *1 .*applied ' out || die "decision 1 was not applied: $(cat out)"
cmp prog.opt ../expected.opt || die "from its bundle the optimised program has other bytes"
same "$shown" "$(./prog.opt)" "output"
[ -x prog.opt ] || die "the optimised program can't be run"
# A profile can be recorded there, too. The twin stands elsewhere than the program did, so its library has to be found.
LD_LIBRARY_PATH=$scratch/lib thalweg record -o there.profile -- ./prog.bundle > out 2> said || die "record the bundle: $(cat said)"
same "$shown" "$(cat out)" "output of the bundle's twin"
thalweg optimize prog.bundle --profile there.profile -o there.opt > out 2> said || die "optimize by the bundle's own profile: $(cat said)"
! grep -q 'another build' said || die "the bundle's profile is of another build: $(cat said)"
same "$shown" "$(./there.opt)" "output"
[ -z "$(ls "$TMPDIR")" ] || die "files of the bundle are left: $(ls "$TMPDIR")"

# What is no whole bundle is refused, and nothing is made.
refused() {  # $1: exit code, $2: a word of the message, the rest: the file
    local code=0
    thalweg optimize "$3" --plan day.plan -o made > out 2> said || code=$?
    same "$1" "$code" "the exit code for $3 ($(cat said))"
    grep -q -- "$2" said || die "$3: no word of '$2': $(cat said)"
    [ ! -e made ] || die "$3: something was made"
}
size=$(stat -c %s prog.bundle)
for part in 100 $((size / 2)) $((size - 2)); do
    head -c "$part" prog.bundle > cut.bundle
    refused 7 'is damaged' cut.bundle
done
changed() { cp prog.bundle changed.bundle; sed -i "$1" changed.bundle; refused 7 "$2" changed.bundle; }
changed 's|^link/\([^ ]*\)/main.o/$|/ink/\1/main.o/|; s|^link/main.o/$|/ink/main.o/|' 'is no name of a file'
changed 's|program/prog|program/../g|' 'is damaged'
changed 's|exported.map/$|../orted.map/|' 'is no name of a file'
changed 's|{ global: main;|{ global: mine;|' "isn't what the program was linked from"
changed 's|"version":1|"version":9|' 'version 9'
code=0; thalweg optimize prog.bundle --profile day.profile --objects . -o made > out 2> said || code=$?
same 2 $code "--objects with a bundle"
code=0; thalweg bundle prog.bundle > out 2> said || code=$?
same 7 $code "a bundle of a bundle"
code=0; thalweg bundle > out 2> said || code=$?
same 2 $code "a bundle of nothing"
code=0; thalweg optimize prog.bundle --profile day.profile -o prog.bundle > out 2> said || code=$?
same 2 $code "the bundle itself as output"

# A profile of another program fits a bundle as little as a program.
echo 'int main(void) { return 0; }' > other.c
thalweg-cc -O2 other.c -o other
thalweg bundle other > out 2> said || die "bundle: $(cat said)"
code=0; thalweg optimize other.bundle --profile day.profile -o made > out 2> said || code=$?
same 4 $code "a profile of another program"
# Objects that have changed since the link are not put into a bundle.
echo 'int main(void) { return 1; }' > other.c
thalweg-cc -O2 -c other.c -o .thalweg/other/0-other.o
rm other.bundle; code=0; thalweg bundle other > out 2> said || code=$?
same 4 $code "a bundle of changed objects"
[ ! -e other.bundle ] || die "a bundle of changed objects was made"
