// examples: FEC, forward error correction by XOR parity
#include "ctp/fec.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace ctp {

Fec::Fec(Context &context) : context_(context), group_size_(context.config.group_size) {
    Events &events = context.events;
    events.open.bind<&Fec::open>(this, 30);
    events.seg_from_user.bind<&Fec::seg_from_user_1>(this, 10);
    events.seg_from_user.bind<&Fec::seg_from_user_2>(this, 40);
    events.seg_to_net.bind<&Fec::seg_to_net>(this, 30);
    events.seg_from_net.bind<&Fec::seg_from_net>(this, 30);
    events.adapt.bind<&Fec::adapt>(this, 20);
}

void Fec::Group::start(std::uint32_t first_sequence) {
    used = true;
    first = first_sequence;
    seen = 0;
    size = length = longest = 0;
    fragment = {};
}

void Fec::Group::add(const Fragment &other, std::uint16_t other_length, std::span<const std::uint8_t> payload) {
    fragment.message ^= other.message;
    fragment.index ^= other.index;
    fragment.count ^= other.count;
    length ^= other_length;
    const std::size_t shared = std::min<std::size_t>(longest, payload.size());
    for (std::size_t i = 0; i < shared; ++i) {
        bytes[i] ^= payload[i];
    }
    if (payload.size() > shared) {
        std::copy(payload.begin() + static_cast<std::ptrdiff_t>(shared), payload.end(), bytes.begin() + longest);
        longest = static_cast<std::uint16_t>(payload.size());
    }
}

void Fec::open() {
    sending_.used = false;
    for (Group &group : receiving_) {
        group.used = false;
    }
}

void Fec::seg_from_user_1(Segment &segment) {
    if (!sending_.used) {
        sending_.start(0);
    }
    segment.header.group_index = static_cast<std::uint8_t>(sending_.size);
}

void Fec::seg_from_user_2(Segment &segment) {
    const Header &header = segment.header;
    if (sending_.size == 0) {
        sending_.first = header.sequence;
    }
    sending_.add(header.fragment, header.length, segment.payload());
    ++sending_.size;
    // A message's last segment closes its group: a receiver must not wait for the next message to recover this one.
    if (sending_.size >= group_size_ || header.fragment.index + 1 == header.fragment.count) {
        send_parity();
    }
}

void Fec::send_parity() {
    Segment &parity = context_.pool.take();
    parity.header.kind = Kind::parity;
    parity.header.session = context_.session;
    parity.header.sequence = sending_.first;
    parity.header.group_size = sending_.size;
    parity.header.parity_length = sending_.length;
    parity.header.fragment = sending_.fragment;
    parity.header.length = sending_.longest;
    std::copy_n(sending_.bytes.begin(), sending_.longest, parity.bytes.begin());
    sending_.used = false;
    context_.events.seg_to_net.raise(parity);
    context_.pool.give_back(parity);
}

void Fec::seg_to_net(Segment &segment) {
    if (segment.header.kind == Kind::data) {
        data_bytes_ += segment.header.length;
    } else if (segment.header.kind == Kind::parity) {
        parity_bytes_ += segment.header.length;
    }
}

// Null for a group so old that its place is taken by a newer one.
Fec::Group *Fec::group_of(std::uint32_t first) {
    Group &group = receiving_[first % kGroups];
    if (group.used && before(first, group.first)) {
        return nullptr;
    }
    if (!group.used || group.first != first) {
        group.start(first);
    }
    return &group;
}

void Fec::seg_from_net(Segment &segment) {
    const Header &header = segment.header;
    if (header.kind == Kind::parity) {
        Group *group = group_of(header.sequence);
        if (group && group->size == 0) {
            group->size = header.group_size;
            group->add(header.fragment, header.parity_length, segment.payload());
            recover(*group);
        }
        return;
    }
    if (header.kind != Kind::data) {
        return;
    }
    Group *group = group_of(header.sequence - header.group_index);
    const std::uint32_t bit = 1u << header.group_index;
    if (group && (group->seen & bit) == 0) {
        group->seen |= bit;
        group->add(header.fragment, header.length, segment.payload());
        recover(*group);
    }
}

// With the parity and all segments but one, what is left of the XOR is that one.
void Fec::recover(Group &group) {
    if (group.size == 0 || std::popcount(group.seen) + 1 != group.size) {
        return;
    }
    const unsigned missing = static_cast<unsigned>(std::countr_one(group.seen));
    const bool plausible =
        missing < group.size && group.length <= group.longest && group.fragment.index < group.fragment.count;
    if (!plausible) {
        return;  // the group's packets contradict each other: leave it to retransmission
    }
    group.seen |= 1u << missing;
    Segment &segment = context_.pool.take();
    segment.header.kind = Kind::data;
    segment.header.session = context_.session;
    segment.header.sequence = group.first + missing;
    segment.header.group_index = static_cast<std::uint8_t>(missing);
    segment.header.fragment = group.fragment;
    segment.header.length = group.length;
    std::copy_n(group.bytes.begin(), group.length, segment.bytes.begin());
    context_.events.segment_recovered.raise(segment);
    context_.pool.give_back(segment);
}

// Parity is cheap while little is lost: the groups are as small as the loss asks for.
void Fec::adapt() {
    const std::uint32_t loss = context_.loss_per_mille;
    if (loss > 100) {
        group_size_ = 2;
    } else if (loss > 20) {
        group_size_ = 4;
    } else {
        group_size_ = context_.config.group_size;
    }
    const std::uint32_t total = data_bytes_ + parity_bytes_;
    if (total > 0) {
        context_.parity_per_mille = static_cast<std::uint32_t>(std::uint64_t{1000} * parity_bytes_ / total);
    }
}

}  // namespace ctp
