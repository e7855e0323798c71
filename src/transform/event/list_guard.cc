// transform: the tests of a list's line: each slot holds what was recorded, and the list ends where it ended.
#include "transform/event/list_guard.h"

#include <optional>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include "transform/event/written_beside.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// Where in constants `part` stands: each constant variable with the distance from its beginning.
void find_places(const Constant &part, uint64_t offset, const DataLayout &layout,
                 SmallVectorImpl<std::pair<GlobalVariable *, uint64_t>> &places) {
    for (const Use &use : part.uses()) {
        if (auto *variable = dyn_cast<GlobalVariable>(use.getUser()))
            places.push_back({variable, offset});
        if (const auto *aggregate = dyn_cast<ConstantStruct>(use.getUser())) {
            const StructLayout *members = layout.getStructLayout(aggregate->getType());
            find_places(*aggregate, offset + members->getElementOffset(use.getOperandNo()), layout, places);
        } else if (const auto *array = dyn_cast<ConstantArray>(use.getUser())) {
            const uint64_t size = layout.getTypeAllocSize(array->getType()->getElementType());
            find_places(*array, offset + size * use.getOperandNo(), layout, places);
        }
    }
}

// The table that a virtual call of `function` has read its function from: the only one that holds it in this place. Null
// when there is none or more than one.
Constant *only_table(const Function &function, uint64_t place, const DataLayout &layout) {
    SmallVector<std::pair<GlobalVariable *, uint64_t>, 4> places;
    find_places(function, 0, layout, places);
    if (places.size() != 1)
        return nullptr;
    const auto [table, offset] = places.front();
    if (!table->isConstant() || !table->hasDefinitiveInitializer() || table->isThreadLocal() || offset < place)
        return nullptr;
    LLVMContext &context = function.getContext();
    return ConstantExpr::getInBoundsGetElementPtr(Type::getInt8Ty(context), table,
                                                  ConstantInt::get(Type::getInt64Ty(context), offset - place));
}

// Whether it was read as a C++ object's pointer to its table of virtual functions. A list's memory is no constant table.
bool is_table_of_object(const Value &value) {
    const auto *load = dyn_cast<LoadInst>(&value);
    const MDNode *type = load && load->isSimple() ? load->getMetadata(LLVMContext::MD_tbaa) : nullptr;
    return type && type->isTBAAVtableAccess();
}

// A function that was read from a constant table is the recorded one if the table is: one load less to test.
Value *test_function(IRBuilder<> &builder, Value &called, Function *function) {
    const DataLayout &layout = function->getParent()->getDataLayout();
    if (auto *load = dyn_cast<LoadInst>(&called); load && load->isSimple()) {
        APInt place(layout.getIndexTypeSizeInBits(load->getPointerOperandType()), 0);
        Value *object_table = load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, place, false);
        if (is_table_of_object(*object_table) && !place.isNegative())
            if (Constant *table = only_table(*function, place.getZExtValue(), layout))
                return builder.CreateICmpEQ(object_table, table);
    }
    return builder.CreateICmpEQ(&called, function);
}

// How far, in bytes, the pointer that was read first lies from the other in memory, if both were read from one object.
std::optional<int64_t> distance(const Value *read, const Value *other) {
    const auto *load = dyn_cast<LoadInst>(read);
    const auto *from = dyn_cast<LoadInst>(other);
    if (!load || !from || !load->isSimple() || !from->isSimple())
        return std::nullopt;
    const DataLayout &layout = load->getModule()->getDataLayout();
    return load->getPointerOperand()->getPointerOffsetFrom(from->getPointerOperand(), layout);
}

// The constant that the program always writes beside the recorded function, where `compare` asks whether a pointer that lies there
// is null; null when there is none.
Constant *known_beside(const ICmpInst &compare, const CallBase &call, const Function &function) {
    const auto apart = distance(compare.getOperand(0), call.getCalledOperand());
    Constant *beside = apart ? written_beside(function, *apart) : nullptr;
    return beside && beside->getType() == compare.getOperand(0)->getType() && !beside->isThreadDependent() &&
                   isKnownNonZero(beside, call.getModule()->getDataLayout())
               ? beside
               : nullptr;
}

}  // namespace

bool has_context(const CallBase &call) {
    return call.arg_size() > 0 && call.getArgOperand(0)->getType()->isPointerTy();
}

// What a list's end tests stand for: as many iterations as recorded. Each becomes a guard: not yet at the end in the copies
// before the last, at the end after it.
void test_length(const StraightLine &line, const Loop &loop, const EndTest &end, Leaves &leaves,
                 std::vector<Guard> &guards) {
    SmallVector<BasicBlock *, 4> exiting;
    loop.getExitingBlocks(exiting);
    for (unsigned k = 0; k < line.iterations.size(); ++k)
        for (BasicBlock *block : exiting) {
            auto *branch = dyn_cast<BranchInst>(block_in(line.iterations[k], loop, block)->getTerminator());
            const auto *original = dyn_cast<BranchInst>(block->getTerminator());
            if (!branch || !branch->isConditional())
                continue;
            const unsigned inside = loop.contains(original->getSuccessor(0)) ? 0 : 1;
            const bool ends = k + 1 == line.iterations.size() && block == end.block;
            mark_leave(*branch, ends ? inside : 1 - inside);
            guards.push_back({branch, ends ? inside : 1 - inside, nullptr, 0});
        }
    if (!end.before_calls)
        return;
    // One iteration more than recorded is the original loop's.
    const Iteration &after = line.iterations.back();
    auto *branch = cast<BranchInst>(block_in(after, loop, end.block)->getTerminator());
    Instruction *original = end.block->getTerminator();
    const unsigned inside = loop.contains(original->getSuccessor(0)) ? 0 : 1;
    branch->getSuccessor(inside)->removePredecessor(branch->getParent(), true);
    branch->setSuccessor(inside, leaves.before(after, *original, branch->getDebugLoc()));
}

void test_turnings(const Iteration &copy, const Loop &loop, ArrayRef<Turning> turnings, Leaves &leaves,
                   std::vector<Guard> &guards) {
    for (const Turning &turning : turnings) {
        auto *branch = cast<BranchInst>(block_in(copy, loop, turning.block)->getTerminator());
        branch->getSuccessor(turning.successor)->removePredecessor(branch->getParent(), true);
        branch->setSuccessor(turning.successor,
                             leaves.before(copy, *turning.block->getTerminator(), branch->getDebugLoc()));
        mark_leave(*branch, turning.successor);
        guards.push_back({branch, turning.successor, nullptr, 0});
    }
}

// if (target == recorded) go on; else leave in front of the call
void test_target(const Iteration &copy, CallBase &original, const PathTarget &target, Leaves &leaves,
                 std::vector<Guard> &guards) {
    auto &call = *cast<CallBase>(copy.values.lookup(&original));
    const DebugLoc location = call.getDebugLoc();
    BasicBlock *before = call.getParent();
    BasicBlock *hot = before->splitBasicBlock(call.getIterator(), "thalweg.hot");
    before->getTerminator()->eraseFromParent();
    IRBuilder<> builder(before);
    builder.SetCurrentDebugLocation(location);
    Value *holds = test_function(builder, *call.getCalledOperand(), target.function);
    if (target.context && has_context(call))
        holds = builder.CreateAnd(holds, builder.CreateICmpEQ(call.getArgOperand(0), target.context));
    BranchInst *branch = add_guard(before, holds, hot, leaves.before(copy, original, location), location);
    guards.push_back({branch, 1, nullptr, 0});
}

void test_beside(const Iteration &copy, const Loop &loop, const CallBase &original, const Function &function,
                 Leaves &leaves, std::vector<Guard> &guards) {
    const auto &call = *cast<CallBase>(copy.values.lookup(&original));
    DenseMap<const BasicBlock *, BasicBlock *> before;
    for (BasicBlock *block : ways_to(loop, original))
        if (block != original.getParent())
            before[block_in(copy, loop, block)] = block;
    for (Guard &guard : guards) {
        BranchInst *branch = guard.branch;
        BasicBlock *block = branch->getParent();
        auto *compare = dyn_cast<ICmpInst>(branch->getCondition());
        if (!before.contains(block) || !compare || !compare->isEquality() ||
            !isa<ConstantPointerNull>(compare->getOperand(1)) ||
            (compare->getPredicate() == ICmpInst::ICMP_EQ) != (guard.leave == 0))
            continue;
        Constant *beside = known_beside(*compare, call, function);
        if (!beside)
            continue;
        BasicBlock *on = branch->getSuccessor(1 - guard.leave);
        const DebugLoc location = branch->getDebugLoc();
        branch->getSuccessor(guard.leave)->removePredecessor(block, true);
        Value *holds = IRBuilder<>(branch).CreateICmpEQ(compare->getOperand(0), beside);
        branch->eraseFromParent();
        BasicBlock *leave = leaves.before(copy, *before.lookup(block)->getTerminator(), location);
        guard = {add_guard(block, holds, on, leave, location), 1, nullptr, 0};
    }
}

}  // namespace thalweg::transform
