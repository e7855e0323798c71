#!/usr/bin/env bash
# Every C and C++ file is as clang-format-19 leaves it. To put it right: tests/house/format.sh ROOT --fix
set -euo pipefail
cd "$1"
mapfile -t files < <(git ls-files --cached --others --exclude-standard '*.h' '*.c' '*.cc' '*.cpp' | xargs -r ls 2>/dev/null)
[ "${#files[@]}" -gt 0 ] || { echo "no C or C++ file found under $1: that cannot be"; exit 1; }
if [ "${2-}" = --fix ]; then
    clang-format-19 -i "${files[@]}"
    exit
fi
clang-format-19 --version
clang-format-19 --dry-run --Werror "${files[@]}" || {
    echo "not formatted; put it right with: tests/house/format.sh . --fix"
    exit 1
}
echo "passed: ${#files[@]} files"
