// transform: places in the source, each made once.
#include "transform/specializer/locations.h"

namespace thalweg::transform::specializer {

using namespace llvm;

// Verified code has a place at each call of a function that has one; where a frame's place is not known, line 0 is the honest one.
Locations::Locations(const Function &root) {
    if (DISubprogram *subprogram = root.getSubprogram())
        nowhere_ = DILocation::get(root.getContext(), 0, 0, subprogram);
}

DILocation *Locations::of_call(const Context *context) {
    if (const auto known = calls_.find(context); known != calls_.end())
        return known->second;
    DILocation *made = nullptr;
    if (const DebugLoc at = of(context->caller, *context->call))
        made = DILocation::getDistinct(at->getContext(), at->getLine(), at->getColumn(), at->getScope(),
                                       at->getInlinedAt());
    calls_[context] = made;
    return made;
}

DebugLoc Locations::of(const Context *context, const Instruction &instruction) {
    if (!nowhere_)
        return {};
    const DebugLoc &own = instruction.getDebugLoc();
    if (!context->call)
        return own ? own : DebugLoc(nowhere_);
    DILocation *call = of_call(context);
    if (!own || !call)
        return call ? call : nowhere_;
    DILocation *&known = inlined_[{context, own.get()}];
    if (!known) {
        DenseMap<const MDNode *, MDNode *> cache;
        const DebugLoc inlined = DebugLoc::appendInlinedAt(own, call, call->getContext(), cache);
        known = DILocation::get(own->getContext(), own->getLine(), own->getColumn(), own->getScope(), inlined);
    }
    return known;
}

}  // namespace thalweg::transform::specializer
