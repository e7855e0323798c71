#!/usr/bin/env bash
# thalweg plan asks the optimiser: what the program's code does not allow is refused in the plan, in the words that optimize has for it, and
# what is left is applied to the last decision. Where the program is not to be had as it was recorded, that is said.
source "$(dirname "$0")/common.sh"
export TMPDIR=$scratch/tmp && mkdir tmp  # of its own: other tests make plans beside this one
cat > prog.c <<'C'
#include <unistd.h>
int main(void) {
    for (int i = 0; i < 3000; ++i) {
        write(1, "abc", 3);
        write(1, "defg", 4);
    }
    return 0;
}
C
thalweg-cc -O2 -g prog.c -o prog
thalweg record -o prog.profile -- ./prog > /dev/null 2> said || die "record: $(cat said)"
thalweg plan prog.profile -o prog.plan > out 2> said || die "plan: $(cat out said)"
grep -q '^ *[0-9]* *does-not-fit *coalesce .*no way leads from the first call' out || die "what can't be done is planned: $(cat out)"
if grep -q 'not tried' said; then die "the program is there, and the plan was not tried on it: $(cat said)"; fi
thalweg optimize ./prog --plan prog.plan -o prog.opt > out 2> said || die "optimize: $(cat out said)"
grep -q '^ *[0-9]*  applied' out || die "nothing was applied: $(cat out)"
if grep -q 'not applied' out; then die "the plan holds what can't be applied: $(cat out)"; fi
same "$(./prog | cksum)" "$(./prog.opt | cksum)" "what the optimised program shows"
[ -z "$(ls -A "$TMPDIR")" ] || die "temporary files stay: $(ls -A "$TMPDIR")"

# Another build of it, and none.
thalweg-cc -O1 -g prog.c -o prog
thalweg plan prog.profile -o other.plan > out 2> said || die "plan: $(cat out said)"
grep -q 'not tried on the program.*prog has been built again since it was recorded' said || die "another build: $(cat said)"
if grep -q does-not-fit out; then die "refused for another build's sake: $(cat out)"; fi
code=0; thalweg plan prog.profile --program ./prog -o other.plan > out 2> said || code=$?
same 4 $code "another build, named: $(cat said)"
rm prog
thalweg plan prog.profile -o other.plan > out 2> said || die "plan: $(cat out said)"
grep -q 'not tried on the program.*No such file' said || die "no program: $(cat said)"

# A profile may be a stranger's: what it names is not linked where others could have put it.
mkdir -m 777 open
thalweg-cc -O2 -g prog.c -o open/prog
thalweg record -o open.profile -- open/prog > /dev/null 2> said || die "record: $(cat said)"
thalweg plan open.profile -o other.plan > out 2> said || die "plan: $(cat out said)"
grep -q 'not tried on the program' said || die "a program that others could replace was tried: $(cat said)"

# What executes next to nothing of the recorded run is not tried at all, unless a plan asks for it.
cp "$here"/rare.c .
thalweg-cc -O2 -g rare.c -o rare
thalweg record -o rare.profile -- ./rare 400000000 > /dev/null 2> said || die "record: $(cat said)"
thalweg plan rare.profile --all -o rare.plan > out 2> said || die "plan: $(cat out said)"
grep -q 'does-not-fit .* layer .*execute 0\.0[0-9]* % of the recorded run' out || die "what is rare is tried: $(cat out)"
thalweg record -o often.profile -- ./rare 4000 > /dev/null 2> said || die "record: $(cat said)"
thalweg plan often.profile --all -o often.plan > out 2> said || die "plan: $(cat out said)"
grep -q 'apply .* layer ' out || die "what is all of the run is not tried: $(cat out)"
thalweg optimize ./rare --plan often.plan --profile rare.profile -o rare.opt > out 2> said || die "optimize: $(cat out said)"
grep -q 'applied .* layer ' out || die "what somebody asks for is not made: $(cat out)"
same "$(./rare 5000)" "$(./rare.opt 5000)" "what the optimised program shows"
