// thalweg: what a tamed function waits for: any one of some events, or all of them (paper tame-usenix07, section 3.1).
//
//     rendezvous<bool> r;
//     timer(10s, mkevent(r, false));
//     gethost(name, mkevent(r, true, address));
//     bool found = co_await r;
//
//     gather all;
//     for (size_t i = 0; i < names.size(); ++i)
//         gethost(names[i], mkevent(all, addresses[i]));
//     co_await all;
#pragma once

#include <tuple>
#include <type_traits>

#include <thalweg/tame/event.h>

namespace THALWEG_TAME {

namespace detail {

// Awaited by tamed functions only: one that blocks lets others go on (Ready).
struct Wait {};

}  // namespace detail

// Events with ids of these types. Waiting for it takes one that has occurred, the oldest first, and gives its id.
template <class... Ids>
class rendezvous : public detail::KeepingOwner, public detail::Wait {
  public:
    using id_type = std::tuple<Ids...>;

    explicit rendezvous(std::source_location place = std::source_location::current()) : KeepingOwner(place) {}

    // Some have occurred that were not waited for yet.
    bool has_occurred() const { return has_kept(); }
    // Events that are still to come, and those that have occurred and were not waited for, count no more.
    void cancel() {
        Owner::cancel();
        drop_kept();
    }

    // It is what is awaited, without an object between, which would have its place in each frame that waits.
    bool await_ready() const noexcept { return has_occurred(); }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> function) noexcept {
        waits(function);
        return detail::ready.leave();
    }
    auto await_resume() {
        detail::KeptNode *node = take_oldest();
        if constexpr (sizeof...(Ids) == 0) {
            node->release();
        } else {
            id_type id = std::move(id_of(*node));
            node->release();
            if constexpr (sizeof...(Ids) == 1)
                return std::get<0>(std::move(id));
            else
                return id;
        }
    }

    static id_type &id_of(detail::KeptNode &node) { return *static_cast<id_type *>(node.kind->id(&node)); }
};

// Waiting for it lasts until all events that were made on it have occurred: the paper's twait{}.
class gather : public detail::GatheringOwner, public detail::Wait {
  public:
    using id_type = std::tuple<>;

    gather() = default;

    bool await_ready() const noexcept { return !is_pending(); }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> function) noexcept {
        waits(function);
        return detail::ready.leave();
    }
    void await_resume() const noexcept {}
};

namespace detail {

// Of mkevent's arguments after the rendezvous, as many as it has ids are the id; the others are slots.
template <size_t ids, class Arguments, class Is>
struct Split;
template <size_t ids, class... Arguments, size_t... is>
struct Split<ids, std::tuple<Arguments...>, std::index_sequence<is...>> {
    static_assert((std::is_lvalue_reference_v<std::tuple_element_t<ids + is, std::tuple<Arguments...>>> && ...),
                  "a slot is a variable that takes a trigger value");
    using event_type = event<std::remove_reference_t<std::tuple_element_t<ids + is, std::tuple<Arguments...>>>...>;
};
template <class On>
inline constexpr size_t ids_of = std::tuple_size_v<typename On::id_type>;
template <class On, class... Arguments>
using EventOf = typename Split<ids_of<On>, std::tuple<Arguments...>,
                               std::make_index_sequence<sizeof...(Arguments) - ids_of<On>>>::event_type;

template <class On, class Id, class... Values>
Node *make_node(Id &&id, std::tuple<Values *...> into, std::source_location place) {
    if constexpr (std::is_base_of_v<GatheringOwner, On>)
        return new Gathered<Values...>(into, place);
    else
        return new Identified<Id, Values...>(std::forward<Id>(id), into, place);
}

}  // namespace detail

// Makes an event on a rendezvous, with its id, and the slots that take the trigger values: mkevent(r, id, slot...). The slots must live
// as long as the rendezvous.
template <class On, class... Arguments>
class mkevent : public detail::EventOf<On, Arguments...> {
    using Event = detail::EventOf<On, Arguments...>;

  public:
    mkevent(On &on, Arguments &&...arguments, std::source_location place = std::source_location::current())
        : Event(make(on, std::forward_as_tuple(std::forward<Arguments>(arguments)...), place,
                     std::make_index_sequence<detail::ids_of<On>>(),
                     std::make_index_sequence<sizeof...(Arguments) - detail::ids_of<On>>())) {}

  private:
    // Of `all`, what comes first is the id; each is used once.
    template <class... Given, size_t... ids, size_t... slots>
    static auto *make(On &on, [[maybe_unused]] std::tuple<Given...> all, std::source_location place,
                      std::index_sequence<ids...>, std::index_sequence<slots...>) {
        const std::tuple into(&std::get<sizeof...(ids) + slots>(all)...);
        auto *node = detail::make_node<On>(
            typename On::id_type(static_cast<std::tuple_element_t<ids, std::tuple<Given...>>>(std::get<ids>(all))...),
            into, place);
        if constexpr (requires { On::tells_of_dropped; }) {
            node->occurs_when_dropped = 1;
            node->is_told_of = On::tells_of_dropped;
        }
        if constexpr (requires { On::goes_on_inside; })
            node->is_prompt = On::goes_on_inside;
        on.add(*node);
        return node;
    }
};
template <class... Ids, class... Arguments>
mkevent(rendezvous<Ids...> &, Arguments &&...) -> mkevent<rendezvous<Ids...>, Arguments...>;
template <class... Arguments>
mkevent(gather &, Arguments &&...) -> mkevent<gather, Arguments...>;

}  // namespace THALWEG_TAME
