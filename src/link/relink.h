// link: a program linked again from its bitcode, with the plug-in, to another file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "link/link_record.h"

namespace thalweg::link {

// What is no longer as it was when the program was linked; empty: everything is.
struct ChangedInput {
    std::string path;
    bool missing = false;
};
std::vector<ChangedInput> changed_inputs(const LinkRecord &record);
// An error when there are such, with what to do.
Status check_inputs(const LinkRecord &record);

struct RelinkRequest {
    std::string output;
    std::string plugin;                     // empty: link-time optimisation without ours
    std::string job_path;                   // for the plug-in; empty: none
    std::vector<std::string> extra_inputs;  // linked in whole (the recorder)
    std::vector<std::string> libraries;     // linked as far as the program calls them
    std::optional<Origin> origin;           // remembered in the result
    std::optional<LinkRecord>
        remembered;   // by the result, as if it stood beside the first program; empty: the record itself
    bool remarks = false;                   // our passes' remarks among the diagnostics
    // Of a link by ThinLTO, whose passes are LLVM's alone: the words with the units (units.h) in place of the record's.
    std::optional<std::vector<std::string>> thin = {};
    bool llvm_counters = false;  // its units count for LLVM's own runtime
    bool is_optimised = false;  // its units have had all of their passes: code is made of them as they are
    // The order in which the first link laid functions; empty: as the linker likes. Of the LLVM passes the plug-in says which run.
    std::vector<std::string> functions;
    bool own_passes = false;
    bool has_no_variables = false;  // in its debug information, when the plug-in is done
    bool stays_loaded =
        false;  // of a shared library: what it has told others of itself they call when the program has closed it
    // A recorded run's counts drive the passes: they unroll as LLVM's level 3 does, whatever the program was built with.
    bool has_counts = false;
    std::string like;  // a program of whose permissions the output gets no more; empty: as the umask has it
    enum class Product {
        program,
        exported_module,  // its optimised module, in which symbols are as external as in the source
        module  // its module as the passes left it
    };
    Product product = Product::program;
};

struct Relinked {
    std::string diagnostics;  // what compiler and linker said
};

// Whether the program's own link asks for remarks (-Rpass=..., -Rpass-missed=..., -Rpass-analysis=...).
bool asks_for_remarks(const LinkRecord &record);

// The command, without starting it: the first word is the driver. An error where repeated_link.h has one.
Result<std::vector<std::string>> relink_command(const LinkRecord &record, const RelinkRequest &request);
// Error with the linker's own words when it fails, and with the name of an input that changed; what stood at the output's place stands there still.
Result<Relinked> relink(const LinkRecord &record, const RelinkRequest &request);
// An object file of an optimised module, fit for programs and shared libraries alike.
Status compile_bitcode(const LinkRecord &record, const std::string &bitcode, const std::string &object);

}  // namespace thalweg::link
