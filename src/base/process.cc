// base: run a program to its end; which rooms may is in tools/rooms.toml.
#include "base/process.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace thalweg {

namespace {

std::string read_to_end(int descriptor) {
    std::string text;
    char buffer[1 << 14];
    while (true) {
        const ssize_t got = ::read(descriptor, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return text;
        text.append(buffer, static_cast<size_t>(got));
    }
}

int wait_for(pid_t child) {
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
    pid_t child = 0;
    const int problem = ::posix_spawnp(&child, command[0].c_str(), &actions, nullptr, argument_vector(command).data(),
                                       argument_vector(environment).data());
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
    return end;
}

}  // namespace thalweg
