# What the flow tests share. Sourced with the build folder as $1; leaves the shell in an empty folder of its own.
set -euo pipefail
bin=$(cd "$1/bin" && pwd)
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
export PATH="$bin:$PATH"
export XDG_CACHE_HOME="$scratch/cache"  # what this user measured of the machine plays no part
unset CFLAGS CXXFLAGS LDFLAGS MAKEFLAGS THALWEG_RECORD_DIR

die() { echo "FAILED: $*" >&2; exit 1; }
same() { [ "$1" = "$2" ] || die "$3: expected '$1', found '$2'"; }
# grep reads to the end: where it stops at the first find, readelf may fail on a closed pipe.
has_section() { readelf -SW "$1" | grep '\.thalweg\.link' > /dev/null || die "$1 has no section .thalweg.link"; }
no_section() { ! readelf -SW "$1" | grep "$2" > /dev/null || die "$1 has a section $2"; }
has_bitcode() { readelf -SW "$1" | grep '\.llvm\.lto' > /dev/null || die "$1 has no bitcode"; }

# The program remembers its link, and the link repeated gives a program that shows the same: $1 the program, $2 what it prints.
relinks() {
    has_section "$1"
    no_section "$1" '\.llvm\.lto'
    same "$2" "$("$1")" "$1"
    thalweg relink "$1" -o "$1.again" 2> /dev/null || die "$1 does not link again"
    same "$2" "$("$1.again")" "$1.again"
    has_section "$1.again"
}
