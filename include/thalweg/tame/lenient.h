// thalweg: rendezvous whose events have occurred, too, when nobody has them any more, and which may end before their events do: what
// programs that were written for tamer count on.
//
//     lenient<gather> all;
//     lenient<rendezvous<int>> r;
//     silent<gather> all_without_a_word;
#pragma once

#include <type_traits>

#include <thalweg/tame/rendezvous.h>

namespace THALWEG_TAME {

// It is told of, as of a rendezvous where it would be waited for forever.
template <class On, bool tells = true>
class lenient : public On {
  public:
    static constexpr bool tells_of_dropped = tells;

    explicit lenient(std::source_location place = std::source_location::current())
        requires std::is_constructible_v<On, std::source_location>
        : On(place) {}
    lenient()
        requires(!std::is_constructible_v<On, std::source_location>)
    = default;
    // What is still to come is not waited for any more, and that is no mistake.
    ~lenient() { this->cancel(); }
};

// It is not told of: it was meant.
template <class On>
using silent = lenient<On, false>;

template <class On, bool tells, class... Arguments>
mkevent(lenient<On, tells> &, Arguments &&...) -> mkevent<lenient<On, tells>, Arguments...>;

}  // namespace THALWEG_TAME
