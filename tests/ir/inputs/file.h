// tests: the calls that a program reads its files by, each in a function of its own.
#ifndef FILE_H
#define FILE_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>
#define OWN __attribute__((noinline)) static
OWN int open_file(const char *name) { return open(name, O_RDONLY); }
OWN int look_at(int file, struct stat *status) { return fstat(file, status); }
OWN ssize_t read_some(int file, void *buffer, size_t size) { return read(file, buffer, size); }
#endif
