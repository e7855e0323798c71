// thalweg: the whole program's loop, for a program that ends when nothing more can happen in it, as tamer's loop() has it.
#pragma once

#include <thalweg/tame/loop_part.h>

namespace THALWEG_TAME {

// Runs this thread's loop until it waits for nothing any more; what other threads may send does not count.
inline void run_while_pending() {
    thalweg_loop *loop = detail::loop_here();
    while (thalweg_loop_has_pending(loop) != 0)
        thalweg_loop_run_once(loop, 1, nullptr);
}

}  // namespace THALWEG_TAME
