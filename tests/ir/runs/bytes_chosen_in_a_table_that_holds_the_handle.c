// tests: a layer that writes entries which the input chooses, in a table beside its handle, and in one that holds it, so that an entry changes how the
// next ones are written.
// RUN: %run %s | %check %s
// PLAN: 1 specialize send : memory send/0:4 0 = 1 ; memory send/0 8 = @marks
// CHECK: decision 1 applied: {{.*}} 1 loops with one test
// CHECK: ; the same
#include <stdio.h>
#include <string.h>

struct handle;
struct operations {
    void (*put)(struct handle *, unsigned char);
};
struct handle {
    unsigned kind;
    const struct operations *operations;
    unsigned sum;
};

_Alignas(16) unsigned char table[256 + 2];

void put_mark(struct handle *handle, unsigned char value) {
    table[value + 1] = handle->kind == 1 ? value : (unsigned char)(table[value] + 1);
    handle->sum += table[value];
}
const struct operations marks = {put_mark};

__attribute__((noinline)) void send(struct handle *handle, const unsigned char *values, int count) {
    handle->operations->put(handle, (unsigned char)count);
    for (int i = 0; i < count; ++i)
        handle->operations->put(handle, values[i]);
}

static void show(const char *name, const struct handle *handle, int without) {
    unsigned sum = 0;
    for (int i = 0; i < (int)sizeof table; ++i)
        if (i < without || i >= without + (int)sizeof(struct handle))
            sum = sum * 31 + table[i];
    printf("%s %u %u %u\n", name, sum, handle->kind, handle->sum);
}

enum { INSIDE = 96, OVER = 240 };  // the sum of the second one, by the table's end

static void one(const char *name, struct handle *handle, unsigned kind, int at, const unsigned char *values,
                int count) {
    memset(table, 7, sizeof table);
    *handle = (struct handle){.kind = kind, .operations = &marks, .sum = 0};
    send(handle, values, count);
    show(name, handle, at);
}

int main(void) {
    // The fourth goes over the kind of a handle that lies inside, the sixth over its sum.
    const unsigned char values[] = {1, 90, 200, INSIDE - 1, 30, INSIDE + 16, 31, 255, 254};
    struct handle beside;
    for (unsigned kind = 0; kind < 3; ++kind)
        for (int count = 0; count <= (int)sizeof values; ++count) {
            one("beside", &beside, kind, sizeof table, values, count);
            one("inside", (struct handle *)(void *)(table + INSIDE), kind, INSIDE, values, count);
            const unsigned char last[] = {8, OVER + 3, OVER - 1, OVER + 2, 9};
            one("end", (struct handle *)(void *)(table + OVER - 16), kind, OVER - 16, last, count % 6);
        }
    return 0;
}
