// abi: descriptors that are made with the flags that calls behind would set.
#pragma once

#include <stdint.h>
#include <thalweg/abi.h>

// What is known of a call that makes descriptors (decision `fuse`). The plug-in makes one for each decision, filled with zeros.
struct thalweg_crossing_maker {
    uint32_t known;  // 0: not asked yet
    uint32_t left_alone;  // so many calls are made as they stand
};

// What is taken back.
inline constexpr uint32_t thalweg_crossing_closes_on_exec = 1;
inline constexpr uint32_t thalweg_crossing_does_not_wait = 2;

extern "C" {

// Whether the descriptor may be made with its flags. `alone`: 1: only by a process of one thread.
bool thalweg_crossing_may_flag(thalweg_crossing_maker *maker, uint32_t alone);
// After the first call that was made as it stands: whether others may take its place from now on. `status`: what F_GETFL has to give; -1:
// anything. errno stays as it is.
void thalweg_crossing_look(thalweg_crossing_maker *maker, int descriptor, int status);
// After a call with flags has failed: whether it is the flags that this kernel doesn't know, and the call is to be made as it stands.
bool thalweg_crossing_lacks_flags(thalweg_crossing_maker *maker);
// The calls behind will not come, or not yet: takes these flags away. errno stays as it is.
void thalweg_crossing_take_back(thalweg_crossing_maker *maker, int descriptor, uint32_t flags);

}  // extern "C"
