// runtime: random scripts of binds, unbinds, blocks, raises, halts, deletions and throws, run by the runtime through both
// interfaces and by a model that follows docs/EVENTS.md in the plainest way. All three write the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <thalweg/event.h>
#include <thalweg/thalweg.h>

namespace {

constexpr int events_count = 3;
constexpr int scripts_count = 3000;
constexpr int steps_max = 120;  // handlers that act, in one script
constexpr int depth_max = 5;  // of raises

// The world in words: what a script can do to events. `run` is called by each handler that runs, with its number.
struct World {
    virtual ~World() = default;
    virtual void create(int event) = 0;
    virtual void destroy(int event) = 0;
    virtual size_t bind(int event, int handler, int order) = 0;  // the binding's number: 0, 1, ...
    virtual void unbind(size_t binding) = 0;
    virtual void block(size_t binding, bool blocked) = 0;
    virtual void raise(int event) = 0;
    virtual bool halt(int event) = 0;
    std::function<void(int)> run;
};

class Model : public World {
    struct Bound {
        int event, handler, order;
        bool bound = true, blocked = false;
    };
    struct Raise {
        bool halted = false, deleted = false;
    };
    struct State {
        bool alive = false;
        std::vector<size_t> order;
        std::vector<Raise *> raises;
    };

  public:
    void create(int event) override { events_[event] = {true, {}, {}}; }
    void destroy(int event) override {
        for (Raise *raise : events_[event].raises)
            raise->deleted = true;
        for (const size_t binding : events_[event].order)
            bindings_[binding].bound = false;
        events_[event] = {};
    }
    size_t bind(int event, int handler, int order) override {
        const size_t binding = bindings_.size();
        bindings_.push_back({event, handler, order});
        auto &all = events_[event].order;
        const auto after = [&](size_t other) { return bindings_[other].order > order; };
        all.insert(std::find_if(all.begin(), all.end(), after), binding);
        return binding;
    }
    void unbind(size_t binding) override {
        if (bindings_[binding].bound)
            std::erase(events_[bindings_[binding].event].order, binding);
        bindings_[binding].bound = false;
    }
    void block(size_t binding, bool blocked) override {
        if (bindings_[binding].bound)
            bindings_[binding].blocked = blocked;
    }
    void raise(int event) override {
        Raise raise;
        std::vector<size_t> to_run;
        for (const size_t binding : events_[event].order) {
            if (!bindings_[binding].blocked)
                to_run.push_back(binding);
        }
        events_[event].raises.push_back(&raise);
        const auto end = [&] {
            if (!raise.deleted)
                events_[event].raises.pop_back();
        };
        try {
            for (const size_t binding : to_run) {
                if (raise.halted || raise.deleted)
                    break;
                if (bindings_[binding].bound && !bindings_[binding].blocked)
                    run(bindings_[binding].handler);
            }
        } catch (...) {
            end();
            throw;
        }
        end();
    }
    bool halt(int event) override {
        auto &raises = events_[event].raises;
        if (raises.empty())
            return false;
        raises.back()->halted = true;
        return true;
    }

  private:
    State events_[events_count];
    std::vector<Bound> bindings_;
};

class Typed : public World {
  public:
    void create(int event) override { events_[event] = std::make_unique<thalweg::Event<>>("random"); }
    void destroy(int event) override { events_[event].reset(); }
    size_t bind(int event, int handler, int order) override {
        bindings_.push_back(events_[event]->bind([this, handler] { run(handler); }, {.order = order}));
        return bindings_.size() - 1;
    }
    void unbind(size_t binding) override { bindings_[binding].unbind(); }
    void block(size_t binding, bool blocked) override {
        blocked ? bindings_[binding].block() : bindings_[binding].unblock();
    }
    void raise(int event) override { events_[event]->raise(); }
    bool halt(int event) override { return events_[event]->halt(); }

  private:
    std::unique_ptr<thalweg::Event<>> events_[events_count];
    std::vector<thalweg::Binding> bindings_;
};

class Plain : public World {
    struct Bound {
        uint64_t event;
        thalweg_binding_id id;
        std::unique_ptr<std::pair<Plain *, int>> context;
    };

  public:
    Plain() : composite_(thalweg_composite_create()) {}
    Plain(const Plain &) = delete;
    Plain &operator=(const Plain &) = delete;
    ~Plain() override { thalweg_composite_destroy(composite_); }
    void create(int event) override { thalweg_event_create(composite_, "random", &events_[event]); }
    void destroy(int event) override { thalweg_event_destroy(events_[event]); }
    size_t bind(int event, int handler, int order) override {
        Bound bound{thalweg_event_id(events_[event]), 0, std::make_unique<std::pair<Plain *, int>>(this, handler)};
        EXPECT_EQ(thalweg_bind(events_[event], call, bound.context.get(), order, &bound.id), THALWEG_OK);
        bindings_.push_back(std::move(bound));
        return bindings_.size() - 1;
    }
    void unbind(size_t binding) override {
        thalweg_unbind(thalweg_event_by_id(bindings_[binding].event), bindings_[binding].id);
    }
    void block(size_t binding, bool blocked) override {
        thalweg_event *event = thalweg_event_by_id(bindings_[binding].event);
        blocked ? thalweg_block(event, bindings_[binding].id) : thalweg_unblock(event, bindings_[binding].id);
    }
    void raise(int event) override { EXPECT_EQ(thalweg_raise(events_[event], nullptr, 0), THALWEG_OK); }
    bool halt(int event) override { return thalweg_halt(events_[event]) == THALWEG_OK; }

  private:
    static void call(void *context, thalweg_event *, const thalweg_value *, size_t) {
        const auto [self, handler] = *static_cast<std::pair<Plain *, int> *>(context);
        self->run(handler);
    }
    thalweg_composite *composite_;
    thalweg_event *events_[events_count] = {};
    std::vector<Bound> bindings_;
};

// What a script does next depends on its seed and on how many steps were taken: worlds that behave alike write alike.
class Script {
  public:
    Script(World &world, uint64_t seed) : world_(world), state_(seed) {
        world_.run = [this](int handler) { handle(handler); };
    }
    std::string play() {
        for (int event = 0; event < events_count; ++event) {
            world_.create(event);
            for (uint64_t i = pick(5); i > 0; --i)
                act_bind(event);
        }
        for (int turn = 0; turn < 12; ++turn) {
            act_raise(static_cast<int>(pick(events_count)), true);
            act();
        }
        return log_;
    }

  private:
    // splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
    uint64_t pick(uint64_t below) {
        uint64_t mixed = state_ += 0x9e3779b97f4a7c15;
        mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
        mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
        return (mixed ^ mixed >> 31) % below;
    }
    void handle(int handler) {
        log_ += std::to_string(handler) + " ";
        if (++steps_ > steps_max)
            return;
        for (uint64_t i = pick(3); i > 0; --i)
            act();
        if (depth_ > 0 && pick(25) == 0)
            throw handler;
        log_ += ". ";
    }
    void act_bind(int event) {
        world_.bind(event, handlers_++, static_cast<int>(pick(3)));
        ++bindings_;
    }
    void act_raise(int event, bool catches) {
        if (depth_ >= depth_max)
            return;
        log_ += "( ";
        ++depth_;
        const int depth = depth_;
        try {
            world_.raise(event);
        } catch (int handler) {
            depth_ = depth - 1;
            log_ += "!" + std::to_string(handler) + " ";
            if (!catches)
                throw;
            return;
        }
        depth_ = depth - 1;
        log_ += ") ";
    }
    void act() {
        const int event = static_cast<int>(pick(events_count));
        const uint64_t kind = pick(16);
        if (kind < 3) {
            act_bind(event);
        } else if (kind < 6 && bindings_ > 0) {
            world_.unbind(pick(bindings_));
        } else if (kind < 8 && bindings_ > 0) {
            world_.block(pick(bindings_), true);
        } else if (kind < 10 && bindings_ > 0) {
            world_.block(pick(bindings_), false);
        } else if (kind < 13) {
            act_raise(event, pick(2) == 0 || depth_ == 0);
        } else if (kind == 13) {
            log_ += world_.halt(event) ? "h " : "- ";
        } else if (kind == 14 && pick(3) == 0) {
            log_ += "d ";
            world_.destroy(event);
            world_.create(event);
        }
    }

    World &world_;
    uint64_t state_;
    std::string log_;
    int steps_ = 0, depth_ = 0, handlers_ = 0;
    size_t bindings_ = 0;
};

template <class Kind>
std::string played(uint64_t seed) {
    Kind world;
    return Script(world, seed).play();
}

TEST(RandomScripts, DoTheSameInTheRuntimeAsInTheModel) {
    size_t throws = 0, halts = 0, deletions = 0, handlers = 0;
    for (uint64_t seed = 1; seed <= scripts_count; ++seed) {
        const std::string expected = played<Model>(seed);
        ASSERT_EQ(played<Typed>(seed), expected) << "typed, seed " << seed;
        ASSERT_EQ(played<Plain>(seed), expected) << "c, seed " << seed;
        throws += static_cast<size_t>(std::count(expected.begin(), expected.end(), '!'));
        halts += static_cast<size_t>(std::count(expected.begin(), expected.end(), 'h'));
        deletions += static_cast<size_t>(std::count(expected.begin(), expected.end(), 'd'));
        handlers += static_cast<size_t>(std::count(expected.begin(), expected.end(), '.'));
    }
    // The scripts do what they are for.
    EXPECT_GT(throws, scripts_count / 10);
    EXPECT_GT(halts, scripts_count / 10);
    EXPECT_GT(deletions, scripts_count / 10);
    EXPECT_GT(handlers, scripts_count * 10u);
}

}  // namespace
