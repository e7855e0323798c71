// examples: a CTP session
#include "ctp/session.h"

namespace ctp {

Session::Session(composite::Composite &composite, Config config)
    : context(composite, config), driver(context), sequencing(context), fec(context), acknowledgement(context),
      window(context), fragmentation(context), adaptation(context), counting(context) {
#ifdef EXAMPLE_HAND_MERGED
    context.events.seg_from_user.attach(*this);
    context.events.seg_to_net.attach(*this);
    context.events.adapt.attach(*this);
#endif
}

bool Session::connect(std::uint16_t port) {
    if (!driver.connect(port)) {
        return false;
    }
    context.refresh_clock();
    context.events.open.raise();
    return true;
}

bool Session::send(std::span<const std::uint8_t> bytes) {
    if (context.closed || bytes.size() > kMaxMessage) {
        return false;
    }
    context.refresh_clock();
    Message message{bytes};
    context.events.msg_from_user.raise(message);
    return true;
}

void Session::close() {
    if (!context.closed) {
        context.events.close.raise();
    }
}

}  // namespace ctp
