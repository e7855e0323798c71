// driver: what goes on now and for how long, in one line of a terminal that is gone when it is done.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace thalweg::driver {

// Nothing where stderr is no terminal. While it lives nobody else writes there. Any thread may call `at`.
class Progress {
  public:
    explicit Progress(std::string what);
    ~Progress();
    Progress(const Progress &) = delete;
    Progress &operator=(const Progress &) = delete;

    // How far it is: "round 3 of 10".
    void at(std::string where);

  private:
    void show(const std::stop_token &stop);

    const std::string what_;
    std::mutex lock_;
    std::condition_variable_any changed_;
    std::string where_;
    std::jthread shows_;  // the last: it ends before what it uses
};

}  // namespace thalweg::driver
