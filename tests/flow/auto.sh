#!/usr/bin/env bash
# thalweg auto: the whole way in one command, for a program's own arguments and for a command that runs it.
source "$(dirname "$0")/common.sh"
thalweg-c++ -O2 -g -std=c++20 -c "$here/recorded.cc" -o recorded.o
thalweg-c++ recorded.o -o prog -pthread
before=$(sha256sum prog)

thalweg auto ./prog --runs 3 --keep-all -- plain 20000 > out 2> said || die "auto ended with $?: $(cat out said)"
for step in '1 of 3: record' '2 of 3: plan, optimize and measure' '3 of 3: report'; do
    grep -q "$step" said || die "no step '$step': $(cat said)"
done
for line in recorded hottest done code processor clock verdict written; do
    grep -q "^$line " out || die "the summary has no line '$line': $(cat out)"
done
[ "$(wc -l < out)" -le 15 ] || die "the summary has $(wc -l < out) lines: $(cat out)"
grep -q '^done *merge ' out || die "nothing was applied: $(cat out)"
grep -q '^verdict *outputs equal' out || die "no comparison, or not equal: $(cat out)"
for file in prog.profile prog.plan prog.outcome prog.opt prog.comparison prog.html; do [ -s $file ] || die "$file was not written"; done
same "$before" "$(sha256sum prog)" "the program itself"
thalweg auto ./prog --runs 3 --keep-all --all -- plain 20000 > out 2> said || die "auto --all: $(cat out said)"
grep -q '^Event graph' out || die "--all shows no tables: $(cat out)"

# What it says as JSON is one document, whatever the program itself shows.
thalweg auto ./prog --runs 3 --json -- plain 20000 > out 2> said || die "auto --json: $(cat out said)"
python3 - <<'PYTHON' || die "JSON: $(cat out)"
import json
told = json.load(open("out"))
assert told["comparison"]["agreement"] == "equal", told
assert told["files"]["report"] == "./prog.html" and told["dispatches"] == 20000, told
assert all(part["ratio"] > 0 for part in told["measured"]) and told["measured"], told
PYTHON

cat > load.sh <<'S'
#!/bin/sh
for times in 100 5000; do "$THALWEG_PROGRAM" plain $times; done
S
chmod +x load.sh
thalweg auto ./prog -o driven.opt --profile driven.profile --plan driven.plan --outcome driven.outcome --comparison driven.comparison --html driven.html --runs 3 \
    -- ./load.sh > out 2> said || die "driven: $(cat out said)"
grep -q '5100 dispatches' said || die "the command's runs were not recorded: $(cat said)"
grep -q '^verdict *outputs equal' out || die "driven: not compared: $(cat out)"
for file in driven.profile driven.plan driven.outcome driven.opt driven.comparison driven.html; do [ -s $file ] || die "$file was not written"; done

# No dispatch ran: the profile is for LLVM's passes alone.
thalweg auto ./prog --runs 3 -- plain 0 > out 2> said || die "a run without dispatches: $(cat out said)"
grep -q 'no dispatch ran at any' said || die "no dispatch, and nothing said: $(cat said)"
[ -s prog.opt ] || die "no program was made of the counts: $(cat out said)"
printf '#!/bin/sh\n' > load.sh
code=0; thalweg auto ./prog -- ./load.sh > out 2> said || code=$?
same 4 $code "a command that never runs the program"
grep -q 'NOTHING WAS RECORDED' said || die "nothing recorded, and nothing said: $(cat said)"
