#!/usr/bin/env bash
# A handler that is exchanged in the middle of a run, and bound back: the next raise runs the new one, then the fast path is
# back; `report` says so by counts that are exact, for both interfaces.
source "$(dirname "$0")/common.sh"
root=$(cd "$here/../.." && pwd)
thalweg-c++ -O2 -g -std=c++20 -I"$root/include" -c "$here/guards.cc" -o guards.o
thalweg-c++ guards.o "$bin/../lib/thalweg/libthalweg.a" -o prog -pthread
thalweg record -o calm.profile -- ./prog > calm 2> said || die "record: $(cat said)"
# Colder than any plan would have it: the test is of the guards, and not of what is worth it.
thalweg plan calm.profile --eta 1 -o plan > out 2> said || die "plan: $(cat out said)"
sed -i 's/^verdict = "refuse"/verdict = "apply"/' plan
# The two events alone: what else was refused may be worth nothing, and has guards of its own.
thalweg optimize ./prog --plan plan --only-decisions 1,2 -o prog.opt > out 2> said || die "optimize: $(cat out said)"
same 2 "$(grep -c '^ *[0-9]*  applied' out)" "decisions applied of: $(cat out)"

# "event hits failures" of each decision, from the JSON that report prints of $1
guards_in() {
    thalweg report "$1" --json 2> said | python3 -c '
import json, sys
for guard in sorted(json.load(sys.stdin)["profile"]["guards"], key=lambda guard: guard["event"]):
    print(guard["event"], guard["hits"], guard["failures"])'
}
# the same of a run of prog.opt that is recorded; $1 is its argument
guards() {
    thalweg record -o counted.profile -- ./prog.opt $1 > shown 2> said || die "record prog.opt: $(cat said)"
    same "$(./prog $1)" "$(cat shown)" "what prog.opt shows while it is recorded, $1"
    same "$(./prog $1)" "$(./prog.opt $1)" "what prog.opt shows, $1"
    guards_in counted.profile
}
same "" "$(guards_in calm.profile)" "guards of the original"
same "plain 200 0
typed 200 0" "$(guards calm)" "guards of a run like the recorded one"

# 100 raises as recorded; the last of them exchanges the second handler. 40 otherwise; the last of them binds it back. 60 more.
same "plain 160 40
typed 160 40" "$(guards rebind)" "guards of a run that rebinds"
thalweg report counted.profile > text 2> said
grep -q '160 *40 *80.* typed' text || die "the text does not tell the guards: $(cat text)"
# The counts in the report of what they guard, for a browser; and a recording of the original has none to give.
thalweg report calm.profile --plan plan --guards counted.profile --html report.html 2> said || die "report: $(cat said)"
grep -q '"guards":\[{"decision":1,"event":"plain","hits":160,"failures":40}' report.html || die "no guards in the page"
code=0; thalweg report calm.profile --guards calm.profile > text 2> said || code=$?
same 4 "$code" "guards out of a recording of the original"
grep -q 'no guard was counted' said || die "a profile without guards: $(cat said)"
[ "$(./prog calm)" != "$(./prog rebind)" ] || die "the exchanged handler shows nothing: the test is worth nothing"

# A specialised layer: 100 times as its fact says; then ten of them with another operation table, where it leaves to the generic code.
cp "$here/layered.c" layered.c
thalweg-cc -O2 -g layered.c -o layered
thalweg specialize ./layered --function send_all --fact "arg0->0 = &plain_operations" -o layered.spec > out 2> said ||
    die "specialize: $(cat out said)"
for row in :"100 0" other:"90 10"; do
    thalweg record -o layered.profile -- ./layered.spec ${row%:*} > shown 2> said || die "record layered.spec: $(cat said)"
    same "$(./layered ${row%:*})" "$(cat shown)" "what layered.spec shows while it is recorded, ${row%:*}"
    same "send_all ${row#*:}" "$(guards_in layered.profile)" "guards of a layer, ${row%:*}"
done
thalweg report layered.profile > text 2> said
grep -q '1 *90 *10 *90.* send_all' text || die "the text does not tell a layer's guards: $(cat text)"
