// tests: what is printed in place is what the library prints, whatever state the stream is in: new, full, without a buffer, flushed by lines,
// made so while it is written to, written to after it was read, of wide characters, a device that is full, memory, and beside a thread.
// RUN: %run %s | %check %s
// PLAN: 1 expand numbers/0
// PLAN: 2 expand numbers/1
// PLAN: 3 expand texts/0
// PLAN: 4 expand texts/1
// PLAN: 5 expand texts/2
// PLAN: 6 expand bytes/0
// PLAN: 7 expand bytes/1
// PLAN: 8 expand bytes/2
// PLAN: 9 expand memory/0
// PLAN: 10 expand memory/1
// PLAN: 11 expand memory/2
// PLAN: 12 expand nothing/0
// CHECK: decision 1 applied
// CHECK: decision 2 applied
// CHECK: decision 3 applied
// CHECK: decision 4 applied
// CHECK: decision 5 applied
// CHECK: decision 6 applied
// CHECK: decision 7 applied
// CHECK: decision 8 applied
// CHECK: decision 9 applied
// CHECK: decision 10 applied
// CHECK: decision 11 applied
// CHECK: decision 12 applied
// CHECK: ; the same
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>
#define OWN __attribute__((noinline)) static

// What came of each call, for the end.
static uint64_t seen;
OWN void see(long value) { seen = seen * 1000003 + (uint64_t)value; }

OWN void numbers(FILE *to, long number) {
    see(fprintf(to, "%d %u %x %X %ld %lu %lx %hhd %hd %hhu %hu %zu|", (int)number, (unsigned)number, (unsigned)number,
                (unsigned)number, number, number, number, (int)number, (int)number, (int)number, (int)number, number));
    see(fprintf(to, "%5d|%-5d|%05d|%1d|%08lx|%*d|%-*d|%0*d%%\n", (int)number, (int)number, (int)number, (int)number,
                number, (int)number % 9, 1, (int)number % 7, 2, 3, (int)number));
}
OWN void texts(FILE *to, const char *text, int count) {
    see(fprintf(to, "<%s|%9s|%-9s|%.3s|%.*s|%*.2s|%c%5c%-5c>", text, text, text, text, count, text, count, text, count,
                'x', 'y'));
    see(fputs(text ? text : "none", to));
    see((long)fwrite("objects", (size_t)(count & 1), (size_t)count % 7, to));
}
OWN void bytes(FILE *to, int byte) {
    see(fputc(byte, to));
    see(printf("%d\n", byte));
    see(puts("a line"));
}
OWN void memory(char *at, size_t size, const char *text, int number) {
    see(snprintf(at, size, "%s:%d", text, number));
    see(sprintf(at + 512, "%s-%d", text, number));
    see(sprintf(at + 700, "%c%c", number, number + 1));
}
OWN void nothing(FILE *to, const char *empty) { see(fprintf(to, "%s%s", empty, empty)); }

static const long some[] = {0,       1,       -1,       9,        10,  99,  100,  12345, -99999,
                            INT_MAX, INT_MIN, LONG_MAX, LONG_MIN, 255, 256, -128, 65536};
static const char *const words[] = {
    "", "a", "some words", NULL, "a line\nand another\n", "0123456789012345678901234567890123456789"};

OWN void all(FILE *to) {
    for (size_t i = 0; i < sizeof some / sizeof *some; ++i) {
        errno = 0;
        numbers(to, some[i]);
        texts(to, words[i % 6], (int)i - 2);
        bytes(to, (int)some[i]);
        nothing(to, "");
        see(errno);
        see(ferror(to));
    }
    see(fwide(to, 0));
}

OWN void from_file(const char *name) {
    FILE *file = fopen(name, "r");
    for (int byte = 0; file && (byte = getc(file)) != EOF;)
        see(byte);
    if (file)
        fclose(file);
}

OWN void buffered(const char *name, const char *mode, int how, size_t size) {
    static char buffer[8192];
    FILE *file = fopen(name, mode);
    if (how >= 0)
        setvbuf(file, buffer, how, size);
    all(file);
    see(ftell(file));
    fclose(file);
    from_file(name);
}

// The bytes must be there when the line ends, for who reads the file meanwhile.
OWN void by_lines_from_now_on(const char *name) {
    FILE *file = fopen(name, "w");
    texts(file, "before", 1);
    setvbuf(file, NULL, _IOLBF, 0);
    numbers(file, 7);
    from_file(name);
    setvbuf(file, NULL, _IONBF, 0);
    texts(file, "without a buffer", 1);
    from_file(name);
    fclose(file);
    from_file(name);
}

OWN void read_and_written(const char *name) {
    FILE *file = fopen(name, "w+");
    all(file);
    rewind(file);
    see(getc(file));
    numbers(file, 5);
    fseek(file, 3, SEEK_SET);
    numbers(file, 6);
    fflush(file);
    see(getc(file));
    texts(file, "behind", 3);
    fclose(file);
    file = fopen(name, "r");
    see(getc(file));
    all(file);
    fclose(file);
    from_file(name);
}

OWN void elsewhere(void) {
    FILE *full = fopen("/dev/full", "w");
    all(full);
    see(fclose(full));
    see(errno);
    char *text = NULL;
    size_t size = 0;
    FILE *memory_stream = open_memstream(&text, &size);
    all(memory_stream);
    fclose(memory_stream);
    for (size_t i = 0; i < size; ++i)
        see(text[i]);
    free(text);
    FILE *wide = fopen("/dev/null", "w");
    fputwc(L'w', wide);
    all(wide);
    fclose(wide);
}

OWN void *beside(void *file) {
    all(file);
    return NULL;
}

int main(void) {
    char name[] = "/tmp/print_in_place.XXXXXX";
    close(mkstemp(name));
    static char at[1024];
    for (size_t size = 0; size < 24; ++size)
        for (int i = 0; i < 6; ++i) {
            memset(at, '?', sizeof at);
            memory(at, size, words[i], i * 1111);
            for (size_t k = 0; k < sizeof at; ++k)
                see(at[k]);
        }
    all(stdout);
    all(stderr);
    buffered(name, "w", -1, 0);
    buffered(name, "a", -1, 0);
    for (size_t size = 1; size < 300; size += 23) {
        buffered(name, "w", _IOFBF, size);
        buffered(name, "w", _IOLBF, size);
    }
    buffered(name, "w", _IONBF, 0);
    by_lines_from_now_on(name);
    read_and_written(name);
    elsewhere();
    FILE *file = fopen(name, "w");
    numbers(file, 1);
    pthread_t thread;
    pthread_create(&thread, NULL, beside, file);
    pthread_join(thread, NULL);
    all(file);
    fclose(file);
    from_file(name);
    unlink(name);
    printf("%llu\n", (unsigned long long)seen);
    return 0;
}
