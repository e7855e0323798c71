#!/usr/bin/env bash
# thalweg auto: the whole way in one command, for a program's own arguments and for a command that runs it.
source "$(dirname "$0")/common.sh"
thalweg-c++ -O2 -g -std=c++20 -c "$here/recorded.cc" -o recorded.o
thalweg-c++ recorded.o -o prog -pthread
before=$(sha256sum prog)

thalweg auto ./prog --runs 3 -- plain 20000 > out 2> said || die "auto ended with $?: $(cat out said)"
for step in '1 of 5: record' '2 of 5: plan and report' '3 of 5: optimize' '4 of 5: compare' '5 of 5: report'; do
    grep -q "$step" said || die "no step '$step': $(cat said)"
done
grep -q 'applied' out || die "nothing was applied: $(cat out)"
grep -q '^outputs *equal' out || die "no comparison, or not equal: $(cat out)"
for file in prog.profile prog.plan prog.outcome prog.opt prog.comparison prog.html; do [ -s $file ] || die "$file was not written"; done
same "$before" "$(sha256sum prog)" "the program itself"

cat > load.sh <<'S'
#!/bin/sh
for times in 100 5000; do "$THALWEG_PROGRAM" plain $times; done
S
chmod +x load.sh
thalweg auto ./prog -o driven.opt --profile driven.profile --runs 3 -- ./load.sh > out 2> said || die "driven: $(cat out said)"
grep -q '5100 dispatches' said || die "the command's runs were not recorded: $(cat said)"
grep -q '^outputs *equal' out || die "driven: not compared: $(cat out)"

code=0; thalweg auto ./prog -- plain 0 > out 2> said || code=$?
same 4 $code "a run without dispatches"
grep -q 'NOTHING WAS RECORDED' said || die "nothing recorded, and nothing said: $(cat said)"
