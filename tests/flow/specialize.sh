#!/usr/bin/env bash
# A function becomes code for facts that its user declares; where they do not hold, it does what it did.
source "$(dirname "$0")/common.sh"
thalweg-cc -O2 -g "$here/layered.c" -o prog
thalweg specialize ./prog --function send_all --fact "arg0->0 = &plain_operations" -o prog.spec > out 2> said ||
    die "specialize: $(cat out said)"
grep -q 'applied *specialize .*[1-9] of them through pointers' out || die "what was applied: $(cat out)"
grep -q 'kind = "memory", function = "send_all"' prog.spec.plan || die "the plan was not kept"
for how in "" wild; do same "$(./prog $how)" "$(./prog.spec $how)" "what prog.spec shows, '$how'"; done
[ "$(./prog)" != "$(./prog wild)" ] || die "the wild run is like the calm one, and shows nothing"

# The plan may be applied again by hand.
thalweg optimize ./prog --plan prog.spec.plan -o prog.again > /dev/null 2>&1 || die "the kept plan does not apply"
same "$(./prog wild)" "$(./prog.again wild)" "what prog.again shows"

# What can't be done is said, with what to do.
code=0; thalweg specialize ./prog --function send_none > out 2> said || code=$?
same 4 "$code" "the exit code for a function that is not there"
grep -q 'there is no function send_none' out || die "no word of the missing function: $(cat out)"
code=0; thalweg specialize ./prog --function send_all --fact "arg0->0 = &nothing" > out 2> said || code=$?
same 4 "$code" "the exit code for a value that can't be"
grep -q 'no fact fits\|nothing is decided' out || die "no word of the value: $(cat out)"
code=0; thalweg specialize ./prog --function send_all --fact "arg0 is plain" > out 2> said || code=$?
same 2 "$code" "the exit code for words that are no fact"
grep -q '"arg0 is plain" is not understood at "is plain": = is missing' said || die "what is wrong is not said: $(cat said)"
