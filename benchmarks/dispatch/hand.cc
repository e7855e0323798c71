// benchmarks: the limit, what an engineer writes who gives up the modules: one function an event, one file.
#include <cstring>

#include "bodies.h"
#include "digest.h"
#include "driver.h"

namespace {

struct Protocol {
#define HANDLER(case, event, handler, raises) handler::State of_##handler;
#include "handlers.def"
};
Protocol protocol;

void on_arrived(Segment &segment) {
    CountArrived::run(protocol.of_CountArrived, segment);
    CheckOrder::run(protocol.of_CheckOrder, segment);
    Checksum::run(protocol.of_Checksum, segment);
    Credit::run(protocol.of_Credit, segment);
}

void on_segment_from_user(Segment &segment) {
    FecParity::run(protocol.of_FecParity, segment);
    SequenceSegment::run(protocol.of_SequenceSegment, segment);
    DriveTransport::run(protocol.of_DriveTransport, segment);
    PositiveAck::run(protocol.of_PositiveAck, segment);
    WindowControl::run(protocol.of_WindowControl, segment);
    FecMark::run(protocol.of_FecMark, segment);
    SendSegment::run(protocol.of_SendSegment, segment);
    FecGroup::run(protocol.of_FecGroup, segment);
}

void on_received(Segment &segment) {
    CountReceived::run(protocol.of_CountReceived, segment);
    StripHeader::run(protocol.of_StripHeader, segment);
    SumPayload::run(protocol.of_SumPayload, segment);
    CheckFlags::run(protocol.of_CheckFlags, segment);
    NoteGap::run(protocol.of_NoteGap, segment);
    OrderSegment::run(protocol.of_OrderSegment, segment);
    DecodeWord::run(protocol.of_DecodeWord, segment);
    CountDecoded::run(protocol.of_CountDecoded, segment);
    DeliverWord::run(protocol.of_DeliverWord, segment);
    CountDelivered::run(protocol.of_CountDelivered, segment);
}

}  // namespace

// The handlers' names, which the other variants are given, are ignored.
int main(int argc, char **argv) {
    if (argc < 3) {
        std::fprintf(stderr, "usage: %s W1|W2|W3|all COUNT\n", argv[0]);
        return 2;
    }
    const auto chosen = [&](const char *name) {
        return std::strcmp(argv[1], name) == 0 || std::strcmp(argv[1], "all") == 0;
    };
    const uint64_t count = std::strtoull(argv[2], nullptr, 10);
    if (chosen("W1")) {
        time_case("W1", count, [](Segment &segment) { on_arrived(segment); });
    }
    if (chosen("W2")) {
        time_case("W2", count, [](Segment &segment) { on_segment_from_user(segment); });
    }
    if (chosen("W3")) {
        time_case("W3", count, [](Segment &segment) { on_received(segment); });
    }
    uint64_t digest = 0;
#define HANDLER(case, event, handler, raises) digest ^= digest_of(#handler, protocol.of_##handler);
#include "handlers.def"
    std::printf("digest %016" PRIx64 "\n", digest);
}
