// tests: a layer that a constant table calls, around another one; and a function that neither leads to.
#include "inner_layer.h"

static int twice(struct stream *stream, int value) { return one(stream, value) + one(stream, value + 1); }
int (*const table[2])(struct stream *, int) = {twice, one};
void choose(int *which) { *which = 0; }

int around(struct stream *stream, int value) {
    int which = 1;
    choose(&which);
    return table[which](stream, value);
}
int unrelated(const int *value) { return *value == 5 ? 1 : *value * 3; }
