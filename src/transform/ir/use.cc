// transform: which functions the program uses, here or in code that isn't seen.
#include "transform/ir/use.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Metadata.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

constexpr StringLiteral elsewhere_metadata = "thalweg.called_elsewhere";
constexpr StringLiteral library_metadata = "thalweg.library";

}  // namespace

void note_called_elsewhere(const std::vector<std::string> &names, Module &module) {
    if (names.empty())
        return;
    SmallVector<Metadata *> strings;
    for (const std::string &name : names)
        strings.push_back(MDString::get(module.getContext(), name));
    module.getOrInsertNamedMetadata(elsewhere_metadata)->addOperand(MDNode::get(module.getContext(), strings));
}

bool is_called_elsewhere(const Module &module, StringRef name) {
    const NamedMDNode *noted = module.getNamedMetadata(elsewhere_metadata);
    return noted && any_of(noted->operands(), [&](const MDNode *names) {
               return any_of(names->operands(),
                             [&](const MDOperand &one) { return cast<MDString>(one)->getString() == name; });
           });
}

void note_library(Module &module) {
    module.getOrInsertNamedMetadata(library_metadata);
    if (!module.getSemanticInterposition())
        module.setSemanticInterposition(true);
}

bool is_library(const Module &module) { return module.getNamedMetadata(library_metadata) != nullptr; }

bool tests_types(const Module &module) {
    return any_of(ArrayRef{Intrinsic::type_test, Intrinsic::public_type_test, Intrinsic::type_checked_load},
                  [&](Intrinsic::ID test) {
                      const Function *function = module.getFunction(Intrinsic::getName(test));
                      return function && !function->use_empty();
                  });
}

bool uses(const Module &module, StringRef name) {
    return module.getNamedValue(name) != nullptr || is_called_elsewhere(module, name);
}

SmallVector<StringRef> names_that(function_ref<bool(const knowledge::Function &)> do_it) {
    SmallVector<StringRef> names;
    for (const knowledge::Name &one : knowledge::all_names())
        if (do_it(*one.function))
            names.push_back(one.name);
    return names;
}

SmallVector<StringRef> names_of(knowledge::Act act) {
    return names_that([&](const knowledge::Function &one) { return one.call && one.call->act == act; });
}

std::string used_that(const Module &module, function_ref<bool(const knowledge::Function &)> does_it) {
    for (const StringRef name : names_that(does_it))
        if (uses(module, name))
            return name.str();
    return {};
}

}  // namespace thalweg::transform
