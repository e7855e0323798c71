// What tamed functions wait for comes through a handler: by one place nearly always, and by another now and then.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <thalweg/event.h>
#include <thalweg/tame.h>

using namespace thalweg::tame;

thalweg::Event<int> sampled{"sampled"};
event<int> next_sample;
long total, calls;

tamed<> add() {
    for (;;) {
        int sample = 0;
        rendezvous<> r;
        next_sample = mkevent(r, sample);
        co_await r;
        total += sample;
        ++calls;
    }
}

tamed<> subtract() {
    for (;;) {
        int sample = 0;
        gather all;
        next_sample = mkevent(all, sample);
        co_await all;
        total -= 3 * sample;
        ++calls;
    }
}

void on_sample(int sample) { event<int>(std::move(next_sample)).trigger(sample); }

int main(int argc, char **argv) {
    set_reporter(nullptr);
    sampled.bind<&on_sample>();
    const bool other = argc > 1 && std::strcmp(argv[1], "other") == 0;
    const tamed<> first = other ? subtract() : add();
    for (int i = 0; i < 30000; ++i) {
        if (other && i == 7000) {
            next_sample = {};
            const tamed<> second = add();
            sampled.raise(i);
            continue;
        }
        sampled.raise(i);
    }
    next_sample = {};
    std::printf("%ld after %ld\n", total, calls);
}
