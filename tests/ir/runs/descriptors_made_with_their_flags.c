// tests: descriptors have the flags that they had, on every way, whether they were made with them or not; failures are told as they were.
// RUN: %transform run %s
// PLAN: 1 fuse take/0 take/1 take/2 take/3
// PLAN: 2 fuse make_pipe/0 make_pipe/1 make_pipe/2
// PLAN: 3 fuse make_pair/0 make_pair/1 make_pair/2 make_pair/3 make_pair/4
// PLAN: 4 fuse open_own/0 open_own/1 open_own/2
// PLAN: 5 fuse copy_of/0 copy_of/1
// PLAN: 6 fuse count/0 count/1
// PLAN: 7 fuse told/0 told/1 told/3
// PLAN: 8 fuse above/0 above/1
// PLAN: 9 fuse half/0 half/1
// PLAN: 10 fuse ways/0 ways/1 ways/2
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define APART __attribute__((noinline))

APART static void show(const char *what, int fd) {
    printf("%s: %s", what, fd < 0 ? strerror(errno) : "made");
    if (fd >= 0)
        printf(", F_GETFD %x, F_GETFL %x", fcntl(fd, F_GETFD), fcntl(fd, F_GETFL));
    puts("");
}

struct connection {
    int fd, state;
    char name[40];
};

APART static struct connection *take(int listener) {
    const int fd = accept(listener, NULL, NULL);
    if (fd == -1)
        return NULL;
    struct connection *made = malloc(sizeof *made);
    if (!made)
        abort();
    memset(made, 0, sizeof *made);
    made->fd = fd;
    fcntl(made->fd, F_SETFD, FD_CLOEXEC);
    const int flags = fcntl(made->fd, F_GETFL);
    if (flags == -1 || fcntl(made->fd, F_SETFL, flags | O_NONBLOCK) == -1)
        exit(1);
    made->state = flags;
    return made;
}

APART static int make_pipe(int *ends) {
    if (pipe(ends) != 0)
        return -1;
    fcntl(ends[0], F_SETFD, 1);
    fcntl(ends[1], F_SETFD, 1);
    return 0;
}

APART static int make_pair(int *ends) {
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
        return -1;
    for (int i = 0; i < 2; ++i)
        fcntl(ends[i], F_SETFL, fcntl(ends[i], F_GETFL) | O_NONBLOCK);
    return 0;
}

APART static int open_own(const char *name, int flags) {
    const int fd = open(name, flags, 0600);
    if (fd >= 0) {
        const int old = fcntl(fd, F_GETFD);
        if (old >= 0)
            fcntl(fd, F_SETFD, old | FD_CLOEXEC);
    }
    return fd;
}

APART static int copy_of(int fd) {
    const int copy = dup(fd);
    if (copy >= 0)
        fcntl(copy, F_SETFD, FD_CLOEXEC);
    return copy;
}

APART static int count(int by_ioctl) {
    int on = by_ioctl;
    const int fd = eventfd(0, EFD_CLOEXEC);
    if (fd < 0)
        return -1;
    on = 1;
    ioctl(fd, FIONBIO, &on);
    return fd;
}

static int tell;
APART static int told(int listener) {
    const int fd = accept(listener, NULL, NULL);
    if (fd < 0)
        return fd;
    if (tell)
        show("told", fd);
    const int flags = fcntl(fd, F_GETFL);
    if (tell > 1) {
        show("not taken", fd);
        close(fd);
        return -1;
    }
    fcntl(fd, F_SETFL, flags | O_NONBLOCK);
    return fd;
}

APART static int above(int fd) {
    const int copy = fcntl(fd, F_DUPFD, 40);
    if (copy < 0)
        return copy;
    fcntl(copy, F_SETFD, FD_CLOEXEC);
    return copy;
}

APART static int half(int *ends) {
    if (pipe(ends) != 0)
        return -1;
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return 0;
}

APART static int ways(int wait, int stay) {
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (fd < 0)
        return fd;
    if (!wait)
        fcntl(fd, F_SETFL, O_RDWR | O_NONBLOCK);
    if (!stay)
        fcntl(fd, F_SETFD, FD_CLOEXEC);
    return fd;
}

static int reach(const struct sockaddr_un *at) {
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (fd < 0 || connect(fd, (const struct sockaddr *)at, sizeof *at) != 0)
        abort();
    return fd;
}

static void once(int listener, const struct sockaddr_un *at, int round) {
    int ends[2];
    const int peer = reach(at);
    struct connection *one = take(listener);
    if (one) {
        show("accept", one->fd);
        printf("state %d\n", one->state);
        close(one->fd);
    }
    free(one);
    for (tell = 0; tell < 3; ++tell)
        for (int i = 0; i < (tell ? 1 : 34); ++i) {
            const int other = reach(at);
            const int fd = told(listener);
            show("told", fd);
            close(fd);
            close(other);
        }
    if (make_pipe(ends) == 0) {
        show("pipe", ends[0]);
        show("pipe", ends[1]);
        close(ends[0]);
        close(ends[1]);
    }
    if (make_pair(ends) == 0) {
        show("socketpair", ends[0]);
        show("socketpair", ends[1]);
        close(ends[0]);
        close(ends[1]);
    }
    if (half(ends) == 0) {
        show("half", ends[0]);
        show("half", ends[1]);
        close(ends[0]);
        close(ends[1]);
    }
    const int flags[] = {O_RDONLY, O_WRONLY, O_RDWR | O_CLOEXEC, O_RDONLY | O_DIRECTORY};
    const int fds[] = {open_own("/dev/null", flags[round % 4]),
                       copy_of(peer),
                       copy_of(-1),
                       count(round),
                       above(peer),
                       above(-1),
                       ways(round & 1, round & 2)};
    for (unsigned i = 0; i < sizeof fds / sizeof *fds; ++i) {
        show("others", fds[i]);
        if (fds[i] >= 0)
            close(fds[i]);
    }
    close(peer);
}

int main(void) {
    struct sockaddr_un at = {AF_UNIX, ""};
    snprintf(at.sun_path + 1, sizeof at.sun_path - 1, "thalweg-test-%d", getpid());
    const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&at, sizeof at) != 0 || listen(listener, 8) != 0)
        return 2;
    for (int round = 0; round < 8; ++round)
        once(listener, &at, round);
    // None is left.
    struct rlimit before = {0, 0};
    getrlimit(RLIMIT_NOFILE, &before);
    struct rlimit few = {3, before.rlim_max};
    setrlimit(RLIMIT_NOFILE, &few);
    int ends[2] = {7, 7};
    errno = 0;
    printf("%p %d\n", (void *)take(listener), errno);
    printf("%d %d %d\n", make_pipe(ends), errno, ends[0]);
    printf("%d %d %d\n", make_pair(ends), errno, ends[1]);
    printf("%d %d\n", open_own("/dev/null", O_RDONLY), errno);
    printf("%d %d\n", copy_of(0), errno);
    printf("%d %d\n", count(1), errno);
    printf("%d %d\n", above(0), errno);
    printf("%d %d\n", ways(0, 0), errno);
    few.rlim_cur = 0;
    setrlimit(RLIMIT_NOFILE, &few);
    printf("%d %d\n", copy_of(0), errno);
    setrlimit(RLIMIT_NOFILE, &before);  // who looks for leaks at the end opens files
    return 0;
}
