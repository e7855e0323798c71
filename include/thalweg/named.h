// thalweg: any event of the registry from C++, by name: of the C interface, or a thalweg::Event whose type is not at hand.
//
//     auto segment = thalweg::Named<int, double>::find("SegFromUser");
//     segment.raise(1, 2.0);
//
// Arguments are marshalled, and checked against what the event takes. Where the event's type is known,
// thalweg::Event<int, double>::find raises without either.
#pragma once

#include <cstddef>
#include <utility>

#include <thalweg/event.h>
#include <thalweg/marshal.h>
#include <thalweg/thalweg.h>

namespace thalweg {

template <class... Args>
class Named {
    static_assert((detail::Marshal<Args>::possible && ...), "these arguments have no marshalled form");

  public:
    explicit Named(thalweg_event *event) : event_(event) {}
    static Named find(const char *name) { return Named(thalweg_event_find(name)); }
    explicit operator bool() const { return event_ != nullptr; }
    thalweg_event *handle() const { return event_; }

    thalweg_status raise(const Args &...args) const {
        const thalweg_value values[sizeof...(Args) + 1] = {detail::Marshal<Args>::to(args)..., thalweg_value{}};
        return thalweg_raise(event_, values, sizeof...(Args));
    }

    // A raise whose arguments the handler cannot take passes it over. The handler lives as long as the binding.
    template <class Handler>
    thalweg_status bind(Handler handler, BindOptions options = {}, thalweg_binding_id *binding = nullptr) const {
        auto *kept = new Handler(std::move(handler));
        const thalweg_status status = thalweg_bind_kept(
            event_, &call<Handler>, kept, [](void *old) { delete static_cast<Handler *>(old); }, options.order,
            binding);
        if (status != THALWEG_OK)
            delete kept;
        return status;
    }

  private:
    template <class Handler>
    static void call(void *context, thalweg_event *, const thalweg_value *values, size_t count) {
        if (count != sizeof...(Args))
            return;
        call_checked(*static_cast<Handler *>(context), values, std::index_sequence_for<Args...>{});
    }
    template <class Handler, size_t... index>
    static void call_checked(Handler &handler, [[maybe_unused]] const thalweg_value *values,
                             std::index_sequence<index...>) {
        if (((detail::Marshal<Args>::check(values[index]) == THALWEG_OK) && ...)) {
            handler(detail::Marshal<Args>::from(values[index])...);
        }
    }

    thalweg_event *event_;
};

}  // namespace thalweg
