// tests: what is known of a file holds until its descriptor may be another's: each way to change it, seen by writes that stay messages.
// RUN: %run %s | FileCheck-19 %s
// PLAN: 1 coalesce put/0 put/1
// FLAGS: -D_GNU_SOURCE
// CHECK: decision 1 applied: 2 calls of write become one in {{[a-z]+}} where the file is an ordinary one
// CHECK: the same
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static int file;
static int messages[2];

__attribute__((noinline)) static long put(int to, const char *body, size_t size) {
    if (write(to, "head", 4) != 4)
        return -1;
    return write(to, body, size);
}

static void by_dup2(void) { dup2(messages[0], file); }
static void by_dup3(void) { dup3(messages[0], file, O_CLOEXEC); }
static void by_close(void) {
    close(file);
    fcntl(messages[0], F_DUPFD, file);
}
static int (*volatile closing)(int) = close;
static void by_a_pointer(void) {
    closing(file);
    fcntl(messages[0], F_DUPFD, file);
}
static void by_a_stream(void) {
    fclose(fdopen(file, "w"));
    fcntl(messages[0], F_DUPFD, file);
}
static void by_a_range(void) {
    close_range(file, file, 0);
    fcntl(messages[0], F_DUPFD, file);
}
static void by_assembler(void) {
    long number = 3;  // __NR_close
    __asm__ volatile("syscall" : "+a"(number) : "D"((long)file) : "rcx", "r11", "memory");
    fcntl(messages[0], F_DUPFD, file);
}
static void on_signal(int number) {
    if (number == SIGUSR1)
        dup2(messages[0], file);
}
static void by_a_handler(void) { raise(SIGUSR1); }
static int comparing(const void *a, const void *b) {
    dup2(messages[0], file);
    return a < b ? -1 : 1;
}
static void by_a_callback(void) {
    int words[2] = {2, 1};
    qsort(words, 2, sizeof *words, comparing);
}
// What a handler learns in the middle of a call may be wrong behind it.
static void on_signal_that_writes(int number) {
    if (number == SIGUSR2)
        put(file, "by the handler", 14);
}
static void around_a_handler(void) {
    const long pid = getpid();
    long number = 62;  // __NR_kill; then __NR_dup2
    __asm__ volatile("syscall\n\tmov $33, %%eax\n\tmov %[from], %%rdi\n\tmov %[to], %%rsi\n\tsyscall"
                     : "+a"(number)
                     : "D"(pid), "S"((long)SIGUSR2), [from] "r"((long)messages[0]), [to] "r"((long)file)
                     : "rcx", "r11", "memory");
}
// Others' code that calls the program's, changes the descriptor, and calls it once more. By their type they are no handlers of signals.
static void write_first(const void *) { put(file, "in between", 10); }
static void write_again(const void *) { put(file, "once more", 9); }
static void between_two_callbacks(void) {
    __asm__ volatile(
        "sub $136, %%rsp\n\tcall *%[one]\n\tmov $33, %%eax\n\tmov %[from], %%edi\n\tmov %[to], %%esi\n\tsyscall\n\t"
        "call *%[other]\n\tadd $136, %%rsp"
        :
        : [one] "r"(write_first), [other] "r"(write_again), [from] "m"(messages[0]), [to] "m"(file)
        : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5",
          "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "cc", "memory");
}
static void *other_thread(void *) {
    dup2(messages[0], file);
    return NULL;
}
static void by_a_thread(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, other_thread, NULL) == 0)
        pthread_join(thread, NULL);
}
static void by_nobody(void) {}

static const struct {
    const char *name;
    void (*change)(void);
} ways[] = {
    {"nobody", by_nobody},
    {"dup2", by_dup2},
    {"dup3", by_dup3},
    {"close", by_close},
    {"pointer", by_a_pointer},
    {"stream", by_a_stream},
    {"range", by_a_range},
    {"assembler", by_assembler},
    {"handler", by_a_handler},
    {"callback", by_a_callback},
    {"around a handler", around_a_handler},
    {"between callbacks", between_two_callbacks},
    {"thread", by_a_thread},
    {"nobody", by_nobody},
};

static void show_messages(const char *way) {
    char bytes[200];
    for (long got; (got = recv(messages[1], bytes, sizeof bytes, MSG_DONTWAIT)) > 0;)
        printf("%s: a message of %ld bytes\n", way, got);
    struct stat status;
    printf("%s: a file of %ld bytes\n", way, stat("written", &status) == 0 ? (long)status.st_size : -1);
}

int main(int argc, char **argv) {
    (void)argv;
    signal(SIGUSR1, on_signal);
    signal(SIGUSR2, on_signal_that_writes);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i) {
        struct stat status;
        if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, messages) != 0 || messages[1] < 0)
            return 2;
        unlink("written");
        file = open("written", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        for (int round = 0; round < 40; ++round) {  // past those that are left alone
            if (file < 0 || fstat(file, &status) != 0)
                return 3;
            put(file, "first", (size_t)(5 - argc + 1));
        }
        ways[i].change();
        printf("%s: %ld\n", ways[i].name, put(file, "and more", 8));
        fflush(stdout);
        show_messages(ways[i].name);
        close(file);
        close(messages[0]);
        close(messages[1]);
    }
    return 0;
}
