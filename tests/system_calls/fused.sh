#!/usr/bin/env bash
# tests: a copying loop that became one call does what it did: with a fault at each call, and where the disk is full.   fused.sh BUILD [PROGRAM]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
program=${2:-fused}
place=$1/bench/$program
mkdir -p "$place/bench"
python3 -B "$here/../ir/transform.py" --build "$1" --keep "$place" run "$here/$program.c" | tee "$place/outcome"
grep -q "^; decision 1 applied" "$place/outcome"

# Whether it is fused here at all: on file systems that are on no list (crossing/file_system.cc), and under a filter of system calls, it is the original.
seq 100000 >"$place/from"
truncate -s 300000 "$place/from"
strace -o "$place/calls" "$place/optimised" "$place/from" "$place/to"
cmp "$place/from" "$place/to"
if ! grep -q "^sendfile.* = [1-9]" "$place/calls"; then
    echo "the kernel copies nothing here: $(stat -f -c %T "$place"), $(grep Seccomp: /proc/self/status)"
    exit 77
fi
python3 -B "$here/inject.py" --build "$place" --filters --pair "$place/original" "$place/optimised" in/large to

# A disk of 1,000 kB that is full before the end: what is on it then, and what is said.
full() {
    unshare -rm bash -ec "mount -t tmpfs -o size=1000k none '$place/disk'; cd '$place/disk'
        seq 100000 >from
        truncate -s 600000 from
        '$1' from to 2>&1 | cat; wc -c <to; sha256sum <to; head -c \$(stat -c %s to) from | cmp - to"
}
mkdir -p "$place/disk"
if ! unshare -rm true; then
    echo "no disk of its own may be made here"
    exit 0
fi
full "$place/original" >"$place/original.told"
full "$place/optimised" >"$place/optimised.told"
cat "$place/optimised.told"
grep -q "^write: No space left on device$" "$place/original.told"
cmp "$place/original.told" "$place/optimised.told"
