#!/usr/bin/env bash
# Two event-driven programs of several files, one configured with Meson, one with autotools, built by thalweg-c++ and nothing else: the whole
# way is one command, which ends well, has applied something and gives its verdict. (How large the gain is depends on the machine: pays.sh.)
source "$(dirname "$0")/common.sh"

# $1 the program, beside it what auto wrote.
goes_the_whole_way() {
    thalweg doctor "$1" > said 2>&1 || die "doctor: $(cat said)"
    thalweg auto "$1" --runs 3 --keep-all -- 300000 > out 2> said || die "auto $1 ended with $?: $(cat out said)"
    grep -q '^done *merge .* targets merged' out || die "$1: no list became a straight line: $(cat out)"
    grep -q '^verdict *outputs equal; ' out || die "$1: no verdict: $(cat out)"
    grep -q '^hottest .*: ~.* in [0-9,]* dispatches' out || die "$1: it is not said what costs most: $(cat out)"
    same "$("$1" 1000)" "$("$1.opt" 1000)" "$1 and what became of it"
    same 1 "$(grep -c '^processor *ratio' out)" "$1: lines that state the ratio"
}

cp -r "$here/telemetry" "$here/auction" .
cd telemetry
CXX=thalweg-c++ meson setup build > log 2>&1 || die "$(cat log)"
ninja -C build > log 2>&1 || die "$(cat log)"
goes_the_whole_way build/telemetry

cd ../auction
autoreconf -i > log 2>&1 || die "$(cat log)"
./configure CXX=thalweg-c++ CXXFLAGS="-O2 -g" > log 2>&1 || die "$(tail -20 log)"
make -s > log 2>&1 || die "$(tail -20 log)"
goes_the_whole_way ./auction

# The compiler's own build has nothing to work with, and that is said.
make -s clean > log 2>&1
make -s CXX=clang++-19 > log 2>&1 || die "$(tail -20 log)"
code=0; thalweg auto ./auction -- 1000 > out 2> said || code=$?
[ $code -ne 0 ] || die "a program of another compiler was optimised: $(cat out)"
grep -qi 'thalweg-c++' said || die "it is not said what to build with: $(cat said)"
