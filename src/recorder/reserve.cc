// recorder: where a process writes that may open no file any more.
#include "recorder/reserve.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "recorder/mapped_file.h"

namespace thalweg::recorder {

namespace {

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23  // Linux 5.14; the headers may be older
#endif

size_t whole_pages(size_t size) { return (size + raw::reserve_page - 1) / raw::reserve_page * raw::reserve_page; }

char *bytes_of(raw::Reserve *reserve) { return reinterpret_cast<char *>(reserve); }

// Their disk space too. Where there is none left the kernel says so here, and not by SIGBUS at the first store.
bool have_space(void *bytes, size_t size) {
    if (madvise(bytes, size, MADV_POPULATE_WRITE) == 0)
        return true;
    errno = ENOSPC;  // the kernel's own word for it is EFAULT
    return false;
}

// So much less would be the program's.
bool has_limited_addresses() {
    rlimit limit{};
    return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

}  // namespace

raw::Reserve *make_reserve(const char *path) {
    if (has_limited_addresses())
        return nullptr;
    const int descriptor = open_sparse_file(path, raw::reserve_size);
    if (descriptor < 0)
        return nullptr;
    void *bytes = mmap(nullptr, raw::reserve_size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    close(descriptor);
    if (bytes == MAP_FAILED || !have_space(bytes, raw::reserve_page)) {
        if (bytes != MAP_FAILED)
            munmap(bytes, raw::reserve_size);
        unlink(path);
        return nullptr;
    }
    auto *reserve = static_cast<raw::Reserve *>(bytes);
    reserve->used = raw::reserve_page;
    return reserve;
}

bool may_take(int problem) {
    constexpr int reasons[] = {EACCES, EPERM, EROFS, ENOENT, ENOTDIR, ELOOP, EMFILE, ENFILE};
    for (const int reason : reasons)
        if (problem == reason)
            return true;
    return false;
}

void *take_part(raw::Reserve *reserve, size_t size) {
    const size_t whole = raw::reserve_page + whole_pages(size);
    uint64_t at = __atomic_load_n(&reserve->used, __ATOMIC_RELAXED);
    do {
        if (at > raw::reserve_size || whole > raw::reserve_size - at) {
            errno = ENOSPC;
            return nullptr;
        }
    } while (!__atomic_compare_exchange_n(&reserve->used, &at, at + whole, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    char *part = bytes_of(reserve) + at;
    // Its size first: whoever takes what lies behind it is found also where there is no room for this.
    if (!have_space(part, raw::reserve_page))
        return nullptr;
    memcpy(part, &size, sizeof size);
    return have_space(part + raw::reserve_page, whole - raw::reserve_page) ? part + raw::reserve_page : nullptr;
}

bool is_part(const raw::Reserve *reserve, const void *bytes) {
    const char *begin = reinterpret_cast<const char *>(reserve);
    return reserve != nullptr && bytes >= begin && bytes < begin + raw::reserve_size;
}

void drop_part(void *bytes, size_t size) {
    if (madvise(bytes, whole_pages(size), MADV_REMOVE) != 0)
        memset(bytes, 0, size);
}

}  // namespace thalweg::recorder
