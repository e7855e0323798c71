// abi: what a program of one thread knows of its own descriptors, from its own calls, until something may have changed them.
#pragma once

#include <stdint.h>
#include <sys/stat.h>
#include <thalweg/abi.h>

// So many, from 0 on, are known: kernels give the lowest number that is free, and of more a program is asked each time.
inline constexpr int thalweg_crossing_known_descriptors = 64;

// The plug-in makes one for each program: zeros, but for the epoch, which begins at 1, and for `abroad`, which `main` resets.
// Everything noted in an earlier epoch is stale. The plug-in's code increments the epoch atomically (a signal handler may do so too):
// - before anything that may make a descriptor refer to another file;
// - where a function returns that may be a signal handler and notes something: the handler may have interrupted a call that changes it.
struct thalweg_crossing_descriptors {
    uint64_t epoch;
    uint64_t noted;  // more each time
    // Not 0: others' code is at work, and has called the program's perhaps; what that notes or knows could be wrong when it calls once more.
    uint64_t abroad;
    uint64_t device;  // the last one that ordinary files were on; 0: none
    struct {
        uint64_t opened;  // in this epoch it was open for writes that may be joined
        uint64_t ordinary;  // in this epoch it was an ordinary file's
    } of[thalweg_crossing_known_descriptors];
};

extern "C" {

// After a call of open that was made in `epoch` and gave `descriptor`.
void thalweg_crossing_note_open(thalweg_crossing_descriptors *known, uint64_t epoch, int descriptor, int flags);
// After a call of fstat that was made in `epoch` and gave `result`.
void thalweg_crossing_note_status(thalweg_crossing_descriptors *known, uint64_t epoch, int descriptor, int result,
                                  const struct stat *status);
// In front of close.
void thalweg_crossing_forget(thalweg_crossing_descriptors *known, int descriptor);

}  // extern "C"
