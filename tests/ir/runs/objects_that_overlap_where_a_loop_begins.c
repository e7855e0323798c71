// tests: two streams, their buffers and their handle, apart and in all the ways in which one may lie in another.
// FLAGS: -mllvm -inline-threshold=-100000 -fno-strict-aliasing
// RUN: %run %s | %check %s
// PLAN: 1 specialize operate : load transfer/1:4 from operate/0 = 1 ; load transfer/2:4 from operate/0 = 0 ; load transfer/1:4 from operate/1 = 0 ; load transfer/2:4 from operate/1 = 1
// CHECK: decision 1 applied: {{.*}} 1 loops with one test
// CHECK: ; the same
#include <stdio.h>
#include <string.h>

#include "pair.h"

// Where each thing begins in one array of bytes.
struct layout {
    int pair, from, to, buffer, values;
    unsigned most;  // words, so that no pointer is written over
};

static void run(const struct layout *layout, unsigned count, int direction, int order) {
    static _Alignas(16) unsigned char bytes[1024];
    for (unsigned i = 0; i < sizeof bytes; ++i)
        bytes[i] = (unsigned char)(i * 7);
    struct pair *pair = (struct pair *)(bytes + layout->pair);
    struct stream *from = (struct stream *)(bytes + layout->from), *to = (struct stream *)(bytes + layout->to);
    *from = (struct stream){direction, order, 0, 0, 0};
    *to = (struct stream){!direction, !order, 0, 0, 0};
    *pair = (struct pair){from, to, (unsigned *)(bytes + layout->buffer)};
    // What a pointer holds differs from run to run: shown are only the bytes that no pointer was in.
    const unsigned result = operate(pair, (unsigned *)(bytes + layout->values), count);
    unsigned sum = 0;
    for (unsigned i = 0; i < sizeof bytes; ++i)
        if (i >= 512 || i % 64 >= 32)
            sum = sum * 31 + bytes[i];
    printf("%u %u\n", result, sum);
}

int main(void) {
    // Pointers lie below 512, in the first half of 64 bytes.
    static const struct layout layouts[] = {
        {0, 64, 128, 512, 768, 6},  // apart
        {0, 64, 64, 512, 768, 6},  // one stream
        {0, 64, 128, 512, 512, 6},  // one buffer
        {0, 64, 128, 512, 508, 6},  // read just before it is written
        {0, 64, 128, 512, 516, 6},  // written just before it is read
        {0, 64, 128, 512, 80, 6},  // the words read are a stream's counters
        {0, 64, 128, 80, 768, 6},  // the words written are the first stream's counters
        {0, 64, 128, 144, 768, 6},  // and the second's
        {0, 64, 128, 64, 768, 2},  // the words written are directions
        {0, 64, 128, 128, 768, 2}, {0, 64, 128, 132, 768, 1},  // an order
        {0, 64, 128, 40, 768, 6},  // just behind the handle, up to the first stream
    };
    for (unsigned i = 0; i < sizeof layouts / sizeof *layouts; ++i)
        for (unsigned count = 0; count <= layouts[i].most; ++count) {
            run(&layouts[i], count, 1, 0);
            run(&layouts[i], count, 0, 1);
            run(&layouts[i], count, 1, 1);
        }
    return 0;
}
