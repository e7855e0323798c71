// tests: reads small files while one signal comes, whose handler acts on what is being read; what is known of a file is left out of the reading.
// PLAN: 1 elide read_all/3 read_all/0 read_all/1
// PLAN: 2 elide read_all/2 read_all/0 read_all/1 read_all/3
// usage: read FILE OTHER WHAT
#define _GNU_SOURCE
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The first number that is free: each file's that is opened.
enum { FILE_NUMBER = 3 };

static sigjmp_buf before;
static const char *file, *other;
static void (*act)(void);

static void nothing(void) {}
static void close_it(void) { close(FILE_NUMBER); }
static void replace_it(void) {
    close(FILE_NUMBER);
    open(other, O_RDONLY);
}
static void step_back(void) { lseek(FILE_NUMBER, 0, SEEK_SET); }
static void grow_it(void) {
    const int to = open(file, O_WRONLY | O_APPEND);
    if (write(to, "grown", 5) != 5)
        _exit(8);
    close(to);
}
static void shrink_it(void) {
    if (truncate(file, 50) != 0)
        _exit(8);
}
static void jump(void) { siglongjmp(before, 1); }
static long read_all(const char *name, unsigned *sum);
static void read_another(void) {
    unsigned sum = 0;
    printf("another: %ld\n", read_all(other, &sum));
}
// In the file's own place, and then the file again.
static void read_in_its_place(void) {
    close(FILE_NUMBER);
    read_another();
    open(file, O_RDONLY);
}

static const struct {
    const char *name;
    void (*act)(void);
} actions[] = {{"nothing", nothing},
               {"close", close_it},
               {"replace", replace_it},
               {"step-back", step_back},
               {"grow", grow_it},
               {"shrink", shrink_it},
               {"jump", jump},
               {"read-another", read_another},
               {"read-in-its-place", read_in_its_place}};

static void on_signal(int signal) {
    (void)signal;
    act();
}

__attribute__((noinline)) static long read_all(const char *name, unsigned *sum) {
    static unsigned char bytes[4096];
    struct stat status;
    const int from = open(name, O_RDONLY);
    if (from < 0 || fstat(from, &status) != 0)
        return -1;
    posix_fadvise(from, 0, 0, POSIX_FADV_SEQUENTIAL);
    long all = 0;
    ssize_t got;
    while ((got = read(from, bytes, sizeof bytes)) > 0) {
        for (ssize_t i = 0; i < got; ++i)
            *sum = *sum * 31 + bytes[i];
        all += got;
    }
    close(from);
    return got < 0 ? -2 : all;
}

int main(int argc, char **argv) {
    if (argc < 4)
        return 0;
    file = argv[1];
    other = argv[2];
    act = nothing;
    for (size_t i = 0; i < sizeof actions / sizeof *actions; ++i)
        if (strcmp(actions[i].name, argv[3]) == 0)
            act = actions[i].act;
    signal(SIGUSR1, on_signal);
    static volatile int jumped;
    jumped = sigsetjmp(before, 1);
    for (int round = 0; round < 2; ++round) {
        unsigned sum = 0;
        const long all = read_all(file, &sum);
        printf("%ld %u\n", all, sum);
    }
    printf("%d %d\n", jumped, fcntl(FILE_NUMBER, F_GETFD));
    return 0;
}
