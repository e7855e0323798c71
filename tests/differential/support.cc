// tests: reads scripts, executes them, prints one digest a script (or with an argument: the whole trace of that script).
#include "support.h"

#include <cstdio>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace {

enum Operation {
    nothing,
    bind,
    unbind,
    block,
    unblock,
    raise,
    halt,
    destroy,
    create,
    throw_it,
    raise_caught,
    post,
    operations
};

// token = operation + 16 * event + 256 * handler + 65536 * argument
struct Token {
    Operation operation;
    int event;
    int handler;
    int argument;
};

constexpr int deepest_raise = 4;
constexpr int most_runs = 1500;  // handlers run by one script

struct Run {
    std::deque<Token> for_handlers;
    std::deque<Token> posted;
    uint64_t digest = 0;
    int runs = 0;
    int depth = 0;
    bool show = false;
};
Run run;

void add(const char *what, int64_t a, int64_t b, int64_t c) {
    for (const int64_t value : {static_cast<int64_t>(what[0]), a, b, c}) {
        run.digest = (run.digest ^ static_cast<uint64_t>(value)) * 0x100000001b3;
    }
    if (run.show) {
        std::printf("%*s%s %lld %lld %lld\n", run.depth * 2, "", what, static_cast<long long>(a),
                    static_cast<long long>(b), static_cast<long long>(c));
    }
}

Token decode(uint64_t number) {
    return {static_cast<Operation>(number % 16 % operations), static_cast<int>(number / 16 % 16) % event_count,
            static_cast<int>(number / 256 % 256) % handler_count, static_cast<int>(number / 65536 % 65536)};
}

void raise_event(const Token &token) {
    if (may_raise()) {
        const Depth depth;
        add("raised", token.event, token.argument, event_ops[token.event].raise(token.argument));
    }
}

void execute(const Token &token) {
    const EventOps &event = event_ops[token.event];
    if (token.operation != nothing) {
        add("do", token.operation, token.event, token.handler);
    }
    switch (token.operation) {
    case bind:
        return event.bind(token.handler, token.argument % 3);
    case unbind:
        return event.unbind(token.handler);
    case block:
        return event.block(token.handler, true);
    case unblock:
        return event.block(token.handler, false);
    case halt:
        return event.halt();
    case destroy:
        return event.destroy();
    case create:
        return event.create();
    case throw_it:
        throw token.argument;
    case raise:
        return raise_event(token);
    case post:
        run.posted.push_back(token);
        return;
    case raise_caught:
        try {
            raise_event(token);
        } catch (int thrown) {
            add("caught", thrown, token.event, 0);
        }
        return;
    case nothing:
    case operations:
        return;
    }
}

std::deque<Token> read_tokens(std::istringstream &words) {
    std::deque<Token> tokens;
    for (std::string word; words >> word && word != "/";) {
        tokens.push_back(decode(std::strtoull(word.c_str(), nullptr, 10)));
    }
    return tokens;
}

void execute_top(const Token &token) {
    try {
        execute(token);
    } catch (int thrown) {
        add("escaped", thrown, token.event, 0);
    }
}

void run_script(const std::string &line) {
    std::istringstream words(line);
    std::deque<Token> top = read_tokens(words);
    const bool show = run.show;
    run = {};
    run.show = show;
    run.for_handlers = read_tokens(words);
    for (int event = 0; event < event_count; ++event) {
        event_ops[event].destroy();
        event_ops[event].create();
    }
    for (int handler = 0; handler < handler_count; ++handler) {
        *handler_contexts[handler] = {};
    }
    bind_at_start();
    for (const Token &token : top) {
        execute_top(token);
        while (!run.posted.empty()) {
            const Token posted = run.posted.front();
            run.posted.pop_front();
            execute_top({raise, posted.event, posted.handler, posted.argument});
        }
    }
    for (int handler = 0; handler < handler_count; ++handler) {
        add("left", handler, handler_contexts[handler]->value, handler_contexts[handler]->count);
    }
}

}  // namespace

void trace(int handler, int64_t argument, int64_t value) {
    ++run.runs;
    add("handler", handler, argument, value);
}

void act(int) {
    if (run.for_handlers.empty()) {
        return;
    }
    const Token token = run.for_handlers.front();
    run.for_handlers.pop_front();
    execute(token);
}

bool may_raise() { return run.depth < deepest_raise && run.runs < most_runs; }
Depth::Depth() { ++run.depth; }
Depth::~Depth() { --run.depth; }

int main(int argc, char **argv) {
    const long shown = argc > 1 ? std::atol(argv[1]) : -1;
    long number = 0;
    for (std::string line; std::getline(std::cin, line); ++number) {
        if (shown >= 0 && number != shown) {
            continue;
        }
        run.show = number == shown;
        run_script(line);
        std::printf("script %ld digest %016llx runs %d\n", number, static_cast<unsigned long long>(run.digest),
                    run.runs);
    }
}
