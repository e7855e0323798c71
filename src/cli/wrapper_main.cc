// cli: the whole of `thalweg-cc` and `thalweg-c++`; the build says which compiler each of them is.
#include <cstdio>
#include <string>
#include <vector>

#include "link/wrapper.h"

int main(int count, char **words) {
    const auto code = thalweg::link::run_wrapper(THALWEG_DRIVER, std::vector<std::string>(words + 1, words + count));
    if (code)
        return *code;
    std::fprintf(stderr, "thalweg-cc: error: %s\n", code.error().message.c_str());
    return static_cast<int>(code.error().code);
}
