#!/usr/bin/env bash
# Results are kept of the function whose inputs stay the same, and of no other: from the recording to the optimised program, which shows the
# same when the inputs change in the middle of the run, and when they change all the time.
source "$(dirname "$0")/common.sh"
cp "$here/kept.c" kept.c
thalweg-cc -O2 -g kept.c -o prog
thalweg record -o day.profile -- ./prog 3000 > out 2> said || die "record: $(cat out said)"
same "$(./prog 3000)" "$(cat out)" "what the twin shows"
grep -q '2 functions that compute .* were entered: 1 mostly with the same inputs' said || die "what was noted: $(cat said)"
thalweg merge day.profile day.profile -o two.profile > merged 2>&1 || die "merge: $(cat merged)"
for profile in day two; do
    thalweg plan $profile.profile -o $profile.plan > out 2> said || die "plan: $(cat out said)"
    grep -q 'apply .*cache .*set_session_key' out || die "the session's key is not kept: $(cat out)"
    grep -q 'inputs-change .*cache .*set_message_key .* 0 of [0-9]* entries' out || die "the message's key is kept: $(cat out)"
    ! grep -q 'checked' $profile.plan || die "a check is worth a decision: $(cat out)"
done
number=$(awk '/^kind = "cache"/ { print id; exit } /^id = / { id = $3 }' day.plan)
thalweg explain day.plan "$number" > out 2> said || die "explain: $(cat out said)"
grep -q 'entries, 9[0-9]\.[0-9] % of them with the inputs of the one before\|entries, 100.0 % of them' out || die "explain: $(cat out)"
grep -q 'if not .*computes as it was written' out || die "explain: $(cat out)"
thalweg optimize ./prog --profile day.profile --plan day.plan -o prog.opt --outcome day.outcome > out 2> said || die "optimize: $(cat out said)"
grep -q 'applied *cache .*16 bytes of inputs are compared, 256 bytes of results kept' out || die "nothing was kept: $(cat out)"
for arguments in "3000" "1" "500 20" "500 500"; do
    same "$(./prog $arguments)" "$(./prog.opt $arguments)" "what is shown with arguments '$arguments'"
done
other=$((number == 1 ? 2 : 1))
thalweg optimize ./prog --profile day.profile --plan day.plan --only-decisions $other -o none.opt > out 2> said || true
grep -q "^ *$number *left out *cache" out || die "decision $number was made all the same: $(cat out said)"
sed 's/verdict = "refuse"/verdict = "apply"/' day.plan > all.plan
thalweg optimize ./prog --profile day.profile --plan all.plan -o all.opt > out 2> said || die "optimize all: $(cat out said)"
same 2 "$(grep -c 'applied *cache' out)" "decisions applied where a refusal is taken back"
same "$(./prog 3000 7)" "$(./all.opt 3000 7)" "what is shown where a refusal is taken back"
# The optimised program's own recording tells how often results were kept.
thalweg record -o opt.profile -- ./prog.opt 3000 > out 2> said || die "record the optimised program: $(cat out said)"
grep -q 'guard held 299[0-9] times, failed [0-9] times' said || die "no word of the guard: $(cat said)"
