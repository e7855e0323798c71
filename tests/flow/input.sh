#!/usr/bin/env bash
# The standard input of several runs: whatever it is, all runs of `auto`, `compare` and `bisect` get the same bytes.
source "$(dirname "$0")/common.sh"

# Counts and adds up what it reads, by a list of handlers, and writes into a log how much each run read.
cat > sum.c <<'PROGRAM'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
typedef unsigned (*handler)(unsigned, int);
static unsigned count, sum;
static unsigned add(unsigned x, int c) { return sum = x + (unsigned)c; }
static unsigned next(unsigned x, int c) { (void)c; ++count; return x; }
static handler list[8];
static int handlers;
__attribute__((noinline)) static void bind(handler one) { list[handlers++] = one; }
int main(int argc, char **argv) {
    const long most = argc > 1 ? atol(argv[1]) : 1L << 30;
    bind(add);
    bind(next);
    unsigned value = 0;
    char c;
    if (most == 0 && write(2, "nothing\n", 8) != 8)
        return 1;
    while (count < most && read(0, &c, 1) == 1)
        for (int i = 0; i < handlers; ++i)
            value = list[i](value, c);
    printf("%u bytes, sum %u\n", count, sum);
    FILE *log = fopen("log", "a");
    fprintf(log, "%u\n", count);
    fclose(log);
    return 0;
}
PROGRAM
thalweg-cc -O2 sum.c -o p
head -c 3000 /dev/zero | tr '\0' 'a' > in
expected="3000 bytes, sum 291000"

# Every run since the last call read $1 bytes.
each_read() {
    same "$1" "$(sort -u log | tr '\n' ' ' | sed 's/ $//')" "what the runs read, $2"
    [ "$(wc -l < log)" -ge "${3:-2}" ] || die "only $(wc -l < log) runs, $2"
    rm -f log
}
equal() { grep -Eq '^(outputs|verdict) .*equal' shown || die "$1: $(cat shown said)"; }
automatic() { timeout 120 thalweg auto ./p --runs 1 --keep-all "$@" > shown 2> said || die "auto $*: $(cat said)"; equal "auto"; }

cat in | automatic && each_read 3000 "auto from a pipe" 4
cp p.plan first.plan
grep -q 'standard input was kept for the runs that follow: 3000 bytes' said || die "nothing is said of the input: $(cat said)"
grep -q "$expected" said || die "the recorded run shows: $(cat said)"
automatic < in && each_read 3000 "auto from a file" 4
{ head -c 1000 > /dev/null; automatic; } < in
each_read "$(( $(stat -c %s in) - 1000 ))" "auto from the rest of a file" 4
automatic < /dev/null && each_read 0 "auto from /dev/null" 4
automatic <&- && each_read 0 "auto with standard input closed" 4
automatic --stdin in < /dev/null && each_read 3000 "auto --stdin FILE" 4
automatic --stdin <(cat in) < /dev/null && each_read 3000 "auto --stdin of a pipe" 4
# A program that doesn't read all leaves the writer alone; one that reads nothing is not held up by a pipe into which nobody writes.
mkfifo open quiet
bash -c 'cat in; exec sleep 100' > open & writer=$!
automatic -- 2000 < open && each_read 2000 "auto, of a pipe that stays open" 4
sleep 100 > quiet & silent=$!
automatic -- 0 < quiet && each_read 0 "auto, from a pipe into which nobody writes" 4
kill "$writer" "$silent"

compared() { timeout 60 thalweg compare ./p ./p --runs 1 "$@" > shown 2> said || die "compare $*: $(cat said)"; equal "compare"; }
cat in | compared && each_read 3000 "compare from a pipe" 4
compared < in && each_read 3000 "compare from a file" 3
compared < /dev/null && each_read 0 "compare from /dev/null" 3
compared <&- && each_read 0 "compare with standard input closed" 3
compared --stdin in && each_read 3000 "compare --stdin" 3
python3 - <<'PYTHON' || die "compare from a socket: $(cat said)"
import socket, subprocess, sys
ours, theirs = socket.socketpair()
with open("shown", "w") as shown, open("said", "w") as said:
    run = subprocess.Popen(["thalweg", "compare", "./p", "./p", "--runs", "1"], stdin=theirs, stdout=shown, stderr=said)
    theirs.close()
    ours.sendall(open("in", "rb").read())
    ours.close()
    sys.exit(run.wait(60))
PYTHON
each_read 3000 "compare from a socket" 4

# What is typed can't be given twice.
if command -v script > /dev/null; then
    echo typed | NO_COLOR=1 timeout 120 script -qec "thalweg auto ./p --runs 1" /dev/null > shown || die "auto on a terminal: $(cat shown)"
    grep -q 'standard input is a terminal' shown || die "nothing is said of the terminal: $(cat shown)"
    each_read 0 "auto on a terminal" 4
fi

# bisect compares many times.
cat in | timeout 120 thalweg bisect ./p --plan first.plan > shown 2> said || die "bisect: $(cat said)"
each_read 3000 "bisect from a pipe"

# record hands its own input to the program; and no file of ours takes the place of a closed descriptor.
same "$expected" "$(cat in | thalweg record -o x.profile -- ./p 2> /dev/null)" "record from a pipe"
same "$expected" "$(thalweg record -o x.profile -- ./p < in 2> /dev/null)" "record from a file"
same "0 bytes, sum 0" "$(thalweg record -o x.profile -- ./p <&- 2> /dev/null)" "record with standard input closed"
thalweg record -o x.profile -- ./p < in >&- 2> said || die "record with standard output closed: $(cat said)"
thalweg report x.profile > /dev/null 2>&1 || die "the profile of a run without standard output"
