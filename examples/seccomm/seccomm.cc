// examples: SecComm
#include "seccomm/seccomm.h"

namespace seccomm {

SecComm::SecComm(composite::Composite &composite, const Keys &keys, bool measure)
    : context(composite), coordinator(context), des(context, keys.des), exclusive_or(context, keys.exclusive_or),
      driver(context, measure) {
#ifdef EXAMPLE_HAND_MERGED
    context.events.msg_from_user.attach(*this);
    context.events.encrypt.attach(*this);
    context.events.msg_to_net.attach(*this);
    context.events.msg_from_net.attach(*this);
    context.events.decrypt.attach(*this);
#endif
}

bool SecComm::send(std::span<const std::uint8_t> text) {
    if (text.size() > kMaxText) {
        return false;
    }
    driver.push(text);
    return true;
}

}  // namespace seccomm
