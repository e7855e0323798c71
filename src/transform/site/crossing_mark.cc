// transform: reads the marks of crossings from the module's annotations, and keeps them as attributes.
#include "transform/site/crossing_mark.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include <thalweg/abi.h>

namespace thalweg::transform {

using namespace llvm;

namespace {

constexpr const char *annotations_name = "llvm.global.annotations";  // LLVM's language reference
constexpr const char *prefix = "thalweg.";

// The words of one entry { function, words, file, line, arguments }.
StringRef words_of(const ConstantStruct &entry) {
    const auto *variable = dyn_cast<GlobalVariable>(entry.getOperand(1)->stripPointerCasts());
    const auto *text =
        variable && variable->hasInitializer() ? dyn_cast<ConstantDataArray>(variable->getInitializer()) : nullptr;
    return text && text->isCString() ? text->getAsCString() : StringRef();
}

}  // namespace

void take_crossing_marks(Module &module) {
    GlobalVariable *all = module.getNamedGlobal(annotations_name);
    const auto *entries = all && all->hasInitializer() ? dyn_cast<ConstantArray>(all->getInitializer()) : nullptr;
    if (!entries)
        return;
    SmallVector<Constant *> others;
    for (const Use &use : entries->operands()) {
        const auto *entry = dyn_cast<ConstantStruct>(use.get());
        auto *function = entry ? dyn_cast<Function>(entry->getOperand(0)->stripPointerCasts()) : nullptr;
        const StringRef words = entry ? words_of(*entry) : StringRef();
        if (!function || !words.starts_with(prefix)) {
            others.push_back(cast<Constant>(use.get()));
            continue;
        }
        function->addFnAttr(words);
        function->removeFnAttr(Attribute::NoInline);
    }
    if (others.size() == entries->getNumOperands())
        return;
    // Our entries go: they would keep each of the functions, and give it an address.
    if (!others.empty()) {
        auto *type = ArrayType::get(entries->getType()->getElementType(), others.size());
        auto *kept =
            new GlobalVariable(module, type, false, GlobalValue::AppendingLinkage, ConstantArray::get(type, others));
        kept->setSection(all->getSection());
        kept->takeName(all);
    }
    all->eraseFromParent();
}

bool is_crossing(const Function &function) {
    return function.hasFnAttribute(THALWEG_CROSSING_MARK) || is_trigger(function);
}

bool is_trigger(const Function &function) { return function.hasFnAttribute(THALWEG_TRIGGER_MARK); }

}  // namespace thalweg::transform
