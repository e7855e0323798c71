#!/usr/bin/env bash
# `thalweg bisect` blames nobody where outputs are equal, and names a decision where they are not: shown on a program that
# prints the size of its own executable, which no optimiser can keep.
set -uo pipefail
bin=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1

cat >handlers.h <<'CODE'
struct Callback { void (*function)(void *, int); void *context; };
extern Callback list[4];
extern long total;
void bind_all();
CODE
cat >handlers.cc <<'CODE'
#include "handlers.h"
long total;
static void add(void *, int value) { total += value; }
static void mix(void *, int value) { total ^= value * 3L; }
void bind_all() { list[0] = {add, &total}; list[1] = {mix, &total}; list[2] = {add, &total}; }
CODE
cat >main.cc <<'CODE'
#include <cstdio>
#include <sys/stat.h>
#include "handlers.h"
Callback list[4];
int main(int count, char **) {
    bind_all();
    for (int i = 0; i < 100000; ++i)
        for (Callback *at = list; at->function != nullptr; ++at)
            at->function(at->context, i);
    struct stat self;
    std::printf("%ld %ld\n", total, count > 1 && stat("/proc/self/exe", &self) == 0 ? (long)self.st_size : 0L);
}
CODE
fail() { printf 'FAILED: %s\n' "$1"; cat said; exit 1; }
"$bin/thalweg-c++" -O2 main.cc handlers.cc -o program >said 2>&1 || fail "the program was not built"
"$bin/thalweg" record -o profile -- ./program >said 2>&1 || fail "it was not recorded"

"$bin/thalweg" bisect ./program --profile profile >said 2>&1 || fail "equal outputs: exit $?, expected 0"
grep -q 'the program is not different' said || fail "equal outputs are not said to be equal"

"$bin/thalweg" bisect ./program --profile profile -- size >said 2>&1
[ $? = 5 ] || fail "different outputs: the exit code is not 5"
grep -q '^decision [0-9]* (.*) makes the program show something else' said || fail "no decision is named"
"$bin/thalweg" bisect ./program >said 2>&1
[ $? = 2 ] || fail "neither profile nor plan: the exit code is not 2"
echo passed
