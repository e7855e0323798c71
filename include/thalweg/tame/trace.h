// thalweg: which functions wait, where, and for what: an asynchronous backtrace. Compile all of a program with THALWEG_TAME_TRACE to
// have its functions noted while they wait; else nothing is noted, and it costs nothing.
#pragma once

#include <coroutine>
#include <cstddef>
#include <cstdio>
#include <map>
#include <source_location>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <thalweg/tame/owner.h>

namespace THALWEG_TAME {

namespace detail {

// A function that waits, in its frame. tools/gdb/waits.py reads it too.
class Blocked {
  public:
    Blocked() = default;
    Blocked(const Blocked &) = delete;
    Blocked &operator=(const Blocked &) = delete;
    ~Blocked() { end(); }

    void begin();
    void end() {
        if (!link)
            return;
        *link = next;
        if (next)
            next->link = link;
        link = nullptr;
    }

    Blocked *next = nullptr, **link = nullptr;  // of the thread's
    const void *frame = nullptr;
    const void *child = nullptr;  // the frame of the function that it waits for
    const Owner *events = nullptr;  // or the events
    const char *what = nullptr;  // in words
    std::source_location place;  // the co_await
};

inline constinit thread_local Blocked *blocked_functions = nullptr;  // the newest first

inline void Blocked::begin() {
    next = blocked_functions;
    link = &blocked_functions;
    if (next)
        next->link = &next;
    blocked_functions = this;
}

// What is awaited, and the note that it is.
template <class Inner>
class Traced {
  public:
    // What is made is made in its place: it may be one that can't be moved.
    template <class Make>
    Traced(Make make, std::source_location place) : inner_(make()) {
        note_.place = place;
    }

    bool await_ready() { return inner_.await_ready(); }
    template <class Promise>
    auto await_suspend(std::coroutine_handle<Promise> function) {
        note_.frame = function.address();
        if constexpr (requires { inner_.on; })  // GCC 12's way to a rendezvous
            note_on(inner_.on);
        else
            note_on(inner_);
        note_.begin();
        return inner_.await_suspend(function);  // may be the end of this object
    }
    decltype(auto) await_resume() {
        note_.end();
        return inner_.await_resume();
    }

  private:
    template <class Waited>
    void note_on(const Waited &waited) {
        note_.what = "something of another library";
        if constexpr (requires { waited.noted; }) {  // a plain function on a fiber: there is the wait
            note_.place = waited.noted.place;
            note_.what = waited.noted.what;
            note_.events = waited.noted.events;
            note_.child = waited.noted.child;
        } else if constexpr (std::is_base_of_v<Owner, Waited>) {
            note_.events = &waited;
            note_.what = std::is_base_of_v<GatheringOwner, Waited> ? "all of its events" : "any of its events";
        } else if constexpr (requires { waited.function.address(); }) {
            note_.child = waited.function.address();
            note_.what = "a function";
        } else if constexpr (requires { Waited::waits_for; }) {
            note_.what = Waited::waits_for;
        }
    }

    Inner inner_;
    Blocked note_;
};

class WaitsWriter {
  public:
    explicit WaitsWriter(std::FILE *file) : file_(file) {
        for (const Blocked *each = blocked_functions; each; each = each->next) {
            frames_.insert(each->frame);
            if (each->child)
                parents_.emplace(each->child, each);
        }
    }
    void write() const {
        std::fprintf(file_, "thalweg: %zu functions wait\n", frames_.size());
        for (const Blocked *each = blocked_functions; each; each = each->next)
            if (!frames_.contains(each->child))
                write_chain(*each);
    }

  private:
    void write_chain(const Blocked &leaf) const {
        write_one(leaf, 2);
        if (leaf.events)
            write_events(*leaf.events);
        auto parent = parents_.find(leaf.frame);
        for (int depth = 4; parent != parents_.end(); depth += 2) {
            write_one(*parent->second, depth);
            parent = parents_.find(parent->second->frame);
        }
    }
    void write_one(const Blocked &one, int depth) const {
        std::fprintf(file_, "%*s%s:%u waits for %s, in %s\n", depth, "", one.place.file_name(),
                     static_cast<unsigned>(one.place.line()), one.what, one.place.function_name());
    }
    // As many as are made at one place in one line.
    void write_events(const Owner &owner) const {
        std::map<std::pair<std::string, unsigned>, size_t> places;
        owner.for_each_pending([&](const Node &node) {
            ++places[{node.place().file_name(), static_cast<unsigned>(node.place().line())}];
        });
        for (const auto &[place, events] : places)
            std::fprintf(file_, "      %zu made at %s:%u\n", events, place.first.c_str(), place.second);
    }

    std::FILE *file_;
    std::unordered_set<const void *> frames_;
    std::unordered_map<const void *, const Blocked *> parents_;
};

}  // namespace detail

// Of this thread: each chain of functions that wait for each other from the one that waits for something else, with the places of their waits and
// of the events that are to come.
inline void write_waits(std::FILE *file) { detail::WaitsWriter(file).write(); }

}  // namespace THALWEG_TAME
