// examples: the events of SecComm: a push path down to the network and a pop path up to the user
#pragma once

#include "composite/event.h"
#include "seccomm/message.h"

namespace seccomm {

#ifdef EXAMPLE_HAND_MERGED
class SecComm;
void hand_msg_from_user(SecComm &seccomm, Message &message);
void hand_encrypt(SecComm &seccomm, Message &message);
void hand_msg_to_net(SecComm &seccomm, Message &message);
void hand_msg_from_net(SecComm &seccomm, Message &message);
void hand_decrypt(SecComm &seccomm, Message &message);
using MsgFromUserEvent = composite::Merged<SecComm, &hand_msg_from_user, Message &>;
using EncryptEvent = composite::Merged<SecComm, &hand_encrypt, Message &>;
using MsgToNetEvent = composite::Merged<SecComm, &hand_msg_to_net, Message &>;
using MsgFromNetEvent = composite::Merged<SecComm, &hand_msg_from_net, Message &>;
using DecryptEvent = composite::Merged<SecComm, &hand_decrypt, Message &>;
#else
using MsgFromUserEvent = composite::Event<Message &>;
using EncryptEvent = composite::Event<Message &>;
using MsgToNetEvent = composite::Event<Message &>;
using MsgFromNetEvent = composite::Event<Message &>;
using DecryptEvent = composite::Event<Message &>;
#endif

struct Events {
    explicit Events(composite::Composite &composite)
        : msg_from_user(composite, "MsgFromUser"), encrypt(composite, "Encrypt"), msg_to_net(composite, "MsgToNet"),
          net_readable(composite, "NetReadable"), msg_from_net(composite, "MsgFromNet"), decrypt(composite, "Decrypt"),
          msg_to_user(composite, "MsgToUser") {}

    MsgFromUserEvent msg_from_user;                // push begins: Coordinator-MFU
    EncryptEvent encrypt;                          // DES-E, XOR-E
    MsgToNetEvent msg_to_net;                      // Coordinator-M2N, Driver-M2N: push ends
    composite::Event<int, unsigned> net_readable;  // external: Driver-NR
    MsgFromNetEvent msg_from_net;                  // pop begins: Coordinator-MFN
    DecryptEvent decrypt;                          // XOR-D, DES-D
    composite::Event<Message &> msg_to_user;       // Coordinator-M2U, the user's handler: pop ends
};

struct Statistics {
    std::uint64_t pushed = 0, popped = 0, refused = 0;
};

struct Context {
    explicit Context(composite::Composite &runtime) : composite(runtime), events(runtime) {}

    composite::Composite &composite;
    Events events;
    Statistics statistics;
};

}  // namespace seccomm
