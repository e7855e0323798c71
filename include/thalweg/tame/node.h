// thalweg: what an event refers to, and what a rendezvous keeps of it (paper tame-usenix07, section 5).
#pragma once

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <source_location>
#include <tuple>
#include <utility>

#include <thalweg/tame/pool.h>
#include <thalweg/tame/ready.h>
#include <thalweg/tame/report.h>

namespace thalweg::tame {

// Who will trigger an event, and wants to know when nobody waits for it any more: a timer, a descriptor's watch.
class source {
  public:
    virtual void cancelled() noexcept = 0;

  protected:
    ~source() = default;
};

namespace detail {

class Owner;

// One event. Events are references to it, counted (R2 of the paper, with the rendezvous in the closure's place: what an event's slots
// are in lives as long as that). The rendezvous and it know each other until it is triggered or cancelled (R3).
struct Node {
    struct Kind {
        void (*destroy)(Node *);
        void *(*id)(Node *);
    };

    Owner *owner = nullptr;  // null: triggered, or cancelled
    Node *next = nullptr;  // of the owner's
    Node **link = nullptr;  // what points here
    source *from = nullptr;
    std::source_location place;
    const Kind *kind = nullptr;
    uint32_t references = 1;

    void unlink() {
        *link = next;
        if (next)
            next->link = link;
    }
    void release() {
        if (--references == 0)
            kind->destroy(this);
    }
};

template <class... Values>
struct Slots : Node {
    std::tuple<Values *...> slots;
    explicit Slots(Values &...values) : slots(&values...) {}
};

template <class Id, class... Values>
struct Made final : Slots<Values...> {
    Id id;

    Made(Id &&own, Values &...values) : Slots<Values...>(values...), id(std::move(own)) {}

    static Made *make(Id id, Values &...values) {
        void *memory = pool.take(sizeof(Made));
        auto *made = new (memory) Made(std::move(id), values...);
        made->kind = &own_kind;
        return made;
    }

  private:
    static constexpr Node::Kind own_kind{[](Node *node) {
                                             auto *made = static_cast<Made *>(node);
                                             made->~Made();
                                             pool.give(made, sizeof(Made));
                                         },
                                         [](Node *node) -> void * { return &static_cast<Made *>(node)->id; }};
};

// What events are made on: it knows those that are still to come, and the one tamed function that waits.
class Owner {
  public:
    Owner(const Owner &) = delete;
    Owner &operator=(const Owner &) = delete;

    void add(Node &node) {
        node.owner = this;
        node.next = pending_;
        node.link = &pending_;
        if (pending_)
            pending_->link = &node.next;
        pending_ = &node;
    }
    // Its slots are filled. Whoever goes on may let go of the node.
    void triggered(Node &node) {
        node.unlink();
        node.owner = nullptr;
        node.from = nullptr;
        if (!waits_for_all_)
            keep(node);
        else if (pending_)
            return;
        if (waiter_)
            ready.wake(std::exchange(waiter_, nullptr));
    }
    // The last event that referred to it is gone.
    void dropped(Node &node) {
        node.unlink();
        node.owner = nullptr;
        tell(mistake::never_triggered, node.place, 1);
    }
    // What is still to come is not waited for any more; when it is triggered nothing happens.
    void cancel() {
        while (Node *node = pending_) {
            node->unlink();
            node->owner = nullptr;
            if (source *from = std::exchange(node->from, nullptr))
                from->cancelled();
        }
    }
    bool is_pending() const { return pending_ != nullptr; }

  protected:
    Owner(bool waits_for_all, std::source_location place) : waits_for_all_(waits_for_all), place_(place) {}
    ~Owner() = default;

    // R4: what is left when the function has ended, or its rendezvous is gone for another reason.
    void end() {
        size_t left = 0;
        for (const Node *node = pending_; node; node = node->next)
            ++left;
        if (left != 0)
            tell(mistake::abandoned, pending_->place, left);
        cancel();
        if (waiter_) {
            tell(mistake::waited_for, place_, 0);
            std::exchange(waiter_, nullptr).destroy();
        }
    }
    void waits(std::coroutine_handle<> function) {
        if (waiter_)
            std::terminate();  // two functions wait for one rendezvous: section 3.1 forbids it
        waiter_ = function;
    }
    void tell(mistake what, std::source_location event, size_t count) const {
        if (current_reporter)
            current_reporter({what, event, place_, count});
    }

    Node *pending_ = nullptr;

  private:
    void keep(Node &node);

    std::coroutine_handle<> waiter_;
    const bool waits_for_all_;
    std::source_location place_;
};

// One that keeps what has occurred until it is waited for.
class KeepingOwner : public Owner {
  protected:
    explicit KeepingOwner(std::source_location place) : Owner(false, place) {}
    ~KeepingOwner() = default;

    bool has_kept() const { return first_ != nullptr; }
    Node *take_oldest() {
        Node *node = first_;
        first_ = node->next;
        return node;
    }

  private:
    friend Owner;
    void add_kept(Node &node) {
        ++node.references;
        node.next = nullptr;
        (first_ ? last_->next : first_) = &node;
        last_ = &node;
    }

    Node *first_ = nullptr;
    Node *last_ = nullptr;  // where there is a first
};

inline void Owner::keep(Node &node) { static_cast<KeepingOwner *>(this)->add_kept(node); }

}  // namespace detail
}  // namespace thalweg::tame
