// examples: a CTP session: the composite protocol made of its micro-protocols, and what a user of it calls
#pragma once

#include "ctp/acknowledgement.h"
#include "ctp/adaptation.h"
#include "ctp/context.h"
#include "ctp/counting.h"
#include "ctp/fec.h"
#include "ctp/fragmentation.h"
#include "ctp/sequencing.h"
#include "ctp/transport_driver.h"
#include "ctp/window.h"

namespace ctp {

class Session {
  public:
    Session(composite::Composite &composite, Config config);

    // Waits for a peer on this UDP port of the loopback (0: any), or calls one there. False, with errno: no socket.
    bool listen(std::uint16_t port) { return driver.listen(port); }
    bool connect(std::uint16_t port);
    std::uint16_t port() const { return driver.port(); }

    // Messages arrive whole and in order; bind to events().msg_to_user to receive them. False: too large, or closed.
    bool send(std::span<const std::uint8_t> message);
    void close();

    bool idle() const { return context.idle(); }  // everything sent was acknowledged
    Events &events() { return context.events; }

    Context context;
    TransportDriver driver;
    Sequencing sequencing;
    Fec fec;
    Acknowledgement acknowledgement;
    Window window;
    Fragmentation fragmentation;
    Adaptation adaptation;
    Counting counting;
};

}  // namespace ctp
