// tests: closes every number as daemons do, and tells what failed, what is open afterwards, and in which order those at the other ends learned of it.
// PLAN: 1 elide close_all/0
// PLAN: 2 elide count_failures/0
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { FIRST = 3, PEERS = 4, LAST = 250, ABOVE = 300 };

__attribute__((noinline)) static void close_all(int from, int to) {
    for (int number = from; number < to; ++number)
        close(number);
}
__attribute__((noinline)) static int count_failures(int from, int to) {
    int failures = 0;
    for (int number = from; number < to; ++number)
        if (close(number) != 0 && errno != EBADF)
            ++failures;
    return failures;
}

int main(void) {
    static const int places[PEERS] = {240, 10, 130, 60};
    const int watch = fcntl(epoll_create1(0), F_DUPFD, ABOVE);
    for (int i = 0; i < PEERS; ++i) {
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) || dup2(ends[0], places[i]) != places[i])
            return 2;
        const int peer = fcntl(ends[1], F_DUPFD, ABOVE);
        close(ends[0]);
        close(ends[1]);
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)i};
        epoll_ctl(watch, EPOLL_CTL_ADD, peer, &event);
    }
    errno = 0;
    const int failures = count_failures(FIRST, LAST / 2);
    printf("%d failed, errno %d\n", failures, errno);
    close_all(LAST / 2, LAST);
    printf("errno %d\n", errno);
    struct epoll_event events[PEERS];
    const int ended = epoll_wait(watch, events, PEERS, 0);
    for (int i = 0; i < ended; ++i)
        printf("%u\n", events[i].data.u32);
    for (int number = 0; number < ABOVE; ++number)
        if (fcntl(number, F_GETFD) != -1)
            printf("%d is open\n", number);
    return 0;
}
