// examples: TD, the transport driver: the UDP socket, the session's opening and closing, and injected loss
#pragma once

#include <netinet/in.h>

#include "ctp/context.h"
#include <thalweg/loop.h>

namespace ctp {

class TransportDriver {
  public:
    explicit TransportDriver(Context &context);
    ~TransportDriver();

    // Opens the socket. Port 0: any. False, with errno, if that fails.
    bool listen(std::uint16_t port);
    bool connect(std::uint16_t port);
    std::uint16_t port() const;

    void open();                            // TD-Open
    void close();                           // TD-Close
    void seg_from_user(Segment &segment);   // TDriver-SFU
    void seg_to_net(Segment &segment);      // TD-S2N
    void segment_sent(std::uint32_t bytes); // TD-SS
    void net_readable(int fd, unsigned ready);                    // TD-NR
    void seg_from_net(Segment &segment);    // TD-SFN
    void control_clock();                   // TD-CC

  private:
    struct Datagram {
        std::size_t size = 0;
        std::array<std::uint8_t, kMaxPacket> bytes;
    };
    // Datagrams that leave in one system call. More than a window's worth do not come together.
    static constexpr std::size_t kBatch = 64;

    bool open_socket(std::uint16_t port);
    void send_control(Kind kind);
    void accept(const Segment &segment);
    void establish();
    bool injected_loss();
    void flush();

    Context &context_;
    int socket_ = -1;
    thalweg_watch_id watch_ = 0;
    unsigned calls_ = 0;
    bool active_ = false;  // we called, they listen
    bool peer_known_ = false;
    sockaddr_in peer_{};
    sockaddr_in source_{};  // of the packet that is looked at
    std::uint64_t random_;
    Segment incoming_;
    std::size_t queued_ = 0;
    std::array<Datagram, kBatch> queue_;
};

}  // namespace ctp
