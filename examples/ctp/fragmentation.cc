// examples: Frag, fragmentation and reassembly
#include "ctp/fragmentation.h"

#include <algorithm>

namespace ctp {

Fragmentation::Fragmentation(Context &context) : context_(context), fragment_bytes_(context.config.fragment_bytes) {
    Events &events = context.events;
    events.msg_from_user.bind<&Fragmentation::msg_from_user>(this, 20);
    events.window_opened.bind<&Fragmentation::window_opened>(this, 20);
    events.seg_to_user.bind<&Fragmentation::seg_to_user>(this, 20);
    events.resize_fragment.bind<&Fragmentation::resize_fragment>(this, 10);
    events.close.bind<&Fragmentation::close>(this, 10);
}

void Fragmentation::msg_from_user(Message &message) {
    const std::size_t size = message.bytes.size();
    const std::size_t count = std::max<std::size_t>(1, (size + fragment_bytes_ - 1) / fragment_bytes_);
    outgoing_.push_back({{message.bytes.begin(), message.bytes.end()},
                         next_message_++,
                         fragment_bytes_,
                         0,
                         static_cast<std::uint16_t>(count)});
    context_.backlog = static_cast<std::uint32_t>(outgoing_.size());
    window_opened();
}

void Fragmentation::window_opened() {
    while (context_.window_open && !outgoing_.empty()) {
        send_next_fragment();
    }
}

void Fragmentation::send_next_fragment() {
    Outgoing &message = outgoing_.front();
    const std::size_t begin = std::size_t{message.next} * message.fragment_bytes;
    const std::size_t size = std::min<std::size_t>(message.fragment_bytes, message.bytes.size() - begin);
    Segment &segment = context_.pool.take();  // PAU gives it back once it is acknowledged
    segment.header.kind = Kind::data;
    segment.header.fragment = {message.number, message.next, message.count};
    segment.header.length = static_cast<std::uint16_t>(size);
    std::copy_n(message.bytes.begin() + static_cast<std::ptrdiff_t>(begin), size, segment.bytes.begin());
    if (++message.next == message.count) {
        outgoing_.pop_front();
        context_.backlog = static_cast<std::uint32_t>(outgoing_.size());
    }
    context_.events.seg_from_user.raise(segment);
}

// Segments come in order, so fragments do; a peer that does otherwise loses the message.
void Fragmentation::seg_to_user(Segment &segment) {
    const Fragment &fragment = segment.header.fragment;
    if (fragment.index == 0) {
        expected_ = fragment;
        incoming_.clear();
    }
    if (fragment != expected_ || incoming_.size() + segment.header.length > kMaxMessage) {
        ++context_.statistics.bad_packets;
        expected_ = {};
        return;
    }
    incoming_.insert(incoming_.end(), segment.bytes.begin(), segment.bytes.begin() + segment.header.length);
    if (++expected_.index == expected_.count) {
        Message message{incoming_};
        context_.events.msg_to_user.raise(message);
    }
}

void Fragmentation::resize_fragment(std::uint32_t bytes) { fragment_bytes_ = static_cast<std::uint16_t>(bytes); }

void Fragmentation::close() {
    outgoing_.clear();
    context_.backlog = 0;
}

}  // namespace ctp
