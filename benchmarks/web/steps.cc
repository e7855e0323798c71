// benchmarks: counts the instructions of a process that runs, by single steps: every processor's, valgrind's or not
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <sys/ptrace.h>
#include <sys/time.h>
#include <sys/wait.h>

namespace {

volatile std::sig_atomic_t ended = 0, asked = 0;

void end(int) { ended = 1; }
void ask(int) { asked = 1; }
void look_again(int) {}

void on(int signal, void (*handler)(int)) {
    struct sigaction action{};
    action.sa_handler = handler;  // without SA_RESTART: waitpid returns
    sigaction(signal, &action, nullptr);
}

class Steps {
  public:
    explicit Steps(int process) {
        for (const auto &entry : std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task"))
            take(std::stoi(entry.path().filename().string()));
    }

    uint64_t count() {
        std::puts("counting");
        std::fflush(stdout);
        while (!threads_.empty()) {
            int status = 0;
            const int thread = waitpid(-1, &status, __WALL);
            if (asked != 0)
                tell();
            if (thread > 0)
                stopped(thread, status);
            else if (ended != 0)
                interrupt_all();
        }
        return count_;
    }

  private:
    void tell() const {
        asked = 0;
        std::printf("%llu so far\n", static_cast<unsigned long long>(count_));
        std::fflush(stdout);
    }
    void take(int thread) {
        if (ptrace(PTRACE_SEIZE, thread, nullptr, PTRACE_O_TRACECLONE) != 0) {
            std::perror("ptrace");
            std::exit(1);
        }
        ptrace(PTRACE_INTERRUPT, thread, nullptr, nullptr);
        threads_.insert(thread);
    }

    // One that waits in the kernel: it makes its step, and is left then.
    void interrupt_all() {
        for (const int thread : threads_)
            ptrace(PTRACE_INTERRUPT, thread, nullptr, nullptr);
    }

    void stopped(int thread, int status) {
        if (!WIFSTOPPED(status)) {
            threads_.erase(thread);
            return;
        }
        threads_.insert(thread);  // a new one is told of by itself, too
        const bool told = status >> 16 != 0;  // of something else than a signal
        const bool step = !told && WSTOPSIG(status) == SIGTRAP;
        count_ += step ? 1 : 0;
        // Anywhere else a step may be made already whose signal is still to come, and nobody would be there to take it.
        if (step && ended != 0) {
            ptrace(PTRACE_DETACH, thread, nullptr, 0);
            threads_.erase(thread);
            return;
        }
        ptrace(PTRACE_SINGLESTEP, thread, nullptr, told || step ? 0 : WSTOPSIG(status));
    }

    std::set<int> threads_;
    uint64_t count_ = 0;
};

}  // namespace

int main(int count, char **words) {
    if (count != 2) {
        std::fputs("usage: steps PROCESS    (until SIGTERM; SIGUSR1: how many so far)\n", stderr);
        return 2;
    }
    on(SIGTERM, end);
    on(SIGUSR1, ask);
    on(SIGALRM, look_again);  // a signal that comes just before waitpid is not lost for long
    const itimerval often{{0, 50000}, {0, 50000}};
    setitimer(ITIMER_REAL, &often, nullptr);
    std::printf("%llu instructions\n", static_cast<unsigned long long>(Steps(std::atoi(words[1])).count()));
}
