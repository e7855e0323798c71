#!/usr/bin/env bash
# Parts of two versions of Thalweg (THALWEG_ABI_VERSION) are no program: who links them together is told both versions, and what to do.
source "$(dirname "$0")/common.sh"
include=$here/../../include

cat > bell.cc <<'PROGRAM'
#include <cstdio>
#include <thalweg/event.h>
int main() {
    thalweg::Event<int> rung;
    rung.bind([](int times) { std::printf("%d\n", times); });
    rung(3);
}
PROGRAM
number=$(sed -n 's/^#define THALWEG_ABI_VERSION //p' "$include/thalweg/abi.h")
refused() {
    [ ! -e "$1" ] || die "$1 was made although it holds two versions"
    for words in "version 999 of Thalweg's ABI" "version $number" "Install Thalweg whole"; do
        grep -q "$words" said || die "not said: '$words': $(cat said)"
    done
}

# Headers of another version than the library.
cp -r "$include" other
sed -i 's/^#define THALWEG_ABI_VERSION .*/#define THALWEG_ABI_VERSION 999/' other/thalweg/abi.h
for way in "" -c; do
    inputs=bell.cc
    [ -z "$way" ] || { thalweg-c++ -std=c++20 -O2 -Iother -c bell.cc; inputs=bell.o; }
    if thalweg-c++ -std=c++20 -O2 -Iother "$inputs" -L"$bin/../lib/thalweg" -lthalweg -o bell > said 2>&1; then die "linked although of two versions"; fi
    refused bell
done
thalweg-c++ -std=c++20 -O2 -I"$include" bell.cc -L"$bin/../lib/thalweg" -lthalweg -o bell
same 3 "$(./bell)" "a program of one version"

# A recorder of another version than the tool; a program that knows nothing of Thalweg is linked with it, too.
mkdir -p stale/lib
cp -r "$bin" stale/bin
cp -r "$bin/../lib/thalweg" stale/lib/thalweg
echo '__attribute__((used, section("thalweg_abi"))) static const unsigned version = 999; int thalweg_of_another_version;' > version.c
clang-19 -fPIC -c version.c
llvm-ar-19 r stale/lib/thalweg/libthalweg_recorder.a version.o
echo 'int main(void) { return 0; }' > plain.c
for program in bell plain; do
    [ $program = bell ] || thalweg-cc -O2 plain.c -o plain
    thalweg record -o good.profile -- ./$program > /dev/null 2>&1 || die "$program is not recorded"
    thalweg clean ./$program > /dev/null 2>&1 || true
    if stale/bin/thalweg record -o day.profile -- ./$program > said 2>&1; then die "$program was recorded by another version's recorder"; fi
    refused day.profile
done
echo "passed: parts of two versions are refused"
