// examples: tests of CTP: two sessions over UDP in one loop, with losses and with packets that nobody should send
#include "ctp/session.h"

#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <functional>
#include <random>

namespace ctp {
namespace {

using Bytes = std::vector<std::uint8_t>;

// Longer than any of these tests takes on a busy machine; a session that never finishes fails by it.
constexpr std::chrono::seconds kPatience{60};

// Collects what a session delivers, and ends the loop once a condition holds.
class Watcher {
  public:
    Watcher(composite::Composite &composite, Session &session)
        : composite_(composite), too_late_(composite, "TooLate") {
        session.events().msg_to_user.bind<&Watcher::msg_to_user>(this, 20);
        session.events().segment_acked.bind<&Watcher::segment_acked>(this, 100);
        too_late_.bind<&Watcher::too_late>(this, 10);
    }
    bool run_until(std::function<bool()> done) {
        done_ = std::move(done);
        expired_ = false;
        auto timer = too_late_.post_after(kPatience);
        if (!done_()) {
            composite_.run();
        }
        timer.cancel();
        return !expired_;
    }
    void also_watch(Session &other) { other.events().segment_acked.bind<&Watcher::segment_acked>(this, 101); }

    void msg_to_user(Message &message) {
        messages.emplace_back(message.bytes.begin(), message.bytes.end());
        look();
    }
    void segment_acked(Segment &, std::uint32_t) { look(); }
    void too_late() {
        expired_ = true;
        composite_.stop();
    }

    std::vector<Bytes> messages;

  private:
    void look() {
        if (done_ && done_()) {
            composite_.stop();
        }
    }
    composite::Composite &composite_;
    composite::Event<> too_late_;
    std::function<bool()> done_;
    bool expired_ = false;
};

std::vector<Bytes> random_messages(unsigned seed, std::size_t count, std::size_t largest) {
    std::mt19937 random(seed);
    std::vector<Bytes> messages(count);
    for (Bytes &message : messages) {
        message.resize(random() % (largest + 1));
        for (auto &byte : message) {
            byte = static_cast<std::uint8_t>(random());
        }
    }
    return messages;
}

struct Pair {
    explicit Pair(Config config = {})
        : sender(composite, config), receiver(composite, config), watcher(composite, receiver) {
        watcher.also_watch(sender);
        EXPECT_TRUE(receiver.listen(0));
        EXPECT_TRUE(sender.connect(receiver.port()));
    }
    ~Pair() {
        sender.close();
        receiver.close();
    }
    void deliver(const std::vector<Bytes> &messages) {
        for (const Bytes &message : messages) {
            EXPECT_TRUE(sender.send(message));
        }
        EXPECT_TRUE(watcher.run_until([&] { return watcher.messages.size() == messages.size() && sender.idle(); }));
        EXPECT_EQ(watcher.messages, messages);
    }
    composite::Composite composite;
    Session sender, receiver;
    Watcher watcher;
};

TEST(session, messages_of_every_size_arrive_whole_and_in_order) {
    Pair pair;
    auto messages = random_messages(1, 60, 9000);
    messages.push_back({});
    messages.push_back(Bytes(kMaxMessage, 7));
    pair.deliver(messages);
    EXPECT_EQ(pair.receiver.context.statistics.recovered, 0u);
}

TEST(session, a_message_that_is_too_large_is_refused) {
    Pair pair;
    EXPECT_FALSE(pair.sender.send(Bytes(kMaxMessage + 1)));
}

TEST(session, with_losses_everything_arrives_still) {
    for (double loss : {0.02, 0.1, 0.3}) {
        Config config;
        config.loss = loss;
        config.seed = 7;
        Pair pair(config);
        pair.deliver(random_messages(2, 40, 6000));
        EXPECT_GT(pair.sender.context.statistics.injected_losses, 0u) << loss;
        EXPECT_GT(pair.receiver.context.statistics.recovered, 0u) << loss;
        if (loss >= 0.1) {  // less is nearly always recovered from parity
            EXPECT_GT(pair.sender.context.statistics.lost, 0u) << loss;
        }
    }
}

TEST(session, large_losses_make_segments_smaller) {
    Config config;
    config.loss = 0.3;
    Pair pair(config);
    pair.deliver(random_messages(3, 60, 6000));
    EXPECT_GT(pair.sender.context.statistics.resized, 0u);
}

TEST(session, every_fragment_size_works) {
    for (std::uint16_t bytes : {std::uint16_t{64}, std::uint16_t{255}, std::uint16_t{kMaxPayload}}) {
        Config config;
        config.fragment_bytes = bytes;
        config.loss = 0.05;
        Pair pair(config);
        pair.deliver(random_messages(4, 30, 5000));
    }
}

// A peer made by hand, so that it can send what a session never would.
class RawPeer {
  public:
    explicit RawPeer(std::uint16_t port) : socket_(socket(AF_INET, SOCK_DGRAM, 0)) {
        to_.sin_family = AF_INET;
        to_.sin_port = htons(port);
        to_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    }
    ~RawPeer() { ::close(socket_); }
    void send_bytes(std::span<const std::uint8_t> bytes) {
        sendto(socket_, bytes.data(), bytes.size(), 0, reinterpret_cast<sockaddr *>(&to_), sizeof to_);
    }
    void send(const Header &header, const Bytes &payload = {}) {
        std::array<std::uint8_t, kMaxPacket> out;
        send_bytes(std::span(out).first(write_packet(header, payload, out)));
    }
    static Header header(Kind kind) {
        Header header;
        header.kind = kind;
        header.session = 0x1234;
        return header;
    }
    // Segment `sequence` of a message of `count` one-byte segments.
    void send_data(std::uint32_t sequence, std::uint32_t message, std::uint16_t index, std::uint16_t count) {
        Header data = header(Kind::data);
        data.sequence = sequence;
        data.fragment = {message, index, count};
        send(data, {static_cast<std::uint8_t>(sequence)});
    }

  private:
    int socket_;
    sockaddr_in to_{};
};

struct Listening {
    Listening() : receiver(composite, {}), watcher(composite, receiver) {
        EXPECT_TRUE(receiver.listen(0));
        peer.emplace(receiver.port());
    }
    ~Listening() { receiver.close(); }
    composite::Composite composite;
    Session receiver;
    Watcher watcher;
    std::optional<RawPeer> peer;
};

TEST(session, duplicated_and_reordered_segments_come_out_once_and_in_order) {
    Listening here;
    here.peer->send(RawPeer::header(Kind::open));
    for (std::uint32_t sequence : {3u, 1u, 1u, 0u, 0u, 3u, 2u, 2u, 1u}) {
        here.peer->send_data(sequence, sequence / 2, static_cast<std::uint16_t>(sequence % 2), 2);
    }
    here.peer->send_data(4, 2, 0, 1);
    EXPECT_TRUE(here.watcher.run_until([&] { return here.watcher.messages.size() == 3; }));
    EXPECT_EQ(here.watcher.messages, (std::vector<Bytes>{{0, 1}, {2, 3}, {4}}));
    EXPECT_EQ(here.receiver.context.statistics.duplicates, 5u);
}

TEST(session, packets_of_another_session_and_before_the_opening_are_dropped) {
    Listening here;
    here.peer->send_data(0, 0, 0, 1);
    here.peer->send(RawPeer::header(Kind::open));
    Header other = RawPeer::header(Kind::data);
    other.session = 0x9999;
    other.fragment = {0, 0, 1};
    here.peer->send(other, {99});
    here.peer->send_data(0, 0, 0, 1);
    EXPECT_TRUE(here.watcher.run_until([&] { return !here.watcher.messages.empty(); }));
    EXPECT_EQ(here.watcher.messages, (std::vector<Bytes>{{0}}));
    EXPECT_EQ(here.receiver.context.statistics.bad_packets, 2u);
}

TEST(session, noise_truncations_and_oversized_datagrams_are_survived) {
    Listening here;
    here.peer->send(RawPeer::header(Kind::open));
    std::mt19937 random(5);
    for (int i = 0; i < 200; ++i) {
        Bytes noise(random() % 3000);
        for (auto &byte : noise) {
            byte = static_cast<std::uint8_t>(random());
        }
        here.peer->send_bytes(noise);
        while (here.composite.loop().poll() > 0) {
        }
    }
    here.peer->send_data(0, 0, 0, 1);
    EXPECT_TRUE(here.watcher.run_until([&] { return !here.watcher.messages.empty(); }));
    EXPECT_EQ(here.receiver.context.statistics.bad_packets, 200u);
}

// Well formed, of the right session, and nonsense: random headers of every kind.
TEST(session, well_formed_nonsense_is_survived) {
    std::mt19937 random(6);
    for (int round = 0; round < 20; ++round) {
        Listening here;
        here.peer->send(RawPeer::header(Kind::open));
        for (int i = 0; i < 300; ++i) {
            const Kind kinds[] = {Kind::open, Kind::open_ack, Kind::data, Kind::parity, Kind::ack};
            Header header = RawPeer::header(kinds[random() % 5]);
            header.attempt = static_cast<std::uint8_t>(random());
            header.group_index = static_cast<std::uint8_t>(random() % kMaxGroup);
            header.sequence = random() % 3 == 0 ? static_cast<std::uint32_t>(random()) : random() % 600;
            header.stamp = static_cast<std::uint32_t>(random());
            header.fragment = {static_cast<std::uint32_t>(random() % 4), static_cast<std::uint16_t>(random() % 3),
                               static_cast<std::uint16_t>(3 + random() % 3)};
            header.parity_length = static_cast<std::uint16_t>(random() % 2000);
            header.group_size = static_cast<std::uint16_t>(1 + random() % kMaxGroup);
            const bool carries = header.kind == Kind::data || header.kind == Kind::parity;
            here.peer->send(header, Bytes(carries ? random() % kMaxPayload : 0, 3));
            while (here.composite.loop().poll() > 0) {
            }
        }
        EXPECT_TRUE(here.receiver.context.established);
    }
}

}  // namespace
}  // namespace ctp
