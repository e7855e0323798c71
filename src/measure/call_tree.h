// measure: a tree of calls while it is read, from stacks or from contexts; private to the readers.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "model/functions.h"

namespace thalweg::measure {

inline constexpr std::string_view unknown_function = "[unknown]";

// Adds to `profile`, so that several files of one run become one tree.
class CallTree {
  public:
    explicit CallTree(model::FunctionProfile &profile);
    // A name's version ("@@GLIBC_2.34") is left away.
    uint32_t function(std::string_view name, std::string_view object);
    // `parent`: a node, or model::none for the outermost.
    uint32_t child(uint32_t parent, uint32_t function);
    model::CallNode &node(uint32_t index) { return profile_.nodes[index]; }

  private:
    model::FunctionProfile &profile_;
    std::map<std::pair<std::string, std::string>, uint32_t, std::less<>> functions_;
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> nodes_;
};

}  // namespace thalweg::measure
