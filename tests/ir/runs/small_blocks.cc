// tests: small blocks that are asked for, resized and given back in changing order, by threads that end and hand blocks on to each other, hold what was
// written to them.
// RUN: %run %s --passes thalweg,thalweg-late | %check %s
// FLAGS: -pthread
// PLAN: 1 reuse malloc/0
// PLAN: 2 reuse free/0
// PLAN: 3 reuse realloc/0
// PLAN: 4 reuse _Znwm/0
// PLAN: 5 reuse _ZdlPv/0
// PLAN: 6 reuse calloc/0
// CHECK: decision 1 applied
// CHECK: decision 2 applied
// CHECK: decision 3 applied
// CHECK: decision 4 applied
// CHECK: decision 5 applied
// CHECK: decision 6 applied
// CHECK: ; the same
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

struct Held {
    unsigned char *block = nullptr;
    size_t size = 0;
    bool is_of_cxx = false;
};

// What one thread gives back another one has asked for.
struct Shared {
    std::mutex mutex;
    std::vector<Held> held;
} shared;

class Work {
  public:
    explicit Work(uint32_t seed) : state_(seed) { held_.resize(400); }

    uint32_t run(int rounds) {
        for (int i = 0; i < rounds; ++i)
            step(held_[random() % held_.size()]);
        for (Held &one : held_)
            end(one);
        return sum_;
    }

  private:
    uint32_t random() { return (state_ = state_ * 1664525 + 1013904223) >> 8; }
    size_t size() { return random() % 5 != 0 ? random() % 200 : random() % 1100; }

    void step(Held &one) {
        if (one.block == nullptr)
            return begin(one);
        switch (random() % 6) {
        case 0:
            return resize(one);
        case 1:
            return hand_on(one);
        default:
            return end(one);
        }
    }

    static unsigned char byte_of(size_t size) { return static_cast<unsigned char>(size * 7 + 1); }

    void begin(Held &one) {
        one.size = size();
        const uint32_t way = random() % 3;
        one.is_of_cxx = way == 0;
        errno = 77;
        one.block = static_cast<unsigned char *>(one.is_of_cxx ? ::operator new(one.size)
                                                 : way == 1    ? std::malloc(one.size)
                                                               : zeros(one.size));
        sum_ = sum_ * 31 + static_cast<uint32_t>(errno) + (reinterpret_cast<uintptr_t>(one.block) % 16 != 0 ? 1 : 0);
        std::memset(one.block, byte_of(one.size), one.size);
    }

    static void *zeros(size_t size) {
        auto *block = static_cast<unsigned char *>(size % 3 == 0 ? std::calloc(size / 3, 3) : std::calloc(size, 1));
        if (std::any_of(block, block + size, [](unsigned char byte) { return byte != 0; })) {
            std::puts("a block of zeros has something else in it");
            std::exit(1);
        }
        return block;
    }

    void check(const Held &one, size_t size) {
        for (size_t i = 0; i < size; ++i)
            if (one.block[i] != byte_of(one.size)) {
                std::puts("a block does not hold what was written to it");
                std::exit(1);
            }
        sum_ = sum_ * 31 + static_cast<uint32_t>(size);
    }

    void resize(Held &one) {
        if (one.is_of_cxx)
            return end(one);
        const size_t before = one.size;
        const size_t after = size() + 1;
        one.block = static_cast<unsigned char *>(std::realloc(one.block, after));
        check(one, before < after ? before : after);
        one.size = after;
        std::memset(one.block, byte_of(one.size), one.size);
    }

    // Which block it gets depends on the other threads.
    void hand_on(Held &one) {
        const size_t at = random();
        Held other;
        {
            const std::lock_guard lock(shared.mutex);
            shared.held.push_back(one);
            if (shared.held.size() > 50)
                std::swap(shared.held[at % 50], shared.held.back());
            if (shared.held.size() > 50) {
                other = shared.held.back();
                shared.held.pop_back();
            }
        }
        const uint32_t sum = sum_;
        end(other);
        sum_ = sum;
        one = Held();
    }

    void end(Held &one) {
        if (one.block != nullptr)
            check(one, one.size);
        errno = 78;
        if (one.is_of_cxx)
            ::operator delete(one.block);
        else
            std::free(one.block);
        sum_ = sum_ * 31 + static_cast<uint32_t>(errno);
        one = Held();
    }

    uint32_t state_;
    uint32_t sum_ = 0;
    std::vector<Held> held_;
};

}  // namespace

int main() {
    std::printf("%u\n", Work(1).run(40000));
    for (int round = 0; round < 3; ++round) {
        uint32_t sums[4];
        std::vector<std::thread> threads;
        for (uint32_t i = 0; i < 4; ++i)
            threads.emplace_back([&, i] { sums[i] = Work(round * 4 + i).run(20000); });
        for (std::thread &one : threads)
            one.join();
        std::printf("%u %u %u %u\n", sums[0], sums[1], sums[2], sums[3]);
        std::fflush(stdout);
        const pid_t child = fork();
        if (child == 0)
            _exit(Work(9).run(20000) % 100);
        int status = 0;
        waitpid(child, &status, 0);
        std::printf("%d\n", status);
    }
    for (Held &one : shared.held)
        one.is_of_cxx ? ::operator delete(one.block) : std::free(one.block);
    return 0;
}
