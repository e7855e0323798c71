// benchmarks: waiting with a thread for each task, semaphores and POSIX' own time limits.
#include <cstdint>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include "driver.h"

namespace {

[[gnu::noinline]] uint64_t at_once(uint64_t number) { return number + 1; }

uint64_t null(uint64_t count) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; ++i) {
        uint64_t number = at_once(i);
        asm volatile("" : "+r"(number));
        sum += number;
    }
    return sum;
}

// Triggered from another thread, or before.
struct Signal {
    uint64_t value = 0;
    sem_t occurred;

    Signal() { sem_init(&occurred, 0, 0); }
    ~Signal() { sem_destroy(&occurred); }
    void trigger(uint64_t number) {
        value = number;
        sem_post(&occurred);
    }
    uint64_t wait() {
        sem_wait(&occurred);
        return value;
    }
};

uint64_t ready(uint64_t count) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; ++i) {
        Signal signal;
        signal.trigger(i);
        sum += signal.wait();
    }
    return sum;
}

uint64_t timer0(uint64_t count) {
    uint64_t sum = 0;
    const timespec none{};
    for (uint64_t i = 0; i < count; ++i) {
        clock_nanosleep(CLOCK_MONOTONIC, 0, &none, nullptr);
        sum += i;
    }
    return sum;
}

// The paper's benchfn_thr (Figure 9).
void *noop(void *number) { return number; }

uint64_t thread(uint64_t count) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; ++i) {
        pthread_t forked;
        void *number = nullptr;
        pthread_create(&forked, nullptr, noop, reinterpret_cast<void *>(i));
        pthread_join(forked, &number);
        sum += reinterpret_cast<uint64_t>(number);
    }
    return sum;
}

struct Outside {
    uint64_t count;
    Signal question;  // how many are asked
    Signal answer;
};

void *child(void *outside) {
    auto *of = static_cast<Outside *>(outside);
    of->question.trigger(1);
    return reinterpret_cast<void *>(of->answer.wait());
}

void *answer_each(void *outside) {
    auto *of = static_cast<Outside *>(outside);
    for (uint64_t i = 0; i < of->count; ++i) {
        of->question.wait();
        of->answer.trigger(i);
    }
    return nullptr;
}

uint64_t fork_join(uint64_t count) {
    Outside outside{count, {}, {}};
    pthread_t answers;
    pthread_create(&answers, nullptr, answer_each, &outside);
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; ++i) {
        pthread_t forked;
        void *number = nullptr;
        pthread_create(&forked, nullptr, child, &outside);
        pthread_join(forked, &number);
        sum += reinterpret_cast<uint64_t>(number);
    }
    pthread_join(answers, nullptr);
    return sum;
}

uint64_t timeout(uint64_t count) {
    Outside outside{count, {}, {}};
    pthread_t answers;
    pthread_create(&answers, nullptr, answer_each, &outside);
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; ++i) {
        timespec limit{};
        clock_gettime(CLOCK_REALTIME, &limit);
        limit.tv_sec += 10;
        outside.question.trigger(1);
        if (sem_timedwait(&outside.answer.occurred, &limit) == 0)
            sum += outside.answer.value;
    }
    pthread_join(answers, nullptr);
    return sum;
}

Signal never;

void *blocks(void *) { return reinterpret_cast<void *>(never.wait()); }

// Resident memory; the kernel's own for each thread comes on top.
double resident() {
    long all = 0, pages = 0;
    std::FILE *status = std::fopen("/proc/self/statm", "r");
    if (!status || std::fscanf(status, "%ld %ld", &all, &pages) != 2)
        std::exit(1);
    std::fclose(status);
    return static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

void tell_blocked() {
    constexpr int tasks = 1000;
    const double before = resident();
    for (int i = 0; i < tasks; ++i) {
        pthread_t thread;
        if (pthread_create(&thread, nullptr, blocks, nullptr) != 0)
            std::exit(1);
    }
    usleep(100000);  // until the last one blocks
    std::printf("blocked %.1f bytes\n", (resident() - before) / tasks);
    std::fflush(stdout);
    std::_Exit(0);
}

constexpr waits::Case cases[] = {{"null", null},           {"ready", ready},     {"timer0", timer0},
                                 {"fork-join", fork_join}, {"timeout", timeout}, {"thread", thread}};

}  // namespace

int main(int argc, char **argv) {
    if (argc == 3 && std::strcmp(argv[1], "blocked") == 0)
        tell_blocked();
    return waits::drive(argc, argv, cases, nullptr);
}
