#!/usr/bin/env bash
# The library of functions that wait, its translator and Knot are a build of their own, by gcc, where nothing is found that only the optimiser needs.
#   waits_alone.sh configures|works ROOT [CMAKE_OPTION...]
# works: they are built, pass their tests, and are used from where they were installed.
set -euo pipefail
root=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
die() { printf 'FAILED: %s\n' "$*"; exit 1; }

configure() { # FOLDER OPTION...
    (cd "$root" && cmake --preset waits -B "$scratch/$1" -DCMAKE_C_COMPILER=gcc -DCMAKE_CXX_COMPILER=g++ "${@:2}" >"$scratch/$1.log" 2>&1)
}
hidden=(LLVM tomlplusplus rapidcheck PkgConfig OpenSSL)
hidden=("${hidden[@]/#/-DCMAKE_DISABLE_FIND_PACKAGE_}")
configure build "${hidden[@]/%/=ON}" -DLLVM_DIR=/nonexistent "${@:3}" || die "$(tail -n 20 "$scratch/build.log")"
ninja -C "$scratch/build" -t targets all >"$scratch/targets"
for target in thalweg knot gethost libthalweg_{io,fiber,lookup}.a {io,fiber,lookup,tame}_test; do
    grep -q "[/ ]*$target: " "$scratch/targets" || die "$target is no part of it"
done
found=$(grep -oE '^[^:]*(ThalwegPasses|thalweg_(model|driver|transform|recorder)|thalweg-cc)[^:]*' "$scratch/targets" | head -n 3) || true
[ -z "$found" ] || die "these are the optimiser's: $found"
ctest --test-dir "$scratch/build" -N -L '^waits$' >"$scratch/tests" 2>&1
for name in room.io room.fiber room.lookup room.tame room.runtime tame.locks.T examples.knot; do
    grep -q ": $name\$" "$scratch/tests" || die "$name is no test of it: $(cat "$scratch/tests")"
done
if configure other -DTHALWEG_BUILD_TOOLS=ON; then die "one wing was configured with the other's tools"; fi
grep -q 'THALWEG_BUILD_TOOLS=ON is the other wing' "$scratch/other.log" || die "not said: $(cat "$scratch/other.log")"
if [ "$1" = configures ]; then
    echo "passed: configured"
    exit 0
fi

cmake --build "$scratch/build" --parallel 2 >"$scratch/said" 2>&1 || die "$(tail -n 20 "$scratch/said")"
ctest --test-dir "$scratch/build" -L '^waits$' -LE all -j 2 --output-on-failure >"$scratch/said" 2>&1 || die "$(tail -n 60 "$scratch/said")"
cmake --install "$scratch/build" --prefix "$scratch/prefix" >"$scratch/said"
for way in cmake pkg-config; do
    "$root/tests/outside_project/try.sh" $way "$scratch/build" io fiber lookup >"$scratch/said" 2>&1 || die "$way: $(tail -n 20 "$scratch/said")"
done
mkdir "$scratch/user"
cd "$scratch/user"
"$scratch/prefix/bin/thalweg" tame "$root/tests/tame/samples/locks.T" -o locks.cc 2>/dev/null
read -ra flags < <(PKG_CONFIG_PATH=$scratch/prefix/lib/pkgconfig pkg-config --cflags thalweg)
g++ -std=c++20 "${flags[@]}" locks.cc "$scratch/prefix/lib/libthalweg.a" -o locks
./locks | cmp - "$root/tests/tame/samples/locks.expected"
if "$scratch/prefix/bin/thalweg" record 2>said; then die "a verb of the optimiser's is there"; fi
grep -q "there is no verb 'record'" said || die "of a verb that isn't there: $(cat said)"
strangers=$(ldd "$scratch/prefix/bin/thalweg" "$scratch/build/bin/knot" | grep -E 'LLVM|clang|sqlite|seccomp' || true)
[ -z "$strangers" ] || die "linked with $strangers"
echo "passed: the waits stand alone"
