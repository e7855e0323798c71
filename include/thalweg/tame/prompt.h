// thalweg: rendezvous where who waits goes on inside of the trigger, and not when the function that triggers waits or ends: what programs
// that were written for sfslite count on.
//
//     prompt<gather> all;
//     prompt<rendezvous<int>> r;
#pragma once

#include <source_location>
#include <type_traits>

#include <thalweg/tame/rendezvous.h>

namespace THALWEG_TAME {

// A thousand inside of each other at most (Ready): those beyond go on later, as others do.
template <class On>
class prompt : public On {
  public:
    static constexpr bool goes_on_inside = true;

    explicit prompt(std::source_location place = std::source_location::current())
        requires std::is_constructible_v<On, std::source_location>
        : On(place) {}
    prompt()
        requires(!std::is_constructible_v<On, std::source_location>)
    = default;
};

template <class On, class... Arguments>
mkevent(prompt<On> &, Arguments &&...) -> mkevent<prompt<On>, Arguments...>;

}  // namespace THALWEG_TAME
