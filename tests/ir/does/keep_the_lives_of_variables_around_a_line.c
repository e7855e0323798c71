// tests: a variable that begins to live in an iteration does so in the line, too: LLVM puts variables that never live at once in one place, and where a
// line is left, this one goes on living.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first first
#include "list.h"

struct message {
    long parts[6];
};
void fill(struct message *message, int argument), use(struct message *message);
void first(void *context, int argument);
const void *handlers[] = {(const void *)first};

// CHECK-LABEL: define {{.*}}void @raise_all(
// The original loop and two iterations of the line begin it; they and what is left of an iteration end it.
// CHECK-COUNT-3: call void @llvm.lifetime.start{{.*}}message
// CHECK: thalweg.rest
// CHECK-NOT: call void @llvm.lifetime.start
// CHECK: call void @llvm.lifetime.end{{.*}}message
// CHECK: {{^}}}
// CHECK: decision 1 applied
__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i) {
        struct message message;
        fill(&message, argument);
        list[i].function(list[i].context, argument);
        use(&message);
    }
}
