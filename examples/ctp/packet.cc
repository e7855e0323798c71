// examples: write and read CTP packets; the reader believes nothing
#include "ctp/packet.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace ctp {
namespace {

constexpr std::uint16_t kMagic = 0x4354;  // "CT"
constexpr std::uint8_t kVersion = 1;
constexpr std::size_t kChecksumAt = kHeaderBytes - 4;

struct Writer {
    std::uint8_t *at;
    void u8(std::uint8_t v) { *at++ = v; }
    void u16(std::uint16_t v) { u8(static_cast<std::uint8_t>(v >> 8)), u8(static_cast<std::uint8_t>(v)); }
    void u32(std::uint32_t v) { u16(static_cast<std::uint16_t>(v >> 16)), u16(static_cast<std::uint16_t>(v)); }
};

struct Reader {
    const std::uint8_t *at;
    std::uint8_t u8() { return *at++; }
    std::uint16_t u16() {
        unsigned high = u8();
        return static_cast<std::uint16_t>(high << 8 | u8());
    }
    std::uint32_t u32() {
        std::uint32_t high = u16();
        return high << 16 | u16();
    }
};

// The sum of all 32-bit little-endian words, carries added back in (RFC 1071): against damage on the way, not against an
// enemy (SecComm is for that).
std::uint32_t checksum(std::span<const std::uint8_t> header, std::span<const std::uint8_t> payload) {
    std::uint64_t sum = 0;
    for (auto bytes : {header, payload}) {
        std::size_t words = bytes.size() / 4;
        for (std::size_t i = 0; i < words; ++i) {
            std::uint32_t word;
            std::memcpy(&word, bytes.data() + 4 * i, 4);
            sum += word;
        }
        for (std::size_t i = 4 * words; i < bytes.size(); ++i) {
            sum += static_cast<std::uint64_t>(bytes[i]) << 8 * (i % 4);
        }
    }
    sum = (sum & 0xffffffff) + (sum >> 32);
    return ~static_cast<std::uint32_t>(sum + (sum >> 32));
}

bool consistent(const Header &h) {
    switch (h.kind) {
    case Kind::data:
        return h.fragment.index < h.fragment.count && h.group_index < kMaxGroup;
    case Kind::parity:
        return h.group_size > 0 && h.group_size <= kMaxGroup;
    case Kind::open:
    case Kind::open_ack:
    case Kind::ack:
    case Kind::close:
        return h.length == 0;
    }
    return false;
}

}  // namespace

std::size_t write_packet(const Header &header, std::span<const std::uint8_t> payload,
                         std::span<std::uint8_t, kMaxPacket> out) {
    assert(payload.size() <= kMaxPayload);
    Writer w{out.data()};
    w.u16(kMagic);
    w.u8(kVersion);
    w.u8(static_cast<std::uint8_t>(header.kind));
    w.u8(header.attempt);
    w.u8(header.group_index);
    w.u16(static_cast<std::uint16_t>(payload.size()));
    w.u32(header.session);
    w.u32(header.kind == Kind::ack ? header.acked_before : header.fragment.message);
    w.u32(header.sequence);
    w.u32(header.stamp);
    w.u16(header.fragment.index);
    w.u16(header.fragment.count);
    w.u16(header.parity_length);
    w.u16(header.group_size);
    w.u32(checksum(out.first(kChecksumAt), payload));
    std::copy(payload.begin(), payload.end(), w.at);
    return kHeaderBytes + payload.size();
}

std::optional<PacketView> read_packet(std::span<const std::uint8_t> bytes) {
    if (bytes.size() < kHeaderBytes || bytes.size() > kMaxPacket) {
        return std::nullopt;
    }
    Reader r{bytes.data()};
    if (r.u16() != kMagic || r.u8() != kVersion) {
        return std::nullopt;
    }
    PacketView packet;
    Header &h = packet.header;
    h.kind = static_cast<Kind>(r.u8());
    h.attempt = r.u8();
    h.group_index = r.u8();
    h.length = r.u16();
    h.session = r.u32();
    h.fragment.message = r.u32();
    h.acked_before = h.fragment.message;
    h.sequence = r.u32();
    h.stamp = r.u32();
    h.fragment.index = r.u16();
    h.fragment.count = r.u16();
    h.parity_length = r.u16();
    h.group_size = r.u16();
    std::uint32_t sum = r.u32();
    packet.payload = bytes.subspan(kHeaderBytes);
    if (h.length != packet.payload.size() || sum != checksum(bytes.first(kChecksumAt), packet.payload) ||
        !consistent(h)) {
        return std::nullopt;
    }
    return packet;
}

}  // namespace ctp
