// examples: tests of the packet reader
#include "ctp/packet.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace ctp {
namespace {

std::vector<std::uint8_t> packet_bytes(const Header &header, const std::vector<std::uint8_t> &payload) {
    std::array<std::uint8_t, kMaxPacket> out;
    std::size_t size = write_packet(header, payload, out);
    return {out.begin(), out.begin() + static_cast<std::ptrdiff_t>(size)};
}

Header data_header() {
    Header header;
    header.kind = Kind::data;
    header.attempt = 2;
    header.group_index = 3;
    header.session = 0xcafe0001;
    header.sequence = 77;
    header.stamp = 123456;
    header.fragment = {9, 1, 4};
    return header;
}

TEST(packet, what_is_written_is_read_back) {
    std::vector<std::uint8_t> payload(kMaxPayload);
    for (std::size_t i = 0; i < payload.size(); ++i) {
        payload[i] = static_cast<std::uint8_t>(i * 7);
    }
    for (std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{3}, std::size_t{256}, kMaxPayload}) {
        payload.resize(size);
        auto bytes = packet_bytes(data_header(), payload);
        auto packet = read_packet(bytes);
        ASSERT_TRUE(packet) << size;
        EXPECT_EQ(packet->header.sequence, 77u);
        EXPECT_EQ(packet->header.attempt, 2);
        EXPECT_EQ(packet->header.group_index, 3);
        EXPECT_EQ(packet->header.session, 0xcafe0001u);
        EXPECT_EQ(packet->header.stamp, 123456u);
        EXPECT_EQ(packet->header.fragment, (Fragment{9, 1, 4}));
        EXPECT_TRUE(std::equal(payload.begin(), payload.end(), packet->payload.begin(), packet->payload.end()));
        payload.resize(kMaxPayload, 5);
    }
}

TEST(packet, an_acknowledgement_carries_what_was_received_before_it) {
    Header header;
    header.kind = Kind::ack;
    header.acked_before = 41;
    auto bytes = packet_bytes(header, {});
    auto packet = read_packet(bytes);
    ASSERT_TRUE(packet);
    EXPECT_EQ(packet->header.acked_before, 41u);
}

TEST(packet, every_truncation_is_refused) {
    auto bytes = packet_bytes(data_header(), {1, 2, 3, 4, 5, 6, 7, 8});
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_FALSE(read_packet(std::span(bytes).first(size))) << size;
    }
    EXPECT_TRUE(read_packet(bytes));
}

TEST(packet, bytes_behind_the_payload_are_refused) {
    auto bytes = packet_bytes(data_header(), {1, 2, 3});
    bytes.push_back(0);
    EXPECT_FALSE(read_packet(bytes));
}

TEST(packet, an_oversized_datagram_is_refused) {
    auto bytes = packet_bytes(data_header(), std::vector<std::uint8_t>(kMaxPayload, 1));
    bytes.resize(60000, 1);
    EXPECT_FALSE(read_packet(bytes));
}

TEST(packet, every_flipped_bit_is_refused) {
    auto bytes = packet_bytes(data_header(), {1, 2, 3, 4, 5});
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
        auto damaged = bytes;
        damaged[bit / 8] ^= static_cast<std::uint8_t>(1u << bit % 8);
        EXPECT_FALSE(read_packet(damaged)) << "bit " << bit;
    }
}

TEST(packet, fields_that_contradict_each_other_are_refused) {
    Header header = data_header();
    header.fragment = {9, 4, 4};
    EXPECT_FALSE(read_packet(packet_bytes(header, {1})));
    header = data_header();
    header.group_index = kMaxGroup;
    EXPECT_FALSE(read_packet(packet_bytes(header, {1})));
    header.kind = Kind::parity;
    header.group_size = kMaxGroup + 1;
    EXPECT_FALSE(read_packet(packet_bytes(header, {1})));
    header.group_size = 0;
    EXPECT_FALSE(read_packet(packet_bytes(header, {1})));
    header.kind = Kind::ack;
    EXPECT_FALSE(read_packet(packet_bytes(header, {1})));
    header.kind = static_cast<Kind>(99);
    EXPECT_FALSE(read_packet(packet_bytes(header, {})));
}

TEST(packet, noise_is_refused) {
    std::mt19937 random(1);
    for (int i = 0; i < 20000; ++i) {
        std::vector<std::uint8_t> bytes(random() % 200);
        for (auto &byte : bytes) {
            byte = static_cast<std::uint8_t>(random());
        }
        EXPECT_FALSE(read_packet(bytes));
    }
}

}  // namespace
}  // namespace ctp
