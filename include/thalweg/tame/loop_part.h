// thalweg: what is kept for each loop, made when it is first asked for, gone with the loop.
#pragma once

#include <cerrno>
#include <system_error>

#include <thalweg/runtime.h>
#include <thalweg/variant.h>

namespace THALWEG_TAME::detail {

// Where the system has no descriptors left for a loop: std::system_error.
inline thalweg_loop *loop_here() {
    if (thalweg_loop *loop = thalweg_loop_here())
        return loop;
    throw std::system_error(errno, std::generic_category(), "no loop could be made for this thread");
}

// Part: made from the loop. is_waiting(), where it has one: something may still come from it.
template <class Part>
class LoopPart {
  public:
    static Part &of(thalweg_loop *loop) {
        if (thalweg_loop_part *found = thalweg_loop_find_part(loop, &own_kind))
            return static_cast<Kept *>(found)->part;
        auto *made = new Kept(loop);
        thalweg_loop_add_part(loop, made);
        return made->part;
    }

  private:
    struct Kept : thalweg_loop_part {
        Part part;
        explicit Kept(thalweg_loop *loop) : thalweg_loop_part{&own_kind, end, waits, nullptr}, part(loop) {}
        static void end(thalweg_loop_part *kept) { delete static_cast<Kept *>(kept); }
        static int waits(const thalweg_loop_part *kept) {
            if constexpr (requires(const Part &any) { any.is_waiting(); })
                return static_cast<const Kept *>(kept)->part.is_waiting();
            else
                return 1;
        }
    };
    static inline const char own_kind = 0;
};

}  // namespace THALWEG_TAME::detail
