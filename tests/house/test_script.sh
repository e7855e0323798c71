#!/usr/bin/env bash
# ./test tells the truth: it exits non-zero when one test fails, zero when all pass, from any directory, also the second
# time. Shown on a project of two files that has this ./test for its own.
set -euo pipefail
root=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { printf 'FAILED: %s\n' "$1"; cat "$scratch/output"; exit 1; }

project=$scratch/project
mkdir -p "$project/tools"
cp "$root/test" "$project/"
cp "$root/tools/run_tests.py" "$project/tools/"
printf '#!/bin/sh\necho "setup: nothing to do"\n' >"$project/tools/setup"
chmod +x "$project/tools/setup"
cat >"$project/CMakePresets.json" <<'JSON'
{ "version": 6, "configurePresets": [
  { "name": "dev", "generator": "Ninja", "binaryDir": "${sourceDir}/build" },
  { "name": "sanitize", "inherits": "dev", "binaryDir": "${sourceDir}/build-sanitize" } ] }
JSON
project_with_tests() {
    { printf 'cmake_minimum_required(VERSION 3.25)\nproject(Small NONE)\nenable_testing()\n'; printf '%s\n' "$@"; } \
        >"$project/CMakeLists.txt"
}
run_from_elsewhere() { (cd / && "$project/test" "$@") >"$scratch/output" 2>&1; }

project_with_tests 'add_test(NAME good COMMAND true)'
run_from_elsewhere || fail "./test failed although every test passes"
grep -q '100% tests passed, 0 tests failed out of 1' "$scratch/output" || fail "ctest's summary is not in the output"
run_from_elsewhere || fail "./test failed when it was run again"

project_with_tests 'add_test(NAME good COMMAND true)' 'add_test(NAME broken COMMAND false)'
run_from_elsewhere && fail "./test exited 0 although a test fails"
grep -q 'broken (Failed)' "$scratch/output" || fail "the failing test is not named"
run_from_elsewhere --quick && fail "./test --quick exited 0 although a test fails"

# Broken under the sanitizers alone.
project_with_tests 'if(CMAKE_BINARY_DIR MATCHES sanitize)' 'add_test(NAME broken COMMAND false)' 'endif()' \
    'add_test(NAME good COMMAND true)'
run_from_elsewhere && fail "./test exited 0 although a test of the sanitized build fails"
run_from_elsewhere --quick || fail "./test --quick ran the sanitized build"

# What is skipped is counted and named, with its reason, also inside a program of GoogleTest; the slowest tests are told.
cat >"$project/skips.sh" <<'SH'
echo "SKIPPED: no file system of this kind may be mounted here"
exit 77
SH
project_with_tests "add_test(NAME skips COMMAND sh $project/skips.sh)" 'set_tests_properties(skips PROPERTIES SKIP_RETURN_CODE 77)' \
    'add_test(NAME inside COMMAND printf "[  SKIPPED ] Files.OnXfs (0 ms)\n")' 'add_test(NAME slow_one COMMAND sleep 1)'
run_from_elsewhere --quick || fail "./test failed although a test was only skipped"
grep -q 'skips: SKIPPED: no file system of this kind' "$scratch/output" || fail "the skipped test is not named with its reason"
grep -q 'inside: Files.OnXfs' "$scratch/output" || fail "what a test program skipped is not named"
tail -n 1 "$scratch/output" | grep -qx '2 passed, 0 failed, 2 skipped' || fail "the last line does not count what was skipped"
grep -A1 'slowest tests' "$scratch/output" | grep -q slow_one || fail "the slowest test is not told"

# Parts: by label and by what names begin with. A part that no test is in is no success.
project_with_tests 'add_test(NAME flow.good COMMAND true)' 'add_test(NAME flower COMMAND false)' 'add_test(NAME heavy COMMAND false)' \
    'set_tests_properties(heavy PROPERTIES LABELS "slow;all")'
run_from_elsewhere --part flow || fail "./test --part ran what is not in the part"
run_from_elsewhere --part none && fail "./test --part exited 0 for a part without tests"
run_from_elsewhere --quick --part heavy && fail "./test --quick ran a test labelled all"
run_from_elsewhere --all --part slow && fail "./test --all left out a test labelled all"

# --all takes up where it was stopped, on the same sources only.
(cd "$project" && git init -q && git config user.email test@test && git config user.name test && printf '/build*\n/marks\n' >.gitignore)
project_with_tests "add_test(NAME once COMMAND sh -c \"echo run >> $project/marks\")" "add_test(NAME broken COMMAND test -e $project/mended)"
(cd "$project" && git add -A && git commit -qm first)
run_from_elsewhere --all && fail "./test --all exited 0 although a test fails"
cp "$project/marks" "$scratch/marks"
printf '/mended\n' >>"$project/.git/info/exclude" && touch "$project/mended"
run_from_elsewhere --all || fail "./test --all failed although every test passes now"
cmp -s "$project/marks" "$scratch/marks" || fail "./test --all ran a test again that had passed on these sources"
echo >>"$project/CMakeLists.txt"
run_from_elsewhere --all || fail "./test --all failed on changed sources"
cmp -s "$project/marks" "$scratch/marks" && fail "./test --all took a pass on other sources for one on these"
run_from_elsewhere --seed 12 --quick || fail "./test --seed failed"
grep -q 'with seed 12$' "$scratch/output" || fail "the seed is not printed"
run_from_elsewhere --seed x && fail "./test exited 0 for a seed that is no number"

project_with_tests ''
run_from_elsewhere && fail "./test exited 0 although it ran no test"
project_with_tests 'message(FATAL_ERROR "no such library")'
run_from_elsewhere && fail "./test exited 0 although CMake failed"
grep -q 'no such library' "$scratch/output" || fail "CMake's own words are not in the output"
run_from_elsewhere --nonsense && fail "./test exited 0 for an unknown option"
echo "passed: ./test tells the truth"
