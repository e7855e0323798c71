// runtime: random scripts of events that are made, copied, dropped, triggered and cancelled, and of functions that wait for them, run by
// the library and by a model that follows docs/WAITS.md in the plainest way. Both tell the same.
#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <thalweg/tame.h>

namespace {

using namespace thalweg::tame;

constexpr size_t scripts_count = 4000;
constexpr size_t steps_count = 60;
constexpr size_t places = 3;  // rendezvous, or gathers, at a time
constexpr size_t slots_count = steps_count + places;

std::string told;

void tell(const report &what) {
    told += what.what == mistake::never_triggered ? "[never " : "[abandoned ";
    told += std::to_string(what.events) + "]";
}

// What is waited for: one of the two.
struct Place {
    std::unique_ptr<rendezvous<int>> one;
    std::unique_ptr<gather> all;
};

tamed<> wait(Place &place, bool &waits) {
    waits = true;
    if (place.one)
        told += "(" + std::to_string(co_await *place.one) + ")";
    else {
        co_await *place.all;
        told += "(all)";
    }
    waits = false;
}

class Library {
  public:
    void make_place(size_t at, bool keeps) {
        places_[at] = {keeps ? std::make_unique<rendezvous<int>>() : nullptr,
                       keeps ? nullptr : std::make_unique<gather>()};
    }
    void end_place(size_t at) { places_[at] = {}; }
    void cancel(size_t at) { places_[at].one ? places_[at].one->cancel() : places_[at].all->cancel(); }
    void wait_at(size_t at) { wait(places_[at], waits_[at]); }
    bool waits(size_t at) const { return waits_[at]; }
    void make_event(size_t at, int id) {
        int &slot = slots_[static_cast<size_t>(id)];
        const Place &place = places_[at];
        events_.push_back(place.one ? event<int>(mkevent(*place.one, id, slot))
                                    : event<int>(mkevent(*place.all, slot)));
    }
    void copy(size_t number) { events_.push_back(events_[number]); }
    void drop(size_t number) { events_.erase(events_.begin() + static_cast<std::ptrdiff_t>(number)); }
    void trigger(size_t number, int value) { events_[number].trigger(value); }
    bool can_occur(size_t number) const { return static_cast<bool>(events_[number]); }
    const int *slots() const { return slots_; }

  private:
    int slots_[slots_count] = {};
    Place places_[places];
    bool waits_[places] = {};
    std::vector<event<int>> events_;
};

class Model {
  public:
    std::string told;

    void make_place(size_t at, bool keeps) { places_[at] = {true, keeps, false, {}, {}}; }
    void end_place(size_t at) {
        if (const size_t left = places_[at].pending.size(); left != 0)
            told += "[abandoned " + std::to_string(left) + "]";
        cancel(at);
    }
    void cancel(size_t at) {
        for (const int id : places_[at].pending)
            states_[static_cast<size_t>(id)].reset();
        places_[at].pending.clear();
        places_[at].kept.clear();
    }
    void wait_at(size_t at) {
        places_[at].waits = true;
        go_on(at);
    }
    bool waits(size_t at) const { return places_[at].waits; }
    void make_event(size_t at, int id) {
        states_[static_cast<size_t>(id)] = at;
        places_[at].pending.push_back(id);
        events_.push_back(id);
    }
    void copy(size_t number) { events_.push_back(events_[number]); }
    void drop(size_t number) {
        const int id = events_[number];
        events_.erase(events_.begin() + static_cast<std::ptrdiff_t>(number));
        if (std::count(events_.begin(), events_.end(), id) != 0 || !take(id))
            return;
        told += "[never 1]";
    }
    void trigger(size_t number, int value) {
        const int id = events_[number];
        const std::optional<size_t> at = take(id);
        if (!at)
            return;
        slots_[static_cast<size_t>(id)] = value;
        if (places_[*at].keeps)
            places_[*at].kept.push_back(id);
        go_on(*at);
    }
    bool can_occur(size_t number) const { return states_[static_cast<size_t>(events_[number])].has_value(); }
    size_t events() const { return events_.size(); }
    const int *slots() const { return slots_; }

  private:
    struct ModelPlace {
        bool is_there = false;
        bool keeps = false;
        bool waits = false;
        std::vector<int> pending;
        std::deque<int> kept;
    };
    // The event is not pending any more. Where it was; nothing: nowhere.
    std::optional<size_t> take(int id) {
        const std::optional<size_t> at = std::exchange(states_[static_cast<size_t>(id)], std::nullopt);
        if (at)
            std::erase(places_[*at].pending, id);
        return at;
    }
    void go_on(size_t at) {
        ModelPlace &place = places_[at];
        if (!place.waits)
            return;
        if (place.keeps && !place.kept.empty()) {
            told += "(" + std::to_string(place.kept.front()) + ")";
            place.kept.pop_front();
            place.waits = false;
        } else if (!place.keeps && place.pending.empty()) {
            told += "(all)";
            place.waits = false;
        }
    }

    int slots_[slots_count] = {};
    ModelPlace places_[places];
    std::optional<size_t> states_[slots_count];  // of each event: on which place it is pending
    std::vector<int> events_;
};

// Both do the same; what is not allowed, as to wait twice, is passed over.
class Script {
  public:
    explicit Script(unsigned seed) : random_(seed) {
        for (size_t at = 0; at < places; ++at)
            make_place(at);
    }
    void step(int number) {
        const size_t at = below(places);
        const size_t events = model_.events();
        switch (below(8)) {
        case 0:
            if (!model_.waits(at)) {
                both([&](auto &world) { world.end_place(at); });
                make_place(at);
            }
            break;
        case 1:
            if (!model_.waits(at))
                both([&](auto &world) { world.cancel(at); });
            break;
        case 2:
            if (!model_.waits(at))
                both([&](auto &world) { world.wait_at(at); });
            break;
        case 3:
            if (events != 0)
                both([&, event = below(events)](auto &world) { world.copy(event); });
            break;
        case 4:
            if (events != 0)
                both([&, event = below(events)](auto &world) { world.drop(event); });
            break;
        case 5:
        case 6:
            if (events != 0)
                both([&, event = below(events)](auto &world) { world.trigger(event, number + 1); });
            break;
        default:
            both([&](auto &world) { world.make_event(at, number); });
        }
    }
    // Nobody is left to wait.
    void end() {
        for (size_t at = 0; at < places; ++at)
            if (model_.waits(at))
                both([&](auto &world) { world.make_event(at, static_cast<int>(steps_count + at)); });
        for (size_t number = 0; number < model_.events(); ++number)
            both([&](auto &world) { world.trigger(number, 1000); });
    }
    void check() {
        ASSERT_EQ(told, model_.told);
        for (size_t i = 0; i < slots_count; ++i)
            ASSERT_EQ(library_.slots()[i], model_.slots()[i]) << "slot " << i;
        for (size_t i = 0; i < model_.events(); ++i)
            ASSERT_EQ(library_.can_occur(i), model_.can_occur(i)) << "event " << i;
        for (size_t at = 0; at < places; ++at)
            ASSERT_EQ(library_.waits(at), model_.waits(at)) << "place " << at;
    }

  private:
    size_t below(size_t count) { return std::uniform_int_distribution<size_t>(0, count - 1)(random_); }
    void make_place(size_t at) {
        const bool keeps = below(2) == 0;
        both([&](auto &world) { world.make_place(at, keeps); });
    }
    template <class Do>
    void both(Do step) {
        step(library_);
        step(model_);
    }

    std::mt19937 random_;
    Model model_;
    Library library_;
};

TEST(RandomWaits, TellWhatTheModelTells) {
    const reporter before = set_reporter(tell);
    for (unsigned seed = 0; seed < scripts_count; ++seed) {
        SCOPED_TRACE(seed);
        told.clear();
        Script script(seed);
        for (size_t number = 0; number < steps_count; ++number) {
            script.step(static_cast<int>(number));
            ASSERT_NO_FATAL_FAILURE(script.check()) << "after step " << number;
        }
        script.end();
        ASSERT_NO_FATAL_FAILURE(script.check());
    }
    set_reporter(before);
}

}  // namespace
