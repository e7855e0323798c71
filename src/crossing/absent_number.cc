// crossing: numbers that are no descriptors are found out together, where a loop would ask for each of them.
#include "abi/absent_number.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/single_threaded.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "crossing/blocked_signals.h"
#include "crossing/own_calls.h"

namespace {

// Asking for all costs as much as so many calls in vain (`thalweg machine`: list-descriptors 6.46 us, close-absent 164 ns): whoever asks after as
// many never takes twice as long as whoever doesn't.
constexpr uint32_t first_patience = 40;
// It has paid where so many numbers in a row were none: twice that.
constexpr int32_t worth_asking = 2 * first_patience;
constexpr uint32_t most_doublings = 16;
// Each read brings some 40 numbers, and takes as long as two calls in vain.
constexpr int most_reads = 8;
constexpr size_t read_bytes = 1024;

// getdents64(2).
struct Entry {
    uint64_t inode;
    int64_t position;
    uint16_t size;
    uint8_t kind;
    char name[1];
};

// Between these two no number is a descriptor.
struct Gap {
    int32_t below = -1;
    int32_t above = INT32_MAX;
    bool is_known = false;

    void take(int32_t number, int32_t around) {
        if (number < around && number > below)
            below = number;
        if (number > around && number < above)
            above = number;
    }
};

// -1: it names none.
int32_t number_of(const char *name) {
    int64_t number = *name >= '0' && *name <= '9' ? 0 : -1;
    for (; *name >= '0' && *name <= '9' && number < INT32_MAX; ++name)
        number = number * 10 + (*name - '0');
    return *name == '\0' && number < INT32_MAX ? static_cast<int32_t>(number) : -1;
}

void take_entries(const char *bytes, long size, int32_t list, int32_t around, Gap &gap) {
    for (long at = 0; at < size;) {
        const auto *entry = reinterpret_cast<const Entry *>(bytes + at);
        const int32_t number = number_of(entry->name);
        if (number >= 0 && number != list)
            gap.take(number, around);
        at += entry->size;
    }
}

// The list's own descriptor is closed again: it is none of them.
Gap gap_in(int32_t list, int32_t around) {
    Gap gap;
    struct statfs system{};
    if (fstatfs(list, &system) != 0 || system.f_type != PROC_SUPER_MAGIC)
        return gap;
    for (int i = 0; i < most_reads; ++i) {
        alignas(Entry) char bytes[read_bytes];
        const long size = syscall(SYS_getdents64, list, bytes, sizeof bytes);
        if (size <= 0) {
            gap.is_known = size == 0;
            return gap;
        }
        take_entries(bytes, size, list, around, gap);
    }
    return gap;
}

// While the list is read its descriptor takes a number, which no signal's handler is to miss.
Gap gap_around(int32_t number) {
    const BlockedSignals blocked;
    Gap gap;
    if (!blocked.are_blocked())
        return gap;
    const int list = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (list < 0)
        return gap;
    gap = gap_in(list, number);
    // POSIX leaves open whether a close that failed has closed; once more does no harm, for nobody else opens meanwhile.
    if (close(list) != 0)
        close(list);
    return gap;
}

uint32_t patience(const thalweg_crossing_numbers &numbers) {
    if (numbers.pays != 0)
        return 1;
    return first_patience << (numbers.in_vain < most_doublings ? numbers.in_vain : most_doublings);
}

bool may_ask() { return __libc_single_threaded && thalweg_crossing_may_call(); }

}  // namespace

bool thalweg_crossing_is_absent(thalweg_crossing_numbers *numbers, int number) {
    if (number < numbers->from || number >= numbers->until)
        return false;
    errno = EBADF;
    return true;
}

void thalweg_crossing_was_made(thalweg_crossing_numbers *numbers, int number, int result) {
    // What was known was known at one moment, and this call was made after it.
    numbers->from = numbers->until = 0;
    if (result != -1 || errno != EBADF || number < 0)
        return;
    if (++numbers->misses < patience(*numbers))
        return;
    const Gap gap = may_ask() ? gap_around(number) : Gap{};
    numbers->misses = 0;
    numbers->pays = gap.is_known && gap.above - gap.below > worth_asking ? 1 : 0;
    numbers->in_vain += numbers->pays != 0 ? 0 : 1;
    if (!gap.is_known)
        return;
    numbers->from = gap.below + 1;
    numbers->until = gap.above;
}
