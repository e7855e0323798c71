// measure: what valgrind says where it ends before the program does.
#include "measure/valgrind.h"

#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "base/file.h"

namespace thalweg::measure {

std::string why_valgrind_gave_up(const TemporaryFolder &folder, const std::string &program) {
    constexpr std::string_view mark = "Valgrind: ";
    for (const auto &entry : std::filesystem::directory_iterator(folder.path())) {
        const auto text =
            entry.path().extension() == ".log" ? read_file(entry.path().string()) : Result<std::string>("");
        const size_t at = text ? text->find(mark) : std::string::npos;
        if (at == std::string::npos)
            continue;
        return fmt::format("valgrind gave up ({}). Where it cannot read what a newer compiler wrote of the program's "
                           "source, it can run a copy without that: strip -g -o COPY {}",
                           text->substr(at + mark.size(), text->find('\n', at) - at - mark.size()), program);
    }
    return {};
}

}  // namespace thalweg::measure
