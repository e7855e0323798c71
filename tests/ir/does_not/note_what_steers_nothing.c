// tests: a small function that only branches, a list whose handlers differ, and a function that cannot be doubled are not watched.
// RUN: %probe %s | %check %s
#include <stdarg.h>

int small(const int *value) { return *value > 3 ? 5 : 7; }

struct handler {
    void (*function)(void *);
    void *context;
    struct handler *next;
};

void list(struct handler *first) {
    for (struct handler *at = first; at; at = at->next)
        at->function(at->context);
}

int varying(int (*function)(int), ...) {
    va_list more;
    va_start(more, function);
    const int result = function(va_arg(more, int));
    va_end(more);
    return result;
}

// CHECK-NOT: thalweg_probe_function
// CHECK-NOT: .thalweg.noted
// CHECK: "fact_places": []
