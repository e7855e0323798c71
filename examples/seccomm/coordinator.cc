// examples: Coordinator
#include "seccomm/coordinator.h"

#include <algorithm>
#include <cstring>

namespace seccomm {
namespace {

constexpr std::uint32_t kMagic = 0x5343504d;

}  // namespace

Coordinator::Coordinator(Context &context) : context_(context) {
    Events &events = context.events;
    events.msg_from_user.bind<&Coordinator::msg_from_user>(this, 10);
    events.msg_to_net.bind<&Coordinator::msg_to_net>(this, 10);
    events.msg_from_net.bind<&Coordinator::msg_from_net>(this, 10);
    events.msg_to_user.bind<&Coordinator::msg_to_user>(this, 10);
}

void Coordinator::msg_from_user(Message &message) {
    std::uint8_t *frame = message.bytes.data() + kIvBytes;
    const auto length = static_cast<std::uint32_t>(message.text_size);
    std::memcpy(frame, &kMagic, 4);
    std::memcpy(frame + 4, &length, 4);
    // Padding as PKCS #7: as many bytes as are added, each of that value; always at least one.
    const std::size_t padding = kBlock - message.text_size % kBlock;
    std::fill_n(frame + kHeaderBytes + message.text_size, padding, static_cast<std::uint8_t>(padding));
    message.size = kIvBytes + kHeaderBytes + message.text_size + padding;
    context_.events.encrypt.raise(message);
    context_.events.msg_to_net.raise(message);
}

void Coordinator::msg_to_net(Message &) { ++context_.statistics.pushed; }

void Coordinator::msg_from_net(Message &message) {
    const bool whole_blocks = message.size >= kIvBytes + kHeaderBytes + kBlock && message.size % kBlock == 0;
    if (!whole_blocks || message.size > kMaxDatagram) {
        ++context_.statistics.refused;
        return;
    }
    context_.events.decrypt.raise(message);
    if (!unframe(message)) {
        ++context_.statistics.refused;
        return;
    }
    context_.events.msg_to_user.raise(message);
}

bool Coordinator::unframe(Message &message) const {
    const std::uint8_t *frame = message.bytes.data() + kIvBytes;
    std::uint32_t magic = 0, length = 0;
    std::memcpy(&magic, frame, 4);
    std::memcpy(&length, frame + 4, 4);
    const std::size_t room = message.size - kIvBytes - kHeaderBytes;
    if (magic != kMagic || length >= room || room - length > kBlock) {
        return false;
    }
    const auto padding = static_cast<std::uint8_t>(room - length);
    const std::uint8_t *after = frame + kHeaderBytes + length;
    message.text_size = length;
    return std::all_of(after, after + padding, [padding](std::uint8_t byte) { return byte == padding; });
}

void Coordinator::msg_to_user(Message &) { ++context_.statistics.popped; }

}  // namespace seccomm
