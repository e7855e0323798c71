#!/usr/bin/env bash
# Events whose types are declared are optimised like others; a raise that does not fit gives the status that it always gave.
source "$(dirname "$0")/common.sh"
root=$(cd "$here/../.." && pwd)
thalweg-c++ -O2 -g -std=c++20 -I"$root/include" -c "$here/declared.cc" -o declared.o
thalweg-c++ declared.o "$bin/../lib/thalweg/libthalweg.a" -o prog -pthread
thalweg record -o calm.profile -- ./prog > /dev/null 2> said || die "record: $(cat said)"
thalweg optimize ./prog --profile calm.profile -o prog.opt > out 2> said || die "optimize: $(cat out said)"
for line in 'applied *merge *segment at .*declared.cc' 'applied *merge *locked at .*declared.cc' \
    'applied *subsume packet at .*declared.cc'; do
    grep -q "$line" out || die "no '$line' in: $(cat out)"
done
for how in calm wild; do same "$(./prog $how)" "$(./prog.opt $how)" "what prog.opt shows, $how"; done
[ "$(./prog wild | cut -d' ' -f1-3 | sort -u | wc -l)" -ge 7 ] || die "the wild run shows too few statuses to be worth anything"

# A raise whose types do not fit never comes to the guard: 20 of 4000 while the declaration was another one.
thalweg record -o counted.profile -- ./prog.opt wild > shown 2> said || die "record prog.opt: $(cat said)"
same "$(./prog wild)" "$(cat shown)" "what prog.opt shows while it is recorded"
for event in segment locked; do
    grep -q "decision [0-9]* ($event): guard held 3980 times, failed 0 times" said || die "$event: $(cat said)"
done
