#!/usr/bin/env bash
# What docs/FIGURES.md says of the weather station and does not depend on the machine is so: decisions, instructions, growth.
#   figures.sh BUILD
set -euo pipefail
build=$(realpath "$1")
root=$(realpath "$(dirname "$0")/../..")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
export XDG_CACHE_HOME=$scratch/cache # what this user measured of the machine plays no part
cp "$root"/examples/quickstart/* .
make -s CXX="$build/bin/thalweg-c++" THALWEG="$root" LDLIBS="$build/lib/thalweg/libthalweg.a"
"$build/bin/thalweg" record -o day.profile -- ./station 2000000 >said 2>&1 || { cat said; exit 1; }
"$build/bin/thalweg" optimize ./station --profile day.profile -o station.opt >out 2>said || { cat out said; exit 1; }
line=$(tail -n 1 out)
[[ $line == *"decisions applied"* ]] || { echo "FAILED: optimize ends with: $line"; exit 1; }
grep -qF -- "$line" "$root/docs/FIGURES.md" || { printf 'FAILED: docs/FIGURES.md does not have this line, which optimize ends with:\n%s\n' "$line"; exit 1; }
echo "passed: $line"
