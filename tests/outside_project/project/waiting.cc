// outside project: a function that waits for a name, a file and a fiber: the three libraries beside the runtime.
#include <array>
#include <cstdio>

#include <thalweg/loop.h>
#include <thalweg/tame.h>
#include <thalweg/tame/fiber.h>
#include <thalweg/tame/file.h>
#include <thalweg/tame/lookup.h>

using namespace thalweg::tame;

static tamed<bool> all(const char *path) {
    resolver names;
    const looked_up found = co_await names.lookup("127.0.0.1");
    const opened file = co_await open_file(path);
    std::array<char, 4> bytes{};
    const transferred got = co_await file.handle.read(bytes, 0);
    const int answer = co_await on_fiber([] { return 42; });
    std::printf("%s %zu %d\n", found ? found.addresses[0].text().c_str() : "?", got.size, answer);
    co_return found &&got.size == 4 && answer == 42;
}

int main(int count, char **arguments) {
    const thalweg::Loop loop;
    return count == 2 && wait(all(arguments[1])) ? 0 : 1;
}
