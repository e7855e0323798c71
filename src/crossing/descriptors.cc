// crossing: what a program of one thread knows of its own descriptors, from its own calls, until something may have changed them.
#include "crossing/descriptors.h"

#include <fcntl.h>
#include <sys/single_threaded.h>

namespace {

using Known = thalweg_crossing_descriptors;

uint64_t load(const uint64_t &word) { return __atomic_load_n(&word, __ATOMIC_RELAXED); }

// Another thread could close a descriptor at any moment.
bool can_know(const Known *known, int descriptor) {
    return known && descriptor >= 0 && descriptor < thalweg_crossing_known_descriptors && __libc_single_threaded != 0 &&
           load(known->abroad) == 0;
}

void store(uint64_t &word, uint64_t value) { __atomic_store_n(&word, value, __ATOMIC_RELAXED); }

void note(Known &known, uint64_t &word, uint64_t epoch) {
    store(known.noted, load(known.noted) + 1);
    store(word, epoch);
}

}  // namespace

// What is synchronous is on the disk when the call returns, each before the next; parts of a direct write have to be aligned each.
bool thalweg_crossing_takes_joined_writes(int flags) {
    return (flags & O_ACCMODE) != O_RDONLY && (flags & (O_SYNC | O_DSYNC | O_DIRECT | O_PATH)) == 0;
}

bool thalweg_crossing_is_known(const Known *known, int descriptor) {
    if (!can_know(known, descriptor))
        return false;
    const uint64_t now = load(known->epoch);
    return load(known->of[descriptor].opened) == now && load(known->of[descriptor].ordinary) == now;
}

void thalweg_crossing_note_ordinary(Known *known, uint64_t epoch, int descriptor, uint64_t device) {
    if (!can_know(known, descriptor))
        return;
    note(*known, known->of[descriptor].opened, epoch);
    note(*known, known->of[descriptor].ordinary, epoch);
    if (device != 0)
        store(known->device, device);
}

void thalweg_crossing_note_open(Known *known, uint64_t epoch, int descriptor, int flags) {
    if (can_know(known, descriptor))
        note(*known, known->of[descriptor].opened, thalweg_crossing_takes_joined_writes(flags) ? epoch : 0);
}

void thalweg_crossing_note_status(Known *known, uint64_t epoch, int descriptor, int result, const struct stat *status) {
    if (!can_know(known, descriptor) || result != 0)
        return;
    const uint64_t device = load(known->device);
    if (S_ISREG(status->st_mode) && device != 0 && status->st_dev == device)
        note(*known, known->of[descriptor].ordinary, epoch);
}

// That counts as noted: where a handler has closed it, an epoch begins, and what the program was just asking is known of nobody.
void thalweg_crossing_forget(Known *known, int descriptor) {
    if (descriptor < 0 || descriptor >= thalweg_crossing_known_descriptors)
        return;
    store(known->noted, load(known->noted) + 1);
    store(known->of[descriptor].opened, 0);
    store(known->of[descriptor].ordinary, 0);
}
