// tests: copies a file while signals come whose handler acts on the very descriptors; `fuse` copies whole blocks by the kernel.
// PLAN: 1 fuse copy/2 copy/3
// usage: handled FROM TO OTHER WHAT MICROSECONDS
#define _GNU_SOURCE
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

enum { BLOCK = 1000 };

static sigjmp_buf before;
static int in = -1, out = -1;
static const char *other;
static void (*act)(void);
static volatile sig_atomic_t acts_left, acted;
static volatile long limit, written;  // written: when the last action came

static void tick(int signal) {
    (void)signal;
    if (out < 0 || acts_left == 0)
        return;
    --acts_left;
    ++acted;
    written = lseek(out, 0, SEEK_CUR);
    act();
}

static void nothing(void) {}
static void mark(void) { acted -= write(out, "<MARK>", 6) != 6; }
static void jump(void) { siglongjmp(before, 1); }
static void close_target(void) { close(out); }
static void replace_target(void) {
    close(out);
    if (open(other, O_WRONLY | O_CREAT | O_TRUNC, 0644) != out)
        _exit(8);
}
static void replace_source(void) {
    close(in);
    if (open(other, O_RDONLY) != in)
        _exit(8);
}
static void empty_target(void) { acted -= ftruncate(out, 0) != 0; }
// Not from the end, where less than a block was read.
static void step_back(void) {
    const off_t at = lseek(in, 0, SEEK_CUR);
    struct stat status;
    acted -= at < BLOCK || fstat(in, &status) != 0 || at == status.st_size || lseek(in, -BLOCK, SEEK_CUR) < 0;
}
static void append(void) {
    fcntl(out, F_SETFL, O_APPEND);
    lseek(out, 0, SEEK_SET);
}
static void set_limit(void) {
    limit = lseek(out, 0, SEEK_CUR) + 2 * BLOCK + BLOCK / 2;
    const struct rlimit bound = {(rlim_t)limit, RLIM_INFINITY};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &bound);
}

static const struct Action {
    const char *name;
    void (*act)(void);
    int times;
} actions[] = {
    {"nothing", nothing, 1 << 30},
    {"mark", mark, 1 << 30},
    {"jump", jump, 1},
    {"close-target", close_target, 1},
    {"replace-target", replace_target, 1},
    {"replace-source", replace_source, 1},
    {"empty-target", empty_target, 1},
    {"step-back", step_back, 50},
    {"append", append, 1},
    {"set-limit", set_limit, 1},
};

__attribute__((noinline)) static long copy(const char *from, const char *to) {
    static char block[BLOCK];
    long all = 0;
    ssize_t got = 0;
    const int source = open(from, O_RDONLY);
    const int target = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (source < 0 || target < 0)
        return -1;
    in = source;
    out = target;
    while ((got = read(source, block, sizeof block)) > 0) {
        if (write(target, block, (size_t)got) != got)
            return -2;
        all += got;
    }
    out = -1;
    close(source);
    close(target);
    return all;
}

__attribute__((noinline)) static long copy_up_to_a_jump(const char *from, const char *to) {
    return sigsetjmp(before, 1) != 0 ? -9 : copy(from, to);
}

int main(int argc, char **argv) {
    if (argc < 6)
        return 0;
    other = argv[3];
    for (size_t i = 0; i < sizeof actions / sizeof *actions; ++i)
        if (strcmp(actions[i].name, argv[4]) == 0) {
            act = actions[i].act;
            acts_left = actions[i].times;
        }
    const struct sigaction action = {.sa_handler = tick, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &action, NULL);
    const long period = atol(argv[5]);
    const struct itimerval none = {{0, 0}, {0, 0}};
    const struct itimerval timer = {{0, period}, {0, period}};
    setitimer(ITIMER_REAL, &timer, NULL);
    const long result = copy_up_to_a_jump(argv[1], argv[2]);
    setitimer(ITIMER_REAL, &none, NULL);
    sigset_t mask;
    sigprocmask(SIG_BLOCK, NULL, &mask);
    struct stat status = {0};
    fstat(out, &status);
    printf("%ld %d %ld %ld %ld %ld %d %ld\n", result, (int)acted, limit, (long)lseek(in, 0, SEEK_CUR),
           (long)lseek(out, 0, SEEK_CUR), (long)status.st_size,
           sigismember(&mask, SIGALRM) || sigismember(&mask, SIGTERM), written);
    return 0;
}
