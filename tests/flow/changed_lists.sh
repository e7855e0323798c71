#!/usr/bin/env bash
# What a program's own decisions do to a function is no change since it was recorded: nothing is stale of a build that was just recorded, by
# whichever decisions are asked for, and what is not applied leaves nothing behind.
source "$(dirname "$0")/common.sh"
thalweg-cc -O2 -g "$here/changed_lists.c" -o prog
for often in 1 2; do
    thalweg record -o day.profile -- ./prog $often > out 2> said || die "record: $(cat out said)"
    thalweg plan day.profile -o prog.plan > out 2> said || die "plan: $(cat out said)"
    thalweg optimize ./prog --plan prog.plan -o prog.opt > applied 2> said || die "optimize: $(cat applied said)"
    if grep -q 'stale' applied; then die "of what was just recorded something is stale: $(cat applied)"; fi
    grep -q ' applied  *merge .* fire' applied || die "no line: $(cat applied)"
    for arguments in "0" "1" "2 5000"; do
        same "$(./prog $arguments)" "$(./prog.opt $arguments)" "what is shown with arguments '$arguments', recorded $often"
    done
done
# Of two decisions about one function the one is made that gains more, and either of them alone.
one=$(awk '/^id = / { id = $3 } /^kind = / { kind = $3 } /^site = .*"fire"/ && kind == "\"specialize\"" { print id; exit }' prog.plan)
grep -q 'reason = "decision [0-9]* merges a dispatch in fire, from which more is expected' prog.plan || die "why the layer gives way is not planned: $(cat prog.plan)"
sed '/^refusal = "does-not-fit"/d; s/^verdict = "refuse"/verdict = "apply"/' prog.plan > turned.plan
thalweg optimize ./prog --plan turned.plan -o prog.both > applied 2> said || die "both: $(cat applied said)"
thalweg optimize ./prog --plan turned.plan --only-decisions "$one" -o prog.one > out 2> said || die "the layer alone: $(cat out said)"
grep -q "^ *$one  applied  *specialize fire" out || die "the layer is not made alone: $(cat out)"
grep -q "^ *$one  not applied  *specialize fire .*decision [0-9]* merges a dispatch in fire, from which more is expected" applied ||
    die "why the layer gives way is not said: $(cat applied)"
same "$(./prog 2)" "$(./prog.one 2)" "the layer alone"

# A dispatcher that several callers share is copied into none of them where no line is made.
cat > shared.c <<'C'
#include <stdio.h>
struct list { int length, seen, counts; void (*run[4])(long); };
static long sum;
static void add(long value) { sum += value; }
static void mix(long value) { sum ^= value; }
__attribute__((noinline)) static void each(struct list *list, long value) {
    for (int i = 0;; ++i) {
        if (list->counts) {
            list->seen++;
            if (i == list->length)
                break;
        }
        list->run[i](value);
    }
}
__attribute__((noinline)) static void one(struct list *list, long value) { each(list, value); }
__attribute__((noinline)) static void two(struct list *list, long value) { each(list, value * 2); }
int main(void) {
    struct list list = {2, 0, 1, {add, mix}};
    for (long i = 0; i < 50000; ++i) {
        one(&list, i);
        two(&list, i);
    }
    printf("%ld %d\n", sum, list.seen);
}
C
sed -i 's/__attribute__((noinline)) static void each/static void each/' shared.c
thalweg-cc -O2 -g -mllvm -inline-threshold=-100000 -c shared.c
thalweg-cc shared.o -o shared
thalweg record -o shared.profile -- ./shared > out 2> said || die "record: $(cat out said)"
thalweg plan shared.profile -o shared.plan > out 2> said || die "plan: $(cat out said)"
# What the plan refuses because the code does not allow it is asked for all the same.
sed -i '/^refusal = "does-not-fit"/d; s/^verdict = "refuse"/verdict = "apply"/' shared.plan
sed -i '/^kind = "\(specialize\|expand\)"/,/^verdict/ s/^verdict = "apply"/verdict = "refuse"/' shared.plan
code=0; thalweg optimize ./shared --plan shared.plan -o shared.opt > out 2> said || code=$?
same 4 $code "a plan of which nothing can be applied"
grep -q '\([0-9]*\) IR instructions before, \1 after' out || die "copies were left: $(cat out)"
[ ! -e shared.opt ] || die "a program was made, and nothing applied"
