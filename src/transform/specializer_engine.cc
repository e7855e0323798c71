// transform: the work list of the specialiser, its joins, and what it does when there is no end in sight.
#include "transform/specializer_engine.h"

#include "llvm/IR/MDBuilder.h"

#include "transform/specializer_evaluator.h"

namespace thalweg::transform::specializer {

using namespace llvm;

namespace {

// Versions of one place, each for other facts. An interpreted program has as many as instructions; libpcap's longest filters have
// some hundreds.
constexpr size_t max_versions = 512;
// Two results of a function, success and failure, are worth two versions of what comes after it; a number is not.
constexpr size_t max_versions_by_result = 3;
// Instructions of one residual function. LLVM's passes take seconds from some ten thousand on.
constexpr size_t max_instructions = 20000;
// Instructions written in one attempt, with those that were written again because their facts got weaker.
constexpr size_t max_emitted = 16 * max_instructions;
// Each attempt makes one more place coarse; with all of them coarse the residual is as large as what it was made from.
constexpr unsigned max_attempts = 12;

BasicBlock *edge_block(Residual &residual) { return residual.new_block("edge"); }

// Whether the states differ in nothing but what the call before `start` returned.
bool differ_in_result(const Spot &spot, const State &one, const State &other) {
    const Instruction *call = spot.start->getPrevNode();
    if (!call || !isa<CallBase>(call) || !call->getType()->isIntegerTy())
        return false;
    const Place place{spot.context->id, spot.context->info->number_of(call)};
    const AbstractValue mine = one.value_at(place);
    const AbstractValue theirs = other.value_at(place);
    return mine != theirs && mine.is_known() && theirs.is_known();
}

}  // namespace

Engine::Engine(Function &root, const Facts &facts, const Environment &environment)
    : root_(root), facts_(facts), environment_(environment) {}

Object &Engine::object(Object::Kind kind, Value *origin, const Context *context) {
    const auto [place, is_new] =
        object_ids_.try_emplace({kind, origin, context}, static_cast<unsigned>(objects_.size()));
    if (is_new)
        objects_.push_back({place->second, kind, origin, context, nullptr});
    return objects_[place->second];
}

Function *Engine::run() {
    const Context *root = environment_.contexts.root(root_);
    if (!root->info->obstacle().empty()) {
        gave_up_ = root->info->obstacle();
        return nullptr;
    }
    for (unsigned i = 0; i < max_attempts; ++i) {
        if (attempt())
            return &residual_->function();
        residual_->discard();
        if (!too_many_)
            break;
        coarsen(too_many_);
    }
    if (gave_up_.empty())
        gave_up_ =
            fmt::format("no end in sight after {} attempts: more than {} instructions", max_attempts, max_instructions);
    return nullptr;
}

void Engine::coarsen(const Instruction *start) { coarse_.insert(start); }

bool Engine::attempt() {
    residual_.emplace(root_);
    entries_.clear();
    by_spot_.clear();
    open_.clear();
    counts_ = {};
    emitted_ = 0;
    too_many_ = nullptr;
    for (Object &object : objects_)
        object.base = nullptr;
    begin();
    while (!open_.empty()) {
        Entry &entry = *open_.back();
        open_.pop_back();
        entry.queued = false;
        clear(entry);
        Evaluator(*this, entry).run();
        if (is_exhausted())
            return false;
    }
    fill_edges();
    residual_->finish();
    counts_.instructions = residual_->function().getInstructionCount();
    return true;
}

// Which place has the most versions is told in `too_many_`: all states are to meet there in the next attempt.
bool Engine::is_exhausted() {
    if (too_many_)
        return true;
    if (emitted_ <= max_emitted && residual_->function().size() <= max_instructions)
        return false;
    size_t most = 1;
    for (const auto &[spot, versions] : by_spot_)
        if (versions.size() > most) {
            most = versions.size();
            too_many_ = versions.front()->spot.start;
        }
    return true;
}

void Engine::begin() {
    const Context *context = environment_.contexts.root(root_);
    State state;
    state.context = context;
    IRBuilder<> builder(residual_->start());
    for (Argument &argument : root_.args()) {
        const Place place{context->id, context->info->number_of(&argument)};
        Argument *own = residual_->function().getArg(argument.getArgNo());
        own->setName(argument.getName());
        if (argument.getType()->isPointerTy()) {
            Object &behind = object(Object::Kind::argument, &argument, context);
            behind.base = own;
            expected_[behind.id] = facts_.behind_argument(argument.getArgNo());
            state.set(place, AbstractValue::pointer(&behind, 0));
        } else {
            builder.CreateStore(own, residual_->variable(place, own->getType()));
        }
    }
    entries_.push_back({{context, nullptr, false}, state, residual_->start(), false, {}, {}});
    first_ = &entries_.back();
    test_arguments(std::move(state), facts_.arguments().begin(), residual_->start());
}

void Engine::test_arguments(State state, std::map<unsigned, ExpectedValue>::const_iterator next, BasicBlock *block) {
    Instruction *start = root_.getEntryBlock().getFirstNonPHI();
    if (next == facts_.arguments().end())
        return arrive(*first_, block, std::move(state), start);
    const auto &[number, expected] = *next++;
    Argument *argument = residual_->function().getArg(number);
    const Place place{state.context->id, number};
    IRBuilder<> builder(block);
    for (Constant *value : expected.values) {
        State fits = state;
        fits.set(place, AbstractValue::known(value));
        if (expected.trusted)
            return test_arguments(std::move(fits), next, block);
        BasicBlock *yes = edge_block(*residual_);
        BasicBlock *no = edge_block(*residual_);
        builder.CreateCondBr(builder.CreateICmpEQ(argument, value), yes, no,
                             MDBuilder(root_.getContext()).createLikelyBranchWeights());
        ++counts_.guards;
        test_arguments(std::move(fits), next, yes);
        builder.SetInsertPoint(no);
    }
    state.generic = true;
    arrive(*first_, builder.GetInsertBlock(), std::move(state), start);
}

void Engine::arrive(Entry &from, BasicBlock *block, State state, Instruction *start) {
    state.prune(start);
    Entry &target = pick({state.context, start, state.generic}, state);
    BranchInst::Create(target.block, block);
    from.edges.push_back({block, std::move(state), &target});
}

Entry &Engine::pick(const Spot &spot, const State &state) {
    const SpotKey key{spot.context->id, spot.context->info->number_of(spot.start), spot.generic};
    std::vector<Entry *> &versions = by_spot_[key];
    if (versions.empty())
        return add_entry(versions, spot, state);
    if (spot.generic || coarse_.contains(spot.start)) {
        join(*versions.front(), state);
        return *versions.front();
    }
    Entry *fitting = nullptr;
    for (Entry *entry : versions) {
        if (entry->state.values == state.values && entry->state.memory == state.memory)
            return *entry;
        if (!fitting && keys_.agree(entry->state, state) &&
            !(versions.size() < max_versions_by_result && differ_in_result(spot, entry->state, state)))
            fitting = entry;
    }
    // Nothing was decided at run time since: a loop whose course is known, and it is unrolled.
    const bool unrolls = fitting && fitting->state.trace == state.trace;
    if (fitting && !unrolls) {
        join(*fitting, state);
        return *fitting;
    }
    if (versions.size() >= max_versions)
        too_many_ = spot.start;
    return add_entry(versions, spot, state);
}

Entry &Engine::add_entry(std::vector<Entry *> &versions, const Spot &spot, const State &state) {
    entries_.push_back({spot, state, residual_->new_block(spot.start->getParent()->getName()), false, {}, {}});
    versions.push_back(&entries_.back());
    queue(entries_.back());
    return entries_.back();
}

void Engine::join(Entry &entry, const State &state) {
    const bool same_way = entry.state.trace == state.trace;
    if (!entry.state.meet(state))
        return;
    if (!same_way)
        entry.state.trace = new_trace();
    queue(entry);
}

void Engine::queue(Entry &entry) {
    if (entry.queued)
        return;
    entry.queued = true;
    open_.push_back(&entry);
}

void Engine::clear(Entry &entry) {
    for (const Edge &edge : entry.edges)
        if (!is_contained(entry.blocks, edge.block))
            entry.blocks.push_back(edge.block);
    entry.edges.clear();
    std::erase(entry.blocks, entry.block);
    entry.block->dropAllReferences();
    for (BasicBlock *block : entry.blocks)
        block->dropAllReferences();
    for (BasicBlock *block : entry.blocks)
        block->eraseFromParent();
    entry.blocks.clear();
    while (!entry.block->empty())
        entry.block->back().eraseFromParent();
}

// What the target keeps in a variable, but this way knows, is written into the variable on this way.
void Engine::fill(Edge &edge) {
    IRBuilder<> builder(edge.block->getTerminator());
    for (const auto &[place, value] : edge.state.values) {
        if (!value.is_static() || edge.target->state.value_at(place).is_static())
            continue;
        Type *type = environment_.contexts.by_id(place.context).info->value_of(place.number)->getType();
        builder.CreateStore(residual_->write(value, type, builder), residual_->variable(place, type));
    }
}

void Engine::fill_edges() {
    for (Entry &entry : entries_)
        for (Edge &edge : entry.edges)
            fill(edge);
}

}  // namespace thalweg::transform::specializer
