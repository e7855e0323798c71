// runtime: for tests: what is told of mistakes.
#pragma once

#include <vector>

#include <thalweg/tame/report.h>

namespace THALWEG_TAME {

// While it lives.
class Told {
  public:
    Told() : before_(set_reporter([](const report &told) { reports.push_back(told); })) { reports.clear(); }
    ~Told() { set_reporter(before_); }
    static inline thread_local std::vector<report> reports;

  private:
    reporter before_;
};

}  // namespace THALWEG_TAME
