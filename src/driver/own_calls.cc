// driver: whether a program's system calls, and those that print, are the C library's.
#include "driver/own_calls.h"

#include <algorithm>

#include <fmt/format.h>

#include "knowledge/function.h"
#include "link/called.h"
#include "link/replaced.h"
#include "link/tools.h"

namespace thalweg::driver {

namespace {

// Of those that enter the kernel, or are called by what is linked in for decisions, one that isn't the C library's; empty: there is none.
// Memory may be any library's; what compilers put in for themselves does the same whoever wrote it.
Result<std::string> replaced_call(const link::LinkedProgram &program) {
    constexpr std::string_view any_ones[] = {"memset", "memcpy", "memmove", "memcmp", "bcmp", "malloc_usable_size"};
    const auto called = link::functions_called_by(link::crossing_path());
    if (!called)
        return called.error();
    for (const std::string &name : program.replaced) {
        const knowledge::SystemCall *call = knowledge::system_call(name);
        const bool may_be_any = std::ranges::find(any_ones, name) != std::end(any_ones);
        if (call != nullptr ? !knowledge::is_memory(call->act) : !may_be_any && called->contains(name))
            return name;
    }
    return std::string();
}

std::string not_known(const std::string &name) {
    return fmt::format("{} may not be the C library's in this program: what it does isn't known.", name);
}

}  // namespace

Result<std::string> obstacle_to_own_calls(const link::LinkedProgram &program) {
    if (!program.has_loader)
        return std::string("it has no dynamic loader (a static program, or a library): whether a filter of system "
                           "calls was inherited can't be asked without a call that the filter may forbid.");
    if (!program.newer.empty())
        return fmt::format("it uses {}, which is newer than glibc 2.{}: what it does isn't known.",
                           *program.newer.begin(), knowledge::glibc_minor);
    const auto replaced = replaced_call(program);
    if (!replaced)
        return replaced.error();
    // What the C library's functions do is known, not what others of their names do.
    return replaced->empty() ? std::string() : not_known(*replaced);
}

std::string obstacle_in_place(const link::LinkedProgram &program, const std::set<std::string> &elsewhere,
                              const std::string &callee) {
    // What is called by what is put in place.
    for (const std::string &name :
         {callee, std::string("strlen"), std::string("memchr"), std::string("memcpy"), std::string("memmove"),
          std::string("memset"), std::string("flockfile"), std::string("funlockfile")})
        if (program.replaced.contains(name))
            return not_known(name);
    for (const std::string &name : elsewhere)
        if (const knowledge::Output *output = knowledge::output(name);
            output != nullptr && output->put == knowledge::Put::changes_formats)
            return fmt::format("code without bitcode calls {}, which changes what formats mean.", name);
    return {};
}

std::string obstacle_to_reuse(const link::LinkedProgram &program, const std::string &callee) {
    // C++'s operators are of another library, which is looked at when the program runs (crossing/blocks.cc).
    const bool is_of_c = knowledge::function(callee).allocation == knowledge::Allocation::allocates;
    if (!is_of_c && std::ranges::find(program.functions, callee, &link::ElfFunction::name) != program.functions.end())
        return fmt::format("{} stands in the program itself: whether it is the C++ library's isn't known.", callee);
    for (const char *name :
         {is_of_c ? callee.c_str() : "malloc", "malloc", "calloc", "realloc", "free", "malloc_usable_size"})
        if (program.replaced.contains(name))
            return not_known(name);
    return {};
}

}  // namespace thalweg::driver
