// transform: which calls put bytes into a buffer, and whether they are declared as the C library has them.
#include "transform/libc/output_call.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Function.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// The type of the argument at `position`, if it is that of a C program on a 64-bit system.
bool is_pointer(const CallBase &call, int position) {
    return position < 0 || (static_cast<unsigned>(position) < call.arg_size() &&
                            call.getArgOperand(static_cast<unsigned>(position))->getType()->isPointerTy());
}
bool is_integer(const CallBase &call, int position, unsigned bits) {
    return position < 0 || (static_cast<unsigned>(position) < call.arg_size() &&
                            call.getArgOperand(static_cast<unsigned>(position))->getType()->isIntegerTy(bits));
}

bool is_as_declared(const CallBase &call, const knowledge::Output &output) {
    using knowledge::Put;
    const bool gives_objects = output.put == Put::objects;
    return is_pointer(call, output.stream) && is_pointer(call, output.memory) && is_integer(call, output.size, 64) &&
           is_integer(call, output.bound, 64) &&
           (output.put == Put::byte ? is_integer(call, output.text, 32) : is_pointer(call, output.text)) &&
           call.getType()->isIntegerTy(gives_objects ? 64 : 32) &&
           call.getFunctionType()->isVarArg() == (output.put == Put::format);
}

// The user may have told the compiler that this name, or any, is not the C library's.
bool is_builtin(const CallBase &call) {
    const Function &caller = *call.getFunction();
    const std::string without = ("no-builtin-" + call.getCalledFunction()->getName()).str();
    return !call.isNoBuiltin() && !caller.hasFnAttribute("no-builtins") && !caller.hasFnAttribute(without);
}

// Whether it can be called again by these arguments alone, from another function.
bool is_plain(const CallBase &call) {
    const Function &callee = *call.getCalledFunction();
    if (call.isMustTailCall() || call.hasOperandBundles() || !is_builtin(call) || isa<CallBrInst>(call) ||
        call.getCallingConv() != CallingConv::C || call.getFunctionType() != callee.getFunctionType())
        return false;
    for (unsigned i = 0; i < call.arg_size(); ++i)
        if (call.isPassPointeeByValueArgument(i) || call.paramHasAttr(i, Attribute::StructRet))
            return false;
    return true;
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
    const Function *callee = call.getCalledFunction();
    if (!callee || !callee->isDeclaration() || callee->isIntrinsic())
        return {};
    const knowledge::Output *output = knowledge::output(std::string_view(callee->getName()));
    if (!output || output->put == knowledge::Put::changes_formats || !is_plain(call) || !is_as_declared(call, *output))
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
