// measure: a tree of calls while it is read, from stacks or from contexts.
#include "measure/call_tree.h"

namespace thalweg::measure {

CallTree::CallTree(model::FunctionProfile &profile) : profile_(profile) {
    for (uint32_t i = 0; i < profile.functions.size(); ++i)
        functions_[{profile.functions[i].name, profile.functions[i].object}] = i;
    for (uint32_t i = 0; i < profile.nodes.size(); ++i)
        nodes_[{profile.nodes[i].parent, profile.nodes[i].function}] = i;
}

uint32_t CallTree::function(std::string_view name, std::string_view object) {
    name = name.substr(0, name.find('@'));
    const auto [place, is_new] = functions_.try_emplace({std::string(name), std::string(object)},
                                                        static_cast<uint32_t>(profile_.functions.size()));
    if (is_new)
        profile_.functions.push_back({std::string(name), std::string(object), {}});
    return place->second;
}

uint32_t CallTree::child(uint32_t parent, uint32_t function) {
    const auto [place, is_new] = nodes_.try_emplace({parent, function}, static_cast<uint32_t>(profile_.nodes.size()));
    if (is_new)
        profile_.nodes.push_back({parent, function, 0, 0});
    return place->second;
}

}  // namespace thalweg::measure
