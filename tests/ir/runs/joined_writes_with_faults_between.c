// tests: a fault between writes that become one finds the file as if they had been made one by one, whether it ends the program or is caught.
// RUN: %run %s | FileCheck-19 %s
// PLAN: 1 coalesce put_field/0 put_field/1
// PLAN: 2 coalesce put_part/0 put_part/1
// PLAN: 3 coalesce put_rest/0 put_rest/1
// PLAN: 4 coalesce put_entry/0 put_entry/1
// PLAN: 5 coalesce put_name/0 put_name/1
// PLAN: 6 coalesce put_record/0 put_record/1
// PLAN: 7 coalesce put_on_way/0 put_on_way/1
// FLAGS: -D_GNU_SOURCE -fno-strict-overflow
// CHECK: decision 1 applied: 2 calls of write become one in put_field
// CHECK: decision 2 applied: 2 calls of write become one in put_part
// CHECK: decision 3 applied: 2 calls of write become one in put_rest
// CHECK: decision 4 refused: between the calls, memory is accessed that nothing shows to be accessible
// CHECK: decision 5 applied: 2 calls of write become one in put_name
// CHECK: decision 6 refused: between the calls, memory is accessed that nothing shows to be accessible: a fault there would lose the first write
// CHECK: decision 7 refused: between the calls, memory is accessed that nothing shows to be accessible: a fault there would lose the first write
// CHECK: the same
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, TURNS = 3 };

struct record {
    long kind;
    long length;
    const char *bytes;
};

// Read before is `kind`: what lies behind it may be on another page.
__attribute__((noinline)) static long put_field(int file, const struct record *record) {
    char head[8] = "field ";
    head[6] = (char)record->kind;
    if (write(file, head, 8) != 8)
        return -1;
    return write(file, "0123456789", (size_t)record->length);
}

__attribute__((noinline)) static long put_part(int file, int all, int parts) {
    char head[8] = "part ";
    head[6] = (char)('0' + all % 10);
    if (write(file, head, 8) != 8)
        return -1;
    const int size = all / parts;
    return write(file, "0123456789", size > 0 && size < 10 ? (size_t)size : 1);
}

__attribute__((noinline)) static long put_rest(int file, unsigned all, unsigned parts) {
    if (write(file, "rest", 4) != 4)
        return -1;
    return write(file, "0123456789", 1 + all % parts % 8);
}

__attribute__((noinline)) static long put_entry(int file, long number) {
    static const char sizes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    if (write(file, "entry", 5) != 5)
        return -1;
    return write(file, "0123456789", (size_t)(sizes[number] & 7) + 1);
}

__attribute__((noinline)) static long put_name(int file, const char *name) {
    char head[8] = "name ";
    head[6] = name[0];
    if (write(file, head, 8) != 8)
        return -1;
    return write(file, name, strlen(name));
}

__attribute__((noinline)) static long put_record(int file, const struct record *record) {
    if (write(file, "record", 6) != 6)
        return -1;
    return write(file, record->bytes, (size_t)record->length);
}

static void give_back(const struct record *record) { munmap((void *)record, PAGE); }
static void leave(const struct record *record) { (void)record; }
static void (*volatile end[2])(const struct record *) = {leave, give_back};

// What was read before may be gone when the first call is made.
__attribute__((noinline)) static long put_on_way(int file, const struct record *record, int which) {
    const char kind = (char)record->kind;
    end[which](record);
    if (write(file, &kind, 1) != 1)
        return -1;
    return write(file, "0123456789", (size_t)record->length);
}

static sigjmp_buf back;
static void jump(int number) { siglongjmp(back, number); }

struct bad {
    const struct record *split, *gone, *lost;
    const char *endless;
};

static void fault(int file, int what, const struct bad *bad) {
    switch (what) {
    case 0:
        put_field(file, bad->split);
        break;
    case 1:
        put_part(file, 7, 0);
        break;
    case 2:
        put_part(file, INT_MIN, -1);
        break;
    case 3:
        put_rest(file, 7, 0);
        break;
    case 4:
        put_entry(file, LONG_MAX / 2);
        break;
    case 5:
        put_name(file, bad->endless);
        break;
    case 6:
        put_record(file, bad->gone);
        break;
    case 7:
        put_record(file, NULL);
        break;
    default:
        put_on_way(file, bad->lost, 1);
        break;
    }
}

static char *pages(int of) {
    char *all = mmap(NULL, (size_t)(of + 1) * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED || mprotect(all + of * PAGE, PAGE, PROT_NONE) != 0)
        exit(2);
    return all;
}

static void try(int what, int is_caught) {
    char path[] = "joined_writes.XXXXXX";
    const int file = mkstemp(path);
    const pid_t child = fork();
    if (child == 0) {
        char *own = pages(1);
        struct record *split = (struct record *)(own + PAGE - sizeof(long));
        split->kind = 'k';
        memset(own, 'n', PAGE / 2);
        memset(own + PAGE / 2, 'n', PAGE / 2 - 8);
        struct record *lost = (struct record *)pages(1);
        *lost = (struct record){'k', 3, "abc"};
        const struct bad bad = {split, (const struct record *)pages(0), lost, own + PAGE - 20};
        memset(own + PAGE - 20, 'n', 20);
        const struct record good = {'k', 5, "hello"};
        for (int i = 0; i < TURNS; ++i) {
            put_field(file, &good);
            put_part(file, 24, 5);
            put_rest(file, 24, 5);
            put_entry(file, i);
            put_name(file, "a name");
            put_record(file, &good);
            put_on_way(file, &good, 0);
        }
        if (is_caught) {
            signal(SIGSEGV, jump);
            signal(SIGFPE, jump);
            const int number = sigsetjmp(back, 1);
            if (number != 0)
                _exit(number);
        }
        fault(file, what, &bad);
        _exit(100);
    }
    int status = 0;
    waitpid(child, &status, 0);
    char all[1000];
    const long size = pread(file, all, sizeof all, 0);
    unsigned sum = 0;
    for (long i = 0; i < size; ++i)
        sum = sum * 31 + (unsigned char)all[i];
    printf("%d %d: status %d, %ld bytes of sum %u, at %ld\n", what, is_caught, status, size, sum,
           (long)lseek(file, 0, SEEK_CUR));
    close(file);
    unlink(path);
}

int main(void) {
    for (int what = 0; what < 9; ++what)
        for (int is_caught = 0; is_caught < 2; ++is_caught)
            try(what, is_caught);
    return 0;
}
