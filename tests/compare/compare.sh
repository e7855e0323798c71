#!/usr/bin/env bash
# What `thalweg compare` says and how it exits, on shell scripts whose behaviour is plain to see.
set -uo pipefail
thalweg=$1
runs=2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1

program() { # NAME BODY
    printf '#!/bin/sh\n%s\n' "$2" >"$1"
    chmod +x "$1"
}
expect() { # EXIT-CODE TEXT-IN-OUTPUT OPTIONS...
    local code=$1 text=$2
    shift 2
    "$thalweg" compare --runs "$runs" "$@" >output 2>&1
    local got=$?
    if [ "$got" != "$code" ] || ! grep -qF -- "$text" output; then
        printf 'FAILED: compare %s\n  exit %s, expected %s; expected the text: %s\n' "$*" "$got" "$code" "$text"
        cat output
        exit 1
    fi
}

program same 'echo "$@"; exit 3'
program also 'echo "$@"; exit 3'
program typo 'echo "$@" | sed s/two/tow/; exit 3'
program code 'echo "$@"; exit 4'
program crash 'echo "$@"; kill -SEGV $$'
program hang 'echo "$@"; sleep 60'
program clock 'date +%N'
program writes 'echo "$1" >>out.bin'
program other 'echo "$1$1" >>out.bin'
# Of six rounds the interval reaches from the least to the most: what others do to one run must be little beside the difference.
program quick 'echo "$@"; sleep 0.1; exit 3'
program slow 'echo "$@"; sleep 1.5; exit 3'
program complains 'echo "$@"; echo worse >&2; exit 3'
program reads 'cat; exit 3'

expect 0 'outputs    equal (exit, stdout; the original ended with exit 3)' same also -- one two
expect 5 'stdout of ./typo in round 1 at byte 5, line 1' same typo -- one two
expect 5 'expected   one two\n' same typo -- one two
expect 5 'found      one tow\n' same typo -- one two
expect 5 'exit of ./code in round 1' same code
expect 5 'signal 11 (Segmentation fault)' same crash
expect 5 'killed when its time was up' same hang --timeout 3
expect 5 'unstable: the original differs from itself' clock clock
expect 0 'outputs    equal (exit;' clock clock --no-stdout

echo kept >out.bin
expect 0 'outputs    equal (exit, stdout, out.bin;' writes writes --file out.bin -- x
echo kept >out.bin
expect 5 'out.bin of ./other in round 1 at byte 6, line 2' writes other --file out.bin -- x
expect 0 'outputs    equal (exit, stdout;' writes other -- x
expect 0 'outputs    equal' same complains
expect 5 'stderr of ./complains' same complains --stderr

echo from the file >input
expect 5 'expected   from the file' reads same --stdin input

expect 0 'verdict    outputs equal' quick slow
runs=6
expect 6 'more time on the clock than the original' quick slow --fail-if-slower
expect 0 'less time on the clock than the original' slow quick --fail-if-slower

runs=1
# Instructions are those of the program, a script's of its shell; where a driver never starts it, that is said, and the rest is told.
expect 0 'instructions ratio 1.0' same also --instructions
expect 0 'instructions are not counted: valgrind counted nothing of ./same' same also --instructions --driver -- sh -c 'echo {} | cut -c 1'
expect 0 'outputs    equal' same also --instructions --driver -- sh -c 'echo {} | cut -c 1'

# Beside others that want its processor a program that computes waits for nothing: it is judged by processor time. One that sleeps is not.
runs=2
program busy 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done'
first=$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')
(
    taskset -cp "$first" "$BASHPID" >/dev/null
    (while :; do :; done) & hogs=$!
    (while :; do :; done) & hogs="$hogs $!"
    trap 'kill $hogs' EXIT
    expect 0 'processor time' busy busy
    expect 0 'time on the clock' slow slow
) || exit 1

runs=2
expect 0 'exit 3' same also --driver -- sh -c 'test "$THALWEG_PROGRAM" = {} && {} driven'
expect 5 'found      driven twice' same typo --driver -- sh -c 'if [ {} = ./typo ]; then echo driven twice; fi'
expect 2 'needs a command behind --' same also --driver
expect 2 'cannot run ./nothing' same ./nothing
expect 2 'candidate is required' same
expect 0 '"agreement": "equal"' same also --json
expect 5 '"agreement": "differ"' same typo --json -- two
python3 - <<'PYTHON' || exit 1
import json
verdict = json.load(open("output"))
assert verdict["differences"][0]["found"] == "tow\\n", verdict
PYTHON
echo "passed"
