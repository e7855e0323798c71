// io: where no connection can be taken, for want of descriptors or memory, or for another reason that may pass.
#pragma once

#include <cerrno>
#include <chrono>

#include <thalweg/runtime.h>

namespace thalweg::io {

// A connection that is not there any more, or was refused by a filter, is none; the next one may be.
inline bool is_about_one_connection(int reason) {
    return reason == ECONNABORTED || reason == EINTR || reason == EPROTO || reason == EPERM || reason == ENETDOWN ||
           reason == ENOPROTOOPT || reason == EHOSTDOWN || reason == EHOSTUNREACH || reason == EOPNOTSUPP ||
           reason == ENETUNREACH;
}
// Until it is tried again. nginx waits 500 ms; a connection that ends sooner leaves a descriptor, and ten tries a second cost nothing.
constexpr std::chrono::milliseconds pause_after_failure(100);

// Owner: has try_again().
template <class Owner>
class Retry final : thalweg_task {
  public:
    explicit Retry(Owner &owner) : thalweg_task{}, owner_(owner) {
        run = [](thalweg_task *task) {
            auto *self = static_cast<Retry *>(task);
            self->is_waiting_ = false;
            self->owner_.try_again();
        };
        drop = [](thalweg_task *task) { static_cast<Retry *>(task)->is_waiting_ = false; };
    }
    Retry(const Retry &) = delete;
    Retry &operator=(const Retry &) = delete;
    ~Retry() { end(); }

    void begin() {
        if (!is_waiting_)
            is_waiting_ = thalweg_task_put(this, std::chrono::nanoseconds(pause_after_failure).count()) != 0;
    }
    void end() {
        if (is_waiting_)
            thalweg_task_take_back(this);
        is_waiting_ = false;
    }

  private:
    Owner &owner_;
    bool is_waiting_ = false;
};

}  // namespace thalweg::io
