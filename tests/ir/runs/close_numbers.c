// tests: loops over numbers of descriptors, of which some are open, few, none or most: what is closed, in which order its peers learn of it, results
// and errno are the same; so it is when signals come whose handler opens and closes, in a child, at the limit of open files, and with threads.
// RUN: %run %s | %check %s
// PLAN: 1 elide close_up/0
// PLAN: 2 elide close_down/0
// PLAN: 3 elide close_but/0
// PLAN: 4 elide count_open/0
// PLAN: 5 elide mark/0
// PLAN: 6 elide close_steps/0
// PLAN: 7 elide mark_and_close/0
// CHECK: decision 1 applied
// CHECK: decision 2 applied
// CHECK: decision 3 applied
// CHECK: decision 4 applied
// CHECK: decision 5 applied
// CHECK: decision 6 applied
// CHECK: decision 7 applied
// CHECK: ; the same
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#define OWN __attribute__((noinline)) static

OWN int close_up(int from, int to) {
    for (int number = from; number < to; ++number)
        close(number);
    return 0;
}
OWN int close_down(int from, int to) {
    int number = to;
    while (--number >= from)
        close(number);
    return number;
}
OWN int close_but(int from, int to) {
    for (int number = from; number < to; ++number)
        if (number != from + 70 && number != to - 3)
            close(number);
    return 0;
}
OWN int count_open(int from, int to) {
    int open = 0;
    for (int number = from; number < to; ++number)
        if (close(number) == 0)
            ++open;
        else if (errno != EBADF)
            return -1;
    return open;
}
OWN int mark(int from, int to) {
    int marked = 0;
    for (int number = to; number >= from; --number)
        marked += fcntl(number, F_SETFD, FD_CLOEXEC) == 0;
    return marked;
}
OWN int close_steps(int from, int to) {
    unsigned number = (unsigned)from;
    for (int i = from; i < to; ++i, number = number * 5 + 3)
        close(from + (int)(number % (unsigned)(to - from)));
    return 0;
}
OWN int mark_and_close(int from, int to) {
    int marked = 0;
    for (int number = from; number < to; ++number) {
        const int flags = fcntl(number, F_GETFD);
        if (flags >= 0 && fcntl(number, F_SETFD, flags ^ FD_CLOEXEC) == 0)
            ++marked;
        if (number % 3 == 0)
            close(to + from - number);
    }
    return marked;
}
static int (*const loops[])(int, int) = {close_up, close_down,  close_but,     count_open,
                                         mark,     close_steps, mark_and_close};
enum { LOOPS = sizeof loops / sizeof *loops, FIRST = 20, MOST = 24, LIMIT = 1500 };

static FILE *told;
static uint64_t state = 1;
static unsigned draw(unsigned below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % below;
}

// What is open, which peers have learned of an end, and in which order.
static void tell(int which, int result, int watch, int count) {
    const int error = errno;
    struct epoll_event events[MOST];
    const int ended = epoll_wait(watch, events, MOST, 0);
    fprintf(told, "%d: %d errno %d, %d of %d ended:", which, result, error, ended, count);
    for (int i = 0; i < ended; ++i)
        fprintf(told, " %u", events[i].data.u32);
    fprintf(told, "; open:");
    for (int number = FIRST; number < LIMIT; ++number) {
        const int flags = fcntl(number, F_GETFD);
        if (flags >= 0)
            fprintf(told, " %d%s", number, flags ? "!" : "");
    }
    fputs("\n", told);
}

static void once(int which, int from, int to, int count, int spread) {
    const int watch = fcntl(epoll_create1(0), F_DUPFD, 3);
    int peers[MOST];
    for (int i = 0; i < count; ++i) {
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
            abort();
        const int number = spread ? FIRST + (int)draw((unsigned)spread) : from + i;
        peers[i] = fcntl(ends[1], F_DUPFD, LIMIT);
        dup2(ends[0], number);
        close(ends[0]);
        close(ends[1]);
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)i};
        epoll_ctl(watch, EPOLL_CTL_ADD, peers[i], &event);
    }
    errno = 77;
    const int result = loops[which](from, to);
    tell(which, result, watch, count);
    for (int number = 4; number < LIMIT + 2 * MOST; ++number)
        if (number != watch)
            close(number);
    close(watch);
    close(3);
}

static volatile int handled;
static void handler(int signal) {
    (void)signal;
    ++handled;
    const int error = errno;
    close(open("/dev/null", O_RDONLY));
    errno = error;
}

static void *beside(void *unused) { return unused; }

static void limited(void) {
    struct rlimit limit = {FIRST, LIMIT * 2};
    while (dup(1) >= 0 && dup(1) < FIRST - 1)
        ;
    while (dup(1) >= 0)
        ;
    setrlimit(RLIMIT_NOFILE, &limit);
    errno = 77;
    for (int which = 0; which < LOOPS; ++which)
        fprintf(told, "limited %d: %d errno %d\n", which, loops[which](FIRST, 900), errno);
    close_up(3, FIRST + 900);
}

int main(void) {
    struct rlimit limit = {LIMIT * 2, LIMIT * 2};
    if (setrlimit(RLIMIT_NOFILE, &limit))
        return 2;
    told = fdopen(fcntl(1, F_DUPFD, LIMIT * 2 - 1), "w");
    if (!told)
        return 3;
    for (int which = 0; which < LOOPS; ++which) {
        once(which, FIRST, 1024, 0, 0);
        once(which, FIRST, 1024, 1, 1000);
        once(which, FIRST, 1024, 9, 1000);
        once(which, FIRST, 1024, MOST, 1000);
        once(which, FIRST, 200, MOST, 0);
        once(which, FIRST, FIRST + 10, 4, 12);
        once(which, -100, 300, MOST, 200);
        for (int i = 0; i < 6; ++i)
            once(which, (int)draw(40) + FIRST, (int)draw(900) + 100, (int)draw(MOST), 10 + (int)draw(800));
    }
    signal(SIGALRM, handler);
    const struct itimerval often = {{0, 200}, {0, 200}};
    setitimer(ITIMER_REAL, &often, NULL);
    for (int i = 0; i < 60; ++i)
        once((int)draw(LOOPS), FIRST, 1400, (int)draw(MOST), 1000);
    const struct itimerval never = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &never, NULL);
    fflush(told);
    const pid_t child = fork();
    if (child == 0) {
        once(0, FIRST, 1024, 9, 1000);
        limited();
        fflush(told);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    pthread_t thread;
    pthread_create(&thread, NULL, beside, NULL);
    pthread_join(thread, NULL);
    for (int which = 0; which < LOOPS; ++which)
        once(which, FIRST, 1024, 9, 1000);
    fprintf(told, "%d %d\n", status, handled > 0);
    return 0;
}
