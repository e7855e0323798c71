// crossing: descriptors that are made with the flags that calls behind would set.
#include "abi/made_descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/single_threaded.h>

#include "crossing/own_calls.h"

namespace {

enum : uint32_t { not_asked, may_flag, may_not };
// What was set and is taken back costs up to three calls: tried so seldom, a program that mostly goes another way pays a tenth of a call more.
constexpr uint32_t left_alone_after_surprise = 32;

uint32_t load(const uint32_t &word) { return __atomic_load_n(&word, __ATOMIC_RELAXED); }
void store(uint32_t &word, uint32_t value) { __atomic_store_n(&word, value, __ATOMIC_RELAXED); }

}  // namespace

bool thalweg_crossing_may_flag(thalweg_crossing_maker *maker, uint32_t alone) {
    if (load(maker->known) != may_flag || (alone != 0 && !__libc_single_threaded))
        return false;
    const uint32_t left = load(maker->left_alone);
    if (left == 0)
        return true;
    store(maker->left_alone, left - 1);
    return false;
}

void thalweg_crossing_look(thalweg_crossing_maker *maker, int descriptor, int status) {
    if (descriptor < 0 || load(maker->known) != not_asked)
        return;
    const int before = errno;
    const bool is_as_wanted = thalweg_crossing_may_call() && (status < 0 || fcntl(descriptor, F_GETFL) == status);
    store(maker->known, is_as_wanted ? may_flag : may_not);
    errno = before;
}

bool thalweg_crossing_lacks_flags(thalweg_crossing_maker *maker) {
    if (errno == ENOSYS)
        store(maker->known, may_not);
    // EINVAL: of flags that it doesn't know, or of arguments that the call as it stands refuses too.
    return errno == ENOSYS || errno == EINVAL;
}

void thalweg_crossing_take_back(thalweg_crossing_maker *maker, int descriptor, uint32_t flags) {
    const int before = errno;
    if ((flags & thalweg_crossing_closes_on_exec) != 0)
        fcntl(descriptor, F_SETFD, 0);
    if ((flags & thalweg_crossing_does_not_wait) != 0)
        fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
    store(maker->left_alone, left_alone_after_surprise);
    errno = before;
}
