// tests: files that grow, shrink, are shared and are none: what a program reads of them is the same, however much of it was known.
// RUN: %run %s | %check %s
// RUN: %run --passes thalweg-link-O2 %s | %check %s
// PLAN: 1 elide read_some/0 open_file/0 look_at/0 where/0
// PLAN: 2 elide advise/0 open_file/0 look_at/0
// PLAN: 3 elide where/0 open_file/0 look_at/0
// CHECK: decision 1 applied
// CHECK: decision 2 applied
// CHECK: decision 3 applied
// CHECK: ; the same
#include "file.h"
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
OWN long where(int file) { return lseek(file, 0, SEEK_CUR); }
OWN void advise(int file) { posix_fadvise(file, 0, 0, POSIX_FADV_SEQUENTIAL); }
static char folder[] = "/tmp/thalweg-stretch-XXXXXX";
static char name[100];
static char buffer[1 << 16];
static volatile int caught;
static sigjmp_buf place;

OWN void fill(size_t size) {
    FILE *file = fopen(name, "w");
    for (size_t i = 0; i < size; ++i)
        fputc('a' + (int)(i % 26), file);
    fclose(file);
}
OWN void append(const char *text) {
    FILE *file = fopen(name, "a");
    fputs(text, file);
    fclose(file);
}
OWN unsigned sum_of(ssize_t size) {
    unsigned sum = 7;
    for (ssize_t i = 0; i < size; ++i)
        sum = sum * 31 + (unsigned char)buffer[i];
    return sum;
}
OWN int begin(const char *path) {
    struct stat status;
    const int file = open_file(path);
    memset(&status, 0, sizeof status);
    look_at(file, &status);
    advise(file);
    return file;
}
OWN void show(const char *what, int file, size_t size, int times) {
    for (int i = 0; i < times; ++i) {
        errno = 0;
        const ssize_t got = read_some(file, buffer, size);
        printf("%s: %zd %u %d at %ld\n", what, got, sum_of(got), errno, where(file));
    }
}
// What others do to the file between two reads of it, the program having told them to and waited.
OWN void others_append(const char *what, int file) {
    if (fork() == 0) {
        append("by another process");
        _exit(0);
    }
    wait(NULL);
}
OWN void others_append_at_a_word(const char *what, int file) {
    int there[2], back[2];
    char word = 'x';
    if (pipe(there) || pipe(back))
        abort();
    const pid_t child = fork();
    if (child == 0) {
        if (read(there[0], &word, 1) == 1)
            append("at a word");
        _exit(write(back[1], &word, 1) != 1);
    }
    if (write(there[1], &word, 1) + read(back[0], &word, 1) != 2)
        abort();
    waitpid(child, NULL, 0);
    for (int i = 0; i < 2; ++i) {
        close(there[i]);
        close(back[i]);
    }
}
OWN void it_appends_itself(const char *what, int file) { append("by itself"); }
OWN void others_move_the_offset(const char *what, int file) {
    if (fork() == 0)
        _exit(lseek(file, 3, SEEK_SET) != 3);
    wait(NULL);
}
OWN void it_reads_a_duplicate(const char *what, int file) {
    const int other = dup(file);
    lseek(other, 5, SEEK_SET);
    show("duplicate", other, 10, 1);
    close(other);
}
OWN void it_moves_the_offset(const char *what, int file) { lseek(file, 11, SEEK_SET); }
OWN void another_file_takes_its_number(const char *what, int file) {
    const int other = open("/dev/zero", O_RDONLY);
    dup2(other, file);
    close(other);
}
OWN void handle(int signal) {
    append("by a handler");
    caught = signal;
}
OWN void jump(int signal) {
    append("before a jump");
    siglongjmp(place, 1);
}
OWN void a_handler_appends(const char *what, int file) {
    signal(SIGUSR1, handle);
    raise(SIGUSR1);
}
OWN void a_handler_jumps(const char *what, int file) {
    signal(SIGUSR2, jump);
    if (sigsetjmp(place, 1) == 0)
        raise(SIGUSR2);
}
OWN void it_shrinks(const char *what, int file) {
    if (truncate(name, 10))
        abort();
}
OWN void nothing(const char *what, int file) {}
static const struct {
    const char *name;
    void (*happens)(const char *what, int file);  // no type of a signal's handler
} cases[] = {{"nothing", nothing},
             {"others append", others_append},
             {"others append at a word", others_append_at_a_word},
             {"it appends itself", it_appends_itself},
             {"others move the offset", others_move_the_offset},
             {"it reads a duplicate", it_reads_a_duplicate},
             {"it moves the offset", it_moves_the_offset},
             {"another file takes its number", another_file_takes_its_number},
             {"a handler appends", a_handler_appends},
             {"a handler jumps", a_handler_jumps},
             {"it shrinks", it_shrinks}};

int main(void) {
    setvbuf(stdout, NULL, _IONBF, 0);
    if (!mkdtemp(folder))
        return 1;
    snprintf(name, sizeof name, "%s/file", folder);
    static const size_t sizes[] = {0, 1, 100, 999, 1000, 1001, 2000, 4096, 8192, 50000, 65536, 200000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        fill(sizes[i]);
        for (size_t block = 1000; block <= sizeof buffer; block = block * 2 + 96) {
            const int file = begin(name);
            ssize_t got;
            unsigned long sum = 0;
            while ((got = read_some(file, buffer, block)) > 0)
                sum = sum * 31 + sum_of(got);
            printf("%zu by %zu: %lu, at %ld, then %zd\n", sizes[i], block, sum, where(file),
                   read_some(file, buffer, block));
            close(file);
        }
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        for (int read_before = 0; read_before < 3; ++read_before) {
            fill(100);
            const int file = begin(name);
            for (int k = 0; k < read_before; ++k)
                read_some(file, buffer, 1000);
            cases[i].happens(cases[i].name, file);
            show(cases[i].name, file, 1000, 4);
            close(file);
        }
    static const char *const strange[] = {
        "/proc/version", "/proc/self/mountinfo", "/sys/kernel/mm/ksm/run", "/", "/dev/null",
        "/dev/zero",     "/nonexistent"};
    for (size_t i = 0; i < sizeof strange / sizeof *strange; ++i) {
        const int file = begin(strange[i]);
        show(strange[i], file, 500, 3);
        if (file >= 0)
            close(file);
    }
    snprintf(name, sizeof name, "%s/fifo", folder);
    mkfifo(name, 0600);
    if (fork() == 0) {
        const int end = open(name, O_WRONLY);
        for (int i = 0; i < 3; ++i) {
            if (write(end, "word", 4) != 4)
                _exit(1);
            usleep(20000);
        }
        _exit(0);
    }
    const int end = begin(name);
    size_t sum = 0;
    for (ssize_t got; (got = read_some(end, buffer, 100)) > 0;)
        sum += (size_t)got;
    printf("fifo: %zu, caught %d\n", sum, caught);
    wait(NULL);
    unlink(name);
    snprintf(name, sizeof name, "%s/file", folder);
    unlink(name);
    rmdir(folder);
    return 0;
}
