#!/usr/bin/env bash
# Sources in Tame, each in one of its syntaxes, become C++ that both compilers take, and that does what the source says: its output is
# written down beside it, NAME.expected, by the semantics of the paper and of what the two libraries promise.
#   translate_and_run.sh THALWEG LIBTHALWEG INCLUDE SAMPLE one|each
# one: by one of the three compilers, another one for another commit and another sample.
set -uo pipefail
thalweg=$(realpath "$1")
library=$(realpath "$2")
include=$(realpath "$3")
sample=$(realpath "$4")
expected=${sample%.*}.expected
base=$(basename "${sample%.*}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0

fail() { echo "FAILED: $(basename "$sample"): $1"; failed=1; }
# tamer's and sfslite's closures hide from the compiler which variables are used.
flags=(-std=c++20 -O1 -g -Wall -Wextra -Werror -Wno-unused-parameter -Wno-unused-but-set-variable -I"$include" -pthread)

# try NAME SOURCE COMPILER...
try() {
    local name=$1 source=$2
    shift 2
    "$@" "${flags[@]}" "$source/$base.cc" "$library" -o "$name.run" || { fail "$name does not compile"; return; }
    timeout 60 "./$name.run" >"$name.out" 2>"$name.err" || { fail "$name ends with $?"; cat "$name.err"; }
    diff "$expected" "$name.out" || fail "$name gives something else"
    [ ! -s "$name.err" ] || { fail "$name has complaints"; cat "$name.err"; }
}

# translate NAME OPTION...: sample and its header, if it has one, as NAME.cc
translate() {
    local name=$1
    shift
    mkdir "$name"
    cp "$sample" "${sample%.*}.h" "$name" 2>/dev/null
    if [ -e "$name/$base.h" ]; then
        (cd "$name" && "$thalweg" tame "$@" --beside "$(basename "$sample")" "$base.h")
    else
        "$thalweg" tame "$@" "$sample" -o "$name/$base.cc"
    fi 2>tame.err || { cat tame.err; fail "it is not translated ($*)"; exit 1; }
}

translate plain
translate lines --line-directives
grep -qE '\b(twait|tvars|make_event|CLOSURE|TAMED|evv_t|rendezvous_t)\b' <(sed 's|//.*||; s|"[^"]*"||g' "plain/$base.cc" | grep -v '^ *[/*]') &&
    fail "there is Tame left in it"
ways=("clang plain clang++-19" "gcc plain g++" "sanitized lines clang++-19 -fsanitize=address,undefined -fno-sanitize-recover=all")
# The wing of the waits alone needs no clang.
if ! command -v clang++-19 >/dev/null; then
    echo "clang++-19 is not here: by g++ alone"
    ways=("${ways[1]}")
fi
if [ "$5" = one ]; then
    number=$((${THALWEG_TEST_SEED:-0} + $(cksum <<<"$base" | cut -d' ' -f1)))
    ways=("${ways[number % ${#ways[@]}]}")
fi
for way in "${ways[@]}"; do
    # shellcheck disable=SC2086 # words of a way
    try $way
done
exit $failed
