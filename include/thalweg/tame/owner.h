// thalweg: what events are made on: it knows those that are still to come, and the one tamed function that waits.
#pragma once

#include <thalweg/tame/crossing.h>
#include <thalweg/tame/node.h>

namespace THALWEG_TAME::detail {

// Nodes that are still to come: mostly one, which needs no memory.
class Pending {
  public:
    bool is_empty() const { return what_ == 0; }
    size_t count() const { return is_many() ? many()->count : size_t{!is_empty()}; }
    // Where there are some.
    Node *newest() const { return is_many() ? nodes()[many()->count - 1] : one(); }

    template <class Each>
    void for_each(Each each) const {
        const size_t all = count();
        for (size_t i = 0; i < all; ++i)
            each(is_many() ? *nodes()[i] : *one());
    }

    void add(Node &node) {
        if (is_empty()) {
            node.number = 0;
            what_ = reinterpret_cast<uintptr_t>(&node);
        } else {
            add_other(node);
        }
    }
    void remove(Node &node) {
        if (is_many()) {
            remove_one(node);
        } else {
            what_ = 0;
        }
    }

  private:
    static constexpr uintptr_t many_bit = 1;  // nodes and what keeps many lie at even addresses
    static constexpr uint32_t first_room = 6;  // with the counts: 56 bytes

    struct Many {
        uint32_t count, room;
    };

    bool is_many() const { return (what_ & many_bit) != 0; }
    Node *one() const { return reinterpret_cast<Node *>(what_); }
    Many *many() const { return reinterpret_cast<Many *>(what_ - many_bit); }
    Node **nodes() const { return reinterpret_cast<Node **>(many() + 1); }
    static size_t bytes(uint32_t room) { return sizeof(Many) + room * sizeof(Node *); }

    void make_room(uint32_t room) {
        auto *made = new (pool.take(bytes(room))) Many{0, room};
        auto **copied = reinterpret_cast<Node **>(made + 1);
        if (is_many()) {
            made->count = many()->count;
            for (uint32_t i = 0; i < made->count; ++i)
                copied[i] = nodes()[i];
            pool.give(many(), bytes(many()->room));
        } else {
            made->count = 1;
            copied[0] = one();
        }
        what_ = reinterpret_cast<uintptr_t>(made) | many_bit;
    }
    [[gnu::noinline]] void add_other(Node &node) {
        if (!is_many())
            make_room(first_room);
        else if (many()->count == many()->room)
            make_room(2 * many()->room);
        node.number = many()->count;
        nodes()[many()->count++] = &node;
    }
    [[gnu::noinline]] void remove_one(Node &node) {
        Node *last = nodes()[--many()->count];
        nodes()[node.number] = last;
        last->number = node.number;
        if (many()->count != 0)
            return;
        pool.give(many(), bytes(many()->room));
        what_ = 0;
    }

    uintptr_t what_ = 0;
};

// What events are made on.
class Owner {
  public:
    Owner(const Owner &) = delete;
    Owner &operator=(const Owner &) = delete;

    void add(Node &node) {
        check_thread("was given an event");
        node.owner = this;
        pending_.add(node);
    }
    // What is still to come is not waited for any more; when it is triggered nothing happens.
    void cancel() {
        check_thread("was cancelled");
        while (!pending_.is_empty()) {
            Node &node = *pending_.newest();
            remove(node);
            if (source *from = node.clear_source())
                from->cancelled();
        }
    }
    bool is_pending() const { return !pending_.is_empty(); }
    template <class Each>
    void for_each_pending(Each each) const {
        pending_.for_each(each);
    }
    const Node *newest_pending() const { return is_pending() ? pending_.newest() : nullptr; }

  protected:
    Owner() = default;
    ~Owner() = default;

    // The event has occurred, is cancelled, or nobody has it any more.
    void remove(Node &node) {
        pending_.remove(node);
        node.owner = nullptr;
    }
    // R4: what is left when the function has ended, or its rendezvous is gone for another reason. own: where it was made.
    void end(const std::source_location *own) {
        check_thread("was let go");
        if (is_pending() || waiter_)
            end_early(own);
    }
    void waits(std::coroutine_handle<> function) {
        check_thread("was waited for");
        if (waiter_)
            std::terminate();  // two functions wait for one rendezvous: section 3.1 forbids it
        waiter_ = function;
    }
    void wake() {
        if (waiter_)
            ready.wake(std::exchange(waiter_, nullptr));
    }
    void wake_inside() {
        if (waiter_)
            ready.wake_inside(std::exchange(waiter_, nullptr));
    }
    static void tell(mistake what, std::source_location event, std::source_location own, size_t count) {
        if (current_reporter)
            current_reporter({what, event, own, count});
    }

  private:
    void check_thread(const char *use) const { thread_.check("a rendezvous", use); }
    [[gnu::noinline]] void end_early(const std::source_location *own) {
        std::source_location place = own ? *own : std::source_location();
        if (const size_t left = pending_.count(); left != 0) {
            const std::source_location event = pending_.newest()->place();
            if (!own)
                place = event;
            tell(mistake::abandoned, event, place, left);
        }
        cancel();
        if (waiter_) {
            tell(mistake::waited_for, place, place, 0);
            std::exchange(waiter_, nullptr).destroy();
        }
    }

    Pending pending_;
    std::coroutine_handle<> waiter_;
    [[no_unique_address]] thalweg::detail::OwnThread thread_;
};

// One that is waited for until nothing is pending. It has no place of its own to tell of but its events': it lies in its function's
// frame, and 100,000 functions that wait are 100,000 frames.
class GatheringOwner : public Owner {
  public:
    // Its slots are filled. Whoever goes on may let go of the node.
    THALWEG_CROSSING void triggered(Node &node) {
        node.clear_source();
        remove(node);
        if (!is_pending())
            wake();
    }
    // The same, and who waits goes on inside of it (prompt.h).
    THALWEG_CROSSING void triggered_prompt(Node &node) {
        node.clear_source();
        remove(node);
        if (!is_pending())
            wake_inside();
    }
    // The last event that referred to it is gone.
    void dropped(Node &node) {
        if (node.is_told_of)
            tell(mistake::never_triggered, node.place(), node.place(), 1);
        if (node.occurs_when_dropped)
            triggered(node);
        else
            remove(node);
    }

  protected:
    GatheringOwner() = default;
    ~GatheringOwner() { end(nullptr); }
};

// One that keeps what has occurred until it is waited for.
class KeepingOwner : public Owner {
  public:
    THALWEG_CROSSING void triggered(KeptNode &node) {
        keep(node);
        wake();
    }
    THALWEG_CROSSING void triggered_prompt(KeptNode &node) {
        keep(node);
        wake_inside();
    }
    void dropped(KeptNode &node) {
        if (node.is_told_of)
            tell(mistake::never_triggered, node.place(), place_, 1);
        node.was_dropped = 1;
        if (node.occurs_when_dropped)
            triggered(node);
        else
            remove(node);
    }

  protected:
    explicit KeepingOwner(std::source_location place) : place_(place) {}
    ~KeepingOwner() {
        end(&place_);
        drop_kept();
    }

    bool has_kept() const { return first_ != nullptr; }
    KeptNode *take_oldest() {
        KeptNode *node = first_;
        first_ = node->next;
        return node;
    }
    void drop_kept() {
        while (has_kept())
            take_oldest()->release();
    }

  private:
    void keep(KeptNode &node) {
        node.clear_source();
        remove(node);
        ++node.references;
        (first_ ? last_->next : first_) = &node;
        last_ = &node;
    }

    KeptNode *first_ = nullptr;
    KeptNode *last_ = nullptr;  // where there is a first
    std::source_location place_;
};

}  // namespace THALWEG_TAME::detail
