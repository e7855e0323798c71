// tests: files are written through a table of methods, and those write through a table of system calls, as in sqlite3.
#pragma once
#include <errno.h>
#include <sys/types.h>
#include <unistd.h>
ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset);
ssize_t pread(int file, void *bytes, size_t size, off_t offset);
#ifndef OF_WRITE_FILE
#define OF_WRITE_FILE
#endif
static struct {
    const char *name;
    ssize_t (*call)(int, const void *, size_t, off_t);
} calls[] = {{"pwrite", pwrite}};
// A program that may put another function there.
void replace_call(ssize_t (*call)(int, const void *, size_t, off_t)) { calls[0].call = call; }

struct file {
    const struct methods *methods;
    int descriptor, last_error;
};
struct methods {
    int version;
    int (*read)(struct file *, void *, int, off_t);
    int (*write)(struct file *, void *, int, off_t);
};
static int read_file(struct file *file, void *bytes, int size, off_t offset) {
    return pread(file->descriptor, bytes, (size_t)size, offset) == size ? 0 : 1;
}
OF_WRITE_FILE static int write_file(struct file *file, void *bytes, int size, off_t offset) {
    ssize_t got;
    do
        got = calls[0].call(file->descriptor, bytes, (size_t)size, offset);
    while (got < 0 && errno == EINTR);
    if (got == size)
        return 0;
    file->last_error = errno;
    return got < 0 ? 2 : 3;
}
static int drop(struct file *file, void *bytes, int size, off_t offset) { return 0 * (file->last_error = size); }
static const struct methods all_methods[] = {{1, read_file, write_file}, {1, read_file, drop}};

static int put_number(struct file *file, unsigned number, off_t offset) {
    unsigned char bytes[4] = {number >> 24, number >> 16, number >> 8, number};
    return file->methods->write(file, bytes, sizeof bytes, offset);
}
__attribute__((noinline)) int put_page(struct file *file, unsigned number, char *page, int size, off_t offset) {
    int problem = put_number(file, number, offset);
    if (problem)
        return problem;
    problem = file->methods->write(file, page, size, offset + 4);
    if (problem)
        return 10 * problem;
    return 100 * put_number(file, ~number, offset + 4 + size);
}
