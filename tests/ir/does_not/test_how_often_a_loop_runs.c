// tests: that a picture was 384 points wide in the recorded run is no fact: it only ends the loop, and the next picture has another width. How it is
// painted is one.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize paint growth=2000 : load paint/0:4 = 384 ; load paint/1:4 = 2
// CHECK-LABEL: define {{.*}} @paint(
// CHECK-NOT: , 384
// CHECK: {{^}}}
// CHECK: decision 1 applied: {{.*}} 1 facts tested; left out: 1 numbers above 64 that only end loops
#include "picture.h"

void paint(const struct picture *picture, unsigned char *points) {
    const int width = picture->width;
    const int depth = picture->depth;
    for (int i = width - 2; i > 0; --i) {
        if (depth == 1)
            points[i] = (unsigned char)(i & 1);
        else if (depth == 2)
            points[i] += 3;
        else
            points[i] = points[i + 1];
    }
}
