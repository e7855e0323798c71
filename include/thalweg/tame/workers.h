// thalweg: threads that make calls which block, for functions that must not.
#pragma once

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstddef>
#include <mutex>
#include <pthread.h>
#include <system_error>
#include <thread>
#include <utility>

#include <thalweg/tame/loop_part.h>

namespace THALWEG_TAME {

// Threads begin when a call finds no idle one, and end when they have been idle for a time.
struct thread_limits {
    // Calls that wait, not that compute: more than there are cores. A thread that waits has taken 9 kB (measured), all of them less than
    // 1 MB; calls beyond wait for their turn. Where calls wait for each other (transactions of a database), there must be as many
    // threads as calls.
    size_t threads = 64;
    // A call by an idle thread takes 10 to 14 us more than by the caller, one by a new thread 50 (measured): those that come each second
    // shall find one. tokio keeps its threads as long.
    std::chrono::nanoseconds idle = std::chrono::seconds(10);
};

namespace detail {

// A call that blocks, and the task by which its end comes to the loop's thread.
class Call : protected thalweg_task {
  public:
    Call() : thalweg_task{} {}
    Call(const Call &) = delete;
    Call &operator=(const Call &) = delete;
    virtual ~Call() = default;

    // In a thread of the Workers.
    virtual void make() noexcept = 0;
    // In the loop's, which goes: nobody will be told.
    virtual void give_up() noexcept = 0;

  private:
    friend class Workers;
    friend class Calls;
    // Under the Workers' mutex.
    enum class State : uint8_t { waits_its_turn, is_made, is_nobodys, is_waited_for, is_over };

    State state_ = State::waits_its_turn;
    Call *after_ = nullptr;  // in the queue
    thalweg_loop *home_ = nullptr;
    Call *next_ = nullptr, **link_ = nullptr;  // of the loop's calls
};

// One for the process, and never gone: at the process's end calls may still be under way.
class Workers {
  public:
    static Workers &all() {
        static auto &only = *new Workers;
        return only;
    }

    // Throws std::system_error where there is no thread and none can be made.
    void begin(Call &call) {
        const std::lock_guard lock(mutex_);
        if (queued_ >= idle_ && threads_ < limits_.threads)
            start_thread();
        call.after_ = nullptr;
        (first_ ? last_->after_ : first_) = &call;
        last_ = &call;
        ++queued_;
        wake_.notify_one();
    }

    enum class Ends { now, when_it_is_over };
    // Its end shall not come to the loop. True: the caller deletes it; false: it is deleted when it is over.
    bool take_back(Call &call, Ends ends) {
        std::unique_lock lock(mutex_);
        switch (call.state_) {
        case Call::State::waits_its_turn:
            unqueue(call);
            return true;
        case Call::State::is_made:
            if (ends == Ends::now) {
                call.state_ = Call::State::is_nobodys;
                return false;
            }
            call.state_ = Call::State::is_waited_for;
            over_.wait(lock, [&] { return call.state_ == Call::State::is_over; });
            return true;
        default:
            return false;  // it is on its way to the loop
        }
    }

    thread_limits set_limits(thread_limits limits) {
        const std::lock_guard lock(mutex_);
        wake_.notify_all();
        return std::exchange(limits_, limits);
    }

    size_t count() {
        const std::lock_guard lock(mutex_);
        return threads_;
    }
    size_t idle() {
        const std::lock_guard lock(mutex_);
        return idle_ > queued_ ? idle_ - queued_ : 0;
    }

  private:
    // The loops' threads wait for signals; none may come here instead, but for those that are mistakes of the call itself.
    void start_thread() {
        sigset_t all, before;
        sigfillset(&all);
        for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS})
            sigdelset(&all, own);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        try {
            std::thread([this] { work(); }).detach();
            ++threads_;
        } catch (const std::system_error &) {
            if (threads_ == 0) {
                pthread_sigmask(SIG_SETMASK, &before, nullptr);
                throw;
            }
        }
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }
    void work() {
        std::unique_lock lock(mutex_);
        while (wait_for_call(lock)) {
            Call &call = *first_;
            unqueue(call);
            call.state_ = Call::State::is_made;
            lock.unlock();
            call.make();
            lock.lock();
            end(call, lock);
        }
        --threads_;
    }
    bool wait_for_call(std::unique_lock<std::mutex> &lock) {
        const auto idle_since = std::chrono::steady_clock::now();
        ++idle_;
        while (!first_ && wake_.wait_until(lock, idle_since + limits_.idle) == std::cv_status::no_timeout) {
        }
        --idle_;
        return first_ != nullptr;
    }
    void end(Call &call, std::unique_lock<std::mutex> &lock) {
        if (call.state_ == Call::State::is_nobodys) {
            lock.unlock();
            delete &call;
            lock.lock();
            return;
        }
        const bool is_waited_for = call.state_ == Call::State::is_waited_for;
        call.state_ = Call::State::is_over;
        if (is_waited_for) {
            over_.notify_all();
        } else {
            thalweg_task_send(call.home_, &call, 0);  // under the mutex: until it is free the loop does not go
        }
    }
    void unqueue(Call &call) {
        Call *before = nullptr;
        for (Call *at = first_; at != &call; at = at->after_)
            before = at;
        (before ? before->after_ : first_) = call.after_;
        if (last_ == &call)
            last_ = before;
        --queued_;
    }

    std::mutex mutex_;
    std::condition_variable wake_, over_;
    thread_limits limits_;
    Call *first_ = nullptr, *last_ = nullptr;
    size_t queued_ = 0, threads_ = 0, idle_ = 0;
};

// A loop's calls that are under way. While there are any its virtual time does not jump.
class Calls {
  public:
    explicit Calls(thalweg_loop *loop) : loop_(loop) {}
    Calls(const Calls &) = delete;
    Calls &operator=(const Calls &) = delete;
    ~Calls() {
        while (first_)
            first_->give_up();
    }

    // While some are under way they hold the loop's virtual time.
    bool is_waiting() const { return false; }

    // Into this thread's loop.
    static void begin(Call &call) {
        thalweg_loop *loop = loop_here();
        LoopPart<Calls>::of(loop).add(call);
        try {
            Workers::all().begin(call);
        } catch (...) {
            remove(call);
            throw;
        }
    }
    static void remove(Call &call) {
        if (!call.link_)
            return;
        *call.link_ = call.next_;
        if (call.next_)
            call.next_->link_ = call.link_;
        call.link_ = nullptr;
        thalweg_virtual_time_let_go(call.home_);
    }

  private:
    void add(Call &call) {
        call.home_ = loop_;
        call.next_ = first_;
        call.link_ = &first_;
        if (first_)
            first_->link_ = &call.next_;
        first_ = &call;
        thalweg_virtual_time_hold(loop_);
    }

    thalweg_loop *loop_;
    Call *first_ = nullptr;
};

}  // namespace detail

// Of the process; gives those before.
inline thread_limits set_thread_limits(thread_limits limits) { return detail::Workers::all().set_limits(limits); }

}  // namespace THALWEG_TAME
