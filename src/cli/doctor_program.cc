// cli: what `thalweg doctor PROGRAM` finds: can this program be recorded and optimised, object by object?
#include <algorithm>

#include "base/result.h"
#include "cli/doctor.h"
#include "link/needed.h"
#include "link/object_info.h"
#include "link/relink.h"
#include "link/repeated_link.h"

namespace thalweg::cli {

namespace {

using link::ObjectInfo;

ObjectFinding judge(const ObjectInfo &info, const std::string &changed) {
    ObjectFinding finding{info.name, Health::ok, info.has_bitcode, info.level, "", info.has_debug_info};
    if (!changed.empty()) {
        finding.health = Health::problem;
        finding.text = changed;
        return finding;
    }
    if (!info.has_bitcode) {
        finding.health = Health::remark;
        finding.text =
            "opaque: no bitcode, so its code is called, but not looked into (assembler, -fno-lto, `ld -r`, or "
            "another compiler made it)";
        return finding;
    }
    if (info.level == "-O0") {
        finding.health = Health::remark;
        finding.text = "compiled without optimisation: its functions stay as they are (add -O2)";
        return finding;
    }
    finding.text = "bitcode";
    return finding;
}

std::string change_of(const std::vector<link::ChangedInput> &changed, const std::string &path) {
    for (const link::ChangedInput &input : changed)
        if (input.path == path)
            return input.missing ? "is gone since the link" : "has changed since the link";
    return {};
}

size_t count(const std::vector<ObjectFinding> &objects, auto predicate) {
    return static_cast<size_t>(std::count_if(objects.begin(), objects.end(), predicate));
}

Finding summary(const std::vector<ObjectFinding> &objects) {
    const size_t with = count(objects, [](const ObjectFinding &object) { return object.has_bitcode; });
    const size_t plain =
        count(objects, [](const ObjectFinding &object) { return object.has_bitcode && object.level == "-O0"; });
    const std::string text = fmt::format("{} objects and archive members: {} with bitcode, {} opaque, {} of level -O0",
                                         objects.size(), with, objects.size() - with, plain);
    if (with == 0)
        return {"objects", Health::problem, text, "compile with CC=thalweg-cc CXX=thalweg-c++, from clean"};
    return {"objects", with == objects.size() && plain == 0 ? Health::ok : Health::remark, text, ""};
}

Finding inputs_finding(const std::vector<link::ChangedInput> &changed, size_t inputs) {
    if (changed.empty())
        return {"inputs", Health::ok, fmt::format("all {} files are as they were at the link", inputs), ""};
    std::string names;
    for (const link::ChangedInput &input : changed)
        names += (names.empty() ? "" : ", ") + input.path + (input.missing ? " (gone)" : " (changed)");
    return {"inputs", Health::problem, fmt::format("{} of {} files: {}", changed.size(), inputs, names),
            "build the program again; if it was moved or copied, name the folder in which it was built with --objects"};
}

// Events and sites are called by what debug information has of them.
Finding debug_info_finding(const std::vector<ObjectFinding> &objects) {
    const size_t with_bitcode = count(objects, [](const ObjectFinding &object) { return object.has_bitcode; });
    const size_t without =
        count(objects, [](const ObjectFinding &object) { return object.has_bitcode && !object.has_debug_info; });
    if (without == 0)
        return {"debug info", Health::ok, "places are named by file and line", ""};
    return {
        "debug info", Health::remark,
        fmt::format("{} of {} objects have none: places in them are named by function and number (send#2), not by file "
                    "and line, and events by functions alone",
                    without, with_bitcode),
        "compile with -g: the code stays the same"};
}

// Each has its own link, and is recorded with the program.
Finding libraries_finding(const std::vector<std::string> &libraries) {
    return {"shared libraries", Health::ok,
            fmt::format("{} of thalweg-cc's, recorded with the program and linked again each by itself: {}",
                        libraries.size(), fmt::join(libraries, ", ")),
            ""};
}

// What it opens is known when it runs.
Finding opened_finding() {
    return {"dlopen", Health::remark,
            "the program opens libraries while it runs: those of thalweg-cc's are recorded if they are named",
            "thalweg record --library FILE"};
}

}  // namespace

void examine_program(const std::string &program, const std::string &folder, std::vector<Finding> &findings,
                     std::vector<ObjectFinding> &objects) {
    const auto linked = link::read_linked_program(program, folder);
    if (!linked) {
        findings.push_back(
            {"program", Health::problem, linked.error().message, "build it with CC=thalweg-cc CXX=thalweg-c++"});
        return;
    }
    const link::LinkRecord &record = linked->record;
    findings.push_back({"program", Health::ok,
                        fmt::format("{}, linked by {} in {}, to be linked again with {}", program, record.driver,
                                    record.directory, link::level_of_link(record)),
                        ""});
    if (linked->build_id.empty())
        findings.push_back({"build id", Health::remark, "none: whether a profile is of this build cannot be told",
                            "link with -Wl,--build-id"});
    if (record.origin)
        findings.push_back({"origin", Health::ok,
                            fmt::format("optimised from {}; {}", record.origin->program,
                                        record.origin->plan.empty() ? "its plan was stripped, so it can't be recorded"
                                                                    : "recording it counts how its guards fare"),
                            ""});
    if (const auto repeated = link::repeated_link(record); !repeated)
        findings.push_back({"link", Health::problem, repeated.error().message, "build the program without it"});
    const auto changed = link::changed_inputs(record);
    findings.push_back(inputs_finding(changed, record.inputs.size()));
    for (const link::InputFile &input : record.inputs) {
        const auto infos = link::objects_in(link::absolute_path(record.directory, input.path));
        if (!infos) {
            objects.push_back({input.path, Health::problem, false, "", infos.error().message});
            continue;
        }
        for (const ObjectInfo &info : *infos)
            objects.push_back(judge(info, change_of(changed, input.path)));
    }
    findings.push_back(summary(objects));
    findings.push_back(debug_info_finding(objects));
    if (const auto libraries = link::libraries_with_link(program); !libraries.empty())
        findings.push_back(libraries_finding(libraries));
    if (link::opens_libraries(program))
        findings.push_back(opened_finding());
}

}  // namespace thalweg::cli
