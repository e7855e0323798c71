// tests: a program whose functions wait, and which then waits for a debugger; with an argument, in its loop.
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include <thalweg/loop.h>
#include <thalweg/tame.h>
#include <thalweg/tame/fiber.h>

namespace {

using namespace std::chrono_literals;
using namespace thalweg::tame;

tamed<std::string> look_up(event<std::string> &answer) {
    gather all;
    std::string address;
    answer = mkevent(all, address);
    co_await all;
    co_return address;
}

tamed<> serve(event<std::string> &answer) { co_await look_up(answer); }

tamed<> rest() { co_await pause_for(1h); }

tamed<> limited(event<> &answer) {
    gather all;
    bool in_time = false;
    answer = add_timeout(1h, event<bool>(mkevent(all, in_time)));
    co_await all;
}

void reads(gather &all) { wait(all); }

tamed<> sits() { co_await rest(); }

}  // namespace

[[gnu::noinline]] void look_here() { std::fflush(stdout); }

int main(int count, char **) {
    set_reporter(nullptr);
    thalweg::Loop loop;
    event<std::string> address;
    event<> answer;
    serve(address);
    limited(answer);
    sits();
    gather bytes;
    const event<> read = mkevent(bytes);
    on_fiber([&] { reads(bytes); });
    look_here();
    if (count > 1)
        loop.run();
    read.trigger();
    address.trigger("");
    answer.trigger();
}
