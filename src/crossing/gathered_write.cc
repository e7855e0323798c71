// crossing: writes that lie side by side in an ordinary file are made as one.
#include "crossing/gathered_write.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>

namespace {

// So many groups are left alone after a descriptor that is none of an ordinary file: asking costs two system calls (0.7 us where the writes
// of a group of three cost 4.9 us, on ext4), so that asking in vain costs less than 1 %.
constexpr uint32_t groups_left_alone = 32;

// statfs(2), where <linux/magic.h> doesn't have it.
constexpr uint32_t xfs_magic = 0x58465342;
// A file of these is a row of bytes, however it is written. One of a process, of the kernel's settings or of a device takes each write as a
// command.
constexpr uint32_t ordinary_file_systems[] = {EXT4_SUPER_MAGIC, xfs_magic,   BTRFS_SUPER_MAGIC,     F2FS_SUPER_MAGIC,
                                              RAMFS_MAGIC,      TMPFS_MAGIC, OVERLAYFS_SUPER_MAGIC, MSDOS_SUPER_MAGIC};

bool is_ordinary(int descriptor) {
    struct statfs system{};
    if (fstatfs(descriptor, &system) != 0 || (system.f_flags & ST_SYNCHRONOUS) != 0)
        return false;
    for (const uint32_t known : ordinary_file_systems)
        if (static_cast<uint32_t>(system.f_type) == known)
            return true;
    return false;
}

// A device's file system is asked for once; the number of one without a device (major 0) may be another's tomorrow.
bool is_on_ordinary(thalweg_crossing_file *file, int descriptor, uint64_t device) {
    if (major(device) != 0 && __atomic_load_n(&file->device, __ATOMIC_RELAXED) == device)
        return true;
    if (!is_ordinary(descriptor))
        return false;
    __atomic_store_n(&file->device, device, __ATOMIC_RELAXED);
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
    if (statx(descriptor, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_TYPE, &status) != 0 ||
        !S_ISREG(status.stx_mode))
        return false;
    const uint64_t device = makedev(status.stx_dev_major, status.stx_dev_minor);
    if (!is_open_for_plain_writes(descriptor) || !is_on_ordinary(file, descriptor, device))
        return false;
    thalweg_crossing_note_ordinary(known, epoch, descriptor, major(device) != 0 ? device : 0);
    return true;
}

// It came with a signal, or in place of one: it must not come twice.
bool comes_once(int error) { return error == EINTR || error == EFBIG; }

}  // namespace

bool thalweg_crossing_may_gather(thalweg_crossing_file *file, int descriptor, thalweg_crossing_descriptors *known) {
    if (thalweg_crossing_is_known(known, descriptor))
        return true;
    const int before = errno;
    const bool may = is_plain(file, descriptor, known);
    if (!may)
        __atomic_store_n(&file->left_alone, groups_left_alone, __ATOMIC_RELAXED);
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
