// verify: the first difference between two files.
#include "verify/difference.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <vector>

namespace thalweg::verify {
namespace {

// As much of either side as fits a line of a terminal.
constexpr size_t shown_bytes = 60;
// Read at a time; outputs may be larger than memory.
constexpr size_t piece_bytes = 1 << 16;

std::string printable(const std::string &bytes) {
    std::string text;
    for (const char byte : bytes) {
        const auto value = static_cast<unsigned char>(byte);
        if (byte == '\n') {
            text += "\\n";
            continue;
        }
        if (value < 0x20 || value >= 0x7f) {
            text += fmt::format("\\x{:02x}", value);
            continue;
        }
        text += byte;
    }
    return text;
}

// From the beginning of the line (or a little before the offset, in long lines) on.
std::string excerpt(const std::string &path, uint64_t from) {
    std::ifstream file(path, std::ios::binary);
    file.seekg(static_cast<std::streamoff>(from));
    std::string bytes(shown_bytes, '\0');
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<size_t>(file.gcount()));
    const size_t line_end = bytes.find('\n');
    if (line_end != std::string::npos) {
        bytes.resize(line_end + 1);
    }
    return bytes.empty() ? "(end)" : printable(bytes);
}

struct Position {
    uint64_t offset = 0;
    uint64_t line = 1;
    uint64_t line_start = 0;

    void pass(const char *bytes, size_t count) {
        for (size_t i = 0; i < count; ++i) {
            ++offset;
            if (bytes[i] == '\n') {
                ++line;
                line_start = offset;
            }
        }
    }
};

std::optional<Position> first_unequal(std::ifstream &expected, std::ifstream &found) {
    std::vector<char> left(piece_bytes);
    std::vector<char> right(piece_bytes);
    Position position;
    while (true) {
        expected.read(left.data(), piece_bytes);
        found.read(right.data(), piece_bytes);
        const auto left_size = static_cast<size_t>(expected.gcount());
        const auto right_size = static_cast<size_t>(found.gcount());
        const size_t common = std::min(left_size, right_size);
        const auto unequal =
            std::mismatch(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(common), right.begin());
        const auto equal_bytes = static_cast<size_t>(unequal.first - left.begin());
        position.pass(left.data(), equal_bytes);
        if (equal_bytes < common || left_size != right_size) {
            return position;
        }
        if (left_size < piece_bytes) {
            return std::nullopt;
        }
    }
}

model::Difference absent(bool expected_is_there) {
    model::Difference difference;
    difference.expected = expected_is_there ? "(a file)" : "(no file)";
    difference.found = expected_is_there ? "(no file)" : "(a file)";
    return difference;
}

}  // namespace

Result<std::optional<model::Difference>> first_difference(const std::string &expected_path,
                                                          const std::string &found_path) {
    std::error_code ignored;
    const bool expected_is_there = std::filesystem::exists(expected_path, ignored);
    const bool found_is_there = std::filesystem::exists(found_path, ignored);
    if (expected_is_there != found_is_there) {
        return std::optional(absent(expected_is_there));
    }
    if (!expected_is_there) {
        return std::optional<model::Difference>();
    }
    std::ifstream expected(expected_path, std::ios::binary);
    std::ifstream found(found_path, std::ios::binary);
    if (!expected || !found) {
        return fail(ErrorCode::environment, "cannot read {}", expected ? found_path : expected_path);
    }
    const std::optional<Position> position = first_unequal(expected, found);
    if (!position) {
        return std::optional<model::Difference>();
    }
    model::Difference difference;
    difference.offset = position->offset;
    difference.line = position->line;
    const bool near = position->offset - position->line_start < shown_bytes / 2;
    const uint64_t from = near ? position->line_start : position->offset - shown_bytes / 4;
    difference.expected = excerpt(expected_path, from);
    difference.found = excerpt(found_path, from);
    return std::optional(difference);
}

}  // namespace thalweg::verify
