// report: tables and words for a terminal.
#include "report/text_table.h"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>

#include <fmt/format.h>

#include "base/utf8.h"

namespace thalweg::report {

namespace {

// A line that fills more than a few rows of a terminal is not read; --json has all of it.
constexpr size_t longest_cell = 240;
// Demangling takes time that grows faster than the name.
constexpr size_t longest_demangled = 4096;

// Characters, not bytes: continuation bytes of UTF-8 take no room.
size_t width(std::string_view text) {
    return static_cast<size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

bool is_number_column(const std::string &name) { return name.starts_with('>'); }

void add_cell(std::string &line, const std::string &cell, size_t room, bool right, bool last) {
    const std::string padding(room - std::min(room, width(cell)), ' ');
    line += right ? padding + cell : cell;
    if (last)
        return;
    line += (right ? "" : padding) + "  ";
}

std::string demangled(const std::string &linker_name) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> words(
        abi::__cxa_demangle(linker_name.c_str(), nullptr, nullptr, &status), &std::free);
    return status == 0 && words ? std::string(words.get()) : std::string();
}

// clang 19 says of an `auto` template argument that it is one ("TnDa"), which the demangler of gcc 12's library does not
// know; without these words it reads the rest.
std::string without_constraint_types(std::string linker_name) {
    constexpr std::string_view words = "TnDa";
    for (size_t at = linker_name.find(words); at != std::string::npos; at = linker_name.find(words, at))
        linker_name.erase(at, words.size());
    return linker_name;
}

}  // namespace

std::string grouped(uint64_t number) {
    std::string digits = std::to_string(number);
    for (size_t at = digits.size(); at > 3;) {
        at -= 3;
        digits.insert(at, ",");
    }
    return digits;
}

std::string percent(double share) { return fmt::format("{:.1f} %", share * 100); }

std::string harmless(std::string_view text) {
    std::string out;
    for (char c : valid_utf8(text.substr(0, longest_cell))) {
        const auto byte = static_cast<unsigned char>(c);
        out += byte < 0x20 || byte == 0x7f ? '?' : c;
    }
    // C1 controls of UTF-8 (U+0080 to U+009F) are escape sequences to some terminals.
    for (size_t at = out.find('\xc2'); at != std::string::npos; at = out.find('\xc2', at + 1))
        if (at + 1 < out.size() && static_cast<unsigned char>(out[at + 1]) < 0xa0)
            out.replace(at, 2, "?");
    return text.size() > longest_cell ? out + "..." : out;
}

std::string readable(const std::string &linker_name) {
    if (!linker_name.starts_with("_Z") || linker_name.size() > longest_demangled)
        return linker_name;
    if (std::string words = demangled(linker_name); !words.empty())
        return words;
    const std::string words = demangled(without_constraint_types(linker_name));
    return words.empty() ? linker_name : words;
}

std::string place_words(const model::Site &site) {
    const std::string function = readable(site.function);
    if (site.place.file.empty())
        return site.ordinal == 0 ? function : fmt::format("{}, loop {}", function, site.ordinal + 1);
    return fmt::format("{}:{}, {}", site.place.file, site.place.line, function);
}

const char *word(model::RaiseMode mode) {
    static constexpr const char *words[] = {"sync", "async", "timed", "external"};
    return words[static_cast<size_t>(mode) % 4];
}

const char *word(model::SiteKind kind) { return kind == model::SiteKind::event ? "event" : "list"; }

std::string function_name(const model::Profile &profile, uint32_t function) {
    return function == model::none ? "(unknown code)" : readable(profile.symbols[function].name);
}

std::string TextTable::text(const TextStyle &style) const {
    if (rows_.empty())
        return "  none\n";
    const size_t shown = std::min(rows_.size(), style.most_rows);
    std::vector<std::vector<std::string>> lines(shown + 1);
    for (const std::string &name : columns_)
        lines[0].push_back(name.substr(is_number_column(name) ? 1 : 0));
    for (size_t i = 0; i < shown; ++i)
        for (const std::string &cell : rows_[i])
            lines[i + 1].push_back(harmless(cell));
    std::vector<size_t> rooms(columns_.size());
    for (const auto &line : lines)
        for (size_t i = 0; i < columns_.size(); ++i)
            rooms[i] = std::max(rooms[i], width(line[i]));
    std::string text;
    for (const auto &line : lines) {
        text += "  ";
        for (size_t i = 0; i < columns_.size(); ++i)
            add_cell(text, line[i], rooms[i], is_number_column(columns_[i]), i + 1 == columns_.size());
        text += "\n";
    }
    if (shown < rows_.size())
        text += fmt::format("  ... and {} more (--all shows them)\n", grouped(rows_.size() - shown));
    return text;
}

std::string marked(std::string_view text, const TextStyle &style) {
    return style.colour ? fmt::format("\033[1m{}\033[0m", text) : std::string(text);
}

std::string heading(std::string_view text, const TextStyle &style) { return "\n" + marked(text, style) + "\n"; }

}  // namespace thalweg::report
