// transform: the work list of the specialiser, its joins, and what it does when there is no end in sight.
#include "transform/specializer/engine.h"

#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"

#include "transform/ir/hot_path.h"
#include "transform/specializer/apart.h"
#include "transform/specializer/copies.h"
#include "transform/specializer/evaluator.h"
#include "transform/specializer/tidy.h"

namespace thalweg::transform::specializer {

using namespace llvm;

namespace {

// Instructions written in one attempt for each that there may be in the end: most are written again, their facts got weaker.
constexpr size_t written_an_instruction = 16;
// From more instructions than this LLVM's cheapest passes take enough to be worth their time before they are counted: of nanopb's encoder
// 13,000 of 17,000, in a tenth of a second.
constexpr unsigned large_residual = 2000;
// Points of the residual program, and how often one is looked at in an attempt, again when its facts got weaker. A message of
// nanopb's with sixteen fields and two more inside is some 6,800 points, looked at 8,800 times.
constexpr size_t max_entries = 8000;
constexpr size_t max_visits = 4 * max_entries;
// The same over all attempts. Each has one more key, or one more place where all states meet: Sun RPC takes 5 of them, nanopb 3.
// So many looks take some seconds.
constexpr size_t full_attempts = 3;
// What has used up its looks in attempts none of which took more than this part of them is on its way to an end: of the first eleven for
// protobuf-c's encoder each takes 1,000 of 8,000 at most. Those layers of Sun RPC that have no end had looked at 4,000 in one attempt.
constexpr size_t small_part = 4;
// And then each may take three times as much: of protobuf-c's the largest takes 5,996; grep's prline, which has no end, comes to 3,317 and then 8,751.
constexpr size_t largest_small_step = 3;
// Points of one attempt for each branch that it decides and each call that it resolves, from so many points on: of 70 layers that were made of the
// board's programs and those of five benchmarks, the nine that looked at more points decide at every twelfth or oftener, smaller ones at every
// forty-fifth. Where the state is data (m4's eval_lex, grep's dfaexec_main) it is every fiftieth to three hundred and fiftieth.
constexpr size_t most_points_a_decision = 32;
constexpr size_t points_before_that_is_asked = 1000;
// So many places are made to meet for that: the layers that came to an end then needed one or two (gawk's str_exists, r_get_field), and one four.
constexpr size_t most_places_of_data = 4;

BasicBlock *edge_block(Residual &residual) { return residual.new_block("edge"); }

// Success and failure of a function, as C programs tell them, are worth two versions of what comes after it; other numbers are not.
bool is_status(const AbstractValue &value) {
    const auto *number = value.is_known() ? dyn_cast<ConstantInt>(value.constant) : nullptr;
    return number && (number->isZero() || number->isOne() || number->isMinusOne());
}

// Whether a value is what its function returns, or decides it.
bool is_returned(const Value &value) {
    return any_of(value.users(), [](const User *user) {
        return isa<ReturnInst>(user) || (isa<CastInst, ICmpInst>(user) && any_of(user->users(), [](const User *next) {
                                             return isa<ReturnInst, ZExtInst>(next);
                                         }));
    });
}

// Whether success is on its way to the caller in the one state and failure in the other (return sensitivity, tempo-sunrpc
// section 3.6).
bool differ_in_result(const Spot &spot, const State &one, const State &other) {
    auto differs = [&](const Instruction &result) {
        const Place place{spot.context->id, spot.context->info->number_of(&result)};
        const AbstractValue mine = one.value_at(place);
        const AbstractValue theirs = other.value_at(place);
        return mine != theirs && is_status(mine) && is_status(theirs);
    };
    const Instruction *before = spot.start->getPrevNode();
    if (before && isa<CallBase>(before) && differs(*before))
        return true;
    return any_of(spot.start->getParent()->phis(),
                  [&](const PHINode &phi) { return is_returned(phi) && differs(phi); });
}

}  // namespace

Engine::Engine(Function &root, const Facts &facts, const Environment &environment)
    : root_(root), facts_(facts), environment_(environment), keys_(environment.contexts),
      types_(*environment.libraries), locations_(root) {}

Object &Engine::object(Object::Kind kind, Value *origin, const Context *context) {
    const auto [place, is_new] =
        object_ids_.try_emplace({kind, origin, context}, static_cast<unsigned>(objects_.size()));
    if (is_new)
        objects_.push_back({place->second, kind, origin, context, nullptr});
    return objects_[place->second];
}

Function *Engine::run() {
    const Context *root = environment_.contexts.root(root_);
    if (!environment_.part && !root->info->obstacle().empty()) {
        gave_up_ = root->info->obstacle();
        return nullptr;
    }
    max_looks_ = std::min(full_attempts * most_visits(), environment_.max_looks);
    while (looks_ < max_looks_) {
        const bool done = attempt();
        looks_ += visits_ + 1;
        largest_attempt_ = std::max(largest_attempt_, visits_);
        if (done)
            return &residual_->function();
        residual_->discard();
        if (too_many_ && !again_)
            coarse_.insert(too_many_);
        else if (!again_)
            break;
    }
    if (gave_up_.empty())
        gave_up_ = fmt::format("no end in sight: {} points of the program looked at", std::min(looks_, max_looks_));
    return nullptr;
}

bool Engine::attempt() {
    residual_.emplace(root_);
    entries_.clear();
    by_spot_.clear();
    open_.clear();
    counts_ = {};
    emitted_ = 0;
    visits_ = 0;
    too_many_ = nullptr;
    again_ = false;
    lost_ = {};
    keys_.begin_attempt();
    times_.begin_attempt();
    regions_.begin_attempt();
    for (Object &object : objects_)
        object.base = nullptr;
    begin();
    while (!open_.empty()) {
        Entry &entry = entries_[open_.begin()->second];
        open_.erase(open_.begin());
        ++visits_;
        clear(entry);
        times_.begin_entry(entry.number);
        if (entry.spot.gate)
            open_gate(entry);
        else
            Evaluator(*this, entry).run();
        again_ = keys_.has_lost(lost_);
        if (again_ || is_exhausted())
            return false;
        const bool is_large_step =
            is_in_small_steps_ && visits_ > largest_small_step * environment_.max_looks / small_part;
        if (!open_.empty() && (is_large_step || (looks_ + visits_ >= max_looks_ && !takes_small_steps())))
            return false;
    }
    fill_edges();
    residual_->connect();
    if (root_.getEntryCount())
        counts_.work = work_of_original();
    residual_->simplify();
    if (!guard_regions())
        return false;
    // What is left of a part refers to locals of the root's: others use them too.
    if (!environment_.part)
        write_small_copies(residual_->function());
    if (!environment_.part && residual_->function().getInstructionCount() > large_residual)
        tidy(residual_->function());
    counts_.instructions = residual_->function().getInstructionCount();
    if (counts_.instructions <= environment_.max_instructions)
        return true;
    gave_up_ = fmt::format("it would have {} instructions, at most {} are allowed", counts_.instructions,
                           environment_.max_instructions);
    return false;
}

// What the residual's branches say is executed, in the original's instructions: as much as it executes, if they say the truth.
double Engine::work_of_original() {
    DenseMap<const BasicBlock *, double> work;
    for (const Entry &entry : entries_)
        for (const auto &[block, once] : entry.work)
            work[block] += once;
    Function &function = residual_->function();
    DominatorTree dominators(function);
    const LoopInfo loops(dominators);
    const BranchProbabilityInfo probabilities(function, loops);
    const BlockFrequencyInfo frequencies(function, probabilities, loops);
    double sum = 0;
    for (const BasicBlock &block : function)
        sum += work.lookup(&block) * static_cast<double>(frequencies.getBlockFreq(&block).getFrequency());
    return sum / static_cast<double>(frequencies.getEntryFreq().getFrequency());
}

// True: there are more looks now. Once.
bool Engine::takes_small_steps() {
    const bool has_more = environment_.max_looks_in_small_steps > max_looks_;
    if (!has_more || std::max(largest_attempt_, visits_) > environment_.max_looks / small_part)
        return false;
    is_in_small_steps_ = true;
    max_looks_ = environment_.max_looks_in_small_steps;
    return true;
}

// What is data is copied, state for state, and next to nothing is decided.
bool Engine::copies_data() const {
    return environment_.gives_up_on_data && visits_ >= points_before_that_is_asked &&
           (size_t{counts_.decided} + counts_.resolved) * most_points_a_decision < visits_;
}

// False: the next attempt is made with other regions.
bool Engine::guard_regions() {
    if (regions_.take_wanted(types_) || regions_.take_first_tests()) {
        again_ = true;
        return false;
    }
    const ApartGuards written = write_apart_guards(residual_->function(), regions_);
    counts_.regions = written.written;
    for (const unsigned id : written.impossible)
        regions_.ban(id);
    again_ = written.again;
    return !again_;
}

// What looks at more points than it may have instructions would not be small enough: nanopb looks 8,800 times and has 4,000, 17,000 before
// LLVM has looked at them.
size_t Engine::most_visits() const { return std::min<size_t>(max_visits, environment_.max_instructions); }

// Which place has the most versions is told in `too_many_`: all states are to meet there in the next attempt.
bool Engine::is_exhausted() {
    if (too_many_)
        return true;
    const bool of_data = copies_data();
    if (!of_data && emitted_ <= written_an_instruction * environment_.max_instructions &&
        entries_.size() <= max_entries && visits_ <= max_visits)
        return false;
    if (of_data && ++places_of_data_ > most_places_of_data) {
        gave_up_ = fmt::format("it is steered by data, as a state machine is: of {} points that were looked at {} are "
                               "decided, one in {} must be",
                               visits_, counts_.decided + counts_.resolved, most_points_a_decision);
        return true;
    }
    size_t most = 1;
    for (const auto &[spot, versions] : by_spot_)
        if (versions.size() > most) {
            most = versions.size();
            too_many_ = versions.front().spot.start;
        }
    return true;
}

void Engine::begin() {
    const Context *context = environment_.contexts.root(root_);
    State state;
    state.context = context;
    for (Argument &argument : root_.args()) {
        Argument *own = residual_->function().getArg(argument.getArgNo());
        own->setName(argument.getName());
        take_input(argument, own, state);
        if (argument.getType()->isPointerTy())
            expected_[object(Object::Kind::argument, &argument, context).id] =
                facts_.behind_argument(argument.getArgNo());
    }
    if (environment_.part)
        for (Instruction *input : environment_.part->inputs)
            take_input(*input, input, state);
    entries_.push_back({{context, nullptr}, state, residual_->start(), 0, {}, {}});
    first_ = &entries_.back();
    for (const Argument &argument : root_.args())
        if (!argument.getType()->isPointerTy() && !facts_.arguments().contains(argument.getArgNo()))
            times_.note(first_->number, Reason{.why = Why::argument, .what = &argument});
    test_arguments(std::move(state), facts_.arguments().begin(), residual_->start());
}

Instruction *Engine::first_instruction() const {
    return (environment_.part ? *environment_.part->entry : root_.getEntryBlock()).getFirstNonPHI();
}

// An argument, or what is computed before a part of a function; `own`: the same in the residual program.
void Engine::take_input(Value &input, Value *own, State &state) {
    const Place place{state.context->id, state.context->info->number_of(&input)};
    if (!input.getType()->isPointerTy()) {
        IRBuilder<>(residual_->start()).CreateStore(own, residual_->variable(place, own->getType()));
        return;
    }
    Object &behind = object(Object::Kind::argument, &input, state.context);
    behind.base = own;
    state.set(place, AbstractValue::pointer(&behind, 0));
}

void Engine::test_arguments(State state, std::map<unsigned, ExpectedValue>::const_iterator next, BasicBlock *block) {
    Instruction *start = first_instruction();
    if (next == facts_.arguments().end())
        return arrive(*first_, block, std::move(state), start);
    const auto &[number, expected] = *next++;
    times_.note(first_->number, nullptr, expected.trusted ? Done::trusted : Done::tested);
    Value *argument = residual_->function().getArg(number);
    const Place place{state.context->id, number};
    IRBuilder<> builder(block);
    if (!isGuaranteedNotToBeUndefOrPoison(argument))
        argument = builder.CreateFreeze(argument);
    for (size_t left = expected.values.size(); Constant * value : expected.values) {
        State fits = state;
        fits.set(place, AbstractValue::known(value));
        if (expected.trusted)
            return test_arguments(std::move(fits), next, block);
        BasicBlock *yes = edge_block(*residual_);
        BasicBlock *no = edge_block(*residual_);
        BranchInst *test =
            builder.CreateCondBr(builder.CreateICmpEQ(argument, value), yes, no, one_of(left--, root_.getContext()));
        if (value == expected.values.back())
            mark_leave(*test, 1);
        ++counts_.guards;
        test_arguments(std::move(fits), next, yes);
        builder.SetInsertPoint(no);
    }
    leave(*first_, builder.GetInsertBlock(), std::move(state), start);
}

// Of what is larger LLVM keeps no parts in registers: an array. A second one would double what a nested call of the function takes of the stack
// (libuv's uv_run, with 12 KiB for what epoll_wait says), and to copy it costs more than what is left to do where a fact fails.
constexpr uint64_t largest_local_of_its_own = 1024;

static bool is_small(const Object &local, const DataLayout &layout) {
    // Not of its origin, which is an argument where a structure was handed over by value.
    const auto size = cast<AllocaInst>(local.base)->getAllocationSize(layout);
    return !size || size->getFixedValue() <= largest_local_of_its_own;
}

// Locals that are still needed and whose address no one has who can't be told of another.
std::vector<Object *> Engine::hidden_locals(const State &state) {
    std::map<unsigned, Object *> found;
    auto look = [&](Object *object) {
        if (object && object->kind == Object::Kind::local && !state.memory.is_exposed(*object))
            found[object->id] = object;
    };
    for (const auto &[place, value] : state.values)
        look(value.object);
    for (const auto &[place, cell] : state.memory.cells()) {
        look(cell.value.object);
        look(&objects_[place.object]);
    }
    // An address that was computed at run time can't be told of another.
    for (const auto &[place, value] : state.values)
        if (value.kind == AbstractValue::Kind::within)
            found.erase(value.object->id);
    std::vector<Object *> locals;
    for (const auto &[id, object] : found)
        if (is_small(*object, root_.getDataLayout()))
            locals.push_back(object);
    return locals;
}

static bool is_lifetime_mark(const User *user) {
    const auto *intrinsic = dyn_cast<IntrinsicInst>(user);
    return intrinsic && intrinsic->isLifetimeStartOrEnd();
}

// Generic code hands the addresses of locals to whatever it calls. It gets locals of its own, so that LLVM need not think of
// this where the facts hold, and keeps those in registers. Their lives begin here, in the midst of those of the others: where one is not marked as
// living, LLVM may put another variable in its place.
void Engine::leave(Entry &from, BasicBlock *block, State state, Instruction *start) {
    state.prune(start);
    IRBuilder<> builder(block);
    if (environment_.left)
        builder.CreateCall(environment_.left);
    if (state.region != 0)
        write_end_of_assumptions(builder);
    for (Object *local : hidden_locals(state)) {
        Object &twin = object(Object::Kind::twin, local->origin, local->context);
        if (!twin.base)
            twin.base = residual_->local(*local->origin);
        const auto &alloca = cast<AllocaInst>(*twin.base);
        const TypeSize size = *alloca.getAllocationSize(root_.getDataLayout());
        if (any_of(local->origin->users(), is_lifetime_mark))
            builder.CreateLifetimeStart(twin.base, builder.getInt64(size.getFixedValue()));
        builder.CreateMemCpy(twin.base, alloca.getAlign(), local->base, alloca.getAlign(), size);
        state.replace(*local, &twin);
    }
    for (const auto &[place, cell] : state.memory.cells())
        if (cell.value.is_pointer() && cell.value.object->kind == Object::Kind::twin)
            builder.CreateStore(residual_->write(cell.value, builder.getPtrTy(), builder),
                                residual_->address(objects_[place.object], place.offset, builder));
    state.generic = true;
    arrive(from, block, std::move(state), start);
}

void Engine::arrive(Entry &from, BasicBlock *block, State state, Instruction *start) {
    state.prune(start);
    if (state.region != 0 && (state.generic || !regions_.contains(state.region, state.context, *start))) {
        state.region = 0;
        state.later_round = false;
        state.apart.clear();
    }
    const bool enters = enters_region(state, *start);
    link(from, block, std::move(state), start, enters);
}

Engine::SpotKey Engine::key_of(const Spot &spot) {
    return {spot.context->id, spot.context->info->number_of(spot.start), spot.generic, spot.gate, spot.region,
            spot.later_round};
}

void Engine::link(Entry &from, BasicBlock *block, State state, Instruction *start, bool gate) {
    state.later_round |= knows_more_than_first_round(state, *start);
    Entry &target = pick({state.context, start, state.generic, gate, state.later_round, state.region}, state);
    BranchInst::Create(target.block, block);
    from.edges.push_back({block, std::move(state), &target});
}

Entry &Engine::pick(const Spot &spot, const State &state) {
    Versions &versions = by_spot_[key_of(spot)];
    if (versions.empty())
        return add_entry(versions, spot, state);
    if (spot.generic || spot.gate || coarse_.contains(spot.start)) {
        if (coarse_.contains(spot.start))
            times_.note_way(versions.front().number, {.why = Why::all_meet, .at = spot.start});
        join(versions.front(), state);
        return versions.front();
    }
    Entry *fitting = nullptr;
    for (Entry *entry : versions.candidates(state, keys_)) {
        if (!keys_.agree(entry->state, state))
            continue;
        if (entry->state.values == state.values && entry->state.memory == state.memory)
            return *entry;
        if (!fitting && !differ_in_result(spot, entry->state, state))
            fitting = entry;
    }
    // Nothing was decided at run time since: a loop whose course is known, and it is unrolled.
    const bool unrolls = environment_.unrolls && fitting && fitting->state.trace == state.trace;
    if (fitting && !unrolls) {
        join(*fitting, state);
        return *fitting;
    }
    if (versions.size() >= environment_.max_versions)
        too_many_ = spot.start;
    return add_entry(versions, spot, state);
}

Entry &Engine::add_entry(Versions &versions, const Spot &spot, const State &state) {
    const auto number = static_cast<unsigned>(entries_.size());
    entries_.push_back({spot, state, residual_->new_block(spot.start->getParent()->getName()), number, {}, {}});
    versions.add(entries_.back(), keys_);
    queue(entries_.back());
    return entries_.back();
}

void Engine::join(Entry &entry, const State &state) {
    const bool same_way = entry.state.trace == state.trace;
    if (!entry.state.meet(state, lost_))
        return;
    if (!same_way)
        entry.state.trace = new_trace();
    queue(entry);
}

void Engine::queue(Entry &entry) {
    Position position = entry.spot.context->position;
    position.push_back(entry.spot.context->info->number_of(entry.spot.start));
    open_.emplace(std::move(position), entry.number);
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
    entry.work.clear();
    while (!entry.block->empty())
        entry.block->back().eraseFromParent();
}

// What the target keeps in a variable, but this way knows, is written into the variable on this way.
void Engine::fill(Edge &edge) {
    IRBuilder<> builder(edge.block->getTerminator());
    for (const auto &[place, value] : std::as_const(edge.state.values)) {
        if (!value.is_static() || edge.target->state.value_at(place).is_static())
            continue;
        const Value *original = environment_.contexts.by_id(place.context).info->value_of(place.number);
        Type *type = original->getType();
        builder.CreateStore(residual_->write(value, type, builder), residual_->variable(place, type));
        times_.note_way(edge.target->number, {.why = Why::joined, .at = edge.target->spot.start, .what = original});
    }
}

void Engine::fill_edges() {
    for (Entry &entry : entries_)
        for (Edge &edge : entry.edges)
            fill(edge);
}

// Of what is reached on the way where facts hold.
std::vector<model::FunctionTimes> Engine::times() const {
    std::set<unsigned> live;
    SmallVector<const Entry *> open{first_};
    while (!open.empty()) {
        const Entry *entry = open.pop_back_val();
        if (entry->spot.generic || !live.insert(entry->number).second)
            continue;
        for (const Edge &edge : entry->edges)
            open.push_back(edge.target);
    }
    return times_.tell(live, root_, [this](unsigned id) -> const Object & { return objects_[id]; }, lost_);
}

}  // namespace thalweg::transform::specializer
