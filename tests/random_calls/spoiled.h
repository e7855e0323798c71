// tests: what a wrong optimiser might do to a random program, so that the tests of them are seen to find it.
#pragma once

#if defined(SPOILED_LATE)
// The last write is made when the next call comes, or at the end: a fault in between finds the file without it.
static struct {
    int fd;
    size_t size;
    char bytes[1 << 18];
} waiting = {-1, 0, ""};
static void make_waiting(void) {
    const int fd = waiting.fd;
    waiting.fd = -1;
    if (fd >= 0)
        (void)write(fd, waiting.bytes, waiting.size);
}
static ssize_t late_write(int fd, const void *bytes, size_t size) {
    make_waiting();
    struct stat found;
    if (fstat(fd, &found) != 0 || !S_ISREG(found.st_mode) || size > 4096 || !(fcntl(fd, F_GETFL) & O_ACCMODE))
        return write(fd, bytes, size);
    waiting.fd = fd;
    waiting.size = size;
    memcpy(waiting.bytes, bytes, size);
    return (ssize_t)size;
}
#define write late_write
static int late_close(int fd) { return make_waiting(), close(fd); }
static int late_fstat(int fd, struct stat *found) { return make_waiting(), fstat(fd, found); }
static ssize_t late_read(int fd, void *bytes, size_t size) { return make_waiting(), read(fd, bytes, size); }
static off_t late_lseek(int fd, off_t offset, int whence) { return make_waiting(), lseek(fd, offset, whence); }
#define close late_close
#define fstat(fd, found) late_fstat(fd, found)
#define read late_read
#define lseek late_lseek
#define open(...) (make_waiting(), open(__VA_ARGS__))
#define dup(fd) (make_waiting(), dup(fd))
#define dup2(from, to) (make_waiting(), dup2(from, to))
#define show(what) (make_waiting(), show(what))
#elif defined(SPOILED_TORN)
// What is one call of the original is three here, and whoever comes in between is not asked where the file is.
static ssize_t torn_write(int fd, const void *bytes, size_t size) {
    const off_t at = lseek(fd, 0, SEEK_CUR);
    if (at < 0 || (fcntl(fd, F_GETFL) & O_APPEND))
        return write(fd, bytes, size);
    const ssize_t done = pwrite(fd, bytes, size, at);
    if (done >= 0)
        lseek(fd, at + done, SEEK_SET);
    return done;
}
#define write torn_write
#elif defined(SPOILED_BLIND)
// It makes a call that the original does not make, and relies on it.
static ssize_t blind_write(int fd, const void *bytes, size_t size) {
    struct statx status;
    if (fd >= 0 && statx(fd, "", AT_EMPTY_PATH, STATX_TYPE, &status) != 0 && errno != EBADF)
        return -1;
    return write(fd, bytes, size);
}
#define write blind_write
#endif
