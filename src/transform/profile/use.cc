// transform: the counts of a recorded run, as branch weights and entry counts for LLVM's passes and for ours.
#include "transform/profile/use.h"

#include <set>

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/ProfileData/InstrProfReader.h"
#include "llvm/ProfileData/InstrProfWriter.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Transforms/Instrumentation/PGOForceFunctionAttrs.h"
#include "llvm/Transforms/Instrumentation/PGOInstrumentation.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

constexpr StringLiteral file_name = "counts.profdata";
// With this LLVM marks a function that is not as it was counted.
constexpr StringLiteral misfit_annotation = "instr_prof_hash_mismatch";

// The indexed form, which is all that LLVM's pass reads.
Expected<std::unique_ptr<MemoryBuffer>> indexed(const std::string &text, StringMap<uint64_t> &counted) {
    auto reader = InstrProfReader::create(MemoryBuffer::getMemBuffer(text, file_name));
    if (!reader)
        return reader.takeError();
    InstrProfWriter writer;
    if (llvm::Error problem = writer.mergeProfileKind((*reader)->getProfileKind()))
        return std::move(problem);
    for (NamedInstrProfRecord &record : **reader) {
        uint64_t &sum = counted[record.Name];
        for (const uint64_t count : record.Counts)
            sum = SaturatingAdd(sum, count);
        writer.addRecord(std::move(record), [](llvm::Error ignored) { consumeError(std::move(ignored)); });
    }
    if ((*reader)->hasError())
        return (*reader)->getError();
    return writer.writeBuffer();
}

// LLVM's pass splits the edges that it would count on. Finders are to see the code as it was recorded.
void join_split_edges(Function &function, const SmallPtrSetImpl<BasicBlock *> &own) {
    for (BasicBlock &block : make_early_inc_range(function)) {
        BasicBlock *before = block.getSinglePredecessor();
        BasicBlock *behind = block.getSingleSuccessor();
        if (own.contains(&block) || !before || !behind || block.size() != 1)
            continue;
        before->getTerminator()->replaceSuccessorWith(&block, behind);
        behind->replacePhiUsesWith(&block, before);
        block.eraseFromParent();
    }
}

// What LLVM's pass tells inliners of a function by its entry count, and what it is called while that waits.
struct Heat {
    Attribute::AttrKind kind;
    StringLiteral waiting;
};
constexpr Heat heats[] = {{Attribute::Cold, "thalweg-cold"}, {Attribute::InlineHint, "thalweg-hot"}};

bool is_misfit(const Function &function) {
    const MDNode *annotations = function.getMetadata(LLVMContext::MD_annotation);
    return annotations && any_of(annotations->operands(), [](const MDOperand &one) {
               const auto *text = dyn_cast<MDString>(one.get());
               return text && text->getString() == misfit_annotation;
           });
}

}  // namespace

// With the profile at `path` in `files`.
static void use_file(Module &module, ModuleAnalysisManager &manager, const std::string &path,
                     IntrusiveRefCntPtr<vfs::FileSystem> files, CountsUsed &used) {
    SmallPtrSet<BasicBlock *, 32> own;
    std::set<std::pair<const Function *, const Heat *>> had;
    for (Function &function : module) {
        for (const Heat &heat : heats)
            if (function.hasFnAttribute(heat.kind))
                had.emplace(&function, &heat);
        for (BasicBlock &block : function)
            own.insert(&block);
    }
    PGOInstrumentationUse(path, "", false, std::move(files)).run(module, manager);
    for (Function &function : module) {
        join_split_edges(function, own);
        for (const Heat &heat : heats)
            if (function.hasFnAttribute(heat.kind) && !had.contains({&function, &heat})) {
                function.removeFnAttr(heat.kind);
                function.addFnAttr(heat.waiting);
            }
        used.fitting += function.getEntryCount().has_value() ? 1 : 0;
        used.misfitting += is_misfit(function) ? 1 : 0;
    }
    manager.invalidate(module, PreservedAnalyses::none());
}

CountsUsed use_counts(Module &module, ModuleAnalysisManager &manager, const std::string &text) {
    CountsUsed used;
    auto bytes = indexed(text, used.counted);
    if (!bytes)
        return {0, 0, toString(bytes.takeError()), {}};
    auto files = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
    files->addFile(file_name, 0, std::move(*bytes));
    use_file(module, manager, file_name.str(), std::move(files), used);
    return used;
}

CountsUsed use_indexed_counts(Module &module, ModuleAnalysisManager &manager, const std::string &path) {
    CountsUsed used;
    use_file(module, manager, path, vfs::getRealFileSystem(), used);
    return used;
}

void tell_heat(Module &module) {
    for (Function &function : module)
        for (const Heat &heat : heats)
            if (function.hasFnAttribute(heat.waiting)) {
                function.removeFnAttr(heat.waiting);
                function.addFnAttr(heat.kind);
            }
}

void shrink_what_is_cold(Module &module, ModuleAnalysisManager &manager) {
    // Of the functions as they were before they were changed.
    manager.invalidate(module, PreservedAnalyses::none());
    PGOForceFunctionAttrsPass(PGOOptions::ColdFuncOpt::OptSize).run(module, manager);
    manager.invalidate(module, PreservedAnalyses::none());
}

void fit_memory_operations(Module &module, FunctionAnalysisManager &analyses) {
    for (Function &function : module)
        if (!function.isDeclaration() && function.getEntryCount()) {
            // Of the function as it was before it was changed.
            analyses.invalidate(function, PreservedAnalyses::none());
            PGOMemOPSizeOpt().run(function, analyses);
            analyses.invalidate(function, PreservedAnalyses::none());
        }
}

// Beside the functions of a loop that is never left LLVM has no frequencies: it takes 4,096 iterations for it, 16 million for one within another, up to
// more than there are nanoseconds in a year. No block was executed more often than all counters of its function say together.
static uint64_t executed_in(const Function &function, const BlockFrequencyInfo &frequencies, uint64_t counted) {
    uint64_t executed = 0, size = 0;
    bool is_possible = true;
    for (const BasicBlock &block : function) {
        const uint64_t count = frequencies.getBlockProfileCount(&block).value_or(0);
        is_possible &= count <= counted;
        executed = SaturatingMultiplyAdd(count, static_cast<uint64_t>(block.sizeWithoutDebug()), executed);
        size += block.sizeWithoutDebug();
    }
    // Each counter stands for a block, one as large as another.
    return is_possible ? executed : SaturatingMultiply(counted, size) / function.size();
}

uint64_t executed_instructions(Module &module, FunctionAnalysisManager &analyses, const CountsUsed &counts) {
    uint64_t executed = 0;
    for (Function &function : module) {
        if (function.isDeclaration() || !function.getEntryCount())
            continue;
        const auto counted = counts.counted.find(getIRPGOFuncName(function));
        if (counted != counts.counted.end())
            executed = SaturatingAdd(
                executed, executed_in(function, analyses.getResult<BlockFrequencyAnalysis>(function), counted->second));
        // The program is about to be changed by passes that ask for these anew.
        analyses.invalidate(function, PreservedAnalyses::none());
    }
    return std::min<uint64_t>(executed, INT64_MAX);
}

}  // namespace thalweg::transform
