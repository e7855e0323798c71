#!/usr/bin/env bash
# Sources in Tame, each in one of its syntaxes, become C++ that both compilers take, and that does what the source says: its output is
# written down beside it, NAME.expected, by the semantics of the paper and of what the two libraries promise.
#   translate_and_run.sh THALWEG LIBTHALWEG INCLUDE SAMPLE
set -uo pipefail
thalweg=$(realpath "$1")
library=$(realpath "$2")
include=$(realpath "$3")
sample=$(realpath "$4")
expected=${sample%.*}.expected
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
    "$@" "${flags[@]}" "$source" "$library" -o "$name" || { fail "$name does not compile"; return; }
    timeout 60 "./$name" >"$name.out" 2>"$name.err" || { fail "$name ends with $?"; cat "$name.err"; }
    diff "$expected" "$name.out" || fail "$name gives something else"
    [ ! -s "$name.err" ] || [ -e "${sample%.*}.told" ] || { fail "$name has complaints"; cat "$name.err"; }
}

"$thalweg" tame "$sample" -o plain.cc 2>tame.err || { cat tame.err; fail "it is not translated"; exit 1; }
grep -qE '\b(twait|tvars|make_event|CLOSURE|TAMED|evv_t|rendezvous_t)\b' <(sed 's|//.*||; s|"[^"]*"||g' plain.cc | grep -v '^ *[/*]') &&
    fail "there is Tame left in it"
"$thalweg" tame --line-directives "$sample" -o lines.cc 2>/dev/null || fail "it is not translated with #line"
try clang plain.cc clang++-19
try gcc plain.cc g++-12
try sanitized lines.cc clang++-19 -fsanitize=address,undefined -fno-sanitize-recover=all
exit $failed
