// transform: remote calls in a row become calls of the crossing room.
#include "transform/system_call/overlap.h"

#include <set>

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include "abi/remote_call.h"
#include "transform/ir/abi.h"
#include "transform/ir/function_effects.h"
#include "transform/system_call/remote_arguments.h"
#include "transform/system_call/remote_trace.h"
#include "transform/system_call/site.h"
#include "transform/system_call/trial.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// In instructions; those that rpcgen writes have 10 to 30.
constexpr unsigned largest_stub = 100;
constexpr StringLiteral remote_name = "thalweg.remote";

struct Row {
    RemoteTrace trace;
    unsigned count = 0;  // of its calls, those that go out together
};

class Overlapper {
  public:
    Overlapper(const SystemCallGroup &group, Module &module, FunctionAnalysisManager &analyses)
        : group_(group), module_(module), analyses_(analyses) {
        numbers_.insert(group.first);
        numbers_.insert(group.others.begin(), group.others.end());
        for (const model::IndependentCalls &one : std::get<model::Overlap>(group.decision.work).independent)
            procedures_.insert(one.procedures.begin(), one.procedures.end());
    }

    SystemCallResult run() {
        for (Function &function : module_)
            if (may_hold_rows(function))
                improve(function);
        if (rows_ > 0)
            return {{}, said(), growth_};
        return {why_not_.empty() ? "no function makes two of these calls, or calls two functions that make one each"
                                 : why_not_,
                {},
                0};
    }

  private:
    std::string said() const {
        return std::to_string(calls_) + " remote calls go out together, in " + std::to_string(rows_) +
               (rows_ == 1 ? " row: in " : " rows: in ") + where_;
    }

    static bool may_hold_rows(const Function &function) {
        return !function.isDeclaration() && !function.isPresplitCoroutine() &&
               !function.hasFnAttribute(Attribute::Naked) && !function.hasFnAttribute(Attribute::OptimizeNone) &&
               !function.callsFunctionThatReturnsTwice();
    }

    bool is_ours(const Instruction &one) const {
        const auto *call = dyn_cast<CallInst>(&one);
        if (!call || !is_remote_call(*call) || !numbers_.contains(system_call_of(one)) || call->hasOperandBundles())
            return false;
        const auto *procedure = dyn_cast<ConstantInt>(call->getArgOperand(remote_procedure));
        return procedure && procedures_.contains(static_cast<uint32_t>(procedure->getZExtValue()));
    }

    // A function that does little more than to make one of these calls.
    bool is_stub(const Function *function) const {
        if (!function || !may_hold_rows(*function) || function->isInterposable() || function->isVarArg() ||
            function->getInstructionCount() > largest_stub)
            return false;
        unsigned made = 0;
        for (const Instruction &one : instructions(function)) {
            const auto *call = dyn_cast<CallBase>(&one);
            if (!call || isa<IntrinsicInst>(call))
                continue;
            if (!is_ours(one))
                return false;
            ++made;
        }
        return made == 1;
    }

    void improve(Function &function) {
        unfold_stubs(function);
        SmallVector<CallInst *, 16> found;
        for (Instruction &one : instructions(function))
            if (is_ours(one))
                found.push_back(cast<CallInst>(&one));
        if (found.size() < 2)
            return;
        const std::vector<Row> rows = find_rows(function, found);
        if (rows.empty())
            return;
        where_ += (where_.empty() ? "" : ", ") + function.getName().str();
        for (const Row &row : rows)
            replace(function, row);
        forget_effects_of_callers(function);
        analyses_.invalidate(function, PreservedAnalyses::none());
    }

    void unfold_stubs(Function &function) {
        SmallVector<CallInst *, 16> led;
        unsigned others = 0;
        for (Instruction &one : instructions(function)) {
            others += is_ours(one) ? 1 : 0;
            auto *call = dyn_cast<CallInst>(&one);
            if (call && call->getCalledFunction() != &function && !call->isMustTailCall() &&
                is_stub(call->getCalledFunction()))
                led.push_back(call);
        }
        if (led.empty() || led.size() + others < 2)
            return;
        for (CallInst *call : led) {
            InlineFunctionInfo info;
            InlineFunction(*call, info);
        }
        analyses_.invalidate(function, PreservedAnalyses::none());
    }

    std::vector<Row> find_rows(Function &function, ArrayRef<CallInst *> found) {
        const DominatorTree tree(function);
        std::set<const CallInst *> taken;
        std::vector<Row> rows;
        for (CallInst *first : found) {
            if (taken.contains(first))
                continue;
            Row row{follow_remote_calls(*first, [&](const CallBase &call) { return is_ours(call); }), 1};
            EarlyArguments early(row.trace, tree);
            std::string why = row.trace.end;
            while (row.count < row.trace.calls.size() && row.count < thalweg_crossing_most_calls) {
                std::string obstacle = taken.contains(row.trace.calls[row.count]) ? "it belongs to another row"
                                                                                  : early.obstacle(row.count);
                if (!obstacle.empty()) {
                    why = std::move(obstacle);
                    break;
                }
                ++row.count;
            }
            if (row.count < 2) {
                if (why_not_.empty())
                    why_not_ = "in " + function.getName().str() + ", no call goes out with the first: " + why;
                continue;
            }
            taken.insert(row.trace.calls.begin(), row.trace.calls.begin() + row.count);
            rows.push_back(std::move(row));
        }
        return rows;
    }

    Constant *remote() {
        if (GlobalVariable *made = module_.getNamedGlobal(remote_name))
            return made;
        Type *type = storage_of<thalweg_crossing_remote>(module_.getContext());
        auto *made = new GlobalVariable(module_, type, false, GlobalValue::InternalLinkage,
                                        Constant::getNullValue(type), remote_name);
        made->setAlignment(Align(16));
        return made;
    }

    // A thalweg_crossing_calls.
    Constant *declared() {
        if (declared_)
            return declared_;
        using Declared = thalweg_crossing_independent;
        using Calls = thalweg_crossing_calls;
        std::vector<Constant *> rows;
        uint32_t set = 0;
        for (const model::IndependentCalls &one : std::get<model::Overlap>(group_.decision.work).independent) {
            for (const uint32_t procedure : one.procedures)
                rows.push_back(structure<&Declared::set, &Declared::program, &Declared::version, &Declared::procedure>(
                    module_, set, one.program, one.version, procedure));
            ++set;
        }
        Constant *all_rows = array_of<Declared>(module_, rows);
        auto *table = new GlobalVariable(module_, all_rows->getType(), true, GlobalValue::PrivateLinkage, all_rows);
        using MakeStream = std::remove_pointer_t<decltype(Calls::make_stream)>;
        FunctionCallee stream = declare_function<MakeStream>(module_, "xdrmem_create");
        Constant *all = structure<&Calls::rows, &Calls::rows_count, &Calls::make_stream>(
            module_, table, rows.size(), cast<Constant>(stream.getCallee()));
        declared_ = new GlobalVariable(module_, all->getType(), true, GlobalValue::PrivateLinkage, all);
        return declared_;
    }

    static void store_at(IRBuilder<> &builder, Value *structure, size_t offset, Value *value) {
        builder.CreateStore(value, builder.CreatePtrAdd(structure, builder.getInt64(offset)));
    }

    static void fill_request(IRBuilder<> &builder, Value *request, const CallInst &call, Value *arguments) {
        using Request = thalweg_crossing_request;
        Value *procedure = builder.CreateZExtOrTrunc(call.getArgOperand(remote_procedure), builder.getInt64Ty());
        store_at(builder, request, offsetof(Request, procedure), procedure);
        store_at(builder, request, offsetof(Request, encode), call.getArgOperand(remote_encode));
        store_at(builder, request, offsetof(Request, arguments), arguments);
    }

    static void fill_answer(IRBuilder<> &builder, Value *answer, const CallInst &call) {
        using Answer = thalweg_crossing_answer;
        store_at(builder, answer, offsetof(Answer, decode), call.getArgOperand(remote_decode));
        store_at(builder, answer, offsetof(Answer, results), call.getArgOperand(remote_results));
        store_at(builder, answer, offsetof(Answer, limit), call.getArgOperand(remote_limit));
    }

    static void put_in_place(CallInst &call, CallInst &made) {
        made.setDebugLoc(call.getDebugLoc());
        call.replaceAllUsesWith(&made);
        call.eraseFromParent();
    }

    void replace(Function &function, const Row &row) {
        const unsigned before = function.getInstructionCount();
        const DominatorTree tree(function);
        EarlyArguments early(row.trace, tree);
        for (unsigned i = 1; i < row.count; ++i)
            early.obstacle(i);
        IRBuilder<> entry(&*function.getEntryBlock().getFirstInsertionPt());
        LLVMContext &context = function.getContext();
        Type *request = storage_of<thalweg_crossing_request>(context);
        Value *flight = entry.CreateAlloca(storage_of<thalweg_crossing_flight>(context), nullptr, "flight");
        Value *requests = entry.CreateAlloca(ArrayType::get(request, row.count), nullptr, "requests");
        Value *answer = entry.CreateAlloca(storage_of<thalweg_crossing_answer>(context), nullptr, "answer");
        CallInst &first = *row.trace.calls.front();
        IRBuilder<> builder(&first);
        builder.SetCurrentDebugLocation(first.getDebugLoc());
        fill_request(builder, requests, first, first.getArgOperand(remote_arguments));
        for (unsigned i = 1; i < row.count; ++i)
            fill_request(builder, builder.CreateConstGEP1_64(request, requests, i), *row.trace.calls[i],
                         early.make(i, builder));
        fill_answer(builder, answer, first);
        const FunctionCallee send = declare(module_, ABI_SYMBOL(thalweg_crossing_first_call));
        const FunctionCallee next = declare(module_, ABI_SYMBOL(thalweg_crossing_next_call));
        CallInst *sent = builder.CreateCall(send, {remote(), declared(), flight, requests, builder.getInt32(row.count),
                                                   first.getArgOperand(remote_client), answer});
        for (unsigned i = 1; i < row.count; ++i) {
            CallInst &call = *row.trace.calls[i];
            IRBuilder<> there(&call);
            there.SetCurrentDebugLocation(call.getDebugLoc());
            fill_request(there, requests, call, call.getArgOperand(remote_arguments));
            fill_answer(there, answer, call);
            put_in_place(call, *there.CreateCall(next, {remote(), declared(), flight, there.getInt32(i), requests,
                                                        call.getArgOperand(remote_client), answer}));
        }
        put_in_place(first, *sent);
        calls_ += row.count;
        ++rows_;
        growth_ += function.getInstructionCount() - before;
    }

    const SystemCallGroup &group_;
    Module &module_;
    FunctionAnalysisManager &analyses_;
    std::set<uint32_t> numbers_;
    std::set<uint32_t> procedures_;
    Constant *declared_ = nullptr;
    unsigned calls_ = 0;
    unsigned rows_ = 0;
    uint32_t growth_ = 0;
    std::string where_;
    std::string why_not_;
};

}  // namespace

SystemCallResult overlap_calls(const SystemCallGroup &group, Module &module, FunctionAnalysisManager &analyses) {
    if (std::string obstacle = obstacle_to_other_calls(module); !obstacle.empty())
        return {std::move(obstacle), {}, 0};
    return Overlapper(group, module, analyses).run();
}

}  // namespace thalweg::transform
