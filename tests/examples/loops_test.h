// tests: a loop of each kind for the examples, and functions that wait run in it to their end.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <optional>
#include <string>

#include <thalweg/loop.h>
#include <thalweg/tame.h>
#include <thalweg/tame/io.h>

namespace thalweg::examples {

class Loops : public testing::TestWithParam<const char *> {
  protected:
    Loops() {
        setenv("THALWEG_IO", GetParam(), 1);
        loop_.emplace();
    }
    ~Loops() override {
        loop_.reset();
        unsetenv("THALWEG_IO");
    }
    Loop &loop() { return *loop_; }
    template <class Done>
    void run_until(Done done) {
        constexpr std::chrono::minutes patience(1);  // for a busy machine
        const auto end = std::chrono::steady_clock::now() + patience;
        while (!done()) {
            if (std::chrono::steady_clock::now() > end) {
                ADD_FAILURE() << "it does not end";
                std::abort();
            }
            loop_->run_once();
        }
    }
    void run(tame::tamed<> function) {
        run_until([&] { return function.has_returned(); });
    }
    void end_loop() { loop_.reset(); }

  private:
    std::optional<Loop> loop_;
};

inline std::string kind_of(const testing::TestParamInfo<const char *> &kind) { return kind.param; }

}  // namespace thalweg::examples
