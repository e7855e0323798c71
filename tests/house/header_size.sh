#!/usr/bin/env bash
# What a program's file compiles when it includes event.h, or tame.h, in lines after the preprocessor, by gcc and clang.
#   header_size.sh ROOT
set -euo pipefail
failed=0

lines() { # COMPILER TEXT
    "$1" -std=c++20 -E -P -x c++ "-I$root/include" - <<<"$2" | wc -l
}
at_most() { # LINES HEADER
    for compiler in g++ clang++-19; do
        found=$(lines $compiler "#include <thalweg/$2>")
        echo "$2: $found lines by $compiler, at most $1"
        [ "$found" -le "$1" ] || failed=1
    done
}
root=$1
at_most 30000 event.h # of which <string>, <vector> and <optional> have 23,000; <chrono>, <functional> and <memory> would double it
at_most 68000 tame.h  # of which <chrono> has 31,000
[ "$(lines g++ '#include <chrono>')" -gt 20000 ] || { echo "FAILED: nothing was counted"; exit 1; }
exit $failed
