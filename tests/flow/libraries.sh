#!/usr/bin/env bash
# Shared libraries that thalweg-cc linked are recorded and optimised with the program that loads them, each by its own link: one that the
# program needs, one that it opens. Others, and what takes the place of a library's function, stay as they are.
source "$(dirname "$0")/common.sh"

# ---- a library of listeners, a plug-in, a library of somebody else's, and a program ----
cat > notify.h <<'C'
typedef void listener(void *context, long value);
void notify_add(listener *function, void *context);
void notify_all(long value);
long notify_total(void);
void notify_count(void *context, long value);
long notify_weigh(long value);
C
cat > notify.c <<'C'
#include "notify.h"
static struct { listener *function; void *context; } listeners[8];
static int count;
static long total, odd;
static void add_up(void *context, long value) { *(long *)context += value % 7 == 0 ? notify_weigh(value) : value; }
static void count_odd(void *context, long value) { *(long *)context += value & 1; }
void notify_count(void *context, long value) { (void)value; ++*(long *)context; }
void notify_add(listener *function, void *context) { listeners[count].function = function; listeners[count++].context = context; }
void notify_all(long value) { for (int i = 0; i < count; ++i) listeners[i].function(listeners[i].context, value); }
long notify_total(void) { return total * 3 + odd; }
__attribute__((constructor)) static void begin(void) { notify_add(add_up, &total); notify_add(count_odd, &odd); }
C
echo 'long notify_weigh(long value) { return value * 2; }' > weigh.c
cat > plug.c <<'C'
#include <string.h>
typedef long step(long);
static long one(long n) { return n + 1; }
static long two(long n) { return n * 3 % 1000; }
static step *volatile steps[] = {one, two};
long plug_run(long times) { long sum = 0; for (long i = 0; i < times; ++i) sum += steps[i % 16 == 0](i); return sum; }
C
echo 'long other(long n) { return n ^ 5; }' > other.c
cat > main.c <<'C'
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "notify.h"
long other(long n);
static long seen;
static void *all(void *times) { for (long i = 0; i < *(long *)times; ++i) notify_all(i); return NULL; }
static long plugged(const char *path, long times) {
    void *plug = dlopen(path, RTLD_NOW);
    if (plug == NULL) { puts(dlerror()); exit(1); }
    long result = ((long (*)(long))dlsym(plug, "plug_run"))(times);
    dlclose(plug);
    return result;
}
int main(int argc, char **argv) {
    long times = atol(argv[1]);
    notify_add(notify_count, &seen);
    all(&times);
    pthread_t thread;
    pthread_create(&thread, NULL, all, &times);
    pthread_join(thread, NULL);
    fflush(stdout);
    if (fork() == 0) { all(&times); _exit(0); }
    wait(NULL);
    if (argc > 2) for (int i = 0; i < 3; ++i) printf("%ld\n", plugged(argv[2], times));
    printf("%ld %ld %ld\n", notify_total(), seen, other(times));
    fflush(stdout);
    if (argc > 3 && strcmp(argv[3], "kill") == 0) kill(getpid(), SIGKILL);
    return 0;
}
C
# Valgrind does not read the form of debug information that clang has by now.
mkdir lib
thalweg-cc -O2 -gdwarf-4 -fPIC -shared -Wl,-soname,libnotify.so.1 notify.c weigh.c -o lib/libnotify.so.1.2
ln -s libnotify.so.1.2 lib/libnotify.so.1; ln -s libnotify.so.1 lib/libnotify.so
thalweg-cc -O2 -gdwarf-4 -fPIC -shared plug.c -o lib/plug.so
clang-19 -O2 -fPIC -shared other.c -o lib/libother.so
thalweg-cc -O2 -g main.c -o prog -Llib -lnotify -lother -pthread '-Wl,-rpath,$ORIGIN/lib'
before=$(sha256sum prog lib/*.so*)
expected=$(./prog 20000 lib/plug.so)

# ---- recorded ----
thalweg doctor ./prog > out || die "doctor: $(cat out)"
grep -q 'shared libraries.*libnotify.so.1' out || die "doctor does not know the library: $(cat out)"
grep -q 'record --library' out || die "doctor does not know that the program opens libraries: $(cat out)"
thalweg record -o p.profile -- ./prog 20000 "$PWD/lib/plug.so" > out 2> said || die "record: $(cat said)"
same "$expected" "$(cat out)" "what the twins show"
grep -q 'in libnotify.so.1: 60000 dispatches of 1 events and lists' said || die "the library was not recorded: $(cat said)"
grep -q 'plug.so was loaded, and not looked into.*--library' said || die "the plug-in is not told of: $(cat said)"
! grep -q 'libother' said || die "somebody else's library is told of: $(cat said)"
thalweg record -o p.profile --library lib/plug.so -- ./prog 20000 "$PWD/lib/plug.so" > out 2> said || die "record --library: $(cat said)"
same "$expected" "$(cat out)" "what the twins show"
grep -q 'in plug.so: .*blocks of 3 functions counted, 3 of which ran' said || die "the plug-in was not recorded: $(cat said)"
! grep -q 'not looked into' said || die "it was recorded, and said not to be: $(cat said)"
same "$before" "$(sha256sum prog lib/*.so*)" "program and libraries"
thalweg report --library libnotify.so.1 --json p.profile > json
python3 - <<'PYTHON' || die "report: $(cat json)"
import json
told = json.load(open("json"))["profile"]
assert [event["raises"] for event in told["events"]] == [60000], told["events"]
PYTHON
code=0; thalweg report --library libnone.so p.profile > out 2> said || code=$?
same 2 "$code" "exit code for a library that is not in the profile"
grep -q 'it has libnotify.so.1, plug.so' said || die "not told what there is: $(cat said)"

# The same twice, merged; a killed recording; a program that ends by a signal.
thalweg merge p.profile p.profile -o merged.profile > /dev/null 2>&1
thalweg report --library libnotify.so.1 --json merged.profile > json
grep -q '"raises": 120000' json || die "libraries are not merged"
thalweg record -o killed.profile -- ./prog 300 lib/plug.so kill > out 2> said && die "the kill was not handed through"
grep -q 'in libnotify.so.1: 900 dispatches' said || die "a killed program's library: $(cat said)"

# ---- planned, tried and linked: one plan, a link each ----
thalweg plan p.profile -o p.plan > out 2> said || die "plan: $(cat said)"
grep -q '^library = "libnotify.so.1"' p.plan || die "nothing is planned for the library: $(cat p.plan)"
mkdir new
thalweg optimize lib/libnotify.so.1.2 --profile p.profile --plan p.plan -o new/libnotify.so.1.2 > out 2> said || die "optimize: $(cat out said)"
grep -q 'profile of . functions; 1 of [12] decisions applied' out || die "the library's line was not made: $(cat out)"
thalweg optimize lib/plug.so --profile p.profile -o new/plug.so > out 2> said || die "optimize the plug-in: $(cat out said)"
grep -q 'profile of 3 functions' out || die "the plug-in's counts were not used: $(cat out)"
thalweg optimize ./prog --profile p.profile -o prog.opt > out 2> said || die "optimize the program: $(cat out said)"
grep -q 'thalweg optimize .*libnotify.so.1.2 --profile p.profile -o FOLDER/libnotify.so.1$' said || die "not told of the libraries: $(cat said)"
thalweg compare ./prog ./prog.opt --libraries new --library lib/plug.so --instructions --runs 2 -- 20000 "$PWD/lib/plug.so" > out 2> said ||
    die "compare: $(cat out said)"
grep -q '^outputs *equal' out || die "not equal: $(cat out)"
ln -s libnotify.so.1.2 new/libnotify.so.1
same "$expected" "$(LD_LIBRARY_PATH=new ./prog.opt 20000 new/plug.so)" "the optimised program with its libraries"
instructions() { LD_LIBRARY_PATH=$1 valgrind --tool=cachegrind --cachegrind-out-file=/dev/null ./prog 20000 2>&1 | sed -n 's/.*I *refs: *//p' | tr -d ,; }
original=$(instructions lib) optimised=$(instructions new)
[ "$optimised" -lt $((original * 9 / 10)) ] || die "the library saves nothing: $optimised instructions of $original"

# How often the guards of an optimised library held.
LD_LIBRARY_PATH=new thalweg record -o guards.profile -- ./prog.opt 2000 > out 2> said || die "record what was optimised: $(cat said)"
grep -q 'decision [0-9]* (.*notify_all): guard held 6000 times, failed 0 times' said || die "the library's guard is not counted: $(cat said)"

# ---- what must not change ----
# Whoever takes a library's function for his own gets it, in the program that was built and in the optimised one.
cat > instead.c <<'C'
void notify_count(void *context, long value) { *(long *)context += value; }
long notify_weigh(long value) { return value * 5; }
C
clang-19 -O2 -fPIC -shared instead.c -o instead.so
# notify_count is handed to the library by the program, notify_weigh is called in the library itself.
interposed=$(LD_PRELOAD=$PWD/instead.so ./prog 2000)
[ "$interposed" != "$(./prog 2000)" ] || die "the test takes nobody's place"
same "$interposed" "$(LD_LIBRARY_PATH=new LD_PRELOAD=$PWD/instead.so ./prog.opt 2000)" "with a function of the library replaced"
# Another listener than the recorded ones: the guard fails.
cat > more.c <<'C'
#include "notify.h"
static long sum;
static void more(void *context, long value) { *(long *)context -= value; }
__attribute__((constructor)) static void begin(void) { notify_add(more, &sum); }
C
thalweg-cc -O2 main.c more.c -o other -Llib -lnotify -lother -pthread '-Wl,-rpath,$ORIGIN/lib'
same "$(./other 2000)" "$(LD_LIBRARY_PATH=new ./other 2000)" "with a listener that was not recorded"

# A program may have set another rounding mode: what another file of the library would let the compiler compute is computed when it runs.
cat > round.c <<'C'
extern const double one, three;
__attribute__((noinline)) static double part(double a, double b) { return a / b; }
int divisor(void);
double quotient(void) { return one / three + part(one, three); }
double divided(void) { return 1.0 / divisor(); }
C
echo 'const double one = 1, three = 3; int divisor(void) { return 3; }' > constants.c
cat > rounds.c <<'C'
#include <fenv.h>
#include <stdio.h>
double quotient(void), divided(void);
int main(void) {
    fesetround(FE_UPWARD);
    printf("%a %a\n", quotient(), divided());
    fesetround(FE_DOWNWARD);
    printf("%a %a\n", quotient(), divided());
    return 0;
}
C
thalweg-cc -O2 -fPIC -fvisibility=hidden constants.c -c -o constants.o
thalweg-cc -O2 -fPIC -shared -Wl,-soname,libround.so round.c constants.o -o lib/libround.so
thalweg-cc -O2 rounds.c -o rounds -Llib -lround -lm '-Wl,-rpath,$ORIGIN/lib'
thalweg record -o rounds.profile -- ./rounds > out 2> said || die "record rounds: $(cat said)"
thalweg optimize lib/libround.so --profile rounds.profile -o new/libround.so > out 2> said || die "optimize libround: $(cat out said)"
same "$(./rounds)" "$(LD_LIBRARY_PATH=new ./rounds)" "rounding in a library"
[ "$(./rounds | sort -u | wc -l)" = 2 ] || die "the test rounds nothing: $(./rounds)"

# ---- a handler of a library's own, which has no name outside, in the program's list ----
cat > hidden.c <<'C'
#ifndef STEP
#define STEP 3
#endif
static long hidden(long n) { return n * STEP + 1; }
long (*hidden_step(void))(long) { return hidden; }
C
cat > steps.c <<'C'
#include <stdio.h>
#include <stdlib.h>
typedef long step(long);
step *hidden_step(void);
static long first(long n) { return n ^ 21; }
static long last(long n) { return n * 5 % 8191; }
static struct { step *run; } steps[4];
static int count;
__attribute__((noinline)) long all(long n) { for (int i = 0; i < count; ++i) n = steps[i].run(n); return n; }
int main(int argc, char **argv) {
    steps[count++].run = first;
    steps[count++].run = hidden_step();
    steps[count++].run = last;
    long n = 1;
    for (long i = argc > 1 ? atol(argv[1]) : 0; i > 0; --i) n = all(n + i);
    printf("%ld\n", n);
    return 0;
}
C
clang-19 -O2 -fPIC -shared hidden.c -o lib/libhidden.so
thalweg-cc -O2 steps.c -o steps -Llib -lhidden '-Wl,-rpath,$ORIGIN/lib'
thalweg record -o steps.profile -- ./steps 100000 > out 2> said || die "record steps: $(cat said)"
thalweg optimize ./steps --profile steps.profile -o steps.opt > out 2> said || die "optimize steps: $(cat out said)"
grep -q 'merge .*called through the list, as no functions of this program: libhidden.so+0x' out || die "the list with a library's handler: $(cat out)"
same "$(./steps 5000)" "$(LD_LIBRARY_PATH=lib ./steps.opt 5000)" "a list with a library's handler"
# Whatever the library has there is called: nothing of it is compared, or kept.
mkdir other_lib; clang-19 -O2 -DSTEP=7 -fPIC -shared hidden.c -o other_lib/libhidden.so
[ "$(LD_LIBRARY_PATH=other_lib ./steps 5000)" != "$(./steps 5000)" ] || die "the other library does the same"
same "$(clang-19 -O2 steps.c -o plain -Lother_lib -lhidden -Wl,-rpath,$PWD/other_lib && ./plain 5000)" \
    "$(clang-19 -O2 -DSTEP=7 -fPIC -shared hidden.c -o lib/libhidden.so; ./steps.opt 5000)" "with another handler in its place"

# A library that was built again since: its part of the plan is not tried, and what has changed is left as it is.
sed 's/value & 1/value \& 3/' notify.c > changed.c
thalweg-cc -O2 -gdwarf-4 -fPIC -shared -Wl,-soname,libnotify.so.1 changed.c weigh.c -o lib/libnotify.so.1.2
thalweg plan p.profile -o again.plan > out 2> said
grep -q 'the plan was not tried on libnotify.so.1: .*built again' said || die "a library built again: $(cat said)"
expected=$(./prog 2000)
thalweg optimize lib/libnotify.so.1.2 --profile p.profile -o new/libnotify.so.1.2 > out 2> said || die "optimize what was built again: $(cat out said)"
same "$expected" "$(LD_LIBRARY_PATH=new ./prog 2000)" "a library built again"
thalweg optimize lib/plug.so --profile killed.profile -o new/none.so > out 2> said || true
grep -q 'the profile knows nothing of plug.so' said || die "a profile without the plug-in: $(cat said)"

# ---- in one go ----
thalweg auto ./prog --library lib/plug.so --runs 3 --keep-all -- 20000 "$PWD/lib/plug.so" > out 2> said || die "auto: $(cat out said)"
grep -q '^verdict *outputs equal' out || die "auto: $(cat out)"
[ -s prog.opt.libs/libnotify.so.1 ] && [ -s prog.opt.libs/plug.so ] || die "auto made no libraries: $(ls prog.opt.libs)"
