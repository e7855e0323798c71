// measure: the system calls of a running program and of all that it starts, by ptrace.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "measure/asking_call.h"
#include "measure/call_counts.h"
#include "measure/process_tree.h"
#include "measure/repeated_call.h"
#include "model/workload.h"

namespace thalweg::measure {

// Each thread stops at the begin and the end of each call; whoever waits for it tells us of the stop, and it goes on.
class CallTracer {
  public:
    // `root` is held by its parent until it is traced, and calls exec then; what it calls before is not counted.
    explicit CallTracer(pid_t root) : root_(root) {}

    // 0, or errno.
    int seize() const;
    // A thread has stopped or ended, as wait4 says. True: `root` is about to end, and can be looked at a last time.
    bool take(pid_t thread, int status);
    // What still runs goes on without us. How many threads don't stop within a second, and end with us instead.
    size_t release_all();

    // Not empty: it was killed before it did anything, for it would have run otherwise than it should.
    const std::string &refusal() const { return refusal_; }
    // Adds the calls to the threads that are known already.
    void add_to(model::Workload &workload) const;

  private:
    struct Thread {
        pid_t process = 0;
        std::string name;
        std::optional<CallStart> call;
        std::optional<CallResults::Asked> asked;
        uint64_t begun_ns = 0;
        bool without_waiting = false;
        CallCounts counts;
    };
    Thread &thread_of(pid_t number);
    void at_call(pid_t number, Thread &thread);
    void at_exec(pid_t number);
    void see_child_of(pid_t number);
    void forget(pid_t number);
    bool at_event(pid_t number, int event, int signal, bool &ends);

    pid_t root_;
    bool started_ = false;
    std::string refusal_;
    std::vector<std::string> problems_;
    std::map<pid_t, Thread> running_;
    std::map<pid_t, CallResults> results_;  // by process
    std::map<std::string, model::RepeatedCalls> repeated_;  // of processes that have ended, by name
    WrittenFiles written_;  // by them
    std::vector<std::pair<pid_t, Thread>> ended_;
    CallCounts of_the_others_;  // where there are more threads than are told one by one
};

}  // namespace thalweg::measure
