// base: the one way in which a function says that it could not do its work.
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

namespace thalweg {

// What went wrong, in words for the person who reads it: what happened, the numbers, what to do.
// `code` is the exit code that the command line gives for it (DESIGN section 2).
enum class ErrorCode { usage = 2, nothing_to_do = 3, does_not_fit = 4, environment = 7, bug = 70, interrupted = 130 };

struct Error {
    std::string message;
    ErrorCode code = ErrorCode::environment;
};

// A value or an error. Asking for the one that is not there is our own mistake and aborts.
template <class T>
class [[nodiscard]] Result {
  public:
    Result(T value) : state_(std::move(value)) {}
    Result(Error error) : state_(std::move(error)) {}

    explicit operator bool() const { return std::holds_alternative<T>(state_); }
    T &operator*() { return std::get<T>(state_); }
    const T &operator*() const { return std::get<T>(state_); }
    T *operator->() { return &std::get<T>(state_); }
    const T *operator->() const { return &std::get<T>(state_); }
    const Error &error() const { return std::get<Error>(state_); }

  private:
    std::variant<T, Error> state_;
};

struct Done {};
using Status = Result<Done>;

// fail(ErrorCode::usage, "{} is not a profile: {} bytes", path, size)
template <class... Args>
Error fail(ErrorCode code, fmt::format_string<Args...> format, Args &&...args) {
    return Error{fmt::format(format, std::forward<Args>(args)...), code};
}

}  // namespace thalweg
