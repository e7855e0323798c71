// thalweg: complex events: raised by a pattern of other events.
//
//     thalweg::Sequence login{"login", 5s, user_entered, password_entered};
//     login.bind([] { std::puts("welcome"); });
//
// A part may have any arguments, and must have no results. The complex event is raised by the raise of the part that
// completes it. Parts may be destroyed before it; it may be destroyed before them.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <vector>

#include <thalweg/event.h>

namespace thalweg {

class Complex : public Event<> {
  public:
    Complex(const Complex &) = delete;
    Complex &operator=(const Complex &) = delete;
    ~Complex() {
        for (Binding &part : parts_)
            part.unbind();
        thalweg_pattern_destroy(pattern_);
    }

  protected:
    template <class... Parts>
    Complex(const char *name, thalweg_pattern_kind kind, std::chrono::nanoseconds within, Parts &...parts)
        : Event<>(name) {
        static_assert(sizeof...(Parts) > 0, "a complex event has parts");
        const std::array<const void *, sizeof...(Parts)> cores{parts.core()...};
        pattern_ = thalweg_pattern_create(kind, static_cast<uint64_t>(within.count()), cores.data(), cores.size());
        size_t index = 0;
        (bind_part(cores.data(), index++, parts), ...);
    }

  private:
    struct Seen {
        Complex *complex;
        const void *part;
        template <class... Args>
        void operator()(Args &&...) const {
            if (thalweg_pattern_seen(complex->pattern_, part))
                complex->raise();
        }
    };
    template <class Part>
    void bind_part(const void *const *cores, size_t index, Part &part) {
        if (!thalweg_pattern_has_before(cores, index))
            parts_.push_back(part.bind(Seen{this, cores[index]}));
    }

    thalweg_pattern *pattern_ = nullptr;
    std::vector<Binding> parts_;
};

// Any part is raised.
class AnyOf : public Complex {
  public:
    template <class... Parts>
    explicit AnyOf(const char *name, Parts &...parts) : Complex(name, THALWEG_ANY_OF, {}, parts...) {}
};

// Every part has been raised since this was, in whatever order; within a time, if one is given.
class AllOf : public Complex {
  public:
    template <class... Parts>
    explicit AllOf(const char *name, Parts &...parts) : Complex(name, THALWEG_ALL_OF, {}, parts...) {}
    template <class Rep, class Period, class... Parts>
    AllOf(const char *name, std::chrono::duration<Rep, Period> within, Parts &...parts)
        : Complex(name, THALWEG_ALL_OF, within, parts...) {}
};

// The parts have been raised in this order, whatever else was in between; within a time, if one is given.
class Sequence : public Complex {
  public:
    template <class... Parts>
    explicit Sequence(const char *name, Parts &...parts) : Complex(name, THALWEG_SEQUENCE, {}, parts...) {}
    template <class Rep, class Period, class... Parts>
    Sequence(const char *name, std::chrono::duration<Rep, Period> within, Parts &...parts)
        : Complex(name, THALWEG_SEQUENCE, within, parts...) {}
};

}  // namespace thalweg
