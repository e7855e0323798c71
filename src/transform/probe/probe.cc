// transform: makes the instrumented twin (src/abi/probe.h describes what is called).
#include "transform/probe/probe.h"

#include <algorithm>

#include "llvm/ADT/bit.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/ModRef.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include "abi/probe.h"
#include "transform/ir/abi.h"
#include "transform/ir/loop_copy.h"
#include "transform/ir/symbols.h"
#include "transform/probe/slot.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

struct ProbeAbi {
    FunctionCallee enter;
    FunctionCallee target;
    FunctionCallee leave;
};

ProbeAbi declare_abi(Module &module) {
    return {declare(module, ABI_SYMBOL(thalweg_probe_enter)), declare(module, ABI_SYMBOL(thalweg_probe_target)),
            declare(module, ABI_SYMBOL(thalweg_probe_leave))};
}

// Never as a tail call: the recorder tells by the caller's stack which dispatches are over.
void call_recorder(IRBuilder<> &builder, FunctionCallee callee, ArrayRef<Value *> arguments) {
    builder.CreateCall(callee, arguments)->setTailCallKind(CallInst::TCK_NoTail);
}

// The address of the list that the loop runs through, where that is known before it: its first slot or node, or what holds it. Null: it isn't.
Value *list_of(const Loop &loop, const CallBase &call) {
    for (PHINode &phi : loop.getHeader()->phis())
        if (phi.getType()->isPointerTy())
            return phi.getIncomingValueForBlock(loop.getLoopPreheader());
    Value *from = call.getCalledOperand();
    while (!loop.isLoopInvariant(from)) {
        if (auto *load = dyn_cast<LoadInst>(from))
            from = load->getPointerOperand();
        else if (auto *part = dyn_cast<GetElementPtrInst>(from))
            from = part->getPointerOperand();
        else
            return nullptr;
    }
    return from;
}

// At one site many events are raised, or many lists run through: where each of them is counted, by its address. One that comes late is
// seen, because its slot has noted nothing yet.
SlotChoice choose_slots(const Loop &loop, const CallBase &call, uint32_t slots_of_site, Slots &slots) {
    const EventLoop event = event_loop(loop);
    Value *subject = event.core ? event.core : list_of(loop, call);
    const bool chooses = subject && !isa<Constant>(subject) && slots_of_site > 1;
    const SlotChoice choice{slots.count, chooses ? slots_of_site : 1, chooses ? subject : nullptr};
    slots.count += choice.count;
    return choice;
}

// A copy costs the loop's instructions, once more for each loop around it; tests cost the program two instructions a dispatch, which can't be seen
// where it executes many others. With smaller loops a recorded run of protobuf-c executes 2 % more (docs/decisions/twin-link.md).
constexpr size_t large_loop = 512;
constexpr size_t large_for_a_call = 64;

bool is_large(const Loop &loop, size_t calls) {
    size_t instructions = 0;
    for (const BasicBlock *block : loop.blocks())
        instructions += block->size();
    return instructions >= std::max(large_loop, large_for_a_call * calls);
}

class SiteProbe {
  public:
    SiteProbe(const ProbeAbi &abi, Slots &slots, Loop &loop, std::vector<CallBase *> calls, uint32_t site,
              uint32_t slots_of_site)
        : abi_(abi), slots_(slots), loop_(loop), calls_(std::move(calls)), site_(site),
          choice_(choose_slots(loop, *calls_.front(), slots_of_site, slots)) {}

    void insert() {
        if (is_large(loop_, calls_.size()))
            insert_tests();
        else
            insert_copy();
    }

  private:
    void insert_copy() {
        BasicBlock *preheader = loop_.getLoopPreheader();
        LLVMContext &context = preheader->getContext();
        const DebugLoc location = calls_.front()->getDebugLoc();
        const EventLoop event = event_loop(loop_);
        Function *function = preheader->getParent();
        BasicBlock *original = BasicBlock::Create(context, "thalweg.plain", function);
        BasicBlock *ask = BasicBlock::Create(context, "thalweg.ask", function);
        BasicBlock *recorded = BasicBlock::Create(context, "thalweg.recorded", function);
        // The copy must be made while the loop still has its one preheader.
        const Iteration copy = copy_loop(loop_, calls_, recorded);
        const std::vector<Value *> state = entry_state(loop_);
        redirect_preheader(preheader, original, ask, location);
        add_jump(original, loop_.getHeader(), location);
        for (PHINode &phi : loop_.getHeader()->phis())
            phi.replaceIncomingBlockWith(preheader, original);
        Value *yes = ask_recorder(ask, event.core, location);
        IRBuilder<> builder(ask);
        builder.SetCurrentDebugLocation(location);
        builder.CreateCondBr(builder.CreateICmpNE(yes, builder.getInt32(0)), recorded, original);
        add_jump(recorded, copy.header, location);
        note_targets(copy.calls, nullptr);
        note_leaving(copy);
    }

    // The loop itself notes what it does, where `recorded` is not 0 (an i32 that is known before the loop).
    void insert_tests() {
        BasicBlock *preheader = loop_.getLoopPreheader();
        LLVMContext &context = preheader->getContext();
        const DebugLoc location = calls_.front()->getDebugLoc();
        const EventLoop event = event_loop(loop_);
        Function *function = preheader->getParent();
        SmallVector<BasicBlock *, 8> exits;
        loop_.getUniqueExitBlocks(exits);
        BasicBlock *begin = BasicBlock::Create(context, "thalweg.begin", function, loop_.getHeader());
        BasicBlock *ask = BasicBlock::Create(context, "thalweg.ask", function);
        redirect_preheader(preheader, begin, ask, location);
        Value *yes = ask_recorder(ask, event.core, location);
        add_jump(ask, begin, location);
        IRBuilder<> builder(begin);
        PHINode *recorded = builder.CreatePHI(builder.getInt32Ty(), 2, "thalweg.recorded");
        recorded->addIncoming(builder.getInt32(0), preheader);
        recorded->addIncoming(yes, ask);
        add_jump(begin, loop_.getHeader(), location);
        for (PHINode &phi : loop_.getHeader()->phis())
            phi.replaceIncomingBlockWith(preheader, begin);
        note_targets(calls_, recorded);
        for (BasicBlock *exit : exits)
            if (!exit->isEHPad())
                note_leaving(exit->getFirstInsertionPt(), exit->front().getDebugLoc(), recorded);
    }

    static void add_jump(BasicBlock *from, BasicBlock *to, const DebugLoc &location) {
        IRBuilder<> builder(from);
        builder.SetCurrentDebugLocation(location);
        builder.CreateBr(to);
    }

    // if (--slot.left < 0) ask, else the plain loop
    void redirect_preheader(BasicBlock *preheader, BasicBlock *original, BasicBlock *ask, const DebugLoc &location) {
        Instruction *end = preheader->getTerminator();
        IRBuilder<> builder(end);
        builder.SetCurrentDebugLocation(location);
        builder.CreateCondBr(count_down(builder, slots_, choice_), ask, original,
                             rarely_taken(preheader->getContext()));
        end->eraseFromParent();
    }

    Value *ask_recorder(BasicBlock *ask, Value *core, const DebugLoc &location) {
        IRBuilder<> builder(ask);
        builder.SetCurrentDebugLocation(location);
        Value *no_core = ConstantPointerNull::get(builder.getPtrTy());
        Value *frame = builder.CreateIntrinsic(Intrinsic::frameaddress, {builder.getPtrTy()}, {builder.getInt32(0)});
        return builder.CreateCall(abi_.enter,
                                  {builder.getInt32(site_), number_of(builder, choice_), core ? core : no_core, frame});
    }

    // Before what to note: where `recorded` is not 0, or in any case if it is null.
    static Instruction *where(Value *recorded, BasicBlock::iterator before, const DebugLoc &location) {
        if (!recorded)
            return &*before;
        IRBuilder<> builder(&*before);
        builder.SetCurrentDebugLocation(location);
        Value *is_recorded = builder.CreateICmpNE(recorded, builder.getInt32(0));
        return SplitBlockAndInsertIfThen(is_recorded, before, false, rarely_taken(recorded->getContext()));
    }

    void note_targets(const std::vector<CallBase *> &calls, Value *recorded) {
        uint32_t ordinal = 0;
        for (CallBase *call : calls) {
            IRBuilder<> builder(where(recorded, call->getIterator(), call->getDebugLoc()));
            builder.SetCurrentDebugLocation(call->getDebugLoc());
            Value *context = ConstantPointerNull::get(builder.getPtrTy());
            if (call->arg_size() > 0 && call->getArgOperand(0)->getType()->isPointerTy())
                context = call->getArgOperand(0);
            call_recorder(builder, abi_.target, {builder.getInt32(ordinal++), call->getCalledOperand(), context});
        }
    }

    void note_leaving(BasicBlock::iterator before, const DebugLoc &location, Value *recorded) {
        IRBuilder<> builder(where(recorded, before, location));
        builder.SetCurrentDebugLocation(location);
        call_recorder(builder, abi_.leave, {builder.getInt32(site_)});
    }

    // An exit edge of the copy gets a block of its own; landing pads have none (probe_enter mends the nesting later).
    void note_leaving(const Iteration &copy) {
        const SmallPtrSet<BasicBlock *, 8> inside(copy.blocks.begin(), copy.blocks.end());
        for (BasicBlock *block : copy.blocks) {
            Instruction *end = block->getTerminator();
            for (unsigned i = 0; i < end->getNumSuccessors(); ++i) {
                BasicBlock *to = end->getSuccessor(i);
                if (inside.contains(to) || to->isEHPad())
                    continue;
                note_leaving(SplitEdge(block, to)->getFirstInsertionPt(), end->getDebugLoc(), nullptr);
            }
        }
    }

    const ProbeAbi &abi_;
    const Slots &slots_;
    Loop &loop_;
    std::vector<CallBase *> calls_;
    uint32_t site_;
    SlotChoice choice_;
};

void probe_function(const ProbeAbi &abi, Slots &slots, uint32_t slots_of_site, Function &function,
                    ArrayRef<const DispatchSite *> sites) {
    // Inner loops come after the loops around them in the numbering; instrumented first, they are so in both copies.
    for (const DispatchSite *site : llvm::reverse(sites)) {
        // Made anew for each site: the copy before has changed the function.
        DominatorTree dominators(function);
        LoopInfo loops(dominators);
        for (Loop *loop : loops.getLoopsInPreorder()) {
            std::vector<CallBase *> calls = calls_of_site(*loop, loops, site->number);
            if (calls.empty())
                continue;
            if (bring_into_form(*loop, dominators, loops))
                SiteProbe(abi, slots, *loop, calls, site->number, slots_of_site).insert();
            break;
        }
    }
}

void emit_symbols(Module &module, const SymbolList &list) {
    std::vector<Constant *> entries;
    for (GlobalObject *object : list.objects) {
        uint64_t size = 0;
        if (auto *variable = dyn_cast<GlobalVariable>(object))
            size = module.getDataLayout().getTypeAllocSize(variable->getValueType());
        entries.push_back(structure<&thalweg_probe_symbol::address, &thalweg_probe_symbol::size>(module, object, size));
    }
    define(module, ABI_SYMBOL(thalweg_probe_symbols), array_of<thalweg_probe_symbol>(module, entries));
    define(module, ABI_SYMBOL(thalweg_probe_symbol_count), entries.size());
}

// All sites' slots together take half a megabyte of each thread's file at most, one site's 128 KiB.
uint32_t slots_of_a_site(size_t sites) {
    constexpr uint64_t of_all = 16384;
    constexpr uint64_t of_one = 4096;
    return static_cast<uint32_t>(
        std::clamp<uint64_t>(llvm::bit_floor(of_all / std::max<uint64_t>(sites, 1)), 1, of_one));
}

}  // namespace

model::SiteTable insert_probes(Module &module, const std::vector<DispatchSite> &sites, Slots &slots) {
    model::SiteTable table;
    table.program = module.getModuleIdentifier();
    for (const DispatchSite &site : sites) {
        table.sites.push_back(site.key);
        table.inlined.push_back(site.inlined);
    }
    SymbolList symbols = collect_symbols(module);
    const ProbeAbi abi = declare_abi(module);
    for (size_t i = 0; i < sites.size();) {
        std::vector<const DispatchSite *> here;
        Function *function = sites[i].function;
        for (; i < sites.size() && sites[i].function == function; ++i)
            here.push_back(&sites[i]);
        probe_function(abi, slots, slots_of_a_site(sites.size()), *function, here);
    }
    emit_symbols(module, symbols);
    table.symbols = std::move(symbols.symbols);
    return table;
}

void emit_recording_part(Module &module, const std::string &part) {
    define(module, ABI_SYMBOL(thalweg_probe_part), ConstantDataArray::getString(module.getContext(), part));
}

}  // namespace thalweg::transform
