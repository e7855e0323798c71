// examples: Driver: SecComm's UDP socket, and the clock at the two ends of push and pop
#pragma once

#include <netinet/in.h>

#include <vector>

#include <thalweg/loop.h>

#include "seccomm/events.h"

namespace seccomm {

class Driver {
  public:
    Driver(Context &context, bool measure);
    ~Driver();

    // A socket on the loopback, its peer the socket with port `to` (0: none yet). False, with errno.
    bool open();
    void connect(std::uint16_t to);
    std::uint16_t port() const;

    void push(std::span<const std::uint8_t> text);  // the user's call
    void msg_to_net(Message &message);              // Driver-M2N
    void net_readable(int fd, unsigned ready);      // Driver-NR
    void msg_to_user(Message &message);             // Driver-M2U

    // With `measure`: nanoseconds of each push, from the user's call to the socket; of each pop, from the socket to the user.
    const std::vector<std::uint32_t> &push_ns() const { return push_ns_; }
    const std::vector<std::uint32_t> &pop_ns() const { return pop_ns_; }
    void forget_times();

  private:
    Context &context_;
    const bool measure_;
    int socket_ = -1;
    thalweg_watch_id watch_ = 0;
    sockaddr_in peer_{};
    std::uint64_t started_ns_ = 0;
    std::vector<std::uint32_t> push_ns_, pop_ns_;
    Message outgoing_, incoming_;
};

}  // namespace seccomm
