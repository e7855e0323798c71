// crossing: whole blocks are copied from file to file by the kernel, in front of the loop that does the rest (looped multi-call).
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/single_threaded.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/crossing.h"
#include "crossing/blocked_signals.h"
#include "crossing/file_system.h"
#include "crossing/own_calls.h"

namespace {

// The questions take ten calls, and each part two; the loop's two for each block that is copied here are saved.
constexpr off_t fewest_blocks = 8;
// So that a signal is answered in time: memory copies 1 MiB in less than 1 ms (measured: 0.4 ms on ext4).
constexpr size_t most_at_once = 1024UL * 1024;

bool has_blocks(int from, size_t block) {
    struct stat source{};
    // Files of /proc have no size.
    return fstat(from, &source) == 0 && S_ISREG(source.st_mode) &&
           source.st_size / static_cast<off_t>(block) >= fewest_blocks;
}

// How many whole blocks are left to read; 0: the files are not ones where the kernel's copy is the same as the loop's.
off_t blocks_left(int from, int to, size_t block) {
    struct stat source{};
    struct stat target{};
    if (fstat(from, &source) != 0 || fstat(to, &target) != 0 || !S_ISREG(source.st_mode) || !S_ISREG(target.st_mode))
        return 0;
    // A file that is copied into itself is read again where it was written.
    if (source.st_dev != target.st_dev || source.st_ino == target.st_ino)
        return 0;
    const off_t at = lseek(from, 0, SEEK_CUR);
    const off_t left = at < 0 || at > source.st_size ? 0 : (source.st_size - at) / static_cast<off_t>(block);
    return left < fewest_blocks ? 0 : left;
}

// O_APPEND and O_SYNC say where and when each write is made; O_DIRECT wants the program's own memory.
bool are_plain(int from, int to) {
    const int source = fcntl(from, F_GETFL);
    const int target = fcntl(to, F_GETFL);
    return source >= 0 && target >= 0 && (source & O_DIRECT) == 0 && (target & (O_DIRECT | O_APPEND | O_SYNC)) == 0;
}

// Beyond a limit the kernel sends SIGXFSZ, at the write where it is reached (setrlimit(2)). What ends before it, or there, meets none.
bool is_below_limit(int to, size_t bytes) {
    rlimit limit{};
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0)
        return false;
    if (limit.rlim_cur == RLIM_INFINITY)
        return true;
    const off_t at = lseek(to, 0, SEEK_CUR);
    return at >= 0 && bytes <= limit.rlim_cur && static_cast<rlim_t>(at) <= limit.rlim_cur - bytes;
}

// How many bytes of whole blocks may be copied now.
size_t bytes_to_copy(int from, int to, size_t block) {
    const off_t blocks = __libc_single_threaded ? blocks_left(from, to, block) : 0;
    const size_t bytes = static_cast<size_t>(blocks) * block;
    const bool may_copy = blocks > 0 && are_plain(from, to) && is_below_limit(to, bytes) &&
                          (thalweg_crossing_promises_of(to) & thalweg_crossing_copies_bytes) != 0;
    return may_copy ? bytes : 0;
}

// Back to where the last whole block ended. Both or none: what was copied stays at the same place in both.
size_t put_back(int from, int to, size_t bytes) {
    if (lseek(from, -static_cast<off_t>(bytes), SEEK_CUR) < 0)
        return 0;
    if (lseek(to, -static_cast<off_t>(bytes), SEEK_CUR) >= 0)
        return bytes;
    lseek(from, static_cast<off_t>(bytes), SEEK_CUR);
    return 0;
}

// Not by copy_file_range, which may let both files share blocks, so that a later write lacks the room for its own. 0: nothing more can be copied.
// One that ended within a block (SIGSTOP, a debugger) is made whole before a handler may jump out and leave half of it in the file.
size_t copy_part(int from, int to, size_t block, size_t wanted) {
    size_t copied = 0;
    size_t more = 0;
    do {
        const ssize_t got = sendfile(to, from, nullptr, more == 0 ? wanted : block - more);
        if (got <= 0)
            break;
        copied += static_cast<size_t>(got);
        more = copied % block;
    } while (more != 0);
    return copied - (more == 0 ? 0 : put_back(from, to, more));
}

enum class Next { ask_again, end };

// Copies until a handler waits or nothing is left. While signals are blocked nobody in this process can do anything, so that what was asked holds.
Next copy_parts(int from, int to, size_t block, const BlockedSignals &blocked, size_t &copied) {
    const size_t all = bytes_to_copy(from, to, block);
    const size_t at_once = block < most_at_once ? most_at_once / block * block : block;
    for (size_t done = 0; done < all;) {
        const size_t wanted = all - done < at_once ? all - done : at_once;
        const size_t part = copy_part(from, to, block, wanted);
        done += part;
        copied += part;
        if (part == 0)
            return Next::end;
        // What stops the process (SIGSTOP, a debugger) ends a part too early, as the end of the file or of the disk does.
        if (part < wanted || (done < all && blocked.is_one_waiting()))
            return Next::ask_again;
    }
    return Next::end;
}

}  // namespace

// Handlers run between two parts alone, where both offsets stand behind a whole block, as between two rounds of the loop. What one of them does
// to the descriptors, it does to those that the loop would have used: all is asked again.
size_t thalweg_crossing_copy(int from, int to, size_t block) {
    if (!thalweg_crossing_may_call() || !__libc_single_threaded || block == 0)
        return 0;
    const int before = errno;
    const bool is_worth_asking = has_blocks(from, block);
    errno = before;
    if (!is_worth_asking)
        return 0;
    size_t copied = 0;
    for (Next next = Next::ask_again; next == Next::ask_again;) {
        BlockedSignals blocked;
        next = blocked.are_blocked() ? copy_parts(from, to, block, blocked, copied) : Next::end;
    }
    return copied;
}
