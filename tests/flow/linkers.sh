#!/usr/bin/env bash
# What GNU ld, by which programs are built, makes in another way than lld, by which they are linked again: the same is shown, or the link is refused.
source "$(dirname "$0")/common.sh"
mkdir lib new

# Records, optimises program and libraries, and compares: $1 the program, then its libraries.
same_again() {
    local program=$1 expected library
    shift
    expected=$("./$program")
    thalweg record -o "$program.profile" -- "./$program" > out 2> said || die "record $program: $(cat said)"
    same "$expected" "$(cat out)" "what the twin of $program shows"
    thalweg optimize "./$program" --profile "$program.profile" -o "$program.opt" > out 2> said || die "optimize $program: $(cat out said)"
    for library in "$@"; do
        thalweg optimize "lib/$library" --profile "$program.profile" -o "new/$library" > out 2> said || die "optimize $library: $(cat out said)"
    done
    same "$expected" "$("./$program.opt")" "$program.opt"
    same "$expected" "$(LD_LIBRARY_PATH=new "./$program.opt")" "$program.opt with its libraries"
}
refused() { # $1 a program or library, $2 why
    code=0; printf 'format = "thalweg-plan"\nversion = 1\n' > empty.plan
    thalweg optimize "$1" --plan empty.plan -o refused.opt > out 2> said || code=$?
    same 7 "$code" "exit code for $1"
    grep -q "$2" said || die "$1: not told why: $(cat said)"
}

# The program's own copy of the C++ library serves its shared library too.
cat > x.cc <<'C'
#include <stdexcept>
void thrower(int n) { if (n) throw std::runtime_error("from the library"); }
C
cat > main.cc <<'C'
#include <cstdio>
#include <stdexcept>
void thrower(int n);
int main() { try { thrower(1); } catch (std::exception &e) { puts(e.what()); } return 0; }
C
thalweg-c++ -O2 -fPIC -shared x.cc -o lib/libx.so
thalweg-c++ -O2 -static-libstdc++ -static-libgcc main.cc -o copied -Llib -lx '-Wl,-rpath,$ORIGIN/lib'
same_again copied libx.so

# A library that only another library needs finds the program's functions.
cat > dep.c <<'C'
long hook(long) __attribute__((weak));
long dflt(long x) { return x; }
long dep(long x) { return (hook ? hook(x) : -1) + dflt(x); }
C
echo 'long dep(long); long top(long x) { return dep(x); }' > top.c
cat > hooked.c <<'C'
#include <stdio.h>
long top(long);
long hook(long x) { return x * 100; }
long dflt(long x) { return x * 5; }
int main(void) { printf("%ld\n", top(3)); }
C
thalweg-cc -O2 -fPIC -shared dep.c -o lib/libdep.so
thalweg-cc -O2 -fPIC -shared top.c -o lib/libtop.so -Llib -ldep '-Wl,-rpath,$ORIGIN'
thalweg-cc -O2 hooked.c -o hooked -Llib -ltop '-Wl,-rpath-link,lib' '-Wl,-rpath,$ORIGIN/lib'
same 303 "$(./hooked)" "the test's own program"
same_again hooked libdep.so libtop.so
# Put in the first one's place a library finds by $ORIGIN what it found there.
mkdir placed && cp lib/* placed/ && cp new/libtop.so placed/
same 303 "$(LD_LIBRARY_PATH=placed ./hooked.opt)" "a library put in the first one's place"

# The ends of a section that a version script hides stay hidden.
cat > a.c <<'C'
__attribute__((used, section("mysec"))) static const char tag[] = "TAGTAG";
extern const char __start_mysec[], __stop_mysec[];
long a_len(void) { return __stop_mysec - __start_mysec; }
C
cat > b.c <<'C'
extern const char __start_mysec[] __attribute__((weak)), __stop_mysec[] __attribute__((weak));
long b_len(void) { return __start_mysec ? __stop_mysec - __start_mysec : -1; }
C
printf '#include <stdio.h>\nlong a_len(void), b_len(void);\nint main(void) { printf("%%ld %%ld\\n", a_len(), b_len()); }\n' > ends.c
echo '{ global: a_len; local: *; };' > a.map
thalweg-cc -O2 -fPIC -shared a.c -o lib/liba.so -Wl,--version-script,a.map
thalweg-cc -O2 -fPIC -shared b.c -o lib/libb.so
thalweg-cc -O2 ends.c -o ends -Llib -la -lb '-Wl,-rpath,$ORIGIN/lib'
same "7 -1" "$(./ends)" "the test's own program"
same_again ends liba.so libb.so

# Constructors that lld leaves out: the library runs as it was built, and nothing is made of it.
cat > old.c <<'C'
static long n = 1;
static void set(void) { n = 42; }
__attribute__((section(".ctors"), used)) static void (*listed)(void) = set;
long get(void) { return n; }
C
printf '#include <stdio.h>\nlong get(void);\nint main(void) { printf("%%ld\\n", get()); }\n' > gets.c
thalweg-cc -O2 -fPIC -shared old.c -o lib/libold.so
thalweg-cc -O2 gets.c -o gets -Llib -lold '-Wl,-rpath,$ORIGIN/lib'
thalweg record -o gets.profile -- ./gets > out 2> said || die "record gets: $(cat said)"
same 42 "$(cat out)" "a library with .ctors"
grep -q 'WARNING: .*libold.so runs as it was built.*\.ctors' said || die "not told why: $(cat said)"
if grep -q 'not looked into' said; then die "told twice, and what does not help: $(cat said)"; fi
refused lib/libold.so '\.ctors'
# A function that a resolver chooses.
cat > chosen.c <<'C'
#include <stdlib.h>
static long first(long x) { return x + 10; }
static long second(long x) { return x + 20; }
static void *resolve(void) { return getenv("SECOND") ? (void *)second : (void *)first; }
static long chosen(long x) __attribute__((ifunc("resolve")));
long get(void) { return chosen(1); }
C
thalweg-cc -O2 -fPIC -shared -Wl,-z,now chosen.c -o lib/libchosen.so
refused lib/libchosen.so 'chosen is chosen by a resolver'
thalweg-cc -O2 gets.c old.c -o whole
refused ./whole '\.ctors'
