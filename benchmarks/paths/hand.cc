// benchmarks: the same by hand: what is between two waits is a case, and where to go on a number.
#include "paths/path.h"

namespace {

uint64_t sum;
bool has_header;
int header;

}  // namespace

void start_relay() { sum = 0; }

void start_frames() {
    sum = 0;
    has_header = false;
}

void bring_sample(int sample) { sum = 3 * sum + static_cast<uint64_t>(sample); }

void bring_part(int part) {
    if (!has_header) {
        header = part;
        has_header = true;
        return;
    }
    has_header = false;
    sum = 5 * sum + static_cast<uint64_t>(header ^ part);
}

uint64_t result() { return sum; }
