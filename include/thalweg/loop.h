// thalweg: a loop, one per thread: raises that were posted, timers, descriptors and signals.
#pragma once

#include <chrono>
#include <type_traits>
#include <utility>

#include <thalweg/event.h>
#include <thalweg/thalweg.h>

namespace thalweg {

// Belongs to the thread that made it, and is destroyed there; a loop that is made while the thread has one is the thread's until it is destroyed.
// Other threads may call post() and stop() while it lives. What a handler or a posted function throws passes through run(), run_once() and
// poll(), which may be called again. What is still posted when it goes is dropped.
class Loop {
  public:
    // The loop of this thread from now on.
    Loop() : loop_(thalweg_loop_create()), owned_(true) {}
    // The loop that this thread has; made when it has none.
    static Loop here() { return Loop(thalweg_loop_here()); }
    Loop(Loop &&other) noexcept : loop_(std::exchange(other.loop_, nullptr)), owned_(other.owned_) {}
    Loop &operator=(Loop &&) = delete;
    ~Loop() {
        if (owned_ && loop_)
            thalweg_loop_destroy(loop_);
    }
    // False: the system had no descriptors left for it (errno).
    explicit operator bool() const { return loop_ != nullptr; }
    thalweg_loop *handle() { return loop_; }

    // Until stop(), from a handler or from any thread.
    void run() { thalweg_loop_run(loop_); }
    // Waits until something is ready, and runs what is; poll() does not wait. How much was run.
    size_t run_once() { return once(1); }
    size_t poll() { return once(0); }
    // For a handler that lets others run before it goes on.
    void yield() { thalweg_loop_yield(loop_); }
    void stop() { thalweg_loop_stop(loop_); }

    // Any thread. The function runs in the loop's.
    template <class Function>
    void post(Function &&function) {
        using Kept = std::decay_t<Function>;
        struct Task : thalweg_task {
            Kept function;
            explicit Task(Kept &&kept) : thalweg_task{}, function(std::move(kept)) {}
        };
        auto *task = new Task(Kept(std::forward<Function>(function)));
        task->run = [](thalweg_task *taken) {
            const detail::Owned<Task> owner(static_cast<Task *>(taken));
            owner->function();
        };
        task->drop = [](thalweg_task *taken) { delete static_cast<Task *>(taken); };
        thalweg_task_send(loop_, task, 0);
    }

    // ---- external events. The status says when the event's arguments are others than the watch gives. ----

    // event: Event<int fd, unsigned ready>
    template <class AnyEvent>
    thalweg_status watch_fd(int fd, unsigned interest, AnyEvent &event, thalweg_watch_id *watch = nullptr) {
        return thalweg_watch_fd(loop_, fd, interest, event.handle(), watch);
    }
    // event: Event<int signal>
    template <class AnyEvent>
    thalweg_status watch_signal(int signal, AnyEvent &event, thalweg_watch_id *watch = nullptr) {
        return thalweg_watch_signal(loop_, signal, event.handle(), watch);
    }
    // event: Event<uint64_t periods>
    template <class AnyEvent>
    thalweg_status watch_timer(std::chrono::nanoseconds period, AnyEvent &event, thalweg_watch_id *watch = nullptr) {
        const uint64_t period_ns = period.count() > 0 ? static_cast<uint64_t>(period.count()) : 0;
        return thalweg_watch_timer(loop_, period_ns, event.handle(), watch);
    }
    thalweg_status unwatch(thalweg_watch_id watch) { return thalweg_unwatch(loop_, watch); }

  private:
    explicit Loop(thalweg_loop *loop) : loop_(loop), owned_(false) {}
    size_t once(int wait) {
        size_t done = 0;
        thalweg_loop_run_once(loop_, wait, &done);
        return done;
    }

    thalweg_loop *loop_;
    bool owned_;
};

}  // namespace thalweg
