// report: a run's functions for pprof, in the bytes of its profile.proto (github.com/google/pprof).
#include <array>
#include <map>
#include <vector>

#include <protozero/pbf_builder.hpp>

#include "report/functions.h"
#include "report/functions_export.h"
#include "report/names.h"

namespace thalweg::report {

namespace {

// The fields' numbers, by the names that profile.proto gives them.
enum class Profile : protozero::pbf_tag_type { sample_type = 1, sample, mapping, location, function, string_table };
enum class ValueType : protozero::pbf_tag_type { type = 1, unit };
enum class Sample : protozero::pbf_tag_type { location_id = 1, value };
enum class Mapping : protozero::pbf_tag_type { id = 1, filename = 5, has_functions = 7 };
enum class Location : protozero::pbf_tag_type { id = 1, mapping_id, line = 4 };
enum class Line : protozero::pbf_tag_type { function_id = 1 };
enum class Function : protozero::pbf_tag_type { id = 1, name, system_name };

// Strings are told by their number; the first one is empty.
class Strings {
  public:
    int64_t of(const std::string &text) {
        const auto [place, is_new] = numbers_.try_emplace(text, static_cast<int64_t>(list_.size()));
        if (is_new)
            list_.push_back(text);
        return place->second;
    }
    const std::vector<std::string> &list() const { return list_; }

  private:
    std::map<std::string, int64_t> numbers_{{"", 0}};
    std::vector<std::string> list_{""};
};

using Builder = protozero::pbf_builder<Profile>;

void add_type(Builder &profile, Strings &strings, const char *type, const char *unit) {
    protozero::pbf_builder<ValueType> message(profile, Profile::sample_type);
    message.add_int64(ValueType::type, strings.of(type));
    message.add_int64(ValueType::unit, strings.of(unit));
}

// A function has one place here, of its number plus one; 0 is no number.
void add_functions(Builder &profile, Strings &strings, const model::FunctionProfile &run) {
    std::map<std::string, uint64_t> mappings;
    for (size_t i = 0; i < run.functions.size(); ++i) {
        const model::CodeFunction &code = run.functions[i];
        {
            protozero::pbf_builder<Function> function(profile, Profile::function);
            function.add_uint64(Function::id, i + 1);
            function.add_int64(Function::name, strings.of(harmless(function_words(code))));
            function.add_int64(Function::system_name, strings.of(harmless(code.name)));
        }
        const uint64_t mapping = mappings.try_emplace(code.object, mappings.size() + 1).first->second;
        protozero::pbf_builder<Location> location(profile, Profile::location);
        location.add_uint64(Location::id, i + 1);
        location.add_uint64(Location::mapping_id, mapping);
        protozero::pbf_builder<Line> line(location, Location::line);
        line.add_uint64(Line::function_id, i + 1);
    }
    for (const auto &[object, id] : mappings) {
        protozero::pbf_builder<Mapping> mapping(profile, Profile::mapping);
        mapping.add_uint64(Mapping::id, id);
        mapping.add_int64(Mapping::filename, strings.of(harmless(object)));
        mapping.add_bool(Mapping::has_functions, true);
    }
}

}  // namespace

std::string pprof_profile(const model::FunctionProfile &run) {
    std::string bytes;
    Builder profile(bytes);
    Strings strings;
    const bool counted = run.unit == model::CostUnit::instructions;
    add_type(profile, strings, counted ? "calls" : "samples", "count");
    add_type(profile, strings, counted ? "instructions" : "cpu", counted ? "count" : "nanoseconds");
    for (const model::CallNode &node : run.nodes) {
        if (node.self == 0 && node.count == 0)
            continue;
        std::vector<uint64_t> stack = {node.function + uint64_t{1}};
        for (uint32_t at = node.parent; at != model::none; at = run.nodes[at].parent)
            stack.push_back(run.nodes[at].function + uint64_t{1});
        const std::array<int64_t, 2> values = {static_cast<int64_t>(node.count), static_cast<int64_t>(node.self)};
        protozero::pbf_builder<Sample> sample(profile, Profile::sample);
        sample.add_packed_uint64(Sample::location_id, stack.begin(), stack.end());
        sample.add_packed_int64(Sample::value, values.begin(), values.end());
    }
    add_functions(profile, strings, run);
    for (const std::string &text : strings.list())
        profile.add_string(Profile::string_table, text);
    return bytes;
}

}  // namespace thalweg::report
