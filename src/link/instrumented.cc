// link: does a command line ask for a program that watches itself?
#include "link/instrumented.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace thalweg::link {

namespace {

constexpr std::array watching = {
    std::string_view("address"),          std::string_view("kernel-address"), std::string_view("hwaddress"),
    std::string_view("kernel-hwaddress"), std::string_view("memory"),         std::string_view("kernel-memory"),
    std::string_view("thread"),           std::string_view("leak"),           std::string_view("dataflow"),
    std::string_view("fuzzer"),           std::string_view("fuzzer-no-link"), std::string_view("numerical"),
    std::string_view("realtime"),         std::string_view("memtag"),         std::string_view("memtag-heap"),
    std::string_view("memtag-stack"),     std::string_view("memtag-globals")};

// A family of options of which the last one counts. One whose word is `on` alone, or begins with it and '=', switches it on.
struct Switch {
    std::string_view on;
    std::string_view off;
};
constexpr std::array switches = {Switch{"-fprofile-generate", "-fno-profile-generate"},
                                 Switch{"-fprofile-instr-generate", "-fno-profile-instr-generate"},
                                 Switch{"-fcs-profile-generate", ""},
                                 Switch{"-fprofile-arcs", "-fno-profile-arcs"},
                                 Switch{"-ftest-coverage", "-fno-test-coverage"},
                                 Switch{"-fcoverage-mapping", "-fno-coverage-mapping"},
                                 Switch{"-fmemory-profile", "-fno-memory-profile"},
                                 Switch{"-fxray-instrument", "-fno-xray-instrument"},
                                 Switch{"-fsanitize-coverage", ""},
                                 Switch{"--coverage", ""},
                                 Switch{"-coverage", ""},
                                 Switch{"-pg", ""}};

// Calls `each` for the parts of "a,b,c".
void for_each_part(std::string_view list, auto each) {
    while (!list.empty()) {
        const size_t comma = std::min(list.find(','), list.size());
        each(list.substr(0, comma));
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
}

// The word that switched each kind on, in the order of the words.
class Kinds {
  public:
    void read(const std::string &word) {
        constexpr std::string_view sanitize = "-fsanitize=", no_sanitize = "-fno-sanitize=";
        if (word.starts_with(sanitize))
            for_each_part(std::string_view(word).substr(sanitize.size()), [&](std::string_view part) {
                if (std::ranges::find(watching, part) != watching.end())
                    on_[part] = "-fsanitize=" + std::string(part);
            });
        if (word.starts_with(no_sanitize))
            for_each_part(std::string_view(word).substr(no_sanitize.size()), [&](std::string_view part) {
                std::erase_if(on_, [&](const auto &kind) {
                    return kind.first == part || (part == "all" && kind.second.starts_with(sanitize));
                });
            });
        for (const Switch &family : switches) {
            if (word == family.on || word.starts_with(std::string(family.on) + "="))
                on_[family.on] = word;
            if (word == family.off)
                on_.erase(family.on);
        }
    }

    std::string any() const { return on_.empty() ? "" : on_.begin()->second; }

  private:
    std::map<std::string_view, std::string> on_;
};

}  // namespace

std::string instrumented_by(const std::vector<std::string> &words) {
    Kinds kinds;
    for (const std::string &word : words)
        kinds.read(word);
    return kinds.any();
}

}  // namespace thalweg::link
