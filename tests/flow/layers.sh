#!/usr/bin/env bash
# What became of each line of a specialised function: explain and report show it beside the source, where that is still the one compiled.
source "$(dirname "$0")/common.sh"
cp "$here/layered.c" layered.c
thalweg-cc -O2 -g layered.c -o prog
thalweg specialize ./prog --function send_all --fact "arg0->0 = &plain_operations" -o prog.spec > out 2> said ||
    die "specialize: $(cat out said)"
[ -s prog.spec.outcome ] || die "the outcome was not kept"
explain() { thalweg explain prog.spec.plan 1 --outcome prog.spec.outcome 2> said; }
explain > out || die "explain: $(cat out said)"
grep -q 'send_all (layered.c:[0-9]*): [1-9]' out || die "no source of send_all: $(cat out)"
grep -q ' sdg  .*if (!sink->operations->put(sink, values\[i\]))' out || die "the line with the guard: $(cat out)"
grep -q '\^ [1-9][0-9]* facts\? tested here' out || die "no word of the tests: $(cat out)"
grep -q '\^ arg2 is not assumed: no fact speaks of it' out || die "no reason: $(cat out)"
grep -q ' d .* \*sink->place = value;' out || die "the layer below: $(cat out)"
thalweg explain prog.spec.plan 1 --outcome prog.spec.outcome --json > out
grep -q '"evaluated": [1-9]' out || die "no lines in JSON: $(cat out)"
if thalweg explain prog.spec.plan 1 | grep -q 'static'; then die "lines without an outcome"; fi

# The report has them too; a function that a user trusts stands out.
thalweg record -o day.profile -- ./prog > out 2> said || die "record: $(cat out said)"
thalweg report day.profile --plan prog.spec.plan --outcome prog.spec.outcome > out 2> said || die "report: $(cat said)"
grep -q 'Layers of decision 1' out || die "no layers in the report: $(cat out)"
thalweg specialize ./prog --function send_all --fact "arg0->0 = &plain_operations" --trusted --outcome word \
    -o prog.trust > out 2> said || die "specialize --trusted: $(cat out said)"
thalweg explain prog.trust.plan 1 --outcome word > out 2> said || die "explain what is trusted: $(cat said)"
grep -q '\^ [1-9].* TRUSTED: not tested' out || die "no word of what is trusted: $(cat out)"
thalweg specialize ./prog --function send_all --fact "arg0->0 = &plain_operations" --object fast.o > out 2> said ||
    die "specialize --object: $(cat out said)"
[ -s fast.o.outcome ] || die "the object's outcome was not kept"

# Of a plan that was declared no profile is needed; of nothing there is nothing to show.
thalweg report --plan prog.spec.plan --outcome prog.spec.outcome > out 2> said || die "report without a profile: $(cat said)"
grep -q 'sink->operations->put' out || die "no source without a profile: $(cat out)"
if grep -q 'Event graph' out; then die "an event graph of no recorded run"; fi
thalweg report --plan prog.spec.plan --json > out && python3 -c 'import json; json.load(open("out"))["plan"]' || die "JSON: $(cat out)"
code=0; thalweg report --outcome prog.spec.outcome > out 2> said || code=$?
same 2 "$code" "the exit code of a report of nothing"
grep -q 'of what? name a profile, or a plan' said || die "what is missing is not said: $(cat said)"

# auto's report has the source without being asked.
printf '#!/bin/sh\nfor n in 1 2 3 4 5 6 7 8 9 10 11 12; do "$THALWEG_PROGRAM"; done\n' > load.sh
chmod +x load.sh
thalweg auto ./prog --runs 2 --keep-all -- ./load.sh > out 2> said || die "auto: $(tail -n 20 out said)"
awk '/^[a-z]/ { group = $1 } group == "done"' out > done.rows
grep -q ' specialize send_all' done.rows || die "auto specialised nothing: $(tail -n 20 out)"
grep -q '"text":"        if (!sink-\\u003eoperations-\\u003eput(sink, values\[i\]))"' prog.html || die "no source in auto's report"

# A source that is another one by now, or none, is said to be so, and nothing hangs; the lines are still there.
no_text() {
    timeout 60 thalweg explain prog.spec.plan 1 --outcome prog.spec.outcome > out 2> said || die "$1: explain ended with $?"
    grep -q "lines without their text: .*$1" out || die "no word that it $1: $(cat out)"
    grep -q '^ *35  sdg *[1-9][0-9]* *[1-9][0-9]* *$' out || die "$1: the line is not listed: $(cat out)"
    if grep -q 'sink->' out; then die "$1: text of another file: $(cat out)"; fi
}
touch -d '+1 minute' layered.c && no_text 'has been changed since the program was made'
rm layered.c && no_text 'is not there'
mkdir layered.c && no_text 'is no file with text' && rmdir layered.c
: > layered.c && touch -d '-1 hour' layered.c && no_text 'is empty' && rm layered.c
mkfifo layered.c && no_text 'is no file with text' && rm layered.c
head -n 20 "$here/layered.c" > layered.c
touch -d '-1 hour' layered.c && no_text 'has 20 lines, and code belongs to line'

# An outcome may name anything as a source; the lines are told all the same.
for file in /dev/zero /proc/kmsg . "$(printf '%05000d' 0)"; do
    sed -e "s|\"file\": \"layered.c\"|\"file\": \"$file\"|" -e 's|"line": 35|"line": 4294967295|' prog.spec.outcome > odd.outcome
    timeout 60 thalweg report --plan prog.spec.plan --outcome odd.outcome --html odd.html > out 2> said ||
        die "report of a source ${file:0:20}: ended with $?: $(cat said)"
    timeout 60 thalweg explain prog.spec.plan 1 --outcome odd.outcome > out 2> said || die "explain of ${file:0:20}: $(cat said)"
    grep -q '^ *4294967295  sdg' out || die "the line of a source ${file:0:20} is not listed: $(cat out)"
done

# Errors that never happened when it was recorded are the original code's: they change what the layer has tested, throw, and jump out.
thalweg-c++ -O2 "$here/errors.cc" -o errors
thalweg record -o errors.profile -- ./errors 200000 90 > out 2> said || die "record errors: $(cat said)"
thalweg optimize ./errors --profile errors.profile -o errors.opt --all > out 2> said || die "optimize errors: $(cat said)"
grep -q 'applied  *specialize take .*: 4 calls unfolded' out || die "the layer holds its errors, or is none: $(cat out)"
for range in 90 102 103 104 130 1000; do
    same "$(./errors 20000 $range)" "$(./errors.opt 20000 $range)" "errors of numbers up to $range"
done
