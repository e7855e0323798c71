// thalweg: locks for tamed functions, which block the function that waits and not its thread (paper tame-usenix07, section 7.5).
//
//     lock_hold hold = co_await l.scoped();  // alone, until hold is gone
//
//     lock_hold hold = co_await l.scoped_shared();  // with other readers
//
//     l.acquire(mkevent(all));  // by an event; whoever has it releases it
//     co_await all;
//     l.release();
#pragma once

#include <cstddef>
#include <memory>
#include <source_location>
#include <unordered_map>
#include <utility>

#include <thalweg/tame/tamed.h>

namespace THALWEG_TAME {

class lock;
class lock_hold;

namespace detail {

class LockWait;

// In the lock's queue.
class LockWaiter {
  public:
    LockWaiter(lock &on, bool shared) : on_(on), is_shared_(shared) {}
    LockWaiter(const LockWaiter &) = delete;
    LockWaiter &operator=(const LockWaiter &) = delete;

    // All three may delete it. It is no longer in the queue.
    virtual void granted() = 0;
    virtual void passed_over() = 0;
    virtual void lock_is_gone() = 0;
    virtual bool still_waits() const = 0;

  protected:
    ~LockWaiter() = default;
    bool is_queued() const { return link_ != nullptr; }
    void unqueue();  // and those behind it may have their turn

    lock &on_;
    const bool is_shared_;

  private:
    friend lock;
    LockWaiter *next_ = nullptr, **link_ = nullptr;
};

}  // namespace detail

// One function has it alone, or any number share it. First come, first served, so that no one waits forever: who wants to share it waits
// behind one that wants it alone. It must outlive those that have it; functions that still wait when it goes end there, and are told
// of. Of one thread.
class lock {
  public:
    explicit lock(std::source_location place = std::source_location::current()) : place_(place) {}
    lock(const lock &) = delete;
    lock &operator=(const lock &) = delete;
    ~lock() {
        if (is_gone_)
            *is_gone_ = true;
        while (detail::LockWaiter *waiter = first_) {
            remove(*waiter);
            waiter->lock_is_gone();
        }
    }

    // Triggers the event when the lock is its own; it is then to be released. If nobody waits for the event any more, the lock passes over it.
    void acquire(event<> granted) { acquire(std::move(granted), false); }
    void acquire_shared(event<> granted) { acquire(std::move(granted), true); }
    // At once or not at all.
    bool try_acquire() { return try_take(false); }
    bool try_acquire_shared() { return try_take(true); }
    // By one who has it so; who has it otherwise, or not at all, is told of, and nothing happens.
    void release(std::source_location place = std::source_location::current()) {
        if (holders_ != alone)
            return tell_not_held(place);
        holders_ = 0;
        pass_on();
    }
    void release_shared(std::source_location place = std::source_location::current()) {
        if (holders_ <= 0)
            return tell_not_held(place);
        --holders_;
        pass_on();
    }
    bool is_held() const { return holders_ != 0; }

    // co_await gives a lock_hold.
    detail::LockWait scoped();
    detail::LockWait scoped_shared();

  private:
    friend detail::LockWaiter;
    friend detail::LockWait;
    class EventWaiter;

    static constexpr ptrdiff_t alone = -1;

    bool fits(bool shared) const { return shared ? holders_ >= 0 : holders_ == 0; }
    void take(bool shared) { holders_ = shared ? holders_ + 1 : alone; }
    bool try_take(bool shared) {
        if (first_ || !fits(shared))
            return false;
        take(shared);
        return true;
    }
    void acquire(event<> granted, bool shared);
    void add(detail::LockWaiter &waiter) {
        waiter.link_ = last_;
        *last_ = &waiter;
        last_ = &waiter.next_;
    }
    void remove(detail::LockWaiter &waiter) {
        *waiter.link_ = waiter.next_;
        (waiter.next_ ? waiter.next_->link_ : last_) = waiter.link_;
        waiter.link_ = nullptr;
        waiter.next_ = nullptr;
    }
    [[gnu::noinline]] void tell_not_held(std::source_location place) const {
        if (detail::current_reporter)
            detail::current_reporter({mistake::not_held, place, place_, 0});
    }
    // Whoever gets the lock may run, release it, and delete it.
    void pass_on() {
        bool is_gone = false;
        bool *outer = std::exchange(is_gone_, &is_gone);
        while (first_ && (!first_->still_waits() || fits(first_->is_shared_))) {
            detail::LockWaiter &waiter = *first_;
            remove(waiter);
            if (waiter.still_waits()) {
                take(waiter.is_shared_);
                waiter.granted();
            } else {
                waiter.passed_over();
            }
            if (is_gone) {
                if (outer)
                    *outer = true;
                return;
            }
        }
        is_gone_ = outer;
    }

    ptrdiff_t holders_ = 0;  // alone: one that does not share it
    detail::LockWaiter *first_ = nullptr, **last_ = &first_;
    bool *is_gone_ = nullptr;  // of the innermost pass_on
    std::source_location place_;
};

// A lock that is held as long as it lives.
class [[nodiscard]] lock_hold {
  public:
    lock_hold() = default;
    lock_hold(lock &held, bool shared) : held_(&held), is_shared_(shared) {}
    lock_hold(lock_hold &&other) noexcept : held_(std::exchange(other.held_, nullptr)), is_shared_(other.is_shared_) {}
    lock_hold &operator=(lock_hold other) noexcept {
        std::swap(held_, other.held_);
        std::swap(is_shared_, other.is_shared_);
        return *this;
    }
    ~lock_hold() { release(); }

    explicit operator bool() const { return held_ != nullptr; }
    void release() {
        lock *held = std::exchange(held_, nullptr);
        if (!held)
            return;
        if (is_shared_)
            held->release_shared();
        else
            held->release();
    }

  private:
    lock *held_ = nullptr;
    bool is_shared_ = false;
};

class lock::EventWaiter final : public detail::LockWaiter, source {
  public:
    EventWaiter(lock &on, bool shared, event<> granted) : LockWaiter(on, shared), granted_(std::move(granted)) {
        granted_.set_source(*this);
    }
    void granted() override { take_event().trigger(); }
    void passed_over() override { take_event(); }
    void lock_is_gone() override { take_event(); }  // nobody has it any more: told
    bool still_waits() const override { return static_cast<bool>(granted_); }
    void cancelled() noexcept override {
        const std::unique_ptr<EventWaiter> own(this);
        unqueue();
    }

    static void *operator new(size_t size) { return detail::pool.take(size); }
    static void operator delete(void *memory, size_t size) { detail::pool.give(memory, size); }

  private:
    event<> take_event() {
        const std::unique_ptr<EventWaiter> own(this);
        granted_.forget_source();
        return std::move(granted_);
    }

    event<> granted_;
};

inline void lock::acquire(event<> granted, bool shared) {
    if (!granted)
        return;
    if (try_take(shared))
        granted.trigger();
    else
        add(*new EventWaiter(*this, shared, std::move(granted)));
}

namespace detail {

// Cancelled by its function's end.
class LockWait final : public Wait, LockWaiter {
  public:
    static constexpr const char *waits_for = "a lock";

    LockWait(lock &on, bool shared) : LockWaiter(on, shared) {}
    LockWait(LockWait &&other) noexcept : LockWait(other.on_, other.is_shared_) {}  // before it waits
    ~LockWait() {
        if (has_)
            lock_hold(on_, is_shared_).release();  // it was granted, and the function ended before it went on
        else
            unqueue();
    }

    bool await_ready() { return has_ = on_.try_take(is_shared_); }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> function) {
        waiter_ = function;
        on_.add(*this);
        return ready.leave();
    }
    lock_hold await_resume() {
        has_ = false;
        return {on_, is_shared_};
    }

    void granted() override {
        has_ = true;
        ready.wake(waiter_);
    }
    void passed_over() override {}
    void lock_is_gone() override {
        if (current_reporter)
            current_reporter({mistake::waited_for, on_.place_, on_.place_, 0});
        waiter_.destroy();
    }
    bool still_waits() const override { return true; }

  private:
    bool has_ = false;
    std::coroutine_handle<> waiter_;
};

inline void LockWaiter::unqueue() {
    if (!is_queued())
        return;
    on_.remove(*this);
    on_.pass_on();
}

}  // namespace detail

inline detail::LockWait lock::scoped() { return {*this, false}; }
inline detail::LockWait lock::scoped_shared() { return {*this, true}; }

// A lock for each key, there as long as somebody has it or waits for it (sfslite's locktab). It must outlive them.
template <class Key>
class lock_table {
    using Locks = std::unordered_map<Key, std::pair<lock, size_t>>;

    // One that has the key's lock, or waits for it.
    class User {
      public:
        User(Locks &locks, const Key &key) : locks_(&locks), own_(&*locks.try_emplace(key).first) {
            ++own_->second.second;
        }
        User(User &&other) noexcept : locks_(other.locks_), own_(std::exchange(other.own_, nullptr)) {}
        User &operator=(User other) noexcept {
            std::swap(locks_, other.locks_);
            std::swap(own_, other.own_);
            return *this;
        }
        ~User() {
            if (own_ && --own_->second.second == 0)
                locks_->erase(locks_->find(own_->first));
        }
        lock &of_key() const { return own_->second.first; }

      private:
        Locks *locks_;
        typename Locks::value_type *own_;
    };

  public:
    class hold {  // NOLINT(readability-identifier-naming): as lock_hold
      public:
        hold(User user, lock_hold held) : user_(std::move(user)), held_(std::move(held)) {}

      private:
        User user_;
        lock_hold held_;  // released before
    };

    tamed<hold> scoped(Key key) {
        User user(locks_, key);
        lock_hold held = co_await user.of_key().scoped();
        co_return hold(std::move(user), std::move(held));
    }
    tamed<hold> scoped_shared(Key key) {
        User user(locks_, key);
        lock_hold held = co_await user.of_key().scoped_shared();
        co_return hold(std::move(user), std::move(held));
    }
    size_t size() const { return locks_.size(); }

  private:
    Locks locks_;
};

}  // namespace THALWEG_TAME
