// model: which functions of the C library enter the kernel, and what their arguments mean.
#pragma once

#include <string_view>

namespace thalweg::model {

// What a system call returns: so many bytes, a descriptor, 0, an address, an offset. In all cases but addresses -1 is an error.
enum class Gives { bytes, descriptor, status, address, offset };

// Whether another process or thread may see that the call was made, and whether it can wait for another: only calls that do neither may be
// made at another moment of the stretch of the program in which they stand.
enum class Seen { nobody, others };

// Argument positions; -1: it has none such.
struct SystemCall {
    std::string_view name;  // as the linker knows it
    Gives gives;
    Seen seen;
    int descriptor = -1;
    int buffer = -1;
    int size = -1;  // in bytes
    int offset = -1;  // where in the file; none: at the descriptor's own offset, which the call moves
    // Memory of the C library: enters the kernel only for large blocks (mallopt(3), M_MMAP_THRESHOLD: 128 KiB).
    bool is_memory = false;
};

// Null: not in the table. The direct calls of these are a program's system-call sites.
const SystemCall *system_call(std::string_view name);

}  // namespace thalweg::model
