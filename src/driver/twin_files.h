// driver: where a program's twins stand, and which of the files there are theirs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace thalweg::driver {

// Everything that one twin consists of, by one stem.
struct TwinFiles {
    std::string twin;
    std::string table;
    std::string job;
    std::string plan;
    std::string outcome;
};

// `id` is that of the twin (16 hexadecimal digits). The folders are there afterwards, and nobody else can write to them.
Result<TwinFiles> twin_files(const std::string &program, const std::string &id);

// The folder for twins of programs beside which none may stand.
Result<std::string> fallback_folder();

struct Removed {
    uint64_t files = 0;
    uint64_t bytes = 0;
};

// Twins in `folder`, with what belongs to them; of the program `name` alone, or of all where that is empty; not those of `kept_id`.
Removed remove_twins(const std::filesystem::path &folder, std::string_view name, std::string_view kept_id);

}  // namespace thalweg::driver
