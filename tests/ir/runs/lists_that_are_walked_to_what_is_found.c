// tests: a list is walked by a layer: where the same load gives the next entry each time, what was known of the entry before is not believed of it,
// and the last of several that fit is taken out, or none.
// RUN: %run %s | %check %s
// PLAN: 1 specialize take_out growth=4000 : load take_out/0 = @by_number
// CHECK: decision 1 applied: {{.*}} through pointers
// CHECK: ; the same
#include <stdio.h>
#include <stdlib.h>

struct entry {
    int number;
    struct entry *next;
    char dead;
};
static struct entry *first;
struct rule {
    void (*apply)(int number);
};

void by_number(int number) {
    struct entry **found = NULL;
    for (struct entry **at = &first; *at != NULL; at = &(*at)->next)
        if ((*at)->number == number)
            found = at;
    if (found != NULL) {
        (*found)->dead = 1;
        *found = (*found)->next;
    }
}
__attribute__((noinline)) void by_nothing(int number) { (void)number; }
static void apply(const struct rule *rule, int number) { rule->apply(number); }
__attribute__((noinline)) void take_out(const struct rule *rule, int number) { apply(rule, number); }

int main(void) {
    const struct rule rules[] = {{by_number}, {by_nothing}};
    for (int length = 0; length < 7; ++length)
        for (int number = 0; number < 4; ++number) {
            struct entry *entries = calloc(8, sizeof *entries);
            first = NULL;
            for (int i = 0; i < length; ++i) {
                entries[i].number = i * number % 3;
                entries[i].next = first;
                first = &entries[i];
            }
            for (int round = 0; round < 3; ++round)
                take_out(&rules[round % 2 * (number % 2)], number % 3);
            for (const struct entry *one = first; one != NULL; one = one->next)
                printf("%d ", one->number);
            for (int i = 0; i < length; ++i)
                printf("%d", entries[i].dead);
            puts("");
            free(entries);
        }
    return 0;
}
