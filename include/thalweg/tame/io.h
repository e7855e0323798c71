// thalweg: input and output of tamed functions (library thalweg_io), and what does it.
#pragma once

#include <string>

#include <thalweg/tame/listener.h>
#include <thalweg/tame/stream.h>

namespace THALWEG_TAME {

enum class io_kind { io_uring, epoll };

struct io_choice {
    io_kind kind;
    std::string reason;  // why it is not io_uring, or the environment's word
};

// What loops of this process use: io_uring where the system allows it and has what is needed, or else epoll. The environment's THALWEG_IO
// (io_uring or epoll) decides instead, where it is set. Throws std::system_error where it asks for what can't be had.
io_choice chosen_io();

}  // namespace THALWEG_TAME
