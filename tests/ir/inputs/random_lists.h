// tests: lists of callbacks of many kinds, for random programs. Each is well defined when a handler changes the list that is
// being walked; what a handler that runs changes, the program's own digest shows.
#pragma once
#include <cstdio>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

using Handler = int(int &, int);

inline unsigned digest = 1, script = 1, wildness;
inline int depth;

inline unsigned next_random() {
    script = script * 1664525 + 1013904223;
    return script >> 8;
}
inline void note(int who, int what) { digest = (digest ^ unsigned(who * 1000003 + what)) * 16777619; }

// By index; the size is asked for each time.
struct VectorList {
    struct Entry {
        Handler *function;
        int *context;
    };
    std::vector<Entry> entries;
    template <Handler *handler>
    void append(int *context) {
        entries.push_back({handler, context});
    }
    void erase(size_t at) {
        if (at < entries.size())
            entries.erase(entries.begin() + long(at));
    }
    void clear() { entries.clear(); }
    void set_context(size_t at, int *context) {
        if (at < entries.size())
            entries[at].context = context;
    }
    [[gnu::always_inline]] int raise(int argument) {
        int sum = 0;
        for (size_t i = 0; i < entries.size(); ++i)
            sum += entries[i].function(*entries[i].context, argument);
        return sum;
    }
};

// What others can see is done before each call.
struct CountedList : VectorList {
    int rounds = 0;
    [[gnu::always_inline]] int raise(int argument) {
        int sum = 0;
        for (size_t i = 0; i < entries.size(); ++i) {
            note(80, ++rounds + sum);
            sum += entries[i].function(*entries[i].context, argument);
        }
        return sum;
    }
};

// Two calls an entry, the second in every other one alone. Slots stay in place as in RangeList.
struct PairList {
    struct Entry {
        Handler *before, *after;
        int *context;
    };
    Entry entries[33] = {};
    size_t used = 0;
    template <Handler *handler>
    void append(int *context) {
        if (used < 32) {
            entries[used] = {handler, used % 2 == 1 ? handler : nullptr, context};
            ++used;
        }
    }
    void erase(size_t at) {
        if (at >= used)
            return;
        for (; at + 1 < used; ++at)
            entries[at] = entries[at + 1];
        --used;
    }
    void clear() { used = 0; }
    void set_context(size_t at, int *context) {
        if (at < used) {
            entries[at].context = context;
            entries[at].after = entries[at].after ? nullptr : entries[at].before;
        }
    }
    [[gnu::always_inline]] int raise(int argument) {
        int sum = 0;
        for (size_t i = 0; i < used; ++i) {
            const int first = entries[i].before(*entries[i].context, argument);
            if (entries[i].after)
                sum += entries[i].after(*entries[i].context, first);
            sum = sum / 2 + first;
        }
        return sum;
    }
};

// Each entry is taken out of a queue before it is called; what a handler appends waits in the queue at once.
struct QueueList {
    using Entry = VectorList::Entry;
    Entry entries[33] = {}, queue[64] = {};
    size_t used = 0, first = 0, last = 0;
    template <Handler *handler>
    void append(int *context) {
        if (used < 32)
            entries[used++] = {handler, context};
        if (last < 64)
            queue[last++] = {handler, context};
    }
    void erase(size_t at) {
        if (at >= used)
            return;
        for (; at + 1 < used; ++at)
            entries[at] = entries[at + 1];
        --used;
    }
    void clear() { used = 0; }
    void set_context(size_t at, int *context) {
        if (at < used)
            entries[at].context = context;
        if (first + at < last)
            queue[first + at].context = context;
    }
    [[gnu::always_inline]] int raise(int argument) {
        first = 0;
        last = used;
        for (size_t i = 0; i < used; ++i)
            queue[i] = entries[i];
        int sum = 0;
        while (first < last) {
            const Entry one = queue[first];
            ++first;
            sum = sum / 2 + one.function(*one.context, argument);
        }
        return sum;
    }
};

// Whether it is empty is asked in the middle of an iteration, behind something that others see.
struct AskedQueue : QueueList {
    [[gnu::always_inline]] int raise(int argument) {
        first = 0;
        last = used;
        for (size_t i = 0; i < used; ++i)
            queue[i] = entries[i];
        int sum = 0;
        for (;;) {
            if ((sum & 3) == 1)
                note(81, sum);
            if (first >= last)
                break;
            const Entry one = queue[first++];
            sum = sum / 2 + one.function(*one.context, argument);
        }
        return sum;
    }
};

// An array with a null behind its last entry.
struct ArrayList {
    VectorList::Entry entries[33] = {};
    size_t used = 0;
    template <Handler *handler>
    void append(int *context) {
        if (used == 32)
            return;
        entries[used++] = {handler, context};
        entries[used] = {};
    }
    void erase(size_t at) {
        if (at >= used)
            return;
        for (; at < used; ++at)
            entries[at] = entries[at + 1];
        --used;
    }
    void clear() { entries[used = 0] = {}; }
    void set_context(size_t at, int *context) {
        if (at < used)
            entries[at].context = context;
    }
    [[gnu::always_inline]] int raise(int argument) {
        int last = 0;
        for (const VectorList::Entry *at = entries; at->function; ++at)
            last = at->function(*at->context, argument) - last / 2;
        return last;
    }
};

// From a first slot to an end that is read once, before the first handler runs: what a handler erases leaves its slot in
// place, and what it appends is run the next time.
struct RangeList {
    using Entry = VectorList::Entry;
    std::vector<Entry> room = std::vector<Entry>(64);
    Entry *first = room.data(), *end = first;
    template <Handler *handler>
    void append(int *context) {
        if (end != first + 32)
            *end++ = {handler, context};
    }
    void erase(size_t at) {
        if (at >= size_t(end - first))
            return;
        for (Entry *one = first + at; one + 1 != end; ++one)
            *one = one[1];
        --end;
    }
    void clear() { end = first; }
    void set_context(size_t at, int *context) {
        if (at < size_t(end - first))
            first[at].context = context;
    }
    [[gnu::always_inline]] int raise(int argument) {
        int sum = 0;
        for (Entry *one = first, *last = end; one != last; ++one)
            sum = sum / 2 + one->function(*one->context, argument);
        return sum;
    }
};

// Slots that are blocked are passed over. An erased slot keeps what it had, for the raise that is still to come to it.
struct BlockedList {
    struct Entry {
        Handler *function;
        int *context;
        bool blocked;
    };
    Entry entries[33] = {};
    size_t used = 0;
    template <Handler *handler>
    void append(int *context) {
        if (used < 32)
            entries[used++] = {handler, context, false};
    }
    void erase(size_t at) {
        if (at >= used)
            return;
        for (; at + 1 < used; ++at)
            entries[at] = entries[at + 1];
        --used;
    }
    void clear() { used = 0; }
    void set_context(size_t at, int *) {
        if (at < used)
            entries[at].blocked = !entries[at].blocked;
    }
    [[gnu::always_inline]] int raise(int argument) {
        int sum = 0, passed = 0;
        for (Entry *one = entries, *end = entries + used; one != end; ++one) {
            if (one->blocked || (argument & 15) == 15) {
                passed += 3;
                continue;
            }
            sum += one->function(*one->context, argument + passed);
        }
        return sum;
    }
};

// A slot without a gate is passed over; one has the gate that belongs to its function, at first.
struct GatedList {
    struct Entry {
        const int *gate;
        Handler *function;
        int *context;
    };
    template <Handler *handler>
    static constexpr int gate_of = 1;
    static constexpr int other_gate = 2;
    std::vector<Entry> room = std::vector<Entry>(64);
    Entry *first = room.data(), *end = first;
    template <Handler *handler>
    void append(int *context) {
        if (end != first + 32)
            *end++ = {&gate_of<handler>, handler, context};
    }
    void erase(size_t at) {
        if (at >= size_t(end - first))
            return;
        for (Entry *one = first + at; one + 1 != end; ++one)
            *one = one[1];
        --end;
    }
    void clear() { end = first; }
    void set_context(size_t at, int *context) {
        if (at < size_t(end - first)) {
            first[at].context = context;
            first[at].gate = next_random() % 2 == 0 ? &other_gate : nullptr;
        }
    }
    [[gnu::always_inline]] int raise(int argument) {
        int sum = 0;
        for (Entry *one = first, *last = end; one != last; ++one)
            if (one->gate)
                sum = sum / 2 + one->function(*one->context, argument);
        return sum;
    }
};

// Nodes are never given back while the program runs; an erased one still leads on. A handler that answers with a multiple of 7
// ends the raise.
struct LinkedList {
    struct Node {
        Handler *function;
        int *context;
        Node *next;
    };
    std::deque<Node> nodes;
    Node *first = nullptr;
    template <Handler *handler>
    void append(int *context) {
        nodes.push_back({handler, context, nullptr});
        Node **at = &first;
        while (*at)
            at = &(*at)->next;
        *at = &nodes.back();
    }
    void erase(size_t place) {
        Node **at = &first;
        for (; *at && place > 0; --place)
            at = &(*at)->next;
        if (*at)
            *at = (*at)->next;
    }
    void clear() { first = nullptr; }
    void set_context(size_t place, int *context) {
        Node *at = first;
        for (; at && place > 0; --place)
            at = at->next;
        if (at)
            at->context = context;
    }
    [[gnu::always_inline]] int raise(int argument) {
        for (Node *at = first; at; at = at->next)
            if (at->function(*at->context, argument) % 7 == 0)
                return at == first;
        return -1;
    }
};

struct Message {
    int value;
    long parts[3];
};
inline int value_of(int argument) { return argument; }
inline int value_of(const Message *message) { return message->value + int(message->parts[1]); }
inline int value_of(const Message &message) { return message.value - int(message.parts[2]); }

// std::function, without an argument and with one. They are kept while the program runs.
template <class Result, class... Arguments>
struct ListOfFunctions {
    using Function = std::function<Result(Arguments...)>;
    template <Handler *handler>
    struct Call {
        int *context;
        Result operator()(Arguments... arguments) const {
            return static_cast<Result>(handler(*context, (0 + ... + value_of(arguments))));
        }
    };
    std::vector<const Function *> entries;
    std::deque<Function> kept;
    template <Handler *handler>
    void append(int *context) {
        kept.push_back(Call<handler>{context});
        entries.push_back(&kept.back());
    }
    void erase(size_t at) {
        if (at < entries.size())
            entries.erase(entries.begin() + long(at));
    }
    void clear() { entries.clear(); }
    void set_context(size_t, int *) {}
};
struct FunctionList : ListOfFunctions<void> {
    [[gnu::always_inline]] int raise(int argument) {
        for (size_t i = 0; i < entries.size(); ++i)
            (*entries[i])();
        return argument;
    }
};
struct ArgumentList : ListOfFunctions<int, int> {
    [[gnu::always_inline]] int raise(int argument) {
        int sum = 0;
        for (size_t i = 0; i < entries.size(); ++i)
            sum += (*entries[i])(argument + sum % 3);
        return sum;
    }
};

[[gnu::noinline]] inline void fill(Message &message, int argument) {
    for (long &part : message.parts)
        part = argument++;
    message.value = argument;
}
[[gnu::noinline]] inline int sum_of(const Message &message) {
    return message.value + int(message.parts[0] * 3 + message.parts[1] * 5 + message.parts[2] * 7);
}

// Each iteration has a variable of its own, which lives from before its call until behind it.
struct LivingList : VectorList {
    int rounds = 0;
    [[gnu::always_inline]] int raise(int argument) {
        int sum = 0;
        for (size_t i = 0; i < entries.size(); ++i) {
            Message message;
            fill(message, argument + ++rounds % 5);
            sum += entries[i].function(*entries[i].context, argument);
            sum ^= sum_of(message);
        }
        return sum;
    }
};

// A pointer, and a structure by value: what is put on the stack for each call has the list's own types.
struct PointerList : ListOfFunctions<int, Message *> {
    [[gnu::always_inline]] int raise(int argument) {
        Message message{argument, {1, argument, 3}};
        int sum = 0;
        for (size_t i = 0; i < entries.size(); ++i)
            message.parts[1] = sum += (*entries[i])(&message);
        return sum;
    }
};
struct StructureList : ListOfFunctions<int, Message> {
    [[gnu::always_inline]] int raise(int argument) {
        Message message{argument, {argument, 2, 3}};
        int sum = 0;
        for (size_t i = 0; i < entries.size(); ++i)
            message.parts[2] = sum += (*entries[i])(message);
        return sum;
    }
};

// Objects with virtual functions. Exceptions are caught in the loop.
struct VirtualList {
    struct Listener {
        virtual ~Listener() = default;
        virtual int on(int argument) = 0;
    };
    template <Handler *handler>
    struct ListenerOf final : Listener {
        explicit ListenerOf(int *own) : context(own) {}
        int on(int argument) override { return handler(*context, argument); }
        int *context;
    };
    std::vector<std::shared_ptr<Listener>> entries;
    std::vector<std::shared_ptr<Listener>> kept;
    template <Handler *handler>
    void append(int *context) {
        entries.push_back(std::make_shared<ListenerOf<handler>>(context));
        kept.push_back(entries.back());
    }
    void erase(size_t at) {
        if (at < entries.size())
            entries.erase(entries.begin() + long(at));
    }
    void clear() { entries.clear(); }
    void set_context(size_t, int *) {}
    [[gnu::always_inline]] int raise(int argument) {
        int sum = 0;
        for (size_t i = 0; i < entries.size(); ++i)
            try {
                sum += entries[i]->on(argument);
            } catch (int value) {
                note(99, value);
            }
        return sum;
    }
};
