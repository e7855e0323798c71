// tests: exceptions through layers that were unfolded: past two of them to the right catch, by type, by base class and by three dots; each
// destructor once; thrown on, and another thrown in its place; out of a layer whose facts have failed; past all; into a noexcept one.
// RUN: %run %s | %check %s
// FLAGS: -mllvm -inline-threshold=-100000
// EXIT: 3
// PLAN: 1 specialize send : memory send/0 0 = @plain_operations ; memory send/0:4 8 = 1
// PLAN: 2 specialize descend : argument descend/0:4 = 3
// PLAN: 3 specialize guarded : argument guarded/0:4 = 1
// PLAN: 4 specialize destroying_layer : argument destroying_layer/0:4 = 2
// CHECK: decision 1 applied
// CHECK: decision 2 applied
// CHECK: decision 3 applied
// CHECK: decision 4 applied: {{[1-9][0-9]*}} calls unfolded
// CHECK: ; the same
#include <cstdlib>
#include <exception>
#include <stdexcept>

#include "show.h"

struct Goes {
    const char *who;
    int value;
    ~Goes() { show(who, value); }
};
struct Odd : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Handle;
struct Operations {
    int (*outer)(Handle *, int);
    int (*inner)(Handle *, int);
};
struct Handle {
    const Operations *operations;
    int mode, left;
};

extern "C" {
[[gnu::noinline]] int strike(Handle *handle, int kind) {
    show("strike", kind);
    if (kind == 6 && handle)
        handle->mode = 4;  // a fact is no longer true
    switch (kind) {
    case 1:
        throw kind;
    case 2:
        throw Odd("odd");
    case 3:
        throw std::logic_error("logic");
    case 4:
        throw 'c';
    case 5:
        throw 2.5;
    default:
        return kind * 10;
    }
}

int inner_plain(Handle *handle, int kind) {
    const Goes goes{"inner", handle->left};
    try {
        const int result = strike(handle, kind) + handle->mode;
        return handle->mode == 1 && kind == 6 ? result : result + strike(handle, kind - 6);
    } catch (const Odd &odd) {
        show(odd.what(), 1);
        if (handle->left == 2)
            throw;
        if (handle->left == 3)
            throw 7;
        return -1;
    } catch (char letter) {
        show("letter", letter);
        return strike(handle, 1);
    }
}
int outer_plain(Handle *handle, int kind) {
    int words[4] = {handle->left, kind, 3, 4};
    const Goes goes{"outer", words[1]};
    words[1] += handle->operations->inner(handle, kind);
    try {
        const Goes more{"more", words[0]};
        words[2] += handle->operations->inner(handle, kind + 1);
    } catch (const std::logic_error &error) {
        show(error.what(), words[2]);
    }
    return words[0] + words[1] + words[2];
}
int outer_other(Handle *handle, int kind) { return strike(handle, kind) + handle->mode; }
extern const Operations plain_operations = {outer_plain, inner_plain};
extern const Operations other_operations = {outer_other, inner_plain};

[[gnu::noinline]] int send(Handle *handle, int kind) {
    int sum = 0;
    for (int i = 0; i < 2; ++i) {
        const Goes goes{"sender", i};
        try {
            sum += handle->operations->outer(handle, kind + i);
        } catch (const std::exception &error) {
            show(error.what(), sum);
            handle->left = 3;
            if (kind == 3)
                throw;
        } catch (int number) {
            show("number", number);
            sum += 1000;
        }
    }
    return sum;
}

// Layer in layer, each with something to destroy and something that it catches.
int descend(int left, int kind) {
    const Goes goes{"level", left};
    if (left == 0)
        return strike(nullptr, kind);
    try {
        return descend(left - 1, kind) + 1;
    } catch (int number) {
        if (number == left)
            return 50 + number;
        show("not mine", left);
        throw number + 1;
    }
}

// A layer that neither catches nor destroys, one that catches alone, and one that destroys alone.
int plain_layer(int left, int kind) { return strike(nullptr, kind + left) + left; }
int catching_layer(int left, int kind) {
    try {
        return plain_layer(left, kind) + left;
    } catch (char letter) {
        return letter;
    }
}
[[gnu::noinline]] int destroying_layer(int left, int kind) {
    const Goes goes{"destroyed", left};
    return catching_layer(left - 1, kind) + catching_layer(left - 2, kind);
}

int never_throws(int mode, int kind) noexcept {
    const Goes goes{"never", mode};
    return strike(nullptr, kind);
}
int guarded(int mode, int kind) {
    try {
        return mode == 1 ? never_throws(mode, kind) : 0;
    } catch (...) {
        show("caught what never comes", 0);
        return 1;
    }
}
}

template <class Call>
void watch(Call call) {
    try {
        show("result", call());
    } catch (const std::exception &error) {
        show(error.what(), -1);
    } catch (int number) {
        show("caught outside", number);
    } catch (...) {
        show("something", -1);
    }
}

int main() {
    for (int other = 0; other < 2; ++other)
        for (int mode = 0; mode < 2; ++mode)
            for (int left = 1; left < 4; ++left)
                for (int kind = 0; kind < 8; ++kind)
                    watch([=] {
                        Handle handle{other != 0 ? &other_operations : &plain_operations, mode, left};
                        const int result = send(&handle, kind);
                        return 100 * result + 10 * handle.mode + handle.left;
                    });
    for (int left = 0; left < 5; ++left)
        for (int kind = 0; kind < 3; ++kind)
            watch([=] { return descend(left, kind); });
    for (int left = 1; left < 4; ++left)
        for (int kind = 0; kind < 6; ++kind)
            watch([=] { return destroying_layer(left, kind); });
    std::set_terminate([] {
        show("terminated", 0);
        fflush(stdout);
        std::_Exit(3);
    });
    watch([] { return guarded(1, 0); });
    watch([] { return guarded(1, 1); });
    return 0;
}
