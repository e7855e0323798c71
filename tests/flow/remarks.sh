#!/usr/bin/env bash
# What became of each decision, as a compiler's remarks at the dispatch's line: on request, applied and missed ones apart.
source "$(dirname "$0")/common.sh"
thalweg-c++ -O2 -g -std=c++20 -c "$here/recorded.cc" -o recorded.o
thalweg-c++ recorded.o -o prog -pthread
thalweg record -o p.profile -- ./prog plain 20000 > /dev/null 2>&1
thalweg plan p.profile -o plan > /dev/null 2>&1
# The decision, the same refused, and the same of a function that has changed.
decision=$(awk '/^\[\[decision\]\]/ { ++n } n == 1' plan)
{
    sed '/^\[\[decision\]\]/,$d' plan
    echo "$decision"
    echo "$decision" | sed 's/^id = 1/id = 2/; s/^verdict = .*/verdict = "refuse"/; s/^reason = .*/reason = "by hand."/'
    echo "$decision" | sed 's/^id = 1/id = 3/; s/body_hash = "[^"]*"/body_hash = "0x1"/'
} > edited
line=$(grep -n 'callback(value);' "$here/recorded.cc" | cut -d: -f1)

thalweg optimize ./prog --plan edited --outcome outcome -o prog.opt > out 2> quiet || die "optimize: $(cat out quiet)"
if grep -q 'decision [0-9]' quiet; then die "remarks, and nobody asked: $(cat quiet)"; fi
thalweg optimize ./prog --plan edited --explain -o prog.opt > out 2> said || die "--explain: $(cat out said)"
grep -q "recorded.cc:$line:[0-9]*: decision 1 (.*) applied: 2 targets merged" said || die "no remark for 1: $(cat said)"
grep -q "recorded.cc:$line:[0-9]*: decision 2 (.*) not applied: the plan refuses it: by hand." said || die "2: $(cat said)"
grep -q "recorded.cc:$line:[0-9]*: decision 3 (.*) not applied: stale: " said || die "no remark for 3: $(cat said)"
same 3 "$(grep -c 'decision [0-9]' said)" "remarks"
same 3 "$(grep -c '"decision": ' outcome)" "decisions in the outcome"

# clang's own options, on the program's link line: here as with any other pass.
thalweg-c++ recorded.o -o missed -pthread -Rpass-missed=thalweg
thalweg optimize ./missed --plan edited -o missed.opt > out 2> said || die "-Rpass-missed: $(cat out said)"
same "2 3" "$(grep -o 'decision [0-9]' said | cut -d' ' -f2 | xargs)" "decisions in missed remarks"
thalweg-c++ recorded.o -o passed -pthread -Rpass=inline -Rpass=thal.eg
thalweg optimize ./passed --plan edited -o passed.opt > out 2> said || die "-Rpass: $(cat out said)"
same "1" "$(grep -o 'decision [0-9]' said | cut -d' ' -f2 | xargs)" "decisions in remarks of what passed"
# Both ways at once.
thalweg optimize ./missed --plan edited --explain -o missed.opt > out 2> said || die "both: $(cat out said)"
same 3 "$(grep -c 'decision [0-9]' said)" "remarks, asked for in both ways"
