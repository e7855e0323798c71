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

namespace THALWEG_TAME {

namespace detail {
struct Node;
}

// Who will trigger an event, and wants to know when nobody waits for it any more: a timer, a descriptor's watch. Of one event.
class source {
  public:
    virtual void cancelled() noexcept = 0;

  protected:
    ~source() = default;

  private:
    friend struct detail::Node;
    std::source_location place_;  // the event's, which has the source in its place
};

namespace detail {

class Owner;

// One event. Events are references to it, counted (R2 of the paper, with the rendezvous in the closure's place: what an event's slots
// are in lives as long as that). The rendezvous and it know each other until it is triggered or cancelled (R3).
struct Node {
    Owner *owner = nullptr;  // null: triggered, or cancelled
    uint32_t references = 1;
    uint32_t number : 26;  // of the owner's pending ones
    uint32_t occurs_when_dropped : 1;  // when nobody has the event any more and it was not triggered
    uint32_t is_told_of : 1;  // then
    uint32_t was_dropped : 1;  // and has occurred so
    uint32_t is_kept : 1;  // made on a rendezvous: a KeptNode
    uint32_t is_prompt : 1;  // who waits goes on inside of the trigger
    uint32_t has_source : 1;

    Node(bool kept, std::source_location made_at)
        : number(0), occurs_when_dropped(0), is_told_of(1), was_dropped(0), is_kept(kept), is_prompt(0), has_source(0),
          place_(made_at) {}
    Node(const Node &) = delete;
    Node &operator=(const Node &) = delete;

    void check_thread(const char *use) const { thread_.check("an event that is waited for", use); }
    std::source_location place() const { return has_source ? from_->place_ : place_; }
    void set_source(source &from) {
        clear_source();
        from.place_ = place_;
        from_ = &from;
        has_source = 1;
    }
    // Gives the one that it had.
    source *clear_source() {
        if (!has_source)
            return nullptr;
        source *from = from_;
        place_ = from->place_;
        has_source = 0;
        return from;
    }

  private:
    union {
        std::source_location place_;  // where it was made
        source *from_;
    };
    // Last: what comes before is the recorder's too (thalweg_node_head).
    [[no_unique_address]] thalweg::detail::OwnThread thread_;
};

// On a rendezvous: when it has occurred it is kept until it is waited for, by whoever knows its id's type only.
struct KeptNode : Node {
    struct Kind {
        void (*destroy)(KeptNode *);
        void *(*id)(KeptNode *);
    };
    const Kind *kind;
    KeptNode *next = nullptr;  // that has occurred after it

    KeptNode(const Kind &own, std::source_location made_at) : Node(true, made_at), kind(&own) {}
    void release() {
        if (--references == 0)
            kind->destroy(this);
    }
};

template <class Base, class... Values>
struct Slots : Base {
    [[no_unique_address]] std::tuple<Values *...> slots;

    template <class... Given>
    explicit Slots(std::tuple<Values *...> own, Given &&...given) : Base(std::forward<Given>(given)...), slots(own) {}
};

// On a gather.
template <class... Values>
struct Gathered final : Slots<Node, Values...> {
    Gathered(std::tuple<Values *...> own, std::source_location made_at) : Slots<Node, Values...>(own, false, made_at) {}

    static void *operator new(size_t size) { return pool.take(size); }
    static void operator delete(void *memory, size_t size) { pool.give(memory, size); }
};

// On a rendezvous.
template <class Id, class... Values>
struct Identified final : Slots<KeptNode, Values...> {
    Id id;

    Identified(Id &&own, std::tuple<Values *...> into, std::source_location made_at)
        : Slots<KeptNode, Values...>(into, own_kind, made_at), id(std::move(own)) {}

    static void *operator new(size_t size) { return pool.take(size); }
    static void operator delete(void *memory, size_t size) { pool.give(memory, size); }

  private:
    static constexpr KeptNode::Kind own_kind{
        [](KeptNode *node) { delete static_cast<Identified *>(node); },
        [](KeptNode *node) -> void * { return &static_cast<Identified *>(node)->id; }};
};

}  // namespace detail
}  // namespace THALWEG_TAME
