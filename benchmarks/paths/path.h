// benchmarks: what the two programs give to the loop that times them.
#pragma once

#include <cstdint>

// Makes everything anew.
void start_relay();
void start_frames();
// What an operation is: a sample comes, of which a function computes; or half of a frame, its header and its body in turn.
void bring_sample(int sample);
void bring_part(int part);
// Of all that was computed since the start.
uint64_t result();
