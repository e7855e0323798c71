#!/usr/bin/env bash
# What files keep that were compiled apart, whether the program is linked again as a whole or by ThinLTO: an exception passes through C, what several files
# know together is not computed in another way than the program would, and what sets the rounding mode sets it for all.
source "$(dirname "$0")/common.sh"
# $1: a name, $2...: the runs' arguments; the first is recorded. ./program is built.
shows_the_same() {
    local name=$1; shift
    for mode in "" --thinlto; do
        thalweg record $mode -o p.profile -- ./program $1 > recorded 2> said || true
        same "$(./program $1 || true)" "$(cat recorded)" "$name: what the twin shows $mode"
        thalweg optimize $mode ./program --profile p.profile -o program.opt > told 2> said || die "$name: optimize $mode: $(cat told said)"
        for arguments in "$@"; do
            same "$(./program $arguments 2>&1; echo $?)" "$(./program.opt $arguments 2>&1; echo $?)" "$name: what the optimised program shows of $arguments $mode"
        done
    done
}

cat > each.c <<'C'
#include <pthread.h>
int each(const int *values, int count, int (*use)(int)) {
    int sum = 0;
    for (int i = 0; i < count; ++i) sum += use(values[i]);
    if (sum == 77) pthread_exit(0);
    return sum;
}
C
cat > main.cc <<'C'
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <vector>
extern "C" int each(const int *values, int count, int (*use)(int));
struct Leaving { ~Leaving() { std::puts("left"); std::fflush(stdout); } };
static int use(int value) { if (value == 666) throw std::runtime_error("bad value"); return value + 1; }
int main(int argc, char **argv) {
    std::vector<int> values;
    for (int i = 1; i < argc; ++i) values.push_back(std::atoi(argv[i]));
    std::thread other([&] {
        Leaving leaving;
        try { std::printf("%d\n", each(values.data(), (int)values.size(), use)); }
        catch (const std::exception &problem) { std::printf("caught %s\n", problem.what()); }
    });
    other.join();
}
C
thalweg-cc -O2 -c each.c && thalweg-c++ -O2 main.cc each.o -o program
shows_the_same "an exception through C" "1 2 3" "1 666 2" "70 5"
thalweg-c++ -O2 -c main.cc && thalweg-cc main.o each.o -lstdc++ -o program
shows_the_same "an exception through C, linked by C's driver" "1 2 3" "1 666 2"
grep -q caught <(./program 666) || die "the original does not catch"

cat > compute.c <<'C'
#include <math.h>
double both(double a, double b, double c) { return a * b + c; }
float steep(float angle) { return tanhf(angle) + sinhf(angle); }
extern const double one, three;
double quotient(void) { return one / three; }
C
cat > show.c <<'C'
#include <stdio.h>
#include <stdlib.h>
double both(double, double, double), quotient(void);
float steep(float);
int mode(int);
__attribute__((noinline)) static int is_up(const char *word) { return word[0] == 'u'; }
int main(int argc, char **argv) {
    const int up = mode(argc > 1 && is_up(argv[1]));
    printf("%a %a\n", both(0.1, 10.0, -1.0), both(1.0 / 3, 3.0, -1.0));
    printf("%a %a %a %a %a %a %a %a\n", steep(0.1f), steep(0.2f), steep(0.3f), steep(0.7f), steep(1.1f), steep(1.3f), steep(1.7f), steep(2.3f));
    printf("%d %a\n", up, quotient());
    return 0;
}
C
echo 'const double one = 1, three = 3;' > constants.c
echo 'int mode(int up) { return up; }' > mode.c
thalweg-cc -O2 compute.c show.c constants.c mode.c -lm -o program
shows_the_same "what is not exact" "n"
echo '#include <fenv.h>
int mode(int up) { if (up) fesetround(FE_UPWARD); return up; }' > mode.c
thalweg-cc -O2 compute.c show.c constants.c mode.c -lm -o program
[ "$(./program u)" != "$(./program n | sed s/^0/1/)" ] || die "the mode makes no difference"
shows_the_same "what rounds up" "n" "u"

# What is read is not written over.
cp program before
code=0; thalweg record -o program -- ./program n > out 2> said || code=$?
same 2 "$code" "exit code of a profile in the program's place"
cmp program before || die "the program was written over"
for taken in p.profile program $(ls .thalweg/program/*compute.o); do
    cp "$taken" before
    code=0; thalweg optimize ./program --profile p.profile -o "$taken" > out 2> said || code=$?
    same 2 "$code" "exit code of a program in the place of $taken: $(cat said)"
    cmp "$taken" before || die "$taken was written over"
done
thalweg record --thinlto -o files.profile -- ./program n > out 2> said
thalweg optimize ./program --profile files.profile -o program.opt > told 2> said || die "counts by files: $(cat said)"
grep -q 'WARNING: the profile counts the program by its files' said || die "no word of counts by files: $(cat said)"
mkdir 'with%p'
code=0; TMPDIR="$PWD/with%p" thalweg record --thinlto -o made -- ./program n > out 2> said || code=$?
same 7 "$code" "exit code of a folder that LLVM's runtime would read otherwise: $(cat said)"
[ -z "$(ls -A 'with%p')" ] || die "files stay"
# Assembler that takes a file in, which is another one by now; and what stood where a link fails.
printf one > data.bin
cat > taken.c <<'C'
#include <stdio.h>
__asm__(".section .rodata\ndata: .incbin \"data.bin\"\n.byte 0\n.text");
extern const char data[];
int main(void) { puts(data); return 0; }
C
thalweg-cc -O2 -no-pie taken.c -o taken
same one "$(./taken)" "the file's content"
printf two > data.bin
for mode in "" --thinlto; do
    code=0; thalweg record $mode -o taken.profile -- ./taken > out 2> said || code=$?
    same 7 "$code" "exit code where assembler takes a file in $mode"
    grep -q 'assembler code takes a file in by .incbin' said || die "no word of the file: $(cat said)"
done
echo before > program.opt
code=0; thalweg optimize ./taken --profile p.profile -o program.opt > out 2> said || code=$?
same 7 "$code" "exit code of a link that fails"
same before "$(cat program.opt)" "what stood where a link failed"
ls program.opt.* 2> /dev/null && die "an unfinished program is left"
thalweg record --thinlto -o files.profile -- ./program n > out 2> said
cp files.profile before
thalweg record --thinlto -o files.profile --program ./program -- true > out 2> said || true
grep -q 'files.profile stays as it was' said || die "no word of the profile of before: $(cat said)"
cmp files.profile before || die "a run that recorded nothing took a profile's place"
