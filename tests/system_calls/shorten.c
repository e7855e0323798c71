// tests: runs a program whose K-th call of one kind is asked for less than the program asked for, so that it is truly short.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

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
static void enter(pid_t program, struct Order *order) {
    struct user_regs_struct registers;
    ptrace(PTRACE_GETREGS, program, NULL, &registers);
    if (registers.orig_rax != order->call || --order->which != 0)
        return;
    unsigned long long *asked = argument(&registers, order->argument);
    *asked = shortened(*asked, order->to_one);
    ptrace(PTRACE_SETREGS, program, NULL, &registers);
}

static int follow(pid_t program, struct Order *order) {
    int status, inside = 0;
    waitpid(program, &status, 0);
    // Without TRACEEXEC the kernel sends the program a SIGTRAP when it is executed.
    ptrace(PTRACE_SETOPTIONS, program, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL);
    for (int signal = 0;;) {
        ptrace(PTRACE_SYSCALL, program, NULL, signal);
        if (waitpid(program, &status, 0) < 0)
            return 1;
        if (WIFEXITED(status))
            return WEXITSTATUS(status);
        if (WIFSIGNALED(status))
            return 128 + WTERMSIG(status);
        signal = 0;
        if (status >> 16 == PTRACE_EVENT_EXEC)
            continue;
        if (WSTOPSIG(status) != (SIGTRAP | 0x80)) {
            signal = WSTOPSIG(status);
            continue;
        }
        inside = !inside;
        if (inside)
            enter(program, order);
    }
}

int main(int argc, char **argv) {
    if (argc < 6) {
        fprintf(stderr, "usage: %s CALL'S-NUMBER K ARGUMENT half|one PROGRAM...\n", argv[0]);
        return 2;
    }
    struct Order order = {strtoull(argv[1], NULL, 10), atol(argv[2]), atoi(argv[3]), argv[4][0] == 'o'};
    const pid_t program = fork();
    if (program == 0) {
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        raise(SIGSTOP);
        execv(argv[5], argv + 5);
        _exit(127);
    }
    return follow(program, &order);
}
