// transform: tests of the ordered map whose copies share their memory: each copy is its own, as std::map's is.
#include "transform/abstract/flat_map.h"

#include <array>
#include <map>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg::transform::abstract {
namespace {

using testing::ElementsAre;

using Flat = FlatMap<int, int>;
using Model = std::map<int, int>;

// A map and what it should hold.
struct Both {
    Flat flat;
    Model model;

    void set(int key, int value) { flat[key] = model[key] = value; }
    void erase(int key) { EXPECT_EQ(flat.erase(key), model.erase(key) != 0); }
    void erase_between(int first, int last) {
        flat.erase_between(first, last);
        model.erase(model.lower_bound(first), model.lower_bound(last));
    }
    void remove_multiples(int of) {
        const auto is_one = [of](const auto &entry) { return entry.first % of == 0; };
        flat.remove_if(is_one);
        std::erase_if(model, is_one);
    }
    // Of what both have the smaller value stays, and of what differs by more than one nothing does.
    void meet(const Both &other) {
        flat.meet(other.flat, [](int, int &mine, const int *theirs) {
            const bool stays = theirs && std::abs(mine - *theirs) <= 1;
            if (stays)
                mine = std::min(mine, *theirs);
            return stays;
        });
        std::erase_if(model, [&](auto &entry) {
            const auto theirs = other.model.find(entry.first);
            return theirs == other.model.end() || std::abs(entry.second - theirs->second) > 1;
        });
        for (auto &[key, value] : model)
            value = std::min(value, other.model.at(key));
    }
    void check() const {
        const Flat &read = flat;
        EXPECT_EQ(std::vector<Flat::Entry>(read.begin(), read.end()),
                  std::vector<Flat::Entry>(model.begin(), model.end()));
    }
};

TEST(FlatMap, copies_are_their_own_whatever_is_done_to_one_of_them) {
    constexpr int keys = 24;
    constexpr int steps = 4000;
    for (unsigned seed = 0; seed < 8; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        const auto below = [&](int bound) { return static_cast<int>(random() % static_cast<unsigned>(bound)); };
        std::array<Both, 5> maps;
        const auto any = [&]() -> Both & { return maps[random() % maps.size()]; };
        for (int step = 0; step < steps; ++step) {
            Both &one = any();
            switch (below(8)) {
            case 0:
                any() = one;
                break;
            case 1:
                one.erase(below(keys));
                break;
            case 2:
                one.meet(any());
                break;
            case 3:
                one.remove_multiples(2 + below(4));
                break;
            case 4: {
                const int first = below(keys);
                one.erase_between(first, first + below(4));
                break;
            }
            default:
                one.set(below(keys), below(4));
            }
            for (const Both &map : maps)
                map.check();
            const Both &other = any();
            EXPECT_EQ(one.flat == other.flat, one.model == other.model);
            EXPECT_EQ(
                one.flat.any_with(other.flat, [](int, const int *a, const int *b) { return !a || !b || *a != *b; }),
                one.model != other.model);
        }
    }
}

TEST(FlatMap, reading_one_leaves_it_shared) {
    Flat one;
    one[1] = 2;
    Flat other = one;
    EXPECT_TRUE(other.contains(1));
    EXPECT_FALSE(other.has_any(2, 9));
    EXPECT_EQ(other.find(1)->second, 2);
    other.remove_if([](const auto &entry) { return entry.first > 1; });
    other.erase_between(5, 7);
    EXPECT_FALSE(other.erase(3));
    EXPECT_TRUE(other.shares_with(one));
    other[1] = 3;
    EXPECT_FALSE(other.shares_with(one));
    EXPECT_EQ(std::as_const(one).find(1)->second, 2);
    EXPECT_EQ(std::as_const(other).find(1)->second, 3);
}

TEST(FlatSet, takes_and_keeps_what_another_has) {
    FlatSet<unsigned> one;
    EXPECT_TRUE(one.insert(3));
    EXPECT_FALSE(one.insert(3));
    FlatSet<unsigned> other = one;
    EXPECT_FALSE(other.insert_all(one));
    EXPECT_TRUE(other.insert(1));
    EXPECT_THAT(one.in_order(), ElementsAre(3));
    EXPECT_TRUE(one.insert_all(other));
    EXPECT_EQ(one, other);
    EXPECT_TRUE(other.erase(3));
    EXPECT_FALSE(other.erase(3));
    EXPECT_TRUE(one.keep_what_is_in(other));
    EXPECT_THAT(one.in_order(), ElementsAre(1));
    one.clear();
    EXPECT_TRUE(one.empty());
    EXPECT_FALSE(other.empty());
}

}  // namespace
}  // namespace thalweg::transform::abstract
