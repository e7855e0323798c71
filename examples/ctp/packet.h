// examples: what CTP puts on the wire: one packet is one UDP datagram, a fixed header and a payload
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace ctp {

// The largest payload of a data packet. A parity packet's payload is as long as the longest of its group.
// 1200 bytes and the header stay below the 1280 bytes that every IPv6 link carries unfragmented (RFC 8200, section 5).
inline constexpr std::size_t kMaxPayload = 1200;
inline constexpr std::size_t kHeaderBytes = 36;
inline constexpr std::size_t kMaxPacket = kHeaderBytes + kMaxPayload;

// FEC groups: at most this many data packets share one parity packet.
inline constexpr unsigned kMaxGroup = 16;

enum class Kind : std::uint8_t { open = 1, open_ack = 2, data = 3, parity = 4, ack = 5, close = 6 };

// What identifies a fragment of a message; a parity packet carries the XOR of its group's (and of their lengths).
struct Fragment {
    std::uint32_t message = 0;
    std::uint16_t index = 0;
    std::uint16_t count = 0;
    friend bool operator==(const Fragment &, const Fragment &) = default;
};

// data:    `sequence` numbers it; it is number `group_index` of its FEC group, which starts at sequence - group_index
// parity:  `sequence` is the group's first, `group_size` its size; `fragment` and `parity_length` are XORs over the group
// ack:     `sequence` was received, and everything before `acked_before`; `stamp` is echoed from the acknowledged packet
struct Header {
    Kind kind = Kind::data;
    std::uint8_t attempt = 0;  // how often this packet was sent before
    std::uint8_t group_index = 0;
    std::uint16_t length = 0;  // of the payload
    std::uint32_t session = 0;
    std::uint32_t sequence = 0;
    std::uint32_t acked_before = 0;
    std::uint32_t stamp = 0;  // the sender's clock, in microseconds
    Fragment fragment;
    std::uint16_t parity_length = 0;
    std::uint16_t group_size = 0;
};

// Writes header and payload to `out`; gives the packet's size. The payload is at most kMaxPayload long.
std::size_t write_packet(const Header &header, std::span<const std::uint8_t> payload,
                         std::span<std::uint8_t, kMaxPacket> out);

struct PacketView {
    Header header;
    std::span<const std::uint8_t> payload;  // points into the bytes given to read_packet
};

// Nothing if these bytes are not a packet: wrong size, magic, version, kind, checksum, or fields that contradict each other.
std::optional<PacketView> read_packet(std::span<const std::uint8_t> bytes);

}  // namespace ctp
