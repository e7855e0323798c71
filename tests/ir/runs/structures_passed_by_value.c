// tests: structures passed by value through layers: changed by the layer that got them, handed on inside itself, of odd sizes, more
// aligned than the stack, and in layers whose facts fail after the copy was made.
// RUN: %run %s | %check %s
// FLAGS: -mllvm -inline-threshold=-100000
// PLAN: 1 specialize send : memory send/0 0 = @plain_operations ; memory send/0:4 8 = 1 ; argument send/1:4 = 0 | 3
// PLAN: 2 specialize walk : argument walk/0:4 = 3
// PLAN: 3 specialize pass_on : memory pass_on/1:4 0 = 7
// CHECK: decision 1 applied
// CHECK: decision 2 applied
// CHECK: decision 3 applied
// CHECK: ; the same
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct odd {
    char letters[19];
};
struct wide {
    _Alignas(64) int first;
    long words[9];
    int last;
};
struct node {
    int left, sum;
    const struct node *before;
    int path[6];
};
struct handle;
struct operations {
    long (*put)(struct handle *, struct wide, int, struct odd);
};
struct handle {
    const struct operations *operations;
    int mode;
};

__attribute__((noinline)) void opaque(void *place) { __asm__ volatile("" : : "r"(place) : "memory"); }

__attribute__((noinline)) int misaligned(void *place) {
    __asm__("" : "+r"(place));
    return ((uintptr_t)place & 63) != 0;
}

__attribute__((noinline)) void change(struct handle *handle, struct wide *wide) {
    opaque(wide);
    if (wide->last == 5)
        handle->mode = 4;
    wide->first += 100;
}

long put_plain(struct handle *handle, struct wide wide, int value, struct odd odd) {
    wide.first += value;
    // What was written into the last call's copy is not in this one.
    wide.words[value] = 42;
    wide.first += (int)(wide.words[0] + 3 * wide.words[1] + 9 * wide.words[2]);
    if (misaligned(&wide))
        return -1;
    change(handle, &wide);
    // The fact may have failed just now; what was written into the copies must still be in them.
    odd.letters[18] ^= 1;
    if (handle->mode == 1)
        return wide.first + wide.words[8] + odd.letters[18];
    return -wide.first - wide.words[8] - odd.letters[18];
}
long put_other(struct handle *handle, struct wide wide, int value, struct odd odd) {
    return wide.last + value * odd.letters[0] + handle->mode;
}
const struct operations plain_operations = {put_plain};
const struct operations other_operations = {put_other};

long send(struct handle *handle, int first, const struct odd *odd) {
    struct wide wide = {first, {1, 2, 3}, handle->mode + first};
    wide.words[8] = 77;
    opaque(&wide);
    struct odd mine = *odd;
    long sum = 0;
    for (int i = 0; i < 3; ++i) {
        sum = sum * 31 + handle->operations->put(handle, wide, i, mine);
        mine.letters[0] += (char)i;
        wide.last += i;
    }
    return sum * 31 + wide.first + wide.words[8] + mine.letters[0] + mine.letters[18];
}

// A structure in a structure's place, deeper and deeper; each level changes its own.
long walk(int left, struct node node);
long (*volatile walk_again)(int, struct node) = walk;
long walk(int left, struct node node) {
    node.path[left] = left;
    node.sum += left;
    if (left == 0)
        return node.sum + (node.before ? node.before->sum : 0);
    struct node next = node;
    next.before = &node;
    const long below = left > 1 ? walk(left - 1, next) : walk_again(0, next);
    long sum = below * 7 + node.sum + next.sum;
    for (int i = 0; i < 6; ++i)
        sum = sum * 3 + node.path[i];
    return sum;
}

// What a caller of the specialised function itself passes by value, and hands on twice.
__attribute__((noinline)) static long add(struct wide one, struct wide other) {
    one.first -= other.first;
    opaque(&one);
    return one.first * 10 + other.last;
}
static long both(int mode, struct wide one, struct wide other) {
    one.first += mode;
    opaque(&other);
    return add(one, other) + add(other, one) + one.first;
}
long pass_on(int count, struct wide wide) {
    long sum = 0;
    for (int i = 0; i < count; ++i)
        sum = sum * 5 + (wide.first == 7 ? both(i, wide, wide) : wide.last);
    return sum + wide.first;
}

int main(void) {
    struct odd odd;
    for (int i = 0; i < 19; ++i)
        odd.letters[i] = (char)(i * 5);
    for (int other = 0; other < 2; ++other)
        for (int mode = 0; mode < 4; ++mode)
            for (int first = -1; first < 5; ++first) {
                struct handle handle = {other ? &other_operations : &plain_operations, mode};
                const long sum = send(&handle, first, &odd);
                printf("%ld %d\n", sum, handle.mode);
            }
    for (int left = 0; left < 6; ++left) {
        struct node node = {left, 1, NULL, {9, 9, 9, 9, 9, 9}};
        printf("%ld %d\n", walk(left, node), node.sum);
    }
    for (int count = 0; count < 4; ++count)
        for (int first = 6; first < 9; ++first) {
            struct wide wide = {first, {0}, 3 * first};
            printf("%ld %d\n", pass_on(count, wide), wide.first);
        }
    return 0;
}
