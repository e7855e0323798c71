// tests: the server at the top of stream.h and listener.h, in a loop of each kind, with clients of every manner: each gets back what it
// sent, and nothing of another one's, whatever the others do.
#include <arpa/inet.h>
#include <atomic>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "loops_test.h"

namespace {

using namespace thalweg::tame;
using thalweg::examples::kind_of;

#include "tame_stream_h_1.inc"
// calls it
#include "tame_listener_h_1.inc"

class StreamExamples : public thalweg::examples::Loops {};
INSTANTIATE_TEST_SUITE_P(Kinds, StreamExamples, testing::Values("io_uring", "epoll"), kind_of);

class Client {
  public:
    explicit Client(uint16_t port) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in at{};
        at.sin_family = AF_INET;
        at.sin_port = htons(port);
        at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        EXPECT_EQ(connect(fd_, reinterpret_cast<sockaddr *>(&at), sizeof(at)), 0);
    }
    Client(const Client &) = delete;
    Client &operator=(const Client &) = delete;
    ~Client() { close(fd_); }

    // As much as goes while nobody reads: the server's send has to wait then. Gives how much that was.
    size_t send_without_reading(char letter, size_t most) const {
        const timeval patience{0, 200'000};
        setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
        const std::string text(65536, letter);
        size_t sent = 0;
        while (sent < most) {
            const ssize_t size = send(fd_, text.data(), std::min(text.size(), most - sent), MSG_NOSIGNAL);
            if (size <= 0)
                break;
            sent += static_cast<size_t>(size);
        }
        return sent;
    }
    void send_no_more() const { shutdown(fd_, SHUT_WR); }
    void reset() const {
        const linger hard{1, 0};
        setsockopt(fd_, SOL_SOCKET, SO_LINGER, &hard, sizeof(hard));
    }
    // Until the end, or `most`; gives how many there were, and counts those that are none of its own.
    size_t receive(char letter, size_t most, size_t at_once, size_t &foreign) const {
        std::vector<char> some(at_once);
        size_t received = 0;
        while (received < most) {
            const ssize_t size = recv(fd_, some.data(), some.size(), 0);
            if (size <= 0)
                break;
            for (ssize_t i = 0; i < size; ++i)
                foreign += some[static_cast<size_t>(i)] != letter;
            received += static_cast<size_t>(size);
        }
        return received;
    }

  private:
    int fd_;
};

struct Result {
    size_t sent = 0, received = 0, foreign = 0;
};
using Manner = Result (*)(uint16_t port, char letter);

constexpr size_t much = 16'000'000;  // bytes; more than both sockets hold
constexpr size_t bulk = 65536;

Result reads_late(uint16_t port, char letter) {
    const Client client(port);
    Result result;
    result.sent = client.send_without_reading(letter, much);
    client.send_no_more();
    result.received = client.receive(letter, SIZE_MAX, bulk, result.foreign);
    return result;
}
Result reads_byte_by_byte(uint16_t port, char letter) {
    const Client client(port);
    Result result;
    result.sent = client.send_without_reading(letter, much);
    client.send_no_more();
    constexpr size_t singly = 20'000;
    result.received = client.receive(letter, singly, 1, result.foreign);
    result.received += client.receive(letter, SIZE_MAX, bulk, result.foreign);
    return result;
}
Result half_closes(uint16_t port, char letter) {
    const Client client(port);
    Result result;
    for (size_t size : {1, 100, 4096, 5000}) {
        result.sent += client.send_without_reading(letter, size);
        result.received += client.receive(letter, size, bulk, result.foreign);
    }
    result.sent += client.send_without_reading(letter, 1000);
    client.send_no_more();
    result.received += client.receive(letter, SIZE_MAX, bulk, result.foreign);
    return result;
}
// In the middle of what it should read: of what it got, all is its own.
Result resets(uint16_t port, char letter) {
    const Client client(port);
    Result result;
    client.send_without_reading(letter, much);
    result.sent = result.received = client.receive(letter, 10'000, 1000, result.foreign);
    client.reset();
    return result;
}
// Until the others have had all of theirs.
std::atomic<size_t> others_left;
Result never_reads(uint16_t port, char letter) {
    const Client client(port);
    client.send_without_reading(letter, much);
    while (others_left != 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return {};
}

TEST_P(StreamExamples, EachClientHasItsOwnBytesBack) {
    constexpr Manner manners[] = {reads_late,  reads_byte_by_byte, half_closes, resets,     never_reads,
                                  half_closes, reads_late,         resets,      reads_late, reads_byte_by_byte};
    constexpr size_t count = std::size(manners);
    listener sockets("127.0.0.1", 0);
    const uint16_t port = sockets.port();
    serve(std::move(sockets));
    std::vector<Result> results(count);
    std::vector<std::thread> clients;
    size_t ended = 0;
    others_left = count - 1;
    for (size_t i = 0; i < count; ++i)
        clients.emplace_back([&, i] {
            results[i] = manners[i](port, static_cast<char>('a' + i));
            --others_left;
            loop().post([&ended] { ++ended; });
        });
    run_until([&] { return ended == count; });
    for (size_t i = 0; i < count; ++i) {
        clients[i].join();
        EXPECT_EQ(results[i].received, results[i].sent) << "client " << i;
        EXPECT_EQ(results[i].foreign, 0u) << "client " << i << " has bytes of another one's";
    }
}

}  // namespace
