#!/usr/bin/env bash
# What is noted in a layer is kept apart by the call that led there: from the recording to the optimised program, and when it no longer holds.
source "$(dirname "$0")/common.sh"
cp "$here/by_call.c" by_call.c
thalweg-cc -O2 -g -mllvm -inline-threshold=-100000 -c by_call.c
thalweg-cc by_call.o -o prog
thalweg record -o day.profile -- ./prog > out 2> said || die "record: $(cat out said)"
thalweg plan day.profile -o prog.plan > out 2> said || die "plan: $(cat out said)"
of_call() { grep -o "function = \"transfer\", ordinal = [0-9]*, width = 4, body_hash = \"[0-9a-fx]*\", call = { caller = \"pass\", ordinal = $1, .*" prog.plan; }
of_call 0 | grep -q 'values = \[{ bits = 3 }\]' || die "the first call's direction: $(cat prog.plan)"
of_call 1 | grep -q 'values = \[{ bits = 5 }\]' || die "the second call's direction: $(cat prog.plan)"
thalweg explain prog.plan 1 > out 2> said || die "explain: $(cat out said)"
grep -q 'load transfer#[0-9]*:4 from pass#0 = 3$' out || die "no word of the call: $(cat out)"
thalweg optimize ./prog --profile day.profile --plan prog.plan -o prog.opt > out 2> said || die "optimize: $(cat out said)"
grep -q 'applied *specialize pass' out || die "nothing was specialised: $(cat out)"
for arguments in "" "swapped"; do
    same "$(./prog $arguments)" "$(./prog.opt $arguments)" "what is shown with arguments '$arguments'"
done
