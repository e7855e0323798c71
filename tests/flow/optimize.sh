#!/usr/bin/env bash
# From a profile to an optimised program: what was applied is said, what was not as well, and the output stays.
source "$(dirname "$0")/common.sh"
thalweg-c++ -O2 -g -std=c++20 -c "$here/recorded.cc" -o recorded.o
thalweg-c++ recorded.o -o prog -pthread
thalweg record -o p.profile -- ./prog plain 20000 > /dev/null 2>&1
before=$(sha256sum prog)

thalweg optimize ./prog --profile p.profile -o prog.opt > out 2> said || die "optimize: $(cat said)"
grep -q '^ *1 .*applied' out || die "decision 1 was not applied: $(cat out)"
grep -q 'recorded.cc' out || die "no place: $(cat out)"
grep -q 'next: thalweg compare' said || die "no next command: $(cat said)"
same "$before" "$(sha256sum prog)" "the program itself"
for how in plain fork throw other; do
    same "$(./prog $how 1000 || true)" "$(./prog.opt $how 1000 || true)" "output of $how"
done
cp prog.opt first
thalweg optimize ./prog --profile p.profile -o prog.opt > /dev/null 2>&1
cmp -s first prog.opt || die "the same profile gave other bytes"

thalweg optimize ./prog --profile p.profile --json -o prog.opt 2> /dev/null | grep -q '"state":"applied"' || die "--json"
if thalweg optimize ./prog --profile p.profile --only-decisions 99 -o x > out 2> said; then die "decision 99"; fi
grep -q 'no decision 99' said || die "decision 99: $(cat said)"
code=0; thalweg optimize ./prog --profile p.profile --only-decisions 98-99 -o x > out 2> said || code=$?
same 2 $code "a range without any decision"
grep -q 'no decision from 98 to 99' said || die "decisions 98 to 99: $(cat said)"
thalweg optimize ./prog --profile p.profile --only-decisions 1-99 -o x > out 2> said || die "a range that the plan fills in part: $(cat said)"
grep -q '^ *1 .*applied' out || die "decision 1 of 1-99 was not applied: $(cat out)"
for wrong in 0 2-1 1,,2 a; do
    code=0; thalweg optimize ./prog --profile p.profile --only-decisions $wrong -o x > out 2>&1 || code=$?
    same 2 $code "--only-decisions $wrong"
done

code=0; thalweg optimize ./prog --profile p.profile -o "$PWD/prog" > out 2>&1 || code=$?
same "2 $before" "$code $(sha256sum prog)" "the program itself as output"

# The optimised program remembers its link and its plan.
thalweg doctor ./prog.opt > out || die "doctor: $(cat out)"
grep -q 'optimised from' out || die "doctor does not know where prog.opt comes from: $(cat out)"
# The plan lies compressed where debug information lies, and goes with it: then the program runs, and can't be recorded.
llvm-readelf-19 -SW prog.opt | grep '\.debug_thalweg_plan' > sections || die "no plan in prog.opt: $(llvm-readelf-19 -SW prog.opt)"
[ "$((16#$(awk '{ print $(NF - 5) }' sections)))" -gt 0 ] || die "an empty plan: $(cat sections)"
grep -q ' C ' sections || die "the plan is not compressed: $(cat sections)"
# All of it: llvm-strip takes the link too, strip only what is there for debuggers.
for tool in strip "llvm-strip-19 --strip-debug"; do
    $tool -o stripped prog.opt
    ! llvm-readelf-19 -SW stripped | grep -q thalweg_plan || die "$tool leaves the plan"
    same "$(./prog.opt plain 1000)" "$(./stripped plain 1000)" "what the program shows, by $tool"
    code=0; thalweg record -o x.profile -- ./stripped plain 10 > out 2> said || code=$?
    same 7 "$code" "recording what $tool has stripped"
    grep -q 'record a copy that was not stripped' said || die "no word of the stripped plan: $(cat said)"
    thalweg doctor ./stripped > out || true
    grep -q 'its plan was stripped' out || die "doctor: $(cat out)"
done
thalweg record -o x.profile -- ./prog.opt plain 10 > out 2> said || die "recording what was not stripped: $(cat said)"

# A profile of another program applies nothing, and says so with code 4.
cat > other.cc <<'C'
#include <cstdio>
using F = void (*)(long &);
static void a(long &v) { v += 3; }
static void b(long &v) { v += 4; }
F volatile table[2] = {a, b};
int main() { long v = 0; for (int i = 0; i < 2; ++i) table[i](v); std::printf("%ld\n", v); }
C
thalweg-c++ -O2 other.cc -o other
code=0; thalweg optimize ./other --profile p.profile -o other.opt > out 2> said || code=$?
same 4 $code "a profile of another program"
grep -q 'NOTHING WAS APPLIED' said || die "nothing applied, and nothing said: $(cat said)"
[ ! -e other.opt ] || die "a program that is no faster was left behind"
code=0; thalweg optimize ./prog --profile p.profile -o missing/prog.opt > out 2> said || code=$?
same 2 $code "an output in a folder that isn't there"
grep -q "missing/prog.opt cannot be written: folder missing: No such file" said || die "which folder is missing? $(cat said)"

# No room where the result goes: the disk is named, not the linker's crash. Needs a small disk of our own, where one may be had.
mkdir small
if unshare -rm mount -t tmpfs -o size=8k tmpfs small 2> said; then
    unshare -rm sh -c 'mount -t tmpfs -o size=8k tmpfs small && thalweg optimize ./prog --profile p.profile -o small/prog.opt' > out 2> said &&
        die "linked into no room"
    grep -q 'small has [0-9]* kB left; make room there' said || die "no word of the full disk: $(cat said)"
fi
code=0; echo 'verdict' > torn.plan; thalweg optimize ./prog --plan torn.plan -o x > out 2> said || code=$?
same 4 $code "a plan that is none"
grep -q 'torn.plan: not a plan' said || die "which plan is none? $(cat said)"

# Of many refusals the first ten are shown, and how many more there are; --all shows them, and --json has each. What is applied is always shown.
{ echo '#include <stdio.h>'; echo 'int main(int count, char **words) {'; for i in $(seq 13); do echo "    printf(\"%d is $i\\n\", count);"; done
  echo '    for (int i = 0; i < 90000; ++i) printf("%d of %s\n", i, words[0]);'; echo '    return 0;'; echo '}'; } > many.c
thalweg-cc -O2 -g many.c -o many
thalweg record -o many.profile -- ./many > out 2>&1
rows() { grep -c "^ *[0-9]*  $1 " out || true; }
thalweg optimize ./many --profile many.profile -o many.opt > out 2>&1 || die "optimize: $(cat out)"
[ "$(rows applied)" -ge 1 ] || die "nothing applied is shown: $(cat out)"
same 10 "$(rows refused)" "refusals that are shown"
more=$(sed -n 's/^ *and \([0-9]*\) more refused: --all shows them$/\1/p' out)
[ "${more:-0}" -ge 3 ] || die "how many more? $(cat out)"
grep -q "applied, $((10 + more)) refused; " out || die "how many were refused? $(tail -n 2 out)"
thalweg optimize ./many --profile many.profile -o many.opt --all > out 2>&1
same $((10 + more)) "$(rows refused)" "refusals that --all shows"
same 0 "$(grep -c 'more refused' out || true)" "words of refusals that are not shown"
same $((10 + more)) "$(thalweg optimize ./many --profile many.profile -o many.opt --json 2> said | grep -o '"state":"refused"' | wc -l)" "refusals in --json"
