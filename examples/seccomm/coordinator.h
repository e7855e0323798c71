// examples: Coordinator: frames the text, lets the ciphers work, and believes only what looks as it framed it
#pragma once

#include "seccomm/events.h"

namespace seccomm {

class Coordinator {
  public:
    explicit Coordinator(Context &context);

    void msg_from_user(Message &message);  // Coordinator-MFU
    void msg_to_net(Message &message);     // Coordinator-M2N
    void msg_from_net(Message &message);   // Coordinator-MFN
    void msg_to_user(Message &message);    // Coordinator-M2U

  private:
    bool unframe(Message &message) const;

    Context &context_;
};

}  // namespace seccomm
