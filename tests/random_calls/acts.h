// tests: a random program whose handler does something to the descriptors in use, and that faults and goes on.
#pragma once

#include "support.h"

#include <setjmp.h>

static sigjmp_buf next_turn;
static char action;  // of ACTS; 0: none
static int acted_on;
#ifndef KEEPS_DESCRIPTORS
static int other_file = -1;
#endif

static void act_on(int fd) {
    switch (action) {
    case 'w':
        note(write(fd, "<handler>", 9));
        break;
    case 's':
        note(lseek(fd, 3, SEEK_SET));
        break;
    case 'c':
        note(close(fd));
        break;
#ifndef KEEPS_DESCRIPTORS
    case 'd':
        note(dup2(other_file, fd));
        break;
#endif
    case 't':
        note(ftruncate(fd, 100));
        break;
    case 'f':
        note(fcntl(fd, F_SETFL, O_APPEND | O_NONBLOCK));
        break;
    default:
        break;
    }
}

// What a handler looks at may stand in a function that is left for good.
static void jump_out(int number) {
    static size_t none;
    progress = &none;
    siglongjmp(next_turn, number);
}

static void act(void) {
    const int before = errno;
    if (acted_on)
        act_on(acted_on);
    for (int fd = 3; acted_on == 0 && fd < 9; ++fd)
        act_on(fd);
    errno = before;
    if (action == 'j')
        jump_out(1);
}

// Now and then, what stands in the files: what is wrong in one may be written over by the end.
__attribute__((unused, noinline)) static void note_files(void) {
    static char content[LARGEST];
    for (int i = draw(4) ? 6 : 0; i < 6; ++i) {
        const int fd = open(names[i], O_RDONLY | O_NONBLOCK);
        note_bytes(content, fd < 0 ? 0 : read(fd, content, LARGEST));
        close(fd);
    }
}

// The forms that a handler may have.
__attribute__((unused)) static void handler_of_c(int number) { (void)number, act(); }
__attribute__((unused)) static void handler_of_bsd(int number, int code) { (void)number, (void)code, act(); }
__attribute__((unused)) static void handler_of_posix(int number, siginfo_t *info, void *context) {
    (void)number, (void)info, (void)context, act();
}
__attribute__((unused)) static long handler_of_long(long number) { return act(), number; }
typedef void (*handler)(int);

// ACTS in the environment: what is done, and to which descriptor (0: to all that it may be).
__attribute__((noinline)) static void begin_to_act(handler chosen) {
    const char *wanted = getenv("ACTS");
    if (!wanted)
        return;
    action = wanted[0];
    acted_on = atoi(wanted + 1);
    // A program that can put another file in a descriptor's place copies by reads and writes, as it is written.
#ifndef KEEPS_DESCRIPTORS
    other_file = dup2(open("f3", O_RDWR), 15);
#endif
    struct sigaction how = {.sa_handler = chosen, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &how, NULL);
}

// ---- faults ----

struct record {
    long kind, size;
    const char *name;
};
static const struct record good = {3, 7, "a name"};
static char *pages;  // the second can't be read, nor the third after a while

__attribute__((unused)) static void go_on(int number) {
    note(number);
    jump_out(2);
}

__attribute__((noinline)) static void begin_to_fault(void) {
    pages = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(pages, 'n', 3 * 4096);
    mprotect(pages + 4096, 4096, PROT_NONE);
    if (draw(2)) {
        signal(SIGSEGV, go_on);
        signal(SIGFPE, go_on);
        signal(SIGBUS, go_on);
    }
}

// Mostly good; one that is none, wild, on a page that can't be read, or reaches into it.
__attribute__((noinline)) static const struct record *some_record(void) {
    struct record *split = (struct record *)(pages + 4096 - sizeof(long) * (1 + draw(2)));
    split->kind = 2;
    switch (draw(12)) {
    case 0:
        return NULL;
    case 1:
        return (const struct record *)(0x7fffffff0000 + draw(4096));
    case 2:
        return (const struct record *)(pages + 4096 + 8 * draw(500));
    case 3:
    case 4:
        return split;
    default:
        return &good;
    }
}

__attribute__((noinline)) static const char *some_name(void) {
    return draw(4) ? "a name of some letters" : pages + 4096 - 1 - draw(60);
}

// Takes a page away, or gives it back.
__attribute__((noinline)) static void change_page(void) {
    mprotect(pages + 8192, 4096, draw(2) ? PROT_NONE : PROT_READ | PROT_WRITE);
}
