// flow: a program that dispatches a list of callbacks and ends, or multiplies, in the way that its first argument says.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using Callback = void (*)(long &);
std::vector<Callback> callbacks;

void add(long &value) { value += 1; }
void twice(long &value) { value *= 2; }
void throws_at_seven(long &value) {
    if (value == 7)
        throw std::runtime_error("seven");
}

[[gnu::noinline]] long dispatch(long value) {
    for (const Callback callback : callbacks)
        callback(value);
    return value;
}

long dispatch_times(long count) {
    long sum = 0;
    for (long i = 0; i < count; ++i)
        sum += dispatch(i);
    return sum;
}

void in_threads(long count) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back(dispatch_times, count);
    for (std::thread &thread : threads)
        thread.join();
}

void in_a_child(long count, bool hard) {
    const pid_t child = fork();
    if (child == 0) {
        dispatch_times(count);
        if (hard)
            _exit(0);
        std::exit(0);
    }
    waitpid(child, nullptr, 0);
}

// As a server that gives up its rights, or has all its descriptors in use: no file can be opened from here on.
void shut_in() {
    const rlimit three{3, 3};
    if (setrlimit(RLIMIT_NOFILE, &three) != 0)
        std::abort();
}

// Until it is told to end, or the test is long over. As a daemon's parent does, it goes when the child is at work.
void leave_behind() {
    constexpr unsigned over_s = 60;
    int ends[2];
    if (pipe(ends) != 0)
        std::abort();
    if (fork() != 0) {
        char word = 0;
        if (read(ends[0], &word, 1) != 1)
            std::abort();
        return;
    }
    dispatch(1);
    if (write(ends[1], "", 1) != 1)
        std::abort();
    alarm(over_s);
    pause();
}

// It goes when the child is another program: exec has shut the pipe.
void leave_another() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        std::abort();
    if (fork() == 0) {
        execlp("sleep", "sleep", "5", nullptr);
        std::abort();
    }
    close(ends[1]);
    char word = 0;
    if (read(ends[0], &word, 1) != 0)
        std::abort();
}

long with_exceptions(long count) {
    long thrown = 0;
    for (long i = 0; i < count; ++i) {
        try {
            dispatch(i % 10);
        } catch (const std::runtime_error &) {
            ++thrown;
        }
    }
    return thrown;
}

}  // namespace

int main(int, char **words) {
    const std::string how = words[1];
    const long count = std::atol(words[2]);
    callbacks = {twice, add};
    if (how == "throw") {
        callbacks.push_back(throws_at_seven);
        std::printf("%ld thrown\n", with_exceptions(count));
        return 0;
    }
    if (how == "threads" || how == "shut-in-threads") {
        if (how != "threads")
            shut_in();
        in_threads(count);
        return 0;
    }
    std::printf("%ld\n", dispatch_times(count));
    std::fflush(stdout);
    if (how == "fork")
        in_a_child(count, false);
    if (how == "shut-in-fork") {
        shut_in();
        in_a_child(count, false);
    }
    // Another program's daemon records nothing anyhow.
    if (how == "leaves-another")
        leave_another();
    // The parent is gone before the child is at work.
    if (how == "daemon-at-once" && fork() == 0) {
        alarm(60);
        pause();
    }
    if (how == "fork-hard")
        in_a_child(count, true);
    if (how == "daemon")
        leave_behind();
    if (how == "exec")
        execl("/proc/self/exe", words[0], "plain", words[2], nullptr);
    if (how == "_exit")
        _exit(3);
    if (how == "abort")
        std::abort();
    if (how == "SIGKILL")
        std::raise(SIGKILL);
    if (how == "SIGTERM")
        std::raise(SIGTERM);
    if (how == "wait")
        pause();
    return how == "plain" ? 0 : 4;
}
