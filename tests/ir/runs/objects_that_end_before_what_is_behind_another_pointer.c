// tests: a pointer that is loaded again after another one has been stored in its place: that the second one's object is large says nothing of the
// first one's, which ends where memory does.
// RUN: %run %s | %check %s
// PLAN: 1 specialize add_all : load add_all/3:4 = 2 ; load add_all/4:4 = 1 ; load add_all/7:4 = 2 ; load add_all/9:4 = 1 ; load add_all/11:4 = 2
// CHECK: ; the same
#define _GNU_SOURCE  // MAP_ANONYMOUS
#include <stdio.h>
#include <sys/mman.h>

struct head {
    int kind;
    unsigned sum;
};
// Begins with a head.
struct item {
    struct head head;
    int unused[800];
    int mode, step, last;
};
struct owner {
    struct head *in;
};

__attribute__((noinline)) unsigned add_all(struct owner *owner, struct head **slot, struct head *other, unsigned *to,
                                           const unsigned *values, unsigned count) {
    struct head *first = owner->in;
    owner->in = other;
    *slot = other;
    struct item *second = (struct item *)owner->in;
    second->last = 5;
    unsigned i = 0;
    do {
        if (values[i] & 1) {
            struct item *large = (struct item *)first;
            to[i] = large->mode == 2 ? values[i] : values[i] * 3 + 1;
            first->sum += large->step == 1 ? values[i] : 7;
            if (large->mode == 2)
                to[i] += 2;
            else
                to[i] *= 3;
            if (large->step == 1)
                first->sum += 5;
            else
                first->sum *= 7;
            if (large->mode == 2)
                to[i] ^= 2;
            else
                to[i] -= 3;
        } else {
            first->sum += values[i] + 1;
        }
    } while (++i < count);
    return first->sum;
}

int main(void) {
    static struct item large, other;
    char *page = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED || munmap(page + 4096, 4096) != 0)
        return 1;
    struct head *small = (struct head *)(void *)(page + 4096 - sizeof *small);
    large.mode = 2;
    large.step = 1;
    unsigned odd[10], even[10], to[10];
    for (unsigned i = 0; i < 10; ++i) {
        odd[i] = i * 7;
        even[i] = i * 2;
    }
    struct head *slot;
    for (int round = 0; round < 3; ++round) {
        struct owner of_large = {&large.head};
        struct owner of_small = {small};
        printf("%u ", add_all(&of_large, &slot, &other.head, to, odd, 10));
        printf("%u %u\n", add_all(&of_small, &slot, &other.head, to, even, 10), to[5]);
    }
    return 0;
}
