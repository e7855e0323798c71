// tests: facts that a loop's rounds need are tested before it; where one of them fails, no other one is believed either.
// FLAGS: -fno-strict-aliasing
// RUN: %run %s | %check %s
// PLAN: 1 specialize copy : load copy/9:4 = 1 ; load copy/11:4 = 2
// CHECK: decision 1 applied: {{.*}} 2 facts tested; 1 loops with one test
// CHECK: ; the same
#include <stdio.h>

struct stream {
    int order, step;
    unsigned *at;
    unsigned left, sum;
};
struct copier {
    struct stream *stream;
    int order, step;  // of the last copy
};

__attribute__((noinline)) void copy(struct copier *copier, const unsigned *values, unsigned *to, unsigned count) {
    copier->order = copier->stream->order;
    copier->step = copier->stream->step;
    copier->stream->at = (unsigned *)values;
    copier->stream->left = count;
    while (copier->stream->left != 0) {
        const unsigned word = *copier->stream->at++;
        if (copier->stream->order == 1) {
            *to++ = __builtin_bswap32(word);
        } else {
            *to++ = word;
            *to++ = word >> 8;
        }
        if (copier->stream->step == 2) {
            *to++ = 7;
        } else {
            *to++ = 13;
            *to++ = word * 3;
        }
        --copier->stream->left;
    }
}

int main(void) {
    static const unsigned values[] = {3, 1, 4, 1, 5, 9, 2, 6};
    for (int order = 0; order < 3; ++order)
        for (int step = 0; step < 4; ++step)
            for (unsigned count = 0; count <= 8; ++count) {
                struct stream stream = {order, step, 0, 0, 0};
                struct copier copier = {&stream, 0, 0};
                unsigned to[32] = {0};
                copy(&copier, values, to, count);
                printf("%d %d\n", copier.order, copier.step);
                for (int i = 0; i < 32; ++i)
                    printf("%u\n", to[i]);
            }
    return 0;
}
