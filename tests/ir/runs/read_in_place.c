// tests: what is read in place is what the library reads, whatever state the stream is in: new, at its end, without a buffer, with a byte that was
// given back, written to before, of wide characters, in error, no stream of a file, and beside a thread.
// RUN: %run %s | %check %s
// PLAN: 1 expand bytes/0
// PLAN: 2 expand bytes/1
// PLAN: 3 expand bytes/2
// PLAN: 4 expand objects/0
// PLAN: 5 expand objects/1
// PLAN: 6 expand lines/0
// PLAN: 7 expand grown/0
// PLAN: 8 expand grown/1
// CHECK: decision 1 applied
// CHECK: decision 2 applied
// CHECK: decision 3 applied
// CHECK: decision 4 applied
// CHECK: decision 5 applied
// CHECK: decision 6 applied
// CHECK: decision 7 applied
// CHECK: decision 8 applied
// CHECK: ; the same
#define _GNU_SOURCE
#include <errno.h>
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
OWN void see_text(const char *text, size_t length) {
    for (size_t i = 0; i < length; ++i)
        see(text[i]);
}

OWN void bytes(FILE *from, int other) {
    const int byte = getc(from);
    see(byte);
    see(ungetc(other < 0 ? byte : other, from));
    see(fgetc(from));
}
OWN void objects(FILE *from, size_t size, size_t count) {
    char into[96];
    memset(into, '?', sizeof into);
    see((long)fread(into, size, count, from));
    see_text(into, sizeof into);
    memset(into, '!', sizeof into);
    see((long)fread(into, 4, 1, from));
    see_text(into, sizeof into);
}
OWN void lines(FILE *from, int size) {
    char into[96];
    memset(into, '?', sizeof into);
    see(fgets(into, size, from) == into);
    see_text(into, sizeof into);
}
OWN void grown(FILE *from, char **line, size_t *size, int end) {
    long length = getline(line, size, from);
    see(length);
    see((long)*size);
    if (length > 0)
        see_text(*line, (size_t)length + 1);
    length = getdelim(line, size, end, from);
    see(length);
    see((long)*size);
    if (length > 0)
        see_text(*line, (size_t)length + 1);
}

OWN void state_of(FILE *from) {
    see(feof(from) != 0);
    see(ferror(from) != 0);
    see(fwide(from, 0));
    see(errno);
    errno = 0;
}

// `how`: which call comes first.
OWN void all(FILE *from, int how) {
    char *line = how % 2 ? NULL : malloc(5);
    size_t size = how % 2 ? 0 : 5;
    for (int i = 0; i < 40; ++i) {
        switch ((i + how) % 5) {
        case 0:
            bytes(from, i % 7 == 0 ? 'z' : -1);
            break;
        case 1:
            objects(from, (size_t)i % 4, (size_t)i % 9);
            break;
        case 2:
            lines(from, i % 11 == 0 ? 1 : i * 2 % 90);
            break;
        case 3:
            grown(from, &line, &size, 'e');
            break;
        case 4:
            see(ftell(from));
            break;
        }
        state_of(from);
    }
    free(line);
}

OWN void make(const char *name) {
    FILE *file = fopen(name, "w");
    for (int i = 0; i < 60; ++i) {
        for (int k = 0; k < i * 7 % 50; ++k)
            putc(k % 13 == 0 && i % 3 == 0 ? 0 : ' ' + (i * k + k) % 95, file);
        if (i != 59)
            putc(i % 17 == 0 ? '\377' : '\n', file);
    }
    fclose(file);
}

OWN void opened(FILE *file, int how, int mode, size_t size) {
    static char buffer[8192];
    if (file == NULL)
        return;
    if (mode >= 0)
        setvbuf(file, mode == _IONBF ? NULL : buffer, mode, size);
    all(file, how);
    rewind(file);
    see(ungetc('q', file));
    all(file, how + 1);
    see(fseek(file, 5, SEEK_SET));
    all(file, how + 2);
    fclose(file);
}

OWN void written_too(const char *name, int how) {
    FILE *file = fopen(name, "r+");
    all(file, how);
    fseek(file, 10, SEEK_SET);
    fputs("written", file);
    fflush(file);
    all(file, how);
    fseek(file, 0, SEEK_END);
    fputs("behind", file);
    all(file, how);
    fclose(file);
    file = fopen(name, "a");
    all(file, how);
    fclose(file);
}

static ssize_t some_of(void *cookie, char *to, size_t size) {
    int *left = cookie;
    if (*left == 0) {
        errno = EIO;
        return -1;
    }
    --*left;
    memset(to, 'a' + *left, size < 9 ? size : 9);
    to[0] = '\n';
    return size < 9 ? (ssize_t)size : 9;
}

OWN void elsewhere(const char *name, int how) {
    char text[] = "some text\nin memory, with lines\n\nand an end";
    opened(fmemopen(text, sizeof text - 1, "r"), how, -1, 0);
    int left = 30;
    opened(fopencookie(&left, "r", (cookie_io_functions_t){.read = some_of}), how, -1, 0);
    opened(fopen("/", "r"), how, -1, 0);
    FILE *wide = fopen(name, "r");
    see((long)fgetwc(wide));
    all(wide, how);
    fclose(wide);
    int ends[2];
    if (pipe(ends) == 0 && write(ends[1], text, sizeof text) > 0) {
        close(ends[1]);
        opened(fdopen(ends[0], "r"), how, -1, 0);
    }
}

static int nothing(int unused) { return unused; }
OWN void *beside(void *file) {
    all(file, nothing(2));
    return NULL;
}

int main(void) {
    char name[] = "/tmp/read_in_place.XXXXXX";
    close(mkstemp(name));
    for (int how = 0; how < 5; ++how) {
        make(name);
        opened(fopen(name, "r"), how, -1, 0);
        opened(fopen(name, "r"), how, _IONBF, 0);
        for (size_t size = 1; size < 300; size += 37)
            opened(fopen(name, "r"), how, _IOFBF, size);
        written_too(name, how);
        elsewhere(name, how);
    }
    make(name);
    FILE *file = fopen(name, "r");
    see(getc(file));
    pthread_t thread;
    pthread_create(&thread, NULL, beside, file);
    pthread_join(thread, NULL);
    all(file, 3);
    fclose(file);
    unlink(name);
    printf("%llu\n", (unsigned long long)seen);
    return 0;
}
