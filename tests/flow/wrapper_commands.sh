#!/usr/bin/env bash
# thalweg-cc called by hand in the ways that build systems and configure scripts do.
source "$(dirname "$0")/common.sh"
source "$here/sources.sh"

# Information passes through.
same "$(clang-19 -dumpversion)" "$(thalweg-cc -dumpversion)" "-dumpversion"
same "$(clang-19 --version)" "$(thalweg-cc --version)" "--version"
same "$(clang-19 -print-search-dirs)" "$(thalweg-cc -print-search-dirs)" "-print-search-dirs"
thalweg-cc -E answer.c | grep -q 'x + 40' || die "-E"
thalweg-cc -S answer.c -o - | grep -q '\.globl' || die "-S gives no assembler"
thalweg-cc -M answer.c | grep -q 'answer.h' || die "-M"

# Compiling: bitcode beside machine code, depfiles as ever, several files at once, standard input, assembler.
thalweg-cc -O2 -MD -MF deps -MT target -c answer.c -o answer.o
grep -q '^target:.*answer.h' deps || die "-MD -MF -MT"
has_bitcode answer.o
thalweg-c++ -O2 -c main.cc more.cc
has_bitcode more.o
echo 'int stdin_function;' | thalweg-cc -x c -c - -o stdin.o
has_bitcode stdin.o
thalweg-cc -Werror -S answer.c -o answer.s && thalweg-cc -Werror -c answer.s -o from_assembler.o
no_section from_assembler.o '\.llvm\.lto'
if thalweg-cc -c absent.c 2> /dev/null; then die "a missing source compiles"; fi

# Linking: plain, from a response file, with an archive made by GNU ar, with garbage collection and stripped.
thalweg-c++ -O2 main.o more.o answer.o -o plain
relinks ./plain "$expected"
echo "main.o more.o 'answer.o' -o from_response" > words.rsp
thalweg-c++ @words.rsp
relinks ./from_response "$expected"
ar rcs libparts.a more.o answer.o
thalweg-c++ main.o -L. -lparts -o archived -Wl,--gc-sections -Wl,-Map=first.map -s
cp first.map map.before
relinks ./archived "$expected"
cmp -s first.map map.before || die "linking again wrote the first link's map"
echo 'int answer(int x) { return x; }' | thalweg-cc -x c -c - -o answer.o
ar rcs libparts.a answer.o
if thalweg relink ./archived -o stale 2> error; then die "a changed archive was linked"; fi
grep -q 'libparts.a has changed' error || die "the changed archive is not named: $(cat error)"
thalweg-cc -O2 -c answer.c

# Sources and link in one command, with a depfile; the objects stay.
thalweg-cc -O2 -c answer.c
thalweg-c++ -O3 -MMD main.cc more.cc -pthread -xnone answer.o -o one_step
relinks ./one_step "$expected"
thalweg relink ./one_step -o x --show 2> /dev/null | grep -q -- ' -O3 ' || die "the level of the compilation is lost"
[ -s one_step.d ] || die "no depfile of a one-step build"
echo 'int main(void) { return 7; }' > conftest.c
thalweg-cc -o conftest conftest.c -lm && { ./conftest || same 7 $? "conftest"; }
thalweg-cc conftest.c && { ./a.out || same 7 $? "a.out"; }
thalweg-cc conftest.c -o /dev/null || die "linking to /dev/null"
[ -c /dev/null ] || die "/dev/null was replaced"
if thalweg-cc -o conftest conftest.c -lno_such_library 2> /dev/null; then die "a missing library links"; fi

# Shared libraries, found through $ORIGIN from a twin in another folder; ld -r makes opaque objects that still link.
mkdir -p lib other
thalweg-c++ -shared -fPIC -O2 more.cc -o lib/libmore.so -Wl,-soname,libmore.so
has_section lib/libmore.so
thalweg-c++ main.o answer.o -Llib -lmore -Wl,-rpath,'$ORIGIN/lib' -o dynamic
relinks ./dynamic "$expected"
thalweg relink ./dynamic -o other/dynamic 2> /dev/null
same "$expected" "$(other/dynamic)" "a twin in another folder"
thalweg-cc -r more.o answer.o -o both.o
no_section both.o '\.llvm\.lto'
thalweg-c++ main.o both.o -o partial
relinks ./partial "$expected"
thalweg doctor ./partial --json | grep -q '"name":"[^"]*both.o"' || die "doctor does not name both.o"
thalweg doctor ./partial | grep -q 'both.o: opaque' || die "doctor does not call both.o opaque"

# -static and -no-pie are kept.
thalweg-c++ -static main.o more.o answer.o -o static
relinks ./static "$expected"
file_type=$(readelf -h ./static.again | grep Type:)
same "$(readelf -h ./static | grep Type:)" "$file_type" "-static"

# What has no record says how to get one.
clang-19 conftest.c -o foreign
if thalweg relink ./foreign -o x 2> error; then die "a foreign program was linked"; fi
grep -q 'CC=thalweg-cc' error || die "no advice: $(cat error)"
