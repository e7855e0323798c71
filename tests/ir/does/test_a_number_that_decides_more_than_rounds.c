// tests: a width that also decides how a picture is painted is a fact; one of a few points, whose loop LLVM unrolls; and one that the user declares.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize paint growth=20000 : load paint/0:4 = 384 ; load paint/1:4 = 2
// PLAN: 2 specialize paint_small growth=20000 : load paint_small/0:4 = 6 ; load paint_small/1:4 = 2
// PLAN: 3 specialize paint_declared : load paint_declared/0:4 = 384 ; load paint_declared/1:4 = 2
// CHECK-DAG: decision 1 applied: {{.*}} 2 facts tested
// CHECK-DAG: decision 2 applied: {{.*}} 2 facts tested
// CHECK-DAG: decision 3 applied: {{.*}} 2 facts tested
#include "picture.h"

#define PAINT_ALL                                                                                                      \
    for (int i = width - 2; i > 0; --i) {                                                                              \
        if (depth == 1)                                                                                                \
            points[i] = (unsigned char)(i & 1);                                                                        \
        else if (depth == 2)                                                                                           \
            points[i] += 3;                                                                                            \
        else                                                                                                           \
            points[i] = points[i + 1];                                                                                 \
    }

void paint(const struct picture *picture, unsigned char *points) {
    const int width = picture->width;
    const int depth = picture->depth;
    points[0] = width == 384 ? points[1] : points[2] / points[1];
    PAINT_ALL
}

void paint_small(const struct picture *picture, unsigned char *points) {
    const int width = picture->width;
    const int depth = picture->depth;
    PAINT_ALL
}

void paint_declared(const struct picture *picture, unsigned char *points) {
    const int width = picture->width;
    const int depth = picture->depth;
    PAINT_ALL
}
