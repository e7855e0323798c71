// examples: tests of SecComm: every size goes round, what is not genuine is refused
#include "seccomm/seccomm.h"

#include <gtest/gtest.h>

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <random>
#include <vector>

namespace seccomm {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr Keys kKeys{{1, 2, 3, 4, 5, 6, 7, 8}, {8, 7, 6, 5, 4, 3, 2, 1, 0, 1, 2, 3, 4, 5, 6, 7}};

Bytes random_bytes(std::mt19937 &random, std::size_t size) {
    Bytes bytes(size);
    for (auto &byte : bytes) {
        byte = static_cast<std::uint8_t>(random());
    }
    return bytes;
}

// A sender and a receiver in one loop; a raw socket looks at what the sender sends and may send what it likes.
struct Ends {
    explicit Ends(const Keys &sender_keys = kKeys)
        : sender(composite, sender_keys, false), receiver(composite, kKeys, false) {
        receiver.events().msg_to_user.bind<&Ends::msg_to_user>(this, 50);
        EXPECT_TRUE(sender.driver.open());
        EXPECT_TRUE(receiver.driver.open());
        sender.driver.connect(receiver.driver.port());
        raw = socket(AF_INET, SOCK_DGRAM, 0);
        sockaddr_in here{};
        here.sin_family = AF_INET;
        here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        EXPECT_EQ(bind(raw, reinterpret_cast<sockaddr *>(&here), sizeof here), 0);
    }
    ~Ends() { ::close(raw); }

    void settle() {
        while (composite.loop().poll() > 0) {
        }
    }
    // What travels for this text.
    Bytes datagram_of(const Bytes &text) {
        sockaddr_in here{};
        socklen_t size = sizeof here;
        getsockname(raw, reinterpret_cast<sockaddr *>(&here), &size);
        sender.driver.connect(ntohs(here.sin_port));
        EXPECT_TRUE(sender.send(text));
        Bytes bytes(kMaxDatagram);
        bytes.resize(static_cast<std::size_t>(recv(raw, bytes.data(), bytes.size(), 0)));
        return bytes;
    }
    void inject(const Bytes &bytes) {
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(receiver.driver.port());
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        sendto(raw, bytes.data(), bytes.size(), 0, reinterpret_cast<sockaddr *>(&to), sizeof to);
        settle();
    }
    void msg_to_user(Message &message) { arrived.emplace_back(message.text().begin(), message.text().end()); }

    composite::Composite composite;
    SecComm sender, receiver;
    int raw = -1;
    std::vector<Bytes> arrived;
};

TEST(seccomm, every_size_goes_round) {
    Ends ends;
    std::mt19937 random(1);
    for (std::size_t size = 0; size <= kMaxText; ++size) {
        const Bytes text = random_bytes(random, size);
        ASSERT_TRUE(ends.sender.send(text));
        ends.settle();
        ASSERT_EQ(ends.arrived.size(), size + 1) << size;
        ASSERT_EQ(ends.arrived.back(), text) << size;
    }
    EXPECT_EQ(ends.receiver.context.statistics.refused, 0u);
}

TEST(seccomm, what_is_too_large_is_refused) {
    Ends ends;
    EXPECT_FALSE(ends.sender.send(Bytes(kMaxText + 1)));
}

TEST(seccomm, the_text_is_not_on_the_wire_and_twice_the_same_text_is_not_twice_the_same_datagram) {
    Ends ends;
    const Bytes text(256, 'a');
    const Bytes first = ends.datagram_of(text), second = ends.datagram_of(text);
    EXPECT_NE(first, second);
    EXPECT_EQ(std::search(first.begin(), first.end(), text.begin(), text.begin() + 8), first.end());
}

TEST(seccomm, a_sender_with_another_key_is_refused) {
    Keys other = kKeys;
    other.des[0] ^= 2;  // not the lowest bit: that is DES's parity bit
    Ends ends(other);
    EXPECT_TRUE(ends.sender.send(Bytes(100, 1)));
    ends.settle();
    EXPECT_TRUE(ends.arrived.empty());
    EXPECT_EQ(ends.receiver.context.statistics.refused, 1u);
}

TEST(seccomm, truncated_oversized_and_random_datagrams_are_refused) {
    Ends ends;
    std::mt19937 random(2);
    const Bytes whole = ends.datagram_of(random_bytes(random, 60));
    std::uint64_t bad = 0;
    for (std::size_t size = 0; size < whole.size(); ++size, ++bad) {
        ends.inject(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)));
    }
    ends.inject(Bytes(30000, 1)), ++bad;
    for (int i = 0; i < 500; ++i, ++bad) {
        ends.inject(random_bytes(random, random() % 2500));
    }
    EXPECT_TRUE(ends.arrived.empty());
    EXPECT_EQ(ends.receiver.context.statistics.refused, bad);
    ends.inject(whole);
    EXPECT_EQ(ends.arrived.size(), 1u);
}

}  // namespace
}  // namespace seccomm
