// report: tables and words for a terminal.
#include "report/text_table.h"

#include <algorithm>

#include <fmt/format.h>

namespace thalweg::report {

namespace {

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

// Characters, not bytes: continuation bytes of UTF-8 take no room.
size_t width(std::string_view text) {
    return static_cast<size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

// Beside such a column the numbers and the beginning of the last column stand in one line of a wide terminal; names of templates are
// wider without end. The whole stands in --json.
constexpr size_t widest_column = 72;

// Both ends tell one name from another: what is left out is the middle.
std::string fitted(const std::string &cell) {
    const size_t all = width(cell);
    if (all <= widest_column)
        return cell;
    const size_t head = widest_column / 2;
    const size_t tail_begins = all - (widest_column - head - 1);
    std::string result;
    size_t character = 0;
    for (const char c : cell) {
        character += begins_character(c) ? 1 : 0;
        if (character == head + 1 && begins_character(c))
            result += "…";
        if (character <= head || character > tail_begins)
            result += c;
    }
    return result;
}

bool is_number_column(const std::string &name) { return name.starts_with('>'); }

void add_cell(std::string &line, const std::string &cell, size_t room, bool right, bool last) {
    const std::string padding(room - std::min(room, width(cell)), ' ');
    line += right ? padding + cell : cell;
    if (last)
        return;
    line += (right ? "" : padding) + "  ";
}

}  // namespace

std::string counted(uint64_t number, uint64_t error) {
    if (error == 0)
        return grouped(number);
    return "~" + grouped(number) + (error == model::unknown_error ? "" : " ±" + grouped(error));
}

std::string percent(double share) { return fmt::format("{:.1f} %", share * 100); }

std::string TextTable::text(const TextStyle &style) const {
    if (rows_.empty())
        return "  none\n";
    const size_t count = std::min(rows_.size(), style.most_rows);
    std::vector<std::vector<std::string>> lines(count + 1);
    for (const std::string &name : columns_)
        lines[0].push_back(name.substr(is_number_column(name) ? 1 : 0));
    for (size_t i = 0; i < count; ++i)
        for (size_t j = 0; j < rows_[i].size(); ++j)
            lines[i + 1].push_back(j + 1 == rows_[i].size() ? shown(rows_[i][j]) : fitted(shown(rows_[i][j])));
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
    if (count < rows_.size())
        text += fmt::format("  ... and {} more (--all shows them)\n", grouped(rows_.size() - count));
    return text;
}

std::string marked(std::string_view text, const TextStyle &style) {
    return style.colour ? fmt::format("\033[1m{}\033[0m", text) : std::string(text);
}

std::string heading(std::string_view text, const TextStyle &style) { return "\n" + marked(text, style) + "\n"; }

}  // namespace thalweg::report
