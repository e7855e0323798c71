// tests: what the random programs of tests/random_calls are made of: files, notes of what every call gave, and others who write too.
#pragma once

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FILES = 8, DESCRIPTORS = 4, LARGEST = 1 << 18, SPARE = 20 };

static const char *const names[FILES] = {"f0", "f1", "f2", "f3", "f4", "f5", "none/f", "/proc/version"};
static int fds[DESCRIPTORS] = {-1, -1, -1, -1};
static int far_ends[DESCRIPTORS] = {-1, -1, -1, -1};
static char buffer[LARGEST];
static int made_last;
// Where a program faults and goes on, what it has in memory must be what the source says: the compiler need not store before a fault.
#ifdef FAULTS
#define STORED volatile
#else
#define STORED
#endif
static STORED uint64_t state, notes = 14695981039346656037u;

static inline unsigned draw(unsigned below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % below;
}

// Into one number, without a call: a stretch of calls stays one.
static inline void note(long result) { notes = (notes ^ (uint64_t)result) * 1099511628211u; }
static inline void note_call(long result) {
    note(result);
    if (result < 0)
        note(errno);
}
static inline void note_bytes(const char *bytes, long count) {
    for (long i = 0; i < count; ++i)
        notes = (notes ^ (unsigned char)bytes[i]) * 1099511628211u;
}
static inline void note_status(int result, const struct stat *found) {
    note_call(result);
    if (result == 0) {
        note((long)(found->st_mode & S_IFMT));
        note((long)found->st_size);
    }
}

// Where a write reaches the limit, a handler looks at how far the program says it is.
static size_t *progress;
static size_t seen;
static inline void look(int number) { seen += number == SIGXFSZ ? *progress : 0; }
__attribute__((noinline)) static inline void limit_files(unsigned bytes) {
    const struct rlimit limit = {bytes, 1 << 21};
    signal(SIGXFSZ, look);
    setrlimit(RLIMIT_FSIZE, &limit);
}
__attribute__((noinline)) static inline void limit_files_no_more(void) {
    const struct rlimit limit = {1 << 21, 1 << 21};
    setrlimit(RLIMIT_FSIZE, &limit);
    signal(SIGXFSZ, SIG_IGN);
}

// As the program sees them, and as everybody else does.
__attribute__((noinline)) static void note_flags(int fd) {
    char name[40], line[400];
    snprintf(name, sizeof name, "/proc/self/fdinfo/%d", fd);
    FILE *info = fopen(name, "r");
    while (info && fgets(line, sizeof line, info))
        if (strncmp(line, "flags:", 6) == 0)
            note_bytes(line, (long)strlen(line));
    if (info)
        fclose(info);
    note_call(fcntl(fd, F_GETFD));
    note_call(fcntl(fd, F_GETFL));
}

// What another process does meanwhile, which is over when this returns.
static void others_append(const char *name, unsigned count) {
    const pid_t other = fork();
    if (other == 0) {
        const int fd = open(name, O_WRONLY | O_APPEND);
        for (unsigned i = 0; fd >= 0 && i < count; ++i)
            if (write(fd, "others", 6) != 6)
                _exit(1);
        _exit(0);
    }
    int status = 0;
    waitpid(other, &status, 0);
}

static int (*volatile closing)(int) = close;
static void by_dup2(int from, int to) { dup2(from, to); }
static void by_pointer(int from, int to) {
    closing(to);
    fcntl(from, F_DUPFD, to);
}
static void by_stream(int from, int to) {
    FILE *stream = fdopen(to, "r");
    if (!stream)
        close(to);
    else
        fclose(stream);
    fcntl(from, F_DUPFD, to);
}

// The descriptor becomes one that takes messages.
__attribute__((unused)) static void become_socket(int which, void (*become)(int, int)) {
    int ends[2];
    if (fds[which] < 0 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, ends) != 0)
        return;
    become(ends[0], fds[which]);
    close(ends[0]);
    if (far_ends[which] >= 0)
        close(far_ends[which]);
    far_ends[which] = ends[1];
}

__attribute__((unused)) static void note_messages(int which) {
    char bytes[64];
    for (long got = 1; far_ends[which] >= 0 && got > 0;) {
        got = recv(far_ends[which], bytes, sizeof bytes, MSG_TRUNC);
        note_call(got);
    }
}

static void show(const char *what) {
    printf("%s %016llx\n", what, (unsigned long long)notes);
    fflush(stdout);
}

static void begin(int argc, char **argv) {
    state = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    for (long i = 0; i < LARGEST; ++i)
        buffer[i] = (char)i;
}
