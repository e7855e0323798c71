// cli: the whole of `thalweg-cc` and `thalweg-c++`; the build says which compiler each of them is.
#include <cstdio>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "link/wrapper.h"

namespace {

void tell(const std::string &sentence) {
    std::fprintf(stderr, "thalweg-cc: %s\n", thalweg::without_controls(sentence).c_str());
}

}  // namespace

int main(int count, char **words) {
    const auto code =
        thalweg::link::run_wrapper(THALWEG_DRIVER, std::vector<std::string>(words + 1, words + count), tell);
    if (code)
        return *code;
    std::fprintf(stderr, "thalweg-cc: error: %s\n", thalweg::without_controls(code.error().message).c_str());
    return static_cast<int>(code.error().code);
}
