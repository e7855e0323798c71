// link: where the objects of a program are.
#include "link/objects_folder.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include <unistd.h>

namespace thalweg::link {

namespace {

namespace fs = std::filesystem;

bool has_inputs(const std::string &folder, const LinkRecord &record) {
    return std::ranges::all_of(record.inputs, [&](const InputFile &input) {
        return ::access(absolute_path(folder, input.path).c_str(), F_OK) == 0;
    });
}

}  // namespace

std::string objects_folder(const LinkRecord &record, const std::string &program, const std::string &objects) {
    std::error_code problem;
    std::vector<fs::path> places;
    if (!objects.empty()) {
        const fs::path named = fs::weakly_canonical(fs::absolute(objects, problem), problem);
        if (!record.directory.starts_with('/'))
            places.push_back(named / record.directory);
        places.push_back(named);
    } else {
        // A link to the program stands elsewhere than its objects; a program that was moved and linked to from its old place doesn't.
        const fs::path whole = fs::absolute(program, problem);
        places = {fs::weakly_canonical(whole, problem).parent_path() / record.directory,
                  whole.parent_path() / record.directory};
    }
    for (fs::path &place : places) {
        place = place.lexically_normal();
        // "/src/." becomes "/src/".
        if (!place.has_filename())
            place = place.parent_path();
    }
    const auto found = std::ranges::find_if(places, [&](const fs::path &one) { return has_inputs(one, record); });
    return (found == places.end() ? places.front() : *found).string();
}

}  // namespace thalweg::link
