#!/usr/bin/env bash
# thalweg doctor of a program: what -g would add, and the shared libraries that are only called.
source "$(dirname "$0")/common.sh"
cat > lib.c <<'C'
void fire(void (*run)(long *), long *sum) { run(sum); }
C
cat > prog.c <<'C'
#include <stdio.h>
void fire(void (*run)(long *), long *sum);
static void add(long *sum) { *sum += 3; }
int main(void) { long sum = 0; fire(add, &sum); printf("%ld\n", sum); }
C
thalweg-cc -O2 -c prog.c -o bare.o
thalweg-cc -O2 -g -c prog.c -o prog.o
thalweg-cc -O2 -g -fPIC -c lib.c -o lib.o
mkdir lib
thalweg-cc -shared lib.o -o lib/libfire.so
thalweg-cc bare.o lib.o -o bare
thalweg-cc prog.o lib.o -o whole
thalweg-cc prog.o -Llib -lfire -Wl,-rpath,'$ORIGIN/lib' -o shared
same 3 "$(./shared)" "a program with a shared library"
thalweg doctor ./bare > out 2> said || die "doctor: $(cat out said)"
grep -q '^note *debug info *1 of 2 objects have none' out || die "no word of -g: $(cat out)"
thalweg doctor ./whole > out 2> said || die "doctor: $(cat out said)"
grep -q '^ok *debug info *places are named by file and line' out || die "debug information is there: $(cat out)"
if grep -q 'shared libraries' out; then die "a library of an archive's kind is no shared one: $(cat out)"; fi
thalweg doctor ./shared > out 2> said || die "doctor: $(cat out said)"
grep -q '^ok *shared libraries *1 of thalweg-cc.s, recorded with the program .*/lib/libfire.so' out || die "no word of the library: $(cat out)"
thalweg record -o shared.profile -- ./shared > /dev/null 2> said || die "record: $(cat said)"
grep -q 'in libfire.so: ' said || die "record has no word of the library: $(cat said)"
thalweg plan shared.profile -o shared.plan > out 2> said || die "plan: $(cat out said)"
if grep -q 'nothing was recorded in it' said; then die "plan does not find the library in the profile: $(cat said)"; fi
thalweg export shared.profile --profdata -o counts && thalweg record --from-profdata counts -o counts.profile 2> /dev/null
thalweg plan counts.profile --program ./shared -o shared.plan > out 2> said || die "plan of counts: $(cat out said)"
grep -q '/lib/libfire.so is called, but nothing was recorded in it' said || die "plan has no word of the library: $(cat said)"
thalweg record -o whole.profile -- ./whole > /dev/null 2> said || die "record: $(cat said)"
if grep -q 'libfire' said; then die "there is no library: $(cat said)"; fi
