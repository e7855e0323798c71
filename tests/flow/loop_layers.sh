#!/usr/bin/env bash
# What a layer saves is what is not executed any more, by the counts: the loop around layers takes them in where that is less than the layers by
# themselves, whatever their author keeps out of line; a layer whose tests are more than they save is not made.
source "$(dirname "$0")/common.sh"
cat > stream.h <<'C'
#include <stdint.h>
struct stream { int big, checked; const struct ops *ops; unsigned char *out; uint32_t at, sum; };
struct ops { int (*put)(struct stream *, uint32_t); };
extern const struct ops words, bytes;
int put_pair(struct stream *, uint32_t, uint32_t);
C
cat > layers.c <<'C'
#include "stream.h"
__attribute__((noinline)) static int put_word(struct stream *s, uint32_t v) {
    if (s->big) v = __builtin_bswap32(v);
    if (s->checked) s->sum = s->sum * 31 + v;
    __builtin_memcpy(s->out + (s->at & 63), &v, 4);
    s->at += 4;
    return 1;
}
__attribute__((noinline)) static int put_byte(struct stream *s, uint32_t v) {
    s->out[s->at++ & 63] = (unsigned char)v;
    return 1;
}
const struct ops words = {put_word}, bytes = {put_byte};
__attribute__((noinline)) int put_pair(struct stream *s, uint32_t a, uint32_t b) { return s->ops->put(s, a) && s->ops->put(s, b); }
C
cat > main.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include "stream.h"
int main(int argc, char **argv) {
    static unsigned char room[128];
    struct stream *s = calloc(1, sizeof *s);
    s->big = atoi(argv[2]), s->checked = atoi(argv[3]), s->ops = atoi(argv[4]) ? &words : &bytes, s->out = room;
    for (uint32_t i = 0, n = (uint32_t)atol(argv[1]); i < n; ++i)
        if (!put_pair(s, i, i * 7)) return 1;
    uint32_t sum = s->sum + s->at;
    for (int i = 0; i < 128; ++i) sum = sum * 33 + room[i];
    printf("%u\n", sum);
    return argc > 5;
}
C
thalweg-cc -O2 -g main.c layers.c -o prog
thalweg record -o day.profile -- ./prog 100000 1 0 1 > out 2> said || die "record: $(cat out said)"
thalweg plan day.profile -o prog.plan > out 2> said || die "plan: $(cat out said)"
thalweg optimize ./prog --profile day.profile --plan prog.plan -o prog.opt > out 2> said || die "optimize: $(cat out said)"
told=$(grep 'applied *specialize main .*an entry executes [0-9.]* machine instructions, [0-9.]* before' out) || die "the loop is not made with its layers: $(cat out)"
read -r after before <<< "$(sed 's/.*an entry executes \([0-9]*\)[0-9.]* machine instructions, \([0-9]*\)[0-9.]* before.*/\1 \2/' <<< "$told")"
[ $((after * 2)) -lt "$before" ] || die "nothing much is saved: $told"
grep -Eq 'specialize put_pair .*it is made on its own only where decision [0-9]* can.t be; that one is' out || die "the layer is made besides: $(cat out)"
for settings in "1000 1 0 1" "1000 0 1 1" "1000 1 1 0" "7 0 0 0" "0 1 0 1"; do
    same "$(./prog $settings)" "$(./prog.opt $settings)" "what is shown with $settings"
done
# The layer alone, where nobody asks for the loop.
one=$(awk '/^id = / { id = $3 } /^kind = / { kind = $3 } /^site = .*"put_pair"/ && kind == "\"specialize\"" { print id; exit }' prog.plan)
sed '/^refusal = "does-not-fit"/d; s/^verdict = "refuse"/verdict = "apply"/' prog.plan > turned.plan
thalweg optimize ./prog --profile day.profile --plan turned.plan --only-decisions "$one" -o prog.layer > out 2> said || die "the layer: $(cat out said)"
grep -q 'applied *specialize put_pair' out || die "the layer is not made where the loop is not asked for: $(cat out)"
for settings in "1000 1 0 1" "1000 0 1 1" "1000 1 1 0"; do
    same "$(./prog $settings)" "$(./prog.layer $settings)" "what the layer alone shows with $settings"
done

# Two tests for two switches, in code that is hardly longer.
cat > little.c <<'C'
#include <stdio.h>
#include <stdlib.h>
struct stream { int direction, order; unsigned sum; };
static unsigned ordered(const struct stream *s, unsigned word) { return s->order == 1 ? __builtin_bswap32(word) : word; }
__attribute__((used)) static unsigned transfer(struct stream *s, unsigned word) {
    switch (s->direction) {
    case 3: s->sum += ordered(s, word); return s->sum;
    case 5: s->sum ^= ordered(s, word); return word;
    case 9: return 0;
    }
    abort();
}
unsigned pass(struct stream *from, struct stream *to, unsigned word) { return transfer(to, transfer(from, word)); }
int main(int argc, char **argv) {
    struct stream one = {3, 1, 0}, other = {5, 0, 0};
    struct stream *volatile from = argc > 1 ? &other : &one, *volatile to = argc > 1 ? &one : &other;
    unsigned word = 1;
    for (int i = 0; i < 200000; ++i) word = pass(from, to, word + (unsigned)i);
    printf("%s %u %u\n", argv[argc - 1] == argv[0] ? "one" : "other", word, one.sum);
    return 0;
}
C
thalweg-cc -O2 -g -mllvm -inline-threshold=-100000 little.c -o little
thalweg record -o little.profile -- ./little > out 2> said || die "record: $(cat out said)"
thalweg plan little.profile -o little.plan > out 2> said || die "plan: $(cat out said)"
thalweg optimize ./little --profile little.profile --plan little.plan -o little.opt > out 2> said || die "optimize: $(cat out said)"
grep -q 'specialize .*an entry would execute [0-9.]* machine instructions, [0-9.]* as it is' out || die "what a layer costs is not told: $(cat out)"
same "$(./little)" "$(./little.opt)" "what is shown without the layer"
