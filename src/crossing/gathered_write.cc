// crossing: writes that lie side by side in an ordinary file are made as one.
#include "abi/gathered_write.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "crossing/descriptors.h"
#include "crossing/file_system.h"
#include "crossing/own_calls.h"

namespace {

// A file system with a lasting number is asked for once.
bool is_on_ordinary(thalweg_crossing_file *file, int descriptor, uint64_t number) {
    if (number != 0 && __atomic_load_n(&file->file_system, __ATOMIC_RELAXED) == number)
        return true;
    if ((thalweg_crossing_promises_of(descriptor) & thalweg_crossing_is_row_of_bytes) == 0)
        return false;
    __atomic_store_n(&file->file_system, number, __ATOMIC_RELAXED);
    return true;
}

bool is_open_for_plain_writes(int descriptor) {
    const int flags = fcntl(descriptor, F_GETFL);
    return flags != -1 && thalweg_crossing_takes_joined_writes(flags);
}

// Of the file's kind alone is asked: who asks for its times makes the next write note finer ones, which costs more than all this (1 us on
// ext4, Linux 6.18).
bool is_plain(thalweg_crossing_file *file, int descriptor, thalweg_crossing_descriptors *known) {
    const uint64_t epoch = known ? __atomic_load_n(&known->epoch, __ATOMIC_RELAXED) : 0;
    struct statx status{};
    if (statx(descriptor, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_TYPE | thalweg_crossing_asks_for_number,
              &status) != 0 ||
        !S_ISREG(status.stx_mode))
        return false;
    if (!is_open_for_plain_writes(descriptor) || !is_on_ordinary(file, descriptor, thalweg_crossing_number_of(status)))
        return false;
    // A block device holds rows of bytes, whoever has mounted it, now or later: its number serves those that only fstat tells of.
    const bool has_block_device = status.stx_dev_major != 0;
    thalweg_crossing_note_ordinary(known, epoch, descriptor,
                                   has_block_device ? makedev(status.stx_dev_major, status.stx_dev_minor) : 0);
    return true;
}

// It came with a signal, or in place of one: it must not come twice.
bool comes_once(int error) { return error == EINTR || error == EFBIG; }

}  // namespace

bool thalweg_crossing_may_gather(thalweg_crossing_file *file, int descriptor, thalweg_crossing_descriptors *known) {
    const bool may_call = thalweg_crossing_may_call();
    if (may_call && thalweg_crossing_is_known(known, descriptor))
        return true;
    const int before = errno;
    const bool may = may_call && is_plain(file, descriptor, known);
    if (!may)
        __atomic_store_n(&file->left_alone, thalweg_crossing_groups_left_alone, __ATOMIC_RELAXED);
    errno = before;
    return may;
}

bool thalweg_crossing_gather(int descriptor, const iovec *parts, int count, int64_t offset,
                             thalweg_crossing_written *written) {
    const int before = errno;
    int64_t wanted = 0;
    for (int i = 0; i < count; ++i)
        wanted += static_cast<int64_t>(parts[i].iov_len);
    const int64_t done = offset < 0 ? writev(descriptor, parts, count) : pwritev(descriptor, parts, count, offset);
    if (done == wanted)
        return true;
    if (done > 0)
        written->bytes = done;
    if (done < 0 && comes_once(errno)) {
        written->bytes = -1;
        written->error = errno;
    }
    errno = before;
    return false;
}

int64_t thalweg_crossing_written_of(thalweg_crossing_written *written, uint64_t size) {
    const int64_t bytes = written->bytes;
    if (bytes < 0) {
        written->bytes = 0;
        errno = written->error;
        return -1;
    }
    const int64_t taken = static_cast<uint64_t>(bytes) < size ? bytes : static_cast<int64_t>(size);
    written->bytes = bytes - taken;
    return taken;
}
