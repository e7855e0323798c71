// tests: stores in front of a loop that set the very pointers by which it reaches its objects: these lead nowhere before, and the test that the loop's
// objects lie apart stands before the stores. One pointer is stored to by an index, one by another pointer.
// RUN: %run %s | %check %s
// PLAN: 1 specialize by_index : load by_index/2:4 = 1 ; load by_index/4:4 = 2
// PLAN: 2 specialize by_pointer : load by_pointer/2:4 = 1 ; load by_pointer/4:4 = 2
// CHECK: decision 1 applied: {{.*}} 1 loops with one test
// CHECK: decision 2 applied: {{.*}} 1 loops with one test
// CHECK: ; the same
#include <stdio.h>

struct stream {
    int kind, step;
    unsigned sum;
    unsigned *at;
};
struct holder {
    struct stream *stream;
};
struct owner {
    int count;
    struct holder *slots[4];
};

#define COPY_ALL                                                                                                       \
    stream->at = to;                                                                                                   \
    unsigned i = 0;                                                                                                    \
    do {                                                                                                               \
        if (stream->kind == 1)                                                                                         \
            *stream->at++ = values[i];                                                                                 \
        else                                                                                                           \
            *stream->at++ = values[i] * 3 + 1;                                                                         \
        if (stream->step == 2)                                                                                         \
            stream->sum += values[i];                                                                                  \
        else                                                                                                           \
            stream->sum += 7;                                                                                          \
    } while (++i < count);                                                                                             \
    return stream->sum;

__attribute__((noinline)) unsigned by_index(struct owner *owner, long index, struct holder *own, unsigned *to,
                                            const unsigned *values, unsigned count) {
    owner->slots[index] = own;
    struct stream *stream = owner->slots[1]->stream;
    COPY_ALL
}

__attribute__((noinline)) unsigned by_pointer(struct holder **slot, struct holder **other, struct holder *own,
                                              unsigned *to, const unsigned *values, unsigned count) {
    *other = own;
    struct stream *stream = (*slot)->stream;
    COPY_ALL
}

int main(void) {
    unsigned values[20], to[20];
    for (unsigned i = 0; i < 20; ++i)
        values[i] = i * 7;
    struct stream stream = {1, 2, 0, 0};
    struct holder own = {&stream};
    struct holder *elsewhere;
    for (unsigned count = 1; count <= 20; count += 3) {
        struct owner set = {0, {0, &own, 0, 0}};
        struct owner unset = {0, {0, 0, 0, 0}};
        struct owner wild = {0, {0, (struct holder *)8, 0, 0}};
        printf("%u ", by_index(&set, 2, &own, to, values, count));
        printf("%u ", by_index(&unset, 1, &own, to, values, count));
        printf("%u ", by_index(&wild, 1, &own, to, values, count));
        printf("%u ", by_pointer(&set.slots[1], &elsewhere, &own, to, values, count));
        printf("%u ", by_pointer(&unset.slots[2], &unset.slots[2], &own, to, values, count));
        stream.kind = stream.kind % 3 + 1;
        printf("%u\n", to[count - 1]);
    }
    return 0;
}
