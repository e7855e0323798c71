// thalweg: what waits for one source, a descriptor or the signals, in the order in which it came.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <thalweg/tame/rendezvous.h>

namespace THALWEG_TAME::detail {

// Of: has cancelled(), called when one of its waits has been cancelled and is gone. What: what is waited for.
template <class Of, class What>
class WaitList {
  public:
    explicit WaitList(Of &of) : of_(of) {}
    WaitList(const WaitList &) = delete;
    WaitList &operator=(const WaitList &) = delete;
    ~WaitList() {
        while (newest_)
            delete newest_;
    }

    class Wait final : public source {
      public:
        const What what;

        Wait(WaitList &list, What wanted, event<> due)
            : what(wanted), list_(list), due_(std::move(due)), next_(list.newest_), link_(&list.newest_) {
            if (next_)
                next_->link_ = &next_;
            list.newest_ = this;
            due_.set_source(*this);
        }
        Wait(const Wait &) = delete;
        Wait &operator=(const Wait &) = delete;
        ~Wait() {
            *link_ = next_;
            if (next_)
                next_->link_ = link_;
            due_.forget_source();
        }
        event<> take() {
            due_.forget_source();
            return std::move(due_);
        }
        void cancelled() noexcept override {
            Of &of = list_.of_;
            delete this;
            of.cancelled();
        }

        static void *operator new(size_t size) { return pool.take(size); }
        static void operator delete(void *memory, size_t size) { pool.give(memory, size); }

      private:
        friend WaitList;
        WaitList &list_;
        event<> due_;
        Wait *next_, **link_;
    };

    bool is_empty() const { return newest_ == nullptr; }
    Wait *add(What wanted, event<> due) { return new Wait(*this, wanted, std::move(due)); }
    template <class Each>
    void for_each(Each each) const {
        for (const Wait *wait = newest_; wait; wait = wait->next_)
            each(wait->what);
    }
    // Those that `has_come` says: no longer in the list, and to be triggered. What is triggered may wait again, or cancel the others.
    template <class HasCome>
    std::vector<event<>> take(HasCome has_come) {
        std::vector<event<>> due;
        for (Wait *wait = newest_; wait;) {
            Wait *next = wait->next_;
            if (has_come(wait->what)) {
                due.push_back(wait->take());
                delete wait;
            }
            wait = next;
        }
        return due;
    }
    // Those that have waited longest come last.
    static void trigger(std::vector<event<>> due) {
        while (!due.empty()) {
            const event<> one = std::move(due.back());
            due.pop_back();
            one.trigger();
        }
    }

  private:
    Of &of_;
    Wait *newest_ = nullptr;
};

}  // namespace THALWEG_TAME::detail
