// examples: the messages that video_sender sends to video_receiver: a kind and a compressed frame
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace video {

enum class MessageKind : std::uint8_t { frame = 1, end = 2 };

inline void write_message(std::vector<std::uint8_t> &out, MessageKind kind, std::span<const std::uint8_t> frame) {
    out.assign(1, static_cast<std::uint8_t>(kind));
    out.insert(out.end(), frame.begin(), frame.end());
}

struct MessageView {
    MessageKind kind;
    std::span<const std::uint8_t> frame;
};

inline std::optional<MessageView> read_message(std::span<const std::uint8_t> bytes) {
    if (bytes.empty()) {
        return std::nullopt;
    }
    const MessageView message{static_cast<MessageKind>(bytes[0]), bytes.subspan(1)};
    const bool known = message.kind == MessageKind::frame ? !message.frame.empty()
                                                          : message.kind == MessageKind::end && message.frame.empty();
    return known ? std::optional(message) : std::nullopt;
}

}  // namespace video
