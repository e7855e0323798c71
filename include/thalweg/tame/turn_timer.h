// thalweg: timers that go by the time of the loop's turn: of those that are made in one turn, the one of the shorter delay comes first, however
// long it took to make them. What programs that were written for tamer count on.
//
//     turn_timer(10us, mkevent(r, 2));
//     turn_timer(5us, mkevent(r, 1));
#pragma once

#include <chrono>

#include <thalweg/tame/loop_part.h>
#include <thalweg/tame/timer.h>

namespace THALWEG_TAME {

namespace detail {

// Of each loop: what its clock showed when the turn's first such timer was made.
class TurnTime final : thalweg_task {
  public:
    explicit TurnTime(thalweg_loop *loop) : thalweg_task{}, loop_(loop) {
        run = drop = [](thalweg_task *task) { static_cast<TurnTime *>(task)->is_known_ = false; };
    }
    TurnTime(const TurnTime &) = delete;
    TurnTime &operator=(const TurnTime &) = delete;
    ~TurnTime() {
        if (is_known_)
            thalweg_task_take_back(this);
    }

    bool is_waiting() const { return false; }
    uint64_t now() {
        if (!is_known_) {
            now_ = thalweg_loop_now(loop_);
            is_known_ = thalweg_task_put(this, 0) != 0;
        }
        return now_;
    }

  private:
    thalweg_loop *loop_;
    uint64_t now_ = 0;
    bool is_known_ = false;  // until the loop comes to this task, in its next turn
};

}  // namespace detail

// Triggers the event when the time has passed since the turn's first of these; 0: in the loop's next turn.
inline void turn_timer(std::chrono::nanoseconds time, event<> due) {
    if (time.count() <= 0)
        return timer(time, std::move(due));
    if (!due)
        return;
    const uint64_t from = detail::LoopPart<detail::TurnTime>::of(detail::loop_here()).now();
    thalweg_task_put_from(new detail::Timer(std::move(due)), from, detail::delay_of(time));
}

}  // namespace THALWEG_TAME
