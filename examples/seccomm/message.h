// examples: a message on its way through SecComm, ciphered in place
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace seccomm {

inline constexpr std::size_t kMaxText = 2048;
inline constexpr std::size_t kBlock = 8;  // of DES
inline constexpr std::size_t kIvBytes = kBlock;
// Inside the cipher: four bytes that tell a message from noise, four of length; then the text, padded to whole blocks.
inline constexpr std::size_t kHeaderBytes = kBlock;
inline constexpr std::size_t kMaxDatagram = kIvBytes + kHeaderBytes + kMaxText + kBlock;

// bytes: IV, then the ciphered part. size: of both.
struct Message {
    std::array<std::uint8_t, kMaxDatagram> bytes;
    std::size_t size = 0;
    std::size_t text_size = 0;

    std::span<const std::uint8_t> text() const { return {bytes.data() + kIvBytes + kHeaderBytes, text_size}; }
    std::span<std::uint8_t> ciphered() { return {bytes.data() + kIvBytes, size - kIvBytes}; }
};

}  // namespace seccomm
