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

#include <thalweg/tame/crossing.h>
#include <thalweg/tame/owner.h>

namespace THALWEG_TAME {

// What occurs once, and is waited for; what is raised any number of times, and calls handlers, is thalweg::Event. Refers to an event, as do its
// copies. All of them belong to one thread, that of who waits: another thread posts to the loop there what triggers it. A callable: whatever takes a
// function of these values takes an event.
template <class... Values>
class event {
  public:
    event() = default;
    event(const event &other) noexcept : node_(other.node_) {
        if (node_) {
            node_->check_thread("was copied");
            ++node_->references;
        }
    }
    event(event &&other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
    event &operator=(event other) noexcept {
        std::swap(node_, other.node_);
        return *this;
    }
    ~event() {
        if (!node_)
            return;
        node_->check_thread("was dropped");
        if (--node_->references == 0)
            end(node_);
    }

    // It may still be triggered, and somebody waits for it or will.
    explicit operator bool() const { return node_ && node_->owner; }

    // Fills the slots, and the event has occurred. Of an event that has occurred, or was cancelled, or is none: nothing happens.
    void trigger(Values... values) const {
        if (!node_)
            return;
        node_->check_thread("was triggered");
        if (node_->owner)
            occur(node_, std::forward<Values>(values)...);
    }
    void operator()(Values... values) const { trigger(std::move(values)...); }
    const event *operator->() const { return this; }  // e->trigger(v), as sfslite writes it

    // `from` is told when nobody waits for the event any more; it must live until then, until the event is triggered, or until it is
    // taken off. One source has one event.
    void set_source(source &from) const {
        if (*this)
            node_->set_source(from);
    }
    void forget_source() const {
        if (node_)
            node_->clear_source();
    }

  protected:
    explicit event(detail::Node *node) : node_(node) {}

  private:
    using Kept = detail::Slots<detail::KeptNode, Values...>;
    using Gathered = detail::Gathered<Values...>;

    // Small values in registers.
    template <class Value>
    using Handed =
        std::conditional_t<std::is_trivially_copyable_v<Value> && sizeof(Value) <= 2 * sizeof(void *), Value, Value &&>;

    // Of the node, not of the event, as end(): an event whose address nobody needs takes no place in a function's frame.
    THALWEG_TRIGGER [[gnu::noinline]] static void occur(detail::Node *node, Handed<Values>... values) {
        const auto fill = [&](auto &slotted) {
            std::apply([&](auto *...slots) { ((*slots = std::move(values)), ...); }, slotted.slots);
            return &slotted;
        };
        detail::Owner *owner = node->owner;
        if (!node->is_kept && !node->is_prompt)
            static_cast<detail::GatheringOwner *>(owner)->triggered(*fill(*static_cast<Gathered *>(node)));
        else if (!node->is_prompt)
            static_cast<detail::KeepingOwner *>(owner)->triggered(*fill(*static_cast<Kept *>(node)));
        else if (node->is_kept)
            static_cast<detail::KeepingOwner *>(owner)->triggered_prompt(*fill(*static_cast<Kept *>(node)));
        else
            static_cast<detail::GatheringOwner *>(owner)->triggered_prompt(*fill(*static_cast<Gathered *>(node)));
    }
    [[gnu::noinline]] static void end(detail::Node *node) {
        if (node->is_kept) {
            auto *kept = static_cast<Kept *>(node);
            ++kept->references;  // its rendezvous may keep it yet
            if (kept->owner)
                static_cast<detail::KeepingOwner *>(kept->owner)->dropped(*kept);
            kept->release();
        } else {
            auto *gathered = static_cast<Gathered *>(node);
            if (gathered->owner)
                static_cast<detail::GatheringOwner *>(gathered->owner)->dropped(*gathered);
            delete gathered;
        }
    }

    detail::Node *node_ = nullptr;
};

}  // namespace THALWEG_TAME
