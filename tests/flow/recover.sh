#!/usr/bin/env bash
# A recording that is killed, its whole process group, is read afterwards: what had been counted until then is there.
source "$(dirname "$0")/common.sh"
thalweg-c++ -O2 -g -std=c++20 "$here/recorded.cc" -o prog -pthread
mkdir tmp
export TMPDIR="$scratch/tmp"
thalweg record -o whole.profile -- ./prog plain 500 > /dev/null 2>&1

# Starts a recording in a group of its own, waits until the program has dispatched so often, and kills all of it.
kill_recording() {
    rm -f out
    setsid thalweg record -o never.profile -- ./prog wait "$1" > out 2> said &
    local leader=$!
    for _ in $(seq 600); do grep -qs "^[0-9]" out && break; sleep 0.1; done
    kill -KILL -- "-$leader"
    wait "$leader" || true
    [ ! -e never.profile ] || die "it was not killed in the middle"
}
number() { tail -1 json | grep -o "\"$1\":[0-9]*" | cut -d: -f2; }

code=0; thalweg record --recover -o p.profile 2> said || code=$?
same 2 "$code" "exit code where there is nothing to recover"

kill_recording 500
thalweg record -o next.profile -- ./prog plain 5 > out 2> said
grep -q "a recording that was killed is in $TMPDIR/thalweg-record-" said || die "nobody told of it: $(cat said)"
thalweg record --recover --json -o p.profile > json 2> said || die "recover: $(cat said)"
same "500 500 1" "$(number dispatches) $(number recorded) $(number processes)" "what was counted until then"
same "$(thalweg report --json whole.profile | sed 's/wait\|plain//g' | grep -c '"function"')" \
    "$(thalweg report --json p.profile | sed 's/wait\|plain//g' | grep -c '"function"')" "the handlers"
same "" "$(ls "$TMPDIR")" "what is left of the folder"

# Of several, one has to be named; what still runs is left alone; what is no recording's is refused.
kill_recording 300
kill_recording 200000
code=0; thalweg record --recover -o p.profile 2> said || code=$?
same 2 "$code" "exit code where there are several"
folders=("$TMPDIR"/thalweg-record-*)
same 2 "${#folders[@]}" "folders"
total=0
for folder in "${folders[@]}"; do
    thalweg record --recover "$folder" --json -o p.profile > json 2> said || die "recover $folder: $(cat said)"
    total=$((total + $(number dispatches)))
done
same 200300 "$total" "dispatches of both"
rm -f out
thalweg record -o wait.profile -- ./prog wait 10 > out 2> said & recorder=$!
for _ in $(seq 300); do grep -qs "^[0-9]" out && break; sleep 0.1; done
code=0; thalweg record --recover "$(echo "$TMPDIR"/thalweg-record-*)" -o p.profile 2> said2 || code=$?
grep -q 'still runs' said2 || die "a recording that runs was taken: $(cat said2)"
kill -TERM $recorder; wait $recorder || true
[ -e wait.profile ] || die "the one that ran lost its folder"
mkdir -m 755 open
code=0; thalweg record --recover open -o p.profile 2> said || code=$?
same 2 "$code" "exit code for a folder that others may write to"

# The program was built again: its numbers mean something else.
kill_recording 100
thalweg-c++ -O1 -g -std=c++20 "$here/recorded.cc" -o prog -pthread
code=0; thalweg record --recover -o p.profile 2> said || code=$?
same 4 "$code" "exit code where the program is another"
grep -q 'has been built again' said || die "$(cat said)"
ls -d "$TMPDIR"/thalweg-record-* > /dev/null || die "what could not be read is gone"
