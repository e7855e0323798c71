// thalweg: typed events. A raise is checked at compile time and marshals nothing.
//
//     thalweg::Event<int, double> seg{"SegFromUser"};
//     auto binding = seg.bind<&on_segment>(&session, {.order = 10});
//     seg.raise(1, 2.0);
//
// docs/EVENTS.md says what happens when a handler binds, unbinds, raises, halts, throws or deletes the event.
#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <thalweg/abi.h>
#include <thalweg/marshal.h>
#include <thalweg/runtime.h>
#include <thalweg/thalweg.h>
#include <thalweg/variant.h>

#define THALWEG_INLINE [[gnu::always_inline]] inline

namespace thalweg {

// Handlers run in ascending order; those of equal order in the order in which they were bound.
struct BindOptions {
    int32_t order = 0;
};

// Refers to one bind, as do its copies, and may outlive the event: it is bound no more then. Of the event's thread. Giving up the handle does
// not unbind; ScopedBinding does.
class Binding {
  public:
    Binding() = default;
    explicit Binding(thalweg_binding *binding) : binding_(binding) {}
    Binding(const Binding &other) : binding_(other.binding_) {
        if (binding_)
            ++binding_->references;
    }
    Binding(Binding &&other) noexcept : binding_(std::exchange(other.binding_, nullptr)) {}
    Binding &operator=(Binding other) noexcept {
        std::swap(binding_, other.binding_);
        return *this;
    }
    ~Binding() {
        if (binding_)
            thalweg_binding_release(binding_);
    }

    bool bound() const { return binding_ && binding_->core; }
    bool blocked() const { return binding_ && binding_->blocked; }
    void unbind() {
        if (binding_)
            thalweg_binding_unbind(binding_);
    }
    void block() {
        if (binding_)
            thalweg_binding_block(binding_, 1);
    }
    void unblock() {
        if (binding_)
            thalweg_binding_block(binding_, 0);
    }

  private:
    thalweg_binding *binding_ = nullptr;
};

// Unbinds when it goes, which must be in the event's thread. The event may be gone before.
class ScopedBinding {
  public:
    ScopedBinding() = default;
    ScopedBinding(Binding binding) : binding_(std::move(binding)) {}
    ScopedBinding(ScopedBinding &&) = default;
    ScopedBinding &operator=(ScopedBinding &&other) noexcept {
        std::swap(binding_, other.binding_);
        return *this;
    }
    ~ScopedBinding() { binding_.unbind(); }
    Binding &operator*() { return binding_; }
    Binding *operator->() { return &binding_; }

  private:
    Binding binding_;
};

// Arguments fixed at bind time; they come before the raise's own: bind<&f>(with(7, "x")) calls f(7, "x", args...).
template <class... Statics>
struct StaticArguments {
    std::tuple<Statics...> values;
};
template <class... Statics>
StaticArguments<std::decay_t<Statics>...> with(Statics &&...statics) {
    return {std::tuple<std::decay_t<Statics>...>(std::forward<Statics>(statics)...)};
}

// A raise that has still to happen.
class Posted {
  public:
    Posted() = default;
    explicit Posted(thalweg_raise_id id) : id_(id) {}
    // False: nothing was posted, as the thread has no loop and the system no descriptors for one (errno); or cancelled.
    explicit operator bool() const { return id_ != 0; }
    // False: it has happened, or was cancelled, or its event is gone. In the thread that posted it.
    bool cancel() { return thalweg_cancel(std::exchange(id_, 0)) == THALWEG_OK; }

  private:
    thalweg_raise_id id_ = 0;
};

// ---- combiners: what becomes of the handlers' return values. Any type with add(R) and result() is one. ----

template <class R>
struct Last {
    std::optional<R> value;
    void add(R next) { value = std::move(next); }
    std::optional<R> result() { return std::move(value); }
};
template <class R>
struct Sum {
    R value{};
    void add(R next) { value += std::move(next); }
    R result() { return std::move(value); }
};
struct Any {
    bool value = false;
    void add(bool next) { value |= next; }
    bool result() const { return value; }
};
template <class R>
struct Collect {
    std::vector<R> values;
    void add(R next) { values.push_back(std::move(next)); }
    std::vector<R> result() { return std::move(values); }
};

namespace detail {

// <functional>, <memory> and <chrono> would double this header, which each of a program's files may include: what is needed of them stands here.

// std::invoke.
template <class Handler, class... Args>
THALWEG_INLINE decltype(auto) invoke(Handler handler, Args &&...args) {
    if constexpr (std::is_member_pointer_v<Handler>) {
        return std::apply(handler, std::forward_as_tuple(std::forward<Args>(args)...));
    } else {
        return handler(std::forward<Args>(args)...);
    }
}

// Deletes what a task kept, when it has run or thrown.
template <class Kept>
class Owned {
  public:
    explicit Owned(Kept *kept) : kept_(kept) {}
    Owned(const Owned &) = delete;
    Owned &operator=(const Owned &) = delete;
    ~Owned() { delete kept_; }
    Kept *operator->() const { return kept_; }

  private:
    Kept *kept_;
};

// A std::chrono::duration that std::chrono::nanoseconds is made of without a cast.
template <class Time>
concept Duration = std::is_integral_v<typename Time::rep> && 1'000'000'000 % Time::period::den == 0;

// 0 where it is negative; the longest that nanoseconds can say, where it is longer.
template <Duration Time>
constexpr uint64_t nanoseconds_of(const Time &time) {
    constexpr uint64_t longest = INT64_MAX;
    constexpr uint64_t factor = Time::period::num * (1'000'000'000 / Time::period::den);
    if (time.count() <= 0)
        return 0;
    const auto count = static_cast<uint64_t>(time.count());
    return count > longest / factor ? longest : count * factor;
}

// How an argument travels: as it is declared when that is a reference or fits in registers, else by reference.
template <class T>
using Pass =
    std::conditional_t<std::is_reference_v<T> || (std::is_trivially_copyable_v<T> && sizeof(T) <= 16), T, const T &>;

// Puts a raise in progress on the event, and takes it off when the raise ends, by an exception too.
class FrameGuard {
  public:
    THALWEG_INLINE FrameGuard(thalweg_core *core, thalweg_frame *frame) : core_(core), frame_(frame) {
        core->frames = frame;
    }
    FrameGuard(const FrameGuard &) = delete;
    FrameGuard &operator=(const FrameGuard &) = delete;
    THALWEG_INLINE ~FrameGuard() {
        if (frame_->state == THALWEG_FRAME_UNCHANGED) {
            core_->frames = frame_->next;
        } else {
            thalweg_frame_leave(core_, frame_);
        }
    }

  private:
    thalweg_core *core_;
    thalweg_frame *frame_;
};

// A binding with what it keeps alive: a function object, static arguments.
template <class Kept>
struct KeepingBinding : thalweg_binding {
    Kept kept;
    explicit KeepingBinding(Kept &&value) : thalweg_binding{}, kept(std::move(value)) {
        destroy = [](thalweg_binding *binding) { delete static_cast<KeepingBinding *>(binding); };
    }
};
struct Nothing {};

struct NoResult {};

// The functions that stand in slots. Each is a function of its own, so that its address says what runs.
template <class R, class... Args>
struct Thunks {
    template <auto handler>
    static R plain(void *, Pass<Args>... args) {
        return detail::invoke(handler, args...);
    }
    template <auto handler, class Context>
    static R by_pointer(void *context, Pass<Args>... args) {
        return detail::invoke(handler, static_cast<Context *>(context), args...);
    }
    template <auto handler, class Context>
    static R by_reference(void *context, Pass<Args>... args) {
        return detail::invoke(handler, *static_cast<Context *>(context), args...);
    }
    template <auto handler, class Kept>
    static R with_statics(void *context, Pass<Args>... args) {
        return std::apply([&](auto &...statics) -> R { return detail::invoke(handler, statics..., args...); },
                          *static_cast<Kept *>(context));
    }
    // Known only at run time: shared, so that (function, context) says what runs.
    template <class Function>
    static R by_address(void *context, Pass<Args>... args) {
        return reinterpret_cast<Function *>(context)(args...);
    }
    template <class Function, class Kept>
    static R by_address_with_statics(void *context, Pass<Args>... args) {
        auto &[function, values] = *static_cast<std::pair<Function *, Kept> *>(context);
        return std::apply([&](auto &...statics) -> R { return function(statics..., args...); }, values);
    }
    template <class Functor>
    static R functor(void *context, Pass<Args>... args) {
        return (*static_cast<Functor *>(context))(args...);
    }
    template <class Functor>
    static R stateless(void *, Pass<Args>... args) {
        return Functor{}(args...);
    }
};

template <class Combine, class R, class... Args>
class EventOf {
    static_assert((!std::is_rvalue_reference_v<Args> && ...), "several handlers cannot all take what is moved once");
    using SlotFunction = R (*)(void *, Pass<Args>...);
    using Thunk = Thunks<R, Args...>;
    static constexpr bool combines = !std::is_same_v<Combine, NoResult>;

  public:
    EventOf(const char *name, std::source_location where) {
        thalweg_core_create(&core_, name, where.file_name(), where.line(), &event_type);
    }
    EventOf(const EventOf &) = delete;
    EventOf &operator=(const EventOf &) = delete;
    ~EventOf() { thalweg_core_delete(&core_); }

    const char *name() const { return reinterpret_cast<const thalweg_event_info_head *>(core_.info)->name; }
    thalweg_core *core() { return &core_; }

    // ---- bind: the handler is called with the context or the static arguments first, then the raise's arguments ----

    template <auto handler>
    Binding bind(BindOptions options = {}) {
        return keep(reinterpret_cast<thalweg_function>(static_cast<SlotFunction>(&Thunk::template plain<handler>)),
                    nullptr, options);
    }
    template <auto handler, class Context>
    Binding bind(Context *context, BindOptions options = {}) {
        SlotFunction thunk = nullptr;
        if constexpr (std::is_invocable_v<decltype(handler), Context *, Pass<Args>...>) {
            thunk = &Thunk::template by_pointer<handler, Context>;
        } else {
            thunk = &Thunk::template by_reference<handler, Context>;
        }
        return keep(reinterpret_cast<thalweg_function>(thunk), address(context), options);
    }
    template <auto handler, class... Statics>
    Binding bind(StaticArguments<Statics...> statics, BindOptions options = {}) {
        using Kept = std::tuple<Statics...>;
        return keep_value(&Thunk::template with_statics<handler, Kept>, std::move(statics.values), options);
    }
    template <class Returned, class... Parameters>
    Binding bind(Returned (*handler)(Parameters...), BindOptions options = {}) {
        using Function = Returned(Parameters...);
        return keep(
            reinterpret_cast<thalweg_function>(static_cast<SlotFunction>(&Thunk::template by_address<Function>)),
            reinterpret_cast<void *>(handler), options);
    }
    template <class Returned, class... Parameters, class... Statics>
    Binding bind(Returned (*handler)(Parameters...), StaticArguments<Statics...> statics, BindOptions options = {}) {
        using Function = Returned(Parameters...);
        using Kept = std::tuple<Statics...>;
        return keep_value(&Thunk::template by_address_with_statics<Function, Kept>,
                          std::pair<Function *, Kept>(handler, std::move(statics.values)), options);
    }
    template <class Functor>
        requires std::is_invocable_v<Functor &, Pass<Args>...> && std::is_class_v<std::remove_cvref_t<Functor>>
    Binding bind(Functor &&functor, BindOptions options = {}) {
        using Kept = std::remove_cvref_t<Functor>;
        if constexpr (std::is_empty_v<Kept> && std::is_default_constructible_v<Kept>) {
            return keep(reinterpret_cast<thalweg_function>(static_cast<SlotFunction>(&Thunk::template stateless<Kept>)),
                        nullptr, options);
        } else {
            return keep_value(&Thunk::template functor<Kept>, Kept(std::forward<Functor>(functor)), options);
        }
    }
    void unbind(Binding &binding) { binding.unbind(); }

    // Ends the innermost raise in progress of this event after the handler that runs now. False: there is none.
    bool halt() { return thalweg_core_halt(&core_) != 0; }

    // ---- raise: every handler, in order, before it returns ----

    THALWEG_INLINE auto raise(Pass<Args>... args) {
        check_thread(&core_, "was raised");
        Combine combined{};
        if (core_.slots != core_.slots_end) {
            thalweg_frame frame{core_.frames, nullptr, THALWEG_FRAME_UNCHANGED, 0};
            FrameGuard guard(&core_, &frame);
            thalweg_slot *slot = core_.slots, *end = core_.slots_end;
            do {
                call(slot, combined, args...);
                if (frame.state != THALWEG_FRAME_UNCHANGED) [[unlikely]] {
                    slot = thalweg_dispatch_next(&core_, &frame, slot);
                    if (slot)
                        rest(&core_, &frame, slot, combined, args...);
                    break;
                }
            } while (++slot != end);
        }
        if constexpr (combines)
            return combined.result();
    }
    THALWEG_INLINE auto operator()(Pass<Args>... args) { return raise(args...); }

    // ---- later: every handler, from the loop of this thread (post_to: of the thread that has the event). Arguments are
    // copied; results are lost. ----

    Posted post(Pass<Args>... args) { return Posted(thalweg_task_post(task(args...), 0, THALWEG_RAISE_ASYNC)); }
    // The delay is a std::chrono::duration.
    template <Duration Time>
    Posted post_after(Time delay, Pass<Args>... args) {
        return Posted(thalweg_task_post(task(args...), nanoseconds_of(delay), THALWEG_RAISE_TIMED));
    }
    // Any thread, while the event is alive; passed over when it is gone by the time that the loop comes to it.
    template <class AnyLoop>
    void post_to(AnyLoop &loop, Pass<Args>... args) {
        thalweg_task_send(loop.handle(), task(args...), thalweg_event_id(handle()));
    }

    // Null when there is none of this name, or it is of another type. Of several, the oldest.
    static EventOf *find(const char *name) {
        auto *core = reinterpret_cast<thalweg_core *>(thalweg_event_find(name));
        return core && thalweg_core_type(core) == &event_type ? reinterpret_cast<EventOf *>(core) : nullptr;
    }
    // For the C interface, which knows this event too.
    thalweg_event *handle() { return reinterpret_cast<thalweg_event *>(&core_); }

  private:
    THALWEG_INLINE static void call(thalweg_slot *slot, [[maybe_unused]] Combine &combined, Pass<Args>... args) {
        const auto function = reinterpret_cast<SlotFunction>(slot->function);
        if constexpr (combines) {
            combined.add(function(slot->context, args...));
        } else {
            function(slot->context, args...);
        }
    }
    // The rest of a raise whose event changed under it. The event itself may be gone.
    [[gnu::noinline, gnu::cold]] static void rest(thalweg_core *core, thalweg_frame *frame, thalweg_slot *slot,
                                                  Combine &combined, Pass<Args>... args) {
        do {
            call(slot, combined, args...);
            slot = thalweg_dispatch_next(core, frame, slot);
        } while (slot);
    }

    template <class Context>
    static void *address(Context *context) {
        return const_cast<void *>(static_cast<const void *>(context));
    }
    Binding keep(thalweg_function function, void *context, BindOptions options) {
        auto *binding = new KeepingBinding<Nothing>(Nothing{});
        return start(binding, function, context, options);
    }
    template <class Kept>
    Binding keep_value(SlotFunction function, Kept kept, BindOptions options) {
        auto *binding = new KeepingBinding<Kept>(std::move(kept));
        return start(binding, reinterpret_cast<thalweg_function>(function), &binding->kept, options);
    }
    Binding start(thalweg_binding *binding, thalweg_function function, void *context, BindOptions options) {
        binding->function = function;
        binding->context = context;
        binding->order = options.order;
        binding->references = 1;
        thalweg_core_bind(&core_, binding);
        return Binding(binding);
    }

    struct PostedRaise : thalweg_task {
        std::tuple<std::decay_t<Args>...> arguments;
        explicit PostedRaise(Pass<Args>... args) : thalweg_task{}, arguments(args...) {}
    };
    thalweg_task *task(Pass<Args>... args) {
        auto *posted = new PostedRaise(args...);
        posted->core = &core_;
        posted->run = [](thalweg_task *task) {
            const Owned<PostedRaise> taken(static_cast<PostedRaise *>(task));
            std::apply([&](auto &...values) { raise_apart(reinterpret_cast<EventOf *>(taken->core), values...); },
                       taken->arguments);
        };
        posted->drop = [](thalweg_task *task) { delete static_cast<PostedRaise *>(task); };
        return posted;
    }
    // One raise for all that come from the C interface or from the loop.
    [[gnu::noinline]] static void raise_apart(EventOf *event, Pass<Args>... args) { event->raise(args...); }

    static thalweg_status raise_values(thalweg_core *core, const thalweg_value *values, size_t count) {
        if constexpr ((Marshal<Args>::possible && ...)) {
            if (count != sizeof...(Args))
                return THALWEG_WRONG_COUNT;
            return raise_checked(reinterpret_cast<EventOf *>(core), values, std::index_sequence_for<Args...>{});
        } else {
            return THALWEG_NOT_MARSHALLED;
        }
    }
    template <size_t... index>
    static thalweg_status raise_checked(EventOf *event, const thalweg_value *values, std::index_sequence<index...>) {
        thalweg_status status = THALWEG_OK;
        static_cast<void>(((status = Marshal<Args>::check(values[index]), status == THALWEG_OK) && ...));
        static_cast<void>(values);
        if (status == THALWEG_OK)
            raise_apart(event, Marshal<Args>::from(values[index])...);
        return status;
    }

    struct MarshalledHandler {
        thalweg_handler handler;
        void *context;
        thalweg_core *core;
    };
    static R marshalled(void *context, Pass<Args>... args) {
        const auto &kept = *static_cast<MarshalledHandler *>(context);
        const thalweg_value values[sizeof...(Args) + 1] = {Marshal<Args>::to(args)..., thalweg_value{}};
        kept.handler(kept.context, reinterpret_cast<thalweg_event *>(kept.core), values, sizeof...(Args));
    }
    static thalweg_status bind_marshalled(thalweg_core *core, thalweg_handler handler, void *context, int32_t order,
                                          thalweg_binding **out) noexcept {
        if constexpr (std::is_void_v<R> && (Marshal<Args>::possible && ...)) {
            auto *event = reinterpret_cast<EventOf *>(core);
            auto *binding = new KeepingBinding<MarshalledHandler>(MarshalledHandler{handler, context, core});
            *out = binding;
            const SlotFunction function = &marshalled;
            event->start(binding, reinterpret_cast<thalweg_function>(function), &binding->kept, {.order = order});
            return THALWEG_OK;
        } else {
            return THALWEG_NOT_MARSHALLED;
        }
    }
    static constexpr thalweg_type marshalled_types[] = {marshalled_type<Args>..., THALWEG_NOTHING};
    static constexpr thalweg_event_type event_type{marshalled_types, sizeof...(Args), &raise_values, &bind_marshalled};

    thalweg_core core_;
};

}  // namespace detail

// What is raised any number of times, and calls the handlers that are bound to it; what occurs once, and is waited for, is thalweg::tame::event.
//
// An event belongs to the thread that made it; another one may call post_to. It may be deleted at any time, by a handler of its own too: raises in
// progress end, those that were posted are dropped. A context that was bound by its address must live as long as the binding.
//
// What a handler throws passes through raise() to the raiser; the rest of the handlers don't run, and the event can be raised again. bind and
// post may throw std::bad_alloc. Where the runtime finds no memory for its lists, it aborts.
//
// Event<int, double>: handlers return nothing. Event<bool(int), Any>: their results are combined; Last if none is named.
template <class... Args>
class Event : public detail::EventOf<detail::NoResult, void, Args...> {
    using Base = detail::EventOf<detail::NoResult, void, Args...>;

  public:
    explicit Event(const char *name, std::source_location where = std::source_location::current())
        : Base(name, where) {}
    Event(std::source_location where = std::source_location::current()) : Base(nullptr, where) {}
};
template <class R, class... Args, class Combine>
class Event<R(Args...), Combine> : public detail::EventOf<Combine, R, Args...> {
    using Base = detail::EventOf<Combine, R, Args...>;

  public:
    explicit Event(const char *name, std::source_location where = std::source_location::current())
        : Base(name, where) {}
    Event(std::source_location where = std::source_location::current()) : Base(nullptr, where) {}
};
template <class R, class... Args>
class Event<R(Args...)> : public Event<R(Args...), std::conditional_t<std::is_void_v<R>, detail::NoResult, Last<R>>> {
    using Base = Event<R(Args...), std::conditional_t<std::is_void_v<R>, detail::NoResult, Last<R>>>;

  public:
    explicit Event(const char *name, std::source_location where = std::source_location::current())
        : Base(name, where) {}
    Event(std::source_location where = std::source_location::current()) : Base(nullptr, where) {}
};

}  // namespace thalweg
