// thalweg: an event: a future occurrence, with the values that it will bring (paper tame-usenix07, section 3.1).
//
//     thalweg::tame::rendezvous<> r;
//     int i = 0;
//     thalweg::tame::event<int> e = mkevent(r, i);
//     e.trigger(100);  // i is 100, and whoever waits for r goes on
//
// An event belongs to the thread of its rendezvous.
#pragma once

#include <type_traits>
#include <utility>

#include <thalweg/tame/node.h>

namespace thalweg::tame {

// Refers to an event, as do its copies. A callable: whatever takes a function of these values takes an event.
template <class... Values>
class event {
  public:
    event() = default;
    event(const event &other) noexcept : node_(other.node_) {
        if (node_)
            ++node_->references;
    }
    event(event &&other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
    event &operator=(event other) noexcept {
        std::swap(node_, other.node_);
        return *this;
    }
    ~event() { let_go(); }

    // It may still be triggered, and somebody waits for it or will.
    explicit operator bool() const { return node_ && node_->owner; }

    // Fills the slots, and the event has occurred. Of an event that has occurred, or was cancelled, or is none: nothing happens.
    void trigger(Values... values) const {
        if (!node_)
            return;
        detail::Owner *owner = node_->owner;
        if (!owner)
            return;
        std::apply([&](auto *...slots) { ((*slots = std::move(values)), ...); }, node_->slots);
        owner->triggered(*node_);
    }
    void operator()(Values... values) const { trigger(std::move(values)...); }
    const event *operator->() const { return this; }  // e->trigger(v), as sfslite writes it

    // `from` is told when nobody waits for the event any more; it must live until then, until the event is triggered, or until it is
    // forgotten.
    void set_source(source &from) const {
        if (*this)
            node_->from = &from;
    }
    void forget_source() const {
        if (*this)
            node_->from = nullptr;
    }

  protected:
    explicit event(detail::Slots<Values...> *node) : node_(node) {}

  private:
    void let_go() {
        if (!node_)
            return;
        if (node_->references == 1 && node_->owner)
            node_->owner->dropped(*node_);
        node_->release();
    }

    detail::Slots<Values...> *node_ = nullptr;
};

}  // namespace thalweg::tame
