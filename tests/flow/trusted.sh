#!/usr/bin/env bash
# A plan is bytes: what it says without a test is believed only on the command line of the command that carries it out.
source "$(dirname "$0")/common.sh"
cat > prog.c <<'C'
#include <stdio.h>
int scale = 2;
__attribute__((noinline)) static int raised(int value) { return puts("raised") < 0 ? value : value + 1; }
__attribute__((noinline)) static int multiplied(int value, int factor) { return puts("multiplied") < 0 ? value : value * factor; }
__attribute__((noinline)) int scaled(const int *factor, int value) { return *factor == 1 ? raised(value) : multiplied(value, *factor); }
int main(int argc, char **argv) {
    int factor = scale + (argc > 5);
    printf("%d\n", scaled(&factor, 10));
    return argv[0] == NULL;
}
C
thalweg-cc -O2 -g prog.c -o prog
same 20 "$(./prog | tail -n 1)" "the program"
thalweg specialize ./prog --function scaled --fact "arg0->0:4 = 1" --save-plan prog.plan -o prog.spec > out 2> said || die "specialize: $(cat out said)"
same 20 "$(./prog.spec | tail -n 1)" "a fact that does not hold, tested"
grep -q 'provenance = "declared"' prog.plan || die "the plan does not say whose facts they are: $(cat prog.plan)"

# The same plan, changed by hand.
sed 's/trusted = false/trusted = true/' prog.plan > believed.plan
thalweg optimize ./prog --plan believed.plan -o prog.opt > out 2> said || die "optimize: $(cat out said)"
same 20 "$(./prog.opt | tail -n 1)" "a plan that says that it is to be trusted"
grep -q 'WARNING: a fact that the plan calls trusted is tested all the same.*--trusted here is' said || die "no word of it: $(cat said)"
thalweg optimize ./prog --plan believed.plan --trusted -o prog.opt > out 2> said || die "optimize --trusted: $(cat out said)"
same 11 "$(./prog.opt | tail -n 1)" "the user's word, who is wrong"
if grep -q 'trusted is tested' said; then die "a warning about what was asked for: $(cat said)"; fi
thalweg specialize ./prog --function scaled --fact "arg0->0:4 = 1" --trusted -o prog.spec > out 2> said || die "specialize --trusted: $(cat out said)"
same 11 "$(./prog.spec | tail -n 1)" "the user's word to specialize"

# No number of instructions makes recorded facts the user's own.
sed -e 's/provenance = "declared"/provenance = "recorded"/' prog.plan > bound.plan
code=0; thalweg optimize ./prog --plan bound.plan -o prog.opt > out 2> said || code=$?
same 4 $code "recorded facts that may not grow"
grep -q 'not applied .*the plan leaves no room for it' out || die "no word of the room: $(cat out)"
sed -e 's/provenance = "declared"/provenance = "edited"/' -e 's/growth_instructions = 0/growth_instructions = 500/' prog.plan > edited.plan
thalweg optimize ./prog --plan edited.plan -o prog.opt > out 2> said || die "facts that were edited: $(cat out said)"
grep -v '^provenance' prog.plan > old.plan
thalweg optimize ./prog --plan old.plan -o prog.opt > out 2> said || die "a plan of before there was such a word: $(cat out said)"

# That calls are independent no test can tell.
cat > overlap.plan <<'P'
format = "thalweg-plan"
version = 1
[[decision]]
id = 1
kind = "overlap"
verdict = "apply"
site = { function = "main", ordinal = 0, kind = "call", callee = "clnt_call" }
independent = [{ program = 536871321, version = 1, procedures = [1, 2] }]
P
code=0; thalweg optimize ./prog --plan overlap.plan -o prog.opt > out 2> said || code=$?
grep -q 'WARNING: decision 1 is refused: .*--independent 0x20000199:1:1,2' said || die "no word of what is not believed: $(cat out said)"
thalweg optimize ./prog --plan overlap.plan --independent 0x20000199:1:1,2 -o prog.opt > out 2> said || true
if grep -q 'WARNING' said; then die "a warning about what was asked for: $(cat said)"; fi
code=0; thalweg optimize ./prog --plan overlap.plan --independent nonsense -o prog.opt > out 2> said || code=$?
same 2 $code "an option that is not understood"
