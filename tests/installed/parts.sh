#!/usr/bin/env bash
# The libraries are configured, built, installed and packed by gcc where no package is found that only the tools, the examples or the tests need;
# programs are built against them. And what is missing is named, with the option that leaves it out.
#   parts.sh
set -euo pipefail
root=$(realpath "$(dirname "$0")/../..")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
die() { printf 'FAILED: %s\n' "$*"; exit 1; }

# All packages that any part asks CMake for, hidden.
mapfile -t packages < <(grep -rhoP '(find_package\(|thalweg_need\(\w+ ("[^"]*"|\S+) )\K\w+' \
    "$root"/{CMakeLists.txt,cmake,src,examples,tests,benchmarks} --include={CMakeLists.txt,*.cmake} | grep -v '^Thalweg$' | sort -u)
[ ${#packages[@]} -ge 10 ] || die "only these packages are asked for: ${packages[*]}"
hidden=("${packages[@]/#/-DCMAKE_DISABLE_FIND_PACKAGE_}")
hidden=("${hidden[@]/%/=ON}")

configure() { # FOLDER OPTION...: the compilers that CMake chooses itself, and what CMake says in a file
    cmake -S "$root" -B "$scratch/$1" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_COMPILE_WARNING_AS_ERROR=ON "${@:2}" >"$scratch/$1.log" 2>&1
}

configure libraries "${hidden[@]}" -DTHALWEG_BUILD_TOOLS=OFF || die "$(tail -n 20 "$scratch/libraries.log")"
cmake --build "$scratch/libraries" --parallel 2 >"$scratch/build.log" 2>&1 || die "$(tail -n 20 "$scratch/build.log")"
for way in cmake pkg-config; do
    "$root/tests/outside_project/try.sh" $way "$scratch/libraries" io fiber lookup >"$scratch/said" 2>&1 || die "$way: $(tail -n 20 "$scratch/said")"
done

# The whole of it is installed, and has no tools.
cmake --install "$scratch/libraries" --prefix "$scratch/prefix" >"$scratch/said"
[ -f "$scratch/prefix/lib/libthalweg_lookup.a" ] || die "thalweg_lookup was not installed"
found=$(find "$scratch/prefix" -name '*thalweg-c*' -o -name 'ThalwegPasses*' -o -name bin)
[ -z "$found" ] || die "these are the tools': $found"
(cd "$scratch/libraries" && cpack -G DEB -B "$scratch/packages") >"$scratch/said" 2>&1 || die "cpack: $(tail -n 5 "$scratch/said")"
[ "$(cd "$scratch/packages" && echo *.deb)" = "libthalweg-dev_0.1.0_$(dpkg --print-architecture).deb" ] || die "packed: $(ls "$scratch/packages")"

# What is missing is named: Debian's package, and the option.
missing() { # WHAT PACKAGE OPTION CMAKE_OPTION...
    if configure "missing-$1" "${@:4}"; then die "configured without $1"; fi
    tr -s '\n ' ' ' <"$scratch/missing-$1.log" | grep -q "$1.* is missing. .*apt-get install $2.*-D$3=OFF" || die "of $1: $(cat "$scratch/missing-$1.log")"
}
clang=(-DCMAKE_C_COMPILER=clang-19 -DCMAKE_CXX_COMPILER=clang++-19)
missing LLVM llvm-19-dev THALWEG_BUILD_TOOLS "${clang[@]}" -DTHALWEG_BUILD_TESTS=OFF -DCMAKE_DISABLE_FIND_PACKAGE_LLVM=ON
missing clang clang-19 THALWEG_BUILD_TOOLS -DCMAKE_C_COMPILER=gcc -DCMAKE_CXX_COMPILER=g++ -DTHALWEG_BUILD_TESTS=OFF
missing GTest libgtest-dev THALWEG_BUILD_TESTS -DTHALWEG_BUILD_TOOLS=OFF -DTHALWEG_BUILD_TESTS=ON -DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON
missing liburing.h liburing-dev THALWEG_BUILD_IO -DTHALWEG_BUILD_TOOLS=OFF -DCMAKE_IGNORE_PATH=/usr/include
echo "passed: libraries without tools, of ${#packages[@]} packages none"
