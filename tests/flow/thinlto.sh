#!/usr/bin/env bash
# What is too large for one link is counted by its files with LLVM's own counters, and linked by ThinLTO with these counts: objects, members of archives,
# functions of one name in two files, what several files have in common, what has no bitcode. What can't be linked so says why, and makes nothing.
source "$(dirname "$0")/common.sh"
profdata=/usr/lib/llvm-19/bin/llvm-profdata
cat > shared.h <<'C'
#pragma once
#include <stdexcept>
template <class T> __attribute__((noinline)) T scaled(T value) { return value % 7 == 0 ? value * 3 : value + 1; }
struct Shape { virtual long area(long) const = 0; virtual ~Shape() {} };
const Shape &shape_of(long kind);
long first_sum(long times), second_sum(long times);
extern "C" long archived(long), opaque(long), by_library(long);
C
cat > first.cc <<'C'
#include "shared.h"
__attribute__((noinline)) static long step(long n) { if (n < 0) throw std::runtime_error("first"); return n % 5 == 0 ? n + 2 : n; }
long first_sum(long times) { long sum = 0; for (long i = 0; i < times; ++i) sum += step(i) + scaled(i); return sum; }
struct Square : Shape { long area(long n) const override { return n * n; } };
struct Line : Shape { long area(long) const override { return 0; } };
static const Square square; static const Line line;
const Shape &shape_of(long kind) { if (kind % 10 == 0) return line; return square; }
C
cat > second.cc <<'C'
#include "shared.h"
__attribute__((noinline)) static long step(long n) { if (n > 1000000) throw std::runtime_error("second"); return n % 5 == 0 ? n - 2 : n; }
long second_sum(long times) { long sum = 0; for (long i = 0; i < 3 * times; ++i) sum += step(i) + scaled(i); return sum; }
C
cat > main.cc <<'C'
#include "shared.h"
#include <cstdio>
#include <cstdlib>
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>
static long at_start = first_sum(3);
int main(int argc, char **argv) {
    const long times = std::atol(argv[1]);
    const bool forks = argc > 2 && *argv[2] == 'f';
    if (forks && fork() == 0) { first_sum(100); std::exit(0); }
    if (forks) wait(nullptr);
    long sum = at_start;
    try { sum += second_sum(times) + first_sum(times); first_sum(-1); } catch (const std::exception &problem) { std::puts(problem.what()); }
    for (long i = 0; i < times; ++i) sum += shape_of(i).area(i) + archived(i) + by_library(i);
    std::printf("%ld %ld\n", sum, opaque(times));
    std::fflush(stdout);
    if (argc > 3) kill(getpid(), SIGKILL);
}
C
echo 'long archived(long n) { return n & 3; }' > archived.c
echo 'long opaque(long n) { return n + 40; }' > opaque.c
echo 'long by_library(long n) { return n & 5; }' > by_library.c
echo 'long unused(long n) { return n; }' > unused.c
for file in first second main; do thalweg-c++ -O2 -g -c $file.cc -o $file.o; done
for file in archived by_library unused; do thalweg-cc -O2 -g -c $file.c -o $file.o; done
clang-19 -O2 -c opaque.c -o opaque.o
ar rc libparts.a archived.o opaque.o unused.o
mkdir -p own && ar rc own/libown.a by_library.o
thalweg-c++ -O2 main.o first.o second.o libparts.a -Lown -lown -o program
record() { thalweg record --thinlto -o "$1" -- ./program "${@:2}" > out 2> said; }
record p.profile 1000 || die "record: $(cat said)"
same "$(./program 1000)" "$(cat out)" "what the twin shows"
grep -q 'next: thalweg optimize ./program --thinlto --profile p.profile' said || die "what comes next: $(cat said)"
counted() { thalweg export "$1" --profdata -o exported && $profdata show --all-functions --counts exported | grep -A4 "$2:\$" | sed -n 's/.*Block counts: \[\(.*\)\].*/\1/p' | tr -d ' '; }
has() { [[ ,$2, == *,$3,* ]] || die "$1: '$3' is not among '$2'"; }
# Three rounds in a constructor, and 1000 in main.
has "first's step" "$(counted p.profile 'first.cc;_ZL4stepl')" 1003
has "second's step" "$(counted p.profile 'second.cc;_ZL4stepl')" 3000
has "what both have" "$(counted p.profile _Z6scaledIlET_S0_)" 4003
has "an archive's member" "$(counted p.profile archived)" 1000
has "an archive's member by -l" "$(counted p.profile by_library)" 1000
$profdata show --all-functions --ic-targets exported > targets
grep -q 'Square.*area.* 900 ' targets || die "targets of the call: $(grep area targets)"

# $1: the profile.
optimized() {
    thalweg optimize --thinlto ./program --profile "$1" -o program.opt > told 2> said || die "optimize: $(cat told said)"
    for arguments in 0 1 1000 77777 400001 "50 fork"; do
        same "$(./program $arguments)" "$(./program.opt $arguments)" "what the optimised program shows of $arguments"
    done
}
optimized p.profile
grep -q 'by ThinLTO; profile of [1-9][0-9]* functions; 0 of 0 decisions' told || die "what was done: $(cat told)"
objdump -d --no-show-raw-insn --disassemble=main program.opt > code
grep -q 'call.*<archived>\|call.*<by_library>' code && die "what was hot in another file is still called: $(grep call code)"
grep -q 'opaque' code || die "what has no bitcode is not called"
# The same in a folder of another name, and again.
cp program.opt before; optimized p.profile; cmp before program.opt || die "two links of the same are not the same"

# A child's counts are there, and with them what it had from its parent; of what a signal ends nothing is there, and that is told.
record fork.profile 1000 fork || die "record: $(cat said)"
has "both processes" "$(counted fork.profile 'first.cc;_ZL4stepl')" $((1003 + 103))
code=0; record killed.profile 1000 fork kill || code=$?
same 137 "$code" "exit code of what was killed"
has "the child alone" "$(counted killed.profile 'first.cc;_ZL4stepl')" 103
rm killed.profile; code=0; record killed.profile 5 alone kill || code=$?
same 137 "$code" "exit code of what was killed alone"
grep -q 'NOTHING WAS RECORDED: a process counts when it ends by exit' said || die "a killed program's counts: $(cat said)"
optimized killed.profile
grep -q 'no profile' told || die "of no counts: $(cat told)"
ls ./*.profraw 2> /dev/null && die "the runtime's files are left behind"
env -u LLVM_PROFILE_FILE "$PWD/$(ls .program.*.thalweg-twin | tail -1)" 10 > out || die "the twin by itself"
ls ./*.profraw 2> /dev/null && die "a twin by itself writes files"

# $1: exit code, $2: words; nothing is made.
refused() {
    local code=0; rm -f made; "${@:3}" > out 2> said || code=$?
    same "$1" "$code" "exit code of ${*:3}: $(cat said)"
    grep -q -- "$2" said || die "words of ${*:3}: $(cat said)"
    [ ! -e made ] || die "${*:3} made something"
}
thalweg record -o whole.profile -- ./program 1000 > out 2> said
refused 4 'counts the program as a whole' thalweg optimize --thinlto ./program --profile whole.profile -o made
optimized p.profile
refused 2 'record the original' thalweg record --thinlto -o made -- ./program.opt 5
refused 2 'leave out --library' thalweg record --thinlto --library libx.so -o made -- ./program 5
# A program that sets how floating point rounds: no file is told what another's variables hold.
cp "$here"/rounding.h "$here"/rounding.c "$here"/rounding_layer.c .
thalweg-cc -O2 -g rounding.c rounding_layer.c -lm -o rounds
shown=$(for up in 0 1; do ./rounds $up; done)
same "$shown" "$(for up in 0 1; do thalweg record --thinlto -o rounds.profile -- ./rounds $up 2> said; done)" "what the twin shows that sets the mode"
thalweg optimize --thinlto ./rounds --profile rounds.profile -o rounds.opt > told 2> said || die "optimize: $(cat told said)"
grep -q '^each file by its own passes (link-time optimisation would compute what fesetround may change); profile of [1-9]' told || die "no word of why: $(cat told)"
same "$shown" "$(for up in 0 1; do ./rounds.opt $up; done)" "what the optimised program shows that sets the mode"
thalweg-cc -O2 -shared -fPIC archived.c -o libarchived.so
refused 2 'linked as a whole' thalweg optimize --thinlto ./libarchived.so --profile killed.profile -o made
# Of another build, and of an enemy: slower, never wrong.
cat > other.cc <<'C'
#include "shared.h"
__attribute__((noinline)) static long step(long n) { return n < 3 || n % 3 ? n : step(n / 3); }
long second_sum(long times) { return step(times); }
C
thalweg-c++ -O2 -g other.cc -c -o second.o && thalweg-c++ -O2 main.o first.o second.o libparts.a -Lown -lown -o program
optimized p.profile
grep -q 'more have changed since' told || die "functions that changed: $(cat told)"
python3 - <<'PYTHON'
import sqlite3
with sqlite3.connect("p.profile") as base:
    base.execute("UPDATE counted_functions SET counts = REPLACE(REPLACE(counts, '1', '9223372036854775807'), ' 0', ' 77')")
PYTHON
thalweg optimize --thinlto ./program --profile p.profile -o program.opt > told 2> said && optimized p.profile || grep -q 'error' said || die "an enemy's counts: $(cat said)"
echo '// changed' >> first.cc; thalweg-c++ -O2 -g -DX -c main.cc -o first.o
refused 4 'not as they were' thalweg optimize --thinlto ./program --profile killed.profile -o made
# A link that gets no more memory says what to do. How much the linker itself takes before it begins is not for us to know.
thalweg record -o whole.profile -- ./rounds 0 > out 2> said
for kilobytes in $(seq 200000 1000 600000); do
    (ulimit -v "$kilobytes"; thalweg optimize ./rounds --profile whole.profile -o made > out 2> said) || true
    grep -q 'takes more memory than there is.*--thinlto' said && exit 0
done
die "no link ended for want of memory: $(cat said)"
