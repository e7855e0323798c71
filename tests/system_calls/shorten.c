// tests: runs a program whose K-th call of one kind is asked for less than the program asked for, so that it is truly short.
#include "../traced.h"

#include <stdio.h>
#include <stdlib.h>

// How much is left of what was asked for.
static unsigned long long shortened(unsigned long long asked, int to_one) {
    if (asked <= 1)
        return asked;
    return to_one ? 1 : asked / 2;
}

static unsigned long long *argument(struct user_regs_struct *registers, int number) {
    unsigned long long *of[] = {&registers->rdi, &registers->rsi, &registers->rdx,
                                &registers->r10, &registers->r8,  &registers->r9};
    return of[number];
}

struct Order {
    unsigned long long call;
    long which;
    int argument;
    int to_one;
};

// The program has stopped at a call's entry.
static void enter(pid_t program, void *given) {
    struct Order *order = given;
    struct user_regs_struct registers;
    ptrace(PTRACE_GETREGS, program, NULL, &registers);
    if (registers.orig_rax != order->call || --order->which != 0)
        return;
    unsigned long long *asked = argument(&registers, order->argument);
    *asked = shortened(*asked, order->to_one);
    ptrace(PTRACE_SETREGS, program, NULL, &registers);
}

int main(int argc, char **argv) {
    if (argc < 6) {
        fprintf(stderr, "usage: %s CALL'S-NUMBER K ARGUMENT half|one PROGRAM...\n", argv[0]);
        return 2;
    }
    struct Order order = {strtoull(argv[1], NULL, 10), atol(argv[2]), atoi(argv[3]), argv[4][0] == 'o'};
    return follow_calls(start_traced(argv + 5), enter, NULL, &order);
}
