// transform: files of a job. What can't be read or written ends the link, with words.
#pragma once

#include <string>

#include "llvm/Support/ErrorHandling.h"

#include "base/result.h"

namespace thalweg::transform {

std::string read_file(const std::string &path);
void write_file(const std::string &path, const std::string &text);

template <class T>
T value_or_die(Result<T> result) {
    if (!result)
        llvm::report_fatal_error(llvm::Twine("thalweg: ") + result.error().message, false);
    return std::move(*result);
}

}  // namespace thalweg::transform
