// recorder: a file of the wanted size in memory, with its disk space taken beforehand.
#include "recorder/mapped_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace thalweg::recorder {

namespace {

// Beyond this limit the kernel would send SIGXFSZ, which ends the user's program.
bool over_file_size_limit(size_t size) {
    rlimit limit{};
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < size;
}

// `size`: that it is to get.
int open_empty_file(const char *path, size_t size) {
    if (over_file_size_limit(size)) {
        errno = EFBIG;
        return -1;
    }
    return open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
}

void give_up(int descriptor, const char *path, int problem) {
    close(descriptor);
    unlink(path);
    errno = problem;
}

}  // namespace

int open_new_file(const char *path, size_t size) {
    const int descriptor = open_empty_file(path, size);
    if (descriptor < 0)
        return -1;
    if (const int problem = posix_fallocate(descriptor, 0, static_cast<off_t>(size)); problem != 0) {
        give_up(descriptor, path, problem);
        return -1;
    }
    return descriptor;
}

int open_sparse_file(const char *path, size_t size) {
    const int descriptor = open_empty_file(path, size);
    if (descriptor < 0 || ftruncate(descriptor, static_cast<off_t>(size)) == 0)
        return descriptor;
    give_up(descriptor, path, errno);
    return -1;
}

void *map_new_file(const char *path, size_t size) {
    const int descriptor = open_new_file(path, size);
    if (descriptor < 0)
        return nullptr;
    void *bytes = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (bytes == MAP_FAILED) {
        give_up(descriptor, path, errno);
        return nullptr;
    }
    close(descriptor);
    return bytes;
}

void *map_memory(size_t size) {
    void *bytes = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return bytes == MAP_FAILED ? nullptr : bytes;
}

void unmap_memory(void *bytes, size_t size) { munmap(bytes, size); }

void warn(const char *what, const char *path, int problem) {
    char line[512];
    const int length =
        snprintf(line, sizeof line, "thalweg recorder: %s %s: %s; recording stops here, the program goes on\n", what,
                 path, strerror(problem));
    const size_t size = length < static_cast<int>(sizeof line) ? static_cast<size_t>(length) : sizeof line - 1;
    if (length > 0 && write(2, line, size) < 0)
        return;
}

}  // namespace thalweg::recorder
