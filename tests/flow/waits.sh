#!/usr/bin/env bash
# Triggers and waits are in the event graph, and a handler, the trigger in it and who goes on there become one path; another one who waits goes on as ever.
source "$(dirname "$0")/common.sh"
include=$(cd "$here/../../include" && pwd)
cp "$here/waits.cc" waits.cc
thalweg-c++ -std=c++20 -O2 -g -I"$include" waits.cc -o prog "$1/lib/thalweg/libthalweg.a"
thalweg record --exact -o day.profile -- ./prog > out 2> said || die "record: $(cat out said)"
thalweg report day.profile > report 2> said || die "report: $(cat report said)"
has() { grep -Eq "$1" report || die "the report has no '$1': $(cat report)"; }
has '30,000 +0 +trigger +waits.cc:19$'
has '30,000 +0 +wait +waits.cc:20 add$'
has '30,000 +sync +sampled -> waits.cc:19$'
has '30,000 +sync +waits.cc:19 -> waits.cc:20 add$'
thalweg plan day.profile -o prog.plan > plan 2> said || die "plan: $(cat plan said)"
thalweg explain prog.plan 2 > out 2> said || die "explain: $(cat out said)"
grep -q '&_Z3addv.resume' out || die "no fact says who goes on: $(cat out)"
grep -q 'One path: waits.cc:19 leads on to waits.cc:20 _Z3addv 30000 times' prog.plan || die "the plan says nothing of the path: $(cat prog.plan)"
thalweg optimize ./prog --profile day.profile --plan prog.plan -o prog.opt > out 2> said || die "optimize: $(cat out said)"
grep -Eq 'applied *specialize .*occur.* [1-9][0-9]* of them through pointers' out || die "no trigger leads on to who waits: $(cat out)"
for arguments in "" "other"; do
    same "$(./prog $arguments)" "$(./prog.opt $arguments)" "what is shown with arguments '$arguments'"
done
