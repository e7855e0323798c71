// transform: bytes in front of a function that begins behind a cache line's beginning.
#include "transform/program/own_place.h"

#include "llvm/IR/Constants.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

constexpr uint8_t trap = 0xcc;  // x86's int3: nobody comes there

// What stands in front of a function or at its beginning is read from there by others.
bool has_something_in_front(const Function &function) {
    return function.hasPrefixData() || function.hasPrologueData() || function.hasMetadata(LLVMContext::MD_kcfi_type) ||
           function.hasMetadata(LLVMContext::MD_func_sanitize) ||
           function.hasFnAttribute("patchable-function-prefix") || function.hasFnAttribute("patchable-function-entry");
}

}  // namespace

void begin_where_they_began(const std::vector<job::FunctionPlace> &places, Module &module) {
    for (const job::FunctionPlace &place : places) {
        Function *function = module.getFunction(place.function);
        if (!function || function->isDeclarationForLinker() || has_something_in_front(*function))
            continue;
        if (function->getAlign().valueOrOne() > Align(job::bytes_of_line))
            continue;
        function->setAlignment(Align(job::bytes_of_line));
        const SmallVector<uint8_t> bytes(place.offset, trap);
        if (!bytes.empty())
            function->setPrefixData(ConstantDataArray::get(module.getContext(), bytes));
    }
}

}  // namespace thalweg::transform
