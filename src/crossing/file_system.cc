// crossing: what a file system promises of its files, and how long that is known.
#include "crossing/file_system.h"

#include <errno.h>
#include <linux/magic.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>

namespace {

constexpr uint32_t xfs_magic = 0x58465342;  // statfs(2), where <linux/magic.h> doesn't have it
// statx(2), Linux 6.8; glibc 2.36 doesn't have it yet.
constexpr uint32_t unique_mount = 0x4000;
// So that a mount's number is none of a device, which fills the lower 44 bits.
constexpr uint64_t is_mount = uint64_t{1} << 63;

constexpr uint32_t row = thalweg_crossing_is_row_of_bytes;
constexpr uint32_t ends = thalweg_crossing_ends_at_size;
constexpr uint32_t copies = thalweg_crossing_copies_bytes;

// The one list; docs/SYSTEM_CALLS.md says why for each. What isn't here promises nothing: files of a process, of the kernel's settings or of a
// device take each write as a command, and servers (FUSE, NFS, 9p) answer as they like.
struct Row {
    uint32_t type;
    uint32_t promises;
};
constexpr Row file_systems[] = {
    {EXT4_SUPER_MAGIC, row | ends | copies},
    {xfs_magic, row | ends | copies},
    {BTRFS_SUPER_MAGIC, row | ends | copies},
    {TMPFS_MAGIC, row | ends | copies},
    {F2FS_SUPER_MAGIC, row | ends},
    {OVERLAYFS_SUPER_MAGIC, row | copies},
    {RAMFS_MAGIC, row},
    {MSDOS_SUPER_MAGIC, row},
};

}  // namespace

uint32_t thalweg_crossing_promises_of(int descriptor) {
    const int before = errno;
    struct statfs system{};
    const bool is_known = fstatfs(descriptor, &system) == 0;
    errno = before;
    if (!is_known)
        return 0;
    // One that is mounted as synchronous has each write on the disk before the next.
    const uint32_t kept = (system.f_flags & ST_SYNCHRONOUS) != 0 ? ends : row | ends | copies;
    for (const Row &one : file_systems)
        if (one.type == static_cast<uint32_t>(system.f_type))
            return one.promises & kept;
    return 0;
}

const uint32_t thalweg_crossing_asks_for_number = unique_mount;

// A mount stays one of its file system, and its unique number is never another's. Before Linux 6.8 there is the device's number. One without
// a device (major 0) is given to the next file system when this one is unmounted. A block device may also be mounted as another kind after
// that, by FUSE (fuseblk): on these older kernels it is taken that nobody does so under the running program.
uint64_t thalweg_crossing_number_of(const struct statx &status) {
    if ((status.stx_mask & unique_mount) != 0)
        return status.stx_mnt_id | is_mount;
    return status.stx_dev_major != 0 ? makedev(status.stx_dev_major, status.stx_dev_minor) : 0;
}
