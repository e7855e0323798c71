// transform: which calls take bytes out of a buffer, and whether they are declared as the C library has them.
#include "transform/libc/input_call.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"

#include "transform/libc/library_call.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

bool has_size_as_declared(const CallBase &call, const knowledge::Input &input) {
    switch (input.take) {
    case knowledge::Take::line:
        return is_integer(call, input.size, 32);
    case knowledge::Take::grown_line:
        return is_pointer(call, input.size);
    default:
        return is_integer(call, input.size, 64);
    }
}

bool has_result_as_declared(const CallBase &call, knowledge::Take take) {
    switch (take) {
    case knowledge::Take::line:
        return call.getType()->isPointerTy();
    case knowledge::Take::objects:
    case knowledge::Take::grown_line:
        return call.getType()->isIntegerTy(64);
    default:
        return call.getType()->isIntegerTy(32);
    }
}

bool is_as_declared(const CallBase &call, const knowledge::Input &input) {
    const int positions[] = {input.stream, input.memory, input.size, input.count, input.known, input.byte};
    const auto arguments = count_if(positions, [](int position) { return position != knowledge::none; });
    return static_cast<unsigned>(arguments) == call.arg_size() && !call.getFunctionType()->isVarArg() &&
           is_pointer(call, input.stream) && is_pointer(call, input.memory) && has_size_as_declared(call, input) &&
           is_integer(call, input.count, 64) && is_integer(call, input.known, 64) && is_integer(call, input.byte, 32) &&
           has_result_as_declared(call, input.take);
}

}  // namespace

const knowledge::Input *input_call(const CallBase &call) {
    if (!is_plain_library_call(call))
        return nullptr;
    const knowledge::Input *input = knowledge::input(std::string_view(call.getCalledFunction()->getName()));
    return input && is_as_declared(call, *input) ? input : nullptr;
}

}  // namespace thalweg::transform
