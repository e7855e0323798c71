// tests: a program whose system calls are known: what the recorder counts of them, with threads, children and signals.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { large = 200000, rounds = 1000 };

static int zero, nowhere;

// A block that another function gives back.
__attribute__((noinline)) static char *take(size_t size) { return malloc(size); }
__attribute__((noinline)) static void give(char *block) { free(block); }

__attribute__((noinline)) static void copy(int count) {
    char buffer[64];
    for (int i = 0; i < count; ++i) {
        ssize_t got = read(zero, buffer, sizeof buffer);
        if (write(nowhere, buffer, (size_t)got) != got || write(nowhere, buffer, 10) != 10)
            _exit(9);
    }
}

static long long now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

// 20 us of the program's own code behind each read, none behind the write, and a call that takes 1 ms.
__attribute__((noinline)) static void spin(int count) {
    char byte;
    for (int i = 0; i < count; ++i) {
        ssize_t got = read(zero, &byte, 1);
        for (long long begin = now_ns(); now_ns() < begin + 20000;) {
        }
        if (write(nowhere, &byte, 1) != got || poll(NULL, 0, 1) != 0)
            _exit(9);
    }
}

static void *in_thread(void *nothing) {
    copy(rounds);
    return nothing;
}

static void blocks(void) {
    for (int i = 0; i < rounds; ++i) {
        char *block = take(i % 2 == 0 ? large : 100);
        block[0] = 'x';
        give(block);
    }
}

static void on_signal(int number) {
    (void)number;
    int before = errno;
    copy(1);
    errno = before;
}

static void signals(void) {
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &action, NULL);
    for (int i = 0; i < 100; ++i) {
        raise(SIGALRM);
        copy(1);
    }
}

__attribute__((noinline)) static int errors(void) {
    char byte;
    int wrong = 0;
    for (int i = 0; i < 10; ++i) {
        errno = 0;
        if (read(1000, &byte, 1) != -1 || errno != EBADF)
            ++wrong;
        if (lseek(1000, 0, SEEK_SET) != -1 || errno != EBADF)
            ++wrong;
    }
    return wrong;
}

int main(int argc, char **argv) {
    const char *how = argc > 1 ? argv[1] : "copy";
    // The first call of the thread: the recorder begins behind it, and leaves the reason of its failure alone.
    if (strcmp(how, "first") == 0) {
        errno = 0;
        int failed = open("/nowhere/at/all", O_RDONLY) == -1 && errno == ENOENT;
        printf("%d\n", failed);
        return 0;
    }
    zero = open("/dev/zero", O_RDONLY);
    nowhere = open("/dev/null", O_WRONLY);
    if (strcmp(how, "copy") == 0)
        copy(rounds);
    if (strcmp(how, "threads") == 0) {
        pthread_t threads[4];
        for (int i = 0; i < 4; ++i)
            pthread_create(&threads[i], NULL, in_thread, NULL);
        for (int i = 0; i < 4; ++i)
            pthread_join(threads[i], NULL);
    }
    if (strcmp(how, "fork") == 0) {
        copy(rounds);
        pid_t child = fork();
        copy(rounds);
        if (child == 0)
            _exit(0);
        waitpid(child, NULL, 0);
    }
    if (strcmp(how, "killed") == 0) {
        copy(rounds);
        kill(getpid(), SIGKILL);
    }
    if (strcmp(how, "spin") == 0)
        spin(80);
    if (strcmp(how, "blocks") == 0)
        blocks();
    if (strcmp(how, "signals") == 0)
        signals();
    printf("%s %d\n", how, errors());
    return 0;
}
