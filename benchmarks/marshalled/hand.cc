// benchmarks: the limit, an engineer's merged protocol: one function an event, nothing marshalled, the lock taken once.
#include <cstring>

#include <pthread.h>

#include "../dispatch/digest.h"
#include "../dispatch/driver.h"
#include "work.h"

namespace {

struct Protocol {
    pthread_mutex_t lock;
#define HANDLER(event, handler, raises) Working<handler> of_##handler;
#include "handlers.def"
};
Protocol protocol;

template <class Handler>
void run(Working<Handler> &own, Segment &segment) {
    run_handler(own, segment, segment.length);
}

void on_adapt(Segment &segment) {
    pthread_mutex_lock(&protocol.lock);
    run(protocol.of_AdaptRate, segment);
    run(protocol.of_AdaptQuality, segment);
    pthread_mutex_unlock(&protocol.lock);
}

void send_locked(Segment &segment) {
    run(protocol.of_PositiveAck, segment);
    run(protocol.of_WindowControl, segment);
    run(protocol.of_FecMark, segment);
    run(protocol.of_SendSegment, segment);
}

void on_segment_to_net(Segment &segment) {
    pthread_mutex_lock(&protocol.lock);
    send_locked(segment);
    pthread_mutex_unlock(&protocol.lock);
}

void on_segment_from_user(Segment &segment) {
    pthread_mutex_lock(&protocol.lock);
    run(protocol.of_FecParity, segment);
    run(protocol.of_SequenceSegment, segment);
    run(protocol.of_DriveTransport, segment);
    send_locked(segment);
    run(protocol.of_FecGroup, segment);
    pthread_mutex_unlock(&protocol.lock);
}

}  // namespace

// The handlers' names, which the other variants are given, are ignored.
int main(int argc, char **argv) {
    if (argc < 3) {
        std::fprintf(stderr, "usage: %s Adapt|SegFromUser|Seg2Net|all COUNT\n", argv[0]);
        return 2;
    }
    pthread_mutex_init(&protocol.lock, nullptr);
    const auto chosen = [&](const char *name) {
        return std::strcmp(argv[1], name) == 0 || std::strcmp(argv[1], "all") == 0;
    };
    const uint64_t count = std::strtoull(argv[2], nullptr, 10);
    if (chosen("Adapt")) {
        time_case("Adapt", count, [](Segment &segment) { on_adapt(segment); });
    }
    if (chosen("SegFromUser")) {
        time_case("SegFromUser", count, [](Segment &segment) { on_segment_from_user(segment); });
    }
    if (chosen("Seg2Net")) {
        time_case("Seg2Net", count, [](Segment &segment) { on_segment_to_net(segment); });
    }
    uint64_t digest = 0;
#define HANDLER(event, handler, raises) digest ^= digest_of(#handler, protocol.of_##handler);
#include "handlers.def"
    std::printf("digest %016" PRIx64 "\n", digest);
}
