// quickstart: a digest of all that was seen, in the order in which it was seen.
#include "station.h"

static void write_down(Journal *journal, int sensor, double celsius) {
    journal->digest =
        (journal->digest ^ static_cast<uint64_t>(static_cast<int64_t>(celsius * 1024) + sensor)) * 0x100000001b3;
}

Journal::Journal(Station &station) { station.smoothed.bind<&write_down>(this, {.order = 1}); }
