#!/usr/bin/env bash
# Blocks and edges are counted in the twin as LLVM's IR instrumentation counts them: exactly, in children too, and what a killed program counted
# is there. The optimising link is told of them; counts of other code, or of nobody, change nothing of what the program shows.
source "$(dirname "$0")/common.sh"
profdata=/usr/lib/llvm-19/bin/llvm-profdata
# Of function $1 in program $2, into a file: a reader that stops early would end who writes into a pipe.
code_of() { objdump -d --no-show-raw-insn "$2" | sed -n "/<$1>:/,/^\$/p" > code; }
cat > counted.c <<'C'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) static long rare(long n) { return n * 7 % 11; }
__attribute__((noinline)) static long often(long n) { return n % 3 == 0 ? n + 1 : n - 1; }
__attribute__((noinline)) long work(long times) {
    long sum = 0;
    for (long i = 0; i < times; ++i) sum += i % 100 == 0 ? rare(i) : often(i);
    return sum;
}
typedef long operation(long);
operation *volatile operations[] = {often, rare};
__attribute__((noinline)) long through(long n) { operation *chosen = operations[n % 10 == 0]; return chosen(n); }
/* Before main, and before the recorder. */
static volatile long early_sum;
__attribute__((constructor(100))) static void early(void) { early_sum = work(7); }
int main(int argc, char **argv) {
    long sum = work(atol(argv[1]));
    if (argc > 2 && fork() == 0) { work(300); _exit(0); }
    if (argc > 2) wait(NULL);
    for (long i = 0; i < 2000; ++i) sum += through(i);
    printf("%ld\n", sum);
    fflush(stdout);
    if (argc > 3) kill(getpid(), SIGKILL);
    return 0;
}
C
thalweg-cc -O2 -g counted.c -o counted
counts() { thalweg export "$1" --profdata -o exported && $profdata show --all-functions --counts exported; }
counted() { counts "$1" | grep -A3 ";\?$2:$" | sed -n 's/.*Block counts: \[\([0-9]*\).*/\1/p'; }
thalweg record -o p.profile -- ./counted 1000 > out 2> said || die "record: $(cat said)"
grep -q 'blocks of 6 functions counted, 6 of which ran' said || die "what was counted is not told: $(cat said)"
same "211 2796" "$(counted p.profile rare) $(counted p.profile often)" "entries of 1000 and 7 rounds"
thalweg record -o killed.profile -- ./counted 1000 fork kill > out 2> said && die "the kill was not handed through"
same "214 3093" "$(counted killed.profile rare) $(counted killed.profile often)" "entries with a child's, of a program that was killed"

# With nothing to decide there is still something to optimise with.
thalweg plan p.profile -o p.plan > out 2> said
grep -q 'no decision of this profile is worth making, and each says why; `thalweg optimize` has its counts' said || die "plan: $(cat said)"

# What a call through a pointer called.
targets() { thalweg export "$1" --profdata -o exported && $profdata show --all-functions --ic-targets exported | sed -n 's/.*;\(often\|rare\), *\([0-9]*\) .*/\1 \2/p' | sort | tr '\n' ' '; }
same "often 1800 rare 200 " "$(targets p.profile)" "targets of the call"
same "often 1800 rare 200 " "$(targets killed.profile)" "targets of the call, of a program that was killed"

# How large memory operations were, by LLVM's ranges: as clang's own instrumentation has it.
cat > sizes.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char from[2048], to[2048];
static volatile size_t kinds[] = {0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 100, 128, 255, 256, 257, 511, 512, 513, 2000};
__attribute__((noinline)) void copy(char *target, const char *source, size_t size) { memcpy(target, source, size); }
int main(int argc, char **argv) {
    const long times = atol(argv[1]);
    for (unsigned i = 0; i < sizeof from; ++i) from[i] = (char)(i * 31);
    for (long i = 0; i < times; ++i) {
        for (int j = 0; j < 40; ++j) copy(to + j, from + i % 16, kinds[3]);
        copy(to, from + i % 7, kinds[i % 20]);
    }
    unsigned long sum = 0;
    for (unsigned i = 0; i < sizeof to; ++i) sum = sum * 31 + (unsigned char)to[i];
    printf("%lx\n", sum);
    return argc - 2;
}
C
sizes() { $profdata show --all-functions --memop-sizes "$1" | sed -n 's/.*\[ *[0-9]*, *\([0-9]*\), *\([0-9]*\) \].*/\1 \2/p' | sort | tr '\n' ' '; }
thalweg-cc -O2 sizes.c -o sizes
thalweg record -o sizes.profile -- ./sizes 100 > out 2> said || die "record: $(cat said)"
thalweg export sizes.profile --profdata -o exported
clang-19 -O2 -fprofile-generate sizes.c -o sizes.clang
LLVM_PROFILE_FILE=sizes.raw ./sizes.clang 100 > out
$profdata merge sizes.raw -o sizes.profdata
[ "$(sizes sizes.profdata | wc -w)" = 32 ] || die "clang's own has other ranges: $(sizes sizes.profdata)"
same "$(sizes sizes.profdata)" "$(sizes exported)" "sizes of the copies"
thalweg record --from-profdata sizes.profdata -o back.profile 2> said || die "from clang's: $(cat said)"
thalweg export back.profile --profdata -o exported
same "$(sizes sizes.profdata)" "$(sizes exported)" "sizes that went through LLVM's own profile"
thalweg merge sizes.profile sizes.profile -o back.profile > out 2>&1 || die "merge: $(cat out)"
thalweg export back.profile --profdata -o exported
same "$(sizes sizes.profdata | awk '{for (i = 2; i <= NF; i += 2) $i *= 2; print}')" "$(sizes exported | sed 's/ $//')" "sizes of both"
# $1: what every memory operation's sizes are from now on; empty: as recorded.
sized() {
    cp sizes.profile lying.profile
    [ -z "$1" ] || python3 - "$1" <<'PYTHON'
import sqlite3, sys
with sqlite3.connect("lying.profile") as base:
    base.execute("UPDATE memory_sizes SET sizes = ?", (sys.argv[1],))
PYTHON
    thalweg optimize ./sizes --profile lying.profile -o sizes.opt > out 2> said || die "optimize: $(cat out said)"
    for times in 100 101 107; do same "$(./sizes $times)" "$(./sizes.opt $times)" "what the copies show, of sizes '$1'"; done
}
has_own_code() { code_of copy sizes.opt && grep -q "cmp *\$0x$1," code; }
sized "" && has_own_code 8 || die "the usual size has no code of its own"
for lie in "9 0" "9 16" "9223372036854775807 512" "5 1
7 18446744073709551615"; do sized "$lie"; done
sized "4000 128" && has_own_code 80 && ! has_own_code 8 || die "the sizes of the profile are not what the link is told"

# Two profiles are one of twice as much, and what LLVM's own tool was given comes back.
thalweg merge p.profile p.profile -o both.profile > out 2>&1 || die "merge: $(cat out)"
same "422 5592" "$(counted both.profile rare) $(counted both.profile often)" "entries of both"
thalweg export p.profile --profdata -o p.profdata 2> said
thalweg record --from-profdata p.profdata -o back.profile 2> said || die "from LLVM's: $(cat said)"
same "$(counts p.profile)" "$(counts back.profile)" "counts that went through LLVM's own profile"
same "often 3600 rare 400 " "$(targets both.profile)" "targets of both"
same "often 1800 rare 200 " "$(targets back.profile)" "targets that went through LLVM's own profile"
code=0; thalweg record --from-profdata counted -o none.profile 2> said || code=$?
same 4 "$code" "exit code of a file that is no profile"
[ ! -e none.profile ] || die "a profile was made of no profile"
# LLVM 19's own tool crashes on this one, and its words would be of itself: the last byte of a place in the file, within the header.
python3 -c 'import sys; b = bytearray(sys.stdin.buffer.read()); b[87] ^= 0x20; sys.stdout.buffer.write(b)' < p.profdata > damaged.profdata
code=0; thalweg record --from-profdata damaged.profdata -o none.profile 2> said || code=$?
same 4 "$code" "exit code of a damaged profile"
grep -q 'damaged.profdata is no profile' said || die "a damaged profile: $(cat said)"
! grep -q 'bug report' said || die "a damaged profile: $(cat said)"

# The link is told of them: what never ran is laid apart, and what the program shows is the same.
optimised() { thalweg optimize ./counted --profile "$1" -o "$2" > out 2> said || die "optimize by $1: $(cat out said)"; same "$(./counted 1000)" "$("./$2" 1000)" "what $2 shows"; }
optimised p.profile told
grep -q 'profile of 6 functions; 0 of' out || die "the link was not told of six functions: $(cat out)"
code_of through told && grep -q '<often' code || die "the call's usual target is not called directly"
# What the run called of the C library is found when the program is loaded, and called without a jump between; what it didn't call is found when it is.
bound() { readelf -rW told | sed -n "s/.*R_X86_64_\([A-Z]*\)_[A-Z]* .* $1@.*/\1/p"; }
same "GLOB JUMP" "$(bound fflush) $(bound kill)" "how fflush and kill are bound"
optimised back.profile again
text() { objcopy -O binary --only-section=.text "$1" "$1.text"; cat "$1.text"; }
cmp -s <(text told) <(text again) || die "the same counts make another program"

# What is hot and what is cold changes nothing of what is found: of an order book of callbacks, with cold ends, the lists become lines.
for unit in main book printer statistics; do thalweg-c++ -std=c++20 -O2 -g -c "$here/../../examples/book/$unit.cc" -o "$unit.o" & done
wait
thalweg-c++ -O2 -g main.o book.o printer.o statistics.o -o orders
thalweg record -o orders.profile -- ./orders 30000 > out 2> said || die "record of the order book: $(cat said)"
thalweg optimize ./orders --profile orders.profile -o orders.opt > out 2> said || die "optimize of the order book: $(cat out said)"
! grep -q 'stale' out || die "the profile is told to be stale: $(cat out)"
grep -q '^ *[0-9]*  applied  *merge' out || die "no list became a line: $(cat out)"
same "$(./orders 20000)" "$(./orders.opt 20000)" "what the order book shows"

# Counts of other code are not used, of anything else they change the speed alone.
sed 's/n % 3 == 0 ? n + 1 : n - 1/n % 3 == 0 ? n + 1 : n % 5 == 0 ? n : n - 1/' counted.c > other.c
mv other.c counted.c
thalweg-cc -O2 -g counted.c -o counted
optimised p.profile stale
grep -q '([1-9] more have changed since they were counted)' out || die "stale counts are not told: $(cat out)"
# $1: what every counter of the profile says from now on; empty: no function has a counter.
lie() {
    python3 - "$1" <<'PYTHON'
import sqlite3, sys
with sqlite3.connect("lying.profile") as base:
    for number, counts in base.execute("SELECT id, counts FROM counted_functions").fetchall():
        base.execute("UPDATE counted_functions SET counts = ? WHERE id = ?", (" ".join([sys.argv[1]] * len(counts.split())).strip(), number))
PYTHON
}
thalweg record -o p.profile -- ./counted 1000 > out 2> said
optimised p.profile honest
for number in 1 9223372036854775807 0; do
    cp p.profile lying.profile
    lie "$number"
    optimised lying.profile lying
    grep -q 'profile of 6 functions; 0 of' out || die "lies of $number weren't told to the link: $(cat out)"
done
! cmp -s <(text lying) <(text honest) || die "whatever the counts are, the same program is made"
for targets in "9 main" "9 nobody" "9223372036854775807 counted.c;rare"; do
    cp p.profile lying.profile
    python3 - "$targets" <<'PYTHON'
import sqlite3, sys
with sqlite3.connect("lying.profile") as base:
    base.execute("UPDATE call_targets SET targets = ?", (sys.argv[1],))
PYTHON
    optimised lying.profile lying
done
cp p.profile lying.profile
lie ""
optimised lying.profile lying
grep -q 'no profile (' out || die "functions without counters: $(cat out)"
cp p.profile lying.profile
lie "1 2 x"
code=0; thalweg optimize ./counted --profile lying.profile -o none > out 2> said || code=$?
same 4 "$code" "exit code of counts that are no numbers"

# The loop over a table of constants is unrolled where it ran often, and not where it never ran; with another input both show the same.
cat > cold.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#define FOUR(n) {"a" #n, n * n}, {"b" #n, n * 3}, {"c" #n, n + 1}, {"d" #n, n * 5 % 7}
static const struct entry { const char *name; long number; } entries[] = {
    FOUR(11), FOUR(22), FOUR(33), FOUR(44), FOUR(55), FOUR(66), FOUR(77), FOUR(88), FOUR(99), FOUR(111), FOUR(122), FOUR(133), {0, 0}};
__attribute__((noinline)) const char *found(long number) {
    for (const struct entry *at = entries; at->name; ++at)
        if (at->number == number) return at->name;
    return "none";
}
__attribute__((noinline)) long often(long n) { return n % 3 == 0 ? n + 1 : n - 1; }
int main(int argc, char **argv) {
    long sum = 0;
    for (long i = 0; i < 1000; ++i) sum += often(i);
    for (long round = atol(argv[1]); round > 0; --round) sum += found(round % 211)[0];
    printf("%ld\n", sum);
    return argc - 2;
}
C
thalweg-cc -O2 cold.c -o cold
for rounds in 0 1000; do
    thalweg record -o cold.profile -- ./cold $rounds > out 2> said || die "record: $(cat said)"
    thalweg optimize ./cold --profile cold.profile -o cold.$rounds > out 2> said || [ $? = 4 ] || die "optimize: $(cat out said)"
    same "$(./cold 77)" "$(./cold.$rounds 77)" "after $rounds rounds"
    code_of found cold.$rounds
    mv code code.$rounds
done
[ "$(wc -l < code.0)" -lt "$(($(wc -l < code.1000) / 2))" ] || die "what never ran is as large as what ran often: $(cat code.0)"

# A loop that is never left in its own function has no frequencies that LLVM could compute from its branches, and loops in it make more of none. That
# must not make a run of years out of one of milliseconds, beside which no decision is worth its code.
cat > endless.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <setjmp.h>
typedef struct { void (*run)(long *, long); long state; } handler;
static void add(long *state, long n) { *state += n; }
static void mix(long *state, long n) { *state = *state * 5 + n; }
static handler handlers[] = {{add, 0}, {mix, 1}, {add, 2}, {mix, 3}};
static volatile int bound = 4, stop[4];
static long next_event, sum, until;
static jmp_buf out;
__attribute__((noinline)) static void raise_event(long n) {
    for (int i = 0; i < bound; ++i) handlers[i].run(&handlers[i].state, n);
}
__attribute__((noinline)) static int next(void) { if (++next_event > until) longjmp(out, 1); return next_event * 2654435761u >> 30 & 3; }
__attribute__((noinline)) static void serve(long n) {
    for (;;) {
        switch (next()) {
        case 0: do { raise_event(n); } while (next() == 0); break;
        case 1: while (next() != 1) sum += 3; break;
        case 2: while (next() == 2) { sum ^= 5; while (next() == 3) sum += 7; } break;
        default: sum *= 3;
        }
    }
}
int main(int argc, char **argv) {
    until = 20 * atol(argv[1]);
    if (setjmp(out) == 0) serve(1);
    printf("%ld %ld %ld\n", sum, handlers[0].state, handlers[3].state);
    return 0;
}
C
thalweg-cc -O2 -g endless.c -o endless
thalweg record -o endless.profile -- ./endless 20000 > out 2> said || die "record: $(cat said)"
thalweg optimize endless --profile endless.profile -o endless.opt > said 2>&1 || die "optimize of a loop that is never left: $(cat said)"
grep -q 'applied  *merge .*raise_event' said || die "the list in a loop that is never left is no line: $(cat said)"
same "$(./endless 5000)" "$(./endless.opt 5000)" "what a loop that is never left shows"

# The bitcode that is kept has loops as they were written where their rounds are known at run time only: the counts say which ones get copies. The
# object's own code is clang's, and what the author asked for is done at once, as is a loop whose rounds are known.
copies() { for factor in 77777 88888 99999; do grep -cE "$1$factor\b" code; done | tr '\n' ' '; }
thalweg-cc -O2 -c "$here/rolled.c" -o rolled.o
/usr/lib/llvm-19/bin/llvm-objcopy --dump-section=.llvm.lto=rolled.bc rolled.o
/usr/lib/llvm-19/bin/llvm-dis rolled.bc -o code
same "1 4 3 " "$(copies 'mul i32 .*, ')" "copies of three loops' bodies in the bitcode"
! grep -q 'thalweg\.later\|unroll\.runtime\.disable' code || die "the bitcode keeps a loop from being unrolled"
clang-19 -O2 -c "$here/rolled.c" -o plain.o
objdump -d plain.o | sed -n '/<by_rounds>/,$p' > expected
objdump -d rolled.o | sed -n '/<by_rounds>/,$p' > code
cmp expected code || die "the code of an object is not clang's"
