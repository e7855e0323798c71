// examples: the limit: push and pop as one would write them without events
//
// One translation unit with all micro-protocols, so that the compiler sees through every call below.
#include "seccomm/coordinator.cc"  // NOLINT(bugprone-suspicious-include)
#include "seccomm/des_cipher.cc"   // NOLINT(bugprone-suspicious-include)
#include "seccomm/driver.cc"       // NOLINT(bugprone-suspicious-include)
#include "seccomm/seccomm.cc"      // NOLINT(bugprone-suspicious-include)
#include "seccomm/xor_cipher.cc"   // NOLINT(bugprone-suspicious-include)

namespace seccomm {

void hand_msg_from_user(SecComm &seccomm, Message &message) { seccomm.coordinator.msg_from_user(message); }

void hand_encrypt(SecComm &seccomm, Message &message) {
    seccomm.des.encrypt(message);
    seccomm.exclusive_or.encrypt(message);
}

void hand_msg_to_net(SecComm &seccomm, Message &message) {
    seccomm.coordinator.msg_to_net(message);
    seccomm.driver.msg_to_net(message);
}

void hand_msg_from_net(SecComm &seccomm, Message &message) { seccomm.coordinator.msg_from_net(message); }

void hand_decrypt(SecComm &seccomm, Message &message) {
    seccomm.exclusive_or.decrypt(message);
    seccomm.des.decrypt(message);
}

}  // namespace seccomm
