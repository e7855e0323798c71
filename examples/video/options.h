// examples: the command lines of video_sender and video_receiver
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ctp/context.h"

namespace video {

struct Options {
    std::string clip;              // sender
    std::uint16_t port = 0;
    unsigned frames_a_second = 25; // sender; 0: as fast as the session takes them
    unsigned frames = 0;             // sender: of the clip; 0: all
    unsigned times = 1;            // sender: the clip so often
    int ready_fd = -1;             // receiver: where to write the port, once it listens
    unsigned patience_s = 10;      // receiver: so long may the sender be silent
    bool stats = false;
    std::string timed_event;
    ctp::Config transport;
};

enum class Side { sender, receiver };

// Nothing: says on standard error what is wrong.
std::optional<Options> parse_options(Side side, int argc, char **argv);

}  // namespace video
