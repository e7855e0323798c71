// knowledge: the calls that make descriptors, and those that make them with flags.
#pragma once

#include <cstdint>
#include <string_view>

namespace thalweg::knowledge {

// A call that makes one descriptor or two, and the one that makes them with flags.
struct DescriptorMaker {
    std::string_view name;  // the first of its row in libc.def
    std::string_view with_flags;
    unsigned kept;  // so many of its arguments are the other's too
    unsigned flags;  // where the other takes flags
    uint64_t close_on_exec;  // as a flag of the other; 0: it has none
    uint64_t no_wait;
    int pair;  // the argument that the descriptors are written to; none: one is the result
    int access[2];  // what F_GETFL gives of each when it is new, O_NONBLOCK aside; -1: not known
    int wanted_argument = -1;  // only with this argument
    int64_t wanted = 0;
    unsigned zeros = 0;  // so many arguments of the other come behind its flags
};

// Null: it makes no descriptor that can be had with flags.
const DescriptorMaker *descriptor_maker(std::string_view name);

}  // namespace thalweg::knowledge
