#!/usr/bin/env bash
# include/ and src/runtime build by themselves, with gcc, and a program that is linked with all of the runtime needs
# nothing but the C and C++ libraries: no LLVM, nothing of the tools.
set -euo pipefail
root=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cmake -G Ninja -S "$root" -B "$scratch/build" -DCMAKE_C_COMPILER=gcc -DCMAKE_CXX_COMPILER=g++ -DCMAKE_BUILD_TYPE=Release -DCMAKE_COMPILE_WARNING_AS_ERROR=ON \
    -DTHALWEG_BUILD_{TOOLS,IO,FIBER,LOOKUP}=OFF >"$scratch/configure.log" || { cat "$scratch/configure.log"; exit 1; }
cmake --build "$scratch/build"
# Of the libraries that are left out there is nothing, and a project that wants one is told so.
cmake --install "$scratch/build" --prefix "$scratch/prefix" >/dev/null
found=$(find "$scratch/prefix" -path '*tame/io.h' -o -path '*tame/lookup.h' -o -name '*thalweg_*' -o -name 'thalweg-*' -o -name bin)
[ -z "$found" ] || { echo "FAILED: installed although left out: $found"; exit 1; }
if cmake -S "$root/tests/outside_project/project" -B "$scratch/outside" -DCMAKE_PREFIX_PATH="$scratch/prefix" -DCOMPONENTS=io >"$scratch/said" 2>&1; then
    echo "FAILED: a project that wants Thalweg's io was configured without it"; exit 1
fi
grep -q 'without its component io' "$scratch/said" || { echo "FAILED: not said that io is missing: $(cat "$scratch/said")"; exit 1; }
cp -r "$root/examples/quickstart" "$scratch/program"
library=$scratch/build/lib/thalweg/libthalweg.a
make -C "$scratch/program" CXX=g++ CPPFLAGS="-I$root/include" \
    LDLIBS="-Wl,--whole-archive $library -Wl,--no-whole-archive"
"$scratch/program/station" 1000

needed=$(ldd "$scratch/program/station")
echo "$needed"
# The libraries by which the text above is allowed to grow: C, C++, mathematics, unwinding, the loader, the kernel's page.
strangers=$(echo "$needed" | grep -vE 'linux-vdso|ld-linux|lib(c|m|stdc\+\+|gcc_s|pthread)\.so' || true)
[ -z "$strangers" ] || { echo "FAILED: the runtime brings along: $strangers"; exit 1; }
[ "$(echo "$needed" | grep -c 'libc\.so')" = 1 ] || { echo "FAILED: ldd told nothing"; exit 1; }
! nm -C --undefined-only "$library" | grep -E 'llvm::|fmt::|sqlite3' || { echo "FAILED: the runtime calls these"; exit 1; }
echo "passed: the runtime stands alone"
