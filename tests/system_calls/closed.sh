#!/usr/bin/env bash
# tests: a loop that closes every number does what it did, with a fault at each call.   closed.sh BUILD [OPTION OF inject.py]...
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
place=$1/bench/closed
mkdir -p "$place/bench"
python3 -B "$here/../ir/transform.py" --build "$1" --keep "$place" run "$here/closed.c" | tee "$place/outcome"
grep -q "^; decision 1 applied" "$place/outcome"
grep -q "^; decision 2 applied" "$place/outcome"

# Whether anything is left out here at all: without /proc, and under a filter of system calls, it is the original.
calls() { strace -o "$place/calls" -e trace=close "$1" >/dev/null && wc -l <"$place/calls"; }
if [ "$(calls "$place/optimised")" -ge "$(calls "$place/original")" ]; then
    echo "nothing is left out here: $(grep Seccomp: /proc/self/status)"
    exit 77
fi
python3 -B "$here/inject.py" --build "$place" --filters "${@:2}" --pair "$place/original" "$place/optimised"
