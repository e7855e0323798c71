// unit: the plug-in of thalweg-cc's compilations: loops are unrolled by their rounds behind the bitcode that an object keeps, and not before it.
//
// The passes in front of that bitcode have no counts. A loop that mostly takes one round is unrolled by four there, for good: with the counts LLVM would
// have left it alone (docs/decisions/later-unrolling.md). In the object's own code the loops are unrolled as ever, by the passes behind the bitcode.
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"

namespace thalweg::unit {

namespace {

using namespace llvm;

constexpr StringLiteral any_unrolling = "llvm.loop.unroll.";
// LLVM's own word: no copies of a loop whose number of rounds is known at run time only. What comes behind it LLVM does not read; by it, this word is
// told from the same one of the vectoriser's remainders, which stays.
constexpr StringLiteral not_now = "llvm.loop.unroll.runtime.disable";
constexpr StringLiteral ours = "thalweg.later";

MDNode *word_of(LLVMContext &context) {
    return MDNode::get(context, {MDString::get(context, not_now), MDString::get(context, ours)});
}

bool is_told_of_unrolling(const MDNode &loop) {
    return any_of(drop_begin(loop.operands()), [](const MDOperand &operand) {
        const auto *word = dyn_cast<MDNode>(operand);
        const auto *name = word && word->getNumOperands() > 0 ? dyn_cast<MDString>(word->getOperand(0)) : nullptr;
        return name && name->getString().starts_with(any_unrolling);
    });
}

// A loop's identity is a node whose first operand is the node itself.
MDNode *make_identity(LLVMContext &context, ArrayRef<Metadata *> words) {
    SmallVector<Metadata *, 8> operands{nullptr};
    append_range(operands, words);
    MDNode *made = MDNode::getDistinct(context, operands);
    made->replaceOperandWith(0, made);
    return made;
}

class KeepRolled : public PassInfoMixin<KeepRolled> {
  public:
    PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
        LLVMContext &context = function.getContext();
        for (Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder()) {
            const MDNode *known = loop->getLoopID();
            if (known && is_told_of_unrolling(*known))
                continue;
            SmallVector<Metadata *, 8> words;
            if (known)
                append_range(words, drop_begin(known->operands()));
            words.push_back(word_of(context));
            loop->setLoopID(make_identity(context, words));
        }
        return PreservedAnalyses::all();
    }
};

class LetUnroll : public PassInfoMixin<LetUnroll> {
  public:
    PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
        LLVMContext &context = module.getContext();
        const MDNode *word = word_of(context);
        // By identity: all of a loop's ends have the same one.
        DenseMap<const MDNode *, MDNode *> without;
        for (Function &function : module)
            for (BasicBlock &block : function)
                if (Instruction *last = block.getTerminator())
                    if (const MDNode *known = last->getMetadata(LLVMContext::MD_loop);
                        known && is_contained(known->operands(), word)) {
                        const auto [at, is_new] = without.try_emplace(known);
                        if (is_new)
                            at->second = identity_without(*known, *word, context);
                        last->setMetadata(LLVMContext::MD_loop, at->second);
                    }
        return PreservedAnalyses::all();
    }

    // NOLINTNEXTLINE(readability-identifier-naming): the name that LLVM's pass manager looks for
    static bool isRequired() { return true; }

  private:
    static MDNode *identity_without(const MDNode &known, const MDNode &word, LLVMContext &context) {
        SmallVector<Metadata *, 8> words;
        for (const MDOperand &operand : drop_begin(known.operands()))
            if (operand != &word)
                words.push_back(operand);
        return words.empty() ? nullptr : make_identity(context, words);
    }
};

// The first time that LLVM asks it builds the passes in front of the bitcode, the second time those behind it.
void register_passes(PassBuilder &builder) {
    builder.registerVectorizerStartEPCallback([asked = false](FunctionPassManager &passes, OptimizationLevel) mutable {
        if (!std::exchange(asked, true))
            passes.addPass(KeepRolled());
    });
    builder.registerOptimizerLastEPCallback([asked = false](ModulePassManager &passes, OptimizationLevel) mutable {
        if (!std::exchange(asked, true))
            passes.addPass(LetUnroll());
    });
}

}  // namespace

}  // namespace thalweg::unit

extern "C" LLVM_ATTRIBUTE_WEAK ::llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
    return {LLVM_PLUGIN_API_VERSION, "thalweg-unit", LLVM_VERSION_STRING, thalweg::unit::register_passes};
}
