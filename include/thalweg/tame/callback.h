// thalweg: an event as what libraries in C call back: a function, and a context that they hand to it.
//
//     c_callback<int (*)(void *)> ticks{mkevent(all), 1};  // freed with `ticks`
//     sqlite3_progress_handler(db, 1000, ticks.function(), ticks.context());
#pragma once

#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

#include <thalweg/tame/event.h>

namespace THALWEG_TAME {

// Function: a pointer to one whose first or last argument is the context, a void *. The event takes as many of its other arguments as it
// has values, from the first on. A call triggers it, later ones do nothing; each gives `result`. It must be called in the event's thread;
// where a function waits, it goes on inside of the call, as after any trigger. Nothing is thrown through the library.
//
// The context is freed once: with this object; or, after give_away(), by free() or by the one call of one_call().
template <class Function>
class c_callback;

template <class Result, class... Arguments>
class c_callback<Result (*)(Arguments...)> {
    using Function = Result (*)(Arguments...);
    using All = std::tuple<Arguments...>;
    static constexpr size_t count = sizeof...(Arguments);
    static_assert(count > 0, "it has an argument for the context");
    static constexpr bool is_first = std::is_same_v<std::tuple_element_t<0, All>, void *>;
    static constexpr size_t at = is_first ? 0 : count - 1;
    static_assert(std::is_same_v<std::tuple_element_t<at, All>, void *>,
                  "its first or last argument is the context, a void *");
    struct NoResult {};
    using Given = std::conditional_t<std::is_void_v<Result>, NoResult, Result>;

    struct Context {
        Given result;
        explicit Context(Given given) : result(std::move(given)) {}
        virtual ~Context() = default;
    };
    template <class... Values>
    struct Of final : Context {
        event<Values...> own;
        Of(event<Values...> &&triggered, Given given) : Context(std::move(given)), own(std::move(triggered)) {}

        template <size_t... is>
        void trigger(All &arguments, std::index_sequence<is...>) {
            const event<Values...> due = std::move(own);  // the call may end in the context's end
            due.trigger(static_cast<Values>(std::get<is + (is_first ? 1 : 0)>(arguments))...);
        }
    };

  public:
    template <class... Values>
    explicit c_callback(event<Values...> triggered, Given result = {})
        : function_(call<Values...>), one_call_(call_once<Values...>),
          context_(std::make_unique<Of<Values...>>(std::move(triggered), std::move(result))) {
        static_assert(sizeof...(Values) < count, "the event has more values than the function has arguments");
    }

    Function function() const { return function_; }
    void *context() const { return context_.get(); }

    // The library's from now on, with free() for when it needs it no more.
    void *give_away() { return context_.release(); }
    static void free(void *context) { const std::unique_ptr<Context> own(static_cast<Context *>(context)); }
    // In place of function(), for a library that calls once: that frees the context, which is to be given away.
    Function one_call() const { return one_call_; }

  private:
    template <class... Values>
    static Result call(Arguments... arguments) noexcept {
        All all(arguments...);
        auto *context = static_cast<Of<Values...> *>(static_cast<Context *>(std::get<at>(all)));
        [[maybe_unused]] Given result = context->result;
        context->trigger(all, std::index_sequence_for<Values...>());
        if constexpr (!std::is_void_v<Result>)
            return result;
    }
    template <class... Values>
    static Result call_once(Arguments... arguments) noexcept {
        All all(arguments...);
        const std::unique_ptr<Context> own(static_cast<Context *>(std::get<at>(all)));
        static_cast<Of<Values...> *>(own.get())->trigger(all, std::index_sequence_for<Values...>());
        if constexpr (!std::is_void_v<Result>)
            return own->result;
    }

    Function function_, one_call_;
    std::unique_ptr<Context> context_;
};

}  // namespace THALWEG_TAME
