#!/usr/bin/env bash
# What is recorded is complete however the program ends; threads, children, several runs.
source "$(dirname "$0")/common.sh"
thalweg-c++ -O2 -g -std=c++20 -c "$here/recorded.cc" -o recorded.o
thalweg-c++ recorded.o -o prog -pthread
before=$(sha256sum prog)

# The number behind a name in the line of JSON that record prints last.
number() { tail -1 json | grep -o "\"$1\":[0-9]*" | cut -d: -f2; }
# record HOW COUNT [OPTION...]: the twin's run; its exit code in $code
record() {
    local how=$1 count=$2; shift 2
    code=0
    thalweg record "$@" --json -o "$how.profile" -- ./prog "$how" "$count" > json 2> said || code=$?
}
query() { python3 -c 'import sqlite3, sys; [print(*row) for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2])]' "$1" "$2"; }

# Every way to end: the exit code is the program's own, and no dispatch is missing.
for row in plain:0 other:4 _exit:3 abort:134 SIGKILL:137 SIGTERM:143; do
    record "${row%:*}" 10000
    same "${row#*:}" "$code" "exit code after ${row%:*}"
    same 10000 "$(number dispatches)" "dispatches after ${row%:*}"
    same 10000 "$(number recorded)" "recorded after ${row%:*}"
    same "$(./prog plain 10000)" "$(head -1 json)" "output of ${row%:*}"
    same "$([ "$code" = 0 ] || echo "the recorded run ended with $code")" "$(grep -o 'the recorded run ended with [0-9]*' said || true)" "what is said after ${row%:*}"
done
same "$before" "$(sha256sum prog)" "the program itself"

# A signal sent to record reaches the program, and the profile is still written.
rm json
thalweg record --json -o wait.profile -- ./prog wait 500 > json 2> said & recorder=$!
for _ in $(seq 300); do grep -qs "^[0-9]" json && break; sleep 0.1; done
kill -TERM $recorder
code=0; wait $recorder || code=$?
same 143 "$code" "exit code after a signal sent to record"
same 500 "$(number dispatches)" "dispatches after a signal sent to record"

# The handlers, in order, by name and place; every dispatch but the first follows one.
same "0 _ZN12_GLOBAL__N_15twiceERl recorded.cc
1 _ZN12_GLOBAL__N_13addERl recorded.cc" "$(query plain.profile "select t.position, s.name, s.file from targets t join symbols s on s.id = t.function order by 1" | sed 's|[^ ]*/||')" "handlers"
same 9999 "$(query plain.profile "select sum(weight) from edges")" "edges"

# Four threads, a child that exits, one that _exits, a program that starts itself anew.
record threads 2500
same "10000 1" "$(number dispatches) $(number processes)" "threads"
[ "$(number threads)" -ge 4 ] || die "threads: $(number threads)"
record fork 1000
same "2000 2" "$(number dispatches) $(number processes)" "fork"
record fork-hard 1000
same "2000 2" "$(number dispatches) $(number processes)" "fork, _exit"
! grep -q 'still running' said || die "a child that was waited for: $(cat said)"
record shut-in-threads 2500
same "10000 1" "$(number dispatches) $(number processes)" "threads that may open no file"
record shut-in-fork 1000
same "2000 2" "$(number dispatches) $(number processes)" "a child that may open no file"
! grep -q WARNING said || die "the reserve took all of it: $(cat said)"
record exec 1000
same "2000 2" "$(number dispatches) $(number processes)" "exec"

# What is left behind would be missing from the profile.
for how in daemon daemon-at-once; do
    record $how 1000
    same 4 "$code" "exit code of a program that leaves a process behind: $how"
    left=$(sed -n 's/.*WARNING: process \([0-9]*\) was still running.*/\1/p' said)
    [ -n "$left" ] || die "a process was left behind, and nothing said: $(cat said)"
    kill $left
done

record leaves-another 1000
! grep -q 'still running' said || die "another program's process is told of: $(cat said)"

# Runs add up.
thalweg merge threads.profile fork.profile -o merged.profile > /dev/null 2>&1
same "12000" "$(query merged.profile "select sum(weight) + 6 from edges")" "edges of two runs: each thread's first dispatch follows none"

# A dispatch left by an exception is no sequence, and spoils none of the others.
record throw 1000
same 1000 "$(number dispatches)" "dispatches left by exceptions"
sequences=$(query throw.profile "select count(*), max(q.count) from sequences q")
same "1 900" "$sequences" "sequences beside exceptions"

# A long run: the first 16,384 exactly, then samples whose weights are scaled to what ran.
record plain 5000000
total=$(number dispatches)
[ "$total" -gt 4900000 ] && [ "$total" -lt 5100000 ] || die "5,000,000 dispatches were taken for $total"
[ "$(number recorded)" -lt 100000 ] || die "$(number recorded) noted in full: not sampled"
scaled=$(query plain.profile "select sum(count) from sequences")
[ "$scaled" -gt 4900000 ] && [ "$scaled" -lt 5100000 ] || die "weights say $scaled"
record plain 300000 --exact
same "300000 300000" "$(number dispatches) $(number recorded)" "--exact"

# Nowhere to write: said in one line, and the program runs as ever.
mkdir full
same 4 "$(ulimit -f 8; THALWEG_RECORD_DIR=$PWD/full ./.prog.*.thalweg-twin other 5 > out 2> said; echo $?)" "exit code without room"
same 1 "$(grep -c 'thalweg recorder: cannot write' said)" "warnings without room"
same "$(./prog plain 5)" "$(cat out)" "output without room"

# Silence is the enemy: a program without a dispatch site, and one whose dispatches never run.
echo 'int main(void) { return 0; }' > empty.c
thalweg-cc -O2 empty.c -o empty
thalweg record -o empty.profile -- ./empty 2> said
grep -q 'no dispatch ran at any' said || die "no dispatch, and nothing said: $(cat said)"
record plain 0
grep -q 'no dispatch ran' said || die "no dispatch ran, and nothing said: $(cat said)"

# Where the profile cannot go is said before the run.
code=0; thalweg record -o absent/p.profile -- ./prog plain 10 > out 2> said || code=$?
same "2 0" "$code $(wc -c < out)" "a folder that is not there"

# A command that runs the program, and one that forgets to.
thalweg record --json -o driven.profile --program ./prog -- sh -c '"$THALWEG_PROGRAM" plain 10; {} plain 5' > json 2> said
same "15 2" "$(number dispatches) $(number processes)" "a driver"
thalweg record -o driven.profile --program ./prog -- true 2> said
grep -q 'must start \$THALWEG_PROGRAM' said || die "a driver that runs nothing: $(cat said)"

# A list whose code was inlined is called by the function that it was written in and the one that it is in now; two of them in one place are two.
cat > inlined.c <<'C'
#include <stdio.h>
#include <stdlib.h>
typedef void (*handler)(long *);
static void first(long *sum) { *sum += 1; }
static void second(long *sum) { *sum ^= 3; }
static inline __attribute__((always_inline)) void walk(handler *some, int count, long *sum) { for (int i = 0; i < count; ++i) some[i](sum); }
int main(int argc, char **argv) {
    handler *ours = malloc(2 * sizeof *ours), *theirs = malloc(2 * sizeof *theirs);
    ours[0] = theirs[1] = first, ours[1] = theirs[0] = second;
    long sum = 0;
    for (int n = 0; n < 3000; ++n) walk(ours, argc + 1, &sum);
    for (int n = 0; n < 2000; ++n) walk(theirs, argc + 1, &sum);
    printf("%ld\n", sum);
}
C
thalweg-cc -O2 -g inlined.c -o inlined
thalweg record -o inlined.profile -- ./inlined > /dev/null 2>&1 || die "record: $(cat said)"
same "inlined.c:6 walk in main 3000
inlined.c:6 walk in main (2) 2000" "$(query inlined.profile "select name, raises from events order by 2 desc" | tr '|' ' ')" "lists that were inlined"
code=0; thalweg explain inlined.profile > /dev/null 2> said || code=$?
same 4 "$code" "explain on a profile"
grep -q 'this is a profile, not a plan' said || die "it does not say that it is a profile: $(cat said)"
