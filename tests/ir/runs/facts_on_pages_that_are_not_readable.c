// tests: objects of which a page can't be read, and is not by the program, since its input asks for nothing there: one in the midst of an object, and one on
// which an object begins. Facts that lie there are not tested before the loop because the object is accessed elsewhere.
// RUN: %run %s | %check %s
// PLAN: 1 specialize with_a_hole : load with_a_hole/3:4 = 2 ; load with_a_hole/4:4 = 1 ; load with_a_hole/7:4 = 2 ; load with_a_hole/9:4 = 1
// PLAN: 2 specialize across : load across/3:4 = 2 ; load across/4:4 = 1 ; load across/7:4 = 2 ; load across/9:4 = 1
// CHECK: decision 2 applied: {{.*}} 1 loops with one test
// CHECK: ; the same
#define _GNU_SOURCE  // MAP_ANONYMOUS
#include <stdio.h>
#include <sys/mman.h>

#define ADD_ALL                                                                                                        \
    handle->last = 5;                                                                                                  \
    const unsigned first = *handle->in;                                                                                \
    unsigned i = 0;                                                                                                    \
    do {                                                                                                               \
        if (values[i] & 1) {                                                                                           \
            to[i] = handle->mode == 2 ? values[i] : values[i] * 3 + 1;                                                 \
            handle->sum += handle->step == 1 ? values[i] : 7;                                                          \
            if (handle->mode == 2)                                                                                     \
                to[i] += 2;                                                                                            \
            else                                                                                                       \
                to[i] *= 3;                                                                                            \
            if (handle->step == 1)                                                                                     \
                handle->sum += 5;                                                                                      \
            else                                                                                                       \
                handle->sum *= 7;                                                                                      \
        } else {                                                                                                       \
            handle->sum += values[i] + 1;                                                                              \
        }                                                                                                              \
    } while (++i < count);                                                                                             \
    return handle->sum + first;

struct wide {
    unsigned sum;
    unsigned *in;
    char unused[6000];
    unsigned mode, step;
    char unused_too[6000];
    unsigned last;
};

struct narrow {
    unsigned mode, step;
    char unused[40];
    unsigned sum;
    unsigned *in;
    unsigned last;
};

__attribute__((noinline)) unsigned with_a_hole(struct wide *handle, unsigned *to, const unsigned *values,
                                               unsigned count) {
    ADD_ALL
}

__attribute__((noinline)) unsigned across(struct narrow *handle, unsigned *to, const unsigned *values, unsigned count) {
    ADD_ALL
}

enum { PAGE = 4096 };

int main(void) {
    unsigned odd[10], even[10], to[10], in = 3;
    for (unsigned i = 0; i < 10; ++i) {
        odd[i] = i * 7;
        even[i] = i * 2;
    }
    char *memory = mmap(0, 8 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return 1;
    struct wide *wide = (struct wide *)(void *)memory;
    // Its head's 48 bytes end where the sixth page does.
    struct narrow *narrow = (struct narrow *)(void *)(memory + 6 * PAGE - 48);
    struct narrow elsewhere = {.mode = 2, .step = 1, .in = &in};
    wide->mode = narrow->mode = 2;
    wide->step = narrow->step = 1;
    wide->in = narrow->in = &in;
    for (int round = 0; round < 3; ++round) {
        printf("%u ", with_a_hole(wide, to, round == 0 ? odd : even, 10));
        printf("%u ", across(&elsewhere, to, odd, 10));
        printf("%u %u\n", across(narrow, to, round == 0 ? odd : even, 10), to[5]);
        if (mprotect(memory + PAGE, PAGE, PROT_NONE) != 0 || mprotect(memory + 5 * PAGE, PAGE, PROT_NONE) != 0)
            return 1;
    }
    return 0;
}
