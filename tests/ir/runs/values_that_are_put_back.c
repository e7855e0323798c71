// tests: a store that puts an old value back is needed where something has changed the place since: on the way round a loop
// that holds the store alone, at the end of a way of hundreds of blocks, and where the way leaves before it.
// RUN: %run %s | %check %s
// PLAN: 1 merge raise_in_a_loop/0 = handler
// PLAN: 2 merge raise_at_the_end/0 = handler
// PLAN: 3 merge raise_and_leave/0 = handler
// PLAN: 4 merge raise_after_a_change/0 = handler
// CHECK: decision 1 applied
// CHECK: decision 2 applied
// CHECK: decision 3 applied
// CHECK: decision 4 applied
// CHECK: ; the same
#include "list.h"
#include "show.h"

int place = 1;
volatile int noted;

void handler(void *context, int argument) {
    (void)context;
    show("handler", argument + noted);
}
static const struct entry entries[] = {{handler, 0}, {handler, 0}};

__attribute__((noinline)) static void change(int value) {
    show("place", place);
    place = value;
}

static inline __attribute__((always_inline)) void dispatch(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i)
        list[i].function(list[i].context, argument);
}

__attribute__((noinline)) void raise_in_a_loop(const struct entry *list, long count, int argument) {
    const int saved = place;
    for (int i = 0; i < argument; ++i) {
        place = saved;
        change(i);
    }
    dispatch(list, count, argument);
}

#define ASK(bit)                                                                                                       \
    if (argument & (bit))                                                                                              \
        noted = (bit);
#define ASK_8 ASK(1) ASK(2) ASK(4) ASK(8) ASK(16) ASK(32) ASK(64) ASK(128)
#define ASK_64 ASK_8 ASK_8 ASK_8 ASK_8 ASK_8 ASK_8 ASK_8 ASK_8
__attribute__((noinline)) void raise_at_the_end(const struct entry *list, long count, int argument) {
    const int saved = place;
    if (argument & 1)
        noted = argument;
    ASK_64 ASK_64 ASK_64 ASK_64 ASK_64 if (argument & 2) change(argument);
    ASK_64 ASK_64 ASK_64 ASK_64 ASK_64 place = saved;
    dispatch(list, count, argument);
}

__attribute__((noinline)) int raise_and_leave(const struct entry *list, long count, int argument) {
    const int saved = place;
    place = argument;
    if (argument & 1)
        return 1;
    place = saved;
    dispatch(list, count, argument);
    return 0;
}

__attribute__((noinline)) void raise_after_a_change(const struct entry *list, long count, int argument) {
    const int saved = place;
    if (argument & 2)
        change(argument);
    place = saved;
    dispatch(list, count, argument);
}

int main(void) {
    for (int argument = 0; argument < 8; ++argument) {
        raise_in_a_loop(entries, 1, argument);
        show("after the loop", place);
        raise_at_the_end(entries, 1, argument);
        show("after the end", place);
        show("left", raise_and_leave(entries, 1, argument));
        show("after leaving", place);
        raise_after_a_change(entries, 1, argument);
        show("after a change", place);
        place += argument;
    }
}
