#include "lib.h"
int object_equal(const struct object *a, const struct object *b) {
    if (a->class != b->class)
        return 0;
    if (a->class->hashed && a->hash != b->hash)
        return 0;
    return a->value == b->value;
}
