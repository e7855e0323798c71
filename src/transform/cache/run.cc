// transform: follows all ways of a function at compile time, block by block.
#include "transform/cache/run.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/DebugInfoMetadata.h"

#include "transform/abstract/successor.h"

namespace thalweg::transform::cache {

using namespace llvm;

namespace {

// Instructions that one function is followed through. Setting up a key of Blowfish takes 150,000, a table for CRC-32 10,000.
constexpr uint64_t max_steps = 1u << 19;
// Rounds of a loop that may be left in each of them, before one stands for all: searches in short tables are shorter.
constexpr uint32_t max_undecided_rounds = 256;
// Rounds that a loop has of which nothing is known: what LLVM's block frequencies assume (LoopInfo's branch is taken 124 times of 128).
constexpr double rounds_of_unknown_loop = 32;

bool comes_to_an_end(const Loop &loop, const Function &function) {
    return function.mustProgress() || function.willReturn() || hasMustProgress(&loop);
}

}  // namespace

Run::Run(Function &function, const std::string &float_environment)
    : function_(function), float_environment_(float_environment), layout_(function.getDataLayout()),
      dominators_(function), loops_(dominators_), costs_(layout_) {
    number_blocks();
}

void Run::number_blocks() {
    uint32_t number = 0;
    for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function_)) {
        numbers_[block] = number++;
        double &cost = cost_of_[block];
        for (const Instruction &one : *block)
            if (const InstructionCost units = costs_.getInstructionCost(&one, TargetTransformInfo::TCK_SizeAndLatency);
                units.isValid())
                cost += static_cast<double>(*units.getValue());
    }
}

void Run::unknown(const std::string &why, const Instruction &where) {
    if (!refused_.empty())
        return;
    refused_ = why;
    if (const DILocation *line = where.getDebugLoc())
        refused_ += " (" + line->getFilename().str() + ":" + std::to_string(line->getLine()) + ")";
}

State Run::start() const {
    State state;
    state.weight = 1;
    for (const Argument &argument : function_.args())
        state.values[&argument] = argument.getType()->isPointerTy() ? abstract::pointer(argument, 0)
                                                                    : abstract::anything(*argument.getType());
    return state;
}

Known Run::read(const Value &value, const State &state) const {
    if (const auto *constant = dyn_cast<Constant>(&value))
        return abstract::of_constant(*constant, layout_);
    const auto known = state.values.find(&value);
    return known == state.values.end() ? abstract::anything(*value.getType()) : known->second;
}

void Run::run_once() {
    begin_again_ = false;
    undecided_.clear();
    waiting_.clear();
    first_read_.clear();
    may_write_.clear();
    values_.clear();
    not_null_.clear();
    end_.reset();
    any_end_.reset();
    instructions_ = 0;
    BasicBlock &entry = function_.getEntryBlock();
    waiting_.emplace(Moment{numbers_[&entry]}, std::pair(&entry, start()));
    while (!waiting_.empty() && !gave_up()) {
        auto next = waiting_.extract(waiting_.begin());
        block(next.key(), *next.mapped().first, std::move(next.mapped().second));
    }
}

void Run::block(const Moment &moment, BasicBlock &block, State state) {
    instructions_ += state.weight * cost_of_[&block];
    steps_ += block.size();
    if (steps_ > max_steps)
        return unknown("it takes too many steps to be followed", block.front());
    for (const Instruction &one : block)
        if (!isa<PHINode>(one) && !one.isTerminator()) {
            instruction(one, state);
            if (gave_up())
                return;
        }
    leave(moment, block, std::move(state));
}

void Run::leave(const Moment &moment, BasicBlock &block, State state) {
    const Instruction &end = *block.getTerminator();
    if (!isa<BranchInst, SwitchInst>(end))
        return finish(end, state);
    const auto next = abstract::possible_successors(end, [&](const Value &value) { return read(value, state); });
    if (next.size() > 1)
        for (const Loop *loop = loops_.getLoopFor(&block); loop; loop = loop->getParentLoop())
            if (any_of(next, [&](const BasicBlock *to) { return !loop->contains(to); }))
                undecided_.insert(loop);
    state.weight /= static_cast<double>(next.size());
    for (size_t i = 1; i < next.size(); ++i)
        follow(moment, block, *next[i], state);
    follow(moment, block, *next[0], std::move(state));
}

void Run::finish(const Instruction &end, State &state) {
    if (isa<UnreachableInst>(end))
        return join_done(any_end_, state);
    if (!isa<ReturnInst>(end))
        return unknown("it is left in another way than by a return", end);
    for (const Value *value : end.operand_values())
        if (isa<UndefValue>(value))
            return unknown("what it returns is not defined", end);
    for (const Value *value : end.operand_values())
        used_as_number(read(*value, state), end);
    join_done(end_, state);
}

Run::Moment Run::moment_after(const Moment &moment, const BasicBlock &from, const BasicBlock &to) const {
    SmallVector<const Loop *, 4> loops;
    for (const Loop *loop = loops_.getLoopFor(&to); loop; loop = loop->getParentLoop())
        loops.push_back(loop);
    Moment after;
    for (const Loop *loop : reverse(loops)) {
        const size_t at = after.size() + 1;
        const bool is_inside = loop->contains(&from);
        after.push_back(numbers_.lookup(loop->getHeader()));
        after.push_back(is_inside ? moment[at] + (loop->getHeader() == &to ? 1 : 0) : 0);
    }
    after.push_back(numbers_.lookup(&to));
    return after;
}

void Run::follow(const Moment &moment, BasicBlock &from, BasicBlock &to, State state) {
    const Loop *loop = loops_.getLoopFor(&to);
    const bool is_header = loop && loop->getHeader() == &to;
    const bool goes_round = is_header && loop->contains(&from);
    if (!goes_round && numbers_[&to] <= numbers_[&from])
        return unknown("its ways cross without being a loop", *from.getTerminator());
    pass_phis(from, to, state);
    if (goes_round && folded_.contains(loop)) {
        for (const PHINode &phi : to.phis())
            used_as_number(state.values[&phi], phi);
        return;
    }
    Moment after = moment_after(moment, from, to);
    if (goes_round && undecided_.contains(loop) && after[after.size() - 2] > max_undecided_rounds) {
        folded_.insert(loop);
        begin_again_ = true;
        return;
    }
    for (const Loop *left = loops_.getLoopFor(&from); left && !left->contains(&to); left = left->getParentLoop())
        if (folded_.contains(left))
            state.weight /= rounds_of_unknown_loop;
    if (is_header && folded_.contains(loop))
        enter_folded(*loop, state);
    const auto [known, added] = waiting_.try_emplace(std::move(after), &to, State());
    if (added)
        known->second.second = std::move(state);
    else
        join(known->second.second, state);
}

void Run::pass_phis(const BasicBlock &from, BasicBlock &to, State &state) {
    abstract::take_phis(
        from, to, [&](const Value &value) { return read(value, state); },
        [&](const PHINode &phi, const Known &value) { state.values[&phi] = value; });
}

void Run::enter_folded(const Loop &loop, State &state) {
    for (const PHINode &phi : loop.getHeader()->phis()) {
        used_as_number(state.values[&phi], phi);
        state.values[&phi] = abstract::anything(*phi.getType());
    }
    if (!comes_to_an_end(loop, function_))
        join_done(any_end_, state);
    state.weight *= rounds_of_unknown_loop;
}

void Run::join(State &state, const State &other) {
    SmallVector<const Value *, 8> lost;
    for (auto &[value, known] : state.values) {
        const auto found = other.values.find(value);
        if (found == other.values.end()) {
            lost.push_back(value);
            continue;
        }
        const Known both = abstract::either(known, found->second, *value->getType());
        if (both.base != known.base || both.base != found->second.base)
            for (const Known &one : {known, found->second})
                used_as_number(one, *function_.getEntryBlock().getTerminator());
        known = both;
    }
    for (const Value *value : lost)
        state.values.erase(value);
    std::optional<State> end = std::move(state);
    join_done(end, other);
    state = std::move(*end);
    state.weight += other.weight;
}

void Run::join_done(std::optional<State> &end, const State &other) {
    if (!end) {
        end.emplace();
        end->done = other.done;
        return;
    }
    for (auto &[object, done] : end->done) {
        const auto found = other.done.find(object);
        done = found == other.done.end()
                   ? Done{}
                   : Done{done.written.common(found->second.written), done.touched.common(found->second.touched)};
    }
}

}  // namespace thalweg::transform::cache
