// transform: writes that lie side by side become one vector write (decision coalesce).
#include "transform/system_call/coalesce.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include "abi/gathered_write.h"
#include "transform/ir/abi.h"
#include "transform/ir/use.h"
#include "transform/system_call/descriptor_epoch.h"
#include "transform/system_call/gather.h"
#include "transform/system_call/site.h"
#include "transform/system_call/trial.h"
#include "transform/system_call/unfold.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// mmap(2), MAP_ANONYMOUS.
constexpr uint32_t no_file = 0x20;
constexpr unsigned flags_of_mmap = 3;
// Calls that are unfolded because they stand between two writes.
constexpr unsigned most_obstacles = 8;

class Coalescer {
  public:
    Coalescer(const SystemCallGroup &group, Module &module, FunctionAnalysisManager &analyses)
        : group_(group), module_(module), analyses_(analyses) {
        numbers_.push_back(group.first);
        append_range(numbers_, group.others);
    }

    SystemCallResult run() {
        if (std::string why_not = check(); !why_not.empty())
            return {std::move(why_not), {}, 0};
        const uint64_t before = module_.getInstructionCount();
        SmallSetVector<Function *, 8> holders;
        for (const uint32_t number : numbers_)
            for (const CallBase *call : calls_at(module_, number))
                holders.insert(const_cast<Function *>(call->getFunction()));
        if (std::string why_not =
                change_on_trial(holders.getArrayRef(), holders.getArrayRef(), module_, analyses_,
                                [&](Function &copy, const std::string &name) { return gather_in(copy, name); });
            !why_not.empty())
            return {std::move(why_not), {}, 0};
        return {{}, remarks_, static_cast<int64_t>(module_.getInstructionCount() - before)};
    }

  private:
    std::string check() {
        if (group_.others.empty())
            return "one call alone is joined with nothing";
        for (const uint32_t number : numbers_)
            for (const CallBase *call : calls_at(module_, number)) {
                const knowledge::Act act = act_of(*call);
                if (act != knowledge::Act::writes && act != knowledge::Act::writes_at)
                    return (called_system_call(*call) ? called_name(*call).str() : std::string("what is called")) +
                           " is not joined: write, pwrite and pwrite64 are";
                if (!isa<CallInst>(call) || call->hasOperandBundles())
                    return called_name(*call).str() + " is called where exceptions are caught";
            }
        return obstacle_to_other_calls(module_);
    }

    // Why it can't be done there; empty: it is done.
    std::string gather_in(Function &function, const std::string &name) {
        ChainSearch search = find_chain(function, numbers_);
        for (unsigned i = 0; i < most_obstacles && search.obstacle && !search.why_not.empty(); ++i) {
            if (!Unfolder::unfold_call(*search.obstacle))
                break;
            search = find_chain(function, numbers_);
        }
        if (!search.why_not.empty())
            return std::move(search.why_not);
        analyses_.invalidate(function, PreservedAnalyses::none());
        if (std::string changes = changes_buffer(search.chain, analyses_.getResult<AAManager>(function),
                                                 analyses_.getResult<DominatorTreeAnalysis>(function));
            !changes.empty())
            return changes;
        remarks_ += (gathered_ == 0 ? "" : "; ") + std::to_string(search.chain.calls.size()) + " calls of " +
                    search.chain.calls.front()->getCalledFunction()->getName().str() + " become one in " + name +
                    " where the file is an ordinary one";
        gather_writes(function, search.chain, make_state());
        ++gathered_;
        return {};
    }

    // Each function's files are its own: one whose writes don't fit together keeps none of the others from theirs.
    GatherState make_state() {
        Type *type = storage_of<thalweg_crossing_file>(module_.getContext());
        auto *file = new GlobalVariable(module_, type, false, GlobalValue::InternalLinkage,
                                        Constant::getNullValue(type), "thalweg.file." + Twine(group_.decision.id));
        return {file, known_descriptors_of(module_), note_mapped_files()};
    }

    // What is written to a file that is mapped can be read from that memory at once; so it can where the mapping is private, as long as
    // nobody has written to the page (POSIX leaves it open, Linux does it).
    GlobalVariable *note_mapped_files() {
        constexpr StringLiteral name = "thalweg.mapped_file";
        if (GlobalVariable *noted = module_.getGlobalVariable(name, true))
            return noted;
        GlobalVariable *note = nullptr;
        for (const StringRef map_name : names_of(knowledge::Act::maps)) {
            Function *map = module_.getFunction(map_name);
            if (!map || map->use_empty())
                continue;
            if (!note) {
                Type *byte = Type::getInt8Ty(module_.getContext());
                note = new GlobalVariable(module_, byte, false, GlobalValue::InternalLinkage,
                                          Constant::getNullValue(byte), name);
            }
            note_before(*map, *note);
        }
        return note;
    }

    void note_before(Function &map, GlobalVariable &note) {
        SmallVector<CallBase *> calls;
        for (User *user : map.users())
            if (auto *call = dyn_cast<CallBase>(user); call && call->getCalledOperand() == &map)
                calls.push_back(call);
        for (CallBase *call : calls) {
            IRBuilder<> builder(call);
            put_note(builder, call->getArgOperand(flags_of_mmap), note);
        }
        // Whoever calls it through a pointer calls a function in between.
        Function *between =
            Function::Create(map.getFunctionType(), GlobalValue::InternalLinkage, "thalweg." + map.getName(), module_);
        map.replaceUsesWithIf(between, [](const Use &use) {
            const auto *call = dyn_cast<CallBase>(use.getUser());
            return !call || &call->getCalledOperandUse() != &use;
        });
        IRBuilder<> builder(BasicBlock::Create(module_.getContext(), "", between));
        put_note(builder, between->getArg(flags_of_mmap), note);
        SmallVector<Value *> arguments;
        for (Argument &argument : between->args())
            arguments.push_back(&argument);
        builder.CreateRet(builder.CreateCall(&map, arguments));
    }

    static void put_note(IRBuilder<> &builder, Value *flags, GlobalVariable &note) {
        Value *has_none = builder.CreateIsNotNull(builder.CreateAnd(flags, builder.getInt32(no_file)));
        LoadInst *before = builder.CreateLoad(builder.getInt8Ty(), &note);
        before->setAtomic(AtomicOrdering::Monotonic);
        Value *after = builder.CreateSelect(has_none, before, builder.getInt8(1));
        builder.CreateStore(after, &note)->setAtomic(AtomicOrdering::Monotonic);
    }

    const SystemCallGroup &group_;
    Module &module_;
    FunctionAnalysisManager &analyses_;
    std::vector<uint32_t> numbers_;
    std::string remarks_;
    unsigned gathered_ = 0;
};

}  // namespace

SystemCallResult coalesce_writes(const SystemCallGroup &group, Module &module, FunctionAnalysisManager &analyses) {
    return Coalescer(group, module, analyses).run();
}

}  // namespace thalweg::transform
