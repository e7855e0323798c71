// crossing: calls whose result a thread knows, in a stretch in which it neither learned of others nor showed them anything, are not made.
#include <errno.h>
#include <fcntl.h>
#include <sys/single_threaded.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "abi/crossing.h"
#include "crossing/file_system.h"
#include "crossing/own_calls.h"

namespace {

using Stretch = thalweg_crossing_stretch;

static_assert(sizeof(Stretch) <= 128,
              "the plug-in's variable has so many bytes (src/transform/system_call/quiet_stretch.cc)");
static_assert(sizeof(off_t) == sizeof(int64_t), "fstat and fstat64 are one function");

// What may be asked for beside reading: none of them changes what a read of a regular file gives. (O_DIRECT does.)
constexpr int harmless_flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW | O_NOATIME | O_LARGEFILE |
                               0100000 /* the kernel's O_LARGEFILE, which is 0 here on 64-bit systems */;

// The kernel's VM_READAHEAD_PAGES (include/linux/mm.h): so much it reads ahead of a file that is read in order, advised or not.
constexpr int64_t read_ahead_bytes = 128L * 1024;

// The smallest page of any Linux: where a page ends, a read may end for another reason than the end of the file.
constexpr uint64_t page_bytes = 4096;

// read(2): no call transfers more.
constexpr size_t most_at_once = 0x7ffff000;

// A signal's handler on this thread may run between any two accesses.
int32_t load(const int32_t &word) { return __atomic_load_n(&word, __ATOMIC_RELAXED); }

void store(int32_t &word, int32_t value) {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    __atomic_store_n(&word, value, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

void end(Stretch &stretch) { store(stretch.descriptor, 0); }

// While one is there, handlers leave what is known alone, but may end the stretch. If a handler never returns, it stays so for good.
class Use {
  public:
    Use(Stretch &stretch, int descriptor) : stretch_(stretch), was_busy_(load(stretch.busy) != 0) {
        store(stretch_.busy, 1);
        knows_ = !was_busy_ && descriptor >= 0 && load(stretch_.descriptor) == descriptor + 1;
        if (!knows_)
            end(stretch_);
    }
    ~Use() { store(stretch_.busy, was_busy_ ? 1 : 0); }
    Use(const Use &) = delete;
    Use &operator=(const Use &) = delete;

    bool knows() const { return knows_; }
    // And no handler has ended the stretch since then.
    bool still_knows(int descriptor) const { return knows_ && load(stretch_.descriptor) == descriptor + 1; }

  private:
    Stretch &stretch_;
    bool was_busy_;
    bool knows_;
};

// Asked once of each file system that has a lasting number. A handler may have made the descriptor another file's meanwhile: then nothing is
// noted.
bool has_honest_reads(Stretch &stretch, const Use &use, int descriptor, uint64_t number) {
    for (uint32_t i = 0; i < stretch.file_systems; ++i)
        if (stretch.file_system[i] == number)
            return stretch.ends_at_size[i] != 0;
    if (number == 0 || stretch.file_systems == sizeof stretch.file_system / sizeof *stretch.file_system)
        return false;
    const bool ends = (thalweg_crossing_promises_of(descriptor) & thalweg_crossing_ends_at_size) != 0;
    if (!use.still_knows(descriptor))
        return false;
    stretch.file_system[stretch.file_systems] = number;
    stretch.ends_at_size[stretch.file_systems++] = ends ? 1 : 0;
    return ends;
}

void learn(Stretch &stretch, const Use &use, int descriptor, const struct stat &status, uint64_t number) {
    stretch.at_end = 0;
    stretch.size = status.st_size;
    const bool is_known = S_ISREG(status.st_mode) && status.st_size > 0 && number != 0 &&
                          has_honest_reads(stretch, use, descriptor, number);
    stretch.is_known = is_known ? 1 : 0;
    if (!is_known)
        end(stretch);
}

timespec time_of(const struct statx_timestamp &time) { return {time.tv_sec, static_cast<long>(time.tv_nsec)}; }

// As fstat of 64-bit systems has it, whose other bytes the kernel fills with zeros (cp_new_stat).
struct stat as_fstat(const struct statx &from) {
    struct stat status{};
    status.st_dev = makedev(from.stx_dev_major, from.stx_dev_minor);
    status.st_ino = from.stx_ino;
    status.st_mode = from.stx_mode;
    status.st_nlink = from.stx_nlink;
    status.st_uid = from.stx_uid;
    status.st_gid = from.stx_gid;
    status.st_rdev = makedev(from.stx_rdev_major, from.stx_rdev_minor);
    status.st_size = static_cast<off_t>(from.stx_size);
    status.st_blksize = static_cast<blksize_t>(from.stx_blksize);
    status.st_blocks = static_cast<blkcnt_t>(from.stx_blocks);
    status.st_atim = time_of(from.stx_atime);
    status.st_mtim = time_of(from.stx_mtime);
    status.st_ctim = time_of(from.stx_ctime);
    return status;
}

bool is_for_reading_in_order(off_t offset, off_t size, int advice) {
    return offset == 0 && size == 0 && (advice == POSIX_FADV_SEQUENTIAL || advice == POSIX_FADV_NORMAL);
}

// Whether a read of this many bytes to this place would give 0 at the end of a file, and not an error.
bool is_plain(const void *buffer, size_t size) {
    return size > 0 && size <= most_at_once &&
           static_cast<int64_t>(reinterpret_cast<uintptr_t>(buffer) + size) > 0;  // the kernel's access_ok
}

// Whether a read that gave fewer bytes than asked saw the end of the file, and not a fault of the disk or of the memory behind them.
bool saw_end(const Stretch &stretch, const void *buffer, size_t size, ssize_t got) {
    const uint64_t behind = reinterpret_cast<uintptr_t>(buffer) + static_cast<uint64_t>(got);
    return stretch.is_known != 0 && static_cast<size_t>(got) < size && size <= most_at_once &&
           stretch.offset == stretch.size && static_cast<uint64_t>(stretch.offset) % page_bytes != 0 &&
           behind % page_bytes != 0;
}

}  // namespace

void thalweg_crossing_opened(thalweg_crossing_stretch *stretch, int descriptor, int flags) {
    const bool is_of_use = descriptor >= 0 && (flags & ~harmless_flags) == 0 && __libc_single_threaded != 0 &&
                           load(stretch->busy) == 0 && load(stretch->descriptor) == thalweg_crossing_being_opened &&
                           thalweg_crossing_may_call();
    if (!is_of_use) {
        end(*stretch);
        return;
    }
    stretch->offset = 0;
    stretch->is_known = 0;
    stretch->at_end = 0;
    stretch->advice = 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    // What a handler has stored there since the call began stays.
    int32_t expected = thalweg_crossing_being_opened;
    if (!__atomic_compare_exchange_n(&stretch->descriptor, &expected, descriptor + 1, false, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED))
        end(*stretch);
}

// What fstat tells does not say which file system it is for good: the size stays unknown.
int thalweg_crossing_fstat(thalweg_crossing_stretch *stretch, int descriptor, struct stat *status) {
    const Use use(*stretch, descriptor);
    const int result = fstat(descriptor, status);
    if (use.knows())
        stretch->is_known = stretch->at_end = 0;
    return result;
}

// One call in place of one: statx gives what fstat does, and the file system's lasting number. Where it fails, fstat is made, whose error is
// the program's.
int thalweg_crossing_fstat_into(thalweg_crossing_stretch *stretch, int descriptor, struct stat *status) {
    const Use use(*stretch, descriptor);
    const int before = errno;
    struct statx from{};
    if (!use.knows() ||
        statx(descriptor, "", AT_EMPTY_PATH, STATX_BASIC_STATS | thalweg_crossing_asks_for_number, &from) != 0 ||
        (from.stx_mask & STATX_BASIC_STATS) != STATX_BASIC_STATS) {
        errno = before;
        end(*stretch);
        return fstat(descriptor, status);
    }
    *status = as_fstat(from);
    learn(*stretch, use, descriptor, *status, thalweg_crossing_number_of(from));
    return 0;
}

// One read of the end is left out, not a second: who waits for a file to grow finds out.
ssize_t thalweg_crossing_read(thalweg_crossing_stretch *stretch, int descriptor, void *buffer, size_t size) {
    const Use use(*stretch, descriptor);
    if (use.knows() && stretch->at_end != 0 && is_plain(buffer, size)) {
        end(*stretch);
        return 0;
    }
    const ssize_t got = read(descriptor, buffer, size);
    if (!use.knows())
        return got;
    stretch->at_end = 0;
    if (got <= 0) {
        end(*stretch);
        return got;
    }
    if (stretch->advice != 0 && static_cast<size_t>(got) == size)
        posix_fadvise(descriptor, 0, 0, stretch->advice - 1);
    stretch->advice = 0;
    stretch->offset += got;
    stretch->at_end = saw_end(*stretch, buffer, size, got) ? 1 : 0;
    return got;
}

off_t thalweg_crossing_lseek(thalweg_crossing_stretch *stretch, int descriptor, off_t offset, int whence) {
    const Use use(*stretch, descriptor);
    if (use.knows() && stretch->is_known != 0 && offset == 0 && whence == SEEK_CUR)
        return stretch->offset;
    end(*stretch);
    return lseek(descriptor, offset, whence);
}

int thalweg_crossing_posix_fadvise(thalweg_crossing_stretch *stretch, int descriptor, off_t offset, off_t size,
                                   int advice) {
    const Use use(*stretch, descriptor);
    if (use.knows() && is_for_reading_in_order(offset, size, advice) && stretch->is_known != 0 &&
        stretch->size <= read_ahead_bytes)
        return 0;
    return posix_fadvise(descriptor, offset, size, advice);
}

// Whatever the file is, advice changes nothing that a program could see. It waits until the file turns out to be large.
void thalweg_crossing_advise(thalweg_crossing_stretch *stretch, int descriptor, off_t offset, off_t size, int advice) {
    const Use use(*stretch, descriptor);
    const bool may_wait = use.knows() && is_for_reading_in_order(offset, size, advice);
    if (may_wait && stretch->is_known == 0)
        stretch->advice = advice + 1;
    else if (!may_wait || stretch->size > read_ahead_bytes)
        posix_fadvise(descriptor, offset, size, advice);
}
