// transform: which calls put bytes into a buffer, and whether they are declared as the C library has them.
#include "transform/libc/output_call.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Function.h"

#include "transform/libc/library_call.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

bool is_as_declared(const CallBase &call, const knowledge::Output &output) {
    using knowledge::Put;
    const bool gives_objects = output.put == Put::objects;
    return is_pointer(call, output.stream) && is_pointer(call, output.memory) && is_integer(call, output.size, 64) &&
           is_integer(call, output.bound, 64) &&
           (output.put == Put::byte ? is_integer(call, output.text, 32) : is_pointer(call, output.text)) &&
           call.getType()->isIntegerTy(gives_objects ? 64 : 32) &&
           call.getFunctionType()->isVarArg() == (output.put == Put::format);
}

// Whether the arguments from `next` on are what the conversions ask for.
bool has_arguments(const CallBase &call, const std::vector<Conversion> &conversions, int next) {
    for (const Conversion &one : conversions) {
        if (one.of == Conversion::Of::literal)
            continue;
        for (const Conversion::Count &count : {one.width, one.precision})
            if (count.from == Conversion::From::argument && !is_integer(call, next++, 32))
                return false;
        const bool fits = one.of == Conversion::Of::text ? is_pointer(call, next)
                                                         : is_integer(call, next, one.is_number() ? one.bits : 32);
        if (!fits)
            return false;
        ++next;
    }
    return static_cast<unsigned>(next) == call.arg_size();
}

}  // namespace

std::optional<OutputCall> output_call(const CallBase &call) {
    if (!is_plain_library_call(call))
        return {};
    const knowledge::Output *output = knowledge::output(std::string_view(call.getCalledFunction()->getName()));
    if (!output || output->put == knowledge::Put::changes_formats || !is_as_declared(call, *output))
        return {};
    OutputCall found{output, {}, {}};
    if (output->put != knowledge::Put::format)
        return found;
    StringRef format;
    if (!getConstantStringInfo(call.getArgOperand(static_cast<unsigned>(output->text)), format))
        return {};
    std::optional<std::vector<Conversion>> conversions = conversions_of(format);
    if (!conversions || !has_arguments(call, *conversions, output->text + 1))
        return {};
    found.format = format.str();
    found.conversions = std::move(*conversions);
    return found;
}

}  // namespace thalweg::transform
