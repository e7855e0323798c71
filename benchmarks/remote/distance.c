// benchmarks: a network of a given length between one client and a server of the loopback: each datagram arrives so much later.
//   distance PORT MICROSECONDS     tells its own port
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { most_waiting = 256, largest = 2048 };

struct datagram {
    long long due_ns;
    ssize_t size;
    char bytes[largest];
};

// One way: what came first arrives first.
struct way {
    int from;
    int to;
    unsigned first;
    unsigned count;
    struct datagram waiting[most_waiting];
};

static long long now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static int connected_to(unsigned port) {
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((unsigned short)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int made = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    if (made < 0 || connect(made, (const struct sockaddr *)&address, sizeof address) != 0)
        fail("connect");
    return made;
}

static int listening(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    const int made = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    if (made < 0 || bind(made, (const struct sockaddr *)&address, size) != 0 ||
        getsockname(made, (struct sockaddr *)&address, &size) != 0)
        fail("bind");
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    return made;
}

// The way back leads to whoever has sent last.
static void take(struct way *way, long long length_ns, struct sockaddr_in *peer) {
    while (way->count < most_waiting) {
        struct datagram *next = &way->waiting[(way->first + way->count) % most_waiting];
        socklen_t size = sizeof *peer;
        next->size = recvfrom(way->from, next->bytes, largest, 0, (struct sockaddr *)peer, peer ? &size : NULL);
        if (next->size < 0)
            return;
        next->due_ns = now_ns() + length_ns;
        ++way->count;
    }
}

static void give(struct way *way, const struct sockaddr_in *peer) {
    for (; way->count > 0 && way->waiting[way->first].due_ns <= now_ns(); --way->count) {
        const struct datagram *one = &way->waiting[way->first];
        // What is lost is the client's to ask for again.
        (void)!sendto(way->to, one->bytes, (size_t)one->size, 0, (const struct sockaddr *)peer,
                      peer ? sizeof *peer : 0);
        way->first = (way->first + 1) % most_waiting;
    }
}

static long long due_ns(const struct way *way, long long otherwise) {
    return way->count > 0 && way->waiting[way->first].due_ns < otherwise ? way->waiting[way->first].due_ns : otherwise;
}

int main(int count, char **words) {
    if (count < 3)
        return 2;
    static struct way there;
    static struct way back;
    prctl(PR_SET_TIMERSLACK, 1L);  // the kernel lets others wait 50 us longer
    const long long length_ns = atoll(words[2]) * 1000;
    struct sockaddr_in peer = {0};
    there.to = back.from = connected_to((unsigned)atoi(words[1]));
    there.from = back.to = listening();
    for (;;) {
        struct pollfd both[2] = {{.fd = there.from, .events = POLLIN}, {.fd = back.from, .events = POLLIN}};
        const long long left = due_ns(&back, due_ns(&there, now_ns() + 1000000000)) - now_ns();
        const struct timespec wait = {.tv_nsec = left > 0 ? left : 0};
        ppoll(both, 2, left >= 1000000000 ? NULL : &wait, NULL);
        take(&there, length_ns, &peer);
        take(&back, length_ns, NULL);
        give(&there, NULL);
        give(&back, &peer);
    }
}
