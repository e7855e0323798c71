// transform: builds the straight lines of one dispatch site.
#include "transform/event/line_builder.h"

#include <optional>

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <thalweg/thalweg.h>

#include "abi/names.h"
#include "transform/event/handler_merge.h"
#include "transform/event/prologue.h"
#include "transform/event/written_beside.h"
#include "transform/ir/abi.h"
#include "transform/ir/lock_merge.h"
#include "transform/ir/loop_copy.h"
#include "transform/ir/own_thread.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// A callee is taken into the line at once, and not left to LLVM's inliner, when it is this small: guards behind it can
// only move over what is seen. LLVM's own limit for hot calls at -O3 is a cost of 250 (InlineParams), some 50 instructions.
constexpr unsigned small_callee_instructions = 60;
// Calls inside calls inside a handler: thunk, handler, helper, accessor.
constexpr unsigned max_take_in_depth = 5;
// A handler behind which more functions lie is not searched further for the raise that the plan saw in it.
constexpr size_t max_functions_looked_at = 256;

BasicBlock *new_block(const Twine &name, BasicBlock *before) {
    return BasicBlock::Create(before->getContext(), name, before->getParent(), before);
}

void add_jump(BasicBlock *from, BasicBlock *to, const DebugLoc &location) {
    IRBuilder<> builder(from);
    builder.SetCurrentDebugLocation(location);
    builder.CreateBr(to);
}

BranchInst *add_guard(BasicBlock *block, Value *holds, BasicBlock *on, BasicBlock *leave, const DebugLoc &location) {
    IRBuilder<> builder(block);
    builder.SetCurrentDebugLocation(location);
    BranchInst *branch = builder.CreateCondBr(holds, on, leave, likely(block->getContext()));
    mark_leave(*branch, 1);
    return branch;
}

// A block that leaves to the original loop with this state.
BasicBlock *leave_block(BasicBlock *header, ArrayRef<Value *> state, const DebugLoc &location) {
    BasicBlock *leave = new_block("thalweg.leave", header);
    add_jump(leave, header, location);
    enter_loop(header, leave, state);
    return leave;
}

// Until guards are gathered at the front nothing fails there, but what comes after a failure has to be reachable.
void open_front(const FrontedLine &line, const DebugLoc &location) {
    IRBuilder<> builder(line.front);
    builder.SetCurrentDebugLocation(location);
    mark_leave(*builder.CreateCondBr(builder.getTrue(), line.entry, line.otherwise), 1);
}

size_t index_in(const Loop &loop, const BasicBlock *block) {
    return static_cast<size_t>(llvm::find(loop.getBlocks(), block) - loop.getBlocks().begin());
}

void make_certain(BranchInst *branch, unsigned successor) {
    branch->getSuccessor(1 - successor)->removePredecessor(branch->getParent(), true);
    BranchInst *certain = BranchInst::Create(branch->getSuccessor(successor), branch->getIterator());
    certain->setDebugLoc(branch->getDebugLoc());
    branch->eraseFromParent();
}

bool has_effect(const Instruction &instruction) {
    return instruction.mayHaveSideEffects() || isa<AllocaInst>(instruction);
}

// What comes before `call` in an iteration, on the ways that lead to it.
SmallVector<Instruction *, 32> instructions_before(const Loop &loop, CallBase *call) {
    SmallVector<Instruction *, 32> found;
    SmallPtrSet<BasicBlock *, 8> seen;
    SmallVector<BasicBlock *, 8> work{call->getParent()};
    while (!work.empty()) {
        BasicBlock *block = work.pop_back_val();
        for (Instruction &instruction : *block) {
            if (&instruction == call)
                break;
            found.push_back(&instruction);
        }
        if (block == loop.getHeader())
            continue;
        for (BasicBlock *before : predecessors(block))
            if (loop.contains(before) && seen.insert(before).second)
                work.push_back(before);
    }
    return found;
}

// The variable on the stack that the instruction only fills, as an argument that is passed by its address; null: it does
// something else.
const AllocaInst *filled_variable(const Instruction &instruction) {
    const Value *where = nullptr;
    if (const auto *store = dyn_cast<StoreInst>(&instruction); store && store->isSimple())
        where = store->getPointerOperand();
    else if (const auto *bytes = dyn_cast<MemIntrinsic>(&instruction); bytes && !bytes->isVolatile())
        where = bytes->getDest();
    else if (const auto *mark = dyn_cast<IntrinsicInst>(&instruction); mark && mark->isLifetimeStartOrEnd())
        where = mark->getArgOperand(1);
    return where ? dyn_cast<AllocaInst>(getUnderlyingObject(where)) : nullptr;
}

// Whether the instruction may read what the variable holds.
bool may_read(Instruction &instruction, const AllocaInst &variable, AAResults &aliases) {
    const MemoryLocation whole = MemoryLocation::getBeforeOrAfter(&variable);
    if (const auto *copy = dyn_cast<MemTransferInst>(&instruction))
        return !aliases.isNoAlias(MemoryLocation::getForSource(copy), whole);
    return instruction.mayReadFromMemory() && !filled_variable(instruction) &&
           isRefSet(aliases.getModRefInfo(&instruction, whole));
}

// Whether the variable is filled on some way from behind `read` to `call`. A new life of the variable ends the way: what was read before is of
// nothing that the variable holds then.
bool is_filled_behind(Instruction &read, const AllocaInst &variable, const Loop &loop, const CallBase &call) {
    SmallPtrSet<const BasicBlock *, 8> seen;
    SmallVector<const Instruction *, 8> work{read.getNextNode()};
    while (!work.empty()) {
        const Instruction *at = work.pop_back_val();
        for (; at && at != &call; at = at->getNextNode()) {
            const auto *mark = dyn_cast<LifetimeIntrinsic>(at);
            if (mark && mark->getIntrinsicID() == Intrinsic::lifetime_start && mark->getArgOperand(1) == &variable)
                break;
            if (filled_variable(*at) == &variable)
                return true;
            if (!at->isTerminator())
                continue;
            for (const BasicBlock *next : successors(at->getParent()))
                if (next != loop.getHeader() && loop.contains(next) && seen.insert(next).second)
                    work.push_back(&next->front());
        }
    }
    return false;
}

// Whether something happens in an iteration before it comes to `call`: then the iteration can't be begun again. A variable on the stack is
// filled again with the same, unless something reads it first.
bool acts_before(const Loop &loop, CallBase *call, AAResults &aliases) {
    const auto before = instructions_before(loop, call);
    SmallPtrSet<const AllocaInst *, 4> filled;
    for (const Instruction *instruction : before) {
        if (!has_effect(*instruction))
            continue;
        const AllocaInst *variable = filled_variable(*instruction);
        if (!variable)
            return true;
        filled.insert(variable);
    }
    return llvm::any_of(before, [&](Instruction *instruction) {
        return llvm::any_of(filled, [&](const AllocaInst *variable) {
            return may_read(*instruction, *variable, aliases) && is_filled_behind(*instruction, *variable, loop, *call);
        });
    });
}

// What the runtime's `path` word stands for: as many handlers as recorded, then the end of the list.
void assume_length(const StraightLine &line, const Loop &loop, const EventLoop &event) {
    BranchInst *go_on = continue_branch(loop, event.changed);
    const size_t where = index_in(loop, go_on->getParent());
    const unsigned inside = loop.contains(go_on->getSuccessor(0)) ? 0 : 1;
    for (size_t k = 0; k < line.iterations.size(); ++k) {
        auto *branch = cast<BranchInst>(line.iterations[k].blocks[where]->getTerminator());
        make_certain(branch, k + 1 < line.iterations.size() ? inside : 1 - inside);
    }
}

void mark_changed_exits(const Iteration &copy, const BasicBlock *changed) {
    for (BasicBlock *block : copy.blocks) {
        Instruction *end = block->getTerminator();
        for (unsigned s = 0; s < end->getNumSuccessors(); ++s)
            if (end->getSuccessor(s) == changed)
                mark_leave(*end, s);
    }
}

// What a list's end tests stand for: as many handlers as recorded. Each becomes a guard: not yet at the end in the copies
// before the last, at the end after it.
void test_length(const StraightLine &line, const Loop &loop, unsigned count, BuiltLine &built) {
    SmallVector<BasicBlock *, 4> exiting;
    loop.getExitingBlocks(exiting);
    const bool tests_first = line.iterations.size() > count;
    const BasicBlock *last_test = tests_first ? loop.getHeader() : loop.getLoopLatch();
    for (unsigned k = 0; k < line.iterations.size(); ++k)
        for (BasicBlock *block : exiting) {
            auto *branch = dyn_cast<BranchInst>(line.iterations[k].blocks[index_in(loop, block)]->getTerminator());
            const auto *original = dyn_cast<BranchInst>(block->getTerminator());
            if (!branch || !branch->isConditional())
                continue;
            const unsigned inside = loop.contains(original->getSuccessor(0)) ? 0 : 1;
            const bool ends = k + 1 == line.iterations.size() && block == last_test;
            mark_leave(*branch, ends ? inside : 1 - inside);
            built.guards.push_back({branch, ends ? inside : 1 - inside, nullptr, 0});
        }
    if (!tests_first)
        return;
    // One iteration more than recorded is the original loop's.
    const Iteration &after = line.iterations.back();
    auto *branch = cast<BranchInst>(after.header->getTerminator());
    const unsigned inside = loop.contains(cast<BranchInst>(last_test->getTerminator())->getSuccessor(0)) ? 0 : 1;
    branch->getSuccessor(inside)->removePredecessor(after.header, true);
    branch->setSuccessor(inside, leave_block(loop.getHeader(), after.state, branch->getDebugLoc()));
}

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

// The loop's blocks by which an iteration comes to `call`.
BlockSet ways_to(const Loop &loop, const CallBase *call) {
    BlockSet found;
    found.insert(const_cast<BasicBlock *>(call->getParent()));
    for (size_t i = 0; i < found.size(); ++i)
        if (found[i] != loop.getHeader())
            for (BasicBlock *before : predecessors(found[i]))
                if (loop.contains(before))
                    found.insert(before);
    return found;
}

// An iteration that would pass its slot over, as a blocked one, is not the recorded one: the original loop begins it again.
void test_ways(const StraightLine &line, const Loop &loop, const CallBase *call, BuiltLine &built) {
    const BlockSet ways = ways_to(loop, call);
    for (BasicBlock *block : ways) {
        const auto *original = dyn_cast<BranchInst>(block->getTerminator());
        if (!original || !original->isConditional() || block == call->getParent())
            continue;
        for (unsigned s = 0; s < original->getNumSuccessors(); ++s) {
            BasicBlock *past = original->getSuccessor(s);
            if (!loop.contains(past) || ways.contains(past))
                continue;
            for (size_t k = 0; k < built.calls.size(); ++k) {
                const Iteration &copy = line.iterations[k];
                auto *branch = cast<BranchInst>(copy.blocks[index_in(loop, block)]->getTerminator());
                branch->getSuccessor(s)->removePredecessor(branch->getParent(), true);
                branch->setSuccessor(s, leave_block(loop.getHeader(), copy.state, branch->getDebugLoc()));
                mark_leave(*branch, s);
                built.guards.push_back({branch, s, nullptr, 0});
            }
        }
    }
}

bool has_context(const CallBase &call) {
    return call.arg_size() > 0 && call.getArgOperand(0)->getType()->isPointerTy();
}

// if (target == recorded) go on; else begin this iteration again in the original loop
void test_target(CallBase &call, const PathTarget &target, ArrayRef<Value *> state, BasicBlock *header,
                 BuiltLine &built) {
    const DebugLoc location = call.getDebugLoc();
    BasicBlock *before = call.getParent();
    BasicBlock *hot = before->splitBasicBlock(call.getIterator(), "thalweg.hot");
    before->getTerminator()->eraseFromParent();
    IRBuilder<> builder(before);
    builder.SetCurrentDebugLocation(location);
    Value *holds = test_function(builder, *call.getCalledOperand(), target.function);
    if (target.context && has_context(call))
        holds = builder.CreateAnd(holds, builder.CreateICmpEQ(call.getArgOperand(0), target.context));
    BranchInst *branch = add_guard(before, holds, hot, leave_block(header, state, location), location);
    built.guards.push_back({branch, 1, nullptr, 0});
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

// What the loop itself asks of a slot before it calls, whether a function object is empty, becomes whether the slot holds what
// the program always writes beside the recorded function: slots can then be compared as a whole.
void test_beside(const Iteration &copy, const Loop &loop, const CallBase &original, const CallBase &call,
                 const Function &function, BuiltLine &built) {
    BlockSet before;
    for (BasicBlock *block : ways_to(loop, &original))
        if (block != original.getParent())
            before.insert(copy.blocks[index_in(loop, block)]);
    for (Guard &guard : built.guards) {
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
        BasicBlock *leave = leave_block(loop.getHeader(), copy.state, location);
        guard = {add_guard(block, holds, on, leave, location), 1, nullptr, 0};
    }
}

void call_directly(CallBase &call, const PathTarget &target) {
    call.setCalledOperand(target.function);
    forget_site(call);
    call.setMetadata(LLVMContext::MD_prof, nullptr);
    call.setMetadata(LLVMContext::MD_callees, nullptr);
    if (target.context && has_context(call))
        call.setArgOperand(0, target.context);
}

// thalweg_value, under the name that clang gives it; the linker adds numbers to names that several modules have.
bool is_array_of_values(const Type &type) {
    const auto *array = dyn_cast<ArrayType>(&type);
    const auto *value = array ? dyn_cast<StructType>(array->getElementType()) : nullptr;
    return value && value->hasName() && value->getName().starts_with("struct." + std::string(ABI_TYPE(thalweg_value)));
}

}  // namespace

Function *copy_of(Function &function, StringRef prefix) {
    ValueToValueMapTy map;
    Function *copy = CloneFunction(&function, map);
    copy->setLinkage(GlobalValue::InternalLinkage);
    copy->setComdat(nullptr);
    copy->setName(prefix + function.getName());
    return copy;
}

std::string why_no_line(Loop &loop, ArrayRef<CallBase *> calls, FunctionAnalysisManager &analyses) {
    if (calls.size() != 1)
        return fmt::format("its loop has {} calls through pointers, one is supported", calls.size());
    if (!loop.isLoopSimplifyForm())
        return "its loop cannot be brought into simple form";
    const EventLoop event = event_loop(loop);
    if (event.core)
        return continue_branch(loop, event.changed) ? "" : "its raise has more than one way to end";
    if (!loop.isLoopExiting(loop.getLoopLatch()) && !loop.isLoopExiting(loop.getHeader()))
        return "its loop ends neither at the top nor at the bottom of an iteration";
    if (!loop.isLoopExiting(loop.getLoopLatch()) && !isa<BranchInst>(loop.getHeader()->getTerminator()))
        return "its loop does not end by a simple test";
    Function &function = *loop.getHeader()->getParent();
    analyses.invalidate(function, PreservedAnalyses::none());
    AAResults &aliases = analyses.getResult<AAManager>(function);
    return acts_before(loop, calls.front(), aliases) ? "its loop has effects before the call of an iteration" : "";
}

std::vector<BuiltLine> LineBuilder::build(Loop &loop, CallBase *call, ArrayRef<Alternative> alternatives, Depth depth) {
    BasicBlock *preheader = loop.getLoopPreheader();
    BasicBlock *header = loop.getHeader();
    const DebugLoc location = call->getDebugLoc();
    const std::vector<Value *> state = entry_state(loop);
    BasicBlock *original = new_block("thalweg.original", header);
    const EventLoop event = event_loop(loop);
    const RaiseEntry raise = event.core ? find_entry(loop, event.core) : RaiseEntry{};
    std::vector<BuiltLine> lines(alternatives.size());
    BasicBlock *otherwise = original;
    for (size_t i = alternatives.size(); i-- > 0;) {
        lines[i] = build_line(loop, call, alternatives[i], state, raise, otherwise);
        otherwise = lines[i].line.front;
    }
    add_jump(original, header, location);
    if (depth == Depth::outermost)
        for (const Alternative &alternative : alternatives)
            if (alternative.merge)
                counter_.count(original, alternative.node->decision->id, false);
    header->replacePhiUsesWith(preheader, original);
    preheader->getTerminator()->replaceSuccessorWith(header, otherwise);
    if (depth == Depth::inside && raise.top)
        test_before_prologue(raise, original, lines);
    for (size_t i = 0; i < lines.size(); ++i)
        for (uint32_t k = 0; k < alternatives[i].node->targets.size(); ++k)
            if (alternatives[i].merge)
                take_in(lines[i].calls[k], *alternatives[i].node, k, 0, lines[i]);
    return lines;
}

// The line's first blocks, for a raise of our runtime: is there an event, and one compare for all its slots.
void LineBuilder::test_path(const EventLoop &event, const PathNode &node, const RaiseEntry &raise, BasicBlock *header,
                            BasicBlock *first, const std::vector<Value *> &entry_state, BuiltLine &built) {
    const DebugLoc location = built.calls.front()->getDebugLoc();
    BasicBlock *test = new_block("thalweg.guard", header);
    built.line.entry = test;
    if (raise.asks_for_null && raise.top) {
        built.line.entry = new_block("thalweg.null", header);
        IRBuilder<> builder(built.line.entry);
        builder.SetCurrentDebugLocation(location);
        BasicBlock *leave = leave_block(header, entry_state, location);
        BranchInst *branch = add_guard(built.line.entry, builder.CreateIsNotNull(event.core), test, leave, location);
        built.guards.push_back({branch, 1, event.core, 0});
    }
    IRBuilder<> builder(test);
    builder.SetCurrentDebugLocation(location);
    const uint32_t path = paths_.id_of(node.targets, raise.flags);
    Value *address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), event.core, offsetof(thalweg_core, path));
    Value *holds = builder.CreateICmpEQ(paths_.load_word(builder, address), builder.getInt32(path));
    BasicBlock *leave = leave_block(header, entry_state, location);
    BranchInst *branch = add_guard(test, holds, first, leave, location);
    built.guards.push_back({branch, 1, event.core, path});
}

BuiltLine LineBuilder::build_line(Loop &loop, CallBase *call, const Alternative &alternative,
                                  const std::vector<Value *> &entry_state, const RaiseEntry &raise,
                                  BasicBlock *otherwise) {
    const PathNode &node = *alternative.node;
    const EventLoop event = event_loop(loop);
    BasicBlock *header = loop.getHeader();
    const auto count = static_cast<unsigned>(node.targets.size());
    const bool tests_first = !event.core && !loop.isLoopExiting(loop.getLoopLatch());
    StraightLine line = copy_iterations(loop, {call}, tests_first ? count + 1 : count, entry_state);
    BuiltLine built;
    built.alternative = alternative;
    built.line.front = new_block("thalweg.front", header);
    built.line.otherwise = otherwise;
    for (unsigned k = 0; k < count; ++k)
        built.calls.push_back(line.iterations[k].calls.front());
    if (event.core) {
        assume_length(line, loop, event);
        for (const Iteration &copy : line.iterations)
            mark_changed_exits(copy, event.changed);
        merge_locks(line, event.changed);
        note_arguments(*call, loop);
        test_path(event, node, raise, header, line.iterations.front().header, entry_state, built);
    } else {
        built.line.entry = line.iterations.front().header;
        test_length(line, loop, count, built);
        test_ways(line, loop, call, built);
        for (unsigned k = 0; k < count; ++k)
            if (Function *function = node.targets[k].function)
                test_beside(line.iterations[k], loop, *call, *built.calls[k], *function, built);
        for (unsigned k = 0; k < count; ++k)
            if (node.targets[k].function)
                test_target(*built.calls[k], node.targets[k], line.iterations[k].state, header, built);
    }
    open_front(built.line, call->getDebugLoc());
    for (unsigned k = 0; k < count; ++k) {
        if (node.targets[k].function)
            call_directly(*built.calls[k], node.targets[k]);
        else
            forget_site(*built.calls[k]);
    }
    return built;
}

// Handlers that run under a composite's lock are the C interface's: (context, event, arguments, count).
void LineBuilder::note_arguments(const CallBase &call, const Loop &loop) {
    constexpr unsigned arguments_position = 2, positions = 4;
    const bool locked =
        llvm::any_of(loop.blocks(), [](const BasicBlock *block) { return llvm::any_of(*block, is_lock_or_unlock); });
    if (!locked || call.arg_size() != positions || !call.getArgOperand(arguments_position)->getType()->isPointerTy())
        return;
    // An array of its own: what else lies in a user's variable may be another thread's as well.
    auto *array = dyn_cast<AllocaInst>(getUnderlyingObject(call.getArgOperand(arguments_position)));
    if (array && is_array_of_values(*array->getAllocatedType()))
        mark_as_arguments(const_cast<AllocaInst &>(*array));
}

// A raise inside a line: its tests come before it does anything, even before it looks whether there are handlers.
void LineBuilder::test_before_prologue(const RaiseEntry &raise, BasicBlock *original, std::vector<BuiltLine> &lines) {
    std::vector<FrontedLine> fronted;
    for (BuiltLine &built : lines) {
        FrontedLine &line = built.line;
        // The line's first blocks, its tests, become its front.
        line.front->getTerminator()->eraseFromParent();
        IRBuilder<>(line.front).CreateBr(line.entry);
        for (const Guard &test : built.guards)
            test.branch->setSuccessor(test.leave, line.otherwise);
        const Guard &last = built.guards.back();
        line.front = last.branch->getParent();
        line.entry = last.branch->getSuccessor(1 - last.leave);
        fronted.push_back(line);
    }
    move_fronts_up(raise, original, fronted);
}

// Says as what the call is unfolded when the line is evaluated.
void LineBuilder::take_in(CallBase *call, const PathNode &node, uint32_t position, unsigned depth, BuiltLine &built) {
    if (!should_take_in(*call, node, position, depth))
        return;
    Function *callee = call->getCalledFunction();
    std::string why_not = why_not_inlined(*call, *callee);
    if (why_not.empty())
        why_not = specializer::why_not_unfolded(*callee);
    if (!why_not.empty()) {
        built.merged.left[callee->getName().str()] = why_not;
        return leave_out_children(*callee, why_not, node, position);
    }
    if (depth == 0)
        handlers_.insert(call);
    Function *body = original_of(*callee);
    const auto planned = node.children.find(position);
    if (planned != node.children.end() &&
        llvm::any_of(planned->second, [&](const PathNode *child) { return leads_to(*callee, child->site, depth); }))
        body = with_lines(*body, node, position, depth, built);
    bodies_[call] = body;
}

// A copy of the body in which the raises that the plan saw there are straight lines.
Function *LineBuilder::with_lines(Function &body, const PathNode &node, uint32_t position, unsigned depth,
                                  BuiltLine &built) {
    Function *copy = copy_of(body, "thalweg.inside.");
    copies_.push_back(copy);
    SmallVector<CallBase *, 16> calls;
    for (Instruction &one : instructions(*copy))
        if (auto *call = dyn_cast<CallBase>(&one))
            calls.push_back(call);
    for (CallBase *call : calls) {
        if (call->getCalledFunction())
            take_in(call, node, position, depth + 1, built);
        else
            subsume(call, node, position, built);
    }
    return copy;
}

// Evaluates each line, with its handlers unfolded, from its entry to the stops. One that can't be stays a line of direct calls.
void LineBuilder::merge(Function &function, std::vector<BuiltLine> &lines, const Stops &stops) {
    for (const BuiltLine &built : lines)
        for (const Guard &guard : built.guards)
            mark(guard);
    // Ways that a line does not go still lead into it.
    EliminateUnreachableBlocks(function);
    for (BuiltLine &built : lines) {
        built.line.stops = stops;
        built.line.stops.insert(built.line.otherwise);
        if (built.alternative.merge) {
            const auto body = [this](CallBase &call, Function &callee, const specializer::Context &context) {
                return body_of(call, callee, context);
            };
            Merged merged = merge_handlers(built.line, analyses_, body);
            merged.left.merge(built.merged.left);
            built.merged = std::move(merged);
            if (!built.merged.why_not.empty())
                leave_out_all(*built.alternative.node, built.merged.why_not);
        }
        built.guards = marked_guards(reachable({built.line.entry}, built.line.stops, false).getArrayRef());
    }
    for (Function *copy : copies_) {
        analyses_.clear(*copy, copy->getName());
        copy->eraseFromParent();
    }
    copies_.clear();
}

// Nothing that is raised in a line that was not evaluated is part of it.
void LineBuilder::leave_out_all(const PathNode &node, const std::string &why_not) {
    for (const auto &[position, children] : node.children)
        for (const PathNode *child : children) {
            if (taken_in_.erase(child->decision->id) != 0)
                left_out_[child->decision->id] = why_not;
            leave_out_all(*child, why_not);
        }
}

Function *LineBuilder::original_of(Function &function) const {
    const auto pristine = pristine_.find(&function);
    return pristine == pristine_.end() ? &function : pristine->second;
}

// As what a call in a line is unfolded: handlers, the way to what they raise, and small functions that they call.
Function *LineBuilder::body_of(CallBase &call, Function &callee, const specializer::Context &context) const {
    if (const auto known = bodies_.find(&call); known != bodies_.end())
        return known->second;
    unsigned depth = 0;  // of calls inside the handler
    const specializer::Context *frame = &context;
    for (; frame->call && !handlers_.contains(frame->call); frame = frame->caller)
        ++depth;
    const bool is_in_handler = frame->call;
    return is_in_handler && depth < max_take_in_depth && is_small(callee) && why_not_inlined(call, callee).empty()
               ? original_of(callee)
               : nullptr;
}

// What is raised behind a function that stays a call stays outside the line.
void LineBuilder::leave_out_children(const Function &callee, StringRef why_not, const PathNode &node,
                                     uint32_t position) {
    const auto planned = node.children.find(position);
    if (planned == node.children.end())
        return;
    for (const PathNode *child : planned->second)
        if (leads_to(callee, child->site, 0))
            left_out_[child->decision->id] = fmt::format("{}, which leads to its raise, could not be taken in: {}",
                                                         callee.getName().str(), why_not.str());
}

// A dispatch inside a handler that was taken in becomes part of the line, if the plan says so.
void LineBuilder::subsume(CallBase *call, const PathNode &node, uint32_t position, BuiltLine &built) {
    const auto planned = node.children.find(position);
    if (planned == node.children.end())
        return;
    std::vector<Alternative> alternatives;
    for (const PathNode *child : planned->second)
        if (child->site == site_of(*call))
            alternatives.push_back({child, true});
    if (alternatives.empty())
        return;
    DominatorTree dominators(*call->getFunction());
    LoopInfo loops(dominators);
    Loop *loop = loops.getLoopFor(call->getParent());
    if (loop)
        bring_into_form(*loop, dominators, loops);
    const std::string why_not =
        loop ? why_no_line(*loop, dispatch_calls(*loop, loops), analyses_) : "it is in no loop any more";
    if (!why_not.empty()) {
        for (const Alternative &alternative : alternatives)
            left_out_[alternative.node->decision->id] = why_not;
        return;
    }
    for (const Alternative &alternative : alternatives)
        taken_in_.insert(alternative.node->decision->id);
    for (BuiltLine &inner : build(*loop, call, alternatives, Depth::inside)) {
        built.guards.insert(built.guards.end(), inner.guards.begin(), inner.guards.end());
        built.merged.left.merge(inner.merged.left);
    }
}

bool LineBuilder::is_small(const Function &callee) {
    return !callee.isDeclaration() && !callee.isIntrinsic() && !callee.getName().starts_with(abi::c_prefix) &&
           callee.getInstructionCount() <= small_callee_instructions;
}

bool LineBuilder::should_take_in(const CallBase &call, const PathNode &node, uint32_t position, unsigned depth) const {
    const Function *callee = call.getCalledFunction();
    if (!callee || callee->isDeclaration() || callee->isIntrinsic() || depth > max_take_in_depth ||
        callee->getName().starts_with(abi::c_prefix))
        return false;
    if (callee->getInstructionCount() > model::large_handler_instructions)
        return false;
    if (depth == 0)
        return !node.called.contains(position);
    const auto planned = node.children.find(position);
    return planned != node.children.end() &&
           llvm::any_of(planned->second, [&](const PathNode *child) { return leads_to(*callee, child->site, depth); });
}

// Whether the site lies in the function, or in one that it calls, not deeper than is taken in.
bool LineBuilder::leads_to(const Function &callee, uint32_t site, unsigned depth) const {
    SmallSetVector<const Function *, 32> here;
    here.insert(&callee);
    size_t looked_at = 0;
    for (; depth <= max_take_in_depth && here.size() <= max_functions_looked_at; ++depth)
        for (const size_t end = here.size(); looked_at < end; ++looked_at) {
            const auto body = pristine_.find(const_cast<Function *>(here[looked_at]));
            for (const Instruction &one : instructions(body == pristine_.end() ? *here[looked_at] : *body->second)) {
                if (site_of(one) == site)
                    return true;
                const auto *call = dyn_cast<CallBase>(&one);
                const Function *next = call ? call->getCalledFunction() : nullptr;
                if (next && !next->isDeclaration())
                    here.insert(next);
            }
        }
    return false;
}

// Empty when nothing stands against it.
std::string LineBuilder::why_not_inlined(CallBase &call, Function &callee) const {
    Function &caller = *call.getFunction();
    if (call.isNoInline() || callee.hasFnAttribute(Attribute::NoInline) || callee.hasOptNone())
        return "the program says that it is not to be inlined";
    if (callee.isInterposable())
        return "the loader may put another function in its place";
    if (!AttributeFuncs::areInlineCompatible(caller, callee) ||
        !analyses_.getResult<TargetIRAnalysis>(caller).areInlineCompatible(&caller, &callee))
        return "it is compiled for another target or with other flags";
    return {};
}

}  // namespace thalweg::transform
