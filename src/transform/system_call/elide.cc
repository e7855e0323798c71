// transform: calls that tell of a descriptor, and calls whose result may be known of it, become calls of the crossing room.
#include "transform/system_call/elide.h"

#include <array>
#include <optional>
#include <sys/stat.h>

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

#include "abi/crossing.h"
#include "transform/ir/abi.h"
#include "transform/ir/function_effects.h"
#include "transform/system_call/quiet_stretch.h"
#include "transform/system_call/site.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

struct Watched {
    knowledge::Act act;
    StringLiteral
        type;  // i: 32 bits, l: 64 bits, p: a pointer; the result first; of one that opens: its named arguments
    AnyAbiFunction instead;  // of the crossing room
    bool may_be_known = false;  // the result
    int flags = -1;  // an argument's position: it opens, and is told of when it is done
    AnyAbiFunction unused = {};  // instead, where nobody looks at the result
    AnyAbiFunction into_variable = {};  // instead, where what the last argument points to can be written
};
constexpr std::array watched = {
    Watched{knowledge::Act::reads, "lipl", ABI_SYMBOL(thalweg_crossing_read), true},
    Watched{knowledge::Act::advises, "iilli", ABI_SYMBOL(thalweg_crossing_posix_fadvise), true, -1,
            ABI_SYMBOL(thalweg_crossing_advise)},
    Watched{knowledge::Act::seeks, "lili", ABI_SYMBOL(thalweg_crossing_lseek), true},
    Watched{knowledge::Act::looks,
            "iip",
            ABI_SYMBOL(thalweg_crossing_fstat),
            false,
            -1,
            {},
            ABI_SYMBOL(thalweg_crossing_fstat_into)},
    Watched{knowledge::Act::opens, "ipi", ABI_SYMBOL(thalweg_crossing_opened), false, 1},
    Watched{knowledge::Act::opens_at, "iipi", ABI_SYMBOL(thalweg_crossing_opened), false, 2},
};

bool calls(const CallBase &call, StringRef name) {
    return call.getCalledFunction() && call.getCalledFunction()->getName() == name;
}

// The row of a call that another decision had replaced; null: it is none.
const Watched *replaced_row(const CallBase &call) {
    const auto *row = find_if(watched, [&](const Watched &row) {
        return any_of(ArrayRef{row.instead, row.unused, row.into_variable},
                      [&](const AnyAbiFunction &one) { return !one.name.empty() && calls(call, one.name); });
    });
    return row == watched.end() ? nullptr : row;
}

bool is_type(const Type &type, char letter) {
    return letter == 'p' ? type.isPointerTy() : type.isIntegerTy(letter == 'i' ? 32 : 64);
}

// As the C library's headers have it on 64-bit systems. What may throw to a landing pad is left alone.
bool has_type(const CallBase &call, const Watched &row) {
    const FunctionType &type = *call.getFunctionType();
    const StringRef arguments = row.type.drop_front();
    if (!isa<CallInst>(call) || call.hasOperandBundles() || type.isVarArg() != (row.flags >= 0) ||
        type.getNumParams() != arguments.size() || !is_type(*type.getReturnType(), row.type.front()))
        return false;
    return all_of(zip(type.params(), arguments),
                  [](const auto &pair) { return is_type(*std::get<0>(pair), std::get<1>(pair)); });
}

// Whether the kernel could write a struct stat there: in variables, here or of all callers, that are large enough. What it can't write is the
// program's error (EFAULT).
class StatusPlace {
  public:
    explicit StatusPlace(const Module &module) : layout_(module.getDataLayout()) {}

    bool is_writable(const Value &place, const APInt &from) {
        APInt offset = from;
        const Value *base = place.stripAndAccumulateConstantOffsets(layout_, offset, /*AllowNonInbounds=*/true);
        if (const auto *variable = dyn_cast<AllocaInst>(base)) {
            const std::optional<TypeSize> size = variable->getAllocationSize(layout_);
            return size && !size->isScalable() && fits(size->getFixedValue(), offset);
        }
        if (const auto *variable = dyn_cast<GlobalVariable>(base))
            return !variable->isConstant() && fits(layout_.getTypeAllocSize(variable->getValueType()), offset);
        const auto *argument = dyn_cast<Argument>(base);
        return argument && seen_.insert(argument).second && all_callers_have_one(*argument, offset);
    }

  private:
    static bool fits(uint64_t size, const APInt &offset) {
        return offset.isNonNegative() && size >= sizeof(struct stat) && offset.ule(size - sizeof(struct stat));
    }

    bool all_callers_have_one(const Argument &argument, const APInt &offset) {
        const Function &function = *argument.getParent();
        return function.hasLocalLinkage() && all_of(function.uses(), [&](const Use &use) {
                   const auto *call = dyn_cast<CallBase>(use.getUser());
                   return call && call->isCallee(&use) && argument.getArgNo() < call->arg_size() &&
                          is_writable(*call->getArgOperand(argument.getArgNo()), offset);
               });
    }

    const DataLayout &layout_;
    SmallPtrSet<const Argument *, 8> seen_;
};

bool points_to_variable(const CallBase &call) {
    const Value &place = *call.getArgOperand(call.arg_size() - 1);
    const DataLayout &layout = call.getModule()->getDataLayout();
    return StatusPlace(*call.getModule()).is_writable(place, APInt(layout.getIndexTypeSizeInBits(place.getType()), 0));
}

class Leaver {
  public:
    explicit Leaver(Module &module) : module_(module) {}

    // Empty: done.
    std::string leave_out(const SystemCallGroup &group) {
        if (std::string obstacle = obstacle_to_stretches(module_); !obstacle.empty())
            return obstacle;
        if (std::string why_not = find_known(group.first); !why_not.empty())
            return why_not;
        bool opens = false;
        for (const uint32_t number : group.others)
            for (CallBase *call : calls_at(module_, number))
                if (const Watched *row = row_of(*call)) {
                    opens |= row->flags >= 0;
                    found_.insert({call, row});
                } else {
                    opens |= is_told_of(*call);
                }
        if (!opens)
            return "no call of open or openat is among those that tell: where in the file it reads isn't known";
        for (const auto &[call, row] : found_) {
            if (row->flags >= 0)
                tell_of_open(*call, *row);
            else
                replace(*call, *row);
        }
        return {};
    }

    std::string remarks() const {
        return std::to_string(known_) + " call(s) of " + name_ + " are left out where what they give is known";
    }

  private:
    static const Watched *row_of(const CallBase &call) {
        const auto *row = find_if(watched, [&](const Watched &one) { return one.act == act_of(call); });
        return row != watched.end() && has_type(call, *row) && !is_told_of(call) ? row : nullptr;
    }

    // An open stays as it is; another decision may have had it told of.
    static bool is_told_of(const CallBase &call) {
        return any_of(call.users(), [](const User *user) {
            const auto *told = dyn_cast<CallBase>(user);
            return told && calls(*told, ABI_SYMBOL(thalweg_crossing_opened).name);
        });
    }

    std::string find_known(uint32_t number) {
        for (CallBase *call : calls_at(module_, number)) {
            const Watched *row = row_of(*call);
            if (!row && !replaced_row(*call))
                return "the result of " +
                       (call->getCalledFunction() ? call->getCalledFunction()->getName().str() : "a call") +
                       " isn't known there: read, posix_fadvise and lseek are known, called as C calls them";
            if (row && !row->may_be_known)
                return "the result of " + called_name(*call).str() + " is news: others may have changed it";
            ++known_;
            name_ = row ? called_name(*call).str()
                        : replaced_row(*call)->instead.name.drop_front(StringRef(abi::crossing_prefix).size()).str();
            if (row)
                found_.insert({call, row});
        }
        return known_ == 0 ? "nothing is left of the call: another decision took its place" : "";
    }

    void tell_of_open(CallBase &call, const Watched &row) {
        store_in_stretch(call, thalweg_crossing_being_opened);
        IRBuilder<> builder(call.getNextNode());
        builder.SetCurrentDebugLocation(call.getDebugLoc());
        builder.CreateCall(row.instead.declare_in(module_),
                           {builder.CreateThreadLocalAddress(stretch_of(module_)), &call,
                            call.getArgOperand(static_cast<unsigned>(row.flags))});
        changed(call);
    }

    void replace(CallBase &call, const Watched &row) {
        IRBuilder<> builder(&call);
        SmallVector<Value *> arguments = {builder.CreateThreadLocalAddress(stretch_of(module_))};
        append_range(arguments, call.args());
        const bool is_unused = call.use_empty() && !row.unused.name.empty();
        const bool is_into_variable = !row.into_variable.name.empty() && points_to_variable(call);
        const AnyAbiFunction &instead = is_unused ? row.unused : is_into_variable ? row.into_variable : row.instead;
        CallInst *made = builder.CreateCall(instead.declare_in(module_), arguments);
        made->copyMetadata(call);
        changed(call);
        if (!is_unused) {
            made->takeName(&call);
            call.replaceAllUsesWith(made);
        }
        call.eraseFromParent();
    }

    // What is known is memory too.
    static void changed(CallBase &call) { forget_effects_of_callers(*call.getFunction()); }

    Module &module_;
    MapVector<CallBase *, const Watched *> found_;
    uint32_t known_ = 0;
    std::string name_;
};

}  // namespace

SystemCallResult leave_out(const SystemCallGroup &group, Module &module, FunctionAnalysisManager &) {
    Leaver leaver(module);
    const uint64_t before = module.getInstructionCount();
    if (std::string why_not = leaver.leave_out(group); !why_not.empty())
        return {std::move(why_not), {}, 0};
    return {{}, leaver.remarks(), static_cast<int64_t>(module.getInstructionCount() - before)};
}

}  // namespace thalweg::transform
