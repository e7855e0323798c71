// examples: SeqSeg, sequencing
#include "ctp/sequencing.h"

namespace ctp {

Sequencing::Sequencing(Context &context) : context_(context) {
    Events &events = context.events;
    events.open.bind<&Sequencing::open>(this, 20);
    events.seg_from_user.bind<&Sequencing::seg_from_user>(this, 20);
    events.seg_from_net.bind<&Sequencing::seg_from_net>(this, 20);
    events.segment_recovered.bind<&Sequencing::segment_recovered>(this, 20);
}

void Sequencing::open() {
    send_next_ = 0;
    context_.receive_next = 0;
}

void Sequencing::seg_from_user(Segment &segment) { segment.header.sequence = send_next_++; }

void Sequencing::seg_from_net(Segment &segment) {
    if (segment.header.kind == Kind::data && !accept(segment)) {
        // Too far ahead to keep. Nobody may acknowledge it: it has to come again.
        context_.events.seg_from_net.halt();
    }
}

void Sequencing::segment_recovered(Segment &segment) {
    if (!accept(segment)) {
        context_.events.segment_recovered.halt();
    }
}

bool Sequencing::accept(Segment &segment) {
    const std::uint32_t sequence = segment.header.sequence;
    if (sequence == context_.receive_next) {
        deliver(segment);
        return true;
    }
    if (before(sequence, context_.receive_next)) {
        ++context_.statistics.duplicates;
        return true;
    }
    if (sequence - context_.receive_next >= kRing) {
        return false;
    }
    Segment *&place = early_[sequence % kRing];
    if (place) {
        ++context_.statistics.duplicates;
        return true;
    }
    place = &context_.pool.take();
    *place = segment;
    return true;
}

void Sequencing::deliver(Segment &segment) {
    ++context_.receive_next;
    context_.events.seg_to_user.raise(segment);
    while (Segment *next = early_[context_.receive_next % kRing]) {
        early_[context_.receive_next % kRing] = nullptr;
        ++context_.receive_next;
        context_.events.seg_to_user.raise(*next);
        context_.pool.give_back(*next);
    }
}

}  // namespace ctp
