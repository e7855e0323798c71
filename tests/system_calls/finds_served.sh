#!/usr/bin/env bash
# tests: the fault injection finds a server that loses an error, and is content with one that does not.   finds_served.sh BUILD MODE VERDICT [OPTION...]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
place=$1/bench/inject-served-$2
mkdir -p "$place/bench"
clang-19 -O1 -DMODE=PLAIN "$here/served.c" -o "$place/plain"
clang-19 -O1 -DMODE="$2" "$here/served.c" -o "$place/other"
told=$(python3 -B "$here/inject.py" --build "$place" --server --sample 20 "${@:4}" --pair "$place/plain" "$place/other" nginx.conf || true)
echo "$told" | tail -12
grep -Eq "^[1-9][0-9]* cases, $3 differ$" <<<"$told"
