// transform: builds the straight lines of one dispatch site.
#include "transform/event/line_builder.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <thalweg/thalweg.h>

#include "abi/names.h"
#include "transform/event/handler_merge.h"
#include "transform/event/prologue.h"
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

// Until guards are gathered at the front nothing fails there, but what comes after a failure has to be reachable.
void open_front(const FrontedLine &line, const DebugLoc &location) {
    IRBuilder<> builder(line.front);
    builder.SetCurrentDebugLocation(location);
    mark_leave(*builder.CreateCondBr(builder.getTrue(), line.entry, line.otherwise), 1);
}

void make_certain(BranchInst *branch, unsigned successor) {
    branch->getSuccessor(1 - successor)->removePredecessor(branch->getParent(), true);
    BranchInst *certain = BranchInst::Create(branch->getSuccessor(successor), branch->getIterator());
    certain->setDebugLoc(branch->getDebugLoc());
    branch->eraseFromParent();
}

// What the runtime's `path` word stands for: as many handlers as recorded, then the end of the list.
void assume_length(const StraightLine &line, const Loop &loop, const EventLoop &event) {
    BranchInst *go_on = continue_branch(loop, event.changed);
    const unsigned inside = loop.contains(go_on->getSuccessor(0)) ? 0 : 1;
    for (size_t k = 0; k < line.iterations.size(); ++k) {
        auto *branch = cast<BranchInst>(block_in(line.iterations[k], loop, go_on->getParent())->getTerminator());
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

void call_directly(CallBase &call, const PathTarget &target) {
    call.setCalledOperand(target.function);
    forget_site(call);
    call.setMetadata(LLVMContext::MD_prof, isa<InvokeInst>(call) ? likely(call.getContext()) : nullptr);
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

std::string why_no_line(const Loop &loop, ArrayRef<CallBase *> calls) {
    if (!loop.isLoopSimplifyForm())
        return "its loop cannot be brought into simple form";
    const bool allocates = llvm::any_of(loop.blocks(), [](const BasicBlock *block) {
        return llvm::any_of(*block, [](const Instruction &one) { return isa<AllocaInst>(one); });
    });
    if (allocates)
        return "its iterations make variables on the stack whose size is computed";
    const EventLoop event = event_loop(loop);
    if (event.core)
        return continue_branch(loop, event.changed) ? "" : "its raise has more than one way to end";
    return end_test(loop, calls) ? "" : "its iterations do not all ask whether the list ends";
}

std::string why_no_line(const Loop &loop, ArrayRef<CallBase *> calls, ArrayRef<Alternative> alternatives) {
    for (const Alternative &alternative : alternatives)
        for (const unsigned number : alternative.node->calls)
            if (number >= calls.size() || ordinal_in_site(*calls[number]) != number)
                return "its loop has not all the calls that were recorded";
    return why_no_line(loop, calls);
}

// A raise's iterations only look at the event before they call, whatever else LLVM may have put there.
bool LineBuilder::begins_again(const Loop &loop, ArrayRef<CallBase *> calls) const {
    if (event_loop(loop).core)
        return true;
    Function &function = *loop.getHeader()->getParent();
    analyses_.invalidate(function, PreservedAnalyses::none());
    return calls.size() == 1 && !acts_before(loop, calls.front(), analyses_.getResult<AAManager>(function));
}

std::vector<BuiltLine> LineBuilder::build(Loop &loop, ArrayRef<CallBase *> calls, ArrayRef<Alternative> alternatives,
                                          Depth depth) {
    BasicBlock *preheader = loop.getLoopPreheader();
    BasicBlock *header = loop.getHeader();
    const DebugLoc location = calls.front()->getDebugLoc();
    const std::vector<Value *> state = entry_state(loop);
    Leaves leaves(loop, begins_again(loop, calls));
    std::vector<StraightLine> straight(alternatives.size());
    BasicBlock *original = new_block("thalweg.original", header);
    const EventLoop event = event_loop(loop);
    const RaiseEntry raise = event.core ? find_entry(loop, event.core) : RaiseEntry{};
    std::vector<BuiltLine> lines(alternatives.size());
    BasicBlock *otherwise = original;
    for (size_t i = alternatives.size(); i-- > 0;) {
        lines[i] = build_line(loop, calls, alternatives[i], state, raise, otherwise, straight[i], leaves);
        otherwise = lines[i].line.front;
    }
    leaves.connect();
    for (BuiltLine &built : lines)
        built.line.stops.insert(leaves.ends().begin(), leaves.ends().end());
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

BuiltLine LineBuilder::build_line(Loop &loop, ArrayRef<CallBase *> calls, const Alternative &alternative,
                                  const std::vector<Value *> &entry_state, const RaiseEntry &raise,
                                  BasicBlock *otherwise, StraightLine &line, Leaves &leaves) {
    const PathNode &node = *alternative.node;
    const EventLoop event = event_loop(loop);
    BasicBlock *header = loop.getHeader();
    const std::vector<Round> rounds = rounds_of(loop, calls, node.calls);
    const auto count = static_cast<unsigned>(rounds.size());
    const std::optional<EndTest> end = event.core ? std::nullopt : end_test(loop, calls);
    line = copy_iterations(loop, calls, end && end->before_calls ? count + 1 : count, entry_state);
    BuiltLine built;
    built.alternative = alternative;
    built.line.front = new_block("thalweg.front", header);
    built.line.otherwise = otherwise;
    for (unsigned k = 0; k < count; ++k)
        for (const unsigned number : rounds[k])
            built.calls.push_back(line.iterations[k].calls[number]);
    if (event.core) {
        assume_length(line, loop, event);
        for (const Iteration &copy : line.iterations)
            mark_changed_exits(copy, event.changed);
        merge_locks(line, event.changed);
        note_arguments(*calls.front(), loop);
        test_path(event, node, raise, header, line.iterations.front().header, entry_state, built);
    } else {
        built.line.entry = line.iterations.front().header;
        test_length(line, loop, *end, leaves, built.guards);
        test_slots(loop, calls, node, rounds, line, leaves, built);
    }
    open_front(built.line, calls.front()->getDebugLoc());
    for (size_t k = 0; k < built.calls.size(); ++k) {
        if (node.targets[k].function)
            call_directly(*built.calls[k], node.targets[k]);
        else
            forget_site(*built.calls[k]);
    }
    return built;
}

// Each iteration makes the recorded calls, and no others where it can turn off before them.
void LineBuilder::test_slots(const Loop &loop, ArrayRef<CallBase *> calls, const PathNode &node, ArrayRef<Round> rounds,
                             const StraightLine &line, Leaves &leaves, BuiltLine &built) {
    for (size_t k = 0; k < rounds.size(); ++k)
        test_turnings(line.iterations[k], loop, turnings(loop, calls, rounds[k]), leaves, built.guards);
    const auto each = [&](const auto &test) {
        size_t target = 0;
        for (size_t k = 0; k < rounds.size(); ++k)
            for (const unsigned number : rounds[k])
                if (const PathTarget &one = node.targets[target++]; one.function)
                    test(line.iterations[k], *calls[number], one);
    };
    each([&](const Iteration &copy, CallBase &call, const PathTarget &target) {
        test_beside(copy, loop, call, *target.function, leaves, built.guards);
    });
    each([&](const Iteration &copy, CallBase &call, const PathTarget &target) {
        test_target(copy, call, target, leaves, built.guards);
    });
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
        built.line.stops.insert(stops.begin(), stops.end());
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
    const std::vector<CallBase *> calls =
        loop ? calls_of_site(*loop, loops, site_of(*call)) : std::vector<CallBase *>();
    if (loop && calls.front() != call)
        return;
    const std::string why_not = loop ? why_no_line(*loop, calls, alternatives) : "it is in no loop any more";
    if (!why_not.empty()) {
        for (const Alternative &alternative : alternatives)
            left_out_[alternative.node->decision->id] = why_not;
        return;
    }
    for (const Alternative &alternative : alternatives)
        taken_in_.insert(alternative.node->decision->id);
    for (BuiltLine &inner : build(*loop, calls, alternatives, Depth::inside)) {
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
    if (call.getAttributes().hasFnAttr(Attribute::NoInline))
        return "the program says that it is not to be inlined";
    if (callee.isInterposable())
        return "the loader may put another function in its place";
    if (!AttributeFuncs::areInlineCompatible(caller, callee) ||
        !analyses_.getResult<TargetIRAnalysis>(caller).areInlineCompatible(&caller, &callee))
        return "it is compiled for another target or with other flags";
    return {};
}

}  // namespace thalweg::transform
