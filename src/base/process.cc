// base: run a program to its end; which rooms may is in tools/rooms.toml.
#include "base/process.h"

#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/interruption.h"

namespace thalweg {

namespace {

// To the end, or until we are interrupted.
std::string read_to_end(int descriptor) {
    std::string text;
    char buffer[1 << 14];
    while (wait_readable(descriptor)) {
        const ssize_t got = ::read(descriptor, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return text;
        text.append(buffer, static_cast<size_t>(got));
    }
    return text;
}

// A child whose work nobody wants any more is told to end, and so is what it has started (a driver's linker).
int wait_for(pid_t child) {
    const int pidfd = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
    if (!wait_readable(pidfd))
        ::kill(-child, SIGTERM);
    if (pidfd >= 0)
        ::close(pidfd);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

std::vector<char *> argument_vector(const std::vector<std::string> &words) {
    std::vector<char *> pointers;
    pointers.reserve(words.size() + 1);
    for (const std::string &word : words)
        pointers.push_back(const_cast<char *>(word.c_str()));
    pointers.push_back(nullptr);
    return pointers;
}

std::vector<std::string> environment_with(const std::vector<std::pair<std::string, std::string>> &added) {
    std::vector<std::string> result;
    for (char **entry = environ; *entry != nullptr; ++entry) {
        const std::string_view line(*entry);
        bool replaced = false;
        for (const auto &[name, value] : added)
            replaced |= line.starts_with(name + "=");
        if (!replaced)
            result.emplace_back(line);
    }
    for (const auto &[name, value] : added)
        result.push_back(name + "=" + value);
    return result;
}

Result<ProcessEnd> run_process(const std::vector<std::string> &command, const ProcessOptions &options) {
    int ends[2] = {-1, -1};
    if (options.capture && ::pipe2(ends, O_CLOEXEC) != 0)
        return fail(ErrorCode::environment, "cannot make a pipe: {}", std::strerror(errno));
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (options.capture) {
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
        posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
    }
    if (!options.directory.empty())
        posix_spawn_file_actions_addchdir_np(&actions, options.directory.c_str());
    const std::vector<std::string> environment = environment_with(options.environment);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    const sigset_t mask = mask_for_programs();
    // Where a signal ends us at once, a terminal's Ctrl-C has to reach the child by itself: it stays in our group.
    const int own_group = holds_interruptions() ? POSIX_SPAWN_SETPGROUP : 0;
    posix_spawnattr_setflags(&attributes, static_cast<short>(POSIX_SPAWN_SETSIGMASK | own_group));
    posix_spawnattr_setsigmask(&attributes, &mask);
    pid_t child = 0;
    const int problem = ::posix_spawnp(&child, command[0].c_str(), &actions, &attributes,
                                       argument_vector(command).data(), argument_vector(environment).data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (options.capture)
        ::close(ends[1]);
    ProcessEnd end;
    if (problem == 0 && options.capture)
        end.output = read_to_end(ends[0]);
    if (options.capture)
        ::close(ends[0]);
    if (problem != 0)
        return fail(ErrorCode::environment, "cannot start {}{}: {}", command[0],
                    options.directory.empty() ? "" : " in " + options.directory, std::strerror(problem));
    end.exit_code = wait_for(child);
    if (interrupted())
        return interruption(command[0] + " ran");
    return end;
}

}  // namespace thalweg
