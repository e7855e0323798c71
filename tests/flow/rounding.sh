#!/usr/bin/env bash
# A program that sets how floating point rounds shows the same as its twin and optimised: what is known of operands at link time is not computed
# then, in the default mode. One rule for layers, lines, kept results and LLVM's own passes.
source "$(dirname "$0")/common.sh"
cp "$here"/rounding.h "$here"/rounding.c "$here"/rounding_layer.c .
for flags in "-O2" "-O2 -frounding-math" "-O3 -DNDEBUG"; do
    thalweg-cc $flags -g rounding.c rounding_layer.c -lm -o prog
    shown=$(for up in 0 1; do ./prog $up; done)
    same "$shown" "$(for up in 0 1; do thalweg record -o $up.profile -- ./prog $up 2> said; done)" "what the twin shows, $flags"
    thalweg merge 0.profile 1.profile -o both.profile > out 2>&1 || die "merge: $(cat out)"
    thalweg plan both.profile -o prog.plan > out 2>&1 || die "plan: $(cat out)"
    thalweg optimize ./prog --plan prog.plan -o prog.opt > out 2> said || [ $? = 4 ] || die "optimize: $(cat out said)"
    same "$shown" "$(for up in 0 1; do ./prog.opt $up; done)" "what the optimised program shows, $flags"
    thalweg specialize ./prog --function send --fact "arg0->0 = &scaling" --fact "arg0->8:4 = 1" -o prog.spec > out 2> said || [ $? = 4 ] ||
        die "specialize: $(cat out said)"
    grep -q 'not applied  *specialize .*floating' out || die "no word of why send is left: $(cat out)"
    [ ! -e prog.spec ] || die "a program was made, and nothing applied: $(cat out)"
    sed -i 's/verdict = "refuse"/verdict = "apply"/' prog.plan
    thalweg optimize ./prog --plan prog.plan -o prog.all > out 2> said || [ $? = 4 ] || die "optimize all: $(cat out said)"
    [ ! -e prog.all ] || same "$shown" "$(for up in 0 1; do ./prog.all $up; done)" "what the program shows by all that was refused, $flags"
    thalweg optimize ./prog --profile both.profile -o prog.own > out 2> said || die "optimize by the profile: $(cat out said)"
    grep -q '^each file by its own passes (link-time optimisation would compute what fesetround may change); profile' out ||
        die "no word of why there is no link-time optimisation: $(cat out)"
    same "$shown" "$(for up in 0 1; do ./prog.own $up; done)" "what the program shows by its profile, $flags"
done

# Code without bitcode counts as well: who sets the mode there is known by what it calls.
cat > mode.c <<'C'
#include <fenv.h>
void up(void) { fesetround(FE_UPWARD); }
C
sed -e 's/fesetround(FE_UPWARD);/up();/' -e 's/#include <fenv.h>/void up(void); int fetestexcept(int);\n#define FE_INEXACT 32/' \
    -e '/inexact/d' rounding.c > elsewhere.c
cc -O2 -c mode.c -o mode.o
thalweg-cc -O2 -g elsewhere.c rounding_layer.c mode.o -lm -o prog
shown=$(for up in 0 1; do ./prog $up; done)
same "$shown" "$(for up in 0 1; do thalweg record -o $up.profile -- ./prog $up 2> said; done)" "what the twin shows, its mode set elsewhere"
thalweg specialize ./prog --function send --fact "arg0->0 = &scaling" --fact "arg0->8:4 = 1" -o prog.spec > out 2> said || [ $? = 4 ] ||
    die "specialize: $(cat out said)"
[ ! -e prog.spec ] || die "a program was made, and nothing applied, its mode set elsewhere: $(cat out)"

# Where nobody sets it the layer is specialised.
sed -e 's/fesetround(FE_UPWARD);/(void)0;/' -e '/inexact/d' rounding.c > still.c
thalweg-cc -O2 -g still.c rounding_layer.c -lm -o prog
thalweg specialize ./prog --function send --fact "arg0->0 = &scaling" --fact "arg0->8:4 = 1" -o prog.spec > out 2> said || die "specialize: $(cat out said)"
grep -q ' applied  *specialize' out || die "a program that leaves the mode alone is not specialised: $(cat out)"
same "$(./prog)" "$(./prog.spec)" "a program that leaves the mode alone"
