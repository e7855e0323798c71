// tests: runs a program to which a signal comes at its K-th system call, or in the middle of it, or under a filter of system calls.
#include "../traced.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

// Of the calls that move bytes: which argument says how many (the manuals' section 2).
static unsigned long long *size_of(struct user_regs_struct *registers) {
    switch (registers->orig_rax) {
    case SYS_read:
    case SYS_write:
    case SYS_pread64:
    case SYS_pwrite64:
        return &registers->rdx;
    case SYS_copy_file_range:
        return &registers->r8;
    case SYS_sendfile:
        return &registers->r10;
    default:
        return NULL;
    }
}

struct Order {
    long which;  // 0: none
    long bytes;  // so many are asked for, and the signal comes behind; else:
    FILE *log;
    long most;  // calls that are logged; a program that makes more is ended
    long count;
    int comes_behind;
    struct user_regs_struct before;  // of a call that is made once more, behind the signal
};
enum { AT_CALL = -1, BEFORE_CALL = -2, CALL_BYTES = 2 };  // of the instruction syscall

static void send_signal(pid_t program) { syscall(SYS_tgkill, program, program, SIGUSR1); }

static void enter(pid_t program, void *given) {
    struct Order *order = given;
    struct user_regs_struct registers;
    ++order->count;
    if (order->log && order->count > order->most)
        kill(program, SIGKILL);
    if (order->count != order->which)
        return;
    if (order->bytes == AT_CALL) {
        send_signal(program);
        return;
    }
    order->comes_behind = 1;
    ptrace(PTRACE_GETREGS, program, NULL, &registers);
    if (order->bytes == BEFORE_CALL) {
        order->before = registers;
        registers.orig_rax = (unsigned long long)-1;
        ptrace(PTRACE_SETREGS, program, NULL, &registers);
        return;
    }
    unsigned long long *size = size_of(&registers);
    if (size && *size > (unsigned long long)order->bytes) {
        *size = (unsigned long long)order->bytes;
        ptrace(PTRACE_SETREGS, program, NULL, &registers);
    }
}

static void leave(pid_t program, void *given) {
    struct Order *order = given;
    if (order->log) {
        struct user_regs_struct registers;
        ptrace(PTRACE_GETREGS, program, NULL, &registers);
        fprintf(order->log, "%lld %lld %lld\n", (long long)registers.orig_rax, (long long)registers.rax,
                (long long)registers.rdi);
    }
    if (!order->comes_behind)
        return;
    order->comes_behind = 0;
    send_signal(program);
    if (order->bytes == BEFORE_CALL) {
        order->before.rip -= CALL_BYTES;
        order->before.rax = order->before.orig_rax;
        ptrace(PTRACE_SETREGS, program, NULL, &order->before);
    }
}

static void forbid(unsigned call, unsigned answer) {
    struct sock_filter code[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
                                 BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1), BPF_STMT(BPF_RET | BPF_K, answer),
                                 BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    const struct sock_fprog program = {4, code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        exit(126);
}

// usage: moment log FILE MOST PROGRAM... | moment signal K BYTES PROGRAM... | moment forbid CALL kill|ERRNO PROGRAM...
int main(int argc, char **argv) {
    if (argc < 5)
        return 2;
    const int is_log = argv[1][0] == 'l';
    char **command = argv + 4;
    if (argv[1][0] == 'f') {
        const unsigned number = (unsigned)atoi(argv[3]);
        forbid((unsigned)atoi(argv[2]), argv[3][0] == 'k' ? SECCOMP_RET_KILL_PROCESS : SECCOMP_RET_ERRNO | number);
        execv(command[0], command);
        return 127;
    }
    struct Order order = {.which = is_log ? 0 : atol(argv[2]),
                          .bytes = is_log ? AT_CALL : atol(argv[3]),
                          .log = is_log ? fopen(argv[2], "w") : NULL,
                          .most = is_log ? atol(argv[3]) : 0};
    const int code = follow_calls(start_traced(command), enter, leave, &order);
    if (order.log)
        fclose(order.log);
    return code;
}
