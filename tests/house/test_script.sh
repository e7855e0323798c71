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

project_with_tests ''
run_from_elsewhere && fail "./test exited 0 although it ran no test"
project_with_tests 'message(FATAL_ERROR "no such library")'
run_from_elsewhere && fail "./test exited 0 although CMake failed"
grep -q 'no such library' "$scratch/output" || fail "CMake's own words are not in the output"
run_from_elsewhere --nonsense && fail "./test exited 0 for an unknown option"
echo "passed: ./test tells the truth"
