// tests: the header of a function alone declares it as its source does, as far as that needs no other header; what is handed over by
// value has to be declared before.
// RUN: %object %s | %check %s
// FLAGS: -g
// PLAN: 1 specialize all : argument all/0:4 = 3
// CHECK: prototype: struct point *alone(int arg0, const char *arg1, int (*arg2)(void *, ...), unsigned int arg3, struct point arg4, bool arg5, int (*arg6)[3], unsigned long arg7, union shape **arg8, named arg9, volatile int *const arg10, double _Complex arg11, void (*arg12)(struct point))
// CHECK: from_debug_info: True
// CHECK: tags: ['union shape']
// CHECK: by_value: ['named', 'struct point']
#include <stdbool.h>
#include <stddef.h>
typedef struct {
    int first;
} named;
typedef int (*callback)(named *, ...);
enum colour { red };
struct point {
    long x, y;
};
typedef struct point *place;
union shape;

place all(int fact, const char *restrict text, callback call, enum colour colour, struct point value, bool flag,
          int (*rows)[3], size_t size, union shape **shapes, const named other, volatile int *const counter,
          double _Complex number, void (*draw)(struct point)) {
    if (fact == 3)
        return (place)text;
    draw(value);
    return 0;
}
