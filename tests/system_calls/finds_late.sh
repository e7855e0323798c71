#!/usr/bin/env bash
# tests: the kill test finds a program that writes later than it should.   finds_late.sh BUILD
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
place=$1/bench/kill-late
mkdir -p "$place/bench"
clang-19 -O1 "$here/late.c" -o "$place/late"
told=$(python3 -B "$here/kill.py" --build "$place" --subjects copy --times 10 --program "$place/late" || true)
tail -3 <<<"$told"
grep -Eq "^copy: [0-9]+ runs, 10 killed, [1-9][0-9]* with something lost" <<<"$told"
