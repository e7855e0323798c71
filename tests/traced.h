// tests: follows one program from system call to system call. A test's own program includes it, and says what happens at each.
#ifndef THALWEG_TESTS_TRACED_H
#define THALWEG_TESTS_TRACED_H

#include <signal.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

typedef void (*AtCall)(pid_t program, void *order);

// Starts the program, stopped before its first instruction.
static pid_t start_traced(char **command) {
    const pid_t program = fork();
    if (program == 0) {
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        raise(SIGSTOP);
        execv(command[0], command);
        _exit(127);
    }
    return program;
}

// Until it ends: its exit code, or 128 and the signal's number. `leave` may be NULL.
static int follow_calls(pid_t program, AtCall enter, AtCall leave, void *order) {
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
        if (WSTOPSIG(status) == (SIGTRAP | 0x80)) {
            inside = !inside;
            const AtCall at = inside ? enter : leave;
            if (at)
                at(program, order);
        } else if (status >> 16 == 0) {
            signal = WSTOPSIG(status);
        }
    }
}

#endif
