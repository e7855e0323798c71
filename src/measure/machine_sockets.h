// measure: a socket whose messages nobody takes, for rows that only send; private to this room.
#pragma once

#include "base/result.h"
#include "measure/descriptor.h"

namespace thalweg::measure {

// What the rows send: as long as a message of a game or of a name server.
inline constexpr size_t message_bytes = 100;

// A connected UDP socket on the loopback. The other end is deaf: a filter drops each message when it arrives, so that none piles up.
struct DeafPair {
    Descriptor ours;
    Descriptor theirs;
};
Result<DeafPair> deaf_pair();

}  // namespace thalweg::measure
